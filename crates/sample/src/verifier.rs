//! Judging models that somebody else has found: 64 at a time, where all of the formula can be evaluated for many.
//!
//! What cannot is given to the evaluator: arrays of arrays, functions with bodies, declared sorts with so many elements
//! and no others.

use sundry_lanes::{LANES, Memory, Program};
use sundry_term::{Control, Evaluator, FunctionValue, Model, Stopped, TermStore};

use crate::problem::Problem;

/// The assertions of a problem, ready to judge models.
pub struct Verifier {
    /// None where the formula has something for which there are no lanes.
    compiled: Option<(Program, Memory)>,
}

impl Verifier {
    /// How many models are judged together.
    pub const TOGETHER: usize = LANES;

    /// A judge of models of a problem.
    pub fn new(problem: &Problem) -> Self {
        let program = Program::new(&problem.store, &problem.assertions).ok();
        Verifier {
            compiled: program
                .map(|program| (program.memory(), program))
                .map(|(memory, program)| (program, memory)),
        }
    }

    /// The position of the first model under which not all assertions hold, if there is one. Symbols that a model
    /// leaves out have the default value of their sort. The store is that of the problem, or has all of its terms.
    ///
    /// # Errors
    /// There was no time to find out.
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
                    program.run(store, memory);
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

/// How many models in front satisfy the problem, by the evaluator.
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
