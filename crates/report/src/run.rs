//! The record of one run of a strategy on one formula.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ending::Ending;
use crate::record::{Head, Record};

/// What a run was asked for and what it brought.
///
/// Everything but the times is the same for every run with the same formula, strategy, options,
/// seed and version that no clock has stopped. So what does not change the result, such as the
/// number of threads, is left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
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
    /// Number of solutions.
    pub solutions: usize,
    /// AST-bits that they cover.
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
    /// No set that covers as much has fewer solutions; 0 where nothing is known.
    pub lower_bound: usize,
    /// The set is complete and no smaller one is.
    pub proved_minimal: bool,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Seconds from the start until the target coverage was reached, if it was.
    #[serde(default)]
    pub seconds_to_target: Option<f64>,
    /// Seconds until coverage was known to be complete.
    #[serde(default)]
    pub seconds_complete: Option<f64>,
    /// Seconds until the set was complete and proved minimal.
    #[serde(default)]
    pub seconds_minimal: Option<f64>,
    /// Why the run ended: `complete`, `target`, `max-solutions`, `timeout`, `interrupted`,
    /// `unsatisfiable`, `effort`, ...
    pub stopped_by: Ending,
    /// Models that the solver proposed and the evaluator rejected; anything but 0 is a defect.
    pub rejected: usize,
    /// Exit status of the run.
    pub status: u8,
    /// One entry for each solution, in the order of the file.
    pub per_solution: Vec<SolutionRecord>,
    /// One entry for each time that more was covered than ever before.
    pub curve: Vec<CurveRecord>,
}

/// How far a run was at some time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurveRecord {
    /// Seconds since the start.
    pub seconds: f64,
    /// Number of solutions.
    pub solutions: usize,
    /// AST-bits that they cover.
    pub covered: u64,
}

/// What one solution brought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SolutionRecord {
    /// AST-bits that it covers and none before it does.
    pub gain: u64,
    /// Seconds from the start until it was found.
    pub seconds: f64,
}

impl Record for RunRecord {
    const COLUMNS: &'static [&'static str] = &[
        "strategy",
        "seed",
        "solutions",
        "covered",
        "valid",
        "impossible",
        "unknown",
        "total",
        "coverage",
        "complete",
        "lower_bound",
        "proved_minimal",
        "seconds",
    ];

    fn head(&self) -> Head<'_> {
        Head {
            formula: &self.formula,
            strategy: &self.strategy,
            options: &self.options,
            seed: self.seed,
            version: &self.version,
            solutions: self.solutions as u64,
            stopped_by: self.stopped_by,
            status: self.status,
        }
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.strategy.clone(),
            self.seed.to_string(),
            self.solutions.to_string(),
            self.covered.to_string(),
            self.valid.to_string(),
            self.impossible.to_string(),
            self.unknown.to_string(),
            self.total.to_string(),
            self.coverage.to_string(),
            self.complete.to_string(),
            self.lower_bound.to_string(),
            self.proved_minimal.to_string(),
            format!("{:.3}", self.seconds),
        ]
    }
}

#[cfg(test)]
pub(crate) fn example(formula: &str) -> RunRecord {
    RunRecord {
        formula: formula.to_string(),
        strategy: "cover".to_string(),
        options: BTreeMap::from([("target".to_string(), Value::from(1.0))]),
        seed: 0,
        version: "0.1.0".to_string(),
        solutions: 2,
        covered: 30,
        valid: 30,
        impossible: 2,
        unknown: 0,
        total: 32,
        coverage: 1.0,
        complete: true,
        lower_bound: 2,
        proved_minimal: true,
        seconds: 0.25,
        seconds_to_target: Some(0.25),
        seconds_complete: Some(0.25),
        seconds_minimal: Some(0.25),
        stopped_by: Ending::Complete,
        rejected: 0,
        status: 0,
        per_solution: vec![
            SolutionRecord { gain: 16, seconds: 0.125 },
            SolutionRecord { gain: 14, seconds: 0.25 },
        ],
        curve: vec![
            CurveRecord { seconds: 0.125, solutions: 1, covered: 16 },
            CurveRecord { seconds: 0.25, solutions: 2, covered: 30 },
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_back_the_same() {
        let record = example("f.smt2");
        let text = record.to_json();
        assert!(text.contains("\"lower_bound\": 2"), "{text}");
        assert!(text.ends_with("}\n"));
        assert_eq!(serde_json::from_str::<RunRecord>(&text).expect("JSON"), record);
    }
}
