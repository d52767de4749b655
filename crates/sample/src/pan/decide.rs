//! The decision what is left to cover, which the paper leaves open.
//!
//! A solver of its own looks for models of uncovered AST-bits: those that none is left for are
//! impossible. The decision only says when to stop; no model of it enters the set, and the sampling solver
//! does not get to know of it. Effort is bounded by the deterministic clock and grows with every call.

use sundry_solver::Verdict;

use super::Pan;
use crate::steering::Steering;
use crate::targets::Target;

/// Ticks of the first call.
const FIRST_TICKS: u64 = 2_000_000;

/// The deciding solver, made when first needed.
#[derive(Default)]
pub(super) struct Decision {
    steering: Option<Steering>,
    patience: u64,
}

/// Number of the deciding solver's random stream.
const STREAM: u64 = super::STREAM + 1;

impl Pan<'_> {
    /// Tells possible from impossible among the uncovered targets, as far as a bounded effort goes.
    pub(super) fn decide(&mut self) {
        let mut decision = std::mem::take(&mut self.decision);
        if decision.steering.is_none() {
            let control = self.steering.control();
            decision.steering = Steering::new(self.problem, self.seed, STREAM, control).ok();
            decision.patience = FIRST_TICKS;
        }
        if let Some(steering) = &mut decision.steering {
            self.decide_with(steering, decision.patience);
            decision.patience = decision.patience.saturating_mul(2);
        }
        self.decision = decision;
    }

    fn decide_with(&mut self, steering: &mut Steering, patience: u64) {
        let start = steering.clock();
        loop {
            let mut undecided = self.open();
            undecided.subtract(&self.possible);
            let spent = steering.clock() - start;
            if undecided.is_empty() || spent >= patience {
                return;
            }
            let wanted: Vec<Target> = undecided.iter().map(Target::from_index).collect();
            for &target in &wanted {
                steering.prefer(target);
            }
            match steering.check(&[], &wanted, Some(patience - spent)) {
                Verdict::Sat => self.possible.union_with(&steering.current()),
                Verdict::Unsat => self.impossible.union_with(&undecided),
                Verdict::Unknown => return,
            }
        }
    }
}
