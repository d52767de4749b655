//! Trading: the same number of solutions, with more of the coverage in the first ones, one solution at a time.
//!
//! Readers who want less than complete coverage take a prefix of the set, so a prefix is to cover as much as the present
//! one with a member more. A member has to cover its *duties*, which no other member covers; all else is free. So a member
//! of the prefix is grown anew from its duties towards what the prefix misses; and a member behind the prefix is grown
//! towards duties of the prefix, which leaves those members freer. Each step is a question about one solution, put to the
//! solver that knows the formula best. What takes changes of several members at once is left to
//! [`polish`](super::polish), which pays for solvers of several solutions.

use rand::Rng;
use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::Cover;
use super::member::{Member, greedy_order_of, lengths_of_prefixes};
use super::shorten::Shorten;
use crate::prefixes::{self, PerLevel};
use crate::problem::Rejection;
use crate::targets::Target;

/// The number of steps in a row without gain after which a prefix is left.
const IDLE_STEPS: usize = 12;
/// The number of passes over the prefixes in a row without gain after which the set is left.
const IDLE_PASSES: u32 = 2;

/// A set whose members trade until the clock shows `until`.
struct Trading<'t, 'p> {
    cover: &'t mut Cover<'p>,
    /// Weight that a prefix has to cover to reach each level.
    wanted: PerLevel<u64>,
    until: u64,
}

impl Shorten for Trading<'_, '_> {
    fn lengths(&self) -> PerLevel<usize> {
        lengths_of_prefixes(&self.cover.members, &self.cover.steering.targets, &self.wanted)
    }

    fn members(&mut self) -> &mut Vec<Member> {
        &mut self.cover.members
    }

    fn is_over(&self) -> bool {
        self.cover.is_over(self.until)
    }

    fn attempt(&mut self, length: usize, lengths: &PerLevel<usize>, _: u32) -> Result<bool, Rejection> {
        let highest = lengths.iter().rposition(|&level| level == length).expect("some level takes as many");
        self.cover.trade_for(length, self.wanted[highest], self.until)
    }
}

impl Cover<'_> {
    /// Shortens the prefixes that reach the levels, where it can, until the clock shows `until`. Whether any member was
    /// replaced.
    pub(super) fn trade(&mut self, until: u64) -> Result<bool, Rejection> {
        let constant = self.steering.targets.constant_positions();
        let wanted = prefixes::wanted(self.covered_weight()).map(|wanted| wanted.saturating_sub(constant));
        Trading { cover: self, wanted, until }.shorten_all(IDLE_PASSES)
    }

    /// Tries to cover the wanted weight with one member less than `length`. Returns whether any member was replaced.
    fn trade_for(&mut self, length: usize, wanted: u64, until: u64) -> Result<bool, Rejection> {
        let order = greedy_order_of(&self.members, &self.steering.targets);
        let (prefix, rest) = order.split_at(length - 1);
        let (mut changed, mut idle) = (false, 0);
        let mut reached = self.steering.targets.weight_of(&self.covered_without(prefix, usize::MAX));
        while reached < wanted && idle < IDLE_STEPS && !self.is_over(until) {
            idle += 1;
            if idle % 2 == 0 && !rest.is_empty() {
                changed |= self.relieve(prefix, rest)?;
            } else if let Some(now) = self.strengthen(prefix, reached)? {
                changed = true;
                if now > reached {
                    (reached, idle) = (now, 0);
                }
            }
        }
        Ok(changed)
    }

    /// Grows a member of the prefix anew, towards what the prefix misses. If the prefix then covers at least what it has
    /// `reached`, the new member takes the place of the old one, and the result is the coverage of the prefix.
    fn strengthen(&mut self, prefix: &[usize], reached: u64) -> Result<Option<u64>, Rejection> {
        let index = prefix[self.steering.random.random_range(0..prefix.len())];
        let mut covered = self.covered_without(prefix, index);
        // The member covers a part of what the others in the prefix leave. The prefix misses the rest.
        let mut missed = self.covered.clone();
        missed.subtract(&covered);
        let mut own = self.members[index].covered.clone();
        own.intersect_with(&missed);
        missed.subtract(&own);
        let mut duties = self.all_duties();
        duties.intersect_with(&self.members[index].covered);
        let Some(member) = self.grown_anew(index, &duties, &missed, Some(&own))? else { return Ok(None) };
        covered.union_with(&member.covered);
        let now = self.steering.targets.weight_of(&covered);
        if now < reached {
            return Ok(None);
        }
        self.members[index] = member;
        Ok(Some(now))
    }

    /// Grows a member behind the prefix anew, towards duties of the prefix. Returns whether there is another.
    fn relieve(&mut self, prefix: &[usize], rest: &[usize]) -> Result<bool, Rejection> {
        let index = rest[self.steering.random.random_range(0..rest.len())];
        let mut wanted = self.all_duties();
        let mut duties = wanted.clone();
        wanted.intersect_with(&self.covered_without(prefix, usize::MAX));
        duties.intersect_with(&self.members[index].covered);
        let Some(member) = self.grown_anew(index, &duties, &wanted, None)? else { return Ok(false) };
        self.members[index] = member;
        Ok(true)
    }

    /// A member that covers the duties of another, some of what is `wanted`, and of the rest and what is wanted `besides`
    /// as much as is found.
    fn grown_anew(
        &mut self,
        index: usize,
        duties: &BitSet,
        wanted: &BitSet,
        besides: Option<&BitSet>,
    ) -> Result<Option<Member>, Rejection> {
        let list = |set: &BitSet| set.iter().map(Target::from_index).collect::<Vec<Target>>();
        let wanted = list(wanted);
        if wanted.is_empty() {
            return Ok(None);
        }
        self.prefer_like(&self.members[index].covered.clone(), &wanted);
        let bundle = self.bundle_of(&list(duties));
        let found = self.steering.check(&[bundle], &wanted, Some(self.patience())) == Verdict::Sat;
        let member = if found {
            let all = wanted.into_iter().chain(besides.map(list).unwrap_or_default()).collect();
            let candidate = self.extend(&[bundle], None, all);
            Some(self.accept(candidate)?)
        } else {
            None
        };
        self.steering.retire_bundle(bundle);
        Ok(member)
    }

    /// The targets that exactly one member covers: the duties of all members.
    fn all_duties(&self) -> BitSet {
        let [mut once, mut twice] = [0; 2].map(|_| BitSet::new(self.covered.length()));
        for member in &self.members {
            let mut again = member.covered.clone();
            again.intersect_with(&once);
            twice.union_with(&again);
            once.union_with(&member.covered);
        }
        once.subtract(&twice);
        once
    }

    /// The targets that the members of a prefix cover without this one.
    fn covered_without(&self, prefix: &[usize], index: usize) -> BitSet {
        let mut covered = BitSet::new(self.covered.length());
        for &member in prefix.iter().filter(|&&member| member != index) {
            covered.union_with(&self.members[member].covered);
        }
        covered
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::Control;

    use super::super::member::covered_by_all;
    use super::super::tests::{entangled, grown};
    use super::*;

    #[test]
    fn first_members_take_over_and_nothing_is_lost() {
        let problem = entangled();
        let (mut before, mut after) = (0, 0);
        for seed in 0..10 {
            let mut cover = grown(&problem, seed, &Control::default());
            let (count, covered) = (cover.members.len(), cover.covered.clone());
            let wanted = prefixes::wanted(cover.covered_weight());
            let product = |cover: &Cover<'_>| {
                prefixes::product(&lengths_of_prefixes(&cover.members, &cover.steering.targets, &wanted))
            };
            let old = product(&cover);
            let changed = cover.trade(u64::MAX).expect("models are right");
            assert_eq!(cover.members.len(), count);
            assert_eq!(covered_by_all(&cover.members, covered.length()), covered);
            assert!(product(&cover) <= old && (changed || product(&cover) == old));
            (before, after) = (before + old, after + product(&cover));
        }
        assert!(after < before, "nothing was gained");
    }

    #[test]
    fn out_of_work_nothing_changes() {
        let problem = entangled();
        let mut cover = grown(&problem, 0, &Control::default());
        assert!(!cover.trade(cover.steering.clock()).expect("models are right"));
    }
}
