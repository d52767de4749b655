//! Campaigns: the solvers that are tested, and the way in which they are tested.
//!
//! [`conduct`](conduct::conduct) distributes the work of a [`Schedule`](schedule::Schedule), which gives each seed
//! its turns, over threads. The work on one seed is a [`SeedWork`](work::SeedWork). A finding is an [`Event`];
//! [`Bugs`](bugs::Bugs) groups findings that probably have the same cause. The lines of a
//! [`Journal`](journal::Journal) record the progress of each seed, and a campaign continues from them. Files, clocks
//! and terminals belong to the caller.

pub(crate) mod bug;
pub(crate) mod bugs;
pub(crate) mod conduct;
pub(crate) mod history;
pub(crate) mod journal;
pub(crate) mod ledger;
pub(crate) mod novelty;
pub(crate) mod repeats;
pub(crate) mod schedule;
pub(crate) mod seed_run;
pub(crate) mod slow;
pub(crate) mod slow_time;
pub(crate) mod tally;
pub(crate) mod tree_run;
pub(crate) mod work;

use std::sync::Arc;
use std::time::Duration;

use sundry_external::{Respondent, SharedProcesses};

use crate::ask::asker::Asker;
use crate::ask::style::AskingStyle;
use crate::campaign::slow_time::SlowTime;
use crate::judge::finding::{Finding, SlowCase};
use crate::judge::helpers::Helpers;
use crate::mutate::approximate::Technique;
use crate::mutate::generator::ApproximationBase;
use crate::options::Variation;
use crate::seed::Partners;

/// A way to make mutants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MutationMethod {
    /// Approximation of literals: the mutant is satisfiable if and only if the seed is.
    Approximation(Technique),
    /// Other operators: the status of the mutant is unknown, so there are none without references, except of seeds with theories that
    /// Sundry does not know.
    Operators,
    /// Fusion with other seeds of the same status.
    Fusion,
    /// Random formulas that hold in a model of a satisfiable seed.
    Model,
}

impl MutationMethod {
    /// The name of the method, as options have it.
    pub fn name(self) -> &'static str {
        match self {
            MutationMethod::Approximation(Technique::PredicateTransformation) => "pst",
            MutationMethod::Approximation(Technique::PredicateInjection) => "lpi",
            MutationMethod::Approximation(Technique::Both) => "both",
            MutationMethod::Operators => "opfuzz",
            MutationMethod::Fusion => "fusion",
            MutationMethod::Model => "model",
        }
    }

    /// The time that solvers spend on a mutant by this method, as a percentage of that for one by `both`; measured in campaigns of 30
    /// minutes with one method each on a collection of all theories (`benches/RESULTS.md`).
    pub(crate) fn cost(self) -> u64 {
        match self {
            MutationMethod::Approximation(_) => 100,
            MutationMethod::Model => 115,
            MutationMethod::Operators => 140,
            MutationMethod::Fusion => 200,
        }
    }
}

/// The amount and kind of work for each seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Mutants of a seed.
    pub mutants: usize,
    /// Literals or operators that are changed in one step, at most.
    pub changes: usize,
    /// The methods that make mutants, in turn.
    pub methods: Vec<MutationMethod>,
    /// The formulas of which approximation makes mutants.
    pub approximation_base: ApproximationBase,
    /// The styles of asking, one of which is chosen for each mutant.
    pub forms: Vec<AskingStyle>,
    /// The options that solvers get for some mutants.
    pub options: Variation,
    /// Whether a process of a solver answers several mutants of a seed, one after another, where the build can do that. What looks
    /// wrong then has to show again in a process of its own.
    pub shares_processes: bool,
    /// Whether mutants that take a solver longer than others bring something new. A campaign then depends on the machine, and is
    /// repeated from its journal alone.
    pub time_classes: bool,
    /// Seed of all random choices.
    pub seed: u64,
    /// The time for which a finding may be reduced.
    pub reduction: Duration,
}

/// The solvers under test, and the way in which they are tested.
#[derive(Copy, Clone)]
pub struct Campaign<'a> {
    /// The solvers that are tested.
    pub solvers: &'a [Arc<dyn Respondent>],
    /// Solvers that decide the status of seeds and confirm defects. If there are none, the solvers under test decide
    /// the status.
    pub references: &'a [Arc<dyn Respondent>],
    /// Releases of solvers, the oldest first: a finding lists those that show the defect.
    pub releases: &'a [Arc<dyn Respondent>],
    /// Other seeds.
    pub partners: &'a dyn Partners,
    /// The amount and kind of work.
    pub settings: &'a Settings,
    /// The time that goes into reducing seeds on which a solver is slow.
    pub slow_time: &'a SlowTime,
}

/// An event during the work on a seed.
#[derive(Clone, Debug)]
pub enum Event {
    /// Something is wrong with a solver.
    Found(Box<Finding>),
    /// A solver is slow.
    Slow(Box<SlowCase>),
}

/// The campaign, the place where solvers run, and the receiver of events.
#[derive(Copy, Clone)]
pub struct Context<'a> {
    /// The solvers under test, and the way in which they are tested.
    pub campaign: Campaign<'a>,
    /// The place where solvers run.
    pub asker: Asker<'a>,
    /// The receiver of findings.
    pub tell: &'a dyn Fn(Event),
}

impl<'a> Context<'a> {
    /// Processes for the mutants of one turn, if these may share some.
    pub(crate) fn shared_processes(self) -> Option<SharedProcesses> {
        self.campaign.settings.shares_processes.then(|| SharedProcesses::new(self.asker.folder))
    }

    /// The solvers that help to follow up a defect of a solver.
    pub(crate) fn helpers(self, solver: &dyn Respondent) -> Helpers<'a> {
        let Campaign { solvers, references, releases, settings, .. } = self.campaign;
        Helpers {
            asker: self.asker.uninterrupted(),
            interrupted: self.asker.interrupted,
            solvers,
            references,
            releases,
            suspects: settings.options.pools.get(solver.name()),
            reduction: settings.reduction,
        }
    }
}
