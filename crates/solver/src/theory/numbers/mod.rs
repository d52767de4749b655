//! Integers and reals: linear arithmetic by the simplex of `sundry-linear`, refined lazily.
//!
//! Terms of these sorts stay outside the circuit: they are linear [expressions](expression) over variables of the simplex (`terms.rs`). What is said of
//! them is a conjunction of bounds, each of which is an edge of the circuit (`atoms.rs`). A candidate assignment says which bounds hold; the
//! simplex finds values within them, or the set of bounds that contradict each other becomes a lemma (`check.rs`).
//!
//! Arrays and functions see numbers as they see words: equal values of the solution are equal keys, and where two numbers have to be equal
//! or different, the equality is one more edge. So the theories are combined by models, and a lemma names only equalities
//! that matter.

mod atoms;
mod bits;
mod check;
mod divisions;
mod envelopes;
mod expression;
mod fixing;
mod float_order;
mod floats;
mod products;
mod propagator;
mod ranges;
mod roundings;
mod terms;

use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_int::IBig;
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_circuit::{Edge, OpenFunction, real_number};
use sundry_linear::{Rational, Simplex, Value, Variable, WantedBound};
use sundry_term::{ArithmeticOp, Control, FloatOp, Op, SortId, Stopped, SymbolId, TermId, TermStore};

use super::datum::Datum;
use super::lemma::Lemma;
use atoms::BoundAtom;
use bits::NumberBit;
pub(crate) use expression::{Expression, Solution};
use floats::Conversion;
use products::Product;
pub(crate) use propagator::BoundPropagator;
use roundings::Rounding;
pub(crate) use terms::is_number_sort;

/// The work of looking at a term, in the units of [`Control::spend`].
const WORK_OF_TERM: u32 = 8;

/// The greatest width of words that are numbers with other numbers.
const MAXIMAL_WIDTH: u32 = 1024;

/// The greatest number of numbers that are compared each with each.
const MAXIMAL_DISTINCT: usize = 2000;

/// A term, as far as it is known whether this theory owns it.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Ownership {
    #[default]
    Unknown,
    /// The circuit knows the term: it has no numbers, or only such that have bits.
    Circuit,
    /// The circuit knows the term, an integer of so many bits that it is no sum of them here.
    Wide,
    Owned,
}

/// A result that the standard leaves open: a function of its argument, which is the dividend of a division by zero, or a floating-point
/// value that is to be a real.
#[derive(Clone, Debug)]
pub(crate) struct OpenResult {
    pub(crate) function: OpenFunction,
    pub(crate) argument: Datum,
    pub(crate) result: Arc<Expression>,
}

/// The theory of integers and reals.
#[derive(Clone, Default)]
pub(crate) struct Numbers {
    simplex: Simplex,
    /// The terms that this theory owns, by index.
    ownership: Vec<Ownership>,
    /// The expressions of terms.
    expressions: FxHashMap<TermId, Arc<Expression>>,
    symbols: Vec<(SymbolId, Variable)>,
    /// The variables that are defined as sums.
    sums: FxHashMap<Vec<(Variable, Rational)>, Variable>,
    atoms: Vec<BoundAtom>,
    atom_places: FxHashMap<Edge, usize>,
    /// Bounds of equalities that decisions try to make false, by positive edges: the value that does.
    better_false: FxHashMap<Edge, bool>,
    /// The bounds of each variable that have edges.
    atoms_by_variable: Vec<BTreeMap<Value, Edge>>,
    /// The variables that are bits of the circuit, by positive edges.
    bits: BTreeMap<Edge, Variable>,
    floors: FxHashMap<Arc<Expression>, Variable>,
    quotients: FxHashMap<(Expression, Rational), Variable>,
    /// Quotients and remainders by expressions, of reals or not.
    divisions: FxHashMap<(bool, (Expression, Expression)), (Expression, Expression)>,
    open_divisions: FxHashMap<(ArithmeticOp, Expression), Variable>,
    /// Open results that arrays and functions do not know yet.
    new_open_results: Vec<OpenResult>,
    /// Floating-point values as reals.
    conversions: Vec<Conversion>,
    /// Reals as floating-point values.
    roundings: Vec<Rounding>,
    products: Vec<Product>,
    product_results: FxHashMap<(Expression, Expression), Variable>,
    /// Whether facts about products are being made.
    makes_facts: bool,
    /// Candidates with wrong products.
    candidates_to_fix: usize,
    /// Numbers that were tried for factors, to make products of candidates right.
    numbers_tried: usize,
    /// Bits of integers that have no bits in the circuit.
    number_bits: Vec<NumberBit>,
    number_bit_places: FxHashMap<(Arc<Expression>, u32), usize>,
    bits_of_terms: FxHashMap<TermId, Box<[Edge]>>,
    /// Work of the simplex on ranges.
    work_on_ranges: u64,
    /// Candidates near the last one that were asked for, for the sake of bits.
    repairs: usize,
    /// Lemmas that hold from the beginning, not handed out yet.
    pending: Vec<Lemma>,
    /// The candidates that the simplex has refuted.
    refuted: usize,
    /// The variables whose bounds have refuted candidates.
    contested: FxHashSet<Variable>,
    /// The number of values before pivots that are kept for each candidate, at most.
    watched: usize,
    /// The values before pivots of the last candidate.
    passed: Vec<Solution>,
    /// The bounds that the last candidate has asserted.
    wanted: Vec<WantedBound>,
    /// The values of the last candidate.
    solution: Solution,
    /// The values of the last candidate that all theories have accepted.
    found: Solution,
}

impl Numbers {
    /// The name in messages and statistics.
    pub(crate) const NAME: &'static str = "numbers";

    /// Whether there is nothing to check.
    pub(crate) fn is_trivial(&self) -> bool {
        self.simplex.variable_count() == 0
    }

    /// Whether there are products of unknowns.
    pub(crate) fn has_products(&self) -> bool {
        !self.products.is_empty()
    }

    /// The number of declared constants.
    pub(crate) fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Finds out which of these terms, and the terms below them, this theory owns.
    ///
    /// # Errors
    /// The control stopped the work.
    pub(crate) fn note(
        &mut self,
        store: &TermStore,
        roots: &[TermId],
        control: &Control,
    ) -> Result<(), Stopped> {
        if !store.has_numbers() {
            return Ok(());
        }
        let is_known = |numbers: &Numbers, term: TermId| numbers.ownership_of(term) != Ownership::Unknown;
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(&term) = stack.last() {
            if is_known(self, term) {
                stack.pop();
                continue;
            }
            control.spend(WORK_OF_TERM)?;
            let waiting = stack.len();
            stack.extend(store.args(term).iter().copied().filter(|&argument| !is_known(self, argument)));
            if stack.len() == waiting {
                stack.pop();
                let ownership = match self.must_own(store, term) {
                    true => Ownership::Owned,
                    false if self.is_wide(store, term) => Ownership::Wide,
                    false => Ownership::Circuit,
                };
                if self.ownership.len() <= term.index() {
                    self.ownership.resize(term.index() + 1, Ownership::Unknown);
                }
                self.ownership[term.index()] = ownership;
            }
        }
        Ok(())
    }

    fn ownership_of(&self, term: TermId) -> Ownership {
        self.ownership.get(term.index()).copied().unwrap_or_default()
    }

    /// Whether a term has a number without bits as its value, or says something of such.
    fn must_own(&self, store: &TermStore, term: TermId) -> bool {
        let sort = store.sort_of(term);
        let has_no_bits = |&argument: &TermId| {
            let sort = store.sort_of(argument);
            sort == SortId::REAL || sort == SortId::INT && self.owns(argument)
        };
        match store.op(term) {
            Op::Constant(_) => false,
            op if sort == SortId::INT && store.has_no_bits(op, store.args(term)) => true,
            Op::Apply(_) | Op::Select => sort == SortId::REAL,
            Op::Arithmetic(_) | Op::Ite | Op::Float(FloatOp::ToReal) if sort == SortId::REAL => true,
            Op::Ite if sort != SortId::INT => false,
            Op::Float(FloatOp::ToFp(_)) => {
                let last = *store.args(term).last().expect("conversions have arguments");
                store.sort_of(last) == SortId::REAL && real_number(store, last).is_none()
            }
            // What is too large to be owned is unsupported.
            Op::Distinct if store.args(term).len() > MAXIMAL_DISTINCT => false,
            Op::Arithmetic(ArithmeticOp::IntToBits(width)) if width > MAXIMAL_WIDTH => false,
            Op::Equal | Op::Distinct | Op::Ite | Op::Arithmetic(_) => {
                let is_wide = |&argument: &TermId| self.ownership_of(argument) == Ownership::Wide;
                store.args(term).iter().any(has_no_bits) && !store.args(term).iter().any(is_wide)
            }
            _ => false,
        }
    }

    /// Whether an integer of the circuit has more bits than a sum here may have.
    fn is_wide(&self, store: &TermStore, term: TermId) -> bool {
        let is_wide = |&argument: &TermId| {
            store.width(argument).is_some_and(|width| width > MAXIMAL_WIDTH)
                || self.ownership_of(argument) == Ownership::Wide
        };
        store.sort_of(term) == SortId::INT && store.args(term).iter().any(is_wide)
    }

    /// Whether this theory gives a term its meaning.
    pub(crate) fn owns(&self, term: TermId) -> bool {
        self.ownership_of(term) == Ownership::Owned
    }

    /// Forgets what was noted for the last question alone.
    pub(crate) fn begin_question(&mut self) {
        self.forget_needed_bits();
        self.products.iter_mut().for_each(Product::begin_question);
    }

    /// Takes the lemmas that hold from the beginning.
    pub(crate) fn take_lemmas(&mut self) -> Vec<Lemma> {
        std::mem::take(&mut self.pending)
    }

    /// Takes the open results that are new.
    pub(crate) fn take_open_results(&mut self) -> Vec<OpenResult> {
        std::mem::take(&mut self.new_open_results)
    }

    /// A number where an edge is true, and zero where it is false.
    pub(crate) fn literal(&mut self, number: u64, guard: Edge) -> Arc<Expression> {
        let number = Rational::from(IBig::from(number));
        Arc::new(self.bit(guard).scaled(&number))
    }

    /// A number about which nothing is known.
    pub(crate) fn fresh(&mut self, sort: SortId) -> Arc<Expression> {
        Arc::new(Expression::variable(self.simplex.new_variable(sort == SortId::INT)))
    }

    /// Keeps up to so many values before pivots for each candidate from now on.
    pub(crate) fn set_watched(&mut self, most: usize) {
        self.watched = most;
    }

    /// Takes the values before pivots of the last candidate.
    pub(crate) fn take_passed(&mut self) -> Vec<Solution> {
        std::mem::take(&mut self.passed)
    }

    /// The values of the last candidate.
    pub(crate) fn solution(&self) -> &Solution {
        &self.solution
    }

    /// The values of the last candidate that all theories have accepted.
    pub(crate) fn found(&self) -> &Solution {
        &self.found
    }

    /// Keeps the values of the last candidate, which all theories have accepted.
    pub(crate) fn keep_solution(&mut self) {
        self.found = self.solution.clone();
    }

    /// The declared constants with their values in a solution.
    pub(crate) fn symbols<'n>(
        &'n self,
        solution: &'n Solution,
    ) -> impl Iterator<Item = (SymbolId, &'n Rational)> {
        self.symbols.iter().map(|&(symbol, variable)| (symbol, solution.value(variable)))
    }
}
