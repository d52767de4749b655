//! Definitions for the search: equations that are computed instead of searched.
//!
//! A search meets an equation between floats by chance only, unless it computes one side from the other. Normalisation has
//! eliminated the symbols that assertions determine. Equations of IEEE 754 (`fp.eq`) determine a symbol but for the sign
//! of zero, so they are no definitions where the set of models matters; here they are, because a model is all that is wanted.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{FloatOp, Op, SymbolId, TermId, TermStore, substitute};

use super::Equations;

/// Symbols that are computed from others.
pub(crate) struct Definitions {
    /// Symbols that some solutions give the values of these terms over the symbols that are searched.
    pub(super) guessed: Equations,
    /// Symbols that all solutions give the values of these terms, which may have guessed symbols.
    pub(super) eliminated: Equations,
    /// Symbols that are parts of the floats that are searched instead of them.
    pub(super) parts: Equations,
}

/// The assertions without the symbols that are defined by equations of IEEE 754 among them, and all definitions, given the others.
pub(super) fn define(
    store: &mut TermStore,
    assertions: Vec<TermId>,
    others: Definitions,
) -> (Vec<TermId>, Definitions) {
    let mut replacements: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut symbols: Vec<SymbolId> = Vec::new();
    for &assertion in &assertions {
        if store.op(assertion) != Op::Float(FloatOp::Eq) || store.args(assertion).len() != 2 {
            continue;
        }
        let sides = [store.args(assertion)[0], store.args(assertion)[1]];
        for (left, right) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let Some(symbol) = store.constant_symbol(left) else { continue };
            if replacements.contains_key(&left) {
                continue;
            }
            let Ok(definition) = substitute(store, right, &replacements) else { continue };
            if mentions(store, definition, left) {
                continue;
            }
            // Definitions mention no symbol that is defined.
            let single = FxHashMap::from_iter([(left, definition)]);
            for defined in &symbols {
                let defined = store.symbol_term(*defined);
                if let Ok(term) = substitute(store, replacements[&defined], &single) {
                    replacements.insert(defined, term);
                }
            }
            replacements.insert(left, definition);
            symbols.push(symbol);
            break;
        }
    }
    let rest =
        assertions.iter().map(|&assertion| substitute(store, assertion, &replacements).unwrap_or(assertion));
    let rest: Vec<TermId> = rest.collect();
    let guessed = symbols.iter().map(|&symbol| (symbol, replacements[&store.symbol_term(symbol)])).collect();
    (rest, Definitions { guessed, ..others })
}

/// Whether a term has a part.
fn mentions(store: &TermStore, term: TermId, part: TermId) -> bool {
    let (mut stack, mut seen) = (vec![term], FxHashSet::default());
    while let Some(next) = stack.pop() {
        if next == part {
            return true;
        }
        // Parts have smaller ids.
        if next > part && seen.insert(next) {
            stack.extend(store.args(next));
        }
    }
    false
}
