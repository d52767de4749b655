//! Processes of solvers that answer one script after another.
//!
//! Most scripts of a campaign take a solver less time than its own start. A process that reads its standard input answers a
//! script, prints a line that nothing else prints, and forgets the script at a `reset`. Whatever it says then may be due to
//! scripts before, so an answer that matters has to show again in a process that gets nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::process::{Dialogue, Finished, Limits, Output};
use crate::reply::{Fault, Reply, Verdict};
use crate::respondent::Circumstances;
use crate::solver::Solver;

/// The time within which a build answers two trivial scripts in one process, if it can.
const PATIENCE: Duration = Duration::from_secs(2);

/// The processor time for a script in a shared process. It costs little to ask again what takes longer than a start does.
const SHORT: Duration = Duration::from_millis(250);

/// Processes that wait for their next scripts, by the commands of their solvers. They are killed when this is dropped.
#[derive(Debug)]
pub struct SharedProcesses {
    waiting: Mutex<BTreeMap<String, Process>>,
    /// The folder in which they work.
    folder: PathBuf,
}

/// A process with the number of scripts that it has answered.
#[derive(Debug)]
struct Process {
    dialogue: Dialogue,
    scripts: usize,
}

impl Process {
    fn start(solver: &Solver, folder: &Path, limits: &Limits) -> io::Result<Process> {
        fs::create_dir_all(folder)?;
        Ok(Process { dialogue: solver.start_dialogue(folder, limits)?, scripts: 0 })
    }

    /// Has the process answer a script, and then commands that print something about it.
    fn answer(
        &mut self,
        script: &str,
        commands: &str,
        limits: &Limits,
        circumstances: Circumstances<'_>,
    ) -> io::Result<Finished> {
        self.scripts += 1;
        let end = format!("sundry has asked script {}", self.scripts);
        let text = format!("{script}\n{commands}(echo \"{end}\")\n(reset)\n");
        let mut finished = self.dialogue.answer(&text, &end, limits, circumstances.interrupted)?;
        let Output { text, .. } = &mut finished.output;
        if let Some(place) = text.rfind(&end) {
            // Some solvers print the quotes of the text, too.
            text.truncate(text[..place].trim_end_matches('"').len());
        }
        Ok(finished)
    }
}

impl SharedProcesses {
    /// Processes that will work in a folder below this one, which is removed with them.
    pub fn new(folder: &Path) -> SharedProcesses {
        SharedProcesses { waiting: Mutex::default(), folder: folder.join("shared") }
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<String, Process>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The reply of a solver to a script in a process that it shares with others; `None` if it has to be asked alone.
    pub(crate) fn ask(
        &self,
        solver: &Solver,
        script: &str,
        commands: &str,
        circumstances: Circumstances<'_>,
    ) -> io::Result<Option<Reply>> {
        let waiting = self.waiting().remove(&solver.name);
        let mut process = match waiting {
            Some(process) => process,
            None => match Process::start(solver, &self.folder, circumstances.limits) {
                Ok(process) => process,
                // Whoever asks alone waits until the system has what is short.
                Err(_) => return Ok(None),
            },
        };
        let limits = circumstances.limits;
        let short = Limits { processor: Some(limits.time().min(SHORT)), ..limits.clone() };
        let finished = process.answer(script, commands, &short, circumstances)?;
        if process.dialogue.is_open() {
            self.waiting().insert(solver.name.clone(), process);
        }
        let reply = solver.profile().read(finished);
        Ok(is_own(&reply, limits.time() <= SHORT).then_some(reply))
    }
}

impl Drop for SharedProcesses {
    fn drop(&mut self) {
        self.waiting().clear();
        // There is none if no process was started.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Whether a reply does not depend on the scripts before. The others, which may, are rare: errors, from which a solver may not recover
/// its place in the input, and the end of its memory or of a part of its time. A crash has to be found again anyway.
fn is_own(reply: &Reply, had_all_its_time: bool) -> bool {
    match reply.fault {
        None | Some(Fault::Crash(_) | Fault::InvalidModel(_) | Fault::Interrupted) => true,
        Some(Fault::Timeout) => had_all_its_time && reply.error.is_none(),
        _ => false,
    }
}

/// Whether a process of a solver answers a script, forgets it, and answers it once more.
pub(crate) fn answers_repeatedly(
    solver: &Solver,
    script: &str,
    circumstances: Circumstances<'_>,
) -> io::Result<bool> {
    let mut process = Process::start(solver, circumstances.folder, circumstances.limits)?;
    let limits = Limits { wall: PATIENCE.min(circumstances.limits.wall), ..circumstances.limits.clone() };
    for _ in 0..2 {
        let reply = solver.profile().read(process.answer(script, "", &limits, circumstances)?);
        if reply.verdict() != Some(Verdict::Sat) || reply.error.is_some() || !process.dialogue.is_open() {
            return Ok(false);
        }
    }
    Ok(true)
}
