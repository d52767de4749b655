//! The record of a run that writes solutions as they are found.

use serde::{Deserialize, Serialize};

/// The distribution of independent draws.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UniformRecord {
    /// Whether the distribution is exactly uniform.
    pub exact: bool,
    /// The logarithm of the number of solutions to the base 2, where it was found; approximate unless `exact`.
    pub solutions_log2: Option<f64>,
    /// Bits of constants on which nothing depends.
    pub free_bits: u64,
    /// Arrays, functions and elements of declared sorts, whose values are not drawn: solutions that are counted are values of the
    /// other constants.
    #[serde(default)]
    pub undrawn: u64,
    /// The number of equations that cut out a cell, where there are cells.
    pub hash_bits: Option<usize>,
    /// The largest number of a solution that is drawn in a cell, where there are cells.
    pub threshold: Option<u64>,
    /// Cells that were looked into.
    pub cells: u64,
    /// Tries without a solution.
    pub misses: u64,
}

/// The counts of a run at volume.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VolumeRecord {
    /// The number of solutions that come from earlier runs.
    pub earlier: u64,
    /// Assignments that were evaluated.
    pub candidates: u64,
    /// The number of candidates that are solutions, found before or not.
    pub valid: u64,
    /// The number of starts of the search at another solution.
    pub epochs: u64,
    /// Calls of the solver.
    pub questions: u64,
    /// The number of the latest solutions that are known to be different, if not all are.
    pub window: Option<u64>,
    /// The distribution of solutions, for runs of independent draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform: Option<UniformRecord>,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::record::{self, PartRecord, RunRecord};

    pub(crate) fn example(formula: &str) -> RunRecord {
        let volume = VolumeRecord {
            earlier: 400,
            candidates: 2000,
            valid: 900,
            epochs: 2,
            questions: 30,
            window: Some(500),
            uniform: None,
        };
        record::tests::example(formula, "smtsampler", 1000, PartRecord::Volume(volume))
    }
}
