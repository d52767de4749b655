//! Names of symbols in inputs that are made of others.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sundry_smtlib::Formula;
use sundry_term::{SymbolId, TermId, TermStore, substitute};

/// The declared symbols that occur in some assertions, by their names.
pub(crate) fn symbols(store: &TermStore, assertions: &[TermId]) -> BTreeMap<Box<str>, SymbolId> {
    let formula = Formula::of_assertions(store, assertions.to_vec());
    formula.symbols.into_iter().map(|symbol| (store.symbol(symbol).name.clone(), symbol)).collect()
}

/// A name with this stem that none of the symbols has.
pub(crate) fn fresh_name(taken: &BTreeMap<Box<str>, SymbolId>, stem: &str) -> String {
    let numbered = (0..).map(|number| format!("{stem}{number}"));
    numbered
        .into_iter()
        .find(|name| !taken.contains_key(name.as_str()))
        .expect("there are more names than symbols")
}

/// An assertion that comes to stand beside others. A constant whose name another symbol has there is renamed: to one of its
/// sort that has been made for such a case before, so that constants that were equal stay so. Nothing if a function has such
/// a name: functions are not renamed.
pub(crate) fn beside(
    store: &mut TermStore,
    assertion: TermId,
    taken: &mut BTreeMap<Box<str>, SymbolId>,
    renamed: &mut FxHashMap<SymbolId, SymbolId>,
) -> Option<TermId> {
    let mut replacements = FxHashMap::default();
    for (name, symbol) in symbols(store, &[assertion]) {
        match taken.get(&name) {
            None => {
                taken.insert(name, symbol);
            }
            Some(&other) if other == symbol => {}
            Some(_) => {
                let (arguments, result) =
                    (store.symbol(symbol).arguments.clone(), store.symbol(symbol).result);
                if !arguments.is_empty() {
                    return None;
                }
                let new = match renamed.get(&symbol) {
                    Some(&known) => known,
                    None => {
                        let name = fresh_name(taken, &format!("{name}_"));
                        let new = store.declare(&name, &[], result);
                        taken.insert(name.into(), new);
                        renamed.insert(symbol, new);
                        new
                    }
                };
                replacements.insert(store.symbol_term(symbol), store.symbol_term(new));
            }
        }
    }
    if replacements.is_empty() { Some(assertion) } else { substitute(store, assertion, &replacements).ok() }
}
