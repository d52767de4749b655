//! Helpers for several tests of this crate.

use sundry_sample::Problem;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::TermStore;

/// The formula of a script.
pub fn problem(text: &str) -> Problem {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text);
    let script = parse_script(&mut store, &source, TheorySet::DECIDED)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let formula = script.formula();
    Problem::new(store, formula.assertions, formula.symbols)
}
