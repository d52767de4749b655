//! `sundry reduce`: a smaller script with which a command does the same.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;
use sundry_external::{Finished, Limits, Stopped, command_in, run as run_command, split_command};
use sundry_fuzz::{Check, Subject, reduce};
use sundry_smtlib::{Language, parse_script};
use sundry_term::TermStore;

use crate::arguments::ReduceArguments;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::Input;
use crate::interrupt;
use crate::output::{OutputFile, temporary_folder, write_results};
use crate::values::{counted, grouped};

/// Runs the job.
///
/// # Errors
/// The script cannot be read, the command not be run, or the result not be written.
pub fn run(arguments: &ReduceArguments, console: &Console) -> Result<Status, Failure> {
    let start = Instant::now();
    let source = Input::from_argument(&arguments.script).read()?;
    let output = arguments.output.as_deref().map(OutputFile::new).transpose()?;
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source, Language::All)
        .map_err(|diagnostic| Failure::at(&diagnostic, &source))?;
    let (program, words) = split_command(&arguments.check)
        .map_err(|error| Failure::new(Status::Input, format_args!("--check: {error}")))?;
    let limits = commands::limits(arguments.check_timeout, arguments.check_memory);
    commands::prepare(&limits, console);
    let folder = temporary_folder()?;
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::watch(&stop);
    let mut check = CommandCheck {
        program,
        arguments: words,
        matches: &arguments.matches,
        limits,
        file: folder.path().join("script.smt2"),
        stop: &stop,
        deadline: arguments.timeout.and_then(|timeout| start.checked_add(timeout)),
        wanted: None,
        output: output.as_ref(),
        bar: console.bars().add(ProgressBar::new_spinner()),
        checks: 0,
    };
    // What the command does with the script as it was written, which may differ from how it is printed.
    check.wanted = Some(check.outcome(source.text())?);
    check.confirm_matches()?;
    let reduced = reduce(&mut store, Subject::of_script(&script), &mut check)?;
    check.bar.finish_and_clear();
    let Some(reduced) = reduced else {
        let message = "the command does something else with the script as it is printed again, without comments, \
                       definitions and information";
        return Err(
            Failure::new(Status::Input, message).with_help("with --match TEXT, only that text counts")
        );
    };
    match &output {
        Some(output) => output.replace(reduced.text.as_bytes())?,
        None => write_results(reduced.text.as_bytes())?,
    }
    console.line(format_args!(
        "{} of {} bytes left, {} tried in {:.2} s{}",
        grouped(reduced.text.len() as u64),
        grouped(source.text().len() as u64),
        counted(reduced.checks, "script"),
        start.elapsed().as_secs_f64(),
        if reduced.is_finished { "" } else { "; stopped before it was finished" },
    ));
    Ok(if reduced.is_finished { Status::Done } else { Status::Limit })
}

/// What a command did, as far as it matters.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Outcome {
    /// It ended, and printed this to standard output and standard error.
    Ended { status: ExitStatus, output: String, errors: String },
    /// It was stopped.
    Stopped(Stopped),
}

/// Runs a command on scripts.
struct CommandCheck<'a> {
    program: String,
    arguments: Vec<String>,
    matches: &'a [String],
    limits: Limits,
    file: PathBuf,
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    /// What it does with the whole script.
    wanted: Option<Outcome>,
    /// Where the smallest script so far is kept.
    output: Option<&'a OutputFile>,
    bar: ProgressBar,
    checks: usize,
}

impl CommandCheck<'_> {
    fn outcome(&self, text: &str) -> Result<Outcome, Failure> {
        std::fs::write(&self.file, text).map_err(|error| Failure::writing(&self.file, &error))?;
        let words = self.arguments.iter().map(OsString::from).chain([self.file.clone().into()]);
        let folder = self.file.parent().expect("it is in a folder");
        let finished = run_command(&mut command_in(&self.program, words, folder), &self.limits, self.stop)
            .map_err(|error| {
                Failure::new(
                    Status::Input,
                    format_args!("--check: '{}' cannot be run: {error}", self.program),
                )
            })?;
        let Finished { status, output, errors, stopped, .. } = finished;
        Ok(match stopped {
            Some(stopped) => Outcome::Stopped(stopped),
            None => Outcome::Ended { status, output: output.text, errors: errors.text },
        })
    }

    fn is_wanted(&self, outcome: &Outcome) -> bool {
        match (self.wanted.as_ref(), outcome) {
            (Some(Outcome::Ended { status: wanted, .. }), Outcome::Ended { status, output, errors })
                if !self.matches.is_empty() =>
            {
                let has = |text: &String| output.contains(text) || errors.contains(text);
                wanted == status && self.matches.iter().all(has)
            }
            (
                Some(Outcome::Ended { status: wanted, output: printed, .. }),
                Outcome::Ended { status, output, .. },
            ) => wanted == status && printed == output,
            (wanted, outcome) => wanted == Some(outcome),
        }
    }

    /// Refuses texts to match that the whole script does not show.
    fn confirm_matches(&self) -> Result<(), Failure> {
        match &self.wanted {
            Some(outcome) if self.is_wanted(outcome) => Ok(()),
            _ => Err(Failure::new(
                Status::Input,
                "with the whole script, the command does not print all of --match",
            )),
        }
    }
}

impl Check for CommandCheck<'_> {
    type Error = Failure;

    fn shows(&mut self, _: &mut TermStore, _: &Subject, text: &str) -> Result<bool, Failure> {
        let outcome = self.outcome(text)?;
        self.checks += 1;
        let is_wanted = self.is_wanted(&outcome);
        if is_wanted {
            self.bar.set_message(format!("{} bytes after {}", text.len(), counted(self.checks, "script")));
            if let Some(output) = self.output {
                output.replace(text.as_bytes())?;
            }
        }
        self.bar.tick();
        Ok(is_wanted)
    }

    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed) && self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }
}
