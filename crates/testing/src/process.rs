//! Other programs as processes: what they print, how long they take and how much memory.

use std::fs;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest time between two looks at a process.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// What became of a process.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What it printed to standard output; bytes that are no UTF-8 are replaced.
    pub output: String,
    /// What it printed to standard error.
    pub errors: String,
    /// How it ended.
    pub status: ExitStatus,
    /// Whether it was killed because its time was over.
    pub timed_out: bool,
    /// Seconds from its start to its end; accurate to a few percent.
    pub seconds: f64,
    /// The greatest resident memory that was seen, in bytes; 0 where the system does not tell.
    pub peak_memory: u64,
}

/// Runs a command without input until it ends, and kills it when `limit` is over.
///
/// # Errors
/// The command cannot be started.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let output = reader(child.stdout.take().expect("the output is piped"));
    let errors = reader(child.stderr.take().expect("the errors are piped"));
    let mut peak_memory = 0;
    let mut timed_out = false;
    while matches!(child.try_wait(), Ok(None)) {
        let elapsed = start.elapsed();
        if elapsed >= limit {
            timed_out = true;
            // It may have ended just now.
            let _ = child.kill();
            break;
        }
        peak_memory = peak_memory.max(resident_memory(&child));
        thread::sleep((elapsed / 32).clamp(Duration::from_micros(200), LONGEST_PAUSE));
    }
    let status = child.wait()?;
    Ok(Finished {
        seconds: start.elapsed().as_secs_f64(),
        output: output.join().expect("reading does not panic"),
        errors: errors.join().expect("reading does not panic"),
        status,
        timed_out,
        peak_memory,
    })
}

fn reader(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still what was printed.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The greatest resident memory of a process until now, in bytes.
fn resident_memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_errors_are_kept_apart() {
        let finished =
            run(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]), Duration::from_secs(20))
                .expect("a shell");
        assert_eq!((finished.output.as_str(), finished.errors.as_str()), ("out\n", "err\n"));
        assert_eq!(finished.status.code(), Some(3));
        assert!(!finished.timed_out);
    }

    #[test]
    fn a_slow_process_is_killed() {
        let finished = run(Command::new("sleep").arg("20"), Duration::from_millis(100)).expect("sleep");
        assert!(finished.timed_out && finished.seconds < 10.0, "{finished:?}");
    }

    #[test]
    fn a_missing_program_is_an_error() {
        assert!(run(&mut Command::new("/nonexistent/program"), Duration::from_secs(1)).is_err());
    }
}
