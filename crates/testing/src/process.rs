//! Other programs as processes, with their output, time and memory.

use std::io;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use signal_hook::consts::SIGINT;
use signal_hook::flag;
pub use sundry_external::{Finished, StoppedBy};
use sundry_external::{Limits, run as run_command};

/// Runs a command without input until it ends, and kills it when `limit` is over; there are no other limits. After
/// Ctrl-C no more commands run, and another Ctrl-C ends the program.
///
/// # Errors
/// The command cannot be started, or was interrupted.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    let limits =
        Limits { wall: limit, processor: None, memory: None, output: usize::MAX, file: None, farewell: None };
    let finished = run_command(command, &limits, interrupted())?;
    match finished.stopped {
        Some(StoppedBy::Interrupted) => Err(io::ErrorKind::Interrupted.into()),
        _ => Ok(finished),
    }
}

/// A flag that Ctrl-C sets. The signal does not reach commands, because each is in a separate group.
fn interrupted() -> &'static AtomicBool {
    static INTERRUPTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    INTERRUPTED.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds the flag unset.
        if flag::register_conditional_default(SIGINT, Arc::clone(&flag)).is_ok() {
            let _ = flag::register(SIGINT, Arc::clone(&flag));
        }
        flag
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_errors_are_kept_apart() {
        let finished =
            run(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]), Duration::from_secs(20))
                .expect("a shell");
        assert_eq!((&finished.output.text[..], &finished.errors.text[..]), ("out\n", "err\n"));
        assert_eq!((finished.status.code(), finished.stopped), (Some(3), None));
    }

    #[test]
    fn a_slow_process_is_killed() {
        let finished = run(Command::new("sleep").arg("20"), Duration::from_millis(100)).expect("sleep");
        assert_eq!(finished.stopped, Some(StoppedBy::Wall));
        assert!(finished.wall < Duration::from_secs(10), "{finished:?}");
    }
}
