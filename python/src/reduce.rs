//! Making scripts smaller as long as a function of Python says so.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors;

/// Makes a script smaller as long as the predicate is true of it: the script, and the number of scripts tried.
#[pyfunction]
pub fn reduce(py: Python<'_>, script: &str, predicate: &Bound<'_, PyAny>) -> PyResult<(String, usize)> {
    let mut raised = None;
    let reduced = sundry::reduce(script, |candidate| {
        if raised.is_some() {
            return false;
        }
        let shows =
            py.check_signals().and_then(|()| predicate.call1((PyString::new(py, candidate),))?.is_truthy());
        shows.unwrap_or_else(|error| {
            raised = Some(error);
            false
        })
    });
    match (raised, reduced) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(errors::exception(py, &error)),
        (None, Ok(reduction)) => Ok((reduction.script, reduction.checks)),
    }
}
