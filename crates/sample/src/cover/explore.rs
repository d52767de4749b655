//! Exploration: random models that tell rare targets from those that come for free.

use sundry_solver::Verdict;

use super::Cover;

/// Models looked at, at most.
const MODELS: u32 = 48;
/// Conflicts that exploration may take altogether.
const CONFLICTS: u64 = 20_000;

impl Cover<'_> {
    /// Looks at random models and counts what they cover. `false` if there is no model at all.
    pub(super) fn explore(&mut self) -> bool {
        let start = self.steering.conflicts();
        while self.explored < MODELS {
            self.steering.prefer_randomly();
            let first = self.explored == 0;
            let conflicts = if first { None } else { Some(CONFLICTS / 8) };
            match self.steering.check(&[], &[], conflicts) {
                Verdict::Unsat => return false,
                Verdict::Unknown => return true,
                Verdict::Sat => {}
            }
            let candidate = self.look();
            for index in candidate.covered.iter() {
                self.frequency[index] += 1;
            }
            self.explored += 1;
            if self.steering.conflicts() - start > CONFLICTS {
                break;
            }
        }
        true
    }
}
