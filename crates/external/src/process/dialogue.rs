//! A command that answers one input after another.

use std::io::{self, Write};
use std::process::{ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::running::Running;
use super::{Finished, Limits};

/// A command that reads inputs, and says after each that it has answered. When it is dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Dialogue {
    running: Running,
    /// The standard input, unless the command has ended.
    input: Option<ChildStdin>,
    /// The processor time of all answers so far.
    used: Duration,
}

impl Dialogue {
    /// Starts a command under the limit on files. The other limits are those of each answer, but no answer may be longer
    /// than these limits say.
    ///
    /// # Errors
    /// The program cannot be started, or the system does not let it be watched.
    pub(crate) fn start(command: &mut Command, limits: &Limits) -> io::Result<Dialogue> {
        let mut running = Running::start(command, Stdio::piped(), limits)?;
        let input = running.group.child.stdin.take();
        if let Some(input) = &input {
            // A command that does not read must not hold up anybody.
            fcntl_setfl(input, fcntl_getfl(input)? | OFlags::NONBLOCK)?;
        }
        Ok(Dialogue { running, input, used: Duration::ZERO })
    }

    /// Whether the command waits for another input: it has not ended, and no limit has ended it.
    pub(crate) fn is_open(&self) -> bool {
        self.input.is_some()
    }

    /// Gives the command an input, at the end of which it prints `end`, and waits for its answer. If the command ends, or exceeds a
    /// limit, or `interrupted` is set, it is over.
    ///
    /// # Errors
    /// The system does not let the command be watched.
    pub(crate) fn answer(
        &mut self,
        text: &str,
        end: &str,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Finished> {
        let start = Instant::now();
        let Dialogue { running, input, used } = self;
        let mut rest = text.as_bytes();
        let watched = running.group.watch(start, *used, limits, interrupted, &mut || {
            match input.as_mut().filter(|_| !rest.is_empty()).map(|input| input.write(rest)) {
                Some(Ok(count)) => rest = &rest[count..],
                // Whoever reads no more will soon have ended.
                Some(Err(error)) if error.kind() != io::ErrorKind::WouldBlock => rest = &[],
                _ => {}
            }
            running.output.ends_with(end)
        })?;
        if watched.stopped.is_some() || !running.output.ends_with(end) {
            *input = None;
            let finished = running.finish(start, watched, limits, interrupted)?;
            return Ok(Finished { processor: finished.processor.saturating_sub(*used), ..finished });
        }
        let wall = start.elapsed();
        let usage = running.group.usage_of_leader();
        let before = std::mem::replace(used, running.group.processor_time());
        let (output, errors) = (running.output.take(), running.errors.take());
        if output.is_cut {
            *input = None;
        }
        Ok(Finished {
            output,
            errors,
            status: ExitStatus::default(),
            stopped: None,
            wall,
            processor: used.saturating_sub(before),
            memory: usage.memory.max(watched.usage.memory),
        })
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        if self.is_open() {
            let _ = self.running.group.end();
        }
    }
}
