//! Walks over terms that depend on the term only: not on its store's size, not on its numbering.

use rustc_hash::FxHashSet;
use sundry_term::{Op, SymbolId, TermId, TermStore};

/// The applications below and including `root`, arguments before applications and left before right: an order that
/// depends only on the term and not on its store. At every occurrence, `enter` decides whether to visit the term and
/// the terms below; it must not answer yes twice.
pub(crate) fn post_order(
    store: &TermStore,
    root: TermId,
    mut enter: impl FnMut(TermId) -> bool,
) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![(root, false)];
    while let Some((term, done)) = stack.pop() {
        if done {
            found.push(term);
        } else if enter(term) && !store.args(term).is_empty() {
            stack.push((term, true));
            stack.extend(store.args(term).iter().rev().map(|&argument| (argument, false)));
        }
    }
    found
}

/// The terms below `root` that apply a symbol, with the symbol, ascending.
pub(crate) fn applications_of_symbols(store: &TermStore, root: TermId) -> Vec<(TermId, SymbolId)> {
    let mut seen = FxHashSet::from_iter([root]);
    let mut stack = vec![root];
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        if let Op::Apply(symbol) = store.op(term) {
            found.push((term, symbol));
        }
        stack.extend(store.args(term).iter().filter(|&&argument| seen.insert(argument)));
    }
    found.sort_unstable();
    found
}
