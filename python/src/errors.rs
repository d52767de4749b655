//! Errors of the library as exceptions of the package, which are classes in Python (`sundry/errors.py`).

use std::io;
use std::path::Path;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use sundry::{Error, ErrorKind};

/// The name of a kind, by which Python chooses the class.
fn name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Input => "input",
        ErrorKind::Empty => "empty",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::Limit => "limit",
        ErrorKind::Internal => "internal",
    }
}

/// The exception for an error.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let place = error.place();
    let parts = (
        name(error.kind()),
        error.message(),
        place.map(|place| &*place.source),
        place.map(|place| place.line),
        place.map(|place| place.column),
        error.expected(),
        error.help(),
        error.excerpt(),
        error.render(),
    );
    make(py, "of_native", parts)
}

/// The `OSError` for a file that the system cannot read, of the class for its number.
pub fn of_system(py: Python<'_>, error: &io::Error, path: &Path) -> PyErr {
    let Some(number) = error.raw_os_error() else { return PyErr::from(io::Error::from(error.kind())) };
    let reason = py.import("os").and_then(|os| os.getattr("strerror")?.call1((number,)));
    match reason.and_then(|reason| reason.extract::<String>()) {
        // As a text, which is how Python's own functions show it.
        Ok(reason) => PyOSError::new_err((number, reason, path.as_os_str().to_os_string())),
        Err(error) => error,
    }
}

/// The exception for an option that is wrong.
pub fn wrong_option(py: Python<'_>, message: &str, help: &str) -> PyErr {
    make(py, "wrong_option", (message, help))
}

/// The exception for work that a limit has stopped.
pub fn limit(py: Python<'_>, message: &str, help: &str) -> PyErr {
    make(py, "limit", (message, help))
}

/// The exception that a function of `sundry.errors` makes; or the one that prevents it.
fn make<'py>(py: Python<'py>, function: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let made = MODULE
        .get_or_try_init(py, || py.import("sundry.errors").map(Bound::unbind))
        .and_then(|module| module.bind(py).getattr(function)?.call1(arguments));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}
