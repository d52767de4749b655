//! One formula: solutions to standard output or a file.

use sundry_report::Record;
use sundry_sample::StrategyKind;

use super::batch::Runner;
use super::files::Files;
use super::task::{Finished, Task};
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::interrupt::{self, Stop};
use crate::output::write_results;
use crate::progress::FormulaProgress;

/// Samples one formula.
///
/// # Errors
/// The formula cannot be run, or nothing of what it brought can be written.
pub fn run(
    arguments: &SampleArguments,
    strategy: StrategyKind,
    input: &Input,
    stop: &Stop,
    console: &Console,
) -> Result<Status, Failure> {
    input.check()?;
    let files = Files::new(arguments, input)?;
    let task =
        Task { arguments, console, stop, strategy, threads: arguments.limits.threads(), is_only: true };
    let name = input.to_string();
    let mut progress = FormulaProgress::single(console, &name);
    let formula = task.read(input)?;
    interrupt::watch(stop);
    let finished = task.sample(formula, &files.places, &mut progress)?;
    drop(progress);

    Ok(files.finish(&finished.record, write_output(&task, &finished), console))
}

fn write_output(task: &Task<'_>, finished: &Finished) -> Result<(), Failure> {
    let output = &task.arguments.output;
    if output.json {
        write_results(finished.record.to_json().as_bytes(), "--record FILE")
    } else if output.output.is_none() {
        write_results(&task.render(&finished.formula, &finished.outcome), "-o FILE")
    } else {
        Ok(())
    }
}
