//! What each solver has answered in a campaign.

use serde::{Deserialize, Serialize};
use sundry_external::Verdict;

use crate::run::effort::{Effort, Outcome};

/// The runs of a solver in the search, by their ends.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Answers `sat`.
    pub sat: u64,
    /// Answers `unsat`.
    pub unsat: u64,
    /// Runs in which the solver gave up before any limit.
    pub unknown: u64,
    /// Runs that a limit stopped.
    pub stopped: u64,
    /// Those of them that another limit stopped than that of the measure, such as the time on the clock: nothing says how slow the solver is on these inputs.
    #[serde(default)]
    pub unmeasured: u64,
    /// Runs in which the solver failed, or refused the input.
    pub failed: u64,
    /// The sum of all efforts, in the unit of the search.
    pub effort: f64,
}

impl Tally {
    /// Adds a run.
    pub(crate) fn add(&mut self, effort: &Effort) {
        self.effort += effort.amount;
        self.unmeasured += u64::from(effort.outcome == Outcome::Net);
        *match effort.outcome {
            Outcome::Decided(Verdict::Sat) => &mut self.sat,
            Outcome::Decided(Verdict::Unsat) => &mut self.unsat,
            Outcome::Decided(Verdict::Unknown) | Outcome::Unknown => &mut self.unknown,
            Outcome::Limit | Outcome::Net => &mut self.stopped,
            Outcome::Failed(_) => &mut self.failed,
        } += 1;
    }

    /// The number of runs.
    pub fn runs(&self) -> u64 {
        self.sat + self.unsat + self.unknown + self.stopped + self.failed
    }
}

/// Adds the runs of several solvers, in their order.
pub(crate) fn add_all(tallies: &mut Vec<Tally>, efforts: &[Effort]) {
    tallies.resize(tallies.len().max(efforts.len()), Tally::default());
    tallies.iter_mut().zip(efforts).for_each(|(tally, effort)| tally.add(effort));
}
