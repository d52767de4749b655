//! Polishing all members at once.
//!
//! Replacing one member at a time ends where every member is best given the others. Here all of
//! them are unknowns of one formula ([`Copies`]) that demands the coverage of the set, and the
//! prefix grows as a whole: what it covers is kept, one more target is asked for, and members
//! behind it rearrange as they must. Where nothing can be added, a missing target is forced and
//! as much as possible of the rest is won back.

use rand::Rng;
use sundry_coverage::BitSet;
use sundry_solver::{Lit, Query, Verdict};

use super::polish::LEVELS;
use super::{Candidate, Cover};
use crate::copies::Copies;
use crate::problem::WrongModel;
use crate::steering::Control;
use crate::targets::Target;

/// Members above which this is not tried: with more of them, one at a time brings as much.
const MAXIMAL_MEMBERS: usize = 6;
/// Circuit gates of all copies above which this is not tried.
const MAXIMAL_GATES: usize = 500_000;
/// Ticks that one check may take.
const PATIENCE: u64 = 5_000_000;
/// Forced targets in a row that bring nothing after which a prefix is left.
const SWAPS: usize = 40;
/// Ticks that all prefixes may take together.
const TICKS: u64 = 120_000_000;

/// The members as unknowns.
struct Joint<'a> {
    copies: Copies<'a>,
    control: Control,
    /// How many copies form the prefix.
    prefix: usize,
    /// For each target that is to be covered, the literal that demands it of the prefix.
    demands: Vec<(Target, Lit)>,
}

impl Joint<'_> {
    /// Which of the demands the prefix meets in the last model.
    fn met(&self) -> BitSet {
        let mut covered = self.copies.covered(0);
        for copy in 1..self.prefix {
            covered.union_with(&self.copies.covered(copy));
        }
        covered
    }

    fn check(&mut self, assumptions: &[Lit], at_least_one: &[Lit]) -> Verdict {
        self.copies.check(Query { assumptions, at_least_one }, &self.control, PATIENCE)
    }

    /// Keeps what the prefix covers and asks for more, first among the `favoured` targets, until
    /// there is none. `assumptions` hold in the last model and throughout.
    fn extend(&mut self, assumptions: &[Lit], favoured: &BitSet) -> BitSet {
        let mut met = self.met();
        let bundle = self.copies.new_bundle();
        let assumed: Vec<Lit> = assumptions.iter().copied().chain([bundle]).collect();
        for first in [true, false] {
            let mut missing: Vec<(Target, Lit)> = self
                .demands
                .iter()
                .copied()
                .filter(|(target, _)| favoured.contains(target.index()) == first)
                .collect();
            loop {
                missing.retain(|&(target, literal)| {
                    let is_met = met.contains(target.index());
                    if is_met {
                        self.copies.add_to_bundle(bundle, literal);
                    }
                    !is_met
                });
                if missing.is_empty() || self.control.stopped() {
                    break;
                }
                let wanted: Vec<Lit> = missing.iter().map(|&(_, literal)| literal).collect();
                if self.check(&assumed, &wanted) != Verdict::Sat {
                    break;
                }
                met = self.met();
            }
        }
        self.copies.retire_bundle(bundle);
        met
    }
}

impl Cover<'_> {
    /// Shortens the prefixes that reach the levels, where it can. Whether the members were replaced.
    pub(super) fn polish_jointly(&mut self) -> Result<bool, WrongModel> {
        let mut changed = false;
        let mut spent = 0;
        for (number, level) in LEVELS.into_iter().enumerate() {
            // What one level leaves of its share is for those after it.
            let share = TICKS / LEVELS.len() as u64 * (number as u64 + 1);
            while spent < share && self.shorten_jointly(level, share, &mut spent)? {
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Tries to make the prefix that reaches a level one member shorter, until `spent`, to which its
    /// ticks are added, exceeds `limit`.
    fn shorten_jointly(&mut self, level: f64, limit: u64, spent: &mut u64) -> Result<bool, WrongModel> {
        let length = self.prefix_length(level);
        let count = self.members.len();
        if length <= 1
            || count > MAXIMAL_MEMBERS
            || count.saturating_mul(self.steering.gates()) > MAXIMAL_GATES
        {
            return Ok(false);
        }
        let targets = self.steering.targets.clone();
        let Ok(mut copies) = Copies::new(self.problem, &targets, count, self.steering.control()) else {
            return Ok(false);
        };
        copies.demand(&self.covered, &[]);
        let order = self.greedy_order();
        for (copy, &index) in order.iter().enumerate() {
            copies.prefer(copy, &self.members[index].covered);
        }
        let prefix = length - 1;
        let demands = self
            .covered
            .iter()
            .map(Target::from_index)
            .map(|target| (target, copies.covered_by_first(prefix, target)))
            .collect();
        let mut joint = Joint { copies, control: self.steering.control().clone(), prefix, demands };
        let wanted = self.weight_at(level);
        let before = *spent;
        if joint.check(&[], &[]) != Verdict::Sat {
            *spent += joint.copies.clock();
            return Ok(false);
        }
        let nothing = BitSet::new(targets.count());
        let mut met = joint.extend(&[], &nothing);
        let mut models = joint.copies.models();
        let mut idle = 0;
        while targets.weight_of(&met) < wanted
            && idle < SWAPS
            && before + joint.copies.clock() < limit
            && !joint.control.stopped()
        {
            let missing: Vec<(Target, Lit)> =
                joint.demands.iter().copied().filter(|(target, _)| !met.contains(target.index())).collect();
            let (_, forced) = missing[self.steering.random.random_range(0..missing.len())];
            for (copy, model) in models.iter().enumerate() {
                joint.copies.prefer(copy, &model.covered);
            }
            idle += 1;
            if joint.check(&[forced], &[]) != Verdict::Sat {
                continue;
            }
            let found = joint.extend(&[forced], &met);
            let (before, after) = (targets.weight_of(&met), targets.weight_of(&found));
            if after >= before {
                if after > before {
                    idle = 0;
                }
                met = found;
                models = joint.copies.models();
            }
        }
        *spent += joint.copies.clock();
        if targets.weight_of(&met) < wanted {
            return Ok(false);
        }
        let members = models
            .into_iter()
            .map(|copy| self.accept(Candidate { covered: copy.covered, model: copy.model }))
            .collect::<Result<Vec<_>, _>>()?;
        let before = self.prefix_lengths();
        let old = std::mem::replace(&mut self.members, members);
        if self.prefix_lengths() < before {
            return Ok(true);
        }
        self.members = old;
        Ok(false)
    }
}
