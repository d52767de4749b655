//! Counters of what an instrumented program executes: which lines or edges, and how often.
//!
//! * [`CounterProvider`]: the trait of all kinds of instrumentation. A provider says what a run needs and reads its counters
//!   afterwards, in this process. [`open`] finds the provider of a kind.
//! * [`Gcov`]: lines of programs that GCC has built.
//! * [`Llvm`]: regions of programs that clang has built.
//! * [`Edges`]: edges of programs that GCC or clang has built, also of those that are killed.
//! * [`Statistics`]: the sizes of the statistics that a solver prints, for programs that nobody can rebuild.
//! * [`FileCounters`]: what a run has executed.
//! * [`runtime`]: small runtimes in C for the programs.
//!
//! The crate starts no programs and knows no solvers.

mod edges;
mod files;
mod gcov;
mod llvm;
mod open;
mod provider;
pub mod runtime;
mod statistics;

pub use edges::Edges;
pub use gcov::Gcov;
pub use llvm::Llvm;
pub use open::{KINDS, OpenError, open};
pub use provider::{Counter, CounterError, CounterProvider, FileCounters, Preparation};
pub use statistics::{Dialect, Statistics};
