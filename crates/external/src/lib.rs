//! Other solvers as subprocesses.
//!
//! * [`run`]: any command as a process group under [`Limits`]; [`supervise`] closes the gaps, and
//!   [`appoint_guardian`] the one that SIGKILL leaves.
//! * [`Profiles`]: what is known of kinds of solvers, in a file that users extend.
//! * [`Solver`]: a command line with its profile, and its answers, read strictly.
//! * [`Capabilities`]: what a build of a solver reads, found out by asking it.

mod dialect;
mod feature;
mod guardian;
mod probe;
mod process;
mod profile;
mod response;
mod solver;
mod supervision;

pub use dialect::{Dialect, with_standard_escapes};
pub use feature::{Feature, features_of};
pub use guardian::{Guardianship, appoint_guardian, stand_guard};
pub use probe::{Capabilities, Unusable};
pub use process::{Finished, Limits, Output, Stopped, command_in, run};
pub use profile::{ModelWords, Profile, ProfileError, Profiles};
pub use response::{Response, responses};
pub use solver::{Answer, CommandError, Fault, Reply, Solver, Verdict, signature, split_command};
pub use supervision::supervise;
