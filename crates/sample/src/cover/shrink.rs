//! Shrinking: one solution less with the same coverage.
//!
//! What only the victim covers is moved into the other solutions, one after the other: each is
//! grown anew from what only it covers. If nothing is left that only the victim covers, it is
//! dropped; else the set covers what it did, and the next victim may be easier to replace.

use sundry_coverage::BitSet;
use sundry_solver::{Lit, Verdict};

use super::Cover;
use super::member::Member;
use crate::problem::Rejection;
use crate::targets::Target;

/// Passes over all members without success after which the set is left as it is.
const IDLE_PASSES: usize = 2;

/// The state of shrinking in its passes over the set.
#[derive(Default)]
pub(super) struct ShrinkState {
    tried: usize,
    pub(super) finished: bool,
    /// The number of members that cover each target; empty before it is counted.
    counts: Vec<u32>,
}

impl ShrinkState {
    /// Members were exchanged elsewhere.
    pub(super) fn forget_counts(&mut self) {
        self.counts.clear();
    }
}

impl Cover<'_> {
    /// Tries to eliminate one member, until the clock shows `until`. Returns whether the set got smaller.
    pub(super) fn shrink_once(&mut self, until: u64) -> Result<bool, Rejection> {
        if self.members.len() <= self.bound.size.max(1) {
            self.shrink.finished = true;
            return Ok(false);
        }
        let mut counts = std::mem::take(&mut self.shrink.counts);
        if counts.is_empty() {
            counts = self.cover_counts();
        }
        let order = self.by_unique_weight(&counts);
        let victim = order[self.shrink.tried % order.len()];
        let eliminated = self.eliminate(victim, &mut counts, until)?;
        self.shrink.counts = counts;
        if eliminated {
            self.shrink.tried = 0;
            return Ok(true);
        }
        self.shrink.tried += 1;
        self.shrink.finished |= self.shrink.tried >= IDLE_PASSES * self.members.len();
        Ok(false)
    }

    /// Members by the weight of what only they cover, the least first.
    fn by_unique_weight(&self, counts: &[u32]) -> Vec<usize> {
        let mut shared = BitSet::new(counts.len());
        counts
            .iter()
            .enumerate()
            .filter(|&(_, &count)| count > 1)
            .for_each(|(target, _)| shared.insert(target));
        let targets = &self.steering.targets;
        let unique_weight = |member: &Member| targets.weight_beyond(&member.covered, &shared);
        let mut order: Vec<(u64, usize)> =
            self.members.iter().enumerate().map(|(index, member)| (unique_weight(member), index)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, index)| index).collect()
    }

    /// Moves what only the victim covers into the other members. Whether the victim could go. `counts` are those of
    /// the set, before and after.
    fn eliminate(&mut self, victim: usize, counts: &mut [u32], until: u64) -> Result<bool, Rejection> {
        let without = counts;
        for target in self.members[victim].covered.iter() {
            without[target] -= 1;
        }
        // Covered by the victim alone.
        let mut orphans: Vec<Target> = self.members[victim]
            .covered
            .iter()
            .filter(|&target| without[target] == 0)
            .map(Target::from_index)
            .collect();
        let mut hosts: Vec<usize> = (0..self.members.len()).filter(|&index| index != victim).collect();
        let rotation = self.shrink.tried % hosts.len().max(1);
        hosts.rotate_left(rotation);
        for host in hosts {
            if orphans.is_empty() || self.is_over(until) {
                break;
            }
            let needs: Vec<Target> = self.members[host]
                .covered
                .iter()
                .filter(|&target| without[target] == 1)
                .map(Target::from_index)
                .collect();
            let Some(member) = self.rehost(host, &needs, &orphans)? else { continue };
            for target in self.members[host].covered.iter() {
                without[target] -= 1;
            }
            for target in member.covered.iter() {
                without[target] += 1;
            }
            self.members[host] = member;
            self.unreported += 1;
            orphans.retain(|target| without[target.index()] == 0);
        }
        let lost: u64 = orphans.iter().map(|&target| self.steering.targets.weight(target)).sum();
        if lost > self.slack() {
            for target in self.members[victim].covered.iter() {
                without[target] += 1;
            }
            return Ok(false);
        }
        self.members.remove(victim);
        for target in orphans {
            self.covered.remove(target.index());
        }
        Ok(true)
    }

    /// A replacement for a member that covers the targets needed of it and some of the orphans.
    fn rehost(
        &mut self,
        host: usize,
        needs: &[Target],
        orphans: &[Target],
    ) -> Result<Option<Member>, Rejection> {
        self.prefer_like(&self.members[host].covered.clone(), orphans);
        let bundle = self.bundle_of(needs);
        let found = self.steering.check(&[bundle], orphans, Some(self.patience())) == Verdict::Sat;
        let member = if found {
            let candidate = self.extend(&[bundle], None, orphans.to_vec());
            Some(self.accept(candidate)?)
        } else {
            None
        };
        self.steering.retire_bundle(bundle);
        Ok(member)
    }

    /// A literal that stands for all of these targets.
    pub(super) fn bundle_of(&mut self, targets: &[Target]) -> Lit {
        let bundle = self.steering.new_bundle();
        for &target in targets {
            self.steering.add_to_bundle(bundle, target);
        }
        bundle
    }

    /// Phases as in a known model, except for targets that are wanted.
    pub(super) fn prefer_like(&mut self, model: &BitSet, wanted: &[Target]) {
        for index in model.iter() {
            self.steering.prefer(Target::from_index(index));
        }
        for &target in wanted {
            self.steering.prefer(target);
        }
    }

    /// The literals of targets, for short lists of assumptions.
    pub(super) fn literals(&self, targets: &[Target]) -> Vec<Lit> {
        targets.iter().map(|&target| self.steering.literal(target)).collect()
    }
}
