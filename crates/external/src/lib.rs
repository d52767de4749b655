//! Other solvers as subprocesses.
//!
//! * [`run`]: any command as a process group under [`Limits`].

mod process;

pub use process::{Finished, Limits, Output, Stopped, run};
