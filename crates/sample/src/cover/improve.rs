//! Improving a complete set: fewer solutions if there is such a set ([`exact`](super::exact)), else
//! more of the coverage in the first ones ([`polish`](super::polish)). Both have solvers of their own
//! and run side by side.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sundry_coverage::BitSet;
use sundry_solver::BuildError;

use super::exact::ExactQuestion;
use super::polish::Polishing;
use super::{Cover, Member};
use crate::copies::Copies;
use crate::problem::{Problem, WrongModel};
use crate::steering::Control;
use crate::targets::{Target, Targets};

/// The set to improve, and what is known of it.
#[derive(Copy, Clone)]
pub(super) struct PresentSet<'a> {
    pub(super) problem: &'a Problem,
    pub(super) targets: &'a Arc<Targets>,
    pub(super) control: &'a Control,
    pub(super) members: &'a [Member],
    /// What the set covers.
    pub(super) covered: &'a BitSet,
    /// Targets of which one solution covers one at most.
    pub(super) exclusive: &'a [Target],
    /// Gates of the formula's circuit.
    pub(super) gates: usize,
}

impl<'a> PresentSet<'a> {
    /// A solver for so many solutions at once.
    pub(super) fn copies(&self, count: usize) -> Result<Copies<'a>, BuildError> {
        Copies::new(self.problem, self.targets, count, self.control)
    }
}

impl Cover<'_> {
    /// Asks whether a smaller set exists, and polishes the present one. Whether the set got smaller.
    pub(super) fn improve(&mut self) -> Result<bool, WrongModel> {
        let until_complete = *self.until_complete.get_or_insert(self.steering.clock());
        let set = PresentSet {
            problem: self.problem,
            targets: &self.steering.targets,
            control: self.steering.control(),
            members: &self.members,
            covered: &self.covered,
            exclusive: &self.exclusive,
            gates: self.steering.gates(),
        };
        let superseded = AtomicBool::new(false);
        let polishing = Polishing::new(set, self.steering.random.clone(), until_complete, &superseded);
        let mut question = ExactQuestion::new(set, self.lower_bound, &superseded);
        // Polishing does not change what is asked. A smaller set takes the place of the polished one in
        // any case, so with one thread it waits for an answer, if that comes soon.
        let polished = if self.threads > 1 {
            std::thread::scope(|scope| {
                scope.spawn(|| question.ask_at_length());
                polishing.polish()
            })
        } else {
            question.ask_briefly();
            let polished = polishing.polish();
            question.ask_at_length();
            polished
        };
        let ExactQuestion { smaller, lower_bound, .. } = question;
        self.lower_bound = lower_bound;
        if let Some(smaller) = smaller {
            self.members =
                smaller.into_iter().map(|candidate| self.accept(candidate)).collect::<Result<_, _>>()?;
            return Ok(true);
        }
        if let Some(polished) = polished? {
            self.members = polished;
            self.untold = true;
        }
        Ok(false)
    }
}
