//! Exploration: random models that tell which values are rare, and whether random search is easy.

use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::{Cover, Member};

/// Models looked at, at most.
const MODELS: u32 = 48;
/// Ticks that exploration may take altogether, after the first model.
const TICKS: u64 = 100_000_000;

impl Cover<'_> {
    /// Looks at random models, besides a first one, and counts what they cover.
    pub(super) fn explore(&mut self, first: &Member) {
        self.count_frequencies(&first.covered);
        let start = self.steering.clock();
        let patience = (TICKS / 8).max(self.patience / 2);
        let mut explored = 1;
        while explored < MODELS && self.steering.clock() - start < TICKS {
            self.steering.prefer_randomly();
            match self.steering.check(&[], &[], Some(patience)) {
                Verdict::Sat => {
                    let candidate = self.look();
                    self.count_frequencies(&candidate.covered);
                    explored += 1;
                }
                // Random phases are too hard here.
                Verdict::Unsat | Verdict::Unknown => break,
            }
        }
        self.stay_near = explored == 1 || self.steering.clock() - start >= TICKS;
    }

    fn count_frequencies(&mut self, covered: &BitSet) {
        for index in covered.iter() {
            self.frequency[index] += 1;
        }
    }
}
