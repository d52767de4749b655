//! The coverage of a formula by models: solutions of this package, or texts as solvers print them.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use sundry::coverage::{Decided, MeasuredModel, Measurement, Stopped};
use sundry::pipeline::Validity;
use sundry::{Error, Possibility};

use crate::errors;
use crate::formula::Formula;
use crate::interruptible::{self, Stop};
use crate::solution::Solution;

/// Models to be measured.
#[derive(FromPyObject)]
pub enum Given {
    /// A solution of the formula.
    Solution(Py<Solution>),
    /// A text with models.
    Text(String),
}

/// Figures by model, the number of AST-bits that all of them cover, and the decision.
pub type Measured = (Vec<ModelFigures>, u64, Option<DecidedFigures>);

/// Measured models, AST-bits known to be covered or possible, AST-bits not proved impossible, seconds.
type Progress = (usize, u64, u64, f64);

/// The gain of a model, the positions of the predicates that hold, and why the model is no solution.
type ModelFigures = (u64, Option<Vec<usize>>, Option<String>);

/// AST-bits that can be covered, cannot, and are undecided; whether each predicate can hold and can fail; the numbers of the
/// impossible AST-bits.
type DecidedFigures = (u64, u64, u64, Vec<(Option<bool>, Option<bool>)>, Vec<usize>);

/// Measures models in their order, and calls a function with figures while that goes on.
///
/// # Errors
/// A text has something else than models, a solution is of another formula, or time was up.
pub fn measure(
    py: Python<'_>,
    formula: &Formula,
    models: Vec<Given>,
    decide: bool,
    seed: u64,
    timeout: Option<f64>,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Measured> {
    let stop = Stop::after(py, timeout)?;
    let start = Instant::now();
    let total = formula.formula.ast_bits() as u64;
    // The latest figures that nobody has seen.
    let latest: Mutex<Option<Progress>> = Mutex::default();
    let note = |models: usize, covered: u64, possible: u64| {
        let figures = (models, covered, possible, start.elapsed().as_secs_f64());
        *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(figures);
    };
    let report = |py: Python<'_>| {
        let figures = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (figures, &on_progress) {
            (Some(figures), Some(callback)) => callback.call1(py, figures).map(|_| ()),
            _ => Ok(()),
        }
    };
    let add_text =
        |measurement: &mut Measurement, number: usize, text: &str, figures: &mut Vec<ModelFigures>| {
            let models = measurement.read(text)?;
            if models.is_empty() {
                return Err(Failure::NoModel(number));
            }
            for read in models {
                figures.push(figures_of(measurement.add(&read.model, &stop.control)?));
            }
            Ok(())
        };
    let work = || -> Result<_, Failure> {
        let mut measurement = Measurement::new(&formula.formula);
        let mut figures = Vec::new();
        for (number, given) in models.iter().enumerate() {
            stop.control.check()?;
            match given {
                Given::Solution(found) => {
                    let Solution { solution, formula: other } = found.get();
                    if std::ptr::eq(other.get(), formula) {
                        figures.push(figures_of(measurement.add(solution.model(), &stop.control)?));
                    } else if other.get().is_read_like(formula) {
                        add_text(&mut measurement, number, &solution.to_smtlib(), &mut figures)?;
                    } else {
                        return Err(Failure::OtherFormula(number));
                    }
                }
                Given::Text(text) => add_text(&mut measurement, number, text, &mut figures)?,
            }
            if on_progress.is_some() {
                note(figures.len(), measurement.covered(), total);
            }
        }
        let mut receive = |known: Validity| {
            note(figures.len(), known.valid, total - known.impossible);
        };
        let decided =
            decide.then(|| measurement.decide_observed(seed, 1, &stop.control, &mut receive)).transpose()?;
        Ok((figures, measurement.covered(), decided.as_ref().map(decided_figures)))
    };
    let measured = interruptible::run_watched(py, &stop, report, work)?;
    report(py)?;
    measured.map_err(|failure| match failure {
        Failure::Error(error) => errors::exception(py, &error),
        Failure::OtherFormula(number) => {
            let message = format!("model {number} is a solution of another formula");
            errors::wrong_option(
                py,
                &message,
                "give solutions of this formula, or their texts: str(solution)",
            )
        }
        Failure::NoModel(number) => {
            let message = format!("text {number} has no model");
            errors::wrong_option(py, &message, "leave out texts in which a solver has printed no model")
        }
        Failure::Stopped(reason) => {
            let message = format!("{reason} before all models were measured");
            errors::limit(py, &message, "allow more time, or measure fewer models at once")
        }
    })
}

/// The reason why models were not measured.
enum Failure {
    Error(Error),
    /// The solution at this position is of another formula.
    OtherFormula(usize),
    /// The text at this position has no model.
    NoModel(usize),
    Stopped(Stopped),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl From<Stopped> for Failure {
    fn from(reason: Stopped) -> Failure {
        Failure::Stopped(reason)
    }
}

fn figures_of(measured: MeasuredModel) -> ModelFigures {
    let holding = measured.class.map(|class| class.holding().iter().collect());
    (measured.gain, holding, measured.fault.map(|fault| fault.to_string()))
}

fn decided_figures(decided: &Decided) -> DecidedFigures {
    let known = |possibility| match possibility {
        Possibility::Possible => Some(true),
        Possibility::Impossible => Some(false),
        Possibility::Unknown => None,
    };
    let predicates = decided.predicates.iter();
    let predicates = predicates.map(|possible| (known(possible.holds), known(possible.fails))).collect();
    let bits = (0..).map_while(|number| decided.ast_bit(number)).enumerate();
    let impossible =
        bits.filter(|&(_, possible)| possible == Possibility::Impossible).map(|(number, _)| number);
    (decided.valid, decided.impossible, decided.unknown, predicates, impossible.collect())
}
