//! The lower bound: targets of which no model covers two need a model each.
//!
//! Candidates are targets that no known model covers together. The solver is asked for a model of
//! any two of a greedy clique, in one question; such a model refutes the clique, and many other pairs
//! with it. Only where that is too hard each pair is asked about on its own.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::Cover;
use crate::targets::Target;

/// Cliques tried, at most.
const ATTEMPTS: usize = 400;
/// Starts of the greedy search per attempt.
const STARTS: usize = 32;
/// Ticks for all attempts together.
const TICKS: u64 = 400_000_000;
/// The part of the work left that the bound may take: one in this number.
const PART: u64 = 3;
/// Ticks for each target of a clique in the question about all its pairs: carrying one value through
/// the circuit takes some hundred thousand.
const TICKS_PER_TARGET: u64 = 1_000_000;
/// Targets that enter the search: the rarest among known models.
const CANDIDATES: usize = 4_000;

/// A target, and which of the known models cover it.
struct Candidate {
    target: Target,
    models: Vec<u64>,
}

/// The knowledge about pairs of candidates.
struct Pairs {
    candidates: Vec<Candidate>,
    /// Known models.
    models: usize,
    confirmed: FxHashSet<(Target, Target)>,
    given_up: FxHashSet<(Target, Target)>,
}

impl Pairs {
    /// A model was found.
    fn add(&mut self, covered: &BitSet) {
        let (word, bit) = (self.models / 64, self.models % 64);
        for candidate in &mut self.candidates {
            if word == candidate.models.len() {
                candidate.models.push(0);
            }
            candidate.models[word] |= u64::from(covered.contains(candidate.target.index())) << bit;
        }
        self.models += 1;
    }

    /// A large set of candidates that are pairwise never covered together.
    fn clique(&mut self) -> Vec<Target> {
        self.candidates.sort_by_key(|candidate| {
            (candidate.models.iter().map(|word| word.count_ones()).sum::<u32>(), candidate.target)
        });
        let mut best: Vec<Target> = Vec::new();
        for start in 0..self.candidates.len().min(STARTS) {
            let mut clique: Vec<Target> = Vec::new();
            let mut union = vec![0; self.models.div_ceil(64)];
            for Candidate { target, models } in self.candidates[start..=start].iter().chain(&self.candidates)
            {
                let together = union.iter().zip(models).any(|(union, row)| union & row != 0);
                let again = !clique.is_empty() && *target == self.candidates[start].target;
                let given_up = |other: &Target| self.given_up.contains(&pair(*other, *target));
                if together || again || (!self.given_up.is_empty() && clique.iter().any(given_up)) {
                    continue;
                }
                clique.push(*target);
                union.iter_mut().zip(models).for_each(|(union, row)| *union |= row);
            }
            if clique.len() > best.len() {
                best = clique;
            }
        }
        best
    }
}

/// The lower bound on the size of a set.
#[derive(Default)]
pub(super) struct LowerBound {
    /// The least size that is not refuted.
    pub(super) size: usize,
    /// Targets behind the bound: no two of them are covered by one model.
    pub(super) exclusive: Vec<Target>,
}

impl Cover<'_> {
    /// Raises the lower bound as far as cliques are found that the solver confirms.
    pub(super) fn find_bound(&mut self) {
        self.start_bound();
        if self.is_minimal() {
            return;
        }
        let mut pairs = self.known_pairs();
        let until = self.steering.clock() + self.part_of_work(PART, TICKS);
        for _ in 0..ATTEMPTS {
            if self.is_minimal() || self.steering.clock() > until || self.steering.control().stopped() {
                return;
            }
            let clique = pairs.clique();
            if clique.len() <= self.bound.size {
                return;
            }
            if let Some(clique) = self.confirm(clique, &mut pairs, until) {
                self.bound.size = clique.len();
                self.bound.exclusive = clique;
            }
        }
    }

    /// The covered targets that the fewest known models cover.
    fn known_pairs(&self) -> Pairs {
        let known: Vec<&BitSet> =
            self.members.iter().map(|member| &member.covered).chain(self.known.pool.models()).collect();
        let mut times = vec![0u32; self.steering.targets.count()];
        known.iter().flat_map(|covered| covered.iter()).for_each(|target| times[target] += 1);
        let mut targets: Vec<usize> = self.covered.iter().collect();
        targets.sort_by_key(|&target| (times[target], target));
        targets.truncate(CANDIDATES);
        let candidates = targets
            .into_iter()
            .map(|target| Candidate { target: Target::from_index(target), models: Vec::new() })
            .collect();
        let mut pairs =
            Pairs { candidates, models: 0, confirmed: FxHashSet::default(), given_up: FxHashSet::default() };
        known.into_iter().for_each(|covered| pairs.add(covered));
        pairs
    }

    /// Starts the bound: one model is always needed, and two where a bit takes both values.
    pub(super) fn start_bound(&mut self) {
        if self.bound.size > 1 {
            return;
        }
        self.bound.size = 1;
        let both = (0..self.steering.targets.groups()).find(|&group| {
            self.covered.contains(Target::new(group, false).index())
                && self.covered.contains(Target::new(group, true).index())
        });
        if let Some(group) = both {
            self.bound.size = 2;
            self.bound.exclusive = vec![Target::new(group, false), Target::new(group, true)];
        }
    }

    /// The rest of a clique when the solver has refuted every pair. A model of a pair becomes known, and only one of
    /// the targets that it covers stays. `None` where the rest does not exceed the lower bound, or the clock shows
    /// `until`.
    fn confirm(&mut self, mut clique: Vec<Target>, pairs: &mut Pairs, until: u64) -> Option<Vec<Target>> {
        let mut refutations: FxHashMap<Target, u32> = FxHashMap::default();
        while clique.len() > self.bound.size && self.steering.clock() <= until {
            let patience = self
                .part_of_work(PART, self.growing.patience.max(TICKS_PER_TARGET * clique.len() as u64))
                .max(1);
            match self.steering.check_pairs(&clique, patience) {
                Verdict::Unsat => return Some(clique),
                Verdict::Sat => {
                    let covered = self.look_at_targets();
                    pairs.add(&covered);
                    let (together, mut others): (Vec<Target>, Vec<Target>) =
                        clique.into_iter().partition(|target| covered.contains(target.index()));
                    together.iter().for_each(|&target| *refutations.entry(target).or_default() += 1);
                    others.extend(together.into_iter().min_by_key(|target| (refutations[target], *target)));
                    clique = others;
                }
                Verdict::Unknown => return self.confirm_singly(&clique, pairs, until).then_some(clique),
            }
        }
        None
    }

    /// Whether the solver refutes every pair, with a question for each, before the clock shows `until`.
    fn confirm_singly(&mut self, clique: &[Target], pairs: &mut Pairs, until: u64) -> bool {
        for (position, &left) in clique.iter().enumerate() {
            for &right in &clique[position + 1..] {
                let pair = pair(left, right);
                if left == right.opposite() || pairs.confirmed.contains(&pair) {
                    continue;
                }
                if self.steering.clock() > until {
                    return false;
                }
                let assumptions = self.literals(&[left, right]);
                match self.steering.check(&assumptions, &[], Some(self.patience())) {
                    Verdict::Unsat => {
                        pairs.confirmed.insert(pair);
                    }
                    Verdict::Sat => {
                        pairs.add(&self.look_at_targets());
                        return false;
                    }
                    Verdict::Unknown => {
                        pairs.given_up.insert(pair);
                        return false;
                    }
                }
            }
        }
        true
    }
}

fn pair(left: Target, right: Target) -> (Target, Target) {
    (left.min(right), left.max(right))
}
