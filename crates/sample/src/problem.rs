//! The problem to be sampled: the assertions of a formula as written.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_coverage::{AstBits, BitSet, ModelBits};
use sundry_term::{
    ChosenResults, Control, EvaluationError, Evaluator, Model, Op, Stopped, SymbolId, TermId, TermStore,
    Value,
};

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
    /// The roles of constants.
    pub roles: Roles,
}

/// The roles of constants, where these are more than their sorts say.
#[derive(Clone, Default, Debug)]
pub struct Roles {
    /// The values that a bit-vector constant is meant to have: the numbers from 0 on, as many as there are. The
    /// assertions exclude the others.
    pub levels: FxHashMap<SymbolId, Vec<Level>>,
    /// Auxiliary constants: they do not distinguish solutions and are not factors.
    pub auxiliary: FxHashSet<SymbolId>,
    /// Constants whose values are combined with a strength of their own.
    pub groups: Vec<Group>,
}

/// A value of a constant that stands for something.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// Whether the system has to refuse it, so that nothing else is tested by a solution that has it.
    pub is_negative: bool,
    /// The preference for the value where the choice makes no difference otherwise.
    pub weight: u32,
}

/// Constants whose values are combined with a strength of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The constants.
    pub symbols: Vec<SymbolId>,
    /// The number of values that are combined, at most [`MAX_STRENGTH`](crate::MAX_STRENGTH).
    pub strength: usize,
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
    pub model: Arc<Model>,
    /// Values of all bits of the formula's nodes.
    pub bits: Arc<ModelBits>,
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

/// The reason why a proposed model is not accepted as a solution.
#[derive(Clone, Debug)]
pub enum Rejection {
    /// The model does not satisfy the formula.
    Wrong(WrongModel),
    /// Work had to stop before it was known whether it does.
    Unjudged(Stopped),
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rejection::Wrong(error) => error.fmt(f),
            Rejection::Unjudged(reason) => write!(f, "{reason} while a model was judged"),
        }
    }
}

impl std::error::Error for Rejection {}

impl Problem {
    /// The formula with these assertions and declared symbols. Terms of any theory are allowed, since the evaluator judges
    /// models of all; sampling refuses terms that have no circuit, with the term and its theory.
    pub fn new(store: TermStore, assertions: Vec<TermId>, symbols: Vec<SymbolId>) -> Self {
        let ast_bits = AstBits::new(&store, &assertions);
        Problem { store, assertions, symbols, ast_bits, roles: Roles::default() }
    }

    /// Whether some operation has results that the standard leaves open, and that each model chooses for itself.
    pub(crate) fn has_open_results(&self) -> bool {
        self.ast_bits.nodes().iter().any(|&node| may_be_open(&self.store, node))
    }

    /// [`new`](Self::new) until a control stops it.
    ///
    /// # Errors
    /// The reason why the control stopped it.
    pub fn within(
        store: TermStore,
        assertions: Vec<TermId>,
        symbols: Vec<SymbolId>,
        control: &Control,
    ) -> Result<Self, Stopped> {
        let ast_bits = AstBits::within(&store, &assertions, control)?;
        Ok(Problem { store, assertions, symbols, ast_bits, roles: Roles::default() })
    }

    /// The same formula, in which each integer has so many low bits besides its sign.
    ///
    /// # Errors
    /// The reason why the control stopped the work.
    pub fn with_integer_bits(self, integer_bits: u32, control: &Control) -> Result<Self, Stopped> {
        if self.ast_bits.integer_bits() == integer_bits {
            return Ok(self);
        }
        let ast_bits = AstBits::with_integer_bits(&self.store, &self.assertions, integer_bits, control)?;
        Ok(Problem { ast_bits, ..self })
    }

    /// Gives the constants of the formula these roles.
    pub fn with_roles(self, roles: Roles) -> Self {
        Problem { roles, ..self }
    }

    /// The constants that distinguish solutions, in order of declaration: all but the auxiliary ones.
    pub fn shown(&self) -> impl Iterator<Item = SymbolId> {
        self.symbols.iter().copied().filter(|symbol| !self.roles.auxiliary.contains(symbol))
    }

    /// Judges a model by the evaluator on the assertions as written. Symbols that the model
    /// leaves out get the default value of their sort and are defined in the solution, in which elements of declared
    /// sorts are numbered by what the model says of them: models that differ in their names only become equal. A model
    /// that was found just before the control ended is judged all the same, unless that takes long.
    ///
    /// # Errors
    /// The model does not satisfy the formula, or there was no time to find out.
    pub fn judge(&self, mut model: Model, control: &Control) -> Result<Solution, Rejection> {
        self.complete(&mut model);
        if let Some(canonical) = model.canonical(&self.store) {
            model = canonical;
        }
        let mut evaluator = Evaluator::with_control(&self.store, &model, &control.with_grace());
        match ModelBits::evaluate_with(&mut evaluator, &self.assertions, &self.ast_bits) {
            Ok((bits, true)) => Ok(Solution { model: model.into(), bits: bits.into() }),
            Err(EvaluationError::Stopped(reason)) => Err(Rejection::Unjudged(reason)),
            Ok((_, false)) | Err(_) => {
                let assertion = self.first_not_true(&mut evaluator);
                Err(assertion
                    .map_or_else(Rejection::Unjudged, |assertion| Rejection::Wrong(WrongModel { assertion })))
            }
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

    /// Whether all assertions hold in the model of an evaluator.
    ///
    /// # Errors
    /// Time was up before the evaluation ended.
    pub fn satisfied(&self, evaluator: &mut Evaluator<'_>) -> Result<bool, Stopped> {
        match evaluator.evaluate(&self.assertions) {
            Err(EvaluationError::Stopped(reason)) => Err(reason),
            Err(_) => Ok(false),
            Ok(()) => Ok(self
                .assertions
                .iter()
                .all(|&assertion| evaluator.value(assertion) == Some(&Value::Bool(true)))),
        }
    }

    /// The first assertion that is not true in the model of an evaluator, by position.
    ///
    /// # Errors
    /// Time was up before the end.
    pub fn first_not_true(&self, evaluator: &mut Evaluator<'_>) -> Result<usize, Stopped> {
        for (position, &assertion) in self.assertions.iter().enumerate() {
            match evaluator.evaluate(&[assertion]) {
                Err(EvaluationError::Stopped(reason)) => return Err(reason),
                Ok(()) if evaluator.value(assertion) == Some(&Value::Bool(true)) => {}
                _ => return Ok(position),
            }
        }
        Ok(0)
    }
}

/// Whether the standard leaves the result of an operation open for some arguments.
fn may_be_open(store: &TermStore, term: TermId) -> bool {
    let is_zero = |value: &Value| match value {
        Value::Int(number) => number.is_zero(),
        Value::Real(number) => number.is_zero(),
        _ => false,
    };
    let op = store.op(term);
    // Divisions are open where the divisor is zero.
    let has_divisors = matches!(op, Op::Arithmetic(_));
    let may_be_zero = |&divisor: &TermId| store.value(divisor).is_none_or(is_zero);
    ChosenResults::may_be_of(op) && (!has_divisors || store.args(term)[1..].iter().any(may_be_zero))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Some products of numbers so wide, each compared with the next.
    fn products(width: u32, count: usize) -> Problem {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(width).expect("a width");
        let x = store.declare("x", &[], sort);
        let factor = store.symbol_term(x);
        let mut product = factor;
        let assertions = (0..count).map(|_| {
            let next = store.make(Op::BvMul, &[product, factor]);
            product = next;
            store.make(Op::Equal, &[next, next])
        });
        let assertions = assertions.collect();
        Problem::new(store, assertions, vec![x])
    }

    #[test]
    fn what_was_found_at_the_end_is_judged_for_a_moment() {
        let control = Control::default().with_stop(Arc::new(AtomicBool::new(true)));
        assert!(control.stopped());
        assert!(products(8, 10).judge(Model::new(), &control).is_ok());
        // All of these take minutes. A model without time for its evaluation is neither right nor wrong.
        let problem = products(1 << 20, 2_000);
        let mut model = Model::new();
        model.set_constant(problem.symbols[0], Value::BitVec(sundry_term::BitVector::ones(1 << 20)));
        assert!(matches!(problem.judge(model, &control), Err(Rejection::Unjudged(_))));
    }

    #[test]
    fn what_is_false_is_wrong() {
        let mut store = TermStore::new();
        let p = store.declare("p", &[], sundry_term::SortId::BOOL);
        let (holds, p_term) = (store.bool(true), store.symbol_term(p));
        let problem = Problem::new(store, vec![holds, p_term], vec![p]);
        let rejection = problem.judge(Model::new(), &Control::default()).expect_err("p is false by default");
        assert!(matches!(rejection, Rejection::Wrong(WrongModel { assertion: 1 })));
    }

    #[test]
    fn divisions_by_what_may_be_zero_are_open() {
        let mut store = TermStore::new();
        let x = store.declare("x", &[], sundry_term::SortId::INT);
        let x_term = store.symbol_term(x);
        let mut problem_of = |divisor: &str| {
            let divisor = match divisor {
                "x" => x_term,
                digits => store.numeral(digits),
            };
            let quotient = store.make(Op::Arithmetic(sundry_term::ArithmeticOp::Div), &[x_term, divisor]);
            let equal = store.make(Op::Equal, &[quotient, x_term]);
            Problem::new(store.clone(), vec![equal], vec![x])
        };
        assert!(problem_of("x").has_open_results() && problem_of("0").has_open_results());
        assert!(!problem_of("3").has_open_results());
    }
}
