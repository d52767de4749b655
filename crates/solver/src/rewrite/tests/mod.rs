//! Every rule fires, stays silent and is proved; rewriting as a whole keeps values.

mod deep;
mod examples;
mod notation;
mod rules;
mod values;

use rustc_hash::FxHashMap;
use sundry_term::{TermId, TermStore};

use super::Rewriter;

/// The terms rewritten bottom-up, in the order of `roots`.
fn rewrite_all(store: &mut TermStore, rewriter: &mut Rewriter, roots: &[TermId]) -> Vec<TermId> {
    let mut normal: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in store.reachable(roots) {
        let arguments: Vec<TermId> = store.args(term).iter().map(|argument| normal[argument]).collect();
        let result =
            if arguments.is_empty() { term } else { rewriter.apply(store, store.op(term), &arguments) };
        normal.insert(term, result);
    }
    roots.iter().map(|root| normal[root]).collect()
}
