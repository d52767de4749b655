//! What is to be sampled: the assertions of a formula as written.

use sundry_coverage::{AstBits, BitSet, ModelBits};
use sundry_term::{Model, SymbolId, TermId, TermStore, Value};

/// A formula to sample: assertions, the symbols that models define, and the AST-bits to cover.
#[derive(Clone)]
pub struct Problem {
    /// Holds the assertions. Strategies work on copies, so ids of the problem stay valid.
    pub store: TermStore,
    /// Conjuncts of the formula.
    pub assertions: Vec<TermId>,
    /// Every declared symbol in scope, in order of declaration.
    pub symbols: Vec<SymbolId>,
    /// AST-bits of the assertions.
    pub ast_bits: AstBits,
}

/// A model that the solver proposes, not judged yet.
pub(crate) struct Candidate {
    /// The targets it covers.
    pub(crate) covered: BitSet,
    /// Values of the declared symbols.
    pub(crate) model: Model,
}

/// A solution that the evaluator has accepted.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Values of all declared symbols.
    pub model: Model,
    /// Values of all bits of the formula's nodes.
    pub bits: ModelBits,
}

/// The solver proposed a model that the evaluator rejects: a defect of the solver.
#[derive(Clone, Debug)]
pub struct WrongModel {
    /// The first assertion that is false, by position.
    pub assertion: usize,
}

impl std::fmt::Display for WrongModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "internal error: the solver's model does not satisfy assertion {} of the formula; \
             the model was discarded, please report the formula",
            self.assertion + 1
        )
    }
}

impl std::error::Error for WrongModel {}

impl Problem {
    /// The formula with these assertions and declared symbols.
    pub fn new(store: TermStore, assertions: Vec<TermId>, symbols: Vec<SymbolId>) -> Self {
        let ast_bits = AstBits::new(&store, &assertions);
        Problem { store, assertions, symbols, ast_bits }
    }

    /// Judges a model by the evaluator on the assertions as written. Symbols that the model
    /// leaves out get the default value of their sort and are defined in the solution.
    ///
    /// # Errors
    /// The model does not satisfy the formula.
    pub fn judge(&self, mut model: Model) -> Result<Solution, WrongModel> {
        self.complete(&mut model);
        match ModelBits::evaluate(&self.store, &model, &self.assertions, &self.ast_bits) {
            Ok((bits, true)) => Ok(Solution { model, bits }),
            _ => Err(WrongModel { assertion: self.first_false(&model) }),
        }
    }

    /// Gives symbols that the model leaves out the default value of their sort.
    pub fn complete(&self, model: &mut Model) {
        for &symbol in &self.symbols {
            let declared = self.store.symbol(symbol);
            if declared.arguments.is_empty() {
                if model.constant(symbol).is_none() {
                    model.set_constant(symbol, Value::default_of(&self.store, declared.result));
                }
            } else if model.function(symbol).is_none() {
                let default = Value::default_of(&self.store, declared.result);
                model.set_function(
                    symbol,
                    sundry_term::FunctionValue::Table { entries: Default::default(), default },
                );
            }
        }
    }

    fn first_false(&self, model: &Model) -> usize {
        self.assertions
            .iter()
            .position(|&assertion| {
                !matches!(sundry_term::evaluate(&self.store, model, assertion), Ok(Value::Bool(true)))
            })
            .unwrap_or(0)
    }
}
