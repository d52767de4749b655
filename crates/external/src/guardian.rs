//! A process that outlives the program if the program is killed, and ends the program's commands.
//!
//! SIGKILL leaves a program no time to end its commands; they would keep running, and without limits, because the
//! program enforces these. So the program starts another process, the *guardian*, which reads from a pipe which
//! commands begin and end. When the program dies, however it dies, the system closes the pipe. The guardian then
//! kills the groups of all commands that had not ended, and every process that left these groups but has the
//! program's *mark* in its environment, which children inherit. A command that is just being started holds the pipe
//! open until it runs its own program, and the guardian waits for the environment of processes that do not have
//! theirs yet, so it misses none. It cannot find a process that has left its group and emptied its environment.
//!
//! Rejected: PR_SET_PDEATHSIG(2const) in each command. It requires a launcher for every start, which costs 1.7 ms of
//! processor time, while a start of z3 costs 2.3 ms and a message to the guardian some microseconds; it follows the
//! thread that started the command instead of the program; and it does not reach the processes that the command has
//! started. Namespaces and control groups would work, but not every user may create them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, fs};

use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, kill_process_group, pidfd_open, pidfd_send_signal, setsid,
};
use rustix::thread::set_name;

use crate::supervision;

/// The variable with the marks of all programs that a command runs under, the outermost first, with spaces between.
const MARKS: &str = "SUNDRY_COMMAND_OF";
/// The message of the guardian once the signals that end the program's group can no longer end it.
const READY: &str = "ready";
/// The maximal time for which the guardian looks for processes that appear while others are killed.
const LONGEST_END: Duration = Duration::from_secs(5);
/// The time that killed processes get to die before the guardian looks again.
const PAUSE: Duration = Duration::from_millis(1);

/// The guardian of this program, if it has one.
static GUARDIAN: Mutex<Option<Guardian>> = Mutex::new(None);

struct Guardian {
    /// The pipe with a line for each command that begins or ends; the system closes it when the program ends.
    news: ChildStdin,
    mark: String,
    process: Child,
}

/// While this value lives, a guardian guards the commands of the program. Dropping the value dismisses the guardian
/// and waits until it has ended, so that no process of the program is left behind.
#[derive(Debug)]
#[must_use]
pub struct Guardianship(());

impl Drop for Guardianship {
    fn drop(&mut self) {
        let Some(Guardian { news, mut process, .. }) = guardian().take() else { return };
        drop(news);
        // If waiting for it fails, it has ended already.
        let _ = supervision::reap_leader(&mut process);
    }
}

fn guardian() -> MutexGuard<'static, Option<Guardian>> {
    GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process that guards all commands that this program runs while the result lives. `command` starts it; the
/// process only has to call [`stand_guard`] with its standard input and output.
///
/// # Errors
/// The guardian cannot be started, or does not report that it is ready.
pub fn appoint_guardian(command: &mut Command) -> io::Result<Guardianship> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = supervision::spawn(command)?;
    let (Some(mut news), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mark = format!("{}.{}", getpid().as_raw_nonzero(), since.as_nanos());
    writeln!(news, "{mark}")?;
    let mut answer = String::new();
    BufReader::new(answers.take(64)).read_line(&mut answer)?;
    if answer.trim_end() != READY {
        return Err(io::Error::other("the process that is to end commands after a kill does not start"));
    }
    *guardian() = Some(Guardian { news, mark, process });
    Ok(Guardianship(()))
}

/// Puts the mark into the environment of a command before it starts.
pub(crate) fn mark(command: &mut Command) {
    if let Some(Guardian { mark, .. }) = &*guardian() {
        let mut marks = env::var_os(MARKS).unwrap_or_default();
        marks.push(" ");
        marks.push(mark);
        command.env(MARKS, marks);
    }
}

/// Reports to the guardian that a command has begun, which leads its own group.
pub(crate) fn begins(leader: Pid) {
    tell('+', leader);
}

/// Reports to the guardian that the group of a command has been killed. Its leader must not have been reaped yet:
/// after that, another process may get its number.
pub(crate) fn ends(leader: Pid) {
    tell('-', leader);
}

fn tell(what: char, leader: Pid) {
    if let Some(Guardian { news, .. }) = &mut *guardian() {
        // If the guardian has been killed, work continues without it.
        let _ = news.write_all(format!("{what}{}\n", leader.as_raw_nonzero()).as_bytes());
    }
}

/// Waits until the program that has [appointed](appoint_guardian) this process has ended, and kills all commands that
/// it was running. Keys pressed on the terminal, and signals to the group of the program, do not reach this process.
///
/// # Errors
/// The pipes cannot be used.
pub fn stand_guard(news: impl BufRead, mut answers: impl Write) -> io::Result<()> {
    // Also so that who ends all processes with the program's name does not end this one.
    set_name(c"command-guard")?;
    setsid()?;
    writeln!(answers, "{READY}")?;
    answers.flush()?;
    drop(answers);
    end_what_is_left(news)
}

/// Reads the beginnings and ends of commands until the pipe is closed, and kills the remaining commands.
fn end_what_is_left(mut news: impl BufRead) -> io::Result<()> {
    let mut mark = String::new();
    news.read_line(&mut mark)?;
    let mut leaders = Vec::new();
    for line in news.lines() {
        let line = line?;
        let leader = line.get(1..).and_then(|number| number.parse().ok()).and_then(Pid::from_raw);
        match (line.as_bytes().first(), leader) {
            (Some(b'+'), Some(leader)) => leaders.push(leader),
            (Some(b'-'), Some(leader)) => leaders.retain(|&other| other != leader),
            // The program was killed while it wrote.
            _ => {}
        }
    }
    for leader in leaders {
        let _ = kill_process_group(leader, Signal::KILL);
    }
    let deadline = Instant::now() + LONGEST_END;
    while !mark.trim_end().is_empty() && kill_marked(mark.trim_end()) && Instant::now() < deadline {
        thread::sleep(PAUSE);
    }
    Ok(())
}

/// Kills all processes with a mark; whether there were some, or some that may yet turn out to have it.
fn kill_marked(mark: &str) -> bool {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers =
        numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter_map(Pid::from_raw);
    numbers.filter(|&process| is_starting(process) || kill_if_marked(process, mark)).count() > 0
}

/// Whether a process has a program already, but no environment yet. The system closes the pipes that a program does
/// not inherit, and lets the starting process continue, some time before it sets up the environment. A process that
/// has ended has no program, and threads of the system never had one.
fn is_starting(process: Pid) -> bool {
    /// The position of `env_end` in proc_pid_stat(5), among the fields after the name of the program.
    const ENV_END: usize = 48;
    let folder = format!("/proc/{}", process.as_raw_nonzero());
    let status = fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
    let fields = status.rsplit_once(')').map_or("", |(_, fields)| fields);
    fields.split_whitespace().nth(ENV_END) == Some("0") && fs::read_link(format!("{folder}/exe")).is_ok()
}

/// Kills a process if it has a mark, and reports whether it had. One that has ended has none.
fn kill_if_marked(process: Pid, mark: &str) -> bool {
    // The handle denotes this process, even if another process gets its number later.
    let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else { return false };
    let environment = fs::read(format!("/proc/{}/environ", process.as_raw_nonzero())).unwrap_or_default();
    let prefix = [MARKS.as_bytes(), b"="].concat();
    let mut marks = environment.split(|&byte| byte == 0).filter_map(|entry| entry.strip_prefix(&prefix[..]));
    marks.any(|marks| marks.split(|&byte| byte == b' ').any(|word| word == mark.as_bytes()))
        && pidfd_send_signal(handle, Signal::KILL).is_ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    use super::*;

    /// A process that runs for a while.
    fn sleeper(marks: &str) -> Child {
        let mut command = Command::new("sleep");
        command.arg("60").process_group(0).env(MARKS, marks).spawn().expect("a process")
    }

    #[test]
    fn only_who_has_no_environment_yet_is_starting() {
        let child = sleeper("");
        let process = Pid::from_child(&child);
        let environment = format!("/proc/{}/environ", child.id());
        while is_starting(process) {
            thread::sleep(PAUSE);
        }
        assert!(!fs::read(environment).expect("the own process").is_empty());
        let mut bare = Command::new("sleep");
        let bare = bare.arg("60").env_clear().spawn().expect("a process");
        while is_starting(Pid::from_child(&bare)) {
            thread::sleep(PAUSE);
        }
        for mut child in [child, bare] {
            let ended = Pid::from_child(&child);
            child.kill().expect("a child");
            while fs::read_link(format!("/proc/{}/exe", ended.as_raw_nonzero())).is_ok() {
                thread::sleep(PAUSE);
            }
            assert!(!is_starting(ended));
            child.wait().expect("it ends");
        }
    }

    fn is_killed(mut child: Child) -> bool {
        child.wait().expect("it ends").signal() == Some(Signal::KILL.as_raw())
    }

    fn is_spared(mut child: Child) -> bool {
        let is_running = child.try_wait().expect("a child").is_none();
        child.kill().and_then(|()| child.wait()).expect("it ends");
        is_running
    }

    #[test]
    fn what_had_not_ended_is_killed_and_nothing_else() {
        let mark = format!("{}.test", std::process::id());
        let (running, ended, marked) = (sleeper(""), sleeper(""), sleeper(&format!("outer {mark} inner")));
        let (unmarked, other) = (sleeper(""), sleeper(&format!("{mark}0")));
        let news = format!("{mark}\n+{0}\n+{1}\n-{1}\n+", running.id(), ended.id());
        end_what_is_left(news.as_bytes()).expect("it can be read");
        assert!(is_killed(running) && is_killed(marked));
        for child in [ended, unmarked, other] {
            assert!(is_spared(child));
        }
    }
}
