//! The one error type: whose fault it is, where, and what to do.

use std::fmt;

use sundry_smtlib::{Diagnostic, DiagnosticKind, SourceText, Span};

/// Whose fault an [`Error`] is.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The text, or another argument, is wrong.
    Input,
    /// The text has nothing in it; it may be written in another language than SMT-LIB.
    Empty,
    /// The text is right, but Sundry does not handle what it uses.
    Unsupported,
    /// A limit of time, memory or size was reached before there was anything to return.
    Limit,
    /// Sundry has a defect.
    Internal,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The name of the text, which is a path where the text is from a file.
    pub source: String,
    /// The line, from 1 on.
    pub line: usize,
    /// The column, from 1 on, in characters.
    pub column: usize,
}

impl Place {
    pub(crate) fn new(source: &SourceText, span: Span) -> Self {
        let position = source.position(span.start);
        Place { source: source.name().to_string(), line: position.line, column: position.column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.source, self.line, self.column)
    }
}

/// Why there is no result.
///
/// ```
/// use sundry::{ErrorKind, Formula};
///
/// let error = Formula::parse("(assert (= x #b1))").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Input);
/// assert_eq!(error.place().map(|place| (place.line, place.column)), Some((1, 12)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    place: Option<Place>,
    help: Option<String>,
    excerpt: Option<String>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Error { kind, message: message.to_string(), place: None, help: None, excerpt: None }
    }

    pub(crate) fn with_kind(self, kind: ErrorKind) -> Self {
        Error { kind, ..self }
    }

    pub(crate) fn with_help(self, help: impl fmt::Display) -> Self {
        Error { help: Some(help.to_string()), ..self }
    }

    pub(crate) fn at(diagnostic: &Diagnostic, source: &SourceText) -> Self {
        let kind = match diagnostic.kind {
            DiagnosticKind::Stopped(_) => ErrorKind::Limit,
            DiagnosticKind::Unsupported | DiagnosticKind::Limit => ErrorKind::Unsupported,
            _ => ErrorKind::Input,
        };
        Error {
            kind,
            message: diagnostic.message.clone(),
            place: Some(Place::new(source, diagnostic.span)),
            help: diagnostic.help.clone(),
            excerpt: Some(diagnostic.render(source)),
        }
    }

    /// Whose fault it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where it is, if the error is about a place in a text.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// What to do about it, if there is something to say.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The whole message as a compiler prints it: with the place, the line of the text and a caret below the fault where there
    /// is a place, and with the help. It ends with a line break.
    pub fn render(&self) -> String {
        if let Some(excerpt) = &self.excerpt {
            return excerpt.clone();
        }
        let mut text = format!("error: {}\n", self.message);
        if let Some(help) = &self.help {
            text.push_str(&format!("  = help: {help}\n"));
        }
        text
    }
}

/// One line: the place, where there is one, and the message.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}
