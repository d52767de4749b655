//! Narrower bit-vectors and floating-point formats, and sorts that others can stand for.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{FloatFormat, Sort, SortId, TermId, TermStore};

use super::resorting::Resorting;
use super::subject::Subject;

/// How the width of a sort changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SortChange {
    /// To the narrowest.
    Least,
    /// To two or four bits more than that.
    Small(u32),
    /// To half.
    Half,
    /// By one bit.
    OneLess,
}

/// All changes, in the order in which they are tried.
pub(super) const SORT_CHANGES: &[SortChange] =
    &[SortChange::Least, SortChange::Small(1), SortChange::Small(3), SortChange::Half, SortChange::OneLess];

impl SortChange {
    /// What becomes of a number of bits of which there must be `least`; nothing if it does not get smaller.
    fn of(self, bits: u32, least: u32) -> Option<u32> {
        let new = match self {
            SortChange::Least => least,
            SortChange::Small(more) => least + more,
            SortChange::Half => (bits / 2).max(least),
            SortChange::OneLess => bits.checked_sub(1)?,
        };
        (least..bits).contains(&new).then_some(new)
    }
}

/// Scripts in which one sort is narrower everywhere: one for each sort that can be.
pub(super) fn with_narrower_sorts(
    store: &mut TermStore,
    subject: &Subject,
    change: SortChange,
) -> Vec<Subject> {
    let terms = store.reachable(&subject.roots());
    let mut candidates = Vec::new();
    for sort in sorts_of(store, &terms) {
        for narrower in narrower(store, sort, change) {
            let resorting = Resorting::of(FxHashMap::from_iter([(sort, narrower)]));
            candidates.extend(resorting.applied(store, subject, &terms));
        }
    }
    candidates
}

/// Scripts in which the elements of an array, or truth values instead of what belongs to a declared sort or datatype,
/// are all that is left of a sort.
pub(super) fn with_simpler_sorts(store: &mut TermStore, subject: &Subject) -> Vec<Subject> {
    let terms = store.reachable(&subject.roots());
    let mut candidates = Vec::new();
    for sort in sorts_of(store, &terms) {
        let simpler = match *store.sort(sort) {
            Sort::Array { element, .. } => element,
            Sort::Uninterpreted { .. } | Sort::Datatype { .. } => SortId::BOOL,
            _ => continue,
        };
        let resorting = Resorting::of(FxHashMap::from_iter([(sort, simpler)]));
        candidates.extend(resorting.applied(store, subject, &terms));
    }
    candidates
}

/// The sorts of some terms, and what these are made of.
pub(super) fn sorts_of(store: &TermStore, terms: &[TermId]) -> Vec<SortId> {
    let mut open: Vec<SortId> = terms.iter().map(|&term| store.sort_of(term)).collect();
    let mut sorts = FxHashSet::default();
    while let Some(sort) = open.pop() {
        if sorts.insert(sort) {
            open.extend(store.sort(sort).parts());
        }
    }
    let mut sorts: Vec<SortId> = sorts.into_iter().collect();
    sorts.sort_unstable();
    sorts
}

/// A sort with fewer bits; of a floating-point format with fewer of either kind, or of both.
fn narrower(store: &mut TermStore, sort: SortId, change: SortChange) -> Vec<SortId> {
    let sorts: Vec<Sort> = match *store.sort(sort) {
        Sort::BitVec(width) => change.of(width, 1).map(Sort::BitVec).into_iter().collect(),
        Sort::Float(format) => {
            let (exponent, significand) = (format.exponent_bits(), format.significand_bits());
            let (less_exponent, less_significand) = (change.of(exponent, 2), change.of(significand, 2));
            [
                (less_exponent.unwrap_or(exponent), less_significand.unwrap_or(significand)),
                (less_exponent.unwrap_or(exponent), significand),
                (exponent, less_significand.unwrap_or(significand)),
            ]
            .into_iter()
            .filter(|&bits| bits != (exponent, significand))
            .filter_map(|(exponent, significand)| FloatFormat::new(exponent, significand).map(Sort::Float))
            .collect()
        }
        _ => Vec::new(),
    };
    sorts.into_iter().filter_map(|sort| store.intern_sort(sort).ok()).collect()
}
