//! The division of terms into those with circuits and those left to a theory.
//!
//! A term has a circuit where its operator and all parts of its sort are of Core, bit-vectors, floating point, arrays, or declared; of
//! integers only those whose bounds are known from the term have one. An [`Abstraction`] may own any term: then its
//! circuit is never asked for. Where its sort has bits, the term is a leaf, an atom for instance; otherwise it stays
//! *outside* the circuit, and every term with this argument must be owned too.

use std::fmt;

use smallvec::SmallVec;
use sundry_term::{
    Control, FloatOp, Op, Sort, SortId, TermId, TermStore, TheoryName, TheorySet, Value, evaluate_operator,
};

use crate::blaster::{Abstraction, BuildError};

/// The work of visiting a term, in the units of [`Control::spend`].
const WORK_OF_VISIT: u32 = 8;

/// A term that has no circuit, and that no theory owns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The term: its operator, its sort or an argument belongs to another theory.
    pub term: TermId,
    /// The theory to which it belongs.
    pub theory: TheoryName,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unsupported { theory, .. } = self;
        write!(
            f,
            "only Booleans, bit-vectors, floating point, integers, reals, arrays, and declared sorts and functions are decided, not {theory} as used here"
        )
    }
}

impl std::error::Error for Unsupported {}

impl Unsupported {
    /// Finds the first term below the roots that has no circuit and that the abstraction does not own. Terms for
    /// which `is_known` holds are skipped, with those below them.
    ///
    /// # Errors
    /// The first term without a circuit, or the reason why the control has stopped the search.
    pub fn find(
        store: &TermStore,
        roots: &[TermId],
        is_known: impl Fn(TermId) -> bool,
        abstraction: &dyn Abstraction,
        control: &Control,
    ) -> Result<(), BuildError> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = roots.to_vec();
        let mut found: Option<Unsupported> = None;
        while let Some(term) = stack.pop() {
            if is_known(term) || !seen.insert(term) {
                continue;
            }
            control.spend(WORK_OF_VISIT)?;
            if let Err(error) = Support::of(store, term, abstraction) {
                found = found.filter(|first| first.term < term).or(Some(error));
            }
            stack.extend(store.args(term));
        }
        found.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The representation of a term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Support {
    /// The term is represented by its circuit, or by leaves of the abstraction that are part of the circuit.
    Circuit,
    /// The term is represented by inputs of the circuit, to which a theory gives their meaning.
    Leaf,
    /// The term is not represented: only its theory knows it.
    Outside,
}

impl Support {
    /// The representation of a term.
    ///
    /// # Errors
    /// The term has no representation.
    pub(crate) fn of(
        store: &TermStore,
        term: TermId,
        abstraction: &dyn Abstraction,
    ) -> Result<Support, Unsupported> {
        if let Some(owned) = Support::of_owned(store, term, abstraction) {
            return Ok(owned);
        }
        if is_of_words(store.op(term)) {
            return Ok(Support::Circuit);
        }
        let knows_numbers = abstraction.knows_numbers();
        let is_outside =
            |&&argument: &&TermId| Support::of_owned(store, argument, abstraction) == Some(Support::Outside);
        let outside = || {
            let outside = store.args(term).iter().find(is_outside)?;
            let is_known = knows_numbers && takes_numbers(store, term);
            (!is_known).then(|| TheoryName::of_sort(store.sort(store.sort_of(*outside))))
        };
        match theory_without_circuit(store, term, knows_numbers).or_else(outside) {
            Some(theory) => Err(Unsupported { term, theory }),
            None => Ok(Support::Circuit),
        }
    }

    /// The representation of a term if a theory owns it.
    #[inline]
    fn of_owned(store: &TermStore, term: TermId, abstraction: &dyn Abstraction) -> Option<Support> {
        if !abstraction.owns(store, term) {
            return None;
        }
        // A literal that has bits needs no owner.
        let is_literal = matches!(store.op(term), Op::Constant(_));
        if is_literal && theory_without_circuit(store, term, false).is_none() {
            return None;
        }
        let has_bits = theory_of_sort_without_bits(store, store.sort_of(term), false).is_none();
        Some(if has_bits { Support::Leaf } else { Support::Outside })
    }
}

/// Whether the arguments and the results of an operator are truth values or bit-vectors, so that nothing else needs to be
/// known of its terms. Most terms are of this kind.
fn is_of_words(op: Op) -> bool {
    matches!(op, Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies) || op.theory() == TheoryName::BitVectors
}

/// Whether arguments of a term may be numbers that have no bits: such arguments, indices and elements are known to the theories that know
/// the term.
fn takes_numbers(store: &TermStore, term: TermId) -> bool {
    match store.op(term) {
        Op::Apply(_) | Op::Select | Op::Store | Op::ConstArray(_) => true,
        Op::Float(FloatOp::ToFp(_)) => {
            store.args(term).last().is_some_and(|&number| real_number(store, number).is_some())
        }
        _ => false,
    }
}

/// The theory to blame for a term that has no circuit: that of its operator, or of a part of its sort.
fn theory_without_circuit(store: &TermStore, term: TermId, knows_numbers: bool) -> Option<TheoryName> {
    let op = store.op(term);
    if !TheorySet::SOLVED.has_operator(op) {
        return Some(TheoryName::of(store, term));
    }
    let sort = store.sort_of(term);
    // Of reals, only known numbers have a circuit, where they become floating-point values.
    if sort == SortId::REAL {
        return real_number(store, term).is_none().then_some(TheoryName::Reals);
    }
    let is_real = |&argument: &TermId| store.sort_of(argument) == SortId::REAL;
    let is_known = matches!(op, Op::Float(FloatOp::ToFp(_))) || knows_numbers && takes_numbers(store, term);
    if !is_known && store.args(term).iter().any(is_real) {
        return Some(TheoryName::Reals);
    }
    if sort == SortId::INT {
        // Integers that are declared or read from arrays have no bound.
        let has_bound = matches!(op, Op::Constant(_) | Op::Ite | Op::Arithmetic(_));
        return (!has_bound).then_some(TheoryName::Integers);
    }
    theory_of_sort_without_bits(store, sort, knows_numbers)
}

/// The greatest depth of terms in which a real number is computed.
const MAXIMAL_DEPTH: usize = 8;

/// The value of a real term without symbols, such as `(/ 1.0 3.0)`.
pub fn real_number(store: &TermStore, term: TermId) -> Option<Value> {
    fn number(store: &TermStore, term: TermId, depth: usize) -> Option<Value> {
        if let Some(value) = store.value(term) {
            return Some(value.clone());
        }
        if !matches!(store.op(term), Op::Arithmetic(_)) || depth == 0 {
            return None;
        }
        let arguments = store.args(term).iter().map(|&argument| number(store, argument, depth - 1));
        let arguments: Vec<Value> = arguments.collect::<Option<_>>()?;
        let arguments: Vec<&Value> = arguments.iter().collect();
        evaluate_operator(store, store.op(term), &arguments).ok()
    }
    number(store, term, MAXIMAL_DEPTH)
}

/// The theory of a part of a sort that circuits do not know. Parts of arrays may be numbers where these are known.
fn theory_of_sort_without_bits(store: &TermStore, sort: SortId, knows_numbers: bool) -> Option<TheoryName> {
    match store.sort(sort) {
        Sort::Bool | Sort::BitVec(_) | Sort::Uninterpreted { .. } | Sort::Float(_) | Sort::RoundingMode => {
            None
        }
        Sort::Array { .. } => theory_of_array_without_bits(store, sort, knows_numbers),
        other => Some(TheoryName::of_sort(other)),
    }
}

/// The theory of a part of an array sort that circuits do not know. Sorts share their parts: each is looked at once.
fn theory_of_array_without_bits(store: &TermStore, sort: SortId, knows_numbers: bool) -> Option<TheoryName> {
    let mut arrays: SmallVec<[SortId; 4]> = SmallVec::from_slice(&[sort]);
    let mut next = 0;
    while let Some(&array) = arrays.get(next) {
        next += 1;
        let (index, element) = store.array_parts(array).expect("only array sorts are collected");
        for part in [index, element] {
            if store.array_parts(part).is_none() {
                if knows_numbers && matches!(store.sort(part), Sort::Int | Sort::Real) {
                    continue;
                }
                let theory = theory_of_sort_without_bits(store, part, knows_numbers);
                if theory.is_some() {
                    return theory;
                }
            } else if !arrays.contains(&part) {
                arrays.push(part);
            }
        }
    }
    None
}
