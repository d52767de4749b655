//! The common part of the parsers of sorts, terms and commands: tokens, the store that terms go to, and the meaning
//! of names.

use std::fmt::Display;

use sundry_term::{Control, SortError, TermStore, TheoryName, TheorySet};

use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::model_values::ModelTerms;
use crate::scope::Scope;
use crate::source::Span;

/// A text being read into a store.
pub(crate) struct Reader<'a, 's> {
    pub(crate) cursor: Cursor<'a>,
    pub(crate) store: &'s mut TermStore,
    pub(crate) scope: &'s mut Scope,
    /// The number of bodies with parameters that are being read, one inside the other.
    pub(crate) open_bodies: usize,
    /// The terms that only values of a model may contain; absent while a script is read.
    pub(crate) model_terms: Option<&'s mut ModelTerms>,
}

impl<'a, 's> Reader<'a, 's> {
    /// Reads a script's text from an offset on, until a control stops it.
    pub(crate) fn new(
        text: &'a str,
        offset: usize,
        store: &'s mut TermStore,
        scope: &'s mut Scope,
        control: &'a Control,
    ) -> Self {
        Reader { cursor: Cursor::new(text, offset, control), store, scope, open_bodies: 0, model_terms: None }
    }

    /// Whether the text may use a theory.
    pub(crate) fn reads(&self, theory: TheoryName) -> bool {
        self.scope.theories.contains(theory)
    }

    /// Whether the text may use reals, at least as numbers that become floating-point values.
    pub(crate) fn reads_numbers_of_reals(&self) -> bool {
        self.scope.theories.has_operators_of(TheoryName::Reals)
    }

    /// Whether the text may use all theories: then it is written for any solver, and has commands for other solvers too.
    pub(crate) fn reads_all(&self) -> bool {
        self.scope.theories == TheorySet::ALL
    }
}

/// A sort error at a place.
pub(crate) fn sort_error(span: Span, error: &SortError) -> Diagnostic {
    let kind = match error {
        SortError::TooWide { .. } | SortError::TooDeep | SortError::TooManyParts => DiagnosticKind::Limit,
        _ => DiagnosticKind::Sort,
    };
    let diagnostic = Diagnostic::new(kind, span, error.to_string());
    match error {
        SortError::Argument { found, expected, .. } if found == "Int" && expected.contains("BitVec") => {
            diagnostic.with_help("bit-vector literals are written #b0101, #x5 or (_ bv5 4)")
        }
        _ => diagnostic,
    }
}

pub(crate) fn sort_mismatch(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Sort, span, message)
}

/// The integers that are supported.
pub(crate) const INTEGERS: &str =
    "integers are supported where they are values of bit-vectors, as in (< (ubv_to_int x) 5)";

/// The error for legal input that is not supported: `what` names the operator or sort, `theory` its theory.
pub(crate) fn unsupported(span: Span, what: &str, theory: impl Display) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} is not supported yet ({theory})"))
        .with_help(
            "Booleans, bit-vectors, integers, reals, floating point, arrays, and declared sorts and functions are \
             supported",
        )
}
