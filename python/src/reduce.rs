//! Making scripts smaller as long as a function of Python says so.

use pyo3::prelude::*;
use pyo3::types::PyString;
use sundry::{ReduceError, try_reduce};

use crate::errors;
use crate::interruptible::Stop;

/// Makes a script smaller as long as the predicate is true of it: the script, the number of scripts tried, and whether no
/// change was left to try when time was up.
#[pyfunction]
pub fn reduce(
    py: Python<'_>,
    script: &str,
    predicate: &Bound<'_, PyAny>,
    timeout: Option<f64>,
) -> PyResult<(String, usize, bool)> {
    let stop = Stop::after(py, timeout)?;
    let reduced = try_reduce(script, &stop.control, |candidate| {
        py.check_signals()?;
        predicate.call1((PyString::new(py, candidate),))?.is_truthy()
    });
    match reduced {
        Ok(reduction) => Ok((reduction.script, reduction.checks, reduction.is_finished)),
        Err(ReduceError::Check(error)) => Err(error),
        Err(ReduceError::Script(error)) => Err(errors::exception(py, &error)),
    }
}
