//! The whole command line, as `python -m sundry` and as the console script `sundry`.

use std::ffi::OsString;
use std::io::{self, Write};

use pyo3::prelude::*;

/// Runs the command line with these arguments, the first of which is the name of the program, and returns its exit code. `own`
/// is the command that starts the same program again, which Sundry does to guard the processes that it runs.
///
/// The program handles SIGINT and SIGTERM itself, so the caller must not have handlers of its own.
#[pyfunction]
pub fn run_command_line(py: Python<'_>, arguments: Vec<OsString>, own: Vec<OsString>) -> u8 {
    py.detach(|| {
        sundry_cli::set_own_command(own);
        let status = sundry_cli::run(arguments);
        // A program in Rust does this at its end, and Python does not know of these buffers.
        let _ = io::stdout().flush();
        status.code()
    })
}
