//! What stops work from outside: signals (Ctrl-C, polite termination, the end of the terminal), of which the first asks for what there is and the second
//! ends the program, and limits for what waits for others and looks at no clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use sundry::Control;

/// How often somebody looks whether to interrupt what looks at no control.
const LOOK: Duration = Duration::from_millis(20);

/// What stops all work of the program.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    /// Set by a signal, or when work is to end for another reason.
    pub interrupted: Arc<AtomicBool>,
    /// Set while more memory is in use than there may be.
    pub memory: Arc<AtomicBool>,
}

impl Stop {
    /// Whether work is to stop.
    pub fn is_set(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) || self.memory.load(Ordering::Relaxed)
    }

    /// A control that stops work then.
    pub fn control(&self) -> Control {
        Control::default().with_stop(Arc::clone(&self.interrupted)).with_memory(Arc::clone(&self.memory))
    }
}

/// When some work began, and what stops it.
#[derive(Clone, Debug)]
pub struct Begun {
    /// The beginning: limits of time count from here.
    pub start: Instant,
    /// The flags that stop the work.
    pub control: Control,
}

impl Begun {
    /// Work that begins now. The work ends at its end, when its time is up, or when somebody sets `stop`.
    pub fn now(timeout: Option<Duration>, stop: &Stop) -> Self {
        Self::at(Instant::now(), timeout, stop)
    }

    /// Work that began at `start`, with the same limits as work that begins [`now`](Self::now).
    pub fn at(start: Instant, timeout: Option<Duration>, stop: &Stop) -> Self {
        // A moment too far away to be represented is no limit.
        let deadline = timeout.and_then(|timeout| start.checked_add(timeout));
        Begun { start, control: stop.control().with_deadline(deadline) }
    }
}

/// Makes the first SIGINT, SIGTERM or SIGHUP set the flag, and any later one do what it does by default,
/// which is to end the program. Where that cannot be set up, signals act as by default; SIGHUP remains ignored below `nohup`.
///
/// To be called when there is something to keep: until then a signal ends the program at once.
pub fn watch(stop: &Stop) {
    let hangup = (!ignores(SIGHUP)).then_some(SIGHUP);
    for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
        // In this order: the first signal finds the flag unset.
        let second = flag::register_conditional_default(signal, Arc::clone(&stop.interrupted));
        if second.is_ok() {
            let _ = flag::register(signal, Arc::clone(&stop.interrupted));
        }
    }
}

/// Whether this process ignores a signal. Where the system does not say, the signal counts as ignored.
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Does some work, and interrupts it when it has not ended at a deadline, or memory is used up.
pub fn until<T>(deadline: Option<Instant>, stop: &Stop, work: impl FnOnce() -> T) -> T {
    let control = Control::default().with_deadline(deadline).with_memory(Arc::clone(&stop.memory));
    thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            // Nothing is ever sent: it waits until the work has ended or has to.
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if control.stopped() {
                    stop.interrupted.store(true, Ordering::Relaxed);
                }
            }
        });
        let result = work();
        drop(working);
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_on_is_stopped() {
        let hour = Instant::now().checked_add(Duration::from_secs(3600));
        for deadline in [None, hour] {
            let stop = Stop::default();
            assert_eq!(until(deadline, &stop, || 7), 7);
            assert!(!stop.is_set());
        }
        let full = Stop::default();
        full.memory.store(true, Ordering::Relaxed);
        for (deadline, stop) in [(Some(Instant::now()), Stop::default()), (None, full)] {
            until(deadline, &stop, || {
                while !stop.interrupted.load(Ordering::Relaxed) {
                    thread::yield_now();
                }
            });
        }
    }
}
