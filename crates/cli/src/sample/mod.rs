//! `sundry sample`: one formula, or a batch of them.

mod batch;
mod earlier;
mod ending;
mod files;
mod formulas;
mod plan;
mod predicates;
mod receiver;
mod refusal;
mod single;
mod tables;
mod task;
mod written;

use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::interrupt::Stop;
use plan::SamplePlan;
pub use plan::SamplingPlan;
use task::Task;

/// Runs the job.
///
/// # Errors
/// What stops all of it: arguments that do not fit together, outputs that cannot be written; of a
/// single formula, also what is wrong with it.
pub fn run(arguments: &SampleArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let plan = &SamplePlan::new(arguments, console)?;
    match plan.is_batch {
        true => batch::run(&Task { plan, console, stop, threads: 1 }),
        false => {
            let task = Task { plan, console, stop, threads: plan.threads };
            single::run(&task, &Input::from_argument(&plan.inputs[0]))
        }
    }
}
