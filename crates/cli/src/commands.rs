//! What commands that others have written may use.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use sundry_external::{Limits, supervise};

use crate::console::Console;

/// The limits of one run of a command: seconds, and MiB of memory.
pub fn limits(wall: Duration, mebibytes: NonZeroUsize) -> Limits {
    let memory = (mebibytes.get() as u64).saturating_mul(1 << 20);
    Limits { wall, memory: Some(memory), ..Limits::default() }
}

/// Has all commands that are run from now on start with these limits and leave nothing behind.
pub fn prepare(limits: &Limits, console: &Console) {
    // Files of our own that grow too large are an error where they are written, not the end.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    if let Err(error) = supervise(limits) {
        console.note("limits", format_args!("processes that leave their group may be left over: {error}"));
    }
}
