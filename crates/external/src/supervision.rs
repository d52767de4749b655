//! What a program sets up once for all commands that it is going to run.
//!
//! *Files.* The limit on files of a process can be set from outside only when it has started already. So that it
//! holds from the start, the program takes it upon itself, and what it starts inherits it. A launcher in between
//! (such as prlimit(1)) would do without that, for another start of a program in front of each.
//!
//! *Strays.* A process that leaves the group of its command (setsid(2)) does not die with it. When its parent ends
//! it would become a child of the system's first process and go on unseen. The program declares itself to be the
//! one that adopts such processes, of all that it has started (PR_SET_CHILD_SUBREAPER(2const)): they are children
//! of it that lead no running command and belong to no group of one, and are killed when a command ends. A process
//! that leaves its group while its command is running and whose parent has ended may be killed before the command
//! ends. Namespaces and control groups would do the same, but not every user may make them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpgid, getpid, getrlimit, kill_process,
    set_child_subreaper, setrlimit, waitid,
};

use crate::process::Limits;

/// How long strays are looked for that appear when others are killed.
const LONGEST_SWEEP: Duration = Duration::from_millis(100);

/// Whether strays are adopted.
static ADOPTS: AtomicBool = AtomicBool::new(false);
/// Held for writing while children are taken for strays, for reading while one is being started.
static STARTING: RwLock<()> = RwLock::new(());
/// The leaders of all commands that are running.
static LEADERS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

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

fn leaders() -> MutexGuard<'static, BTreeSet<i32>> {
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a command that leads a group of its own.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    let _starting = STARTING.read().unwrap_or_else(PoisonError::into_inner);
    let child = command.spawn()?;
    leaders().insert(Pid::from_child(&child).as_raw_nonzero().get());
    Ok(child)
}

/// Notes that a leader was reaped.
pub(crate) fn forget(leader: Pid) {
    leaders().remove(&leader.as_raw_nonzero().get());
}

/// Kills and reaps all strays, also those that become such when others die.
pub(crate) fn sweep() {
    let deadline = Instant::now() + LONGEST_SWEEP;
    while ADOPTS.load(Ordering::Relaxed) && has_strays() && Instant::now() < deadline {
        let starting = STARTING.write().unwrap_or_else(PoisonError::into_inner);
        for stray in strays() {
            // Until it is reaped, its number is its own.
            let _ = kill_process(stray, Signal::KILL);
            let _ = waitid(WaitId::Pid(stray), WaitIdOptions::EXITED | WaitIdOptions::NOHANG);
        }
        drop(starting);
        thread::sleep(Duration::from_micros(200));
    }
}

fn has_strays() -> bool {
    strays().next().is_some()
}

/// Children that lead no running command, and are in no group of one.
fn strays() -> impl Iterator<Item = Pid> {
    // Those that are adopted become children of the first thread. Where the system does not tell, there are none.
    let process = getpid().as_raw_nonzero();
    let children = fs::read_to_string(format!("/proc/self/task/{process}/children")).unwrap_or_default();
    let numbers: Vec<i32> = children.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.into_iter().filter_map(Pid::from_raw).filter(|&child| {
        let group = getpgid(Some(child)).map_or(0, |group| group.as_raw_nonzero().get());
        let leaders = leaders();
        !leaders.contains(&child.as_raw_nonzero().get()) && !leaders.contains(&group)
    })
}
