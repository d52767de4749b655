//! One formula: solutions to standard output or a file.

use std::path::PathBuf;
use std::sync::Arc;

use sundry_report::{BatchEntry, Record};
use sundry_sample::StrategyKind;

use super::batch::{Places, Runner, csv};
use super::check_files;
use super::task::{Finished, Task};
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;
use crate::interrupt;
use crate::output::{OutputFile, OutputFolder, write_results};
use crate::progress::FormulaProgress;

/// The files that a run writes.
struct Files {
    places: Places,
    record: Option<OutputFile>,
    summary: Option<OutputFile>,
}

impl Files {
    /// Checks all of them before any work is done.
    fn new(arguments: &SampleArguments, input: &Input) -> Result<Self, Failure> {
        let file = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::new).transpose();
        let obligations = arguments.output.obligations.as_deref().map(OutputFolder::new).transpose()?;
        let files = Files {
            places: Places { solutions: file(&arguments.output.output)?, obligations },
            record: file(&arguments.output.record)?,
            summary: file(&arguments.output.summary)?,
        };
        let all = [&files.places.solutions, &files.record, &files.summary].map(Option::as_ref);
        check_files(&all, input.path().into_iter())?;
        Ok(files)
    }
}

/// Samples one formula.
///
/// # Errors
/// The formula cannot be run, or nothing of what it brought can be written.
pub fn run(
    arguments: &SampleArguments,
    strategy: StrategyKind,
    input: &Input,
    console: &Console,
) -> Result<Status, Failure> {
    if arguments.output.resume {
        let message = "--resume takes up a batch, and this is one formula";
        let help = "runs with --strategy smtsampler and others at volume can go on with their file";
        return Err(Failure::new(Status::Input, message).with_help(help));
    }
    input.check()?;
    let files = Files::new(arguments, input)?;
    let stop = Arc::default();
    let task = Task { arguments, console, stop: &stop, strategy, threads: arguments.limits.threads() };
    let name = input.to_string();
    let mut progress = FormulaProgress::single(console, &name);
    let formula = task.read(input)?;
    interrupt::watch(&stop);
    let finished = task.sample(formula, &files.places, &mut progress)?;
    drop(progress);

    let mut status = Status::from_code(finished.record.status);
    for result in [
        write_output(&task, &finished),
        write_file(files.record.as_ref(), || finished.record.to_json().into_bytes()),
        write_file(files.summary.as_ref(), || csv(&[BatchEntry::Finished(finished.record.clone())])),
    ] {
        if let Err(failure) = result {
            console.failure(&failure);
            status = status.max(failure.status());
        }
    }
    Ok(status)
}

fn write_output(task: &Task<'_>, finished: &Finished) -> Result<(), Failure> {
    let output = &task.arguments.output;
    if output.json {
        write_results(finished.record.to_json().as_bytes())
    } else if output.output.is_none() {
        write_results(&task.render(&finished.formula, &finished.outcome))
    } else {
        Ok(())
    }
}

fn write_file(file: Option<&OutputFile>, content: impl FnOnce() -> Vec<u8>) -> Result<(), Failure> {
    file.map_or(Ok(()), |file| file.replace(&content()))
}
