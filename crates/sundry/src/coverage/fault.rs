//! The reason why a model is not a solution.

use std::fmt;

use sundry_term::{EvaluationError, Evaluator, Model, Stopped, TermStore};

use super::Control;
use crate::error::Place;
use crate::formula::Formula;

/// The reason why a model is not a solution of a formula.
///
/// ```
/// use sundry::Formula;
/// use sundry::coverage::{Control, Measurement, Model};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut measurement = Measurement::new(&formula);
/// let measured = measurement.add(&Model::new(), &Control::default()).unwrap();
/// assert_eq!(measured.fault.expect("neither holds").to_string(), "the assertion at formula:1:47 is false");
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelFault {
    /// An assertion does not hold.
    Assertion {
        /// The number of the assertion, from 1 on.
        number: usize,
        /// The place of the assertion in the text of the formula, if the text asserts it as it is.
        place: Option<Place>,
    },
    /// An assertion or predicate has no value, for this reason.
    Open(String),
}

impl ModelFault {
    pub(super) fn open(error: &EvaluationError) -> Self {
        ModelFault::Open(error.to_string())
    }
}

impl fmt::Display for ModelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelFault::Assertion { place: Some(place), .. } => {
                write!(f, "the assertion at {place} is false")
            }
            ModelFault::Assertion { number, place: None } => write!(f, "assertion {number} is false"),
            ModelFault::Open(reason) => f.write_str(reason),
        }
    }
}

impl Formula {
    /// The reason why a model is not a solution of this formula: the first assertion that does not hold.
    /// The store has the terms of the formula, and may have more.
    ///
    /// # Errors
    /// The control has stopped the evaluator.
    ///
    /// ```
    /// use sundry::Formula;
    /// use sundry::coverage::{Control, Model};
    ///
    /// let formula = Formula::parse("(declare-const p Bool)\n(assert p)")?;
    /// let store = &formula.parts().problem.store;
    /// let fault = formula.fault(store, &Model::new(), &Control::default()).unwrap();
    /// assert_eq!(fault.to_string(), "the assertion at formula:2:1 is false");
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn fault(&self, store: &TermStore, model: &Model, control: &Control) -> Result<ModelFault, Stopped> {
        self.fault_in(&mut Evaluator::with_control(store, model, control))
    }

    pub(super) fn fault_in(&self, evaluator: &mut Evaluator<'_>) -> Result<ModelFault, Stopped> {
        let parts = self.parts();
        let position = parts.problem.first_not_true(evaluator)?;
        if let Some(reason) = parts.problem.assertions.get(position).and_then(|&term| evaluator.open(term)) {
            return Ok(ModelFault::open(&EvaluationError::Open { reason }));
        }
        let span = parts.problem.assertions.get(position).and_then(|term| parts.places.get(term));
        let place = span.map(|&span| Place::new(&parts.source, span));
        Ok(ModelFault::Assertion { number: position + 1, place })
    }
}
