//! Ctrl-C and polite termination: the first asks for what there is, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
