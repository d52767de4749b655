//! A command with all processes that it starts: their end, and the resources that they use.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_getcpuclockid};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, kill_process_group, prlimit,
    test_kill_process_group, waitid,
};
use wait4::ResourceUsage;

use super::{Farewell, Limits, StoppedBy};
use crate::{guardian, supervision};

/// The longest time until it is seen that a command has ended.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// The shortest time between two measurements of a group. Memory cannot grow by much in less.
const SHORTEST_LOOK: Duration = Duration::from_millis(20);
/// The share of the time that goes into reading the list of all processes: at most one part in this number.
const LOOKING_SHARE: u32 = 16;
/// The part of measurements, one in this number, that reads the list of all processes although the leader has no child: a process whose parent
/// has ended is still of the group.
const PART_FOR_ORPHANS: u32 = 16;
/// The time to wait until all processes of a killed group have ended.
const DYING: Duration = Duration::from_millis(50);
/// The time to wait if the processes are reaped here: their usage counts only then, and freeing much memory takes a
/// while.
const DYING_ADOPTED: Duration = Duration::from_secs(2);

/// A command with all processes that it has started and that have not left its group.
#[derive(Debug)]
pub(super) struct Group {
    leader: Pid,
    pub(super) child: Child,
}

/// A group after it was watched.
#[derive(Copy, Clone, Debug)]
pub(super) struct Watched {
    /// The limit that the group has reached, if it has.
    pub(super) stopped: Option<StoppedBy>,
    /// The resources that were seen.
    pub(super) usage: Usage,
}

/// The end of a group.
pub(super) struct End {
    /// The exit status of the leader.
    pub(super) status: ExitStatus,
    /// The resources that the group has used.
    pub(super) used: Usage,
}

impl Group {
    /// Starts a command that leads its own group.
    pub(super) fn start(command: &mut Command) -> io::Result<Group> {
        guardian::mark(command);
        let child = supervision::spawn(command)?;
        let leader = Pid::from_child(&child);
        guardian::begins(leader);
        Ok(Group { leader, child })
    }

    pub(super) fn limit_files(&self, bytes: u64) {
        // The process may have ended already; then there is nothing to limit.
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        let _ = prlimit(Some(self.leader), Resource::Fsize, limit);
    }

    /// Waits until the leader ends, `is_done`, a limit is exceeded since `start`, or `interrupted` is set. The group has
    /// used this much processor time `before`.
    ///
    /// # Errors
    /// The system does not let it be watched.
    pub(super) fn watch(
        &self,
        start: Instant,
        before: Duration,
        limits: &Limits,
        interrupted: &AtomicBool,
        is_done: &mut dyn FnMut() -> bool,
    ) -> io::Result<Watched> {
        let mut usage = Usage::default();
        let mut next_look = SHORTEST_LOOK;
        let mut looks = 0;
        let mut is_alone = true;
        let stopped = loop {
            // What has arrived counts, even if the leader has ended since.
            if is_done() || self.has_ended()? {
                break None;
            }
            let elapsed = start.elapsed();
            if elapsed >= next_look {
                looks += 1;
                if is_alone && looks % PART_FOR_ORPHANS != 0 && !self.leader_has_children() {
                    usage.add(&self.usage_of_leader());
                } else {
                    let (now, processes) = self.usage();
                    usage.add(&now);
                    is_alone = processes <= 1;
                }
                let looking = start.elapsed() - elapsed;
                next_look = elapsed + SHORTEST_LOOK.max(looking * LOOKING_SHARE);
            }
            if interrupted.load(Ordering::Relaxed) {
                break Some(StoppedBy::Interrupted);
            }
            if elapsed >= limits.wall {
                break Some(StoppedBy::Wall);
            }
            if limits.processor.is_some_and(|limit| usage.processor >= before + limit) {
                break Some(StoppedBy::Processor);
            }
            if limits.memory.is_some_and(|limit| usage.memory > limit) {
                break Some(StoppedBy::Memory);
            }
            let pause = (elapsed / 32).clamp(Duration::from_micros(200), LONGEST_PAUSE);
            thread::sleep(pause.min(limits.wall.saturating_sub(elapsed)));
        };
        Ok(Watched { stopped, usage })
    }

    /// The processor time that the leader has used so far.
    pub(super) fn processor_time(&self) -> Duration {
        let clock = clock_getcpuclockid(nix::unistd::Pid::from_raw(self.leader.as_raw_nonzero().get()));
        // The time of a process that has ended is known when it is reaped.
        clock.and_then(ClockId::now).map_or(Duration::ZERO, Duration::from)
    }

    /// Sends a signal to all processes, and gives the leader some time to end.
    pub(super) fn say_farewell(&self, farewell: Farewell, interrupted: &AtomicBool) -> io::Result<()> {
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
    pub(super) fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.leader), options)?.is_some())
    }

    /// Kills the rest of the group, reaps the leader, and makes sure that no process survives.
    pub(super) fn end(&mut self) -> io::Result<End> {
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

    /// The resources that the leader alone uses now.
    pub(super) fn usage_of_leader(&self) -> Usage {
        let group = self.leader.as_raw_nonzero().get();
        Usage::read(Path::new(&format!("/proc/{group}/stat")), group).unwrap_or_default()
    }

    /// Whether the first thread of the leader has started processes that have not been waited for; also where the system does not say so.
    fn leader_has_children(&self) -> bool {
        let leader = self.leader.as_raw_nonzero();
        fs::read(format!("/proc/{leader}/task/{leader}/children"))
            .map_or(true, |children| !children.is_empty())
    }

    /// The resources that the processes of the group use together now, and their number.
    fn usage(&self) -> (Usage, usize) {
        let mut usage = Usage::default();
        let mut processes = 0;
        let group = self.leader.as_raw_nonzero().get();
        // Processes start and end during the measurement; a process that cannot be read has ended.
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let name = entry.file_name();
            if !name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit) {
                continue;
            }
            if let Some(process) = Usage::read(&entry.path().join("stat"), group) {
                usage.memory += process.memory;
                usage.processor += process.processor;
                processes += 1;
            }
        }
        (usage, processes)
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
pub(super) struct Usage {
    pub(super) processor: Duration,
    pub(super) memory: u64,
}

impl Usage {
    /// Keeps the most of both.
    fn add(&mut self, now: &Usage) {
        self.processor = self.processor.max(now.processor);
        self.memory = self.memory.max(now.memory);
    }

    /// The usage of the process with this file `stat`, if it belongs to the group and has not ended.
    fn read(stat: &Path, group: i32) -> Option<Usage> {
        Usage::of_process(&fs::read_to_string(stat).ok()?, group)
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
