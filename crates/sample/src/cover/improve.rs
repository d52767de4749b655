//! Improving a complete set: fewer solutions if there is such a set ([`exact`](super::exact)), else
//! more of the coverage in the first ones ([`polish`](super::polish)). Both have solvers of their own
//! and run side by side.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sundry_coverage::BitSet;
use sundry_solver::BuildError;

use super::Cover;
use super::exact::ExactQuestion;
use super::member::Member;
use super::polish::{Polished, Polishing};
use crate::copies::Copies;
use crate::problem::{Problem, Rejection};
use crate::targets::{Target, Targets};
use sundry_term::Control;

/// The part of the work left, one in this number, for the question whether a smaller set exists.
const PART_FOR_QUESTION: u64 = 5;

/// The set to improve, and the knowledge about it.
#[derive(Copy, Clone)]
pub(super) struct PresentSet<'a> {
    pub(super) problem: &'a Problem,
    pub(super) targets: &'a Arc<Targets>,
    pub(super) control: &'a Control,
    pub(super) members: &'a [Member],
    /// The targets that the set covers.
    pub(super) covered: &'a BitSet,
    /// Targets of which one solution covers one at most.
    pub(super) exclusive: &'a [Target],
    /// Gates of the formula's circuit.
    pub(super) gates: usize,
}

impl<'a> PresentSet<'a> {
    /// Creates a solver for this number of solutions at once.
    pub(super) fn copies(&self, count: usize) -> Result<Copies<'a>, BuildError> {
        Copies::new(self.problem, self.targets, count, self.control)
    }
}

/// The results that earlier times of improving left behind.
#[derive(Default)]
pub(super) struct Improvement {
    /// The targets that the set covered when improving it began last.
    pub(super) covered: Option<BitSet>,
    /// The clock when the set was complete and small.
    until_complete: Option<u64>,
}

/// Ticks that improving may take, by purpose.
#[derive(Copy, Clone)]
struct Shares {
    question: u64,
    polishing: u64,
}

impl Cover<'_> {
    /// Asks whether a smaller set exists, and polishes the present one. Returns whether the set got smaller.
    ///
    /// The work of either is fixed beforehand, so that the result is the same whether they run one after
    /// the other or side by side.
    pub(super) fn improve(&mut self, on_bound: &mut dyn FnMut(usize)) -> Result<bool, Rejection> {
        let until_complete = *self.improvement.until_complete.get_or_insert(self.steering.clock());
        let shares = self.shares();
        let set = PresentSet {
            problem: self.problem,
            targets: &self.steering.targets,
            control: self.steering.control(),
            members: &self.members,
            covered: &self.covered,
            exclusive: &self.bound.exclusive,
            gates: self.steering.gates(),
        };
        // A smaller set ends polishing of this one.
        let superseded = Arc::new(AtomicBool::new(false));
        let control = set.control.with_superseded(Arc::clone(&superseded));
        let random = self.steering.random.clone();
        let polishing =
            Polishing::new(PresentSet { control: &control, ..set }, random, until_complete, shares.polishing);
        let mut question = ExactQuestion::new(set, self.bound.size, shares.question, &superseded);
        let mut report = |question: &ExactQuestion<'_>| {
            if question.lower_bound > self.bound.size {
                on_bound(question.lower_bound);
            }
        };
        // Polishing does not change what is asked. A smaller set takes the place of the polished one in
        // any case, so with one thread it waits for an answer, if that comes soon.
        let polished = if self.threads > 1 {
            std::thread::scope(|scope| {
                let polishing = scope.spawn(|| polishing.polish());
                question.ask_at_length();
                report(&question);
                polishing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        } else {
            question.ask_briefly();
            report(&question);
            let polished = polishing.polish();
            question.ask_at_length();
            polished
        };
        let ExactQuestion { smaller, lower_bound, spent, .. } = question;
        self.bound.size = lower_bound;
        self.budget.spend(spent);
        if let Some(smaller) = smaller {
            self.members =
                smaller.into_iter().map(|candidate| self.accept(candidate)).collect::<Result<_, _>>()?;
            return Ok(true);
        }
        let Polished { members, spent } = polished?;
        self.budget.spend(spent);
        if let Some(polished) = members {
            self.members = polished;
            self.unreported += 1;
        }
        Ok(false)
    }

    /// The shares of the work left: a part for the question, where it is open, and the rest for polishing.
    fn shares(&self) -> Shares {
        let question = if self.is_minimal() { 0 } else { self.part_of_work(PART_FOR_QUESTION, u64::MAX) };
        let all = self.part_of_work(1, u64::MAX);
        Shares { question, polishing: if all == u64::MAX { all } else { all - question } }
    }
}
