//! `sundry sample`: one formula, or a batch of them.

mod batch;
mod files;
mod journal;
mod placement;
mod predicates;
mod records;
mod refusal;
mod single;
mod tables;
mod task;
mod twise;
mod volume;
mod written;

use sundry_sample::VolumeStrategy;

use crate::arguments::{Plan, SampleArguments, Source};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::input::Input;
use crate::interrupt::Stop;
use task::Task;
use twise::TWiseTask;
use volume::VolumeTask;

/// Runs the job.
///
/// # Errors
/// What stops all of it: arguments that do not fit together, outputs that cannot be written; of a
/// single formula, also what is wrong with it.
pub fn run(arguments: &SampleArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    arguments.strategy.check()?;
    match (&arguments.inputs[..], arguments.strategy.plan()) {
        ([one], Plan::Set(strategy)) if !one.is_dir() => {
            check_single_set(arguments)?;
            single::run(arguments, strategy, &Input::from_argument(one), stop, console)
        }
        ([one], Plan::TWise) if !one.is_dir() => {
            twise::check(arguments)?;
            check_single_set(arguments)?;
            let task = TWiseTask { arguments, console, stop };
            twise::run(&task, &Input::from_argument(one))
        }
        (_, Plan::TWise) => {
            twise::check(arguments)?;
            predicates::check_several(arguments)?;
            check_several(arguments)?;
            batch::run(arguments, &TWiseTask { arguments, console, stop }, console, stop)
        }
        ([one], Plan::Volume(source)) if !one.is_dir() => {
            volume::check(arguments)?;
            let task = VolumeTask { arguments, console, stop, source };
            volume::run(&task, &Input::from_argument(one))
        }
        (_, Plan::Set(strategy)) => {
            check_several(arguments)?;
            if arguments.output.resume && arguments.output.record.is_none() {
                let message = "--resume goes by the record of the batch, and there is no --record";
                return Err(Failure::new(Status::Input, message).with_help("add --record FILE"));
            }
            let task = Task { arguments, console, stop, strategy, threads: 1, is_only: false };
            batch::run(arguments, &task, console, stop)
        }
        (_, Plan::Volume(source)) => {
            volume::check(arguments)?;
            volume::check_several(arguments)?;
            check_several(arguments)?;
            let may_go_on = matches!(source, Source::Search(strategy) if strategy != VolumeStrategy::All);
            if may_go_on && arguments.limits.timeout.is_none() {
                console.line(
                    "note: without --timeout, a formula that has arrays or functions and fewer solutions than -n \
                     asks for never ends",
                );
            }
            let task = VolumeTask { arguments, console, stop, source };
            batch::run(arguments, &task, console, stop)
        }
    }
}

/// Refuses what cannot be done with a set of solutions of one formula.
fn check_single_set(arguments: &SampleArguments) -> Result<(), Failure> {
    if arguments.output.resume {
        let message = "--resume takes up a batch, and this is one formula";
        let help = "runs with --strategy smtsampler and others at volume can go on with their file";
        return Err(Failure::new(Status::Input, message).with_help(help));
    }
    Ok(())
}

/// Refuses what cannot be done with several formulas.
fn check_several(arguments: &SampleArguments) -> Result<(), Failure> {
    if arguments.inputs.iter().any(|path| path.as_os_str() == "-") {
        let message = "standard input (-) cannot be one of several formulas";
        return Err(Failure::new(Status::Input, message));
    }
    Ok(())
}
