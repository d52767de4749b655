//! A campaign: which solvers are tested, and how.
//!
//! [`conduct`](conduct::conduct) has threads share the work of a [`Schedule`](schedule::Schedule), which gives each seed its turns. The work on one seed is a
//! [`SeedRun`](seed_run::SeedRun). What is found is an [`Event`]; [`Bugs`](bugs::Bugs) puts together what probably has the same cause. How far each seed is
//! stands in the lines of a [`Journal`](journal::Journal), from which a campaign goes on. Files, clocks and terminals are the caller's.

pub(crate) mod bugs;
pub(crate) mod conduct;
pub(crate) mod journal;
pub(crate) mod repeats;
pub(crate) mod schedule;
pub(crate) mod seed_run;
pub(crate) mod tally;

use std::sync::Arc;
use std::time::Duration;

use sundry_external::Respondent;

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
