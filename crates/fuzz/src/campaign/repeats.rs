//! Findings on a seed so far, so that the same defect is not followed up again and again.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::judge::oracle::Examination;

/// The number of repeated findings of one kind after which further ones are only counted.
const REPETITIONS: usize = 2;
/// Slow mutants of one solver that others are asked about.
const SLOW_ASKED: usize = 3;

/// The findings on one seed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Repeats {
    /// Kinds of findings, a solver with its defect and whether that is confirmed, and the operators in their reduced
    /// scripts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    operators: BTreeMap<String, BTreeSet<String>>,
    /// The number of times that each kind had operators that were seen before.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    repetitions: BTreeMap<String, usize>,
    /// The number of mutants on which each solver was slow.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    slow: BTreeMap<String, usize>,
}

impl Repeats {
    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        *self == Repeats::default()
    }

    /// Whether another finding of a kind is worth the time: the last ones were not all alike.
    pub(crate) fn is_worthwhile(&self, solver: &str, examination: &Examination) -> bool {
        self.repetitions.get(&kind(solver, examination)).is_none_or(|&count| count < REPETITIONS)
    }

    /// Notes a finding with the operators that its reduced script has.
    pub(crate) fn note(&mut self, solver: &str, examination: &Examination, operators: &str) {
        let kind = kind(solver, examination);
        if !self.operators.entry(kind.clone()).or_default().insert(operators.to_string()) {
            *self.repetitions.entry(kind).or_default() += 1;
        }
    }

    /// Notes a mutant on which a solver is slow. Whether others are asked about it.
    pub(crate) fn note_slow(&mut self, solver: &str) -> bool {
        let count = self.slow.entry(solver.to_string()).or_default();
        *count += 1;
        *count <= SLOW_ASKED
    }
}

/// An unconfirmed finding is a separate kind, so that it does not hide a confirmed one.
fn kind(solver: &str, Examination { defect, witness }: &Examination) -> String {
    let doubt = if witness.confirms(defect) { "" } else { ", not confirmed" };
    format!("{solver}: {defect}{doubt}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::defect::{Defect, Witness};

    #[test]
    fn what_is_seen_again_and_again_is_not_followed_up() {
        let invalid = |witness| Examination { defect: Defect::InvalidModel, witness };
        let (confirmed, told) = (invalid(Witness::Evaluator(0)), invalid(Witness::Itself));
        let mut seen = Repeats::default();
        let notes = ["mod", "div", "div", "mod"].map(|operators| {
            let is_worthwhile = seen.is_worthwhile("z3", &told);
            seen.note("z3", &told, operators);
            is_worthwhile
        });
        assert_eq!(notes, [true; 4]);
        assert!(!seen.is_worthwhile("z3", &told));
        assert!(seen.is_worthwhile("z3", &confirmed));
        assert!(seen.is_worthwhile("cvc5", &told));
    }

    #[test]
    fn of_slow_mutants_others_are_asked_a_few_times() {
        let mut seen = Repeats::default();
        let asked: Vec<bool> = (0..5).map(|_| seen.note_slow("z3")).collect();
        assert_eq!(asked, [true, true, true, false, false]);
        assert!(seen.note_slow("cvc5"));
    }
}
