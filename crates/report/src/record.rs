//! The record of a run on one formula: its request, how it ended, and a part for each kind of run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ending::Ending;
use crate::set::SetRecord;
use crate::status::Status;
use crate::tuples::TuplesRecord;
use crate::volume::VolumeRecord;

/// The request of a run and its results.
///
/// Everything but the times is the same for every run with the same formula, strategy, options,
/// seed and version that no clock has stopped. So settings that do not change the result, such as the number of
/// threads, are left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The part that all runs have.
    #[serde(flatten)]
    pub head: RunHead,
    /// The part that only runs of this kind have.
    #[serde(flatten)]
    pub part: PartRecord,
}

/// The part of a record that all runs have.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunHead {
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
    pub solutions: u64,
    /// Seconds from start to end.
    pub seconds: f64,
    /// The reason why the run ended.
    pub stopped_by: Ending,
    /// Models that the solver proposed and the evaluator rejected; anything but 0 is a defect.
    pub rejected: u64,
    /// Exit status of the run.
    pub status: Status,
}

/// The part of a record that depends on the kind of run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PartRecord {
    /// A set that covers AST-bits.
    Set(SetRecord),
    /// A set that shows combinations of values.
    Tuples(TuplesRecord),
    /// Solutions that were written as they were found.
    Volume(VolumeRecord),
}

/// The kinds of runs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RunKind {
    /// A set that covers AST-bits.
    Set,
    /// A set that shows combinations of values.
    Tuples,
    /// Solutions that were written as they were found.
    Volume,
}

impl RunKind {
    /// The columns of a summary between the name of the formula and how its run ended.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            RunKind::Set => &[
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
            ],
            RunKind::Tuples => &[
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
            ],
            RunKind::Volume => &[
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
            ],
        }
    }
}

impl RunRecord {
    /// The kind of the run.
    pub fn kind(&self) -> RunKind {
        match self.part {
            PartRecord::Set(_) => RunKind::Set,
            PartRecord::Tuples(_) => RunKind::Tuples,
            PartRecord::Volume(_) => RunKind::Volume,
        }
    }

    /// The part of a run that covers AST-bits.
    pub fn set(&self) -> Option<&SetRecord> {
        match &self.part {
            PartRecord::Set(set) => Some(set),
            _ => None,
        }
    }

    /// A cell for each of the [columns](RunKind::columns) of its kind.
    pub fn cells(&self) -> Vec<String> {
        let RunHead { strategy, seed, solutions, rejected, seconds, .. } = &self.head;
        let mut cells = vec![strategy.clone(), seed.to_string()];
        match &self.part {
            PartRecord::Set(set) => cells.extend([
                solutions.to_string(),
                set.covered.to_string(),
                set.valid.to_string(),
                set.impossible.to_string(),
                set.unknown.to_string(),
                set.total.to_string(),
                set.coverage.to_string(),
                set.complete.to_string(),
                set.lower_bound.to_string(),
                set.proved_minimal.to_string(),
            ]),
            PartRecord::Tuples(tuples) => cells.extend([
                tuples.strength.to_string(),
                tuples.factors.to_string(),
                tuples.tuples.to_string(),
                tuples.covered.to_string(),
                tuples.impossible.to_string(),
                tuples.open.to_string(),
                solutions.to_string(),
                tuples.lower_bound.to_string(),
            ]),
            PartRecord::Volume(volume) => cells.extend([
                solutions.to_string(),
                volume.earlier.to_string(),
                volume.candidates.to_string(),
                volume.valid.to_string(),
                volume.epochs.to_string(),
                volume.questions.to_string(),
                rejected.to_string(),
                volume.window.map_or(String::new(), |window| window.to_string()),
            ]),
        }
        cells.push(format!("{seconds:.3}"));
        cells
    }

    /// The record as indented JSON with a line break at the end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::set;
    use crate::volume;

    /// A run with this part.
    pub(crate) fn example(formula: &str, strategy: &str, solutions: u64, part: PartRecord) -> RunRecord {
        let head = RunHead {
            formula: formula.to_string(),
            strategy: strategy.to_string(),
            options: BTreeMap::from([("target".to_string(), Value::from(1.0))]),
            seed: 0,
            version: "0.1.0".to_string(),
            solutions,
            seconds: 0.25,
            stopped_by: Ending::Complete,
            rejected: 0,
            status: Status::Done,
        };
        RunRecord { head, part }
    }

    #[test]
    fn json_is_read_back_the_same() {
        let tuples = PartRecord::Tuples(TuplesRecord {
            strength: 2,
            factors: 3,
            tuples: 12,
            covered: 11,
            impossible: 1,
            open: 0,
            lower_bound: 4,
            all: false,
            gains: vec![3, 3, 3, 2],
        });
        for record in [
            set::tests::example("f.smt2"),
            example("f.smt2", "t-wise", 4, tuples),
            volume::tests::example("f.smt2"),
        ] {
            let text = record.to_json();
            assert!(text.starts_with("{\n  \"formula\": \"f.smt2\""), "{text}");
            assert!(text.ends_with("}\n"));
            assert_eq!(serde_json::from_str::<RunRecord>(&text).expect("JSON"), record);
            assert_eq!(record.cells().len(), record.kind().columns().len());
        }
    }
}
