//! Short names for symbols.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use sundry_term::{Op, SymbolId, SymbolKind, TermId, TermStore};

use super::subject::Subject;

/// Constants and functions whose names are longer than need be, with others that have short names.
pub(super) fn short_names(store: &mut TermStore, subject: &Subject) -> Vec<(SymbolId, SymbolId)> {
    let (mut declared, mut taken) = (BTreeSet::new(), subject.names());
    for term in store.reachable(&subject.roots()) {
        match store.op(term) {
            Op::Apply(symbol) => {
                taken.insert(store.symbol(symbol).name.to_string());
                if store.symbol(symbol).kind == SymbolKind::Declared {
                    declared.insert(symbol);
                }
            }
            Op::Datatype(op) => {
                taken.insert(op.declared_name(store).to_string());
            }
            _ => {}
        }
    }
    let letters = "xyzuvwabcdefghijklmnopqrst".chars();
    let numbered = (0..).map(|number| format!("x{number}"));
    let mut names = letters.map(String::from).chain(numbered).filter(|name| !taken.contains(name)).peekable();
    let mut shorter = Vec::new();
    for symbol in declared {
        let old = store.symbol(symbol).clone();
        if let Some(name) = names.next_if(|name| name.len() < old.name.len()) {
            shorter.push((symbol, store.declare(&name, &old.arguments, old.result)));
        }
    }
    shorter
}

/// A script with symbols replaced by others of the same sorts.
pub(super) fn with_symbols(
    store: &mut TermStore,
    subject: &Subject,
    symbols: &[(SymbolId, SymbolId)],
) -> Option<Subject> {
    let symbols: FxHashMap<SymbolId, SymbolId> = symbols.iter().copied().collect();
    let mut results: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in store.reachable(&subject.roots()) {
        let result = match store.op(term) {
            Op::Constant(_) => term,
            op => {
                let arguments: Vec<TermId> =
                    store.args(term).iter().map(|argument| results[argument]).collect();
                let op = match op {
                    Op::Apply(symbol) => Op::Apply(symbols.get(&symbol).copied().unwrap_or(symbol)),
                    op => op,
                };
                store.term(op, &arguments).ok()?
            }
        };
        results.insert(term, result);
    }
    subject.mapped(&mut |term| results.get(&term).copied())
}
