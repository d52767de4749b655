//! Simultaneous replacement of terms in a term.
//!
//! Terms are visited in ascending order, so arguments are ready when an application needs them; a term without
//! replaced parts keeps its identity. Replacements are not searched again.

use rustc_hash::FxHashMap;

use crate::print::SortDisplay;
use crate::store::{TermId, TermStore};
use crate::traverse::ascending_from;
use crate::typecheck::SortError;

/// The term `term` with every occurrence of a key of `replacements` replaced by its value, all at once: neither the
/// replacements nor the parts of a replaced term are changed.
///
/// # Errors
/// A replacement that occurs has another sort than the term that it replaces.
pub fn substitute(
    store: &mut TermStore,
    term: TermId,
    replacements: &FxHashMap<TermId, TermId>,
) -> Result<TermId, SortError> {
    let affected = ascending_from(store, term, |below| replacements.contains_key(&below));
    let mut results: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut arguments = Vec::new();
    for old in affected {
        let new = match replacements.get(&old) {
            Some(&new) => {
                check_sorts(store, old, new)?;
                new
            }
            None => {
                arguments.clear();
                arguments.extend(store.args(old).iter().map(|argument| results[argument]));
                if arguments == store.args(old) { old } else { store.term(store.op(old), &arguments)? }
            }
        };
        results.insert(old, new);
    }
    Ok(results[&term])
}

fn check_sorts(store: &TermStore, old: TermId, new: TermId) -> Result<(), SortError> {
    let (expected, found) = (store.sort_of(old), store.sort_of(new));
    if expected == found {
        return Ok(());
    }
    Err(SortError::Replacement {
        expected: SortDisplay::new(store, expected).to_string(),
        found: SortDisplay::new(store, found).to_string(),
    })
}
