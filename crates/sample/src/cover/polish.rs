//! Polishing: the same number of solutions, with more of the coverage in the first ones.
//!
//! Readers who want less than complete coverage take a prefix. Each member in turn keeps only what
//! no other covers, and is grown anew for the weight that the members before it leave uncovered.

use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::Cover;
use crate::problem::WrongModel;
use crate::targets::Target;

impl Cover<'_> {
    /// One pass over the members in their order. Whether any was replaced.
    pub(super) fn polish(&mut self) -> Result<bool, WrongModel> {
        let mut changed = false;
        let mut before = BitSet::new(self.steering.targets.count());
        let mut rest: Vec<usize> = self.greedy_order();
        while rest.len() > 1 && !self.steering.control().stopped() {
            let index = rest.remove(0);
            changed |= self.polish_member(index, &before)?;
            before.union_with(&self.members[index].covered);
            // What follows is ordered again: the replacement may have taken from it.
            let order = self.greedy_order();
            rest.sort_by_key(|index| order.iter().position(|other| other == index));
        }
        Ok(changed)
    }

    fn polish_member(&mut self, index: usize, before: &BitSet) -> Result<bool, WrongModel> {
        let counts = self.cover_counts();
        let old = self.members[index].covered.clone();
        let needs: Vec<Target> = old.iter().filter(|&target| counts[target] == 1).map(Target::from_index).collect();
        let mut open = self.covered.clone();
        open.subtract(before);
        let gain = |covered: &BitSet| {
            let mut new = covered.clone();
            new.intersect_with(&open);
            self.steering.targets.weight_of(&new)
        };
        let old_gain = gain(&old);
        if old_gain == self.steering.targets.weight_of(&open) {
            return Ok(false);
        }
        let wanted: Vec<Target> = open.iter().map(Target::from_index).collect();
        let mut by_weight = wanted.clone();
        by_weight.sort_by_key(|&target| std::cmp::Reverse(self.steering.targets.weight(target)));
        self.prefer_like(&old, &[]);
        let bundle = self.steering.new_bundle();
        for &target in &needs {
            self.steering.add_to_bundle(bundle, target);
        }
        let mut replaced = false;
        if self.steering.check(&[bundle], &[], Some(self.patience)) == Verdict::Sat {
            let candidate = self.extend(&[bundle], &[by_weight]);
            let mut new = candidate.covered.clone();
            new.intersect_with(&open);
            if self.steering.targets.weight_of(&new) > old_gain {
                self.members[index] = self.accept(candidate)?;
                replaced = true;
            }
        }
        self.steering.retire_bundle(bundle);
        Ok(replaced)
    }
}
