//! Figures of generations, for the live line, the record and the curves of the page.

use serde::{Deserialize, Serialize};

use crate::own_work::OwnWork;

/// Figures of a population, and of the campaign up to it.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Generation {
    /// The number of the generation; the first one is 0.
    pub number: u64,
    /// The number of times that the limit of runs was doubled before this generation.
    #[serde(default)]
    pub doublings: u32,
    /// Runs of inputs so far.
    pub runs: u64,
    /// Inputs so far that a reference decided with less effort than the solvers under test.
    #[serde(default)]
    pub easier_elsewhere: u64,
    /// The largest first objective of the population: the time score, or the target's own effort.
    pub best_score: f64,
    /// The mean of the first objective.
    pub mean_score: f64,
    /// Members on which all solvers under test reached a limit.
    pub stopped: usize,
    /// The mean of the executed lines of a member.
    pub mean_lines: f64,
    /// Lines that were executed in some run so far.
    pub total_lines: usize,
    /// The mean of the complexities.
    pub mean_complexity: f64,
    /// Runs so far whose counters were lost.
    pub lost_counters: u64,
    /// Children so far that were given up because they were too large.
    #[serde(default)]
    pub oversized: u64,
    /// Seconds of processor time that solvers took for breeding so far.
    #[serde(default)]
    pub solver_seconds: f64,
    /// Seconds of breeding so far, without following up.
    pub seconds: f64,
    /// The work so far that was not that of solvers.
    #[serde(default)]
    pub own_work: OwnWork,
}

impl Generation {
    /// The limit of runs, as a multiple of the first one.
    pub fn limit_multiple(&self) -> u32 {
        multiple(self.doublings)
    }
}

/// The limit of runs after some doublings, as a multiple of the first one.
pub(crate) fn multiple(doublings: u32) -> u32 {
    1_u32.checked_shl(doublings).unwrap_or(u32::MAX)
}
