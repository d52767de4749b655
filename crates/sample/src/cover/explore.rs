//! Exploration: random models that show which values are rare, and whether random search is easy.
//!
//! Exploration has two parts. A glance, where models are cheap, leaves less to classify; where they are not, it ends at
//! once, and the rest waits until it is known what is possible.

use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::{Candidate, Cover};
use crate::strategy::Step;

/// Models looked at, at most.
const MODELS: u32 = 48;
/// Ticks that exploration may take altogether, after the first model.
const TICKS: u64 = 100_000_000;
/// Ticks of the glance.
const GLANCE: u64 = 2_000_000;

/// Models in succession that show nothing new, at which the glance ends.
const IN_VAIN: u32 = 2;

/// The amount of exploration.
#[derive(Default)]
pub(super) struct Exploration {
    models: u32,
    ticks: u64,
    /// Random phases are too hard.
    failed: bool,
    /// Whether exploring has ended.
    is_over: bool,
}

impl Exploration {
    /// Whether exploring has ended.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Cover<'_> {
    /// Looks at random models as long as they are cheap and show something new, which is reported.
    pub(super) fn glance(&mut self) -> Option<Step> {
        if self.near.is_active() {
            return self.look_around();
        }
        let mut in_vain = 0;
        while in_vain < IN_VAIN && self.explores(GLANCE) {
            let Some(covered) = self.next_random_model() else { continue };
            if covered.is_subset(&self.known.possible) {
                in_vain += 1;
                continue;
            }
            self.known.note(&covered);
            return Some(self.keep_in_reserve(Candidate { covered, model: self.steering.model() }));
        }
        None
    }

    /// Looks at one more random model. After the last one, decides how far later search goes from models that are
    /// known.
    pub(super) fn explore(&mut self) {
        if self.explores(TICKS) && !self.near.is_active() {
            if let Some(covered) = self.next_random_model() {
                self.known.note(&covered);
            }
            return;
        }
        let Exploration { models, ticks, .. } = self.exploration;
        self.growing.stay_near = models <= 1 || ticks >= TICKS;
        self.exploration.is_over = true;
    }

    /// Whether exploration is to continue, given the ticks that it may take.
    fn explores(&self, limit: u64) -> bool {
        let Exploration { models, ticks, failed, .. } = self.exploration;
        models < MODELS && ticks < limit && !failed && !self.steering.control().stopped()
    }

    /// The targets that another random model covers.
    fn next_random_model(&mut self) -> Option<BitSet> {
        if self.exploration.models == 0 {
            self.exploration.models = 1;
            if let Some(first) = self.growing.first.take() {
                self.count_frequencies(&first.covered);
                self.growing.first = Some(first);
            }
        }
        let start = self.steering.clock();
        self.steering.prefer_randomly();
        let verdict = self.steering.check(&[], &[], Some((TICKS / 8).max(self.growing.patience / 2)));
        self.exploration.ticks += self.steering.clock() - start;
        if verdict != Verdict::Sat {
            self.exploration.failed = true;
            return None;
        }
        self.exploration.models += 1;
        let covered = self.steering.current();
        self.count_frequencies(&covered);
        Some(covered)
    }

    fn count_frequencies(&mut self, covered: &BitSet) {
        for index in covered.iter() {
            self.known.frequency[index] += 1;
        }
    }
}
