//! Ends of searches, which iterators of solutions and of columns report in the same way.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sundry::pipeline::Summary;
use sundry::{Error, Formula};

use crate::errors;
use crate::interruptible::panicked;
use crate::summary;

/// The end of a search; `None` for one that has panicked.
pub type End = Option<Result<Summary, Error>>;

/// Checks that a search has ended well.
///
/// # Errors
/// The exception for the error of the search, or for a search that has panicked.
pub fn check(py: Python<'_>, end: Option<&End>) -> PyResult<()> {
    match end {
        Some(Some(Ok(_))) => Ok(()),
        Some(Some(Err(error))) => Err(errors::exception(py, error)),
        Some(None) | None => Err(panicked()),
    }
}

/// The figures of a search for solutions of a formula that has ended well.
///
/// # Errors
/// Python cannot make the dictionary.
pub fn figures<'py>(
    py: Python<'py>,
    end: Option<&End>,
    formula: &Formula,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    match end {
        Some(Some(Ok(summary))) => summary::figures(py, summary, formula).map(Some),
        _ => Ok(None),
    }
}
