//! A campaign: which solvers are tested, how, and who is told.

use std::time::Duration;

use sundry_external::Solver;

use crate::approximate::Strategy;
use crate::finding::{Finding, SlowCase};
use crate::form::Form;
use crate::question::Desk;
use crate::seed::Partners;

/// A way to make mutants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Method {
    /// By approximation of literals: they are satisfiable if and only if the seed is.
    Approximation(Strategy),
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
    pub forms: Vec<Form>,
    /// Seed of all random choices.
    pub seed: u64,
    /// How long a finding may be reduced.
    pub reduction: Duration,
}

/// What was done so far.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
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
    /// Replies that did not come in time.
    pub timeouts: usize,
    /// Time that the solvers under test took for mutants.
    pub asking: Duration,
    /// Time for what was suspicious: asking others, asking again, making it smaller.
    pub following: Duration,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.mutants += other.mutants;
        self.replies += other.replies;
        self.missing += other.missing;
        self.suspicious += other.suspicious;
        self.vanished += other.vanished;
        self.timeouts += other.timeouts;
        self.asking += other.asking;
        self.following += other.following;
    }
}

/// Who is tested, and how.
#[derive(Copy, Clone)]
pub struct Campaign<'a> {
    /// The solvers that are tested.
    pub solvers: &'a [Solver],
    /// Solvers whose word counts, about the status of seeds and about who is wrong. If there are none, the word
    /// of those under test does.
    pub references: &'a [Solver],
    /// Releases of solvers, the oldest first: of each defect it is told which of them show it.
    pub releases: &'a [Solver],
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
pub struct Laboratory<'a> {
    /// Who is tested, and how.
    pub campaign: Campaign<'a>,
    /// Where solvers are run.
    pub desk: Desk<'a>,
    /// Takes what is found.
    pub tell: &'a dyn Fn(Event),
}
