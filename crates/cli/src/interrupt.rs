//! What stops work from outside: Ctrl-C and polite termination, of which the first asks for what there is and the second
//! ends the program, and deadlines for what waits for others and looks at no clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Makes the first SIGINT or SIGTERM set the flag, and any later one do what it does by default,
/// which is to end the program. Where that cannot be set up, signals act as by default.
///
/// To be called when there is something to keep: until then a signal ends the program at once.
pub fn watch(stop: &Arc<AtomicBool>) {
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag unset.
        let second = flag::register_conditional_default(signal, Arc::clone(stop));
        if second.is_ok() {
            let _ = flag::register(signal, Arc::clone(stop));
        }
    }
}

/// Does some work, and sets the flag when it has not ended at a deadline.
pub fn until<T>(deadline: Option<Instant>, stop: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let Some(deadline) = deadline else { return work() };
    thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            // Nothing is ever sent: it waits until the work has ended or time is up.
            let left = deadline.saturating_duration_since(Instant::now());
            if ended.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let result = work();
        drop(working);
        result
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn only_what_goes_on_is_stopped() {
        let hour = Instant::now().checked_add(Duration::from_secs(3600));
        for deadline in [None, hour] {
            let stop = AtomicBool::new(false);
            assert_eq!(until(deadline, &stop, || 7), 7);
            assert!(!stop.load(Ordering::Relaxed));
        }
        let stop = AtomicBool::new(false);
        until(Some(Instant::now()), &stop, || {
            while !stop.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        });
    }
}
