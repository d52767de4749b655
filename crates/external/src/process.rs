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

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, kill_process_group, prlimit,
    test_kill_process_group, waitid,
};
use wait4::ResourceUsage;

use crate::{guardian, supervision};

/// The longest time until it is seen that a command has ended.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// The shortest time between two measurements of a group. Memory cannot grow by much in less.
const SHORTEST_LOOK: Duration = Duration::from_millis(20);
/// The share of the time that goes into reading the list of all processes: at most one part in this number.
const LOOKING_SHARE: u32 = 16;
/// The time for which output may still arrive when the group is dead, from processes that have left it.
const DRAIN: Duration = Duration::from_millis(500);
/// The time to wait until all processes of a killed group have ended.
const DYING: Duration = Duration::from_millis(50);
/// The time to wait if the processes are reaped here: their usage counts only then, and freeing much memory takes a
/// while.
const DYING_ADOPTED: Duration = Duration::from_secs(2);

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
    let command = command.process_group(0).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut group = Group::start(command)?;
    if let Some(bytes) = limits.file {
        group.limit_files(bytes);
    }
    let output = group.child.stdout.take().map(|pipe| Reading::start(pipe, limits.output)).transpose()?;
    let errors = group.child.stderr.take().map(|pipe| Reading::start(pipe, limits.output)).transpose()?;
    let mut usage = Usage::default();
    let mut next_look = SHORTEST_LOOK;
    let mut stopped = loop {
        if group.has_ended()? {
            break None;
        }
        let elapsed = start.elapsed();
        if elapsed >= next_look {
            usage.add(&group.usage());
            let looking = start.elapsed() - elapsed;
            next_look = elapsed + SHORTEST_LOOK.max(looking * LOOKING_SHARE);
        }
        if interrupted.load(Ordering::Relaxed) {
            break Some(StoppedBy::Interrupted);
        }
        if elapsed >= limits.wall {
            break Some(StoppedBy::Wall);
        }
        if limits.processor.is_some_and(|limit| usage.processor >= limit) {
            break Some(StoppedBy::Processor);
        }
        if limits.memory.is_some_and(|limit| usage.memory > limit) {
            break Some(StoppedBy::Memory);
        }
        let pause = (elapsed / 32).clamp(Duration::from_micros(200), LONGEST_PAUSE);
        thread::sleep(pause.min(limits.wall.saturating_sub(elapsed)));
    };
    let wall = start.elapsed();
    if let Some(farewell) = limits.farewell.filter(|_| stopped.is_some_and(StoppedBy::is_limit)) {
        group.say_farewell(farewell, interrupted)?;
    }
    let End { status, used } = group.end()?;
    let processor = if supervision::adopts() { used.processor } else { used.processor.max(usage.processor) };
    let memory = used.memory.max(usage.memory);
    match status.signal() {
        Some(signal) if signal == Signal::XFSZ.as_raw() => stopped = Some(StoppedBy::File),
        // Sent where the user has limited it.
        Some(signal) if signal == Signal::XCPU.as_raw() => stopped = Some(StoppedBy::Processor),
        _ => {}
    }
    let deadline = Instant::now() + DRAIN;
    let [output, errors] = [output, errors].map(|reading| match reading {
        Some(reading) => reading.finish(deadline),
        None => Output::default(),
    });
    Ok(Finished { output, errors, status, stopped, wall, processor, memory })
}

/// A command with all processes that it has started and that have not left its group.
struct Group {
    leader: Pid,
    child: Child,
}

/// The end of a group.
struct End {
    /// The exit status of the leader.
    status: ExitStatus,
    /// The resources that the group has used.
    used: Usage,
}

impl Group {
    /// Starts a command that leads its own group.
    fn start(command: &mut Command) -> io::Result<Group> {
        guardian::mark(command);
        let child = supervision::spawn(command)?;
        let leader = Pid::from_child(&child);
        guardian::begins(leader);
        Ok(Group { leader, child })
    }

    fn limit_files(&self, bytes: u64) {
        // The process may have ended already; then there is nothing to limit.
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        let _ = prlimit(Some(self.leader), Resource::Fsize, limit);
    }

    /// Sends a signal to all processes, and gives the leader some time to end.
    fn say_farewell(&self, farewell: Farewell, interrupted: &AtomicBool) -> io::Result<()> {
        let Some(signal) = Signal::from_named_raw(farewell.signal) else { return Ok(()) };
        // The group may have no process left.
        let _ = kill_process_group(self.leader, signal);
        let deadline = Instant::now() + farewell.patience;
        while !self.has_ended()? && Instant::now() < deadline && !interrupted.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    /// Whether the leader has ended. It is not reaped, so that its number stays that of the group.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.leader), options)?.is_some())
    }

    /// Kills the rest of the group, reaps the leader, and makes sure that no process survives.
    fn end(&mut self) -> io::Result<End> {
        // The group may have no process left; then there is nothing to kill.
        let _ = kill_process_group(self.leader, Signal::KILL);
        guardian::ends(self.leader);
        let reaped = supervision::reap_leader(&mut self.child)?;
        // Killed processes take a moment to end, and only then their children are orphans.
        let dying = if supervision::adopts() { DYING_ADOPTED } else { DYING };
        let deadline = Instant::now() + dying;
        supervision::sweep();
        while test_kill_process_group(self.leader).is_ok() && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(200));
            supervision::sweep();
        }
        let ResourceUsage { utime, stime, maxrss } = reaped.rusage;
        let processor = utime + stime + supervision::collect(self.leader);
        Ok(End { status: reaped.status, used: Usage { processor, memory: maxrss } })
    }

    /// The resources that the processes of the group use together now.
    fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        let group = self.leader.as_raw_nonzero().get();
        // Processes start and end during the measurement; a process that cannot be read has ended.
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let name = entry.file_name();
            if !name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit) {
                continue;
            }
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            if let Some(process) = Usage::of_process(&stat, group) {
                usage.memory += process.memory;
                usage.processor += process.processor;
            }
        }
        usage
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Only after an error in between; otherwise everything has ended.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.end();
        }
    }
}

/// The resources that processes use.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Usage {
    processor: Duration,
    memory: u64,
}

impl Usage {
    /// Keeps the most of both.
    fn add(&mut self, now: &Usage) {
        self.processor = self.processor.max(now.processor);
        self.memory = self.memory.max(now.memory);
    }

    /// Reads the usage of one process from its line in `/proc/PID/stat`, if it belongs to the group
    /// (proc_pid_stat(5)).
    fn of_process(stat: &str, group: i32) -> Option<Usage> {
        // The name, between parentheses, may have spaces and parentheses in it.
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        let number = |position: usize| fields.get(position)?.parse::<u64>().ok();
        // The first field after the name is the third of all: state, parent, group, …
        if number(2)? != u64::try_from(group).ok()? {
            return None;
        }
        // Own time, and that of children that were waited for, in user and system mode.
        let ticks: u64 = (11..15).filter_map(number).sum();
        let processor =
            Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
        let memory = number(21)? * rustix::param::page_size() as u64;
        Some(Usage { processor, memory })
    }
}

/// An output that is being read.
struct Reading {
    kept: Arc<Mutex<Kept>>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Reading {
    /// Keeps the first bytes of a pipe, and reads the rest so that the writer does not have to wait.
    ///
    /// # Errors
    /// There are too many threads.
    fn start(mut pipe: impl Read + Send + 'static, limit: usize) -> io::Result<Reading> {
        let kept = Arc::new(Mutex::new(Kept::default()));
        let shared = Arc::clone(&kept);
        let read = move || {
            let mut buffer = vec![0; 1 << 16];
            loop {
                match pipe.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    // Output that was read before an error still counts.
                    Ok(0) | Err(_) => return,
                    Ok(count) => {
                        let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let taken = count.min(limit - kept.bytes.len());
                        kept.bytes.extend_from_slice(&buffer[..taken]);
                        kept.is_cut |= taken < count;
                    }
                }
            }
        };
        Ok(Reading { kept, thread: thread::Builder::new().spawn(read)? })
    }

    /// The output read until the pipe was closed, or until the deadline: a process that has left the group may hold
    /// the pipe open.
    fn finish(self, deadline: Instant) -> Output {
        while !self.thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(200));
        }
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Output { text: String::from_utf8_lossy(&kept.bytes).into_owned(), is_cut: kept.is_cut }
    }
}
