//! The exact number: whether a set with one solution less exists at all.
//!
//! Cliques of exclusive targets bound the number from below only as far as they go; three targets
//! of which each two fit together, but not all three, escape them. So the question is put to the
//! solver as a whole ([`Copies`]): a model is a smaller set, a refutation proves the present one
//! minimal.

use sundry_solver::Verdict;

use super::Cover;
use crate::copies::Copies;
use crate::problem::WrongModel;
use crate::targets::Target;

/// Circuit gates of all copies above which the question is not asked.
const MAXIMAL_GATES: usize = 3_000_000;

impl Cover<'_> {
    /// Asks for sets with one solution less as long as there are any. Whether the set got smaller.
    pub(super) fn find_exact(&mut self, ticks: u64) -> Result<bool, WrongModel> {
        let mut smaller = false;
        while !self.is_minimal() && !self.steering.control().stopped() {
            let count = self.members.len() - 1;
            if count * self.steering.gates() > MAXIMAL_GATES {
                break;
            }
            match self.ask(count, ticks)? {
                Verdict::Sat => smaller = true,
                Verdict::Unsat => {
                    self.lower_bound = count + 1;
                    self.bound_proof = super::BoundProof::Copies;
                }
                Verdict::Unknown => break,
            }
        }
        Ok(smaller)
    }

    /// Looks for a set of `count` solutions that covers what the present one does.
    fn ask(&mut self, count: usize, ticks: u64) -> Result<Verdict, WrongModel> {
        let targets = self.steering.targets.clone();
        let Ok(mut copies) = Copies::new(self.problem, &targets, count) else { return Ok(Verdict::Unknown) };
        let exclusive: Vec<Target> = self.exclusive.iter().copied().take(count).collect();
        copies.demand(&self.covered, &exclusive);
        // Each exclusive target is covered by one member: that member shows the copy the way.
        let mut rest = self.greedy_order();
        for copy in 0..count {
            let place = exclusive
                .get(copy)
                .and_then(|target| rest.iter().position(|&index| self.members[index].covered.contains(target.index())))
                .unwrap_or(0);
            let index = rest.remove(place);
            copies.prefer(copy, &self.members[index].covered);
        }
        let verdict = copies.check(self.steering.control(), ticks);
        if verdict == Verdict::Sat {
            let mut members = Vec::with_capacity(count);
            for copy in copies.models() {
                members.push(self.accept(super::Candidate { covered: copy.covered, model: copy.model })?);
            }
            self.members = members;
        }
        Ok(verdict)
    }
}
