//! The coverage of a formula by models: solutions of this package, or texts as solvers print them.

use pyo3::prelude::*;
use sundry::coverage::{Decided, MeasuredModel, Measurement, Stopped};
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

/// The gain of a model, the positions of the predicates that hold, and why the model is no solution.
type ModelFigures = (u64, Option<Vec<usize>>, Option<String>);

/// AST-bits that can be covered, cannot, and are undecided; whether the models cover all that can be; whether each predicate
/// can hold and can fail; the numbers of the impossible AST-bits.
type DecidedFigures = (u64, u64, u64, bool, Vec<(Option<bool>, Option<bool>)>, Vec<usize>);

/// Measures models in their order.
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
) -> PyResult<Measured> {
    let stop = Stop::after(py, timeout)?;
    let add_text = |measurement: &mut Measurement, text: &str, figures: &mut Vec<ModelFigures>| {
        for read in measurement.read(text)? {
            figures.push(figures_of(measurement.add(&read.model, &stop.control)?));
        }
        Ok::<(), Failure>(())
    };
    let work = || -> Result<_, Failure> {
        let mut measurement = Measurement::new(&formula.formula);
        let mut figures = Vec::new();
        for (number, given) in models.iter().enumerate() {
            match given {
                Given::Solution(found) => {
                    let Solution { solution, formula: other } = found.get();
                    if std::ptr::eq(other.get(), formula) {
                        figures.push(figures_of(measurement.add(solution.model(), &stop.control)?));
                    } else if other.get().is_read_like(formula) {
                        add_text(&mut measurement, &solution.to_smtlib(), &mut figures)?;
                    } else {
                        return Err(Failure::OtherFormula(number));
                    }
                }
                Given::Text(text) => add_text(&mut measurement, text, &mut figures)?,
            }
        }
        let decided = decide.then(|| measurement.decide(seed, 1, &stop.control)).transpose()?;
        Ok((figures, measurement.covered(), decided.as_ref().map(decided_figures)))
    };
    interruptible::run(py, &stop, work)?.map_err(|failure| match failure {
        Failure::Error(error) => errors::exception(py, &error),
        Failure::OtherFormula(number) => {
            let message = format!("model {number} is a solution of another formula");
            errors::wrong_option(
                py,
                &message,
                "give solutions of this formula, or their texts: str(solution)",
            )
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
    (
        decided.valid,
        decided.impossible,
        decided.unknown,
        decided.is_complete,
        predicates,
        impossible.collect(),
    )
}
