//! What a campaign has done so far, in numbers.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Reply, Respondent};

/// How often runs of a solver were ended by a limit before it had answered all that it was asked.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Overruns {
    /// By that on time, or on processor time.
    pub timeouts: usize,
    /// By that on memory.
    pub memory_outs: usize,
}

impl Overruns {
    /// Those of a run that was asked so many questions.
    pub(crate) fn of(reply: &Reply, asked: usize) -> Overruns {
        let is_cut = reply.answers().len() < asked;
        Overruns {
            timeouts: usize::from(is_cut && reply.fault == Some(Fault::Timeout)),
            memory_outs: usize::from(is_cut && reply.fault == Some(Fault::Memory)),
        }
    }

    /// Whether there are none.
    pub fn is_none(&self) -> bool {
        *self == Overruns::default()
    }
}

impl std::ops::AddAssign for Overruns {
    fn add_assign(&mut self, other: Overruns) {
        self.timeouts += other.timeouts;
        self.memory_outs += other.memory_outs;
    }
}

/// What was done so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Mutants that were put to solvers.
    pub mutants: usize,
    /// Replies of the solvers under test to mutants.
    pub replies: usize,
    /// Those without an answer: unknown, out of time, not supported.
    pub missing: usize,
    /// Replies with something wrong.
    pub suspicious: usize,
    /// Of these, those that did not show it again.
    pub vanished: usize,
    /// What limits have ended of the runs of solvers and references on the seed and its mutants, by the command: where
    /// there is anything.
    pub overruns: BTreeMap<String, Overruns>,
    /// Time that the solvers under test took for mutants.
    pub asking: Duration,
    /// Time for what was suspicious: asking others, asking again, making it smaller.
    pub following: Duration,
}

impl Tally {
    /// Counts a run of a solver that was asked so many questions.
    pub(crate) fn note_overruns(&mut self, solver: &dyn Respondent, reply: &Reply, asked: usize) {
        let overruns = Overruns::of(reply, asked);
        if !overruns.is_none() {
            *self.overruns.entry(solver.name().to_string()).or_default() += overruns;
        }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.mutants += other.mutants;
        self.replies += other.replies;
        self.missing += other.missing;
        self.suspicious += other.suspicious;
        self.vanished += other.vanished;
        other
            .overruns
            .into_iter()
            .for_each(|(solver, runs)| *self.overruns.entry(solver).or_default() += runs);
        self.asking += other.asking;
        self.following += other.following;
    }
}
