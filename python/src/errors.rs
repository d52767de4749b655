//! Errors of the library as exceptions of the package, which are classes in Python (`sundry/errors.py`).

use std::io;
use std::path::Path;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use sundry::pipeline::SampleError;
use sundry::{Error, ErrorKind, UnknownReason};

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

/// An error with the remedy that the options of this package are.
fn with_remedy(error: &Error) -> Error {
    let remedy = match error.cause() {
        Some(SampleError::Unsupported(_)) => {
            "smtsampler, guided and t-wise judge such formulas one solution at a time; cover gives a small set"
        }
        Some(SampleError::NotEnumerable(_)) => {
            "name the constants whose values are to be listed: project=[NAME, ...]"
        }
        Some(SampleError::Unbounded(_)) => {
            "assert bounds, such as (<= 0 n 99); or name the constants whose values are to be listed: project=[NAME, ...]"
        }
        Some(SampleError::NoFactors) => {
            "the formula has no constants with values to combine; over=\"bits\" combines the bits of its operations"
        }
        Some(SampleError::TooManyTuples { .. }) => {
            "a smaller strength, or over=\"predicates\", needs a smaller number of combinations"
        }
        None if error.help().is_some_and(|help| help.contains("Formula::reader().predicates(TEXT)")) => {
            "give some with the formula: predicates=TEXT"
        }
        _ if error.kind() == ErrorKind::Unsupported && error.help().is_none() => SUPPORTED,
        _ => return error.clone(),
    };
    error.clone().with_help(remedy)
}

const SUPPORTED: &str = "Booleans, bit-vectors, integers, reals, floating point, arrays, and declared sorts and functions are supported";

/// The remedy where it is unknown whether there is a solution.
pub fn remedy_of_unknown(reason: &UnknownReason) -> &'static str {
    match reason {
        UnknownReason::Timeout | UnknownReason::Interrupted | UnknownReason::Budget => {
            "allow more time with timeout=SECONDS"
        }
        UnknownReason::Memory => "narrower bit-vectors, or bounds on integers, need less memory",
        UnknownReason::Undecided(_) => {
            "values for some of the unknowns, or bounds on them such as (<= 0.0 r 9.0), make the formula easier"
        }
        UnknownReason::TooLarge(_) => "narrower bit-vectors need fewer gates",
        UnknownReason::Unsupported(_) => SUPPORTED,
        UnknownReason::RejectedModel(_) => "a defect of Sundry: please report the formula",
    }
}

/// The exception for an error.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let error = with_remedy(error);
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
