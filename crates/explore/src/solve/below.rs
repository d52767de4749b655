//! Facts about terms that follow from those of their arguments, each computed once in an exploration.
//!
//! The terms of all runs are in one store, so a sweep through the store for each condition takes longer and longer.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{TermId, TermStore};

use crate::input::VariableId;

/// The terms below a root that nothing is known of, and the root if it is one of them, arguments before the terms that they are in.
pub fn unknown_below<F>(store: &TermStore, root: TermId, known: &FxHashMap<TermId, F>) -> Vec<TermId> {
    let mut found = FxHashSet::default();
    let mut open = vec![root];
    while let Some(term) = open.pop() {
        if !known.contains_key(&term) && found.insert(term) {
            open.extend(store.args(term));
        }
    }
    let mut found: Vec<TermId> = found.into_iter().collect();
    // Arguments have smaller ids.
    found.sort_unstable_by_key(|term| term.index());
    found
}

/// The union of ascending sets of variables. Terms share the set of an argument that has all.
pub(super) fn union(sets: &[Arc<[VariableId]>]) -> Arc<[VariableId]> {
    let Some(largest) = sets.iter().max_by_key(|set| set.len()) else { return Arc::new([]) };
    let contains = |set: &Arc<[VariableId]>| {
        Arc::ptr_eq(set, largest) || set.iter().all(|variable| largest.binary_search(variable).is_ok())
    };
    if sets.iter().all(contains) {
        return largest.clone();
    }
    let mut all: Vec<VariableId> = sets.iter().flat_map(|set| set.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}
