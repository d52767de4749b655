//! All that is known of an input that was run.

use serde::{Deserialize, Serialize};
use sundry_counters::FileCounters;
use sundry_external::{Fault, Verdict};

use crate::run::effort::{Effort, Outcome};

/// The efforts of all solvers for one input, and what the solver under test executed.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// The effort of each solver under test.
    pub targets: Vec<Effort>,
    /// The effort of each reference, where references were asked.
    pub references: Vec<Effort>,
    /// The executed lines of the first solver under test, where they are counted.
    #[serde(with = "compact", default, skip_serializing_if = "Vec::is_empty")]
    pub counters: Vec<FileCounters>,
    /// Whether counters were lost: the run should have left some.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counters_lost: bool,
    /// Whether a solver under test has a wrong model, or crashes over it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wrong_model: bool,
}

impl Measured {
    /// The amount that all solvers under test take at least. One that fails or refuses the input has not worked on it.
    pub fn target(&self) -> f64 {
        let amount = |effort: &Effort| match effort.outcome {
            Outcome::Failed(_) => 0.0,
            _ => effort.amount,
        };
        self.targets.iter().map(amount).reduce(f64::min).unwrap_or_default()
    }

    /// The amount of the reference that decides the input with the least, or `None` if none decides it.
    pub fn reference(&self) -> Option<f64> {
        let decided = self.references.iter().filter(|effort| effort.verdict().is_some());
        decided.map(|effort| effort.amount).reduce(f64::min)
    }

    /// Whether all solvers under test were stopped by a limit.
    pub fn is_stopped(&self) -> bool {
        !self.targets.is_empty() && self.targets.iter().all(Effort::is_stopped)
    }

    /// Whether a reference decides the input with less effort than all solvers under test take.
    pub fn is_easier_elsewhere(&self) -> bool {
        self.reference().is_some_and(|reference| reference < self.target())
    }

    /// Whether two solvers contradict each other, or a solver under test crashed or has a wrong model.
    pub fn is_suspicious(&self) -> bool {
        let all = || self.targets.iter().chain(&self.references);
        let says = |verdict| all().any(|effort| effort.verdict() == Some(verdict));
        let fails = |effort: &Effort| matches!(&effort.outcome, Outcome::Failed(fault) if is_defect(fault));
        self.wrong_model || (says(Verdict::Sat) && says(Verdict::Unsat)) || self.targets.iter().any(fails)
    }

    /// The number of executed lines.
    pub fn lines(&self) -> usize {
        self.counters.iter().map(|file| file.lines.len()).sum()
    }
}

/// Whether a fault is a defect of the solver.
pub(crate) fn is_defect(fault: &Fault) -> bool {
    matches!(fault, Fault::Crash(_) | Fault::InvalidModel(_))
}

/// Counters as arrays of numbers: names of fields would be most of the text.
mod compact {
    use serde::{Deserialize, Deserializer, Serializer};
    use sundry_counters::{Counter, FileCounters};

    pub(super) fn serialize<S: Serializer>(files: &[FileCounters], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(files.iter().map(|file| {
            let lines: Vec<(u32, u64)> = file.lines.iter().map(|it| (it.line, it.count)).collect();
            (file.file, lines)
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<FileCounters>, D::Error> {
        let files = Vec::<(u32, Vec<(u32, u64)>)>::deserialize(source)?;
        let file = |(file, lines): (u32, Vec<(u32, u64)>)| {
            let lines = lines.into_iter().map(|(line, count)| Counter { line, count }).collect();
            FileCounters { file, lines }
        };
        Ok(files.into_iter().map(file).collect())
    }
}
