//! Results that the standard leaves open, such as those of divisions by zero, for models that do not say them.
//!
//! The text of a model has values of constants and functions. Where the truth of a formula depends on a division by zero besides, the
//! model is a solution if some result of the division makes the formula true, so a solver is asked for one.

use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking, UnknownReason};
use sundry_term::{EvaluationError, Evaluator, FunctionValue, Op, TermId, TermStore, Value};

use super::{Control, Model, Problem, Stopped};

/// The model with open results under which all assertions hold. `None` if some assertion is false whatever they are, if there are no such
/// results, if none was found, or if the model has them.
///
/// # Errors
/// The control has stopped the search.
pub(crate) fn with_open_results(
    problem: &Problem,
    model: &Model,
    control: &Control,
) -> Result<Option<Model>, Stopped> {
    if model.chosen_results().is_some() {
        return Ok(None);
    }
    let mut evaluator = Evaluator::with_control(&problem.store, model, control);
    match evaluator.evaluate(&problem.assertions) {
        Err(EvaluationError::Stopped(reason)) => return Err(reason),
        Err(_) => return Ok(None),
        Ok(()) => {}
    }
    let is_false = |&assertion: &TermId| evaluator.value(assertion) == Some(&Value::Bool(false));
    if problem.assertions.iter().any(is_false) {
        return Ok(None);
    }
    let mut completed = model.clone();
    problem.complete(&mut completed);
    let mut store = problem.store.clone();
    let mut session = Session::new(EngineOptions::for_single_questions());
    for assertion in problem.assertions.iter().copied().chain(equations(&mut store, problem, &completed)) {
        session.assert(assertion, Tracking::Silent);
    }
    match session.check(&mut store, &[], &Limits::new(control, None)) {
        Answer::Sat(found) => {
            completed.set_chosen_results(found.chosen_results().cloned().unwrap_or_default());
            let holds =
                problem.satisfied(&mut Evaluator::with_control(&problem.store, &completed, control))?;
            Ok(holds.then_some(completed))
        }
        Answer::Unknown(UnknownReason::Timeout | UnknownReason::Interrupted | UnknownReason::Memory) => {
            Err(control.reason())
        }
        Answer::Unsat(_) | Answer::Unknown(_) => Ok(None),
    }
}

/// Equations that say what a model says, as far as its values have terms.
fn equations(store: &mut TermStore, problem: &Problem, model: &Model) -> Vec<TermId> {
    let mut equations = Vec::new();
    for &symbol in &problem.symbols {
        let declared = store.symbol(symbol);
        let (arguments, result) = (declared.arguments.clone(), declared.result);
        if let Some(value) = model.constant(symbol).filter(|value| has_term(value)) {
            let sides = [store.symbol_term(symbol), store.value_term(result, value)];
            equations.push(store.make(Op::Equal, &sides));
        }
        let Some(FunctionValue::Table { entries, .. }) = model.function(symbol) else { continue };
        for (point, value) in entries {
            if !point.iter().chain([value]).all(has_term) {
                continue;
            }
            let point: Vec<TermId> =
                arguments.iter().zip(point).map(|(&sort, value)| store.value_term(sort, value)).collect();
            let sides = [store.make(Op::Apply(symbol), &point), store.value_term(result, value)];
            equations.push(store.make(Op::Equal, &sides));
        }
    }
    equations
}

/// Whether a value has a term.
fn has_term(value: &Value) -> bool {
    matches!(
        value,
        Value::Bool(_)
            | Value::BitVec(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::RoundingMode(_)
            | Value::Float(_)
    )
}

#[cfg(test)]
mod tests {
    use super::super::Measurement;
    use crate::{Control, Formula, Strategy};

    #[test]
    fn solutions_that_rest_on_open_results_are_solutions_again() {
        for text in [
            "(declare-const a Int) (declare-const b Int) (assert (> (div a b) 2)) (assert (<= 0 b 1)) (assert (<= -5 a 5))",
            "(declare-const a Int) (declare-const b Int) (assert (= (mod a b) 7)) (assert (= b 0)) (assert (<= 0 a 3))",
            "(declare-const r Real) (assert (= (/ r 0.0) 5.0)) (assert (= (/ (+ r 1.0) 0.0) 6.0))",
            "(declare-fun f (Int) Int) (declare-const a Int) (assert (= (f a) (div a 0))) (assert (> (f 3) 8)) (assert (= a 3))",
            "(declare-const x Float16) (assert (fp.isNaN x)) (assert (= ((_ fp.to_ubv 8) RNE x) #x05))",
        ] {
            let text = text.replace("-5", "(- 5)");
            let formula = Formula::parse(&text).unwrap();
            let solutions = formula.sampler().strategy(Strategy::Cover).run().unwrap().solutions;
            assert!(!solutions.is_empty(), "{text}");
            let (mut reader, mut measurement) = (formula.solution_reader(), Measurement::new(&formula));
            for solution in solutions {
                let read = reader.read(&solution.to_smtlib(), &Control::default()).expect(&text);
                assert_eq!(read.to_smtlib(), solution.to_smtlib());
                for model in measurement.read(&solution.to_smtlib()).unwrap() {
                    assert_eq!(
                        measurement.add(&model.model, &Control::default()).unwrap().fault,
                        None,
                        "{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_open_result_saves_a_model_that_is_none() {
        let text =
            "(declare-const a Int) (declare-const b Int) (assert (= (div a 0) 1)) (assert (= (div b 0) 2))";
        let formula = Formula::parse(text).unwrap();
        let mut reader = formula.solution_reader();
        let mut read = |text: &str| reader.read(text, &Control::default()).map_err(|error| error.to_string());
        assert!(read("((define-fun a () Int 3) (define-fun b () Int 4))").is_ok());
        // Equal arguments have equal results.
        let error = read("((define-fun a () Int 3) (define-fun b () Int 3))").unwrap_err();
        assert_eq!(error, "the model is no solution: the value depends on a division by zero");
    }
}
