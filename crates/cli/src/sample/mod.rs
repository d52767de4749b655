//! `sundry sample`: one formula, or a batch of them.

mod batch;
mod placement;
mod records;
mod single;
mod task;
mod volume;

use std::path::Path;

use crate::arguments::{Plan, SampleArguments};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;
use crate::output::OutputFile;

/// Runs the job.
///
/// # Errors
/// What stops all of it: arguments that do not fit together, outputs that cannot be written; of a
/// single formula, also what is wrong with it.
pub fn run(arguments: &SampleArguments, console: &Console) -> Result<Status, Failure> {
    arguments.strategy.check()?;
    match (&arguments.inputs[..], arguments.strategy.plan()) {
        ([one], Plan::Set(strategy)) if !one.is_dir() => {
            single::run(arguments, strategy, &Input::from_argument(one), console)
        }
        ([one], Plan::Volume(strategy)) if !one.is_dir() => {
            volume::run(arguments, strategy, &Input::from_argument(one), console)
        }
        (_, Plan::Volume(_)) => {
            let message = format_args!("the strategy {} takes one formula", arguments.strategy.name());
            Err(Failure::new(Status::Input, message).with_help("call sundry once for each formula"))
        }
        (several, Plan::Set(strategy)) => {
            if several.iter().any(|path| path.as_os_str() == "-") {
                let message = "standard input (-) cannot be one of several formulas";
                return Err(Failure::new(Status::Input, message));
            }
            batch::run(arguments, strategy, console)
        }
    }
}

/// Refuses outputs that would be written over an input or over one another.
fn check_files<'a>(
    files: &[Option<&OutputFile>],
    inputs: impl Iterator<Item = &'a Path>,
) -> Result<(), Failure> {
    let files: Vec<&OutputFile> = files.iter().copied().flatten().collect();
    for input in inputs {
        if files.iter().any(|file| file.is_same_as(input)) {
            let message = format_args!("the output {} is the formula itself", input.display());
            let help = "choose another name, the formula would be lost";
            return Err(Failure::new(Status::Input, message).with_help(help));
        }
    }
    for (position, file) in files.iter().enumerate() {
        if file.is_regular() && files[..position].contains(file) {
            let message = format_args!("two outputs would go to {}", file.name().display());
            return Err(Failure::new(Status::Input, message));
        }
    }
    Ok(())
}
