//! The processor time of a thread, which is what parts of an exploration take where several threads work.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A point in the processor time of this thread.
pub struct ProcessorTime(Duration);

impl ProcessorTime {
    /// The time until now.
    pub fn now() -> ProcessorTime {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        ProcessorTime(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// The time of this thread since then.
    pub fn elapsed(&self) -> Duration {
        ProcessorTime::now().0.saturating_sub(self.0)
    }
}
