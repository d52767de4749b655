//! A confirmed slow input, with everything that its report says.

use serde::{Deserialize, Serialize};

use crate::run::effort::{Effort, Measure};
use crate::run::measured::Measured;

/// The effort of one solver, from one or several runs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Timed {
    /// The command of the solver.
    pub solver: String,
    /// The efforts of its runs, in ascending order.
    pub runs: Vec<Effort>,
}

impl Timed {
    /// The run in the middle.
    pub fn median(&self) -> Option<&Effort> {
        self.runs.get(self.runs.len() / 2)
    }
}

/// A smaller input that is slow as well.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SmallerInput {
    /// The script.
    pub script: String,
    /// The number of scripts that were tried.
    pub checks: usize,
    /// Whether all changes were tried; otherwise the time for reducing was over.
    pub is_finished: bool,
}

/// The behaviour of a release of the solver under test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReleaseEffort {
    /// The command of the release.
    pub release: String,
    /// The effort of the release for the smallest input, with the limit of the search.
    pub effort: Effort,
    /// Whether the release is slow: it reaches the limit.
    pub is_slow: bool,
}

/// An input on which the solvers under test are slow under the long limit, and a reference is not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SlowInput {
    /// The measure of all efforts.
    pub measure: Measure,
    /// The efforts of the solvers under test for the input as it was bred.
    pub whole: Vec<Timed>,
    /// The efforts of the references for the input as it was bred.
    pub whole_references: Vec<Timed>,
    /// A smaller input, if reducing was wanted and the input was still slow when it was printed again.
    pub reduced: Option<SmallerInput>,
    /// The efforts of the solvers under test for the smallest input.
    pub targets: Vec<Timed>,
    /// The efforts of the references for the smallest input.
    pub references: Vec<Timed>,
    /// The releases, the oldest first.
    pub releases: Vec<ReleaseEffort>,
    /// The operators of the smallest input.
    pub shape: String,
    /// The lines that the first solver under test executes for the smallest input within the limit of the search, where lines are
    /// counted.
    pub executed: Measured,
}

impl SlowInput {
    /// The first slow release, where an earlier one decides the input: then the input shows a regression.
    pub fn regression(&self) -> Option<&ReleaseEffort> {
        let first = self.releases.iter().position(|release| release.is_slow)?;
        let decided = |release: &ReleaseEffort| release.effort.verdict().is_some();
        self.releases[..first].iter().any(decided).then(|| &self.releases[first])
    }

    /// The smallest script, given the input as it was bred.
    pub fn smallest<'s>(&'s self, whole: &'s str) -> &'s str {
        self.reduced.as_ref().map_or(whole, |reduced| &reduced.script)
    }
}
