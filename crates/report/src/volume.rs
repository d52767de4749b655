//! The record of a run that writes solutions as they are found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::batch::{BatchEntry, write_others};
use crate::ending::Ending;
use crate::record::{Head, Record};

/// The distribution of independent draws.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UniformRecord {
    /// Whether it is exactly uniform.
    pub exact: bool,
    /// The logarithm of the number of solutions to the base 2, where it was found out; approximate unless `exact`.
    pub solutions_log2: Option<f64>,
    /// Bits of constants on which nothing depends.
    pub free_bits: u64,
    /// How many equations cut out a cell, where there are cells.
    pub hash_bits: Option<usize>,
    /// Up to which solution of a cell is drawn, where there are cells.
    pub threshold: Option<u64>,
    /// Cells that were looked into.
    pub cells: u64,
    /// Tries that brought no solution.
    pub misses: u64,
}

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
    /// Number of solutions that were written, by this run and those that it continues.
    pub solutions: u64,
    /// Of those, the ones of earlier runs.
    pub earlier: u64,
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
    /// How solutions are distributed, where that is the point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uniform: Option<UniformRecord>,
    /// Seconds from start to end, of this run alone.
    pub seconds: f64,
    /// Why the run ended: `complete`, `max-solutions`, `timeout`, `interrupted`, `unsatisfiable`.
    pub stopped_by: Ending,
    /// Exit status of the run.
    pub status: u8,
}

impl Record for VolumeRecord {
    const COLUMNS: &'static [&'static str] = &[
        "strategy",
        "seed",
        "solutions",
        "earlier",
        "candidates",
        "valid",
        "epochs",
        "questions",
        "rejected",
        "window",
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
            self.solutions.to_string(),
            self.earlier.to_string(),
            self.candidates.to_string(),
            self.valid.to_string(),
            self.epochs.to_string(),
            self.questions.to_string(),
            self.rejected.to_string(),
            self.window.map_or(String::new(), |window| window.to_string()),
            format!("{:.3}", self.seconds),
        ]
    }
}

/// How many formulas of a batch ended in which way.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct VolumeTotals {
    /// All of them.
    pub formulas: usize,
    /// With solutions.
    pub sampled: usize,
    /// Run without any solution found.
    pub empty: usize,
    /// Without solutions, proved.
    pub unsatisfiable: usize,
    /// Not run.
    pub failed: usize,
    /// Solutions of all together.
    pub solutions: u64,
}

impl VolumeTotals {
    /// Counts the entries.
    pub fn new(entries: &[BatchEntry<VolumeRecord>]) -> Self {
        let mut totals = VolumeTotals { formulas: entries.len(), ..VolumeTotals::default() };
        for entry in entries {
            let count = match entry {
                BatchEntry::Failed(_) => &mut totals.failed,
                BatchEntry::Finished(record) if record.stopped_by == Ending::Unsatisfiable => {
                    &mut totals.unsatisfiable
                }
                BatchEntry::Finished(record) if record.solutions > 0 => &mut totals.sampled,
                BatchEntry::Finished(_) => &mut totals.empty,
            };
            *count += 1;
            if let BatchEntry::Finished(record) = entry {
                totals.solutions += record.solutions;
            }
        }
        totals
    }
}

impl std::fmt::Display for VolumeTotals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.formulas == 1 { "" } else { "s" };
        write!(f, "{} formula{plural}: {} sampled", self.formulas, self.sampled)?;
        write_others(
            f,
            [
                (self.empty, "without a solution yet"),
                (self.unsatisfiable, "unsatisfiable"),
                (self.failed, "failed"),
            ],
        )?;
        write!(f, "; {} solution{}", self.solutions, if self.solutions == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
pub(crate) fn example(formula: &str) -> VolumeRecord {
    VolumeRecord {
        formula: formula.to_string(),
        strategy: "smtsampler".to_string(),
        options: BTreeMap::new(),
        seed: 0,
        version: "0.1.0".to_string(),
        solutions: 1000,
        earlier: 400,
        candidates: 2000,
        valid: 900,
        epochs: 2,
        questions: 30,
        rejected: 0,
        window: Some(500),
        uniform: None,
        seconds: 0.25,
        stopped_by: Ending::MaximalSolutions,
        status: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{read_entries, write_entry};
    use crate::csv::write_summary_csv;
    use crate::run;

    #[test]
    fn rows_have_the_columns_of_the_heading() {
        let mut text = Vec::new();
        write_summary_csv(&mut text, &[BatchEntry::Finished(example("a"))]).expect("writing to memory");
        let text = String::from_utf8(text).expect("text");
        assert_eq!(
            text,
            "formula,strategy,seed,solutions,earlier,candidates,valid,epochs,questions,rejected,window,seconds,\
             stopped_by,status,error\n\
             a,smtsampler,0,1000,400,2000,900,2,30,0,500,0.250,max-solutions,0,\n"
        );
    }

    #[test]
    fn records_of_another_kind_are_left_out() {
        let mut text = Vec::new();
        write_entry(&mut text, &BatchEntry::Finished(run::example("a"))).expect("writing to memory");
        write_entry(&mut text, &BatchEntry::Finished(example("b"))).expect("writing to memory");
        let volume = read_entries::<VolumeRecord>(&text[..]).expect("reading from memory");
        assert_eq!(volume, [BatchEntry::Finished(example("b"))]);
        let sets = read_entries::<run::RunRecord>(&text[..]).expect("reading from memory");
        assert_eq!(sets, [BatchEntry::Finished(run::example("a"))]);
    }

    #[test]
    fn totals_name_what_there_is() {
        let none = VolumeRecord { solutions: 0, stopped_by: Ending::Unsatisfiable, ..example("b") };
        let entries = [BatchEntry::Finished(example("a")), BatchEntry::Finished(none)];
        let text = VolumeTotals::new(&entries).to_string();
        assert_eq!(text, "2 formulas: 1 sampled, 1 unsatisfiable; 1000 solutions");
    }
}
