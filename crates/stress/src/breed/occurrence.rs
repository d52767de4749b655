//! Places in an assertion: a term that is shared occurs in several, as in the assertion when it is printed without sharing.

use rand::Rng;
use rand::seq::IndexedRandom;
use rustc_hash::FxHashMap;
use sundry_term::{SortId, TermId, TermStore};

/// The way from an assertion to a place in it: the number of the argument to go to, level by level.
type Path = Vec<usize>;

/// One occurrence of a term in an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Occurrence {
    path: Path,
    term: TermId,
}

impl Occurrence {
    /// The term at this place.
    pub(crate) fn term(&self) -> TermId {
        self.term
    }

    /// An occurrence below the root of an assertion, each with the same probability as all others; with a sort, one of that
    /// sort. Nothing if there is none.
    pub(crate) fn random(
        store: &TermStore,
        root: TermId,
        sort: Option<SortId>,
        random: &mut impl Rng,
    ) -> Option<Occurrence> {
        // How many places there are in each term, itself among them. The tree may be exponentially larger than the term.
        let mut places: FxHashMap<TermId, f64> = FxHashMap::default();
        let itself =
            |term: TermId| if sort.is_none_or(|sort| store.sort_of(term) == sort) { 1.0 } else { 0.0 };
        for term in store.reachable(&[root]) {
            let below: f64 = store.args(term).iter().map(|argument| places[argument]).sum();
            places.insert(term, (below + itself(term)).min(f64::MAX));
        }
        let mut occurrence = Occurrence { path: Path::new(), term: root };
        loop {
            let arguments = store.args(occurrence.term);
            let numbers: Vec<usize> = (0..arguments.len()).collect();
            let weight = |&number: &usize| places[&arguments[number]];
            let number = *numbers.choose_weighted(random, weight).ok()?;
            occurrence.path.push(number);
            occurrence.term = arguments[number];
            if random.random::<f64>() * places[&occurrence.term] < itself(occurrence.term) {
                return Some(occurrence);
            }
        }
    }

    /// Whether one of both is a part of the other, or they are the same.
    pub(crate) fn overlaps(&self, other: &Occurrence) -> bool {
        self.path.starts_with(&other.path) || other.path.starts_with(&self.path)
    }

    /// The assertion after both terms have changed their places. The occurrences do not overlap. Nothing if the assertion is then
    /// not well-sorted.
    pub(crate) fn exchange(
        store: &mut TermStore,
        root: TermId,
        one: &Occurrence,
        other: &Occurrence,
    ) -> Option<TermId> {
        let half = one.replaced(store, root, other.term)?;
        other.replaced(store, half, one.term)
    }

    /// The assertion with another term at this place.
    fn replaced(&self, store: &mut TermStore, root: TermId, replacement: TermId) -> Option<TermId> {
        let mut around = Vec::with_capacity(self.path.len());
        let mut term = root;
        for &number in &self.path {
            around.push(term);
            term = store.args(term)[number];
        }
        let mut replaced = replacement;
        for (&number, &term) in self.path.iter().zip(&around).rev() {
            let mut arguments = store.args(term).to_vec();
            arguments[number] = replaced;
            replaced = store.term(store.op(term), &arguments).ok()?;
        }
        Some(replaced)
    }
}
