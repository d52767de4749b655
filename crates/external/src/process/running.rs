//! A command that runs, with the outputs that are read meanwhile.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::group::{End, Group, Watched};
use super::reading::Reading;
use super::{Finished, Limits, Output, StoppedBy};
use crate::supervision;

/// The time for which output may still arrive when the group is dead, from processes that have left it.
const DRAIN: Duration = Duration::from_millis(500);

/// A command that runs, with its outputs.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) group: Group,
    pub(super) output: Reading,
    pub(super) errors: Reading,
}

impl Running {
    /// Starts a command with this standard input, and the reading of its outputs.
    pub(super) fn start(command: &mut Command, input: Stdio, limits: &Limits) -> io::Result<Running> {
        let command = command.process_group(0).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::start(command)?;
        if let Some(bytes) = limits.file {
            group.limit_files(bytes);
        }
        let (Some(output), Some(errors)) = (group.child.stdout.take(), group.child.stderr.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let output = Reading::start(output, limits.output)?;
        let errors = Reading::start(errors, limits.output)?;
        Ok(Running { group, output, errors })
    }

    /// Ends a command that was watched from `start` on, and collects its outputs.
    pub(super) fn finish(
        &mut self,
        start: Instant,
        Watched { mut stopped, usage }: Watched,
        limits: &Limits,
        interrupted: &AtomicBool,
    ) -> io::Result<Finished> {
        let wall = start.elapsed();
        if let Some(farewell) = limits.farewell.filter(|_| stopped.is_some_and(StoppedBy::is_limit)) {
            self.group.say_farewell(farewell, interrupted)?;
        }
        let End { status, used } = self.group.end()?;
        let processor =
            if supervision::adopts() { used.processor } else { used.processor.max(usage.processor) };
        let memory = used.memory.max(usage.memory);
        match status.signal() {
            Some(signal) if signal == Signal::XFSZ.as_raw() => stopped = Some(StoppedBy::File),
            // Sent where the user has limited it.
            Some(signal) if signal == Signal::XCPU.as_raw() => stopped = Some(StoppedBy::Processor),
            _ => {}
        }
        let deadline = Instant::now() + DRAIN;
        let [output, errors]: [Output; 2] = [&self.output, &self.errors].map(|it| it.finish(deadline));
        Ok(Finished { output, errors, status, stopped, wall, processor, memory })
    }
}
