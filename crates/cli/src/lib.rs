//! The command line of Sundry: arguments, files, threads, progress, messages and exit codes.
//!
//! All logic of the jobs is in the libraries; here is what touches the world. A job is a module
//! with a function that takes its arguments and returns its exit [`Status`]; standard output
//! carries results only, everything else goes through one console to standard error.

mod arguments;
mod campaign;
mod cc;
mod charts;
mod commands;
mod console;
mod convert;
mod coverage;
mod explore;
mod failure;
mod formula;
mod fuzz;
mod input;
mod interrupt;
mod log;
mod memory;
mod merge;
mod model;
mod output;
mod panics;
mod progress;
mod reduce;
mod sample;
mod shell;
mod solve;
mod stress;
mod values;
mod walk;

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use arguments::{Arguments, Job, MessageFormat, check_effects};
pub use commands::set_own_command;
use console::{Console, Verbosity};
pub use failure::Status;
use failure::{Failure, asks_for_json};
use interrupt::Stop;
use memory::Watch;
use output::REDIRECTION;
use sundry_report::untrusted;

/// Runs the program with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Status {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(status) = commands::guard(&arguments) {
        return status;
    }
    let wants_json = asks_for_json(&arguments);
    let (arguments, matches) = match parse(arguments) {
        Ok(parsed) => parsed,
        Err(error) if error.use_stderr() && wants_json => {
            let failure = Failure::of_command_line(&error);
            Console::new(Verbosity::Quiet).with_format(MessageFormat::Json).failure(&failure);
            return failure.status();
        }
        Err(error) => {
            // Help and version come this way too. There is nobody to tell when printing fails.
            let _ = error.print();
            return if error.use_stderr() { Status::Input } else { Status::Done };
        }
    };
    let console = Console::new(arguments.job.verbosity()).with_format(arguments.job.message_format());
    let ready = check_effects(&arguments.job, &matches)
        .and_then(|()| arguments.job.log().map_or(Ok(()), |arguments| log::start(arguments, &console)));
    if let Err(failure) = ready {
        console.failure(&failure);
        return failure.status();
    }
    let stop = Stop::default();
    let watch = Watch::start(arguments.job.memory(), &stop.memory);
    let work = || match &arguments.job {
        Job::Sample(arguments) => sample::run(arguments, &stop, &console),
        Job::Coverage(arguments) => coverage::run(arguments, &stop, &console),
        Job::Convert(arguments) => convert::run(arguments, &stop, &console),
        Job::Solve(arguments) => solve::run(arguments, &stop, &console),
        Job::Fuzz(arguments) => fuzz::run(arguments, &stop, &console),
        Job::Stress(arguments) => stress::run(arguments, &stop, &console),
        Job::Merge(arguments) => merge::run(arguments, &console),
        Job::Explore(arguments) => explore::run(arguments, &stop, &console),
        Job::Reduce(arguments) => reduce::run(arguments, &stop, &console),
        Job::Cc(arguments) => cc::run(arguments, &console),
        Job::Completions { shell, .. } => shell::completions(*shell),
        Job::Man { job, .. } => shell::man(job.as_deref()),
    };
    let status = panics::catch(work).and_then(|result| result).unwrap_or_else(|failure| {
        console.failure(&failure);
        failure.status()
    });
    if status == Status::Limit {
        watch.tell(&console);
    }
    status
}

/// The command line, and what of it was written there and not taken by default.
fn parse(arguments: Vec<OsString>) -> Result<(Arguments, ArgMatches), Error> {
    let mut command = Arguments::command();
    let matches = command.try_get_matches_from_mut(arguments).map_err(with_redirection)?;
    let parsed = Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    Ok((parsed, matches))
}

/// The error with a remedy, if it is about an option for the output that the job does not have.
fn with_redirection(mut error: Error) -> Error {
    let is_output = |argument: &str| argument.starts_with("-o") || argument.starts_with("--output");
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg)
        && is_output(argument)
    {
        let tip = format!("this job prints to standard output; with {REDIRECTION} that goes to a file");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}
