//! The record of a run that covers AST-bits.

use serde::{Deserialize, Serialize};

/// The coverage of a set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SetRecord {
    /// AST-bits that the solutions cover.
    pub covered: u64,
    /// AST-bits that some solution of the formula is known to cover.
    pub valid: u64,
    /// AST-bits proved impossible.
    pub impossible: u64,
    /// AST-bits that are neither.
    pub unknown: u64,
    /// All AST-bits.
    pub total: u64,
    /// Covered AST-bits as a share of those not proved impossible.
    pub coverage: f64,
    /// Everything that can be covered is covered, and the rest is proved impossible.
    pub complete: bool,
    /// The proved lower bound on the size of sets that cover as much; 0 where nothing is known.
    pub lower_bound: usize,
    /// The set is complete and no smaller one is.
    pub proved_minimal: bool,
    /// Seconds from the start until the target coverage was reached, if it was.
    #[serde(default)]
    pub seconds_to_target: Option<f64>,
    /// Seconds until coverage was known to be complete.
    #[serde(default)]
    pub seconds_complete: Option<f64>,
    /// Seconds until the set was complete and proved minimal.
    #[serde(default)]
    pub seconds_minimal: Option<f64>,
    /// The entries of the solutions, in the order of the file.
    pub per_solution: Vec<SolutionRecord>,
    /// The points of the coverage curve, one for each time that more was covered than ever before.
    pub curve: Vec<CurveRecord>,
}

/// The coverage of a run at some time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurveRecord {
    /// Seconds since the start.
    pub seconds: f64,
    /// Number of solutions.
    pub solutions: usize,
    /// AST-bits that they cover.
    pub covered: u64,
}

/// The contribution of one solution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SolutionRecord {
    /// AST-bits that it covers and none before it does.
    pub gain: u64,
    /// Seconds from the start until it was found.
    pub seconds: f64,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::record::{self, PartRecord, RunRecord};

    pub(crate) fn example(formula: &str) -> RunRecord {
        let set = SetRecord {
            covered: 30,
            valid: 30,
            impossible: 2,
            unknown: 0,
            total: 32,
            coverage: 1.0,
            complete: true,
            lower_bound: 2,
            proved_minimal: true,
            seconds_to_target: Some(0.25),
            seconds_complete: Some(0.25),
            seconds_minimal: Some(0.25),
            per_solution: vec![
                SolutionRecord { gain: 16, seconds: 0.125 },
                SolutionRecord { gain: 14, seconds: 0.25 },
            ],
            curve: vec![
                CurveRecord { seconds: 0.125, solutions: 1, covered: 16 },
                CurveRecord { seconds: 0.25, solutions: 2, covered: 30 },
            ],
        };
        record::tests::example(formula, "cover", 2, PartRecord::Set(set))
    }
}
