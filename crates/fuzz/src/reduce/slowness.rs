//! "Slow here, fast there": scripts on which a command takes much longer than another.
//!
//! The measure is the processor time of all processes of a command, which depends less on other work of the machine
//! than time on the clock. A slow command need not end: it is stopped as soon as it has clearly exceeded the required
//! time, so a decision takes time in proportion to that, however slow the command is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sundry_external::{Finished, Limits, StoppedBy};
use sundry_smtlib::ScriptText;
use sundry_term::TermStore;

use super::Check;
use super::command::{ScriptCommand, ScriptCommandError};

/// A time this many times as long as it must be is clear; a shorter one is measured once more.
const CLEAR: f64 = 1.5;
/// The seconds on the clock that are allowed for each second of processor time, because other programs compute too.
const WALL: u32 = 4;
/// The least limit on the clock.
const LEAST_WALL: Duration = Duration::from_secs(1);

/// The definition of slow.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Pace {
    /// The minimal ratio of the time of the slow command to that of the fast one.
    pub factor: f64,
    /// The minimal time of the slow command.
    pub at_least: Duration,
    /// The time limit of each command, on the clock.
    pub limit: Duration,
}

/// Looks for scripts on which a command is slow, and another one is not.
pub struct Slowness<'a> {
    slow: ScriptCommand,
    fast: Option<ScriptCommand>,
    pace: Pace,
    /// Memory of each.
    memory: Option<u64>,
    stop: &'a AtomicBool,
    /// The answer of the fast command to the whole script, once known.
    usual: Option<Answered>,
}

/// The times of both commands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Timing {
    /// Processor time of the slow one, or more.
    pub slow: Duration,
    /// Whether the slow one was stopped.
    pub is_stopped: bool,
    /// Processor time of the fast command; `None` if there is no such command, or it did not end or does not count.
    pub fast: Option<Duration>,
    /// Whether that is slow.
    pub shows: bool,
}

/// The end of a fast command: one that refuses a script is not fast.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Answered {
    status: std::process::ExitStatus,
    has_error: bool,
}

impl<'a> Slowness<'a> {
    /// Creates a check from the slow command, the fast command, and the definition of slow.
    pub fn new(
        slow: ScriptCommand,
        fast: Option<ScriptCommand>,
        pace: Pace,
        memory: Option<u64>,
        stop: &'a AtomicBool,
    ) -> Self {
        Slowness { slow, fast, pace, memory, stop, usual: None }
    }

    /// Measures both on a script.
    ///
    /// # Errors
    /// A command cannot be run.
    pub fn measure(&mut self, text: &str) -> Result<Timing, ScriptCommandError> {
        let mut measured = self.measure_once(text, None)?;
        let needed = self.needed(measured.fast);
        if measured.shows && !measured.is_stopped && measured.slow < needed.mul_f64(CLEAR) {
            // The slow one at its fastest, the fast one at its slowest.
            let again = self.measure_once(text, measured.fast)?;
            measured = Timing { slow: measured.slow.min(again.slow), ..again };
        }
        Ok(measured)
    }

    /// The time that the slow command has to take.
    fn needed(&self, fast: Option<Duration>) -> Duration {
        let by_factor = fast.map(|fast| fast.mul_f64(self.pace.factor)).unwrap_or_default();
        by_factor.max(self.pace.at_least)
    }

    fn measure_once(
        &mut self,
        text: &str,
        fast_before: Option<Duration>,
    ) -> Result<Timing, ScriptCommandError> {
        let mut fast_time = None;
        if let Some(fast) = &self.fast {
            // More than this, and the slow one cannot be so much slower within its limit.
            let most = self.pace.limit.div_f64(self.pace.factor.max(1.0));
            let finished = fast.run(text, 0, &self.limits(most), self.stop)?;
            let answered = Answered {
                status: finished.status,
                has_error: finished.output.text.contains("(error") || finished.errors.text.contains("(error"),
            };
            let is_usual = finished.stopped.is_none() && *self.usual.get_or_insert(answered) == answered;
            if !is_usual {
                return Ok(Timing { slow: Duration::ZERO, is_stopped: false, fast: None, shows: false });
            }
            fast_time = Some(finished.processor.max(fast_before.unwrap_or_default()));
        }
        let needed = self.needed(fast_time);
        let limits = self.limits(needed.mul_f64(CLEAR).min(self.pace.limit));
        let Finished { processor: slow, stopped, .. } = self.slow.run(text, 0, &limits, self.stop)?;
        let is_interrupted = stopped == Some(StoppedBy::Interrupted);
        let shows = slow >= needed && !is_interrupted;
        Ok(Timing { slow, is_stopped: stopped.is_some(), fast: fast_time, shows })
    }

    /// Limits for a command that may compute so long.
    fn limits(&self, processor: Duration) -> Limits {
        let wall = (processor * WALL).max(LEAST_WALL).min(self.pace.limit);
        Limits { wall, processor: Some(processor), memory: self.memory, ..Limits::default() }
    }
}

impl<S> Check<S> for Slowness<'_> {
    type Error = ScriptCommandError;

    fn shows(&mut self, _: &mut TermStore, _: &S, text: &ScriptText) -> Result<bool, ScriptCommandError> {
        Ok(self.measure(text)?.shows)
    }

    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}
