//! Providers by the words of users.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::edges::Edges;
use crate::gcov::Gcov;
use crate::llvm::Llvm;
use crate::provider::CounterProvider;
use crate::statistics::{Dialect, Statistics};

/// The kinds of counters that [`open`] knows.
pub const KINDS: &[&str] = &["gcov", "llvm", "edges", "statistics"];

/// The reason for which there is no provider.
#[derive(Debug)]
pub enum OpenError {
    /// No kind of counters has this name.
    UnknownKind(String),
    /// The kind needs a folder or a file.
    NeedsPath(&'static str),
    /// The kind needs no folder and no file.
    NeedsNoPath(&'static str),
    /// Statistics need the name of a dialect.
    NeedsDialect,
    /// There are no `.gcno` files below the folder.
    NoNotes(PathBuf),
    /// A file cannot be read.
    File(PathBuf, io::Error),
    /// A file is not what it should be, with the reason.
    Malformed(PathBuf, String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::UnknownKind(kind) => {
                write!(f, "there are no counters of the kind '{kind}'; the kinds are {}", KINDS.join(", "))
            }
            OpenError::NeedsPath(kind) => write!(f, "counters of the kind '{kind}' need a path: {kind}=PATH"),
            OpenError::NeedsNoPath(kind) => write!(f, "counters of the kind '{kind}' take no path"),
            OpenError::NeedsDialect => write!(
                f,
                "statistics need the kind of the solver, which decides its option for them: statistics=KIND with one of {}",
                Dialect::NAMES.join(", ")
            ),
            OpenError::NoNotes(folder) => write!(
                f,
                "there are no .gcno files below {}; please compile with gcc --coverage and give the folder of the objects",
                folder.display()
            ),
            OpenError::File(path, error) => write!(f, "{}: {error}", path.display()),
            OpenError::Malformed(path, reason) => write!(f, "{}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {}

/// Opens the provider of a kind: `gcov`, with the folder of the `.gcno` files of the build; `llvm` and `edges`, without one;
/// `statistics`, with the name of a [`Dialect`] in place of a folder.
///
/// # Errors
/// The kind is unknown, or its files cannot be read.
pub fn open(kind: &str, path: Option<&Path>) -> Result<Arc<dyn CounterProvider>, OpenError> {
    match kind {
        "edges" => {
            no_path("edges", path)?;
            Ok(Arc::new(Edges))
        }
        "llvm" => {
            no_path("llvm", path)?;
            Ok(Arc::new(Llvm::default()))
        }
        "gcov" => Ok(Arc::new(Gcov::open(path.ok_or(OpenError::NeedsPath("gcov"))?)?)),
        "statistics" => {
            let dialect = path.and_then(Path::to_str).and_then(|name| name.parse().ok());
            Ok(Arc::new(Statistics::new(dialect.ok_or(OpenError::NeedsDialect)?)))
        }
        other => Err(OpenError::UnknownKind(other.to_string())),
    }
}

fn no_path(kind: &'static str, path: Option<&Path>) -> Result<(), OpenError> {
    path.map_or(Ok(()), |_| Err(OpenError::NeedsNoPath(kind)))
}
