//! `sundry reduce`: a smaller script with which a command does the same, or is still slow.

mod same;
mod watched;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;
use sundry_external::Limits;
use sundry_fuzz::{
    Check, Measured, Pace, Reduced, ScriptCommand, ScriptCommandError, Slowness, Subject, reduce,
};
use sundry_smtlib::{TheorySet, parse_script_within};
use sundry_term::TermStore;

use crate::arguments::ReduceArguments;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::input::Input;
use crate::interrupt::{self, Stop};
use crate::output::{OutputFile, write_results};
use crate::values::{counted, grouped};
use same::SameOutcome;
use watched::Watched;

/// Runs the job.
///
/// # Errors
/// The script cannot be read, the command not be run, or the result not be written.
pub fn run(arguments: &ReduceArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let start = Instant::now();
    let deadline = arguments.timeout.and_then(|timeout| start.checked_add(timeout));
    let control = stop.control().with_deadline(deadline);
    let source = Input::from_argument(&arguments.script).read(&control)?;
    let output = arguments.output.as_deref().map(OutputFile::new).transpose()?;
    let _lock = output.as_ref().map(OutputFile::lock).transpose()?;
    let mut store = TermStore::new();
    let script = parse_script_within(&mut store, &source, TheorySet::ALL, &control)
        .map_err(|diagnostic| Failure::at(&diagnostic, &source))?;
    let limits = commands::limits(arguments.check_timeout, arguments.check_memory);
    let workplace = commands::prepare(&limits, console)?;
    let folder = workplace.folder.path();
    interrupt::watch(stop);
    let bar = console.bars().add(ProgressBar::new_spinner());
    let watch = Watch { stop: &stop.interrupted, output: output.as_ref(), bar };
    let whole = source.text();
    let reduced = interrupt::until(deadline, stop, || {
        let subject = Subject::of_script(&script);
        match (&arguments.check, &arguments.slow) {
            (Some(check), _) => {
                let command = command("--check", check, folder)?;
                // What it does with the script as it was written, which may differ from how it is printed.
                let check =
                    SameOutcome::of_whole(arguments, limits.clone(), command, whole, &stop.interrupted)?;
                let help = "with --match TEXT, only that text counts";
                reduced(&mut store, subject, check, watch)?
                    .ok_or_else(|| printed_again("does something else").with_help(help))
            }
            (None, Some(slow)) => {
                let slow = command("--slow", slow, folder)?;
                let fast = arguments.fast.as_deref();
                let fast = fast.map(|fast| command("--fast", fast, folder)).transpose()?;
                let check = slowness(arguments, &limits, slow, fast, whole, &stop.interrupted)?;
                reduced(&mut store, subject, check, watch)?.ok_or_else(|| printed_again("is not slow"))
            }
            (None, None) => unreachable!("the command line has one of both"),
        }
    })?;
    match &output {
        Some(output) => output.replace(reduced.text.as_bytes())?,
        None => write_results(reduced.text.as_bytes(), "-o FILE")?,
    }
    console.line(format_args!(
        "{} of {} bytes left, {} tried in {:.2} s{}",
        grouped(reduced.text.len() as u64),
        grouped(whole.len() as u64),
        counted(reduced.checks, "script"),
        start.elapsed().as_secs_f64(),
        if reduced.is_finished { "" } else { "; stopped before it was finished" },
    ));
    Ok(if reduced.is_finished { Status::Done } else { Status::Limit })
}

/// Who is told how far it is, and who says when to stop.
struct Watch<'a> {
    stop: &'a AtomicBool,
    /// Where the smallest script so far is kept.
    output: Option<&'a OutputFile>,
    bar: ProgressBar,
}

fn reduced<C: Check<Error = ScriptCommandError>>(
    store: &mut TermStore,
    subject: Subject,
    check: C,
    watch: Watch<'_>,
) -> Result<Option<Reduced>, Failure> {
    let (has_output, stop) = (watch.output.is_some(), watch.stop);
    let mut watched = Watched::new(check, watch);
    let reduced = reduce(store, subject, &mut watched);
    if let (Err(_), Some(smallest), false) = (&reduced, watched.end(), has_output) {
        // What was reached before the failure is kept here too.
        write_results(smallest.as_bytes(), "-o FILE")?;
    }
    match reduced {
        Ok(None) if stop.load(Ordering::Relaxed) => Err(stopped_too_soon()),
        reduced => reduced,
    }
}

/// What ended before it was known what there is to keep.
fn stopped_too_soon() -> Failure {
    let message = "stopped before the command had ended with the whole script";
    Failure::new(FailureKind::Limit, message).with_help("--timeout is for all runs of the command together")
}

/// A command of an option.
fn command(option: &str, words: &str, folder: &Path) -> Result<ScriptCommand, Failure> {
    // Each has a folder of its own.
    ScriptCommand::new(words, &folder.join(option.trim_start_matches('-')))
        .map_err(|error| Failure::usage(format_args!("{option}: {error}")))
}

/// A command that cannot be run is the fault of the command line, a file that cannot be written is a limit's.
fn not_run(error: &ScriptCommandError) -> Failure {
    match error {
        ScriptCommandError::Start { .. } => Failure::usage(error),
        ScriptCommandError::Write { path, error } => Failure::writing(path, error),
    }
}

fn printed_again(what: &str) -> Failure {
    let message = format!(
        "the command {what} with the script as it is printed again, without comments, definitions and information"
    );
    Failure::usage(message)
}

/// The check for scripts on which a command is slow, if it is on the whole one.
fn slowness<'a>(
    arguments: &ReduceArguments,
    limits: &Limits,
    slow: ScriptCommand,
    fast: Option<ScriptCommand>,
    whole: &str,
    stop: &'a AtomicBool,
) -> Result<Slowness<'a>, Failure> {
    let has_fast = fast.is_some();
    let pace =
        Pace { factor: arguments.factor, at_least: arguments.at_least, limit: arguments.check_timeout };
    let mut check = Slowness::new(slow, fast, pace, limits.memory, stop);
    let Measured { slow, fast, shows, .. } = check.measure(whole).map_err(|error| not_run(&error))?;
    if stop.load(Ordering::Relaxed) {
        return Err(stopped_too_soon());
    }
    let seconds = |time: std::time::Duration| format!("{:.2} s", time.as_secs_f64());
    if shows {
        return Ok(check);
    }
    let message = match fast {
        None if has_fast => format!(
            "with the whole script, the command of --fast does not end within {}",
            seconds(pace.limit.div_f64(pace.factor))
        ),
        Some(fast) if slow >= pace.at_least => format!(
            "with the whole script, the command of --slow takes {} of processor time, less than {} times the {} of --fast",
            seconds(slow),
            pace.factor,
            seconds(fast)
        ),
        _ => format!(
            "with the whole script, the command of --slow takes {} of processor time, less than --at-least {}",
            seconds(slow),
            seconds(pace.at_least)
        ),
    };
    let help = "--at-least and --factor say what is slow, --check-timeout how long both may take";
    Err(Failure::usage(message).with_help(help))
}
