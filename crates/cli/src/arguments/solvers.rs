//! Arguments that name solvers, the same for the jobs that run any.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::values::{parse_count, parse_seconds};

/// Solvers, and what each run of one may use.
#[derive(Args, Clone, Debug)]
pub struct SolverArguments {
    /// Command of a solver to test; the formula's file is its last argument. 'built-in' is Sundry's own solver, without a
    /// process. Repeat for several
    #[arg(long = "solver", value_name = "COMMAND", required = true, help_heading = "Solvers")]
    pub solvers: Vec<String>,

    /// Command of a trusted solver, or 'built-in', which decides whether a seed is satisfiable and who is wrong. Repeat for
    /// several
    #[arg(long = "reference", value_name = "COMMAND", help_heading = "Solvers")]
    pub references: Vec<String>,

    /// Command of a release of a solver, the oldest first. For each defect, report which releases show it; the same defect in
    /// several tested releases is counted once. Repeat for several
    #[arg(long = "release", value_name = "COMMAND", help_heading = "Solvers")]
    pub releases: Vec<String>,

    /// TOML file with profiles of further kinds of solvers
    #[arg(long, value_name = "FILE", help_heading = "Solvers")]
    pub profiles: Option<PathBuf>,

    /// Have the solvers under test check their own models and cores, by the options in their profiles
    #[arg(long, help_heading = "Solvers")]
    pub self_check: bool,

    /// Maximum seconds of processor time for each run of a solver, of all its processes and threads together. On a mutant, a
    /// solver gets ten times its time on the seed (at least 1 s), reduced to three times (at least 0.2 s) once it usually times
    /// out
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_seconds)]
    #[arg(help_heading = "Solvers")]
    pub solver_timeout: Duration,

    /// Maximum seconds from the start of a solver to its end, for solvers that wait instead of working; without this option,
    /// a second more than five times the processor time, so that a busy machine makes no difference
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Solvers")]
    pub solver_wall_time: Option<Duration>,

    /// Memory for each run of a solver, in MiB
    #[arg(long, value_name = "MIB", default_value = "4096", value_parser = parse_count)]
    #[arg(help_heading = "Solvers")]
    pub solver_memory: NonZeroUsize,
}
