//! `sundry reduce`: a smaller script with which a command does the same, or is still slow.

mod plan;
mod same;
mod watched;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use sundry::term::TermStore;
use sundry::{Control, Reduction};
use sundry_fuzz::{
    Check, Pace, ScriptCommand, ScriptCommandError, Slowness, Subject, Timing, Tree, reduce, reduce_tree,
};
use sundry_smtlib::{SourceText, TheorySet, parse_script_within};

use crate::arguments::ReduceArguments;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::interrupt::{self, Stop};
use crate::output::{OutputFile, write_results};
use crate::values::{counted, grouped};
use plan::{ReducePlan, Wanted};
use same::{Printed, SameOutcome};
use watched::Watched;

/// Runs the job.
///
/// # Errors
/// The script cannot be read, the command not be run, or the result not be written.
pub fn run(arguments: &ReduceArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let ReducePlan { script, as_tree, wanted, limits, output, start, deadline, control } =
        ReducePlan::new(arguments, stop)?;
    let source = script.read(&control)?;
    let _lock = output.as_ref().map(OutputFile::lock).transpose()?;
    let form = Form::of(&source, as_tree, &control, console)?;
    let workplace = commands::prepare(&limits, console)?;
    let folder = workplace.folder.path();
    interrupt::watch(stop);
    let bar = console.bars().add(ProgressBar::new_spinner());
    let watch = Watch { stop: &stop.interrupted, output: output.as_ref(), bar };
    let whole = source.text();
    let job = Job { form, source: &source, console, watch };
    let reduced = interrupt::until(deadline, stop, || match wanted {
        Wanted::Same { command: words, matches, jobs } => {
            let command = command("--check", &words, folder)?;
            // What it does with the script as it was written, which may differ from how it is printed.
            let wanted = Printed { matches, jobs };
            let check = SameOutcome::of_whole(wanted, limits, command, whole, &stop.interrupted)?;
            job.reduced(check, "behaves differently", "with --match TEXT, only that text counts")
        }
        Wanted::Slow { slow, fast, pace } => {
            let slow = command("--slow", &slow, folder)?;
            let fast = fast.map(|fast| command("--fast", &fast, folder)).transpose()?;
            let check = slowness(pace, limits.memory, (slow, fast), whole, &stop.interrupted)?;
            job.reduced(check, "is not slow", "--at-least and --factor define what is slow")
        }
    })?;
    match &output {
        Some(output) => output.replace(reduced.script.as_bytes())?,
        None => write_results(reduced.script.as_bytes(), "-o FILE")?,
    }
    console.line(format_args!(
        "{} of {} bytes left, {} tried in {:.2} s{}",
        grouped(reduced.script.len() as u64),
        grouped(whole.len() as u64),
        counted(reduced.checks, "script"),
        start.elapsed().as_secs_f64(),
        if reduced.is_finished { "" } else { "; stopped before it was finished" },
    ));
    Ok(if reduced.is_finished { Status::Done } else { Status::Limit })
}

/// The receivers of progress, and the flag that stops the job.
struct Watch<'a> {
    stop: &'a AtomicBool,
    /// The file for the smallest script so far.
    output: Option<&'a OutputFile>,
    bar: ProgressBar,
}

/// A script in the form in which it is reduced.
enum Form {
    /// Commands and terms.
    Terms(Box<TermStore>, Subject),
    /// Expressions of which only the parentheses are known.
    Tree(Tree),
}

impl Form {
    /// The form of a script: a tree if that is wanted, or if the script has something that Sundry does not know.
    fn of(source: &SourceText, as_tree: bool, control: &Control, console: &Console) -> Result<Form, Failure> {
        let tree = || Tree::read(source.text()).map_err(|diagnostic| Failure::at(&diagnostic, source));
        if as_tree {
            return tree().map(Form::Tree);
        }
        let mut store = TermStore::new();
        match parse_script_within(&mut store, source, TheorySet::ALL, control) {
            Ok(script) => Ok(Form::Terms(Box::new(store), Subject::of_script(&script))),
            Err(diagnostic) if !Tree::may_read(diagnostic.kind) => Err(Failure::at(&diagnostic, source)),
            Err(diagnostic) => {
                // Where not even the parentheses match, the first message says more.
                let tree = Tree::read(source.text()).map_err(|_| Failure::at(&diagnostic, source))?;
                let place = source.position(diagnostic.span.start);
                console.note(
                    format_args!("{}:{}", source.name(), place.line),
                    format_args!("{}; the script is reduced as a tree of expressions", diagnostic.message),
                );
                Ok(Form::Tree(tree))
            }
        }
    }
}

/// The script, and what is informed of its progress.
struct Job<'a> {
    form: Form,
    source: &'a SourceText,
    console: &'a Console,
    watch: Watch<'a>,
}

impl Job<'_> {
    /// Reduces the script: as terms, and as a tree if it cannot be read, or if the command does something else with the script as
    /// it is printed again.
    fn reduced<C>(self, check: C, what: &str, help: &str) -> Result<Reduction, Failure>
    where
        C: Check<Subject, Error = ScriptCommandError> + Check<Tree, Error = ScriptCommandError>,
    {
        let Job { form, source, console, watch } = self;
        let (has_output, stop) = (watch.output.is_some(), watch.stop);
        let mut watched = Watched::new(check, watch);
        let outcome = match form {
            Form::Terms(mut store, subject) => match reduce(&mut store, subject, &mut watched) {
                Ok(None) if !stop.load(Ordering::Relaxed) => {
                    let message = format!(
                        "the command {what} on the script as it is printed again, without comments, definitions and information; the \
                         script is reduced as a tree of expressions"
                    );
                    console.note(source.name(), message);
                    let tree =
                        Tree::read(source.text()).map_err(|diagnostic| Failure::at(&diagnostic, source))?;
                    reduce_tree(tree, &mut watched).map(|reduced| reduced.map(Reduction::from))
                }
                outcome => outcome.map(|reduced| reduced.map(Reduction::from)),
            },
            Form::Tree(tree) => reduce_tree(tree, &mut watched).map(|reduced| reduced.map(Reduction::from)),
        };
        if let (Err(_), Some(smallest), false) = (&outcome, watched.end(), has_output) {
            // What was reached before the failure is kept here too.
            write_results(smallest.as_bytes(), "-o FILE")?;
        }
        match outcome? {
            Some(reduction) => Ok(reduction),
            None if stop.load(Ordering::Relaxed) => Err(stopped_too_soon()),
            None => {
                let message = format!("the command {what} on the script without its comments");
                Err(Failure::usage(message).with_help(help.to_string()))
            }
        }
    }
}

/// What ended before it was known what there is to keep.
fn stopped_too_soon() -> Failure {
    let message = "stopped before the command finished on the whole script";
    Failure::new(FailureKind::Limit, message).with_help("--timeout limits all runs of the command together")
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

/// The check for scripts on which a command is slow, if it is on the whole one.
fn slowness<'a>(
    pace: Pace,
    memory: Option<u64>,
    (slow, fast): (ScriptCommand, Option<ScriptCommand>),
    whole: &str,
    stop: &'a AtomicBool,
) -> Result<Slowness<'a>, Failure> {
    let has_fast = fast.is_some();
    let mut check = Slowness::new(slow, fast, pace, memory, stop);
    let Timing { slow, fast, shows, .. } = check.measure(whole).map_err(|error| not_run(&error))?;
    if stop.load(Ordering::Relaxed) {
        return Err(stopped_too_soon());
    }
    let seconds = |time: std::time::Duration| format!("{:.2} s", time.as_secs_f64());
    if shows {
        return Ok(check);
    }
    let message = match fast {
        None if has_fast => format!(
            "on the whole script, the --fast command does not end within {}",
            seconds(pace.limit.div_f64(pace.factor))
        ),
        Some(fast) if slow >= pace.at_least => format!(
            "on the whole script, the --slow command takes {} of processor time, less than {} times the {} of the --fast command",
            seconds(slow),
            pace.factor,
            seconds(fast)
        ),
        _ => format!(
            "on the whole script, the --slow command takes {} of processor time, less than --at-least {}",
            seconds(slow),
            seconds(pace.at_least)
        ),
    };
    let help = "--at-least and --factor define what is slow; --check-timeout limits each run";
    Err(Failure::usage(message).with_help(help))
}
