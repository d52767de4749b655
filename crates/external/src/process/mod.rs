//! Commands as groups of processes under limits.
//!
//! A solver may start helpers, ignore signals, print without end, fill the disk or take all memory. So each command
//! leads its own process group and works in its own folder. Limits on time, processor time and memory apply to the
//! whole group, and when one of them is exceeded, or the command has ended, the whole group is killed. Memory is
//! resident memory, read repeatedly: a limit on addresses would stop programs that reserve much and use little, such
//! as those built with sanitizers.
//!
//! Some guarantees need the whole program, which [`supervise`](crate::supervise) prepares: the limit on files holds
//! from the very start, processes that leave the group are found, and the processor time of processes that outlive
//! their parents counts. A [guardian](crate::appoint_guardian) ends commands when the program is killed.

mod dialogue;
mod group;
mod reading;
mod running;

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use running::Running;

pub(crate) use dialogue::Dialogue;

/// The limits of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Time from its start to its end.
    pub wall: Duration,
    /// Processor time of all its processes that are alive, if limited.
    pub processor: Option<Duration>,
    /// Bytes of memory that its processes have resident together, if limited.
    pub memory: Option<u64>,
    /// Bytes of each of its outputs that are kept; more are read and dropped.
    pub output: usize,
    /// Bytes of the largest file that it may write, if limited; from a moment after its start on, unless the
    /// program [supervises](crate::supervise) all that it starts.
    pub file: Option<u64>,
    /// A signal that the command gets at a limit, before it is killed, if it needs one.
    pub farewell: Option<Farewell>,
}

/// A signal at which a command that has reached a limit writes what it still has to write, such as the counters of a program
/// that was built to count, and ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Farewell {
    /// The number of the signal.
    pub signal: i32,
    /// The time after which the command is killed all the same.
    pub patience: Duration,
}

impl Default for Limits {
    /// 2 s, 4 GiB of memory, 4 MiB of output, files of 256 MiB.
    fn default() -> Self {
        Limits {
            wall: Duration::from_secs(2),
            processor: None,
            memory: Some(4 << 30),
            output: 4 << 20,
            file: Some(256 << 20),
            farewell: None,
        }
    }
}

impl Limits {
    /// The time that a command may take: of processors where that is limited, or else from its start to its end.
    pub fn time(&self) -> Duration {
        self.processor.unwrap_or(self.wall)
    }
}

/// The limit for which a command was ended from outside.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StoppedBy {
    /// The time limit was reached.
    Wall,
    /// The processor time was used up.
    Processor,
    /// The process had too much memory.
    Memory,
    /// The process wrote too large a file.
    File,
    /// The caller asked for it.
    Interrupted,
}

impl StoppedBy {
    /// Whether a limit was reached; if not, the caller has stopped the command.
    fn is_limit(self) -> bool {
        self != StoppedBy::Interrupted
    }
}

/// The result of running a command.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// The standard output.
    pub output: Output,
    /// The standard error.
    pub errors: Output,
    /// The exit status.
    pub status: ExitStatus,
    /// The reason for which the command was ended from outside, if it was.
    pub stopped: Option<StoppedBy>,
    /// Time from its start to its end, or to the limit that it reached.
    pub wall: Duration,
    /// Processor time of the command and of all processes in its group, as the system measures it at their end. If
    /// the program does not [supervise](crate::supervise) its commands, processes that outlive their parents count as
    /// far as they were seen.
    pub processor: Duration,
    /// The most resident memory that was seen, of all processes together or of one alone, in bytes.
    pub memory: u64,
}

impl Finished {
    /// The signal that ended the command, unless it was sent from here.
    pub fn signal(&self) -> Option<i32> {
        if self.stopped.is_some() { None } else { self.status.signal() }
    }
}

/// The content of one output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// The text, with bytes that are not UTF-8 replaced.
    pub text: String,
    /// Whether more came than was kept.
    pub is_cut: bool,
}

/// A program with arguments that works in a folder, also for its temporary files.
pub fn command_in<A: AsRef<OsStr>>(
    program: &str,
    arguments: impl IntoIterator<Item = A>,
    folder: &Path,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("TMPDIR", folder);
    command
}

/// Runs a command without input until it ends or exceeds a limit, or `interrupted` is set.
///
/// # Errors
/// The program cannot be started, or the system does not let it be watched.
pub fn run(command: &mut Command, limits: &Limits, interrupted: &AtomicBool) -> io::Result<Finished> {
    run_reading(command, Stdio::null(), limits, interrupted)
}

/// [`run`], with this standard input.
///
/// # Errors
/// The program cannot be started, or the system does not let it be watched.
pub fn run_reading(
    command: &mut Command,
    input: Stdio,
    limits: &Limits,
    interrupted: &AtomicBool,
) -> io::Result<Finished> {
    let start = Instant::now();
    let mut running = Running::start(command, input, limits)?;
    let watched = running.group.watch(start, Duration::ZERO, limits, interrupted, &mut || false)?;
    running.finish(start, watched, limits, interrupted)
}
