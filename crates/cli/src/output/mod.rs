//! Writing results: to standard output once, to files atomically.

mod file;
mod keeper;
mod lock;
mod render;
mod shape;
mod temporary;

use std::io::{self, Write};
use std::path::Path;

pub use file::{OutputFile, OutputFolder};
pub use keeper::Keeper;
pub use lock::Lock;
pub use render::{PlainWriter, SolutionWriter, extension};
pub use shape::{Shape, Start};
pub use temporary::{RunFolder, remove_abandoned};

use crate::failure::Failure;
use crate::input::is_standard;

/// What names a file for results instead of standard output where a job has no option for it.
pub const REDIRECTION: &str = "'> FILE'";

/// The file that results go to. `None` where they go to standard output, since no file or `-` was named.
pub fn named_file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| !is_standard(path))
}

/// Writes results to standard output. `instead` is what the command line needs for a file with them.
///
/// # Errors
/// Nobody reads standard output any more, or the disk behind it is full.
pub fn write_results(text: &[u8], instead: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(|error| Failure::writing_results(&error, instead))
}
