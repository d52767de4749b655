//! The terms below a root, without recursion and without touching the rest of the store.

use rustc_hash::FxHashSet;

use crate::store::{TermId, TermStore};

/// All terms below and including `root`, ascending; the search does not continue below a term on which `stop` is
/// true.
///
/// In contrast to [`TermStore::reachable`], the effort depends only on the terms found, not on the size of the store.
pub(crate) fn ascending_from(
    store: &TermStore,
    root: TermId,
    mut stop: impl FnMut(TermId) -> bool,
) -> Vec<TermId> {
    let mut seen = FxHashSet::from_iter([root]);
    let mut open = vec![root];
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        found.push(term);
        if !stop(term) {
            open.extend(store.args(term).iter().filter(|&&argument| seen.insert(argument)));
        }
    }
    found.sort_unstable();
    found
}
