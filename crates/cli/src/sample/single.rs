//! One formula: solutions to standard output or a file.

use sundry_report::RunKind;

use super::files::Files;
use super::receiver::Output;
use super::task::{Finished, Task};
use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::interrupt;
use crate::output::write_results;
use crate::progress::FormulaProgress;

/// Samples one formula.
///
/// # Errors
/// The formula cannot be run, or nothing of what it brought can be written.
pub fn run(task: &Task<'_>, input: &Input) -> Result<Status, Failure> {
    let Task { plan, console, stop, .. } = task;
    input.check()?;
    let files = Files::new(plan, input)?;
    let name = input.to_string();
    let mut progress = match plan.kind() {
        RunKind::Set => FormulaProgress::single(console, &name),
        RunKind::Tuples | RunKind::Volume => FormulaProgress::counting(console, &name),
    };
    let formula = task.read(input)?;
    interrupt::watch(stop);
    let without_file = if plan.output.json { Output::Nowhere } else { Output::Standard };
    let finished = task.run(formula, &files.places, without_file, &mut progress)?;
    drop(progress);
    Ok(files.finish(&finished.record, write_output(task, &finished), console))
}

fn write_output(task: &Task<'_>, finished: &Finished) -> Result<(), Failure> {
    let output = &task.plan.output;
    if output.json {
        write_results(finished.record.to_json().as_bytes(), "--record FILE")
    } else if output.solutions.is_none() && task.plan.kind() != RunKind::Volume {
        write_results(&task.render(&finished.formula, &finished.summary), "-o FILE")
    } else {
        Ok(())
    }
}
