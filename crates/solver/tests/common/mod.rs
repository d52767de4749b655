//! What several tests share.

use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{TermId, TermStore};

/// The assertions of a formula.
pub fn parsed(text: &str) -> (TermStore, Vec<TermId>) {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text);
    let script = parse_script(&mut store, &source, TheorySet::SOLVED);
    let script = script.unwrap_or_else(|error| panic!("{}", error.render(&source)));
    (store, script.formula().assertions)
}
