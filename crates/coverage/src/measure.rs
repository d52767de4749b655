//! Measuring models: the AST-bits that each covers, and the gains of a set.

use sundry_term::{
    BitVector, EvaluationError, Evaluator, Model, TermId, TermStore, Value, bits_of_integer, bits_of_real,
};

use crate::ast_bits::AstBits;
use crate::bitset::BitSet;

/// The values that a model gives the bits of all nodes: one per position.
///
/// A model covers exactly half of all AST-bits, one for each position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModelBits {
    /// Positions whose bit is true.
    pub ones: BitSet,
}

impl ModelBits {
    /// Evaluates all nodes of the formula. Returns the bits and whether all assertions are true.
    ///
    /// # Errors
    /// A function of the model that cannot be evaluated.
    pub fn evaluate(
        store: &TermStore,
        model: &Model,
        assertions: &[TermId],
        ast_bits: &AstBits,
    ) -> Result<(ModelBits, bool), EvaluationError> {
        ModelBits::evaluate_with(&mut Evaluator::new(store, model), assertions, ast_bits)
    }

    /// [`evaluate`](Self::evaluate) by an evaluator that may know values already, or be asked for more.
    ///
    /// # Errors
    /// A function of the model that cannot be evaluated, or a value that the model leaves open.
    pub fn evaluate_with(
        evaluator: &mut Evaluator<'_>,
        assertions: &[TermId],
        ast_bits: &AstBits,
    ) -> Result<(ModelBits, bool), EvaluationError> {
        evaluator.evaluate(assertions)?;
        let mut ones = BitSet::new(ast_bits.positions());
        for (number, &term) in ast_bits.nodes().iter().enumerate() {
            let first = ast_bits.positions_of(number).start;
            let Some(value) = evaluator.value(term) else {
                let reason =
                    evaluator.open(term).expect("what is below the assertions has a value, or is open");
                return Err(EvaluationError::Open { reason });
            };
            match value {
                Value::Bool(true) => ones.insert(first),
                Value::BitVec(bits) => insert_word(&mut ones, first, bits),
                Value::Float(value) => insert_word(&mut ones, first, &value.canonical_bits()),
                Value::Int(number) => {
                    insert_word(&mut ones, first, &bits_of_integer(number, ast_bits.integer_bits()));
                }
                Value::Real(number) => insert_word(&mut ones, first, &bits_of_real(number)),
                _ => {}
            }
        }
        let satisfied =
            assertions.iter().all(|&assertion| evaluator.value(assertion) == Some(&Value::Bool(true)));
        Ok((ModelBits { ones }, satisfied))
    }

    /// Whether the model covers the AST-bit with this number.
    pub fn covers(&self, ast_bit: usize) -> bool {
        self.ones.contains(ast_bit / 2) == (ast_bit % 2 == 1)
    }
}

/// Inserts the positions of the set bits of a word.
pub(crate) fn insert_word(ones: &mut BitSet, first: usize, bits: &BitVector) {
    for (limb, &word) in bits.limbs().iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            ones.insert(first + limb * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// AST-bits covered by a growing set of models.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    ones: BitSet,
    zeros: BitSet,
    /// The number of elements of both sets.
    covered: usize,
}

impl Coverage {
    /// Creates a coverage of nothing.
    pub fn new(ast_bits: &AstBits) -> Self {
        let none = BitSet::new(ast_bits.positions());
        Coverage { ones: none.clone(), zeros: none, covered: 0 }
    }

    /// Adds a model; returns how many AST-bits it covers that none before it did.
    pub fn add(&mut self, model: &ModelBits) -> usize {
        let gain = self.gain(model);
        self.ones.union_with(&model.ones);
        self.zeros.insert_complement(&model.ones);
        self.covered += gain;
        gain
    }

    /// Adds the coverage of another set of models of the same formula.
    pub fn union_with(&mut self, other: &Coverage) {
        self.ones.union_with(&other.ones);
        self.zeros.union_with(&other.zeros);
        self.covered = self.ones.count() + self.zeros.count();
    }

    /// The number of AST-bits that a model would add.
    pub fn gain(&self, model: &ModelBits) -> usize {
        let new_ones = model.ones.count_without(&self.ones);
        // Positions that are neither true in the model nor known to be false in another.
        let new_zeros = self.zeros.length() - model.ones.count_with(&self.zeros);
        new_ones + new_zeros
    }

    /// Number of AST-bits covered.
    pub fn covered(&self) -> usize {
        self.covered
    }

    /// Whether the AST-bit with this number is covered.
    pub fn contains(&self, ast_bit: usize) -> bool {
        let set = if ast_bit % 2 == 1 { &self.ones } else { &self.zeros };
        set.contains(ast_bit / 2)
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{ArithmeticOp, Op, SortId};

    use super::*;

    #[test]
    fn a_value_that_the_model_leaves_open_has_no_bits() {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], SortId::INT));
        let [x_term, y_term] = [x, y].map(|symbol| store.symbol_term(symbol));
        let quotient = store.make(Op::Arithmetic(ArithmeticOp::Div), &[x_term, y_term]);
        let is_quotient = store.make(Op::Equal, &[quotient, x_term]);
        let is_same = store.make(Op::Equal, &[x_term, y_term]);
        let either = store.make(Op::Or, &[is_same, is_quotient]);
        let ast_bits = AstBits::new(&store, &[either]);
        let mut model = Model::new();
        for symbol in [x, y] {
            model.set_constant(symbol, Value::Int(0.into()));
        }
        let measured = ModelBits::evaluate(&store, &model, &[either], &ast_bits);
        assert!(matches!(measured, Err(EvaluationError::Open { .. })), "{measured:?}");
        model.set_chosen_results(sundry_term::ChosenResults::default());
        assert!(matches!(ModelBits::evaluate(&store, &model, &[either], &ast_bits), Ok((_, true))));
    }
}
