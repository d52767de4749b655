//! A verifier of models found elsewhere: it judges 64 at a time, where all of the formula can be evaluated for many.
//!
//! Formulas with other parts are left to the evaluator: arrays of arrays, functions with bodies, declared sorts with so
//! many elements and no others.

use sundry_lanes::{LANES, Memory, Program};
use sundry_term::{Control, Evaluator, FunctionValue, Model, Stopped, TermStore};

use crate::problem::Problem;

/// The assertions of a problem, ready to judge models.
pub struct Verifier {
    /// The program; `None` where a part of the formula has no lanes.
    compiled: Option<(Program, Memory)>,
}

impl Verifier {
    /// The number of models that are judged together.
    pub const TOGETHER: usize = LANES;

    /// A judge of models of a problem.
    pub fn new(problem: &Problem) -> Self {
        let program = Program::new(&problem.store, &problem.assertions).ok();
        let compiled = program.map(|program| {
            let memory = program.memory();
            (program, memory)
        });
        Verifier { compiled }
    }

    /// The position of the first model under which not all assertions hold, if there is one. Symbols that a model
    /// leaves out have the default value of their sort. The store is that of the problem, or has all of its terms.
    ///
    /// # Errors
    /// Time was up before the end.
    pub fn first_wrong(
        &mut self,
        problem: &Problem,
        store: &TermStore,
        models: &[Model],
        control: &Control,
    ) -> Result<Option<usize>, Stopped> {
        for (block, models) in models.chunks(LANES).enumerate() {
            control.check()?;
            let judged = match &mut self.compiled {
                Some((program, memory)) if models.iter().all(is_plain) => {
                    let models: Vec<&Model> = models.iter().collect();
                    program.load(store, memory, &models);
                    program.run(store, memory, control)?;
                    let satisfying =
                        program.roots().iter().fold(u64::MAX, |all, &root| all & memory.mask(root));
                    satisfying.trailing_ones() as usize
                }
                _ => evaluate(problem, store, models, control)?,
            };
            if judged < models.len() {
                return Ok(Some(block * LANES + judged));
            }
        }
        Ok(None)
    }
}

/// Whether lanes have room for all that a model says.
fn is_plain(model: &Model) -> bool {
    let has_body = |value: &FunctionValue| matches!(value, FunctionValue::Body { .. });
    model.universes().is_empty() && !model.functions().any(|(_, value)| has_body(value))
}

/// The number of leading models that satisfy the problem, by the evaluator.
fn evaluate(
    problem: &Problem,
    store: &TermStore,
    models: &[Model],
    control: &Control,
) -> Result<usize, Stopped> {
    for (position, model) in models.iter().enumerate() {
        let mut evaluator = Evaluator::with_control(store, model, control);
        if !problem.satisfied(&mut evaluator)? {
            return Ok(position);
        }
    }
    Ok(models.len())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use sundry_smtlib::{ModelReader, SourceText, TheorySet, parse_script};
    use sundry_term::Value;

    use super::*;

    fn problem(text: &str) -> Problem {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("formula", text), TheorySet::SOLVED);
        let formula = script.unwrap_or_else(|error| panic!("{error}")).formula();
        Problem::new(store, formula.assertions, formula.symbols)
    }

    /// Models of `x`, one for each value, with what else they say.
    fn models(problem: &mut Problem, rest: &str) -> Vec<Model> {
        let text: String =
            (0..=255).map(|x| format!("((define-fun x () (_ BitVec 8) #x{x:02x}){rest})\n")).collect();
        let mut reader = ModelReader::new(&mut problem.store, &problem.symbols);
        let read = reader.models(&mut problem.store, &SourceText::new("models", text));
        read.unwrap_or_else(|error| panic!("{error}")).into_iter().map(|read| read.model).collect()
    }

    /// The first wrong model is found, wherever it is, with lanes and without.
    #[test]
    fn the_first_wrong_model_is_found() {
        let x = "(declare-const x (_ BitVec 8))";
        for (formula, rest, is_compiled) in [
            ("(assert (bvult x #xc8))", "", true),
            // A function with a body is not a table.
            (
                "(declare-fun f ((_ BitVec 8)) (_ BitVec 8)) (assert (bvult (f x) #xc9))",
                "(define-fun f ((y (_ BitVec 8))) (_ BitVec 8) (bvadd y #x01))",
                true,
            ),
            (
                "(declare-const m (Array (_ BitVec 8) (Array Bool Bool)))
                 (assert (= (bvult x #xc8) (select (select m x) true)))",
                "(define-fun m () (Array (_ BitVec 8) (Array Bool Bool))
                   ((as const (Array (_ BitVec 8) (Array Bool Bool))) ((as const (Array Bool Bool)) true)))",
                false,
            ),
            // An integer of any size is no number of bits; it is 0 where it is left out.
            ("(declare-const n Int) (assert (and (bvult x #xc8) (= (mod n 7) 0)))", "", false),
            ("(declare-const n Int) (assert (= (bvult x #xc8) (= (div n n) (div 0 0))))", "", false),
        ] {
            let mut problem = problem(&format!("{x} {formula}"));
            let models = models(&mut problem, rest);
            let mut verifier = Verifier::new(&problem);
            assert_eq!(verifier.compiled.is_some(), is_compiled, "{formula}");
            let mut first = |models: &[Model]| {
                verifier.first_wrong(&problem, &problem.store, models, &Control::default())
            };
            assert_eq!(first(&models), Ok(Some(200)), "{formula}");
            assert_eq!(first(&models[..200]), Ok(None));
            assert_eq!(first(&models[199..]), Ok(Some(1)));
            assert_eq!(first(&[]), Ok(None));
        }
    }

    #[test]
    fn what_is_left_out_is_zero_and_judging_stops() {
        let problem = problem("(declare-const x (_ BitVec 8)) (declare-const y Bool) (assert (= x #x00))");
        let mut verifier = Verifier::new(&problem);
        let mut wrong = Model::new();
        wrong.set_constant(problem.symbols[0], Value::BitVec(sundry_term::BitVector::ones(8)));
        let models = [Model::new(), wrong];
        let control = Control::default();
        assert_eq!(verifier.first_wrong(&problem, &problem.store, &models, &control), Ok(Some(1)));
        let control = control.with_stop(Arc::new(AtomicBool::new(true)));
        let stopped = verifier.first_wrong(&problem, &problem.store, &models, &control);
        assert_eq!(stopped, Err(Stopped::Interrupted));
    }
}
