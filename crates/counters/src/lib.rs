//! Counters of what an instrumented program executes: which lines or edges, and how often.
//!
//! * [`CounterProvider`]: the trait of all kinds of instrumentation. A provider says what a run needs and reads its counters
//!   afterwards, in this process.
//! * [`FileCounters`]: what a run has executed.
//!
//! The crate starts no programs and knows no solvers.

mod provider;

pub use provider::{Counter, CounterError, CounterProvider, FileCounters, Preparation};
