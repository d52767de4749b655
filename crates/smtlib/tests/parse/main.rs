//! The results of parsing commands and terms, and the messages about mistakes.
//!
//! * [`terms`]: operators, literals, `let`, annotations.
//! * [`declarations`]: declarations and definitions, and the levels in which they hold.
//! * [`commands`]: commands of a script, and the formula that they make.
//! * [`mistakes`]: kinds, places and texts of messages.
//! * [`stepwise`]: a parser that reads one command, one term or a text of definitions.

mod commands;
mod declarations;
mod mistakes;
mod stepwise;
mod terms;

use sundry_smtlib::{Command, Diagnostic, Script, SourceText, TheorySet, parse_script, print_term};
use sundry_term::{TermId, TermStore};

fn script(store: &mut TermStore, text: &str) -> Script {
    let source = SourceText::new("test.smt2", text);
    parse_script(store, &source, TheorySet::DECIDED)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)))
}

fn error(text: &str) -> Diagnostic {
    let source = SourceText::new("test.smt2", text);
    parse_script(&mut TermStore::new(), &source, TheorySet::DECIDED).expect_err(text)
}

/// The text that an error points at.
fn pointed_at(text: &str) -> &str {
    &text[error(text).span.range()]
}

fn assertions(script: &Script) -> Vec<TermId> {
    let asserted = script.commands.iter().filter_map(|(command, _)| match command {
        Command::Assert(term) => Some(*term),
        _ => None,
    });
    asserted.collect()
}

const DECLARATIONS: &str = "
    (declare-const p Bool) (declare-const q Bool)
    (declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const b (_ BitVec 1))
    (declare-fun f ((_ BitVec 8) Bool) (_ BitVec 8))
    (declare-sort S 0) (declare-const u S) (declare-fun g (S) S)
    (declare-const m (Array (_ BitVec 8) (_ BitVec 8)))";

/// The one assertion after the declarations, printed.
fn reprinted(term: &str) -> String {
    let mut store = TermStore::new();
    let script = script(&mut store, &format!("{DECLARATIONS} (assert {term})"));
    print_term(&store, assertions(&script)[0])
}
