//! How the terms of a script lie above one another.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use sundry_term::{SortId, SymbolKind, TermId, TermStore};

use super::proposals::is_quantifier;

/// The terms below some roots.
pub(super) struct Shape {
    /// By their greatest distance from a root, the nearest first.
    ///
    /// No term of a level contains another of the same level, so replacing one leaves the others as they are.
    pub(super) levels: Vec<Vec<TermId>>,
    /// The greatest distance of each from a leaf.
    heights: FxHashMap<TermId, usize>,
    /// The declared constants, in order of declaration.
    constants: Vec<TermId>,
}

impl Shape {
    pub(super) fn of(store: &TermStore, roots: &[TermId]) -> Shape {
        let mut terms = store.reachable(roots);
        terms.sort_unstable();
        let mut heights: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut constants = Vec::new();
        for &term in &terms {
            let below = store.args(term).iter().map(|argument| heights[argument] + 1);
            heights.insert(term, below.max().unwrap_or(0));
            if let Some(symbol) = store.constant_symbol(term)
                && store.symbol(symbol).kind == SymbolKind::Declared
            {
                constants.push(term);
            }
        }
        constants.sort_unstable_by_key(|&term| store.constant_symbol(term));
        let mut depths: FxHashMap<TermId, usize> = roots.iter().map(|&root| (root, 0)).collect();
        terms.sort_unstable_by_key(|&term| Reverse(term));
        let mut levels: Vec<Vec<TermId>> = Vec::new();
        for term in terms {
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

    /// On a longest way down from a term, the first of its sort that is at most so many steps above a leaf.
    pub(super) fn below(&self, store: &TermStore, term: TermId, parts: usize) -> Option<TermId> {
        let most = self.height(term) / parts;
        let mut at = term;
        loop {
            if is_quantifier(store, at) {
                // What is inside may have its variables.
                return None;
            }
            at = store.args(at).iter().copied().max_by_key(|&argument| self.height(argument))?;
            if self.height(at) <= most && store.sort_of(at) == store.sort_of(term) {
                return Some(at);
            }
        }
    }

    /// The constants of a sort.
    pub(super) fn constants(&self, store: &TermStore, sort: SortId) -> impl Iterator<Item = TermId> {
        self.constants.iter().copied().filter(move |&constant| store.sort_of(constant) == sort)
    }
}
