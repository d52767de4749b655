//! Solutions of a set as targets, and sets of them in the order of greedy gain.

use std::borrow::Borrow;

use sundry_coverage::{BitSet, Gains, greedy_order};
use sundry_term::Control;

use crate::prefixes::{self, PerLevel};
use crate::problem::{Candidate, Problem, Rejection, Solution};
use crate::targets::Targets;

/// A solution of the set, as targets.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) covered: BitSet,
    pub(crate) solution: Solution,
}

impl Member {
    /// Judges a candidate on the formula as written.
    pub(super) fn judge(
        problem: &Problem,
        targets: &Targets,
        candidate: Candidate,
        control: &Control,
    ) -> Result<Self, Rejection> {
        let solution = problem.judge(candidate.model, control)?;
        debug_assert_eq!(candidate.covered, targets.covered_by(&solution.bits));
        Ok(Member { covered: candidate.covered, solution })
    }
}

/// A collection of solutions to be put in order, and the targets that those in order cover together.
struct Collection<'a> {
    sets: Vec<&'a BitSet>,
    targets: &'a Targets,
    covered: BitSet,
}

impl Gains for Collection<'_> {
    type Gain = u64;

    fn gain(&self, item: usize, _: Option<&u64>) -> u64 {
        self.targets.weight_beyond(self.sets[item], &self.covered)
    }

    fn take(&mut self, item: usize) {
        self.covered.union_with(self.sets[item]);
    }
}

/// The targets that these members cover together, among this number of targets.
pub(super) fn covered_by_all<'m>(members: impl IntoIterator<Item = &'m Member>, targets: usize) -> BitSet {
    let mut covered = BitSet::new(targets);
    members.into_iter().for_each(|member| covered.union_with(&member.covered));
    covered
}

/// The members in the order of greedy gain, each by its number.
pub(super) fn greedy_order_of<M: Borrow<Member>>(members: &[M], targets: &Targets) -> Vec<usize> {
    let covered = BitSet::new(targets.count());
    let sets: Vec<&BitSet> = members.iter().map(|member| &member.borrow().covered).collect();
    greedy_order(sets.len(), &mut Collection { sets, targets, covered })
}

/// The sets that add something to what is covered and to those before, in the order of greedy gain.
pub(super) fn those_needed(sets: Vec<&BitSet>, mut covered: BitSet, targets: &Targets) -> Vec<usize> {
    let order =
        greedy_order(sets.len(), &mut Collection { sets: sets.clone(), targets, covered: covered.clone() });
    let adds_something = |&index: &usize| {
        let adds = !sets[index].is_subset(&covered);
        covered.union_with(sets[index]);
        adds
    };
    order.into_iter().filter(adds_something).collect()
}

/// The number of members in greedy order that cover the weight of each level.
pub(super) fn lengths_of_prefixes<M: Borrow<Member>>(
    members: &[M],
    targets: &Targets,
    wanted: &PerLevel<u64>,
) -> PerLevel<usize> {
    let mut covered = BitSet::new(targets.count());
    let gains = greedy_order_of(members, targets).into_iter().map(|index| {
        let member = &members[index].borrow().covered;
        let gain = targets.weight_beyond(member, &covered);
        covered.union_with(member);
        gain
    });
    prefixes::lengths(gains, wanted)
}
