//! Solutions: mappings from names to values, which become Python objects when asked for.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyMapping, PyString, PyType};
use sundry::Value;
use sundry::term::{ArithmeticOp, Op, SortId, print_value};

use crate::formula::Formula;
use crate::names::{Declaration, Named, Names};
use crate::values;

/// The operator of a division, its arguments, and its result.
type Division<'py> = (&'static str, Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>);

/// A solution: a mapping from the names of constants and functions to their values.
#[pyclass(frozen, mapping, module = "sundry")]
pub struct Solution {
    pub solution: sundry::Solution,
    pub formula: Py<Formula>,
}

impl Solution {
    fn names(&self) -> &Names {
        &self.formula.get().names
    }

    /// The constant or function with a name; none for keys that are no text.
    fn named(&self, key: &Bound<'_, PyAny>) -> Option<&Named> {
        self.names().get(key.cast::<PyString>().ok()?.to_cow().ok()?.as_ref())
    }

    /// The value of a constant or function as an object.
    fn value<'py>(&self, py: Python<'py>, named: &Named) -> PyResult<Bound<'py, PyAny>> {
        let store = &self.solution.formula().parts().problem.store;
        let model = self.solution.model();
        match (model.constant(named.symbol), model.function(named.symbol)) {
            (Some(value), _) => values::shown(py, store, named, value),
            (None, Some(function)) => values::function(py, store, named, function),
            (None, None) => {
                let sort = store.symbol(named.symbol).result;
                values::shown(py, store, named, &Value::default_of(store, sort))
            }
        }
    }

    /// A view of a class of `collections.abc`.
    fn view<'py>(
        slf: &Bound<'py, Self>,
        place: &'static PyOnceLock<Py<PyType>>,
        name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        place.import(slf.py(), "collections.abc", name)?.call1((slf,))
    }
}

#[pymethods]
impl Solution {
    fn __len__(&self) -> usize {
        self.names().all.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self.named(&key) {
            Some(named) => self.value(py, named),
            None => Err(PyKeyError::new_err(key.unbind())),
        }
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        self.named(key).is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let keys = self.names().all.iter().map(|named| named.key.bind(py));
        Ok(PyList::new(py, keys)?.try_iter()?.into_any())
    }

    /// The names, in order of declaration.
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        Solution::view(slf, &CLASS, "KeysView")
    }

    /// The values, in order of declaration.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        Solution::view(slf, &CLASS, "ValuesView")
    }

    /// Names with their values, in order of declaration.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        Solution::view(slf, &CLASS, "ItemsView")
    }

    /// The value of a name, or else the default.
    #[pyo3(signature = (key, default = None, /))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.named(key) {
            Some(named) => self.value(py, named),
            None => Ok(default.unwrap_or_else(|| py.None().into_bound(py))),
        }
    }

    /// All values by name, as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for named in &self.names().all {
            dict.set_item(named.key.bind(py), self.value(py, named)?)?;
        }
        Ok(dict)
    }

    /// The values of constants as SMT-LIB, or the model that the formula comes from, spells them.
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (model, dict) = (self.solution.model(), PyDict::new(py));
        let store = &self.solution.formula().parts().problem.store;
        for named in &self.names().all {
            let Some(value) = model.constant(named.symbol) else { continue };
            let text = match value {
                Value::BitVec(bits) if !named.levels.is_empty() => {
                    let level = bits.to_u64().and_then(|code| named.levels.get(usize::try_from(code).ok()?));
                    level.map(|level| level.bind(py).clone())
                }
                _ => None,
            };
            let text = text.unwrap_or_else(|| {
                PyString::new(py, &print_value(store, store.symbol(named.symbol).result, value))
            });
            dict.set_item(named.key.bind(py), text)?;
        }
        Ok(dict)
    }

    /// Reads the solution again in another process, where its formula goes, too.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((self.formula.bind(py).getattr("solution")?, (self.solution.to_smtlib(),)))
    }

    /// The solution as a model in SMT-LIB: a list of definitions.
    fn to_smtlib(&self) -> String {
        self.solution.to_smtlib()
    }

    /// The results of divisions by zero that the solution rests on: the operator in SMT-LIB, its two arguments, and the result.
    fn divisions_by_zero<'py>(&self, py: Python<'py>) -> PyResult<Vec<Division<'py>>> {
        let store = &self.solution.formula().parts().problem.store;
        let object = |value: &Value| {
            let sort = if matches!(value, Value::Int(_)) { SortId::INT } else { SortId::REAL };
            values::object(py, store, sort, value)
        };
        let chosen = self.solution.model().chosen_results();
        let divisions =
            chosen.iter().flat_map(|chosen| chosen.iter()).filter_map(|(op, arguments, result)| {
                let name = match op {
                    Op::Arithmetic(ArithmeticOp::Divide) => "/",
                    Op::Arithmetic(ArithmeticOp::Div) => "div",
                    Op::Arithmetic(ArithmeticOp::Mod) => "mod",
                    _ => return None,
                };
                Some((name, arguments, result))
            });
        let found = divisions.map(|(name, arguments, result)| {
            let arguments = arguments.iter().map(object).collect::<PyResult<Vec<_>>>()?;
            Ok((name, arguments, object(result)?))
        });
        found.collect()
    }

    /// The declarations of the formula.
    fn formula_declarations(&self, py: Python<'_>) -> Vec<Declaration> {
        self.names().declarations(py, self.solution.formula())
    }

    fn __str__(&self) -> String {
        self.solution.to_smtlib()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Solution({})", self.to_dict(py)?.repr()?))
    }

    fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(other) = other.cast::<Solution>() {
            let is_same = self.solution.to_smtlib() == other.get().solution.to_smtlib();
            return Ok(is_same.into_pyobject(py)?.to_owned().into_any());
        }
        let Ok(other) = other.cast::<PyMapping>() else { return Ok(py.NotImplemented().into_bound(py)) };
        let dict = PyDict::new(py);
        dict.update(other)?;
        Ok(self.to_dict(py)?.eq(dict)?.into_pyobject(py)?.to_owned().into_any())
    }

    fn __hash__<'py>(&self, py: Python<'py>) -> PyResult<isize> {
        PyString::new(py, &self.solution.to_smtlib()).hash()
    }

    /// The values as a table for notebooks.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("sundry.html")?.getattr("solution_page")?.call1((slf,))
    }

    /// The values in the types of z3's Python package, by name.
    #[pyo3(signature = (context = None))]
    fn to_z3<'py>(slf: &Bound<'py, Self>, context: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("sundry.z3_models")?.getattr("model_of")?.call1((slf, context))
    }

    /// The values in the types of pySMT, by name.
    #[pyo3(signature = (environment = None))]
    fn to_pysmt<'py>(
        slf: &Bound<'py, Self>,
        environment: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("sundry.pysmt_models")?.getattr("model_of")?.call1((slf, environment))
    }
}
