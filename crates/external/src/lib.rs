//! Other solvers as subprocesses.
//!
//! * [`run`]: any command as a process group under [`Limits`]; [`supervise`] closes the gaps, and
//!   [`appoint_guardian`] closes the one that SIGKILL leaves.
//! * [`Respondent`]: the trait of everything that answers an [`Inquiry`] with a [`Reply`]. Wrappers remember, measure
//!   and record: [`Cached`], [`Measured`], [`Recorded`]; [`Replay`] needs no solver.
//! * [`Profiles`]: descriptions of kinds of solvers, in a file that users extend.
//! * [`Solver`]: a command line, or code of this process ([`InProcess`]), with its profile, and its answers, read
//!   strictly.
//! * [`Capabilities`]: the features that a build of a solver reads, found by asking it. [`OptionPool`]: options that it takes.

mod capabilities;
mod command;
mod dialect;
mod feature;
mod guardian;
mod in_process;
mod options;
mod own_file;
mod probe;
mod process;
mod profile;
mod questions;
mod reading;
mod reply;
mod respondent;
mod response;
mod sanitizer;
mod shared;
mod solver;
mod supervision;
mod synthesis;

pub use capabilities::Capabilities;
pub use command::{CommandError, command_with, split_command};
pub use dialect::{Dialect, Escapes, with_standard_escapes};
pub use feature::{Feature, Features};
pub use guardian::{Guardianship, appoint_guardian, stand_guard};
pub use in_process::{InProcess, panic_text, thread_processor_time};
pub use options::{OptionPool, OptionTable, SolverOption, Standing, TableEntry, command_with_options};
pub use own_file::OwnFile;
pub use probe::Unusable;
pub use process::{Farewell, Finished, Limits, Output, StoppedBy, command_in, run, run_reading};
pub use profile::{ModelWords, Profile, ProfileError, Profiles, ResourceWords};
pub use reading::signature;
pub use reply::{Answer, Fault, Reply, Verdict};
pub use respondent::{
    Cached, Circumstances, Counted, Inquiry, Measured, Meter, Reading, Recorded, Recorder, Replay,
    Respondent, Trace, Transcript, TranscriptError,
};
pub use response::{Response, responses};
pub use shared::SharedProcesses;
pub use solver::Solver;
pub use sundry_smtlib::ScriptText;
pub use supervision::supervise;
