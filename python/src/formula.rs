//! Formulas, and what can be asked of them.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use sundry::compression::{Expanded, Unread};
use sundry::read::{SourceText, read_formula_with, read_predicates};
use sundry::{Answer, Error, Format, Place, SolutionReader};

use crate::columns::ColumnRun;
use crate::coverage::{Given, Measured, measure};
use crate::interruptible::{self, Stop};
use crate::names::{Declaration, Names};
use crate::run::Run;
use crate::solution::Solution;
use crate::{errors, options};

/// A line and a column.
type Position = Option<(usize, usize)>;

/// A word for the answer, a solution, the reason why nothing is known, and a core: assertions with their places.
type Answered =
    (&'static str, Option<Solution>, Option<(String, &'static str)>, Option<Vec<(String, Position)>>);

/// An AST-bit: its term, the bit and its value, and the place of the term.
type Described = (String, u32, bool, Position);

/// The arguments of [`Formula::read`].
type FormulaState<'py> =
    (Bound<'py, PyBytes>, String, Option<String>, Option<String>, Option<u32>, Option<f64>);

/// A formula that was read.
#[pyclass(frozen, module = "sundry._native")]
pub struct Formula {
    pub formula: sundry::Formula,
    pub names: Names,
    reading: Reading,
    /// Reads solutions that other processes have found, from the first of them on.
    solutions: Mutex<Option<SolutionReader>>,
}

/// The options with which the text of a formula was read.
#[derive(Clone, PartialEq, Eq)]
struct Reading {
    format: Option<String>,
    predicates: Option<String>,
    integer_bits: Option<u32>,
}

#[pymethods]
impl Formula {
    /// Reads a formula: SMT-LIB where no format is named. As a method of the class, unlike a static one, it can be pickled.
    #[classmethod]
    #[pyo3(signature = (text, name, format, predicates, integer_bits, timeout))]
    fn read(
        class: &Bound<'_, PyType>,
        text: Vec<u8>,
        name: String,
        format: Option<String>,
        predicates: Option<String>,
        integer_bits: Option<u32>,
        timeout: Option<f64>,
    ) -> PyResult<Formula> {
        let py = class.py();
        let reading = Reading { format, predicates: predicates.clone(), integer_bits };
        let format = reading.format.as_deref().map(|format| format_named(py, format)).transpose()?;
        let stop = Stop::after(py, timeout)?;
        let control = &stop.control;
        let work = || -> Result<sundry::Formula, Error> {
            let source = SourceText::from_bytes(name, text);
            let predicates = predicates.map(|text| SourceText::new("predicates", text));
            let (mut parts, read) = read_formula_with(source, format, control, |parser, store| {
                predicates.map(|text| read_predicates(parser, store, &text)).transpose()
            })?;
            let (predicates, notes) = read?.unwrap_or_default();
            parts.notes.extend(notes);
            let formula = sundry::Formula::new(parts, predicates);
            match integer_bits {
                Some(bits) => formula.with_integer_bits(bits, control),
                None => Ok(formula),
            }
        };
        let formula = interruptible::run(py, &stop, work)?.map_err(|error| errors::exception(py, &error))?;
        let names = Names::new(py, &formula);
        Ok(Formula { formula, names, reading, solutions: Mutex::default() })
    }

    /// Reads the formula again in another process.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, FormulaState<'py>)> {
        let Formula { formula, reading, .. } = slf.get();
        let source = &formula.parts().source;
        let text = PyBytes::new(slf.py(), source.text().as_bytes());
        let Reading { format, predicates, integer_bits } = reading.clone();
        let state = (text, source.name().to_string(), format, predicates, integer_bits, None);
        Ok((slf.getattr("read")?, state))
    }

    /// The solution that a text contains.
    fn solution(slf: &Bound<'_, Self>, text: &str) -> PyResult<Solution> {
        let (py, Formula { formula, solutions, .. }) = (slf.py(), slf.get());
        let stop = Stop::after(py, None)?;
        let work = || {
            let mut reader = solutions.lock().unwrap_or_else(PoisonError::into_inner);
            reader.get_or_insert_with(|| formula.solution_reader()).read(text, &stop.control)
        };
        let solution = interruptible::run(py, &stop, work)?.map_err(|error| errors::exception(py, &error))?;
        Ok(Solution { solution, formula: slf.clone().unbind() })
    }

    /// The text of a file, expanded where it is compressed. A file that cannot be read is an `OSError`.
    #[staticmethod]
    fn text_of_file(py: Python<'_>, path: PathBuf, timeout: Option<f64>) -> PyResult<Vec<u8>> {
        let stop = Stop::after(py, timeout)?;
        let work = || {
            Expanded::new(File::open(&path).map_err(Unread::Failed)?)
                .map_err(Unread::Failed)?
                .read_whole(&stop.control)
        };
        interruptible::run(py, &stop, work)?.map_err(|unread| match unread {
            Unread::Failed(error) => errors::of_system(py, &error, &path),
            _ => errors::exception(py, &unread.about(path.display())),
        })
    }

    /// The format of files with this name; none for SMT-LIB.
    #[staticmethod]
    fn format_of_name(name: PathBuf) -> Option<String> {
        Format::of_name(&name).map(|format| format.name().to_ascii_lowercase())
    }

    /// The name of the text.
    #[getter]
    fn name(&self) -> &str {
        self.formula.parts().source.name()
    }

    /// Constants and functions in order of declaration.
    #[getter]
    fn declarations(&self, py: Python<'_>) -> Vec<Declaration> {
        self.names.declarations(py, &self.formula)
    }

    /// The names of the predicates.
    #[getter]
    fn predicates(&self) -> Vec<&str> {
        self.formula.predicate_names().collect()
    }

    /// The number of assertions.
    #[getter]
    fn assertions(&self) -> usize {
        self.formula.parts().problem.assertions.len()
    }

    /// The number of AST-bits.
    #[getter]
    fn ast_bits(&self) -> usize {
        self.formula.ast_bits()
    }

    /// Remarks on the text that are no errors.
    #[getter]
    fn notes(&self) -> Vec<String> {
        let note = |note: &sundry::Note| match &note.place {
            Some(place) => format!("{place}: {}", note.message),
            None => note.message.clone(),
        };
        self.formula.notes().iter().map(note).collect()
    }

    /// Looks for one solution: a word for the answer, the solution, the reason of an unknown answer with a
    /// remedy, and the assertions of a core.
    fn solve(slf: &Bound<'_, Self>, timeout: Option<f64>, core: bool, seed: u32) -> PyResult<Answered> {
        let (py, own) = (slf.py(), slf.get());
        let stop = Stop::after(py, timeout)?;
        let solver = own.formula.solver().control(stop.control.clone()).with_core(core).seed(seed);
        let answer = interruptible::run(py, &stop, || solver.run())?;
        Ok(match answer.map_err(|error| errors::exception(py, &error))? {
            Answer::Satisfiable(solution) => {
                ("sat", Some(Solution { solution, formula: slf.clone().unbind() }), None, None)
            }
            Answer::Unsatisfiable { core } => ("unsat", None, None, core.map(|core| own.assertions_of(core))),
            Answer::Unknown(reason) => {
                ("unknown", None, Some((reason.to_string(), errors::remedy_of_unknown(&reason))), None)
            }
        })
    }

    /// Descriptions of AST-bits by number: the term, the bit, its value, and the line and column of the term in the text.
    fn describe(&self, py: Python<'_>, numbers: Vec<usize>) -> PyResult<Vec<Described>> {
        let stop = Stop::after(py, None)?;
        let work = || -> Result<Vec<Described>, Error> {
            let reader = self.formula.ast_bit_reader(&stop.control)?;
            let bits = numbers.into_iter().filter_map(|number| reader.ast_bit(number));
            Ok(bits.map(|bit| (bit.term, bit.bit, bit.value, position(bit.place.as_ref()))).collect())
        };
        interruptible::run(py, &stop, work)?.map_err(|error| errors::exception(py, &error))
    }

    /// Starts a search for solutions.
    #[pyo3(signature = (options, timeout, eager, progress))]
    fn run(
        slf: &Bound<'_, Self>,
        options: &Bound<'_, PyDict>,
        timeout: Option<f64>,
        eager: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        let stop = Stop::after(slf.py(), timeout)?;
        let sampler = options::sampler(&slf.get().formula, options, stop.control.clone())?;
        Run::start(slf.clone().unbind(), sampler, stop, eager, progress)
    }

    /// Starts a search whose solutions come as columns, so many rows at a time.
    #[pyo3(signature = (options, timeout, rows, progress))]
    fn columns(
        &self,
        py: Python<'_>,
        options: &Bound<'_, PyDict>,
        timeout: Option<f64>,
        rows: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<ColumnRun> {
        let stop = Stop::after(py, timeout)?;
        let sampler = options::sampler(&self.formula, options, stop.control.clone())?;
        ColumnRun::start(&self.formula, &self.names, sampler, stop, rows, progress)
    }

    /// Measures models; with `decide`, also decides which AST-bits can be covered at all.
    #[pyo3(signature = (models, decide, seed, timeout, progress))]
    fn measure(
        &self,
        py: Python<'_>,
        models: Vec<Given>,
        decide: bool,
        seed: u64,
        timeout: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Measured> {
        measure(py, self, models, decide, seed, timeout, progress)
    }
}

impl Formula {
    /// Whether another formula was read from the same text in the same way, so that it has the same solutions.
    pub fn is_read_like<'a>(&'a self, other: &'a Formula) -> bool {
        let text = |formula: &'a Formula| formula.formula.parts().source.text();
        self.reading == other.reading && text(self) == text(other)
    }

    /// Assertions by number: the text and the place of each.
    fn assertions_of(&self, numbers: Vec<usize>) -> Vec<(String, Position)> {
        let assertions = numbers.into_iter().filter_map(|number| self.formula.assertion(number));
        assertions.map(|assertion| (assertion.text, position(assertion.place.as_ref()))).collect()
    }
}

/// The line and column of a place, where it is known.
fn position(place: Option<&Place>) -> Position {
    place.map(|place| (place.line, place.column))
}

/// The format with a name.
fn format_named(py: Python<'_>, name: &str) -> PyResult<Format> {
    match name {
        "dimacs" => Ok(Format::Dimacs),
        "uvl" => Ok(Format::Uvl),
        "pict" => Ok(Format::Pict),
        _ => {
            let message = format!("there is no format '{name}'");
            Err(errors::wrong_option(py, &message, "format is one of smt2, dimacs, uvl, pict"))
        }
    }
}
