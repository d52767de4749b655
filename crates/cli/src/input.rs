//! Texts of inputs: files and standard input, compressed or not.
//!
//! Every job reads its inputs here. A text is kept as a whole, because messages show places of it.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sundry::Control;
use sundry::compression::{Expanded, Unread};
use sundry::read::SourceText;

use crate::failure::{Failure, FailureKind};

/// The origin of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input, written `-`.
    Standard,
}

/// Whether a path stands for standard input, or for standard output where results may go to a file.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Input {
    /// What an argument names.
    pub fn from_argument(path: &Path) -> Self {
        if is_standard(path) { Input::Standard } else { Input::File(path.to_path_buf()) }
    }

    /// The file; none for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Standard => None,
        }
    }

    /// Checks that there is such a file, so that a missing input is reported before an output that cannot be written.
    ///
    /// # Errors
    /// There is no such file.
    pub fn check(&self) -> Result<(), Failure> {
        let Some(path) = self.path() else { return Ok(()) };
        std::fs::metadata(path).map(drop).map_err(|error| Failure::reading(path, &error))
    }

    /// Reads the whole text, expanded where it is compressed.
    ///
    /// # Errors
    /// The input cannot be read, is corrupt or too large, or the control has stopped the reader.
    pub fn read(&self, control: &Control) -> Result<SourceText, Failure> {
        Ok(SourceText::from_bytes(self.to_string(), self.bytes(control)?))
    }

    /// The bytes of the text, to be read piece by piece.
    ///
    /// # Errors
    /// The input cannot be opened, or its first bytes not be read.
    pub fn open(&self) -> Result<Expanded<'static>, Failure> {
        let expanded = match self {
            Input::File(path) => File::open(path).and_then(Expanded::new),
            Input::Standard => Expanded::new(io::stdin()),
        };
        expanded.map_err(|error| self.failure(&Unread::Failed(error)))
    }

    /// The bytes of the text.
    fn bytes(&self, control: &Control) -> Result<Vec<u8>, Failure> {
        self.open()?.read_whole(control).map_err(|unread| self.failure(&unread))
    }

    /// The reason why the input was not read, with a remedy for files.
    fn failure(&self, unread: &Unread) -> Failure {
        let path = self.path();
        if let Unread::Failed(error) = unread {
            return Failure::reading(path.unwrap_or(Path::new("standard input")), error);
        }
        let kind = if unread.is_limit() { FailureKind::Limit } else { FailureKind::Input };
        let failure = Failure::of(kind, self, unread);
        match path.and_then(|path| unread.help(path.display())) {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::File(path) => write!(f, "{}", path.display()),
            Input::Standard => f.write_str("<stdin>"),
        }
    }
}
