//! What commands that others have written may use.

use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use sundry_external::{Guardianship, Limits, appoint_guardian, stand_guard, supervise};

use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::output::{RunFolder, remove_abandoned};

/// The limits of one run of a command: seconds, and MiB of memory.
pub fn limits(wall: Duration, mebibytes: NonZeroUsize) -> Limits {
    let memory = (mebibytes.get() as u64).saturating_mul(1 << 20);
    Limits { wall, memory: Some(memory), ..Limits::default() }
}

/// The first argument by which this program starts itself as the guardian of the commands that it runs. It is no job:
/// nobody else has a use for it.
const GUARD: &str = "guard-commands";

/// The command that starts this program, where that is not the file that is running: an interpreter that has loaded it.
static OWN_COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the command that starts this program again, its name and its first arguments, for programs that are not a file of
/// their own. The first call counts; an empty command changes nothing.
///
/// Without it, the program starts the file that is running in the process.
pub fn set_own_command(command: Vec<OsString>) {
    if !command.is_empty() {
        let _ = OWN_COMMAND.set(command);
    }
}

/// The command that starts this program.
fn own_command() -> Command {
    match OWN_COMMAND.get().and_then(|command| command.split_first()) {
        Some((program, arguments)) => {
            let mut command = Command::new(program);
            command.args(arguments);
            command
        }
        // The program that is running, also where another has taken the place of its file.
        None => Command::new("/proc/self/exe"),
    }
}

/// The time that the guardian waits until a program that was killed has given up all that it held.
const LONGEST_DEATH: Duration = Duration::from_secs(10);

/// The place where commands run. While this value lives, commands leave nothing behind, even if this program is killed.
#[derive(Debug)]
pub struct Workplace {
    /// The folder for the files of commands. Dropped before the guardian, which would wait for it.
    pub folder: RunFolder,
    _guardianship: Option<Guardianship>,
}

/// Has all commands that are run from now on start with these limits.
///
/// # Errors
/// The folder for their files cannot be made.
pub fn prepare(limits: &Limits, console: &Console) -> Result<Workplace, Failure> {
    // Files of our own that grow too large are an error where they are written, not the end.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let folder = RunFolder::new()?;
    let result =
        supervise(limits).and_then(|()| appoint_guardian(own_command().arg(GUARD).arg(folder.path())));
    let guardianship = result
        .inspect_err(|error| {
            console.note(
                "limits",
                format_args!("processes that commands start may survive the program: {error}"),
            );
        })
        .ok();
    Ok(Workplace { folder, _guardianship: guardianship })
}

/// Stands guard over the commands of the program that has started this one, if these are the arguments for that.
pub fn guard(arguments: &[OsString]) -> Option<Status> {
    let [_, word, folder] = arguments else { return None };
    if word != GUARD {
        return None;
    }
    let result = stand_guard(io::stdin().lock(), io::stdout());
    // The system closes the pipe a moment before it gives up the lock of a program that was killed.
    let (folder, deadline) = (Path::new(folder), Instant::now() + LONGEST_DEATH);
    while folder.exists() && Instant::now() < deadline {
        remove_abandoned(folder);
        thread::sleep(Duration::from_millis(5));
    }
    Some(if result.is_ok() { Status::Done } else { Status::Limit })
}
