//! Other solvers as subprocesses.
//!
//! * [`run`]: any command as a process group under [`Limits`].
//! * [`Profiles`]: what is known of kinds of solvers, in a file that users extend.
//! * [`Solver`]: a command line with its profile, and its answers, read strictly.

mod dialect;
mod process;
mod profile;
mod response;
mod solver;

pub use dialect::{Dialect, with_standard_escapes};
pub use process::{Finished, Limits, Output, Stopped, run};
pub use profile::{Profile, ProfileError, Profiles};
pub use response::{Response, responses};
pub use solver::{Answer, CommandError, Fault, Reply, Solver, Verdict, signature, split_command};
