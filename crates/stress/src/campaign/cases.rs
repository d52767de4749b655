//! Inputs that deserve to be followed up: those that are slow for the solvers under test and easy for a reference.
//!
//! The offspring of a slow input is mostly slow for the same reason. So an input whose operators are much the same as those of
//! an earlier case counts as another instance of it, and is not followed up itself. The comparison takes operators instead of
//! executed lines, since cases are many and lines are tens of thousands.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use sundry_evolve::Multiset;

use crate::run::measured::Measured;
use crate::search::trace;
use crate::triage::finding::SlowInput;

/// The similarity of operators from which on an input counts as an instance of a case.
const ALIKE: f64 = 0.8;

/// The similarity of executed lines from which on two findings have the same cause.
const SAME_TRACE: f64 = 0.95;

/// The definition of an input that deserves to be followed up.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Suspicious {
    /// The amount at which a solver under test is slow.
    pub(crate) limit: f64,
    /// The largest effort of the fastest reference.
    pub(crate) easy: f64,
}

impl Suspicious {
    /// Whether an input is slow here and easy there. Without references, slow is enough.
    pub(crate) fn holds(&self, measured: &Measured) -> bool {
        let is_easy = match measured.reference() {
            Some(reference) => reference <= self.easy,
            None => measured.references.is_empty(),
        };
        measured.target() >= self.limit && is_easy
    }
}

/// The words of a script behind opening parentheses, each as often as it occurs.
fn operators(script: &str) -> Multiset {
    let heads = script.split('(').skip(1).filter_map(|part| part.split([' ', ')', '\n']).next());
    heads.filter(|word| !word.is_empty()).map(|word| (FxBuildHasher.hash_one(word), 1)).collect()
}

/// The state of a case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Nobody has followed the case up yet.
    Waiting,
    /// The input was not confirmed, for this reason.
    Dropped(String),
    /// The input is slow for the same reason as the finding with this number.
    Same(usize),
    /// A solver under test answers wrongly, has a wrong model or crashes.
    Defect,
    /// The input was confirmed.
    Confirmed(Box<SlowInput>),
}

/// An input that is followed up once, with the number of those that are much the same.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The input.
    pub script: String,
    /// The efforts for the input when it was found; without counters.
    pub measured: Measured,
    /// The generation in which it was found.
    pub generation: u64,
    /// The number of inputs that are much the same, this one included.
    pub count: usize,
    /// Whether the input is wanted because answers contradict each other or a solver failed, and not because it is slow.
    pub is_contradiction: bool,
    /// The state of the case.
    pub status: Status,
}

/// All cases of a campaign, in the order in which they were found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Cases(pub Vec<Case>);

impl Cases {
    /// Adds an input, unless it is an instance of a case that stands already.
    pub(crate) fn add(&mut self, script: &str, measured: &Measured, generation: u64, is_contradiction: bool) {
        let own = operators(script);
        let is_alike = |case: &&mut Case| {
            case.is_contradiction == is_contradiction && operators(&case.script).similarity(&own) >= ALIKE
        };
        if let Some(case) = self.0.iter_mut().find(is_alike) {
            case.count += 1;
            return;
        }
        let measured = Measured { counters: Vec::new(), ..measured.clone() };
        let script = script.to_string();
        self.0.push(Case {
            script,
            measured,
            generation,
            count: 1,
            is_contradiction,
            status: Status::Waiting,
        });
    }

    /// The numbers of the cases that wait, the oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().filter(|(_, case)| case.status == Status::Waiting).map(|(number, _)| number)
    }

    /// The confirmed cases, with their numbers.
    pub fn confirmed(&self) -> impl Iterator<Item = (usize, &Case, &SlowInput)> {
        self.0.iter().enumerate().filter_map(|(number, case)| match &case.status {
            Status::Confirmed(finding) => Some((number, case, &**finding)),
            _ => None,
        })
    }

    /// The number of a finding with the same operators, or with nearly the same executed lines.
    pub(crate) fn same_cause(&self, finding: &SlowInput) -> Option<usize> {
        let own = trace(&finding.executed.counters);
        let is_same = |other: &SlowInput| {
            let theirs = &other.executed.counters;
            other.shape == finding.shape
                || (own.size() > 0 && !theirs.is_empty() && trace(theirs).similarity(&own) >= SAME_TRACE)
        };
        self.confirmed().find(|(_, _, other)| is_same(other)).map(|(number, ..)| number)
    }

    /// Adds a confirmed case of another campaign, unless a finding here has the same cause; its inputs count then. Returns
    /// whether the finding is new here. Cases in other states change nothing.
    pub fn join(&mut self, case: Case) -> bool {
        let Status::Confirmed(finding) = &case.status else { return false };
        match self.same_cause(finding) {
            Some(number) => {
                self.0[number].count += case.count;
                false
            }
            None => {
                self.0.push(case);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::effort::Measure;

    /// A confirmed case with these operators.
    fn confirmed(shape: &str, count: usize) -> Case {
        let finding = SlowInput {
            measure: Measure::default(),
            whole: Vec::new(),
            whole_references: Vec::new(),
            reduced: None,
            targets: Vec::new(),
            references: Vec::new(),
            releases: Vec::new(),
            shape: shape.to_string(),
            executed: Measured::default(),
        };
        Case {
            script: format!("(assert ({shape}))\n"),
            measured: Measured::default(),
            generation: 1,
            count,
            is_contradiction: false,
            status: Status::Confirmed(Box::new(finding)),
        }
    }

    #[test]
    fn findings_of_campaigns_that_ran_apart_count_once() {
        let mut cases = Cases::default();
        let waiting = Case { status: Status::Waiting, ..confirmed("bvmul", 9) };
        let others = [confirmed("bvmul", 2), confirmed("bvudiv", 1), confirmed("bvmul", 5), waiting];
        assert_eq!(others.map(|case| cases.join(case)), [true, true, false, false]);
        assert_eq!(cases.0.iter().map(|case| case.count).collect::<Vec<_>>(), [7, 1]);
    }
}
