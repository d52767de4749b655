//! Equalities of numbers that follow from each case of a disjunction.
//!
//! A search by cases finds out anew in each of them that `x = z` follows from `x = y ∧ y = z` or `x = u ∧ u = z`, and a chain of such disjunctions has
//! exponentially many cases. The equality itself is one more assertion, which every model of the disjunction satisfies.

use rustc_hash::FxHashMap;
use sundry_term::{Op, TermId, TermStore};

use crate::theory::numbers::is_number_sort;

/// Cases of a disjunction, and equalities of a case, at most.
const MOST_CASES: usize = 16;
const MOST_EQUALITIES: usize = 64;

/// Terms that are equal in one case.
#[derive(Default)]
struct Classes {
    parents: FxHashMap<TermId, TermId>,
}

impl Classes {
    /// The term that stands for the class of a term.
    fn representative(&self, term: TermId) -> TermId {
        let mut term = term;
        while let Some(&parent) = self.parents.get(&term).filter(|&&parent| parent != term) {
            term = parent;
        }
        term
    }

    fn join(&mut self, one: TermId, other: TermId) {
        let (one, other) = (self.representative(one), self.representative(other));
        self.parents.insert(one.max(other), one.min(other));
        self.parents.entry(one.min(other)).or_insert(one.min(other));
    }

    fn knows(&self, term: TermId) -> bool {
        self.parents.contains_key(&term)
    }
}

/// The equalities of numbers in a conjunction, or in a formula that is one.
fn classes_of(store: &TermStore, case: TermId) -> Option<Classes> {
    let parts = if store.op(case) == Op::And { store.args(case) } else { std::slice::from_ref(&case) };
    let mut classes = Classes::default();
    for &part in parts.iter().take(MOST_EQUALITIES) {
        if let (Op::Equal, &[left, right]) = (store.op(part), store.args(part))
            && is_number_sort(store.sort_of(left))
        {
            classes.join(left, right);
        }
    }
    (!classes.parents.is_empty()).then_some(classes)
}

/// The part of a negation.
fn negated(store: &TermStore, term: TermId) -> Option<TermId> {
    (store.op(term) == Op::Not).then(|| store.args(term)[0])
}

/// The equalities in each case of a disjunction, which in normal form is the negation of a conjunction of negations.
fn cases_of(store: &TermStore, assertion: TermId) -> Option<Vec<Classes>> {
    let conjunction = negated(store, assertion)?;
    let cases = store.args(conjunction);
    if store.op(conjunction) != Op::And || cases.len() > MOST_CASES {
        return None;
    }
    cases.iter().map(|&case| classes_of(store, negated(store, case)?)).collect()
}

/// The pairs of numbers that are equal in every case of a disjunction.
pub(super) fn shared_equalities(store: &TermStore, assertion: TermId) -> Vec<(TermId, TermId)> {
    let Some(cases) = cases_of(store, assertion) else { return Vec::new() };
    let mut terms: Vec<TermId> =
        cases[0].parents.keys().copied().filter(|&term| cases.iter().all(|case| case.knows(term))).collect();
    terms.sort_unstable();
    let mut first_of: FxHashMap<Vec<TermId>, TermId> = FxHashMap::default();
    let mut equal = Vec::new();
    for term in terms {
        let signature = cases.iter().map(|case| case.representative(term)).collect();
        let first = *first_of.entry(signature).or_insert(term);
        if first != term {
            equal.push((first, term));
        }
    }
    equal
}
