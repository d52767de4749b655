//! Ctrl-C in a conversation: it ends a check, and the program only where it waits for input.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::interrupt::Stop;

/// What a signal does now.
pub struct Interruption {
    stop: Arc<AtomicBool>,
    waiting: Arc<AtomicBool>,
}

impl Interruption {
    /// Takes over SIGINT and SIGTERM, which interrupt checks. Where that cannot be set up they act as by default.
    pub fn install(stop: &Stop) -> Self {
        let stop = Arc::clone(&stop.interrupted);
        let waiting = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: a first signal finds the flag unset, a second one ends the program.
            let ready = flag::register_conditional_default(signal, Arc::clone(&waiting))
                .and_then(|_| flag::register_conditional_default(signal, Arc::clone(&stop)));
            if ready.is_ok() {
                let _ = flag::register(signal, Arc::clone(&stop));
            }
        }
        Interruption { stop, waiting }
    }

    /// Runs something that a signal may end together with the program. It forgets signals that
    /// came before, since what they were to stop is over.
    pub fn while_waiting<T>(&self, work: impl FnOnce() -> T) -> T {
        self.stop.store(false, Ordering::Relaxed);
        self.waiting.store(true, Ordering::Relaxed);
        let result = work();
        self.waiting.store(false, Ordering::Relaxed);
        result
    }
}
