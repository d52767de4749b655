//! The shape of a script: which of its terms lie above one another.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{SortId, SymbolKind, TermId, TermStore};

use super::proposals::is_quantifier;

/// The terms below some roots.
pub(super) struct Shape {
    /// Terms by their greatest distance from a root, the nearest first.
    ///
    /// No term of a level contains another of the same level, so replacing one leaves the others as they are.
    pub(super) levels: Vec<Vec<TermId>>,
    /// The greatest distance of each from a leaf.
    heights: FxHashMap<TermId, usize>,
    /// The declared constants of each sort, in order of declaration.
    constants: FxHashMap<SortId, Vec<TermId>>,
}

/// The terms below some roots, arguments before applications. The result does not depend on the order in which terms
/// were made, because that depends on concurrent attempts.
pub(super) fn in_order(store: &TermStore, roots: &[TermId]) -> Vec<TermId> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((term, is_done)) = stack.pop() {
        if is_done {
            order.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            stack.extend(store.args(term).iter().rev().map(|&argument| (argument, false)));
        }
    }
    order
}

impl Shape {
    pub(super) fn of(store: &TermStore, roots: &[TermId]) -> Shape {
        let terms = in_order(store, roots);
        let mut heights: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut constants: FxHashMap<SortId, Vec<TermId>> = FxHashMap::default();
        for &term in &terms {
            let below = store.args(term).iter().map(|argument| heights[argument] + 1);
            heights.insert(term, below.max().unwrap_or(0));
            if let Some(symbol) = store.constant_symbol(term)
                && store.symbol(symbol).kind == SymbolKind::Declared
            {
                constants.entry(store.sort_of(term)).or_default().push(term);
            }
        }
        for constants in constants.values_mut() {
            constants.sort_unstable_by_key(|&term| store.constant_symbol(term));
        }
        let mut depths: FxHashMap<TermId, usize> = roots.iter().map(|&root| (root, 0)).collect();
        let mut levels: Vec<Vec<TermId>> = Vec::new();
        for &term in terms.iter().rev() {
            let depth = depths[&term];
            for &argument in store.args(term) {
                let below = depths.entry(argument).or_insert(0);
                *below = (*below).max(depth + 1);
            }
            if levels.len() <= depth {
                levels.resize(depth + 1, Vec::new());
            }
            levels[depth].push(term);
        }
        Shape { levels, heights, constants }
    }

    /// The greatest distance of a term from a leaf.
    fn height(&self, term: TermId) -> usize {
        self.heights.get(&term).copied().unwrap_or(0)
    }

    /// On a longest path down from a term, the first term of its sort that is at most 1/`parts` as high.
    pub(super) fn below(&self, store: &TermStore, term: TermId, parts: usize) -> Option<TermId> {
        let most = self.height(term) / parts;
        let mut at = term;
        loop {
            if is_quantifier(store, at) {
                // Terms inside a quantifier may contain its variables.
                return None;
            }
            at = store.args(at).iter().copied().max_by_key(|&argument| self.height(argument))?;
            if self.height(at) <= most && store.sort_of(at) == store.sort_of(term) {
                return Some(at);
            }
        }
    }

    /// The constants of a sort.
    pub(super) fn constants(&self, sort: SortId) -> &[TermId] {
        self.constants.get(&sort).map_or(&[], Vec::as_slice)
    }
}
