//! Coverage of the program's sources by the tests.

use std::fs;
use std::path::Path;

use sundry_debuginfo::coverage::{Coverage, Executed, measure as measure_sources, page, tracefile};
use sundry_explore::ExecutedCode;

use super::plan::ExplorePlan;
use super::record::LineRecord;
use crate::failure::Failure;
use crate::output::OutputFolder;

/// Parts of paths of the libraries of C, C++ and Rust.
const LIBRARIES: [&str; 11] = [
    "wasi-libc",
    "libc-top-half",
    "libc-bottom-half",
    "dlmalloc",
    "libcxx",
    "compiler-rt",
    "/rustc/",
    "include/wasm32-wasi",
    "sysroot/include",
    "sundry/sundry.h",
    "sundry/klee/klee.h",
];

/// Whether a source, given by its path, is of a library that comes with the compiler.
pub fn is_library(path: &str) -> bool {
    LIBRARIES.iter().any(|library| path.contains(library))
}

/// The coverage of the sources without those of the library; `None` if the module says nothing of lines.
pub fn measure(plan: &ExplorePlan, executed: ExecutedCode) -> Option<Coverage> {
    let ExecutedCode { instructions, branches } = executed;
    let coverage = measure_sources(&plan.info, &plan.sites, &Executed { instructions, branches });
    let coverage = coverage.of_files(|path| !is_library(path));
    (!coverage.files.is_empty()).then_some(coverage)
}

/// The number of lines, and how many are covered.
pub fn lines(coverage: &Coverage) -> LineRecord {
    let share: sundry_debuginfo::coverage::Share = coverage.files.iter().map(|file| file.line_share()).sum();
    LineRecord { covered: share.covered, all: share.all }
}

/// Writes the coverage for tools (LCOV) and for people (HTML).
///
/// # Errors
/// A file cannot be written.
pub fn write(output: &OutputFolder, name: &str, coverage: &Coverage) -> Result<(), Failure> {
    output.file(Path::new("coverage.info"))?.replace(tracefile(coverage).as_bytes())?;
    let html = page(&format!("Coverage of {name}"), coverage, |path| fs::read_to_string(path).ok());
    output.file(Path::new("coverage.html"))?.replace(html.as_bytes())
}
