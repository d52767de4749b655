//! The record of a run that writes solutions as they are found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a run at volume was asked for and what it brought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VolumeRecord {
    /// The formula as named on the command line.
    pub formula: String,
    /// The strategy.
    pub strategy: String,
    /// Options of the run by their long names.
    pub options: BTreeMap<String, Value>,
    /// Seed of all randomness.
    pub seed: u64,
    /// Version of the program.
    pub version: String,
    /// Number of solutions that were written.
    pub solutions: u64,
    /// Assignments that were evaluated.
    pub candidates: u64,
    /// Of those, solutions, found before or not.
    pub valid: u64,
    /// How often the search began at another solution.
    pub epochs: u64,
    /// Calls of the solver.
    pub questions: u64,
    /// Models that the solver proposed and the evaluation rejected; anything but 0 is a defect.
    pub rejected: u64,
    /// How many of the latest solutions are known to be different, if not all are.
    pub window: Option<u64>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Why the run ended: `max-solutions`, `timeout`, `interrupted`, `unsatisfiable`.
    pub stopped_by: String,
    /// Exit status of the run.
    pub status: u8,
}

impl VolumeRecord {
    /// The record as indented JSON with a line break at the end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}
