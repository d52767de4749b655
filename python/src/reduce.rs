//! Making scripts smaller as long as a function of Python says so.

use pyo3::prelude::*;
use pyo3::types::PyString;
use sundry::{ErrorKind, ReduceError, try_reduce};

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
        // An error without a place is no error of the text.
        Err(ReduceError::Script(error)) if error.kind() == ErrorKind::Input && error.place().is_none() => {
            let message = "the predicate is false of the script itself, as it is printed anew";
            let help = "it gets the text of a script, and has to return a true value while that shows what you look for; \
                        print what it gets to see the difference";
            Err(errors::wrong_option(py, message, help))
        }
        Err(ReduceError::Script(error)) => Err(errors::exception(py, &error)),
    }
}
