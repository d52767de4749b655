//! The values that predicates can have in solutions of a formula.

use std::fmt;

use sundry_coverage::{Class, Predicate};
use sundry_solver::{EngineOptions, Query, Refusal, Verdict};
use sundry_term::{Control, Evaluator};

use crate::formula_engine::FormulaEngine;
use crate::not_ready::NotReady;
use crate::problem::{Problem, Rejection, WrongModel};

/// Whether a predicate can have one of its values.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Possibility {
    /// Some solution gives the predicate the value.
    Possible,
    /// No solution has the value, by proof.
    Impossible,
    /// Time was up before it was decided.
    #[default]
    Unknown,
}

/// The values that a predicate can have.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Possibilities {
    /// Whether the predicate can hold.
    pub holds: Possibility,
    /// Whether the predicate can fail.
    pub fails: Possibility,
}

impl Possibilities {
    fn of(&mut self, value: bool) -> &mut Possibility {
        if value { &mut self.holds } else { &mut self.fails }
    }
}

/// The reason why predicates could not be decided.
#[derive(Debug)]
pub enum PredicateError {
    /// The formula or a predicate has no circuit.
    Refused(Refusal),
    /// A defect of the solver.
    WrongModel(WrongModel),
}

impl fmt::Display for PredicateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PredicateError::Refused(error) => error.fmt(f),
            PredicateError::WrongModel(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PredicateError {}

/// The part that was found where time was up.
pub(crate) fn so_far<T>(error: NotReady, found: T) -> Result<T, PredicateError> {
    match error {
        NotReady::Refused(error) => Err(PredicateError::Refused(error)),
        NotReady::Stopped { .. } | NotReady::Undecided(_) => Ok(found),
    }
}

/// Decides for each predicate whether it can hold and whether it can fail. Predicates that time does
/// not suffice for stay unknown.
///
/// # Errors
/// A formula or predicate without a circuit, or a wrong model.
pub fn decide_predicates(
    problem: &Problem,
    predicates: &[Predicate],
    seed: u64,
    control: &Control,
) -> Result<Vec<Possibilities>, PredicateError> {
    let mut known = vec![Possibilities::default(); predicates.len()];
    let options = EngineOptions::for_many_calls();
    let mut formula = match FormulaEngine::new(problem, seed, &options, control, &mut |_| {}) {
        Ok(formula) => formula,
        Err(error) => return so_far(error, known),
    };
    let see = |model, known: &mut [Possibilities]| -> Result<(), PredicateError> {
        let solution = match problem.judge(model, control) {
            Ok(solution) => solution,
            Err(Rejection::Wrong(error)) => return Err(PredicateError::WrongModel(error)),
            // What was not seen stays unknown.
            Err(Rejection::Unjudged(_)) => return Ok(()),
        };
        let mut evaluator = Evaluator::with_control(&problem.store, &solution.model, control);
        // Bit-vectors, arrays and functions leave nothing open, and the model was evaluated before. Without time for
        // evaluation, nothing was seen.
        if let Ok(class) = Class::evaluate(&mut evaluator, predicates) {
            for (position, of) in known.iter_mut().enumerate() {
                *of.of(class.holding().contains(position)) = Possibility::Possible;
            }
        }
        Ok(())
    };
    if let Some(first) = formula.take_first() {
        see(first.model, &mut known)?;
    }
    for (position, predicate) in predicates.iter().enumerate() {
        for value in [true, false] {
            if *known[position].of(value) != Possibility::Unknown || control.stopped() {
                continue;
            }
            let edge = match formula.bits_of_all(&[predicate.term]) {
                Ok(edges) => edges[0][0].complement_if(!value),
                Err(error) => return so_far(NotReady::after(None, error), known),
            };
            let literal = formula.engine_mut().literal(edge);
            match formula.find(Query::assuming(&[literal])) {
                Ok(model) => see(model, &mut known)?,
                Err(Verdict::Unsat) => *known[position].of(value) = Possibility::Impossible,
                Err(_) => {}
            }
        }
    }
    Ok(known)
}
