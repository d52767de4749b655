//! Formulas for the examples.

use sundry_sample::Problem;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::TermStore;

/// Reads a formula; prints the error and ends the program if there is one.
pub fn read(path: &str) -> Problem {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let source = SourceText::from_bytes(path, bytes);
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source, TheorySet::DECIDED)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let formula = script.formula();
    Problem::new(store, formula.assertions, formula.symbols)
}
