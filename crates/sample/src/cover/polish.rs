//! Polishing: the same number of solutions, with more of the coverage in the first ones.
//!
//! Readers who want less than complete coverage take a prefix of the set. A member must cover the targets that no other
//! covers; all else is free. So a prefix is asked to cover as much as the present one with a member more: by a
//! *descent* with all members as unknowns, which may prove that it cannot, and by a search in *neighbourhoods*, where a
//! few members are unknowns and the others stay as they are (Shaw, "Using constraint programming and local search
//! methods to solve vehicle routing problems", CP 1998; Hickey & Bacchus, "Large neighbourhood search for anytime
//! MaxSAT solving", IJCAI 2022). Solvers and random numbers are its own, so it can run beside other work.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sundry_coverage::BitSet;

use super::improve::PresentSet;
use super::joint::Joint;
use super::member::{Member, covered_by_all, greedy_order_of, lengths_of_prefixes};
use super::shorten::Shorten;
use crate::copies::{BUILDING_TICKS_PER_GATE, Copies};
use crate::prefixes::{self, PerLevel};
use crate::problem::{Candidate, Rejection};

/// Members that are unknowns in a neighbourhood.
const NEIGHBOURS: usize = 3;
/// The number of forced targets in a row without gain after which a neighbourhood is left.
const SWAPS: usize = 6;
/// The number of neighbourhoods in a row without gain after which a prefix is left.
const IDLE_NEIGHBOURHOODS: usize = 60;
/// Ticks of the first attempt at a prefix to descend, and to search in neighbourhoods. Each pass over
/// the prefixes takes twice as many as the one before.
const DESCENT_TICKS: u64 = 2_500_000;
const SEARCH_TICKS: u64 = 5_000_000;
/// Passes that double the ticks, at most.
const MOST_DOUBLINGS: u32 = 20;
/// The number of passes in a row without gain after which the set is left.
const IDLE_PASSES: u32 = 7;
/// Members that are unknowns of a descent, at most.
const DESCENT_MEMBERS: usize = 12;
/// Circuit gates of all copies together, at most.
const MAXIMAL_GATES: usize = 500_000;
/// Ticks for each pair of gates of the formula's circuit after which no further prefix is tried (there
/// is more to decide in a larger circuit, and each decision costs more).
const TICKS_PER_PAIR_OF_GATES: u64 = 240;
/// The same limit for each AST-bit.
const TICKS_PER_AST_BIT: u64 = 20_000;
/// The same limit for each tick until the set was complete.
const TICKS_PER_TICK: u64 = 10;
/// The maximum of this limit.
const MAXIMAL_TICKS: u64 = 800_000_000;

/// A set that is being polished.
pub(super) struct Polishing<'a> {
    set: PresentSet<'a>,
    random: ChaCha8Rng,
    members: Vec<Member>,
    /// Weight that a prefix has to cover to reach each level.
    wanted: PerLevel<u64>,
    /// The number of solutions that each level is known to need.
    least: PerLevel<usize>,
    /// Ticks that are left.
    ticks: u64,
    /// Ticks that were spent.
    spent: u64,
}

/// A set that is being polished, with a solver for neighbourhoods.
struct Shortening<'a> {
    polishing: Polishing<'a>,
    neighbours: Copies<'a>,
}

impl Shorten for Shortening<'_> {
    fn lengths(&self) -> PerLevel<usize> {
        self.polishing.lengths()
    }

    fn members(&mut self) -> &mut Vec<Member> {
        &mut self.polishing.members
    }

    fn is_over(&self) -> bool {
        self.polishing.ticks == 0 || self.polishing.set.control.stopped()
    }

    fn attempt(&mut self, length: usize, lengths: &PerLevel<usize>, pass: u32) -> Result<bool, Rejection> {
        let effort = 1 << pass.min(MOST_DOUBLINGS);
        self.polishing.shorten(length, lengths, effort, &mut self.neighbours)
    }
}

/// The result of polishing.
pub(super) struct Polished {
    /// The new members, if any is new.
    pub(super) members: Option<Vec<Member>>,
    /// Ticks that it took.
    pub(super) spent: u64,
}

impl<'a> Polishing<'a> {
    /// Starts with the present set, which took `until_complete` ticks until it was complete. Polishing takes at most
    /// `most` ticks.
    pub(super) fn new(set: PresentSet<'a>, random: ChaCha8Rng, until_complete: u64, most: u64) -> Self {
        let constant = set.targets.constant_positions();
        let covered = set.targets.weight_of(set.covered) + constant;
        let ticks = TICKS_PER_PAIR_OF_GATES * (set.gates as u64).pow(2)
            + TICKS_PER_AST_BIT * covered
            + TICKS_PER_TICK * until_complete;
        let wanted = prefixes::wanted(covered).map(|wanted| wanted.saturating_sub(constant));
        Polishing {
            set,
            random,
            members: set.members.to_vec(),
            wanted,
            least: wanted.map(|wanted| least_count(&set, wanted)),
            ticks: ticks.min(MAXIMAL_TICKS).min(most),
            spent: 0,
        }
    }

    /// Shortens the prefixes that reach the levels, where it can.
    pub(super) fn polish(mut self) -> Result<Polished, Rejection> {
        let few = self.affordable().min(NEIGHBOURS);
        let is_worthwhile = few > 0 && !self.set.control.stopped() && self.lengths() != self.least;
        let Some(neighbours) = is_worthwhile.then(|| self.set.copies(few).ok()).flatten() else {
            return Ok(Polished { members: None, spent: 0 });
        };
        self.spend(neighbours.clock());
        let mut shortening = Shortening { polishing: self, neighbours };
        let changed = shortening.shorten_all(IDLE_PASSES)?;
        let Polishing { members, spent, .. } = shortening.polishing;
        Ok(Polished { members: changed.then_some(members), spent })
    }

    fn spend(&mut self, ticks: u64) {
        self.ticks = self.ticks.saturating_sub(ticks);
        self.spent += ticks;
    }

    /// The number of members that may be unknowns together.
    fn affordable(&self) -> usize {
        self.members.len().min(MAXIMAL_GATES / self.set.gates.max(1))
    }

    /// Tries to reach levels that take `length` members, of these lengths, with one less, the highest
    /// if possible. Returns whether any member was replaced.
    fn shorten(
        &mut self,
        length: usize,
        lengths: &PerLevel<usize>,
        effort: u64,
        neighbours: &mut Copies<'_>,
    ) -> Result<bool, Rejection> {
        let open = |&level: &usize| lengths[level] == length && self.least[level] < length;
        let levels: Vec<usize> = (0..lengths.len()).filter(open).collect();
        let (Some(&lowest), Some(&highest)) = (levels.first(), levels.last()) else { return Ok(false) };
        let order = self.order();
        let prefix = &order[..length - 1];
        let wanted = self.wanted[highest];
        let unknown = &order[..self.affordable().min(DESCENT_MEMBERS)];
        let mut changed = false;
        let mut unreachable = None;
        let building = BUILDING_TICKS_PER_GATE * (self.set.gates * unknown.len()) as u64;
        if length <= unknown.len() && building <= effort * DESCENT_TICKS {
            (unreachable, changed) = self.descend(unknown, prefix, wanted, effort * DESCENT_TICKS)?;
        }
        if unreachable.is_none() {
            changed |= self.search(neighbours, prefix, wanted, effort)?;
        }
        let reached = self.prefix_weight(prefix);
        if let Some(unreachable) = unreachable
            && unknown.len() == self.members.len()
        {
            let missed = levels.iter().filter(|&&level| self.wanted[level] >= unreachable);
            missed.for_each(|&level| self.least[level] = length);
        }
        if reached >= self.wanted[lowest] {
            // What that cost other levels is to be won back.
            for (level, &length) in lengths.iter().enumerate() {
                if self.lengths()[level] > length {
                    let prefix = self.order()[..length].to_vec();
                    let wanted = self.wanted[level];
                    changed |= self.search(neighbours, &prefix, wanted, effort)?;
                }
            }
        }
        Ok(changed)
    }

    /// Lets the prefix cover more and more with all of these members as unknowns. The least weight that it is proved
    /// not to cover, if any is, and whether members were replaced.
    fn descend(
        &mut self,
        unknown: &[usize],
        prefix: &[usize],
        wanted: u64,
        ticks: u64,
    ) -> Result<(Option<u64>, bool), Rejection> {
        let Ok(mut copies) = self.set.copies(unknown.len()) else { return Ok((None, false)) };
        let mut joint = self.joint(&mut copies, unknown, prefix).within(ticks.min(self.ticks));
        let before = joint.weight();
        let unreachable = joint.descend(wanted);
        let is_better = joint.weight() > before;
        let models = joint.close();
        self.spend(copies.clock());
        if is_better {
            self.replace(unknown, models)?;
        }
        Ok((unreachable, is_better))
    }

    /// Lets the prefix cover more and more by looking in random neighbourhoods, until it covers the wanted weight or
    /// there is no more gain. Returns whether members were replaced.
    fn search(
        &mut self,
        neighbours: &mut Copies<'_>,
        prefix: &[usize],
        wanted: u64,
        effort: u64,
    ) -> Result<bool, Rejection> {
        let start = neighbours.clock();
        let ticks = self.ticks.min(effort * SEARCH_TICKS);
        let (mut changed, mut idle) = (false, 0);
        let mut reached = self.prefix_weight(prefix);
        while reached < wanted && idle < IDLE_NEIGHBOURHOODS && !self.set.control.stopped() {
            if neighbours.clock() - start >= ticks {
                break;
            }
            let unknown = self.neighbourhood(neighbours.count(), prefix);
            let left = ticks.saturating_sub(neighbours.clock() - start);
            let mut joint = self.joint(neighbours, &unknown, prefix).within(left);
            let is_new = joint.climb(wanted, SWAPS, &mut self.random);
            let (now, models) = (joint.weight(), joint.close());
            if is_new {
                self.replace(&unknown, models)?;
                changed = true;
            }
            idle = if now > reached { 0 } else { idle + 1 };
            reached = now;
        }
        self.spend(neighbours.clock() - start);
        Ok(changed)
    }

    /// Some members, one of the prefix at least, those of the prefix first.
    fn neighbourhood(&mut self, count: usize, prefix: &[usize]) -> Vec<usize> {
        let first = prefix[self.random.random_range(0..prefix.len())];
        let mut others: Vec<usize> = (0..self.members.len()).filter(|&member| member != first).collect();
        others.shuffle(&mut self.random);
        let mut chosen: Vec<usize> = std::iter::once(first).chain(others).take(count).collect();
        chosen.sort_by_key(|member| !prefix.contains(member));
        chosen
    }

    /// A joint search with these members, those of the prefix first, as unknowns that cover what no other member does.
    fn joint<'j, 'c>(
        &self,
        copies: &'j mut Copies<'c>,
        unknown: &[usize],
        prefix: &[usize],
    ) -> Joint<'j, 'c> {
        let mut duties = self.set.covered.clone();
        let mut base = BitSet::new(self.set.targets.count());
        let fixed = self.members.iter().enumerate().filter(|(member, _)| !unknown.contains(member));
        for (number, member) in fixed {
            duties.subtract(&member.covered);
            if prefix.contains(&number) {
                base.union_with(&member.covered);
            }
        }
        let mut wanted = self.set.covered.clone();
        wanted.subtract(&base);
        let leading = unknown.iter().take_while(|member| prefix.contains(member)).count();
        let models = unknown
            .iter()
            .map(|&member| {
                let Member { covered, solution } = &self.members[member];
                Candidate { covered: covered.clone(), model: (*solution.model).clone() }
            })
            .collect();
        Joint::new(copies, self.set.control, &duties, &wanted, base, leading, models)
    }

    /// Judges models and puts them in the place of members.
    fn replace(&mut self, members: &[usize], models: Vec<Candidate>) -> Result<(), Rejection> {
        for (&member, model) in members.iter().zip(models) {
            self.members[member] =
                Member::judge(self.set.problem, self.set.targets, model, self.set.control)?;
        }
        Ok(())
    }

    /// The members in the order of greedy gain.
    fn order(&self) -> Vec<usize> {
        greedy_order_of(&self.members, self.set.targets)
    }

    fn prefix_weight(&self, prefix: &[usize]) -> u64 {
        let members = prefix.iter().map(|&member| &self.members[member]);
        self.set.targets.weight_of(&covered_by_all(members, self.set.targets.count()))
    }

    /// The number of members in greedy order that reach each level.
    fn lengths(&self) -> PerLevel<usize> {
        lengths_of_prefixes(&self.members, self.set.targets, &self.wanted)
    }
}

/// The number of solutions needed to cover that weight, as far as the exclusive targets show: each solution covers at
/// most one of them. One solution alone covers one value of every bit, whichever it is.
fn least_count(set: &PresentSet<'_>, wanted: u64) -> usize {
    let mut weights: Vec<u64> = set.exclusive.iter().map(|&target| set.targets.weight(target)).collect();
    weights.sort_unstable();
    let mut spare = set.targets.weight_of(set.covered).saturating_sub(wanted);
    let missed = weights.iter().take_while(|&&weight| {
        let may_miss = weight <= spare;
        spare = spare.saturating_sub(weight);
        may_miss
    });
    (weights.len() - missed.count()).max(2)
}

#[cfg(test)]
mod tests;
