//! Writing results: to standard output once, to files atomically.

mod file;
mod keeper;
mod render;
mod shape;

use std::io::{self, Write};

pub use file::{OutputFile, OutputFolder};
pub use keeper::Keeper;
pub use render::{PlainWriter, SolutionWriter, extension};
pub use shape::{Shape, Start};

use crate::failure::{Failure, Status};

/// Writes results to standard output.
///
/// # Errors
/// Nobody reads it any more, or what it goes to is full.
pub fn write_results(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush()).map_err(|error| Failure::writing_results(&error))
}

/// A folder for files of this run, removed when it is dropped.
///
/// # Errors
/// It cannot be made.
pub fn temporary_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir()
        .map_err(|error| Failure::new(Status::Limit, format_args!("no temporary folder: {error}")))
}
