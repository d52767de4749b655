//! Failures for programs: one JSON object on one line each.

use std::borrow::Cow;

use serde::Serialize;

use super::{Details, Failure, FailureKind, Subject};
use crate::untrusted::json_line;

/// A line of messages for programs.
#[derive(Serialize)]
struct Line<'a> {
    error: Fields<'a>,
}

/// The names of the fields are those that the guide documents. Fields without a value are left out.
#[derive(Serialize)]
struct Fields<'a> {
    kind: FailureKind,
    message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    formula: Option<&'a str>,
    exit_code: u8,
}

impl Failure {
    /// The failure as an object of JSON, with the end of the line.
    pub fn json(&self) -> String {
        let Details { kind, status, subject, message, help, formula } = &*self.details;
        let (place, expected) = match subject {
            Subject::Place { place, expected, .. } => (Some(place), expected.as_deref()),
            _ => (None, None),
        };
        let message = match expected {
            Some(expected) => Cow::Owned(format!("{message}, expected {expected}")),
            None => Cow::Borrowed(&**message),
        };
        let error = Fields {
            kind: *kind,
            message,
            file: self.file(),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            help: help.as_deref(),
            formula: formula.as_deref(),
            exit_code: status.code(),
        };
        json_line(&Line { error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Status;
    use sundry::read::{Diagnostic, DiagnosticKind, SourceText};
    use sundry::term::Span;

    #[test]
    fn every_kind_has_its_word_and_its_exit_code() {
        for (kind, word, code) in [
            (FailureKind::Input, "input", 2),
            (FailureKind::Usage, "usage", 2),
            (FailureKind::Unsupported, "unsupported", 2),
            (FailureKind::Limit, "limit", 3),
            (FailureKind::Internal, "internal", 4),
        ] {
            let expected =
                format!("{{\"error\":{{\"kind\":\"{word}\",\"message\":\"m\",\"exit_code\":{code}}}}}\n");
            assert_eq!(Failure::new(kind, "m").json(), expected);
        }
    }

    #[test]
    fn a_place_is_fields_and_not_part_of_the_message() {
        let source = SourceText::new("f.smt2", "(set-logic QF_BV)\n(asert p)\n");
        let diagnostic =
            Diagnostic::new(DiagnosticKind::Syntax, Span::new(19, 24), "unknown command 'asert'")
                .with_expected("a command")
                .with_help("did you mean 'assert'?");
        let failure = Failure::at(&diagnostic, &source);
        assert_eq!(failure.to_string(), diagnostic.render(&source));
        assert_eq!(
            failure.json(),
            "{\"error\":{\"kind\":\"input\",\"message\":\"unknown command 'asert', expected a command\",\"file\":\"f.smt2\",\
             \"line\":2,\"column\":2,\"help\":\"did you mean 'assert'?\",\"exit_code\":2}}\n"
        );
        let wrong = Failure::near(FailureKind::Input, &source, 0, "wrong").with_status(Status::Attention);
        assert_eq!(wrong.to_string(), "f.smt2:1:1: error: wrong\n");
        assert!(wrong.json().ends_with("\"line\":1,\"column\":1,\"exit_code\":1}}\n"), "{}", wrong.json());
    }

    #[test]
    fn the_formula_of_a_batch_is_named_where_nothing_else_names_it() {
        let stopped = Failure::of(FailureKind::Limit, "a.smt2", "time was up");
        assert_eq!(stopped.about("a.smt2"), stopped);
        let other = Failure::new(FailureKind::Limit, "cannot write b: full").mentioning("b").about("a.smt2");
        assert_eq!(other.to_string(), "a.smt2: error: cannot write b: full\n");
        assert!(other.json().contains("\"file\":\"b\",\"formula\":\"a.smt2\""), "{}", other.json());
    }

    #[test]
    fn characters_that_act_on_a_terminal_are_escaped() {
        let failure = Failure::usage("a\u{1b}[2J\u{202e}\u{9b}\n");
        assert!(failure.json().contains("a\\u001b[2J\\u202e\\u009b\\n"), "{}", failure.json());
    }
}
