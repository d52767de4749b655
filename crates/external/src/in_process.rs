//! Solvers that are code of this process: they are asked, read and judged as programs are.
//!
//! The output of such a solver goes through the same strict reading as the output of a program, so there is one set
//! of rules for what counts as an answer. The alternative, replies made of the solver's data, would save the time to
//! print and read a model, but would test another solver than the one that users run.

use std::any::Any;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::process::{Finished, Output};
use crate::respondent::Circumstances;

/// Code that answers scripts like a separate program.
pub trait InProcess: fmt::Debug + Send + Sync {
    /// The line that a program would print when asked for its version.
    fn version(&self) -> String;

    /// Runs a script until it ends, its time is over, or the caller interrupts it. Returns the output that a program
    /// would have printed, and the reason for which it was stopped, if it was. The caller measures times.
    fn run(&self, script: &str, circumstances: Circumstances<'_>) -> Finished;
}

/// Runs code on this thread like a program: its output is cut if it is too long, its time is measured, and a panic
/// ends the run and not the caller. The memory of the run is unknown, since the process shares it.
pub(crate) fn run(code: &dyn InProcess, script: &str, circumstances: Circumstances<'_>) -> Finished {
    let (begin, processor) = (Instant::now(), thread_processor_time());
    // Everything that the code was changing is dropped with it.
    let run = panic::catch_unwind(AssertUnwindSafe(|| code.run(script, circumstances)));
    let mut finished = run.unwrap_or_else(|payload| Finished {
        errors: Output { text: format!("panicked at: {}\n", panic_text(&*payload)), is_cut: false },
        ..Finished::default()
    });
    for output in [&mut finished.output, &mut finished.errors] {
        cut(output, circumstances.limits.output);
    }
    finished.wall = begin.elapsed();
    finished.processor = thread_processor_time().saturating_sub(processor);
    finished
}

/// The processor time that the calling thread has used so far.
pub fn thread_processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// The text of a panic, given what was caught of it.
pub fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic")
}

fn cut(output: &mut Output, limit: usize) {
    if output.text.len() > limit {
        let boundary = (0..=limit).rev().find(|&end| output.text.is_char_boundary(end));
        output.text.truncate(boundary.unwrap_or(0));
        output.is_cut = true;
    }
}
