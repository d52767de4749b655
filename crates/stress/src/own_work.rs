//! The work of a search beside its solvers.

use std::ops::AddAssign;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Seconds of the work of a search itself. Several threads may read counters or note runs at a time, and their seconds add up.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OwnWork {
    /// Crossover and mutation.
    pub breeding: f64,
    /// Reading the counters of runs.
    pub counters: f64,
    /// Traces, complexities, and scores against all that was executed before.
    pub scoring: f64,
    /// Similarities of what inputs execute.
    pub crowding: f64,
    /// Writing runs and generations to the journal, and taking up the last generation.
    pub keeping: f64,
}

impl OwnWork {
    /// All kinds of work by name, with their seconds.
    pub fn named(self) -> [(&'static str, f64); 5] {
        let OwnWork { breeding, counters, scoring, crowding, keeping } = self;
        [
            ("breeding", breeding),
            ("reading counters", counters),
            ("scores", scoring),
            ("similarities of traces", crowding),
            ("journal", keeping),
        ]
    }
}

impl AddAssign for OwnWork {
    fn add_assign(&mut self, more: OwnWork) {
        let OwnWork { breeding, counters, scoring, crowding, keeping } = more;
        self.breeding += breeding;
        self.counters += counters;
        self.scoring += scoring;
        self.crowding += crowding;
        self.keeping += keeping;
    }
}

/// A stopwatch that several threads may use at a time.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch(AtomicU64);

impl Stopwatch {
    /// Does some work, and adds its time.
    pub(crate) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanoseconds, Ordering::Relaxed);
        result
    }

    /// The seconds since the last call.
    fn take(&self) -> f64 {
        Duration::from_nanos(self.0.swap(0, Ordering::Relaxed)).as_secs_f64()
    }
}

/// A stopwatch for each kind of work.
#[derive(Debug, Default)]
pub struct Stopwatches {
    pub(crate) breeding: Stopwatch,
    pub(crate) counters: Stopwatch,
    pub(crate) scoring: Stopwatch,
    pub(crate) crowding: Stopwatch,
    pub(crate) keeping: Stopwatch,
}

impl Stopwatches {
    /// The work since the last call.
    pub(crate) fn take(&self) -> OwnWork {
        OwnWork {
            breeding: self.breeding.take(),
            counters: self.counters.take(),
            scoring: self.scoring.take(),
            crowding: self.crowding.take(),
            keeping: self.keeping.take(),
        }
    }
}
