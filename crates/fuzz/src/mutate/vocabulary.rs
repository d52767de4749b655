//! The material of new terms: the terms of a seed, by sort.

use std::collections::BTreeMap;

use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashSet;
use sundry_term::{
    ArithmeticOp, FloatFormat, Model, Op, Sort, SortId, SymbolId, SymbolKind, TermId, TermStore, Value,
    evaluate,
};

use crate::mutate::fresh::FreshNames;

/// Sorts of other theories that new terms get, at most.
const GUESTS: usize = 2;
/// The nodes of the largest term that is small.
const SMALL: usize = 3;

/// The terms of a seed that mean the same everywhere: no bound variable occurs in them.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    by_sort: BTreeMap<SortId, Vec<TermId>>,
    /// Sorts that do not occur, but new terms may have.
    guests: Vec<SortId>,
    functions: Vec<SymbolId>,
    /// Whether no product of two unknowns, and no division by one, occurs.
    is_linear: bool,
    has_quantifiers: bool,
    /// The operators that occur.
    operators: FxHashSet<Op>,
    /// Whether new terms have only these, and those that solvers have had for long.
    is_common: bool,
    names: FreshNames,
}

impl Vocabulary {
    /// The vocabulary of these formulas.
    pub fn of(store: &TermStore, formulas: &[TermId]) -> Vocabulary {
        let mut vocabulary = Vocabulary {
            by_sort: BTreeMap::new(),
            guests: Vec::new(),
            functions: Vec::new(),
            is_linear: true,
            has_quantifiers: false,
            operators: FxHashSet::default(),
            is_common: false,
            names: FreshNames::beside(store, formulas, "k"),
        };
        let mut open = FxHashSet::default();
        let mut functions = FxHashSet::default();
        for term in store.reachable(formulas) {
            let arguments = store.args(term);
            vocabulary.operators.insert(store.op(term));
            match store.op(term) {
                Op::Apply(symbol) if store.symbol(symbol).kind == SymbolKind::Variable => {
                    open.insert(term);
                }
                Op::Apply(symbol) if !arguments.is_empty() && functions.insert(symbol) => {
                    vocabulary.functions.push(symbol);
                }
                op if !is_linear(store, op, arguments) => vocabulary.is_linear = false,
                _ => {}
            }
            // A quantifier closes its variables, but only some of those of others; none of them is needed.
            let is_quantifier = matches!(store.op(term), Op::Forall(_) | Op::Exists(_));
            vocabulary.has_quantifiers |= is_quantifier;
            if is_quantifier || arguments.iter().any(|argument| open.contains(argument)) {
                open.insert(term);
            }
            if !open.contains(&term) {
                vocabulary.by_sort.entry(store.sort_of(term)).or_default().push(term);
            }
        }
        vocabulary
    }

    /// The same vocabulary, but new terms get only operators that occur, or that solvers have had for long: a solver
    /// without an operator cannot answer a mutant.
    #[must_use]
    pub fn with_common_operators(self) -> Vocabulary {
        Vocabulary { is_common: true, ..self }
    }

    /// The same vocabulary without its larger terms, so that what is made of the others is small.
    #[must_use]
    pub fn with_small_terms(mut self, store: &TermStore) -> Vocabulary {
        let is_leaf = |term: &TermId| store.args(*term).is_empty();
        let is_small =
            |&term: &TermId| store.args(term).len() < SMALL && store.args(term).iter().all(is_leaf);
        for terms in self.by_sort.values_mut() {
            terms.retain(is_small);
        }
        self
    }

    /// The same vocabulary with one or two of these sorts added, so that solvers have to combine several theories.
    #[must_use]
    pub fn with_guests(self, sorts: &[SortId], random: &mut impl Rng) -> Vocabulary {
        let count = random.random_range(1..=GUESTS);
        let mut guests: Vec<SortId> = sorts.choose_multiple(random, count).copied().collect();
        guests.retain(|guest| !self.by_sort.contains_key(guest));
        Vocabulary { guests, ..self }
    }

    /// Whether new terms may have an operator.
    pub(crate) fn allows(&self, op: Op) -> bool {
        !self.is_common || is_common(op) || self.operators.contains(&op)
    }

    /// The sorts of existing terms in ascending order, and then the added ones.
    pub fn sorts(&self) -> impl Iterator<Item = SortId> + '_ {
        self.by_sort.keys().chain(&self.guests).copied()
    }

    /// The terms of a sort.
    pub fn terms(&self, sort: SortId) -> &[TermId] {
        self.by_sort.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// The declared functions that are applied.
    pub fn functions(&self) -> &[SymbolId] {
        &self.functions
    }

    /// Whether no product of two unknowns, and no division by one, occurs.
    pub fn is_linear(&self) -> bool {
        self.is_linear
    }

    /// Whether the formulas have quantifiers.
    pub fn has_quantifiers(&self) -> bool {
        self.has_quantifiers
    }

    /// Names for symbols that the formulas do not have.
    pub(crate) fn fresh_names(&self) -> FreshNames {
        self.names.clone()
    }
}

/// Sorts of all theories.
pub(crate) fn guests(store: &mut TermStore) -> Vec<SortId> {
    let byte = store.bit_vec_sort(8).expect("a legal width");
    let half = FloatFormat::new(5, 11).map(|format| store.intern_sort(Sort::Float(format)));
    let half = half.and_then(Result::ok).expect("a legal format");
    let array = store.array_sort(SortId::INT, SortId::INT);
    vec![SortId::INT, SortId::REAL, SortId::STRING, byte, half, array]
}

/// Whether solvers have had an operator for long.
fn is_common(op: Op) -> bool {
    use sundry_term::StringOp::*;
    !matches!(
        op,
        Op::String(
            FromCode
                | ToCode
                | IsDigit
                | ReplaceAll
                | ReComp
                | ReDiff
                | ReInter
                | ReOpt
                | RePower(_)
                | ReLoop(..)
        ) | Op::Arithmetic(ArithmeticOp::UnsignedToInt | ArithmeticOp::IntToBits(_))
            | Op::BvNand
            | Op::BvNor
            | Op::BvXnor
            | Op::Sequence(_)
    )
}

/// Whether an application is linear in its arguments. A quotient by zero may be anything and so is not linear.
pub(crate) fn is_linear(store: &TermStore, op: Op, arguments: &[TermId]) -> bool {
    let unknowns = |arguments: &[TermId]| arguments.iter().filter(|&&it| !is_number(store, it)).count();
    match op {
        Op::Arithmetic(ArithmeticOp::Mul) => unknowns(arguments) <= 1,
        Op::Arithmetic(ArithmeticOp::Div | ArithmeticOp::Mod | ArithmeticOp::Divide) => {
            arguments[1..].iter().all(|&divisor| is_number(store, divisor) && !is_zero(store, divisor))
        }
        _ => true,
    }
}

fn is_zero(store: &TermStore, number: TermId) -> bool {
    match evaluate(store, &Model::new(), number) {
        Ok(Value::Int(number)) => number.is_zero(),
        Ok(Value::Real(number)) => number.is_zero(),
        _ => true,
    }
}

/// Whether a term is a number, perhaps negative or a fraction.
fn is_number(store: &TermStore, term: TermId) -> bool {
    let sign_or_fraction =
        |op| matches!(op, Op::Arithmetic(ArithmeticOp::Sub | ArithmeticOp::Divide | ArithmeticOp::ToReal));
    store.value(term).is_some()
        || sign_or_fraction(store.op(term)) && store.args(term).iter().all(|&it| store.value(it).is_some())
}
