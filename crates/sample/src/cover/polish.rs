//! Polishing: the same number of solutions, with more of the coverage in the first ones.
//!
//! Readers who want less than complete coverage take a prefix of the set. What a member must cover
//! is what no other covers; all else is free. So the last members, which have few duties, take
//! over what they can of the duties of the first (*relieve*), and the first are grown anew for the
//! weight that the rest of the prefix leaves uncovered (*promote*), as long as that gains.

use rand::Rng;
use sundry_coverage::BitSet;
use sundry_solver::{Lit, Verdict};

use super::{Candidate, Cover};
use crate::problem::WrongModel;
use crate::targets::Target;

/// Prefixes are improved until they reach these shares of what the set covers.
pub(super) const LEVELS: [f64; 6] = [0.8, 0.9, 0.95, 0.98, 0.99, 0.995];
/// Models tried for each replacement of a member.
const CANDIDATES: usize = 6;
/// Forced targets tried for each replacement of a member.
const SWAPS: usize = 8;
/// Rounds over a prefix without gain after which it is left.
const IDLE_ROUNDS: usize = 2;
/// Attempts at a prefix without making it shorter after which its level is left.
const ATTEMPTS: usize = 8;
/// Ticks that polishing may take altogether.
const TICKS: u64 = 400_000_000;

/// What trying to shorten a prefix has brought.
enum Polish {
    /// It is shorter.
    Shorter,
    /// It is as long, but covers more without its last member.
    Fuller,
    /// Nothing.
    Same,
    /// It cannot be shorter, or time is up.
    Done,
}

impl Cover<'_> {
    /// Shortens the prefixes that reach the levels, where it can. Whether any member was replaced.
    pub(super) fn polish(&mut self) -> Result<bool, WrongModel> {
        self.until_complete.get_or_insert(self.steering.clock());
        let changed = self.polish_singly(TICKS)?;
        Ok(self.polish_jointly()? || changed)
    }

    /// The same, replacing one member at a time, for so many ticks.
    pub(super) fn polish_singly(&mut self, ticks: u64) -> Result<bool, WrongModel> {
        let start = self.steering.clock();
        let mut changed = false;
        for number in 0..LEVELS.len() {
            // What one level leaves of its share is for those after it.
            let share = ticks / LEVELS.len() as u64 * (number as u64 + 1);
            let mut failures = 0;
            while failures < ATTEMPTS && self.steering.clock() - start <= share {
                match self.polish_level(number)? {
                    Polish::Shorter => failures = 0,
                    Polish::Fuller | Polish::Same => failures += 1,
                    Polish::Done => break,
                }
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Tries to reach a level with one member less. What comes of it is kept only if no prefix got
    /// longer for it in sum, and the shorter prefix covers more than before.
    fn polish_level(&mut self, number: usize) -> Result<Polish, WrongModel> {
        let (level, length) = (LEVELS[number], self.lengths()[number]);
        if !self.may_reach(level, length - 1) || self.steering.control().stopped() {
            return Ok(Polish::Done);
        }
        let before = (self.prefix_lengths(), self.prefix_weight(&self.greedy_order()[..length - 1]));
        let members = self.members.clone();
        self.relieve(length - 1)?;
        self.promote(length - 1, level)?;
        let after = (self.prefix_lengths(), self.prefix_weight(&self.greedy_order()[..length - 1]));
        if after.0 < before.0 {
            return Ok(Polish::Shorter);
        }
        if after.0 == before.0 && after.1 > before.1 {
            return Ok(Polish::Fuller);
        }
        self.members = members;
        Ok(Polish::Same)
    }

    pub(super) fn prefix_lengths(&self) -> usize {
        self.lengths().iter().sum()
    }

    /// Weight that a prefix has to cover to reach a level.
    pub(super) fn weight_at(&self, level: f64) -> u64 {
        let constant = self.steering.targets.constant_positions();
        ((level * self.covered_weight() as f64).ceil() as u64).saturating_sub(constant)
    }

    /// Whether the lower bound leaves it open that so many solutions reach a level.
    pub(super) fn may_reach(&self, level: f64, count: usize) -> bool {
        // One solution covers one value of every bit, whichever it is. Of the exclusive targets each
        // solution covers one at most.
        let mut exclusive: Vec<u64> =
            self.exclusive.iter().map(|&target| self.steering.targets.weight(target)).collect();
        exclusive.sort_unstable();
        let missed: u64 = exclusive.iter().take(exclusive.len().saturating_sub(count)).sum();
        let covered = self.steering.targets.weight_of(&self.covered);
        count > 1 && covered.saturating_sub(missed) >= self.weight_at(level)
    }

    /// How many members in greedy order reach each level.
    pub(super) fn lengths(&self) -> [usize; LEVELS.len()] {
        let mut covered = BitSet::new(self.steering.targets.count());
        let weights: Vec<u64> = self
            .greedy_order()
            .into_iter()
            .map(|index| {
                covered.union_with(&self.members[index].covered);
                self.steering.targets.weight_of(&covered)
            })
            .collect();
        LEVELS.map(|level| {
            let wanted = self.weight_at(level);
            (weights.partition_point(|&weight| weight < wanted) + 1).min(weights.len())
        })
    }

    /// Members behind the prefix take over duties of members in it.
    fn relieve(&mut self, length: usize) -> Result<(), WrongModel> {
        let order = self.greedy_order();
        for &index in order[length..].iter().rev() {
            if self.steering.control().stopped() {
                break;
            }
            let counts = self.cover_counts();
            let own = self.needs_of(index, &counts);
            let duties: Vec<Target> =
                order[..length].iter().flat_map(|&member| self.needs_of(member, &counts)).collect();
            if duties.is_empty() {
                break;
            }
            let taken =
                |covered: &BitSet| duties.iter().filter(|duty| covered.contains(duty.index())).count();
            self.prefer_like(&self.members[index].covered.clone(), &duties);
            let bundle = self.bundle_of(&own);
            if self.steering.check(&[bundle], &duties, Some(self.patience)) == Verdict::Sat {
                let start = self.look();
                let candidate = self.extend(&[bundle], start, std::slice::from_ref(&duties));
                if taken(&candidate.covered) > 0 {
                    self.members[index] = self.accept(candidate)?;
                }
            }
            self.steering.retire_bundle(bundle);
        }
        Ok(())
    }

    /// Members of the prefix are replaced, in turns, where that makes the prefix cover more, until
    /// it reaches the level or nothing is gained any more.
    fn promote(&mut self, length: usize, level: f64) -> Result<(), WrongModel> {
        let prefix: Vec<usize> = self.greedy_order()[..length].to_vec();
        let wanted = self.weight_at(level);
        let mut idle = 0;
        while idle < IDLE_ROUNDS {
            idle += 1;
            for &index in prefix.iter().rev() {
                if self.prefix_weight(&prefix) >= wanted || self.steering.control().stopped() {
                    return Ok(());
                }
                if self.promote_member(index, &prefix)? {
                    idle = 0;
                }
            }
        }
        Ok(())
    }

    fn prefix_weight(&self, prefix: &[usize]) -> u64 {
        let mut covered = BitSet::new(self.steering.targets.count());
        for &index in prefix {
            covered.union_with(&self.members[index].covered);
        }
        self.steering.targets.weight_of(&covered)
    }

    /// Replaces a member of the prefix by one that covers more of what the rest of the prefix does
    /// not: either grown from the best of a few fresh models, or from its own by forcing a target
    /// that it misses and winning back what it had.
    fn promote_member(&mut self, index: usize, prefix: &[usize]) -> Result<bool, WrongModel> {
        let counts = self.cover_counts();
        let needs = self.needs_of(index, &counts);
        let mut open = self.covered.clone();
        for &other in prefix {
            if other != index {
                open.subtract(&self.members[other].covered);
            }
        }
        let bundle = self.bundle_of(&needs);
        let mut best: Option<(u64, Candidate)> = None;
        let mut known = self.gain(&open, &self.members[index].covered);
        let wanted: Vec<Target> = open.iter().map(Target::from_index).collect();
        if let Some(fresh) = self.best_candidate(bundle, &open) {
            let fresh = self.extend(&[bundle], fresh, std::slice::from_ref(&wanted));
            let gain = self.gain(&open, &fresh.covered);
            if gain > known {
                known = gain;
                best = Some((gain, fresh));
            }
        }
        for _ in 0..SWAPS {
            if self.steering.control().stopped() {
                break;
            }
            let current = match &best {
                Some((_, candidate)) => candidate.covered.clone(),
                None => self.members[index].covered.clone(),
            };
            let Some(candidate) = self.swap(bundle, &current, &wanted) else { continue };
            let gain = self.gain(&open, &candidate.covered);
            if gain > known {
                known = gain;
                best = Some((gain, candidate));
            }
        }
        self.steering.retire_bundle(bundle);
        match best {
            Some((_, candidate)) => {
                self.members[index] = self.accept(candidate)?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Weight that a model covers of what is open.
    fn gain(&self, open: &BitSet, covered: &BitSet) -> u64 {
        let mut new = covered.clone();
        new.intersect_with(open);
        self.steering.targets.weight_of(&new)
    }

    /// A model like `current` that covers one more of the wanted targets, at the price of others.
    fn swap(&mut self, bundle: Lit, current: &BitSet, wanted: &[Target]) -> Option<Candidate> {
        let (had, missed): (Vec<Target>, Vec<Target>) =
            wanted.iter().partition(|target| current.contains(target.index()));
        if missed.is_empty() {
            return None;
        }
        let forced = missed[self.steering.random.random_range(0..missed.len())];
        let literal = self.steering.literal(forced);
        self.prefer_like(current, &missed);
        self.prefer_like(current, &[forced]);
        if self.steering.check(&[bundle, literal], &[], Some(self.patience)) != Verdict::Sat {
            return None;
        }
        let start = self.look();
        Some(self.extend(&[bundle, literal], start, &[had, missed]))
    }

    /// The best of a few models that satisfy a bundle, with phases towards what is open.
    fn best_candidate(&mut self, bundle: Lit, open: &BitSet) -> Option<Candidate> {
        let mut best: Option<(u64, Candidate)> = None;
        for attempt in 0..CANDIDATES {
            // The first follows the open targets strictly, later ones with more and more noise.
            let noise = 0.1 * attempt as f64;
            for group in 0..self.steering.targets.groups() {
                let (zero, one) = (Target::new(group, false), Target::new(group, true));
                let towards = match (open.contains(zero.index()), open.contains(one.index())) {
                    (true, false) => Some(false),
                    (false, true) => Some(true),
                    _ => None,
                };
                let value = match towards {
                    Some(value) if !self.steering.random.random_bool(noise) => value,
                    _ => self.steering.random.random(),
                };
                self.steering.prefer(Target::new(group, value));
            }
            if self.steering.check(&[bundle], &[], Some(self.patience)) != Verdict::Sat {
                break;
            }
            let candidate = self.look();
            let value = self.gain(open, &candidate.covered);
            if best.as_ref().is_none_or(|(known, _)| value > *known) {
                best = Some((value, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}
