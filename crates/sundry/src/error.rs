//! The one error type: whose fault it is, where, and what to do.

use std::fmt;

use sundry_sample::SampleError;
use sundry_smtlib::{Diagnostic, DiagnosticKind, SourceText, Span};

/// Whose fault an [`Error`] is.
///
/// ```
/// use sundry::{ErrorKind, Formula};
///
/// let kind = |text: &str| Formula::parse(text).unwrap_err().kind();
/// assert_eq!(kind("(assert"), ErrorKind::Input);
/// assert_eq!(kind("; nothing"), ErrorKind::Empty);
/// assert_eq!(kind("(declare-const s String)"), ErrorKind::Unsupported);
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The text, or another argument, is wrong.
    Input,
    /// The text has nothing in it; it may be written in another language than SMT-LIB.
    Empty,
    /// The text is right, but uses a feature that Sundry does not support.
    Unsupported,
    /// A limit of time, memory or size was reached before there was anything to return.
    Limit,
    /// Sundry has a defect.
    Internal,
}

/// A place in a text.
///
/// ```
/// let error = sundry::Formula::reader().name("door.smt2").read("(assert\n  door)").unwrap_err();
/// assert_eq!(error.place().expect("a place").to_string(), "door.smt2:2:3");
/// ```
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

/// The reason why a call has no result.
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
    /// Apart, so that results which may be errors stay small.
    details: Box<Details>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Details {
    kind: ErrorKind,
    message: String,
    place: Option<Place>,
    expected: Option<String>,
    help: Option<String>,
    excerpt: Option<String>,
    cause: Option<SampleError>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        let message = message.to_string();
        let details =
            Details { kind, message, place: None, expected: None, help: None, excerpt: None, cause: None };
        Error { details: Box::new(details) }
    }

    pub(crate) fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.details.kind = kind;
        self
    }

    pub(crate) fn with_cause(mut self, cause: SampleError) -> Self {
        self.details.cause = Some(cause);
        self
    }

    /// The error that a diagnostic reports about a place of a text.
    ///
    /// ```
    /// use sundry::Error;
    /// use sundry::read::{Diagnostic, DiagnosticKind, SourceText};
    /// use sundry::term::Span;
    ///
    /// let source = SourceText::new("notes", "one two");
    /// let diagnostic = Diagnostic::new(DiagnosticKind::Syntax, Span::new(4, 7), "no such word");
    /// assert_eq!(Error::at(&diagnostic, &source).to_string(), "notes:1:5: no such word");
    /// ```
    pub fn at(diagnostic: &Diagnostic, source: &SourceText) -> Self {
        let kind = match diagnostic.kind {
            DiagnosticKind::Stopped(_) => ErrorKind::Limit,
            DiagnosticKind::Unsupported | DiagnosticKind::Limit => ErrorKind::Unsupported,
            _ => ErrorKind::Input,
        };
        let details = Details {
            kind,
            message: diagnostic.message.clone(),
            place: Some(Place::new(source, diagnostic.span)),
            expected: diagnostic.expected.clone(),
            help: diagnostic.help.clone(),
            excerpt: Some(diagnostic.excerpt(source)),
            cause: None,
        };
        Error { details: Box::new(details) }
    }

    /// Whose fault it is.
    ///
    /// ```
    /// let error = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x1ff))").unwrap_err();
    /// assert_eq!(error.kind(), sundry::ErrorKind::Input);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.details.kind
    }

    /// The description of the error, without the place.
    ///
    /// ```
    /// let error = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x1ff))").unwrap_err();
    /// assert_eq!(error.message(), "argument 2 of 'bvult' has sort (_ BitVec 12), expected (_ BitVec 8)");
    /// ```
    pub fn message(&self) -> &str {
        &self.details.message
    }

    /// The place of the error, if it is about a place in a text.
    ///
    /// ```
    /// let error = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert (bvult x #x1ff))").unwrap_err();
    /// assert_eq!(error.place().map(|place| place.column), Some(49));
    /// ```
    pub fn place(&self) -> Option<&Place> {
        self.details.place.as_ref()
    }

    /// Advice on how to correct the error, if there is any.
    ///
    /// ```
    /// let error = sundry::Formula::parse("(declare-const door Bool) (assert dor)").unwrap_err();
    /// assert_eq!(error.help(), Some("did you mean 'door'?"));
    /// ```
    pub fn help(&self) -> Option<&str> {
        self.details.help.as_deref()
    }

    /// The same error with other advice, for programs that have options of their own.
    ///
    /// ```
    /// let error = sundry::Formula::parse("(declare-const door Bool) (assert dor)").unwrap_err();
    /// assert_eq!(error.with_help("see line 1").help(), Some("see line 1"));
    /// ```
    #[must_use]
    pub fn with_help(mut self, help: impl fmt::Display) -> Self {
        self.details.help = Some(help.to_string());
        self
    }

    /// The input expected at the place, if the error is about a place and an expectation is known.
    ///
    /// ```
    /// let error = sundry::Formula::parse("(declare-const x (_ BitVec 8)) (assert x)").unwrap_err();
    /// assert_eq!(error.expected(), Some("a term of sort Bool"));
    /// ```
    pub fn expected(&self) -> Option<&str> {
        self.details.expected.as_deref()
    }

    /// The line of the text that has the place, and a caret below the fault, if the error is about a place.
    ///
    /// ```
    /// let error = sundry::Formula::parse("(assert door)").unwrap_err();
    /// assert_eq!(error.excerpt(), Some("1 | (assert door)\n  |         ^^^^\n"));
    /// ```
    pub fn excerpt(&self) -> Option<&str> {
        self.details.excerpt.as_deref()
    }

    /// The reason why a run could not start, as data, if that is the error. Programs with options of their own have
    /// their own remedies.
    ///
    /// ```
    /// use sundry::pipeline::SampleError;
    /// use sundry::{Formula, Strategy};
    ///
    /// let formula = Formula::parse("(declare-fun f ((_ BitVec 4)) Bool) (assert (f #x1))")?;
    /// let error = formula.sampler().strategy(Strategy::All).run().unwrap_err();
    /// assert!(matches!(error.cause(), Some(SampleError::NotEnumerable(_))));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn cause(&self) -> Option<&SampleError> {
        self.details.cause.as_ref()
    }

    /// The whole message as a compiler prints it: with the place, the line of the text and a caret below the fault where there
    /// is a place, and with the help. It ends with a line break.
    ///
    /// ```
    /// let error = sundry::Formula::reader().name("door.smt2").read("(assert door)").unwrap_err();
    /// assert!(error.render().starts_with("door.smt2:1:9: error: "));
    /// ```
    pub fn render(&self) -> String {
        let (mut text, width) = match &self.details.place {
            Some(place) => {
                (format!("{place}: error: {}\n", self.details.message), place.line.to_string().len())
            }
            None => (format!("error: {}\n", self.details.message), 1),
        };
        text.push_str(self.details.excerpt.as_deref().unwrap_or_default());
        if let Some(help) = &self.details.help {
            text.push_str(&format!("{:width$} = help: {help}\n", ""));
        }
        text
    }
}

/// Writes one line: the place, where there is one, and the message.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.details.place {
            Some(place) => write!(f, "{place}: {}", self.details.message),
            None => f.write_str(&self.details.message),
        }
    }
}

impl std::error::Error for Error {}
