//! Several members as the unknowns of one formula, of which some form part of a prefix.
//!
//! The formula demands the targets that no other member covers ([`Copies`]). The prefix then covers more by:
//!
//! - *climbing*: a missing target is forced, and as much as possible of the rest regained;
//! - *descending*: with the weight that the prefix misses bounded by a [`Totalizer`], the solver is asked for less and
//!   less of it, and may prove that less is impossible (linear search, as in MaxSAT solvers: Le Berre & Parrain, "The
//!   Sat4j library, release 2.2", 2010, with decisions that follow the best model: Demirović & Stuckey, CP 2019).

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_coverage::BitSet;
use sundry_solver::{AddClauses, Lit, Query, Verdict};

use crate::copies::Copies;
use crate::problem::Candidate;
use crate::targets::{Target, Targets};
use crate::totalizer::Totalizer;
use sundry_term::Control;

/// The number of clauses of the totalizer above which there is no descent.
const MAXIMAL_CLAUSES: usize = 4_000_000;
/// The ticks for the search that justify a clause of a totalizer counting all that is missed. With fewer ticks, sums
/// count only up to what may be missed.
const TICKS_PER_CLAUSE: u64 = 5;
/// Ticks that one check may take while climbing: enough for little search.
const PATIENCE: u64 = 100_000;
/// The ticks of patience for each gate of all copies.
const PATIENCE_PER_GATE: u64 = 10;

/// The members as unknowns.
pub(super) struct Joint<'j, 'a> {
    copies: &'j mut Copies<'a>,
    control: Control,
    /// The literal that demands what no other member covers.
    condition: Lit,
    /// The targets covered by members of the prefix that are not unknowns.
    base: BitSet,
    /// The number of copies, the first ones, that belong to the prefix.
    leading: usize,
    /// The literals that demand the targets that the prefix is to cover, with their targets.
    demands: Vec<(Target, Lit)>,
    /// The best models so far.
    models: Vec<Candidate>,
    /// The targets that the prefix covers in these models.
    covered: BitSet,
    /// The reading of the copies' clock at which the search ends.
    until: u64,
}

/// Models of all copies, and what the prefix covers in them.
struct Found {
    models: Vec<Candidate>,
    covered: BitSet,
}

impl<'j, 'a> Joint<'j, 'a> {
    /// Members that begin as `models` and cover all `duties`; the `leading` ones belong to a prefix,
    /// which covers `base` besides and is to cover the `wanted` targets.
    pub(super) fn new(
        copies: &'j mut Copies<'a>,
        control: &Control,
        duties: &BitSet,
        wanted: &BitSet,
        base: BitSet,
        leading: usize,
        models: Vec<Candidate>,
    ) -> Self {
        let condition = copies.new_bundle();
        copies.demand(condition, duties);
        let demands = wanted
            .iter()
            .map(Target::from_index)
            .map(|target| (target, copies.covered_by_first(leading, target)))
            .collect();
        let mut covered = base.clone();
        models[..leading].iter().for_each(|model| covered.union_with(&model.covered));
        let control = control.clone();
        Joint { copies, control, condition, base, leading, demands, models, covered, until: u64::MAX }
    }

    /// Limits the search to this number of ticks from now on.
    pub(super) fn within(self, ticks: u64) -> Self {
        Joint { until: self.copies.clock().saturating_add(ticks), ..self }
    }

    fn targets(&self) -> &Targets {
        self.copies.targets()
    }

    /// The targets that the prefix covers in the models of the last check.
    fn covered_now(&self) -> BitSet {
        let mut covered = self.base.clone();
        for copy in 0..self.leading {
            covered.union_with(&self.copies.covered(copy));
        }
        covered
    }

    /// The models that were found last, if they are as good as the best.
    fn found(&self, covered: &BitSet) -> Option<Found> {
        let is_as_good = self.targets().weight_of(covered) >= self.weight();
        is_as_good.then(|| Found { models: self.copies.models(), covered: covered.clone() })
    }

    pub(super) fn weight(&self) -> u64 {
        self.targets().weight_of(&self.covered)
    }

    /// The weight of the targets that are to be covered but are not covered by the prefix.
    fn missed(&self) -> u64 {
        let missed = self.demands.iter().filter(|(target, _)| !self.covered.contains(target.index()));
        missed.map(|&(target, _)| self.targets().weight(target)).sum()
    }

    /// Makes these models the best.
    fn keep(&mut self, found: Found) {
        self.covered = found.covered;
        self.models = found.models;
    }

    /// Decisions follow the best models.
    fn prefer_best(&mut self) {
        self.copies.prefer_all(self.models.iter().map(|model| &model.covered));
    }

    fn check(&mut self, assumptions: &[Lit], at_least_one: &[Lit], ticks: u64) -> Verdict {
        let assumed: Vec<Lit> = assumptions.iter().copied().chain([self.condition]).collect();
        self.copies.check(Query { assumptions: &assumed, at_least_one, ..Query::default() }, ticks)
    }

    /// Extends the last model: keeps what the prefix covers and asks for more, first among the `favoured` targets,
    /// until no more can be had. `assumptions` hold in that model and throughout. Returns the models, if they are as
    /// good as the best.
    fn extend(&mut self, assumptions: &[Lit], favoured: &BitSet) -> Option<Found> {
        let mut covered = self.covered_now();
        let mut found = None;
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
                if missing.is_empty() || self.is_over() {
                    break;
                }
                // Most models are followed by better ones, so they are not read before that is known, if possible.
                if !self.copies.keeps_models() {
                    found = self.found(&covered);
                }
                let wanted: Vec<Lit> = missing.iter().map(|&(_, literal)| literal).collect();
                if self.check(&assumed, &wanted, self.patience()) != Verdict::Sat {
                    break;
                }
                covered = self.covered_now();
                found = None;
            }
        }
        self.copies.retire_bundle(bundle);
        found.or_else(|| self.found(&covered))
    }

    fn is_over(&self) -> bool {
        self.copies.clock() >= self.until || self.control.stopped()
    }

    fn patience(&self) -> u64 {
        PATIENCE + PATIENCE_PER_GATE * self.copies.gates() as u64
    }

    /// Forces missing targets, one at a time, and keeps models as good as the best, until that fails `swaps` times in a
    /// row. Returns whether the models are new.
    pub(super) fn climb(&mut self, wanted: u64, swaps: usize, random: &mut ChaCha8Rng) -> bool {
        let (mut idle, mut changed) = (0, false);
        while self.weight() < wanted && idle < swaps && !self.is_over() {
            idle += 1;
            let missing: Vec<Lit> = self
                .demands
                .iter()
                .filter(|(target, _)| !self.covered.contains(target.index()))
                .map(|&(_, literal)| literal)
                .collect();
            let forced = missing[random.random_range(0..missing.len())];
            self.prefer_best();
            if self.check(&[forced], &[], self.patience()) != Verdict::Sat {
                continue;
            }
            let before = self.weight();
            if let Some(found) = self.extend(&[forced], &self.covered.clone()) {
                self.keep(found);
                changed = true;
            }
            if self.weight() > before {
                idle = 0;
            }
        }
        changed
    }

    /// Gives up what was demanded; the best models.
    pub(super) fn close(self) -> Vec<Candidate> {
        self.copies.retire_bundle(self.condition);
        for (_, literal) in self.demands {
            self.copies.retire_bundle(literal);
        }
        self.models
    }

    /// Asks for models whose prefix misses less and less. The least weight that no such prefix is
    /// proved to cover, if there was such a proof.
    ///
    /// The next model is to be better than the best, at first by whatever it is. Where to count that takes too many
    /// clauses for the ticks, it is to cover the wanted weight at once.
    pub(super) fn descend(&mut self, wanted: u64) -> Option<u64> {
        let ticks = self.until.saturating_sub(self.copies.clock());
        let affordable = usize::try_from(ticks / TICKS_PER_CLAUSE).unwrap_or(usize::MAX);
        self.descend_counting(wanted, affordable.min(MAXIMAL_CLAUSES))
    }

    /// Descends with a totalizer that counts all that is missed, if this number of clauses is enough for it.
    pub(super) fn descend_counting(&mut self, wanted: u64, affordable: usize) -> Option<u64> {
        if self.weight() >= wanted {
            return None;
        }
        let ticks = self.until.saturating_sub(self.copies.clock());
        let (missed, losses) = (self.missed(), self.losses());
        // Less than that is missed where the wanted weight is covered.
        let goal = missed.checked_sub(wanted - self.weight())? + 1;
        let (cap, totalizer) = match Totalizer::new(&losses, missed, affordable, self.copies) {
            Some(totalizer) => (missed, totalizer),
            None => (goal, Totalizer::new(&losses, goal, MAXIMAL_CLAUSES, self.copies)?),
        };
        // What the totalizer takes does not count here: it is part of the price.
        self.until = self.copies.clock().saturating_add(ticks);
        while self.weight() < wanted {
            let bound = self.missed().min(cap);
            let less: Vec<Lit> = totalizer.less_than(bound).into_iter().collect();
            let left = self.until.saturating_sub(self.copies.clock());
            if left == 0 || self.control.stopped() {
                return None;
            }
            self.prefer_best();
            match self.check(&less, &[], left) {
                Verdict::Sat => {}
                Verdict::Unsat => return Some(self.weight() + self.missed() - bound + 1),
                Verdict::Unknown => return None,
            }
            let covered = self.covered_now();
            self.keep(Found { models: self.copies.models(), covered });
        }
        None
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
                losses.push((self.targets().weight(target), missed));
            }
            last = Some(target);
        }
        losses
    }
}
