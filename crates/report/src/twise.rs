//! The record of a run that covers combinations of values.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::batch::{BatchEntry, write_others};
use crate::ending::Ending;
use crate::record::{Head, Record};

/// What a t-wise run was asked for and what it brought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TWiseRecord {
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
    /// How many values a tuple has.
    pub strength: usize,
    /// How many factors there are.
    pub factors: usize,
    /// Tuples of values of different factors.
    pub tuples: u64,
    /// Of those, the ones that the solutions have.
    pub covered: u64,
    /// Of those, the ones that no solution of the formula has, proved.
    pub impossible: u64,
    /// Of those, the ones that are neither.
    pub open: u64,
    /// Number of solutions.
    pub solutions: u64,
    /// No set that covers as much has fewer solutions.
    pub lower_bound: usize,
    /// Whether these are all solutions of the formula.
    pub all: bool,
    /// Models that the solver proposed and the evaluation rejected; anything but 0 is a defect.
    pub rejected: u64,
    /// How many new tuples each solution has, in their order.
    pub gains: Vec<u64>,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Why the run ended: `complete`, `max-solutions`, `timeout`, `interrupted`, `unsatisfiable`.
    pub stopped_by: Ending,
    /// Exit status of the run.
    pub status: u8,
}

impl Record for TWiseRecord {
    const COLUMNS: &'static [&'static str] = &[
        "strategy",
        "seed",
        "strength",
        "factors",
        "tuples",
        "covered",
        "impossible",
        "open",
        "solutions",
        "lower_bound",
        "seconds",
    ];

    fn head(&self) -> Head<'_> {
        Head {
            formula: &self.formula,
            strategy: &self.strategy,
            options: &self.options,
            seed: self.seed,
            version: &self.version,
            solutions: self.solutions,
            stopped_by: self.stopped_by,
            status: self.status,
        }
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.strategy.clone(),
            self.seed.to_string(),
            self.strength.to_string(),
            self.factors.to_string(),
            self.tuples.to_string(),
            self.covered.to_string(),
            self.impossible.to_string(),
            self.open.to_string(),
            self.solutions.to_string(),
            self.lower_bound.to_string(),
            format!("{:.3}", self.seconds),
        ]
    }
}

/// How many formulas of a batch ended in which way.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct TWiseTotals {
    /// All of them.
    pub formulas: usize,
    /// With all valid tuples covered.
    pub complete: usize,
    /// With solutions, but not all tuples decided and covered.
    pub partial: usize,
    /// Run without any solution found.
    pub empty: usize,
    /// Without solutions, proved.
    pub unsatisfiable: usize,
    /// Not run.
    pub failed: usize,
    /// Solutions of all together.
    pub solutions: u64,
}

impl TWiseTotals {
    /// Counts the entries.
    pub fn new(entries: &[BatchEntry<TWiseRecord>]) -> Self {
        let mut totals = TWiseTotals { formulas: entries.len(), ..TWiseTotals::default() };
        for entry in entries {
            let count = match entry {
                BatchEntry::Failed(_) => &mut totals.failed,
                BatchEntry::Finished(record) if record.stopped_by == Ending::Unsatisfiable => {
                    &mut totals.unsatisfiable
                }
                BatchEntry::Finished(record) if record.solutions == 0 => &mut totals.empty,
                BatchEntry::Finished(record) if record.open == 0 => &mut totals.complete,
                BatchEntry::Finished(_) => &mut totals.partial,
            };
            *count += 1;
            if let BatchEntry::Finished(record) = entry {
                totals.solutions += record.solutions;
            }
        }
        totals
    }
}

impl std::fmt::Display for TWiseTotals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.formulas == 1 { "" } else { "s" };
        write!(f, "{} formula{plural}: {} complete", self.formulas, self.complete)?;
        write_others(
            f,
            [
                (self.partial, "partial"),
                (self.empty, "without a solution yet"),
                (self.unsatisfiable, "unsatisfiable"),
                (self.failed, "failed"),
            ],
        )?;
        let plural = if self.solutions == 1 { "" } else { "s" };
        write!(f, "; {} solution{plural}", self.solutions)
    }
}
