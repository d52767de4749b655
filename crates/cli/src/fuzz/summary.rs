//! Figures of a run of a campaign as JSON.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use sundry_fuzz::{OptionRuns, Overruns, Undecided};

/// Figures of a run, in the folder of its campaign.
pub const SUMMARY: &str = "summary.json";

/// Figures of a run. Defects are those of the whole campaign.
#[derive(Serialize)]
pub struct Summary {
    /// Seeds of which mutants were made.
    pub seeds: usize,
    /// Seeds among all that have something that Sundry does not know.
    pub trees: usize,
    pub unreadable: usize,
    /// Seeds at which a defect of Sundry showed.
    pub broken: usize,
    /// Seeds that had no turn, in no run of the campaign.
    pub not_begun: usize,
    pub unknown: usize,
    pub trivial: usize,
    pub undecided: usize,
    pub barren: usize,
    pub mutants: usize,
    pub replies: usize,
    pub missing: usize,
    /// Replies with counters of what was executed.
    pub counted: usize,
    /// Replies without an answer by which a solver refuses a mutant.
    pub refused: usize,
    pub timeouts: usize,
    pub memory_outs: usize,
    /// The runs on seeds and mutants that limits have ended, by the command of the solver.
    pub overruns: BTreeMap<String, Overruns>,
    /// The mutants without options that a solver under test does not decide, by its command.
    pub undecided_mutants: BTreeMap<String, Undecided>,
    /// Mutants that some solver under test got with options, and the runs with each option, by the command of the solver
    /// and the argument.
    pub varied: usize,
    pub options: BTreeMap<String, BTreeMap<String, OptionRuns>>,
    /// The options of profiles that a build does not take, with its reason, by the command of the solver and the argument.
    pub dropped_options: BTreeMap<String, BTreeMap<String, String>>,
    pub suspicious: usize,
    pub vanished: usize,
    pub seconds: f64,
    /// Of all threads together: what solvers took for mutants, and what findings took.
    pub seconds_on_mutants: f64,
    pub seconds_on_findings: f64,
    pub threads: usize,
    /// The share of the threads' time that solvers took.
    pub share_in_solvers: f64,
    /// Confirmed defects by kind.
    pub confirmed: BTreeMap<&'static str, usize>,
    pub doubtful: usize,
    /// Findings that were not reduced to the end: they may be others of these defects.
    pub cut_short: usize,
    /// The number of defects if operators do not count as a difference.
    pub without_operators: usize,
    pub stopped_by: Option<End>,
    /// The words of the command, and the folder where it ran.
    pub command: Vec<String>,
    pub folder: Option<PathBuf>,
}

/// Why a campaign ends before all mutants were made.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The time is over.
    Timeout,
    /// As many mutants as were wanted are made.
    Budget,
    /// Somebody stopped it.
    Interrupt,
    /// As much memory was in use as there may be.
    Memory,
    /// The campaign cannot go on, as its last message says.
    Error,
}
