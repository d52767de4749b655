//! Failures: what ends a job, or one formula of it.
//!
//! A failure is data until it is printed: whose fault it is, which file and place it is about, what is wrong, and what to
//! do. [`Display`](fmt::Display) writes it for people, [`json`](Failure::json) for programs, and its [`Status`] is the exit
//! code. A formatted text from the start was rejected, since a program would have to take it apart again.

mod command_line;
mod json;
mod system;

use std::fmt;

use serde::Serialize;
use sundry::read::{Diagnostic, SourceText};
use sundry::{Error, ErrorKind, Place};

pub use command_line::asks_for_json;
pub use sundry_report::Status;

/// Whose fault a failure is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// A file or text has something wrong in it, or is not there.
    Input,
    /// The options on the command line do not fit together, or name outputs that cannot be.
    Usage,
    /// The input is right, but Sundry does not handle what it uses.
    Unsupported,
    /// A limit of time, memory, size or disk space was reached.
    Limit,
    /// Sundry has a defect.
    Internal,
}

impl FailureKind {
    /// How a run ends that fails this way.
    fn status(self) -> Status {
        match self {
            FailureKind::Input | FailureKind::Usage | FailureKind::Unsupported => Status::Input,
            FailureKind::Limit => Status::Limit,
            FailureKind::Internal => Status::Internal,
        }
    }
}

impl From<ErrorKind> for FailureKind {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Input | ErrorKind::Empty => FailureKind::Input,
            ErrorKind::Unsupported => FailureKind::Unsupported,
            ErrorKind::Limit => FailureKind::Limit,
            ErrorKind::Internal => FailureKind::Internal,
        }
    }
}

/// What a failure is about.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Subject {
    /// The command line, or the run as a whole.
    Nothing,
    /// A file or formula that the message does not name: it is written before the message.
    Named(String),
    /// A file or formula that the message names itself.
    Mentioned(String),
    /// A place in a text, what was expected there, and the line that it is in.
    Place { place: Place, expected: Option<String>, excerpt: String },
}

/// An error that ends a job, or one formula of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Apart, so that results which may be failures stay small.
    details: Box<Details>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Details {
    kind: FailureKind,
    status: Status,
    subject: Subject,
    /// What is wrong, without a full stop.
    message: String,
    /// What to do about it.
    help: Option<String>,
    /// The formula that was worked on, where that is not what the failure is about.
    formula: Option<String>,
}

impl Failure {
    /// A failure that is about no file.
    pub fn new(kind: FailureKind, message: impl fmt::Display) -> Self {
        let (status, message) = (kind.status(), message.to_string());
        let details = Details { kind, status, subject: Subject::Nothing, message, help: None, formula: None };
        Failure { details: Box::new(details) }
    }

    /// Options that do not fit together, or cannot be followed.
    pub fn usage(message: impl fmt::Display) -> Self {
        Failure::new(FailureKind::Usage, message)
    }

    /// A failure that is about a file or formula, whose name is written before the message.
    pub fn of(kind: FailureKind, name: impl fmt::Display, message: impl fmt::Display) -> Self {
        Failure::new(kind, message).with_subject(Subject::Named(name.to_string()))
    }

    /// A failure at a place of an input.
    pub fn at(diagnostic: &Diagnostic, source: &SourceText) -> Self {
        Failure::from(&Error::at(diagnostic, source))
    }

    /// A failure at a place of an input, without the line that the place is in.
    pub fn near(kind: FailureKind, source: &SourceText, offset: usize, message: impl fmt::Display) -> Self {
        let position = source.position(offset);
        let (line, column) = (position.line, position.column);
        Failure::in_place(kind, Place { source: source.name().to_string(), line, column }, message)
    }

    /// A failure at a place that is known.
    pub fn in_place(kind: FailureKind, place: Place, message: impl fmt::Display) -> Self {
        let subject = Subject::Place { place, expected: None, excerpt: String::new() };
        Failure::new(kind, message).with_subject(subject)
    }

    /// Says which file or formula the message names, where it does so itself.
    pub fn mentioning(self, name: impl fmt::Display) -> Self {
        self.with_subject(Subject::Mentioned(name.to_string()))
    }

    /// The same failure about this file or formula, whose name is written before the message.
    pub fn naming(self, name: impl fmt::Display) -> Self {
        self.with_subject(Subject::Named(name.to_string()))
    }

    fn with_subject(mut self, subject: Subject) -> Self {
        self.details.subject = subject;
        self
    }

    /// Adds what to do about it.
    pub fn with_help(mut self, help: impl fmt::Display) -> Self {
        self.details.help = Some(help.to_string());
        self
    }

    /// The same failure with another kind, and the status of that.
    pub fn with_kind(mut self, kind: FailureKind) -> Self {
        self.details.kind = kind;
        self.with_status(kind.status())
    }

    /// The same failure, in a run that ends with another status.
    pub fn with_status(mut self, status: Status) -> Self {
        self.details.status = status;
        self
    }

    /// The same failure, with the formula that was worked on where it is about another file, or none.
    pub fn about(&self, formula: &str) -> Self {
        let mut failure = self.clone();
        failure.details.formula = Some(formula.to_string()).filter(|_| self.file() != Some(formula));
        failure
    }

    /// Whose fault it is.
    pub fn kind(&self) -> FailureKind {
        self.details.kind
    }

    /// How a run ends that fails this way.
    pub fn status(&self) -> Status {
        self.details.status
    }

    /// The first line of the message with what it is about, for tables and records.
    pub fn headline(&self) -> String {
        self.said().lines().next().unwrap_or_default().to_string()
    }

    /// The message with what it is about.
    fn said(&self) -> String {
        let Details { subject, message, .. } = &*self.details;
        match subject {
            Subject::Nothing | Subject::Mentioned(_) => message.clone(),
            Subject::Named(name) => format!("{name}: {message}"),
            Subject::Place { place, .. } => format!("{place}: error: {message}"),
        }
    }

    /// The file or formula that it is about.
    fn file(&self) -> Option<&str> {
        match &self.details.subject {
            Subject::Nothing => None,
            Subject::Named(file) | Subject::Mentioned(file) => Some(file),
            Subject::Place { place, .. } => Some(&place.source),
        }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let subject = match error.place() {
            None => Subject::Nothing,
            Some(place) => Subject::Place {
                place: place.clone(),
                expected: error.expected().map(str::to_string),
                excerpt: error.excerpt().unwrap_or_default().to_string(),
            },
        };
        let failure = Failure::new(error.kind().into(), error.message()).with_subject(subject);
        match error.help() {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    }
}

/// Whole lines for people: the message, the line of the input with its place, and the help.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { formula, subject, help, .. } = &*self.details;
        if let Some(formula) = formula {
            write!(f, "{formula}: ")?;
        }
        let (sign, excerpt, width) = match subject {
            // The help stands below the bar between the number of the line and the line.
            Subject::Place { place, excerpt, .. } => ("", &**excerpt, place.line.to_string().len()),
            _ => ("error: ", "", 1),
        };
        writeln!(f, "{sign}{}", self.said())?;
        f.write_str(excerpt)?;
        match help {
            Some(help) => writeln!(f, "{:width$} = help: {help}", ""),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}
