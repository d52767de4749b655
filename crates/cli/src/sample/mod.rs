//! `sundry sample`: one formula, or a batch of them.

mod batch;
mod placement;
mod records;
mod single;
mod task;
mod walk;

use std::path::Path;

use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;

/// Runs the job.
///
/// # Errors
/// What stops all of it: arguments that do not fit together, outputs that cannot be written; of a
/// single formula, also what is wrong with it.
pub fn run(arguments: &SampleArguments, console: &Console) -> Result<Status, Failure> {
    arguments.strategy.check()?;
    match &arguments.inputs[..] {
        [one] if !one.is_dir() => single::run(arguments, &Input::from_argument(one), console),
        several => {
            if several.iter().any(|path| path.as_os_str() == "-") {
                let message = "standard input (-) cannot be one of several formulas";
                return Err(Failure::new(Status::Input, message));
            }
            batch::run(arguments, console)
        }
    }
}

/// Refuses to write over an input.
fn check_not_input(output: &crate::output::OutputFile, input: &Path) -> Result<(), Failure> {
    if !output.is_same_as(input) {
        return Ok(());
    }
    let message = format_args!("the output {} is the formula itself", input.display());
    Err(Failure::new(Status::Input, message).with_help("choose another name, the formula would be lost"))
}
