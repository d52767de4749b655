//! Exit codes, and failures that end a job or one formula of it.
//!
//! An error says whose fault it is, and the exit code says it to scripts: see [`Status`].

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

use sundry::Error;
use sundry_smtlib::{Diagnostic, DiagnosticKind, SourceText};
use sundry_term::Stopped;

/// How a run ended. The numbers are the exit codes; of several statuses the highest counts.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// What was asked for is done.
    Done = 0,
    /// Done, and something was found that the caller must look at: an unsatisfiable formula to
    /// sample, a model that satisfies nothing.
    Attention = 1,
    /// The command line or an input is at fault.
    Input = 2,
    /// A limit stopped it; what was found until then is kept.
    Limit = 3,
    /// A defect of this program.
    Internal = 4,
}

impl Status {
    /// The exit code.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The status of an exit code; codes that are none of ours are defects.
    pub fn from_code(code: u8) -> Status {
        match code {
            0 => Status::Done,
            1 => Status::Attention,
            2 => Status::Input,
            3 => Status::Limit,
            _ => Status::Internal,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

/// Something that cannot go on, with the message for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    status: Status,
    /// Whole lines.
    message: String,
}

impl Failure {
    /// A failure that is no place in a text: `error: message`.
    pub fn new(status: Status, message: impl fmt::Display) -> Self {
        Failure { status, message: format!("error: {message}\n") }
    }

    /// A failure at a place of an input.
    pub fn at(diagnostic: &Diagnostic, source: &SourceText) -> Self {
        let status = match diagnostic.kind {
            DiagnosticKind::Stopped(_) => Status::Limit,
            _ => Status::Input,
        };
        Failure { status, message: diagnostic.render(source) }
    }

    /// Work that was stopped before there was anything to keep: `what` says of `name` what had to come first.
    pub fn stopped(name: &impl fmt::Display, reason: Stopped, what: &str) -> Self {
        Failure::new(Status::Limit, format_args!("{name}: {reason} before {what}"))
    }

    /// An input whose message is already complete, with file, line and column.
    pub fn rendered_input(message: impl fmt::Display) -> Self {
        Failure { status: Status::Input, message: message.to_string() }
    }

    /// A file that could not be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        let failure =
            Failure::new(Status::Input, format_args!("cannot read {}: {}", path.display(), reason(error)));
        match error.kind() {
            ErrorKind::NotFound => failure.with_help("check the spelling and the folder you are in"),
            _ => failure,
        }
    }

    /// A file that could not be written, or its folder.
    pub fn writing(path: &Path, error: &io::Error) -> Self {
        let status = write_status(error);
        let failure =
            Failure::new(status, format_args!("cannot write {}: {}", path.display(), reason(error)));
        match error.kind() {
            ErrorKind::NotFound => failure.with_help("the folder has to exist"),
            _ => failure,
        }
    }

    /// Standard output that could not be written, and what names a file instead.
    pub fn writing_results(error: &io::Error, instead: &str) -> Self {
        let message = match error.kind() {
            ErrorKind::BrokenPipe => {
                "the reader of standard output closed it before everything was written".to_string()
            }
            _ => format!("cannot write to standard output: {}", reason(error)),
        };
        Failure::new(write_status(error), message)
            .with_help(format_args!("with {instead} the results go to a file"))
    }

    /// Adds what to do about it.
    pub fn with_help(mut self, help: impl fmt::Display) -> Self {
        self.message.push_str(&format!("  = help: {help}\n"));
        self
    }

    /// The same failure with another status.
    pub fn with_status(self, status: Status) -> Self {
        Failure { status, ..self }
    }

    /// The same failure, with what it is about where the message does not say.
    pub fn about(&self, name: &str) -> Self {
        let message = match self.message.contains(name) {
            true => self.message.clone(),
            false => format!("{name}: {}", self.message),
        };
        Failure { status: self.status, message }
    }

    /// Whose fault it is.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The message as one line, for tables and records.
    pub fn headline(&self) -> &str {
        let line = self.message.lines().next().unwrap_or("");
        line.strip_prefix("error: ").unwrap_or(line)
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let status = match error.kind() {
            sundry::ErrorKind::Input | sundry::ErrorKind::Empty | sundry::ErrorKind::Unsupported => {
                Status::Input
            }
            sundry::ErrorKind::Limit => Status::Limit,
            sundry::ErrorKind::Internal => Status::Internal,
        };
        Failure { status, message: error.render() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Whether the place to write to was a bad choice, or was fine until something ran out.
fn write_status(error: &io::Error) -> Status {
    match error.kind() {
        ErrorKind::NotFound
        | ErrorKind::PermissionDenied
        | ErrorKind::AlreadyExists
        | ErrorKind::NotADirectory
        | ErrorKind::IsADirectory
        | ErrorKind::ReadOnlyFilesystem
        | ErrorKind::InvalidInput
        | ErrorKind::InvalidFilename
        | ErrorKind::Unsupported => Status::Input,
        _ => Status::Limit,
    }
}

/// The system's words without its error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_string(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_a_limit_and_a_missing_folder_is_not() {
        let full = Failure::writing(Path::new("out"), &io::Error::from(ErrorKind::StorageFull));
        assert_eq!(full.status(), Status::Limit);
        let missing = Failure::writing(Path::new("out"), &io::Error::from_raw_os_error(2));
        assert_eq!(missing.status(), Status::Input);
        assert_eq!(
            missing.to_string(),
            "error: cannot write out: No such file or directory\n  = help: the folder has to exist\n"
        );
        assert_eq!(missing.headline(), "cannot write out: No such file or directory");
    }

    #[test]
    fn the_highest_status_counts() {
        assert_eq!([Status::Done, Status::Limit, Status::Input].into_iter().max(), Some(Status::Limit));
        for code in 0..=4 {
            assert_eq!(Status::from_code(code).code(), code);
        }
    }
}
