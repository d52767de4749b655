//! The lower bound: targets of which no model covers two need a model each.
//!
//! Candidates are targets that no model of the pool covers together; a greedy clique of them is put
//! to the solver pair by pair. A pair that a model does cover refutes the clique, and its model
//! joins the pool, which rules out many other pairs at once.

use rustc_hash::FxHashSet;
use sundry_coverage::BitSet;
use sundry_solver::Verdict;

use super::Cover;
use crate::targets::Target;

/// Cliques tried, at most.
const ATTEMPTS: usize = 400;
/// Starts of the greedy search per attempt.
const STARTS: usize = 32;
/// Targets that enter the search: the rarest in the pool.
const CANDIDATES: usize = 4_000;

impl Cover<'_> {
    /// Raises the lower bound as far as cliques are found that the solver confirms.
    pub(super) fn find_bound(&mut self) {
        self.start_bound();
        let mut confirmed: FxHashSet<(Target, Target)> = FxHashSet::default();
        let mut given_up: FxHashSet<(Target, Target)> = FxHashSet::default();
        for _ in 0..ATTEMPTS {
            if self.is_minimal() || self.steering.control().stopped() {
                return;
            }
            let clique = self.candidate_clique(&given_up);
            if clique.len() <= self.lower_bound {
                return;
            }
            if self.confirm(&clique, &mut confirmed, &mut given_up) {
                self.lower_bound = clique.len();
                self.exclusive = clique;
            }
        }
    }

    /// One model is always needed; two, where a bit takes both values.
    fn start_bound(&mut self) {
        if self.lower_bound > 0 {
            return;
        }
        self.lower_bound = 1;
        let both = (0..self.steering.targets.groups()).find(|&group| {
            self.covered.contains(Target::new(group, false).index())
                && self.covered.contains(Target::new(group, true).index())
        });
        if let Some(group) = both {
            self.lower_bound = 2;
            self.exclusive = vec![Target::new(group, false), Target::new(group, true)];
        }
    }

    /// A large set of covered targets that are pairwise never covered together in the pool.
    fn candidate_clique(&self, given_up: &FxHashSet<(Target, Target)>) -> Vec<Target> {
        let mut rows = self.pool.rows(self.covered.iter());
        rows.sort_by_key(|(target, row)| (row.count(), *target));
        rows.truncate(CANDIDATES);
        let mut best: Vec<Target> = Vec::new();
        for start in 0..rows.len().min(STARTS) {
            let mut clique: Vec<Target> = Vec::new();
            let mut union: Option<BitSet> = None;
            for place in std::iter::once(start).chain(0..rows.len()) {
                let (target, row) = (Target::from_index(rows[place].0), &rows[place].1);
                if union.as_ref().is_some_and(|union| union.intersects(row)) {
                    continue;
                }
                if clique.iter().any(|&other| target == other || given_up.contains(&pair(other, target))) {
                    continue;
                }
                clique.push(target);
                match &mut union {
                    Some(union) => union.union_with(row),
                    None => union = Some(row.clone()),
                }
            }
            if clique.len() > best.len() {
                best = clique;
            }
        }
        best
    }

    /// Whether the solver refutes every pair. A model of a pair joins the pool.
    fn confirm(
        &mut self,
        clique: &[Target],
        confirmed: &mut FxHashSet<(Target, Target)>,
        given_up: &mut FxHashSet<(Target, Target)>,
    ) -> bool {
        for (position, &left) in clique.iter().enumerate() {
            for &right in &clique[position + 1..] {
                let pair = pair(left, right);
                if left == right.opposite() || confirmed.contains(&pair) {
                    continue;
                }
                let assumptions = self.literals(&[left, right]);
                match self.steering.check(&assumptions, &[], Some(self.patience)) {
                    Verdict::Unsat => {
                        confirmed.insert(pair);
                    }
                    Verdict::Sat => {
                        self.look();
                        return false;
                    }
                    Verdict::Unknown => {
                        given_up.insert(pair);
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
