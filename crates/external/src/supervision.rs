//! Settings that a program makes once for all commands that it will run.
//!
//! *Files.* The limit on files of a process can be set from outside only after its start. So that it holds from the
//! start, the program limits itself, and its commands inherit the limit. A launcher in between (such as prlimit(1))
//! would avoid that, at the cost of starting another program for each command. Files of the program itself grow beyond the
//! limit while no command starts ([`OwnFile`](crate::OwnFile)).
//!
//! *Strays.* A process that leaves the group of its command (setsid(2)) does not die with it. When its parent ends,
//! it would become a child of the system's first process and continue unseen. So the program declares that it adopts
//! such processes among its descendants (PR_SET_CHILD_SUBREAPER(2const)): strays are its children that lead no
//! running command and belong to no command's group, and they are killed when a command ends. A process that leaves
//! its group while its command is running and whose parent has ended may be killed before the command ends.
//! Namespaces and control groups would do the same, but not every user may create them.
//!
//! *Processor time.* The usage of a process is exact only when it is reaped (wait4(2)), and includes the usage of the
//! processes that it has reaped itself. The program reaps the processes that it adopts, and counts their usage for
//! the command whose group they are in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpgid, getpid, getrlimit, kill_process,
    set_child_subreaper, setrlimit, waitid,
};
use wait4::{ResUse, Wait4};

use crate::process::Limits;

/// The time for which the program looks for strays that appear when others are killed.
const LONGEST_SWEEP: Duration = Duration::from_millis(100);

/// Whether strays are adopted.
static ADOPTS: AtomicBool = AtomicBool::new(false);
/// Held for writing while children are taken for strays, for reading while one is being started.
static STARTING: RwLock<()> = RwLock::new(());
/// The leaders of all commands that are running.
static LEADERS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
/// The usage of the processes reaped here, by the leader of their group, while its command is being ended. The lock
/// is held while any process is reaped, since the system reports only the usage of all of them together.
static REAPED: Mutex<BTreeMap<i32, Duration>> = Mutex::new(BTreeMap::new());

/// Has all commands that this program runs from now on start with the limit on files, and without core dumps;
/// both hold for the program itself too. Processes that leave the group of a command are killed with it. For
/// programs that start others by [`run`](crate::run) only: any other child would be taken for such a stray.
///
/// # Errors
/// The system refuses it.
pub fn supervise(limits: &Limits) -> io::Result<()> {
    lower(Resource::Core, 0)?;
    if let Some(bytes) = limits.file {
        lower(Resource::Fsize, bytes)?;
    }
    set_child_subreaper(Some(getpid()))?;
    ADOPTS.store(true, Ordering::Relaxed);
    Ok(())
}

/// Lowers a limit of this process. It could be raised again, as the highest that is allowed stays the same.
fn lower(resource: Resource, value: u64) -> io::Result<()> {
    let Rlimit { current, maximum } = getrlimit(resource);
    let current = Some(current.map_or(value, |current| current.min(value)));
    Ok(setrlimit(resource, Rlimit { current, maximum })?)
}

/// Does some work with a file that may become larger than those of commands, none of which starts meanwhile.
///
/// # Errors
/// Those of the work, or the system refuses to change the limit.
pub(crate) fn without_file_limit<T>(work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let _starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
    let Rlimit { current, maximum } = getrlimit(Resource::Fsize);
    setrlimit(Resource::Fsize, Rlimit { current: maximum, maximum })?;
    let done = work();
    setrlimit(Resource::Fsize, Rlimit { current, maximum })?;
    done
}

fn leaders() -> MutexGuard<'static, BTreeSet<i32>> {
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reaped() -> MutexGuard<'static, BTreeMap<i32, Duration>> {
    REAPED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether processes that are on their own become children of this one.
pub(crate) fn adopts() -> bool {
    ADOPTS.load(Ordering::Relaxed)
}

/// Starts a process that must not be touched until it is [reaped](reap_leader).
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let child = command.spawn()?;
    leaders().insert(Pid::from_child(&child).as_raw_nonzero().get());
    Ok(child)
}

/// Waits for the leader of a group to end and reaps it. From then on, the rest of its group are strays, and their
/// usage is recorded until it is [collected](collect).
pub(crate) fn reap_leader(child: &mut Child) -> io::Result<ResUse> {
    let leader = Pid::from_child(child);
    retry_on_intr(|| waitid(WaitId::Pid(leader), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT))?;
    let mut reaped = reaped();
    let number = leader.as_raw_nonzero().get();
    let used = child.wait4();
    reaped.insert(number, Duration::ZERO);
    leaders().remove(&number);
    used
}

/// The usage of the processes in the group of a leader that were reaped here.
pub(crate) fn collect(leader: Pid) -> Duration {
    reaped().remove(&leader.as_raw_nonzero().get()).unwrap_or_default()
}

/// Kills and reaps all strays, also those that become such when others die.
pub(crate) fn sweep() {
    let deadline = Instant::now() + LONGEST_SWEEP;
    while adopts() && has_strays() && Instant::now() < deadline {
        let starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        for stray in strays() {
            // Until it is reaped, its number is its own.
            let _ = kill_process(stray, Signal::KILL);
            reap_stray(stray);
        }
        drop(starting);
        thread::sleep(Duration::from_micros(200));
    }
}

/// Reaps a stray if it has ended.
fn reap_stray(stray: Pid) {
    let mut reaped = reaped();
    let group = getpgid(Some(stray)).map_or(0, |group| group.as_raw_nonzero().get());
    let before = used_by_reaped();
    let result = waitid(WaitId::Pid(stray), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
    if matches!(result, Ok(Some(_)))
        && let Some(used) = reaped.get_mut(&group)
    {
        *used += used_by_reaped().saturating_sub(before);
    }
}

/// Processor time of all processes that this one has reaped.
fn used_by_reaped() -> Duration {
    let time = |time: TimeVal| Duration::from_micros(time.num_microseconds().try_into().unwrap_or_default());
    // The system knows no reason to refuse.
    getrusage(UsageWho::RUSAGE_CHILDREN)
        .map_or(Duration::ZERO, |used| time(used.user_time()) + time(used.system_time()))
}

fn has_strays() -> bool {
    strays().next().is_some()
}

/// Children that lead no running command, and are in no group of one.
fn strays() -> impl Iterator<Item = Pid> {
    // Adopted processes become children of the first thread. If the system does not report them, the list is empty.
    let process = getpid().as_raw_nonzero();
    let children = fs::read_to_string(format!("/proc/self/task/{process}/children")).unwrap_or_default();
    let numbers: Vec<i32> = children.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.into_iter().filter_map(Pid::from_raw).filter(|&child| {
        let group = getpgid(Some(child)).map_or(0, |group| group.as_raw_nonzero().get());
        let leaders = leaders();
        !leaders.contains(&child.as_raw_nonzero().get()) && !leaders.contains(&group)
    })
}
