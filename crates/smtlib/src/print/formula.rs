//! Formulas as complete scripts for other solvers.
//!
//! What several assertions share is defined once in front of the first that needs it, so that the
//! text stays as small as the graph of terms.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Control, Model, SortDisplay, SymbolId, TermId, TermStore, quote_symbol};

use super::append;
use super::model::write_definitions;
use super::script::{
    write_datatypes, write_declaration, write_recursive_definitions, write_sort_declaration,
};
use super::term::{FreeVariables, Names, TermNames, write_term};
use crate::script::Formula;
use crate::walk::post_order;

/// A script that declares the sorts and symbols of a formula, asserts its assertions and asks
/// for satisfiability once.
pub fn print_formula(store: &TermStore, formula: &Formula) -> String {
    write_formula(store, formula, |_| {})
}

/// The same script with the values of a model: `told` are defined as the model has them, and not declared.
pub fn print_formula_with_model(
    store: &TermStore,
    formula: &Formula,
    model: &Model,
    told: &[SymbolId],
) -> String {
    let defined: FxHashSet<SymbolId> = told.iter().copied().collect();
    let symbols = formula.symbols.iter().filter(|symbol| !defined.contains(symbol)).copied().collect();
    let declared = Formula { symbols, ..formula.clone() };
    write_formula(store, &declared, |out| {
        let written = write_definitions(out, store, model, told, "", &Control::default());
        debug_assert!(written.is_ok(), "nothing stops this control");
    })
}

/// Writes a formula; what `define` writes stands behind its declarations.
fn write_formula(store: &TermStore, formula: &Formula, define: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    let logic = formula.logic.as_deref().unwrap_or("ALL");
    append(&mut out, format_args!("(set-logic {})\n", quote_symbol(logic)));
    for &sort in &formula.sorts {
        write_sort_declaration(&mut out, store, sort);
        out.push('\n');
    }
    for group in &formula.datatypes {
        write_datatypes(&mut out, store, group);
        out.push('\n');
    }
    for &symbol in &formula.symbols {
        write_declaration(&mut out, store, symbol);
        out.push('\n');
    }
    define(&mut out);
    for group in &formula.definitions {
        write_recursive_definitions(&mut out, store, &TermNames::default(), group);
        out.push('\n');
    }
    write_assertions(&mut out, store, formula);
    out.push_str("(check-sat)\n");
    out
}

fn write_assertions(out: &mut String, store: &TermStore, formula: &Formula) {
    let prefix = definition_prefix(store, formula);
    let shared = shared_between(store, &formula.assertions);
    let mut names = TermNames::default();
    let mut seen = FxHashSet::default();
    for &assertion in &formula.assertions {
        for term in post_order(store, assertion, |term| seen.insert(term)) {
            if shared.contains(&term) {
                let name = format!("{prefix}{}", names.len());
                append(
                    out,
                    format_args!("(define-fun {name} () {} ", SortDisplay::new(store, store.sort_of(term))),
                );
                write_term(out, store, Names::new(&names), term);
                out.push_str(")\n");
                names.insert(term, name);
            }
        }
        out.push_str("(assert ");
        match names.get(&assertion) {
            Some(name) => out.push_str(name),
            None => write_term(out, store, Names::new(&names), assertion),
        }
        out.push_str(")\n");
    }
}

/// A prefix with which no declared or defined symbol starts.
fn definition_prefix(store: &TermStore, formula: &Formula) -> String {
    let mut prefix = String::from("_def_");
    let symbols = || formula.symbols.iter().chain(formula.definitions.iter().flatten());
    let is_taken = |prefix: &str| symbols().any(|&symbol| store.symbol(symbol).name.starts_with(prefix));
    while is_taken(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// The applications that several assertions use and that are not merely part of another such one.
fn shared_between(store: &TermStore, assertions: &[TermId]) -> FxHashSet<TermId> {
    let mut owners: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut visited = FxHashSet::default();
    let mut shared = FxHashSet::default();
    let free = FreeVariables::below(store, assertions, |_| false);
    for (owner, &assertion) in assertions.iter().enumerate() {
        post_order(store, assertion, |term| {
            let first = *owners.entry(term).or_insert(owner);
            let is_closed = free.are_among(term, &[]);
            if first != owner && is_closed && !store.args(term).is_empty() {
                shared.insert(term);
            }
            // The owner looks below once; a later occurrence has been looked at, unless it is written out.
            (first == owner || !is_closed) && visited.insert((term, owner))
        });
    }
    shared
}
