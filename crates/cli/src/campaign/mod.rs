//! Pieces that campaigns share: solvers of the command line, seeds, lists in JSON, and defects with their reports.

use std::io;
use std::path::Path;
use std::time::Instant;

use sundry_external::Meter;

use crate::failure::{Failure, FailureKind};

mod answers;
pub mod counters;
pub mod findings;
pub mod html_page;
mod issue;
pub mod json_file;
mod options_section;
mod origin;
pub mod output_text;
pub mod page_names;
pub mod replay;
mod report;
pub mod seeds;
pub mod solver_names;
pub mod solvers;
mod wording;

/// The share of the threads' time since `start` that solvers took, by the meter of their runs.
pub fn share_in_solvers(meter: &Meter, start: Instant, threads: usize) -> f64 {
    meter.read().wall.as_secs_f64() / (start.elapsed().as_secs_f64() * threads as f64)
}

/// The failure of a campaign whose solver cannot be run. The error names the solver.
pub fn cannot_run(error: &io::Error) -> Failure {
    Failure::new(FailureKind::Limit, format_args!("cannot run the solver {error}"))
}

/// The failure where the folder has a campaign of another description.
pub fn other_options(folder: &Path) -> Failure {
    let message = format!("{} belongs to a campaign with other options", folder.display());
    Failure::usage(message).with_help("choose another folder with -o, or remove this one")
}
