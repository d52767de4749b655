//! Whether a command does the same with a smaller script as with the whole one.

use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use sundry::term::TermStore;
use sundry_external::{Finished, Limits, StoppedBy};
use sundry_fuzz::{Candidate, Check, ScriptCommand, ScriptCommandError};
use sundry_smtlib::ScriptText;

use super::{not_run, stopped_too_soon};
use crate::failure::Failure;

/// With a smaller script, the command gets this many times as long as with the whole one,
const TIME_FACTOR: u32 = 4;
/// and this on top.
const MORE_TIME: Duration = Duration::from_millis(500);
/// How often to look whether runs at the same time are to be stopped.
const LOOK: Duration = Duration::from_millis(20);

/// What a command did, as far as it matters.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Outcome {
    end: End,
    /// What it printed to standard output and standard error until then.
    output: String,
    errors: String,
}

/// How a command ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum End {
    Status(ExitStatus),
    Stopped(StoppedBy),
}

/// What is said of a script.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Look {
    /// The command does the same with it, or something else.
    Decided(bool),
    /// The command took too long: beside others that may mean nothing.
    OutOfTime,
}

/// The text that a command has to print, and the number of scripts that are checked at the same time.
pub(super) struct Printed {
    /// Texts; without any, the command has to print the same as for the whole script.
    pub(super) matches: Vec<String>,
    /// The number of scripts that are checked at the same time.
    pub(super) jobs: usize,
}

/// Runs a command on scripts.
pub(super) struct SameOutcome<'a> {
    command: ScriptCommand,
    printed: Printed,
    limits: Limits,
    stop: &'a AtomicBool,
    /// What it does with the whole script.
    wanted: Outcome,
}

impl<'a> SameOutcome<'a> {
    /// With what the command does with the whole script.
    ///
    /// # Errors
    /// The command cannot be run, or does not print what is to be matched.
    pub(super) fn of_whole(
        printed: Printed,
        mut limits: Limits,
        command: ScriptCommand,
        whole: &str,
        stop: &'a AtomicBool,
    ) -> Result<Self, Failure> {
        let finished = command.run(whole, 0, &limits, stop).map_err(|error| not_run(&error))?;
        if finished.stopped == Some(StoppedBy::Interrupted) {
            return Err(stopped_too_soon());
        }
        if finished.stopped.is_none() {
            limits.wall = limits.wall.min(finished.wall * TIME_FACTOR + MORE_TIME);
        }
        let check = SameOutcome { command, printed, limits, stop, wanted: Outcome::of(finished) };
        if check.is_wanted(&check.wanted) {
            return Ok(check);
        }
        Err(Failure::usage("on the whole script, the command does not print every --match text"))
    }

    fn is_wanted(&self, outcome: &Outcome) -> bool {
        let Outcome { end, output, errors } = outcome;
        let has = |text: &String| output.contains(text) || errors.contains(text);
        *end == self.wanted.end
            && match (end, &self.printed.matches[..]) {
                // How much was printed until then is chance.
                (End::Stopped(_), []) => true,
                (End::Status(_), []) => *output == self.wanted.output,
                (_, matches) => matches.iter().all(has),
            }
    }

    /// Whether the command does the same with a script; `stop` ends it.
    fn look(&self, text: &str, number: usize, stop: &AtomicBool) -> Result<Look, ScriptCommandError> {
        let outcome = Outcome::of(self.command.run(text, number, &self.limits, stop)?);
        Ok(match outcome.end {
            End::Stopped(StoppedBy::Wall) => Look::OutOfTime,
            _ => Look::Decided(self.is_wanted(&outcome)),
        })
    }

    /// Whether the command does the same with a script, while no other command runs.
    fn does_same_alone(&self, text: &str) -> Result<bool, ScriptCommandError> {
        let outcome = Outcome::of(self.command.run(text, 0, &self.limits, self.stop)?);
        Ok(self.is_wanted(&outcome))
    }
}

impl Outcome {
    fn of(finished: Finished) -> Outcome {
        let Finished { status, output, errors, stopped, .. } = finished;
        let end = stopped.map_or(End::Status(status), End::Stopped);
        Outcome { end, output: output.text, errors: errors.text }
    }
}

impl<S> Check<S> for SameOutcome<'_> {
    type Error = ScriptCommandError;

    fn shows(&mut self, _: &mut TermStore, _: &S, text: &ScriptText) -> Result<bool, ScriptCommandError> {
        self.does_same_alone(text)
    }

    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    fn width(&self) -> usize {
        self.printed.jobs
    }

    fn first_that_shows(
        &mut self,
        _: &mut TermStore,
        candidates: &[Candidate<S>],
    ) -> Result<Option<usize>, ScriptCommandError> {
        let check = &*self;
        if let [only] = candidates {
            return Ok(check.does_same_alone(&only.text)?.then_some(0));
        }
        let texts: Vec<&str> = candidates.iter().map(|candidate| &*candidate.text).collect();
        let stops: Vec<AtomicBool> = candidates.iter().map(|_| AtomicBool::new(false)).collect();
        let stop_from =
            |first: usize| stops[first..].iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        let mut results: Vec<Option<Result<Look, ScriptCommandError>>> =
            candidates.iter().map(|_| None).collect();
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for (number, (text, stop)) in texts.iter().copied().zip(&stops).enumerate() {
                let sender = sender.clone();
                scope.spawn(move || sender.send((number, check.look(text, number, stop))));
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(LOOK) {
                    Ok((number, result)) => {
                        // Those behind the first that does the same do not matter any more.
                        if matches!(result, Ok(Look::Decided(true))) {
                            stop_from(number + 1);
                        }
                        results[number] = Some(result);
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) if check.stop.load(Ordering::Relaxed) => {
                        stop_from(0)
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                }
            }
        });
        for (number, result) in results.into_iter().flatten().enumerate() {
            let does_same = match result? {
                Look::Decided(does_same) => does_same,
                Look::OutOfTime => {
                    !self.stop.load(Ordering::Relaxed) && self.does_same_alone(texts[number])?
                }
            };
            if does_same {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}
