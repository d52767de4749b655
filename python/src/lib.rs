//! The extension module `sundry._native`: the crate `sundry`, and the whole command line, for Python.
//!
//! The crate holds only what has to be in Rust: reading formulas, running searches in threads of their own, and turning
//! values into Python objects when somebody asks for one. Everything that a user sees (classes, options, messages, plots) is
//! Python, in the folder `sundry` beside this one. One class for each side was rejected for formulas and results: the
//! half in Python has the documentation, the types and the defaults, and each of them needs to exist once.

mod columns;
mod command_line;
mod coverage;
mod end;
mod errors;
mod formula;
mod interruptible;
mod mailbox;
mod names;
mod options;
mod reduce;
mod run;
mod solution;
mod summary;
mod values;

use pyo3::prelude::*;

/// The native part of the package `sundry`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::columns::ColumnRun;
    #[pymodule_export]
    use super::command_line::run_command_line;
    #[pymodule_export]
    use super::formula::Formula;
    #[pymodule_export]
    use super::reduce::reduce;
    #[pymodule_export]
    use super::run::Run;
    #[pymodule_export]
    use super::solution::Solution;

    /// The version of the crates.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python spells it so")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
