//! Free variables of terms: a term that depends on the variables of a quantifier must be printed inside it.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Op, SymbolId, SymbolKind, TermId, TermStore};

use crate::walk::post_order;

/// The bound variables that occur in terms without their quantifier.
pub(super) struct FreeVariables(FxHashMap<TermId, Vec<SymbolId>>);

impl FreeVariables {
    /// Finds the free variables of these terms and of all terms below them.
    ///
    /// Named terms are not searched: they have no free variables.
    pub(super) fn below(store: &TermStore, roots: &[TermId], is_named: impl Fn(TermId) -> bool) -> Self {
        let mut free: FxHashMap<TermId, Vec<SymbolId>> = FxHashMap::default();
        if !store.has_quantifiers() {
            return FreeVariables(free);
        }
        let mut seen = FxHashSet::default();
        let mut quantified = false;
        let mut enter = |term| {
            quantified |= matches!(store.op(term), Op::Forall(_) | Op::Exists(_));
            let variable = store.constant_symbol(term);
            if let Some(symbol) = variable.filter(|&it| store.symbol(it).kind == SymbolKind::Variable) {
                free.insert(term, vec![symbol]);
            }
            seen.insert(term) && (roots.contains(&term) || !is_named(term))
        };
        let terms: Vec<TermId> = roots.iter().flat_map(|&root| post_order(store, root, &mut enter)).collect();
        if !quantified {
            return FreeVariables(FxHashMap::default());
        }
        for term in terms {
            let mut variables: Vec<SymbolId> = store
                .args(term)
                .iter()
                .filter_map(|argument| free.get(argument))
                .flatten()
                .copied()
                .collect();
            variables.sort_unstable();
            variables.dedup();
            if let Op::Forall(binder) | Op::Exists(binder) = store.op(term) {
                let bound = store.bound_variables(binder);
                variables.retain(|variable| !bound.contains(variable));
            }
            if !variables.is_empty() {
                free.insert(term, variables);
            }
        }
        FreeVariables(free)
    }

    /// Whether the free variables of a term are all among these.
    pub(super) fn are_among(&self, term: TermId, bound: &[SymbolId]) -> bool {
        self.0.get(&term).is_none_or(|free| free.iter().all(|variable| bound.contains(variable)))
    }
}
