//! A campaign: which solvers are tested, how, and who is told.

pub(crate) mod repeats;
pub(crate) mod seed_run;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Reply, Respondent};

use crate::ask::asker::Asker;
use crate::ask::style::AskingStyle;
use crate::judge::finding::{Finding, SlowCase};
use crate::mutate::approximate::Technique;
use crate::seed::Partners;

/// A way to make mutants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// By approximation of literals: they are satisfiable if and only if the seed is.
    Approximation(Technique),
    /// By other operators: nothing is known of them.
    Operators,
    /// By fusion with other seeds of the same status.
    Fusion,
    /// By random formulas that hold in a model of a satisfiable seed.
    Model,
}

/// How much is done for each seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Mutants of a seed.
    pub mutants: usize,
    /// Literals or operators that are changed in one step, at most.
    pub changes: usize,
    /// How they are made, in turn.
    pub methods: Vec<Method>,
    /// How they are asked about, one of these for each.
    pub forms: Vec<AskingStyle>,
    /// Seed of all random choices.
    pub seed: u64,
    /// How long a finding may be reduced.
    pub reduction: Duration,
}

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

/// Who is tested, and how.
#[derive(Copy, Clone)]
pub struct Campaign<'a> {
    /// The solvers that are tested.
    pub solvers: &'a [Arc<dyn Respondent>],
    /// Solvers whose word counts, about the status of seeds and about who is wrong. If there are none, the word
    /// of those under test does.
    pub references: &'a [Arc<dyn Respondent>],
    /// Releases of solvers, the oldest first: of each defect it is told which of them show it.
    pub releases: &'a [Arc<dyn Respondent>],
    /// Other seeds.
    pub partners: &'a dyn Partners,
    /// How much is done.
    pub settings: &'a Settings,
}

/// What is told while a seed is worked on.
#[derive(Clone, Debug)]
pub enum Event {
    /// Something is wrong with a solver.
    Found(Box<Finding>),
    /// A solver is slow.
    Slow(Box<SlowCase>),
}

/// Who is tested, where solvers are run, and who is told.
#[derive(Copy, Clone)]
pub struct Context<'a> {
    /// Who is tested, and how.
    pub campaign: Campaign<'a>,
    /// Where solvers are run.
    pub asker: Asker<'a>,
    /// Takes what is found.
    pub tell: &'a dyn Fn(Event),
}
