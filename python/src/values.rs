//! Values as Python objects: truth values, numbers and strings of Python where these say the same, and classes of
//! `sundry.values` for the rest.

use pyo3::exceptions::{PyRecursionError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyTuple, PyType};
use sundry::term::{Sort, SortDisplay, SortId, TermStore};
use sundry::value::{ArrayValue, BitVector, Float, FunctionValue, Value};

use crate::names::Named;

/// The greatest depth of arrays that are nested in arrays.
const DEEPEST: u32 = 200;

/// A value of a constant, by the names of its values where it has some.
pub fn shown<'py>(
    py: Python<'py>,
    store: &TermStore,
    named: &Named,
    value: &Value,
) -> PyResult<Bound<'py, PyAny>> {
    if let Value::BitVec(bits) = value
        && let Some(level) = bits.to_u64().and_then(|code| named.levels.get(usize::try_from(code).ok()?))
    {
        return Ok(level.bind(py).clone().into_any());
    }
    object(py, store, store.symbol(named.symbol).result, value)
}

/// A value of a sort as an object.
pub fn object<'py>(
    py: Python<'py>,
    store: &TermStore,
    sort: SortId,
    value: &Value,
) -> PyResult<Bound<'py, PyAny>> {
    nested(py, store, sort, value, 0)
}

fn nested<'py>(
    py: Python<'py>,
    store: &TermStore,
    sort: SortId,
    value: &Value,
    depth: u32,
) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Bool(value) => Ok(PyBool::new(py, *value).to_owned().into_any()),
        Value::BitVec(bits) => unsigned(py, bits),
        Value::Int(value) => match i64::try_from(value) {
            Ok(small) => Ok(small.into_pyobject(py)?.into_any()),
            Err(_) => integer(py, &format!("{value:x}")),
        },
        Value::Real(value) => {
            let numerator = integer(py, &format!("{:x}", value.numerator()))?;
            let denominator = integer(py, &format!("{:x}", value.denominator()))?;
            class(py, &FRACTION, "fractions", "Fraction")?.call1((numerator, denominator))
        }
        Value::RoundingMode(mode) => class(py, &ROUNDING_MODE, VALUES, "RoundingMode")?.call1((mode.name(),)),
        Value::Float(value) => float(py, value),
        Value::Array(array) => map(py, store, sort, array, depth),
        Value::Uninterpreted { sort, index } => {
            let sort = SortDisplay::new(store, *sort).to_string();
            class(py, &ELEMENT, VALUES, "Element")?.call1((sort, *index))
        }
        Value::String(_) | Value::Regex(_) | Value::Datatype(_) | Value::Sequence(_) => {
            Err(PyTypeError::new_err("strings, sequences and datatypes have no Python objects yet"))
        }
    }
}

const VALUES: &str = "sundry.values";
static FRACTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ROUNDING_MODE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ELEMENT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static FLOAT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ARRAY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static FUNCTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A class of Python, imported when the first value needs it.
fn class<'py>(
    py: Python<'py>,
    place: &'static PyOnceLock<Py<PyType>>,
    module: &str,
    name: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    place.import(py, module, name)
}

/// A bit-vector as the number that its bits are in binary.
fn unsigned<'py>(py: Python<'py>, bits: &BitVector) -> PyResult<Bound<'py, PyAny>> {
    match bits.to_u64() {
        Some(small) => Ok(small.into_pyobject(py)?.into_any()),
        None => from_words(py, bits.limbs()),
    }
}

/// The number with these words of 64 bits, the least significant first.
pub fn from_words<'py>(py: Python<'py>, words: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &bytes), "little"))
}

/// The integer that a text in base 16 says; Python limits the length of other bases.
fn integer<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<PyInt>().call1((text, 16))
}

/// A floating-point value: a number of Python where its format is not wider, else an object with the bits.
fn float<'py>(py: Python<'py>, value: &Float) -> PyResult<Bound<'py, PyAny>> {
    let format = value.format();
    // By the format and not by the value, so that a constant has values of one type.
    let is_wider = format.exponent_bits() > 11 || format.significand_bits() > f64::MANTISSA_DIGITS;
    match value.to_f64().filter(|_| !is_wider) {
        Some(number) => Ok(PyFloat::new(py, number).into_any()),
        None => {
            let bits = unsigned(py, &value.canonical_bits())?;
            let class = class(py, &FLOAT, VALUES, "Float")?;
            class.call1((format.exponent_bits(), format.significand_bits(), bits))
        }
    }
}

/// An array with its default, the entries that have other values, and the sort of its indices.
fn map<'py>(
    py: Python<'py>,
    store: &TermStore,
    sort: SortId,
    array: &ArrayValue,
    depth: u32,
) -> PyResult<Bound<'py, PyAny>> {
    if depth == DEEPEST {
        let message = format!("arrays nested more than {DEEPEST} deep have no Python objects");
        return Err(PyRecursionError::new_err(message));
    }
    let Sort::Array { index: indices, element: elements } = *store.sort(sort) else {
        unreachable!("an array is a value of a sort of arrays")
    };
    let at = |index| nested(py, store, indices, index, depth + 1);
    let of = |element| nested(py, store, elements, element, depth + 1);
    let entries = array.entries().map(|(index, element)| Ok((at(index)?, of(element)?)));
    let entries = entries.collect::<PyResult<Vec<_>>>()?;
    let indices = SortDisplay::new(store, indices).to_string();
    class(py, &ARRAY, VALUES, "Array")?.call1((entries, of(array.default())?, indices))
}

/// A function with the results that are not its default, and the sorts of its arguments.
pub fn function<'py>(
    py: Python<'py>,
    store: &TermStore,
    named: &Named,
    value: &FunctionValue,
) -> PyResult<Bound<'py, PyAny>> {
    let FunctionValue::Table { entries, default } = value else {
        return Err(PyTypeError::new_err("a function that is given by a term has no table of its values"));
    };
    let symbol = store.symbol(named.symbol);
    let entry = |(arguments, result): (&Vec<Value>, &Value)| {
        let arguments = symbol.arguments.iter().zip(arguments);
        let arguments = arguments.map(|(&sort, argument)| object(py, store, sort, argument));
        let arguments = PyTuple::new(py, arguments.collect::<PyResult<Vec<_>>>()?)?;
        Ok((arguments, object(py, store, symbol.result, result)?))
    };
    let table = entries.iter().map(entry).collect::<PyResult<Vec<_>>>()?;
    let sorts = symbol.arguments.iter().map(|&sort| SortDisplay::new(store, sort).to_string());
    let sorts = PyTuple::new(py, sorts.collect::<Vec<_>>())?;
    let default = object(py, store, symbol.result, default)?;
    class(py, &FUNCTION, VALUES, "Function")?.call1((named.key.bind(py), table, default, sorts))
}
