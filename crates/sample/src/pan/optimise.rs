//! Algorithm 4, PostOpt: local search around the chosen candidate.
//!
//! For every variable v a solution with v ≠ α\[v\] is sought; the best of them all, α among them,
//! enters the set. The constraint is one clause over the bits of v and holds for one call.

use super::{Candidate, Pan};

impl Pan<'_> {
    /// PostOpt(Φ, A, α). Of equally good solutions the first stays, so that α does unless a
    /// neighbour is better.
    pub(super) fn post_opt(&mut self, chosen: Candidate) -> Candidate {
        let alpha = chosen.sample.bits.clone();
        let mut best = chosen;
        for variable in 0..self.variables.count() {
            if self.steering.control().stopped() {
                break;
            }
            let differs = self.variables.differs_at(variable, &alpha);
            if let Ok(neighbour) = self.diversity_smt(&differs)
                && neighbour.score > best.sample.score
            {
                best = self.candidate(neighbour);
            }
        }
        best
    }
}
