//! Word-level rewriting: equivalences that make terms smaller or reveal structure.

use sundry_term::{Op, TermId, TermStore};

/// Applies rewriting rules where applications are built.
#[derive(Clone, Default)]
pub(crate) struct Rewriter {}

impl Rewriter {
    /// A term equal to the application of `op` to `arguments`.
    pub(crate) fn apply(&mut self, store: &mut TermStore, op: Op, arguments: &[TermId]) -> TermId {
        store.make(op, arguments)
    }
}
