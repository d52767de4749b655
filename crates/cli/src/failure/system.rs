//! Failures of the operating system: files that cannot be read or written.

use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::Path;

use super::{Failure, FailureKind};

impl Failure {
    /// A file that could not be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        let message = format_args!("cannot read {}: {}", path.display(), reason(error));
        let failure = Failure::new(FailureKind::Input, message).mentioning(path.display());
        match error.kind() {
            ErrorKind::NotFound => failure.with_help("check the spelling and the folder you are in"),
            _ => failure,
        }
    }

    /// A file that could not be written, or its folder.
    pub fn writing(path: &Path, error: &io::Error) -> Self {
        let message = format_args!("cannot write {}: {}", path.display(), reason(error));
        let failure = Failure::new(kind_of_write(error), message).mentioning(path.display());
        match error.kind() {
            ErrorKind::NotFound => failure.with_help("the folder has to exist"),
            _ => failure,
        }
    }

    /// Standard output that could not be written, and what names a file instead.
    pub fn writing_results(error: &io::Error, instead: impl Display) -> Self {
        let message = match error.kind() {
            ErrorKind::BrokenPipe => {
                "the reader of standard output closed it before everything was written".to_string()
            }
            _ => format!("cannot write to standard output: {}", reason(error)),
        };
        Failure::new(kind_of_write(error), message)
            .with_help(format_args!("with {instead} the results go to a file"))
    }
}

/// Whether the place to write to was a bad choice, or was fine until something ran out.
fn kind_of_write(error: &io::Error) -> FailureKind {
    match error.kind() {
        ErrorKind::NotFound
        | ErrorKind::PermissionDenied
        | ErrorKind::AlreadyExists
        | ErrorKind::NotADirectory
        | ErrorKind::IsADirectory
        | ErrorKind::ReadOnlyFilesystem
        | ErrorKind::InvalidInput
        | ErrorKind::InvalidFilename
        | ErrorKind::Unsupported => FailureKind::Usage,
        _ => FailureKind::Limit,
    }
}

/// The message of the system without the error number.
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
    use crate::failure::Status;

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
}
