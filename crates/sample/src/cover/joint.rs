//! Polishing several members at once.
//!
//! Replacing one member at a time ends where every member is best given the others. Here those of
//! the prefix and some behind it are unknowns of one formula ([`Copies`]) that demands what only
//! they cover, and the prefix grows as a whole, while members behind it rearrange as they must:
//!
//! 1. *extend*: what it covers is kept, and one more target asked for, until nothing can be added;
//! 2. *climb*: a missing target is forced, and as much as possible of the rest won back;
//! 3. *descend*: with the weight that the prefix misses bounded by a [`Totalizer`], the solver is asked
//!    for less and less of it, and may prove that the level is out of reach (linear search, as MaxSAT
//!    solvers do it: Le Berre & Parrain, "The Sat4j library, release 2.2", 2010, with decisions that
//!    follow the best model: Demirović & Stuckey, CP 2019).

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_coverage::BitSet;
use sundry_solver::{AddClauses, Lit, Query, Verdict};

use super::polish::LEVELS;
use super::{Candidate, Cover};
use crate::copies::{Copies, CopyModel};
use crate::problem::WrongModel;
use crate::steering::{Control, LEADING_TICKS_PER_GATE};
use crate::targets::{Target, Targets};
use crate::totalizer::Totalizer;

/// Members that are unknowns, at most.
const MAXIMAL_MEMBERS: usize = 12;
/// Circuit gates of all copies together, at most.
const MAXIMAL_GATES: usize = 500_000;
/// Clauses of the totalizer above which there is no descent.
const MAXIMAL_CLAUSES: usize = 4_000_000;
/// Ticks that one check may take while extending and climbing.
const PATIENCE: u64 = 5_000_000;
/// Forced targets in a row that bring nothing after which climbing ends.
const SWAPS: usize = 100;
/// Ticks of one climb.
const CLIMB_TICKS: u64 = 100_000_000;
/// Ticks of a descent before climbing, which is for what is easy to find or to refute,
const FIRST_DESCENT_TICKS: u64 = 20_000_000;
/// and of the one after it.
const DESCENT_TICKS: u64 = 200_000_000;
/// Ticks for each gate of the formula's circuit after which no further prefix is tried,
const TICKS_PER_GATE: u64 = 60_000;
/// for each AST-bit,
const TICKS_PER_AST_BIT: u64 = 5_000;
/// and for each tick until the set was complete,
const TICKS_PER_TICK: u64 = 10;
/// at most.
const MAXIMAL_TICKS: u64 = 600_000_000;
/// Ticks for winning back what a shorter prefix cost on other levels.
const REPAIR_TICKS: u64 = 100_000_000;

/// The members as unknowns.
struct Joint<'a> {
    copies: Copies<'a>,
    targets: &'a Targets,
    control: Control,
    /// Ticks for everything.
    limit: u64,
    /// How many copies form the prefix.
    prefix: usize,
    /// For each target that is to be covered, the literal that demands it of the prefix.
    demands: Vec<(Target, Lit)>,
    /// Bounds on the weight that the prefix misses.
    totalizer: Option<Totalizer>,
    /// The best models so far.
    models: Vec<CopyModel>,
    /// What the prefix covers in them.
    covered: BitSet,
}

impl Joint<'_> {
    /// What the prefix covers in the last model.
    fn covered_now(&self) -> BitSet {
        let mut covered = self.copies.covered(0);
        for copy in 1..self.prefix {
            covered.union_with(&self.copies.covered(copy));
        }
        covered
    }

    fn weight(&self) -> u64 {
        self.targets.weight_of(&self.covered)
    }

    /// The weight of what is to be covered and the prefix does not.
    fn missed(&self) -> u64 {
        let missed = self.demands.iter().filter(|(target, _)| !self.covered.contains(target.index()));
        missed.map(|&(target, _)| self.targets.weight(target)).sum()
    }

    /// Makes the last model the best.
    fn keep(&mut self, covered: BitSet) {
        self.covered = covered;
        self.models = self.copies.models();
    }

    /// Decisions follow the best models.
    fn prefer_best(&mut self) {
        self.copies.prefer_all(self.models.iter().map(|model| &model.covered));
    }

    fn check(&mut self, assumptions: &[Lit], at_least_one: &[Lit], ticks: u64) -> Verdict {
        self.copies.check(Query { assumptions, at_least_one }, &self.control, ticks)
    }

    /// From the last model, keeps what the prefix covers and asks for more, first among the
    /// `favoured` targets, until there is none. `assumptions` hold in that model and throughout.
    fn extend(&mut self, assumptions: &[Lit], favoured: &BitSet) -> BitSet {
        let mut covered = self.covered_now();
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
                    let is_covered = covered.contains(target.index());
                    if is_covered {
                        self.copies.add_to_bundle(bundle, literal);
                    }
                    !is_covered
                });
                if missing.is_empty() || self.control.stopped() {
                    break;
                }
                let wanted: Vec<Lit> = missing.iter().map(|&(_, literal)| literal).collect();
                if self.check(&assumed, &wanted, PATIENCE) != Verdict::Sat {
                    break;
                }
                covered = self.covered_now();
            }
        }
        self.copies.retire_bundle(bundle);
        covered
    }

    /// Forces missing targets, one at a time, and keeps what is as good as the best.
    fn climb(&mut self, wanted: u64, random: &mut ChaCha8Rng) {
        let end = self.limit.min(self.copies.clock() + CLIMB_TICKS);
        let mut idle = 0;
        while self.weight() < wanted && idle < SWAPS && self.copies.clock() < end && !self.control.stopped() {
            idle += 1;
            let missing: Vec<Lit> = self
                .demands
                .iter()
                .filter(|(target, _)| !self.covered.contains(target.index()))
                .map(|&(_, literal)| literal)
                .collect();
            let forced = missing[random.random_range(0..missing.len())];
            self.prefer_best();
            if self.check(&[forced], &[], PATIENCE) != Verdict::Sat {
                continue;
            }
            let covered = self.extend(&[forced], &self.covered.clone());
            let (before, after) = (self.weight(), self.targets.weight_of(&covered));
            if after > before {
                idle = 0;
            }
            if after >= before {
                self.keep(covered);
            }
        }
    }

    /// Asks for models whose prefix misses less and less. Whether nothing is left to find: the level
    /// is reached, or the best models are proved to be the best there are.
    fn descend(&mut self, wanted: u64, ticks: u64) -> bool {
        if self.totalizer.is_none() && self.weight() < wanted {
            let (losses, missed) = (self.losses(), self.missed());
            self.totalizer = Totalizer::new(&losses, missed, MAXIMAL_CLAUSES, &mut self.copies);
        }
        let end = self.limit.min(self.copies.clock() + ticks);
        while self.weight() < wanted {
            let Some(totalizer) = &self.totalizer else { return false };
            let less: Vec<Lit> = totalizer.less_than(self.missed()).into_iter().collect();
            let left = end.saturating_sub(self.copies.clock());
            if left == 0 || self.control.stopped() {
                return false;
            }
            self.prefer_best();
            match self.check(&less, &[], left) {
                Verdict::Sat => {}
                Verdict::Unsat => return true,
                Verdict::Unknown => return false,
            }
            let covered = self.covered_now();
            self.keep(covered);
        }
        true
    }

    /// Literals with the weights that the prefix misses where they are true. A target and its
    /// opposite share one: a model misses at most one of the two.
    fn losses(&mut self) -> Vec<(u64, Lit)> {
        let mut losses: Vec<(u64, Lit)> = Vec::with_capacity(self.demands.len());
        let mut last: Option<Target> = None;
        for &(target, literal) in &self.demands {
            if last == Some(target.opposite()) {
                let (_, missed) = losses[losses.len() - 1];
                self.copies.add_clause(&[missed, literal]);
            } else {
                let missed = self.copies.new_var().positive();
                self.copies.add_clause(&[missed, literal]);
                losses.push((self.targets.weight(target), missed));
            }
            last = Some(target);
        }
        losses
    }
}

impl Cover<'_> {
    /// Shortens the prefixes that reach the levels, where it can. Whether the members were replaced.
    pub(super) fn polish_jointly(&mut self) -> Result<bool, WrongModel> {
        let ticks = TICKS_PER_GATE * self.steering.gates() as u64
            + TICKS_PER_AST_BIT * self.covered_weight()
            + TICKS_PER_TICK * self.until_complete.unwrap_or(0);
        let ticks = ticks.min(MAXIMAL_TICKS);
        let (mut changed, mut spent) = (false, 0);
        loop {
            let mut shorter = false;
            // The longest first: bounds on what little they miss are small.
            let mut length = usize::MAX;
            while let Some(next) = self.lengths().into_iter().filter(|&next| next < length).max() {
                length = next;
                if spent > ticks || self.steering.control().stopped() {
                    return Ok(changed);
                }
                shorter |= self.shorten_jointly(length, ticks, &mut spent)?;
            }
            if !shorter {
                return Ok(changed);
            }
            changed = true;
        }
    }

    /// Tries to reach levels that take `length` members with one less, the highest if possible. Adds
    /// the ticks that takes to `spent`, which should not get over `limit`.
    fn shorten_jointly(&mut self, length: usize, limit: u64, spent: &mut u64) -> Result<bool, WrongModel> {
        let affordable = MAXIMAL_GATES / self.steering.gates().max(1);
        let count = self.members.len().min(affordable).min(MAXIMAL_MEMBERS);
        let mut levels = LEVELS
            .into_iter()
            .zip(self.lengths())
            .filter(|&(level, other)| other == length && self.may_reach(level, length - 1))
            .map(|(level, _)| level);
        let Some(lowest) = levels.next().filter(|_| length <= count) else { return Ok(false) };
        let (needed, wanted) = (self.weight_at(lowest), self.weight_at(levels.last().unwrap_or(lowest)));
        let targets = self.steering.targets.clone();
        let control = self.steering.control().clone();
        let Ok(mut copies) = Copies::new(self.problem, &targets, count, &control) else { return Ok(false) };
        let order = self.greedy_order();
        let (unknown, fixed) = order.split_at(count);
        let mut duties = self.covered.clone();
        fixed.iter().for_each(|&index| duties.subtract(&self.members[index].covered));
        copies.demand(&duties, &[]);
        let prefix = length - 1;
        let demands = self
            .covered
            .iter()
            .map(Target::from_index)
            .map(|target| (target, copies.covered_by_first(prefix, target)))
            .collect();
        copies.prefer_all(unknown.iter().map(|&index| &self.members[index].covered));
        let leading = PATIENCE.max(LEADING_TICKS_PER_GATE * copies.gates() as u64);
        let nothing = BitSet::new(targets.count());
        let mut joint = Joint {
            copies,
            targets: &targets,
            control,
            limit: limit - *spent,
            prefix,
            demands,
            totalizer: None,
            models: Vec::new(),
            covered: nothing.clone(),
        };
        if joint.check(&[], &[], leading) == Verdict::Sat {
            let covered = joint.extend(&[], &nothing);
            joint.keep(covered);
            if !joint.descend(wanted, FIRST_DESCENT_TICKS) {
                joint.climb(wanted, &mut self.steering.random);
                joint.descend(wanted, DESCENT_TICKS);
            }
        }
        *spent += joint.copies.clock();
        if joint.weight() < needed {
            return Ok(false);
        }
        let mut members = std::mem::take(&mut joint.models)
            .into_iter()
            .map(|copy| self.accept(Candidate { covered: copy.covered, model: copy.model }))
            .collect::<Result<Vec<_>, _>>()?;
        members.extend(fixed.iter().map(|&index| self.members[index].clone()));
        let before = self.prefix_lengths();
        let old = std::mem::replace(&mut self.members, members);
        if self.prefix_lengths() >= before {
            self.polish_singly(REPAIR_TICKS)?;
        }
        if self.prefix_lengths() < before {
            return Ok(true);
        }
        self.members = old;
        Ok(false)
    }
}
