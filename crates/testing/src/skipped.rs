//! Tests without formulas to work on: they pass, and report visibly that they were skipped.
//!
//! A test that needs the solvers of `tools/oracles` should fail without them. The collections of formulas beside the
//! project are not part of it, so tests over them must pass without; a test that returned silently would look like
//! one that checked something.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Prints that a test was skipped, past the capture of the test harness: `.ci/run` counts and names these lines.
pub fn skip(test: &str, reason: impl Display) {
    writeln!(std::io::stderr(), "SKIPPED {test}: {reason}").expect("standard error");
}

/// A folder of the collections beside the project. If it is missing, the test is [skipped](skip).
pub fn shared_folder(test: &str, folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    skip(test, format_args!("there is no {}", path.display()));
    None
}
