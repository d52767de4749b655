//! Weights of targets of which no known model covers more than one in total: a fractional packing, which is the dual of the
//! fractional set cover (Lovász, *On the ratio of optimal integral and fractional covers*, 1975).

use std::cmp::Reverse;

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use sundry_coverage::BitSet;

use crate::targets::Target;

/// Targets that get weights, at most: the rarest.
const CANDIDATES: usize = 300;
/// Factors that make weights integers, tried in this order: small weights have few sums.
const FACTORS: [u64; 7] = [1, 2, 3, 4, 6, 12, 60];
/// Ticks for finding weights, for each target that a model covers.
const TICKS_PER_ENTRY: u64 = 100;
/// What a weight may be too small by, since the linear program computes with floating-point numbers.
const TOLERANCE: f64 = 1e-6;

/// Known models, as far as they concern the rarest targets.
pub(super) struct Packing {
    targets: Vec<Target>,
    /// The positions of the targets that each model covers, sorted. No two models have the same.
    models: Vec<Vec<usize>>,
}

/// Targets with integer weights.
pub(super) struct Weights {
    pub(super) of_targets: Vec<(u64, Target)>,
    /// The greatest weight of all targets that one known model covers.
    pub(super) most: u64,
}

impl Weights {
    /// The size of a set that the weights demand, if no model at all covers more than the known ones.
    pub(super) fn least_size(&self) -> usize {
        self.of_targets.iter().map(|(weight, _)| weight).sum::<u64>().div_ceil(self.most) as usize
    }
}

impl Packing {
    /// The packing of these targets, given all known models.
    pub(super) fn new(targets: &BitSet, models: &[&BitSet]) -> Packing {
        let mut packing = Packing { targets: kinds_of_targets(targets, models), models: Vec::new() };
        models.iter().for_each(|model| packing.add(model));
        packing
    }

    /// Takes a model into account: the targets that it covers have a weight of at most one in total.
    pub(super) fn add(&mut self, model: &BitSet) {
        let covers = |position: &usize| model.contains(self.targets[*position].index());
        let covered: Vec<usize> = (0..self.targets.len()).filter(covers).collect();
        if let Err(place) = self.models.binary_search(&covered) {
            self.models.insert(place, covered);
        }
    }

    /// Weights with the greatest sum, which demand at most a set of this size: none where the linear program fails.
    pub(super) fn weights(&self, size: usize) -> Option<Weights> {
        let mut program = Problem::new(OptimizationDirection::Maximize);
        let variables: Vec<Variable> =
            self.targets.iter().map(|_| program.add_var(1.0, (0.0, 1.0))).collect();
        for model in &self.models {
            let sum: Vec<(Variable, f64)> =
                model.iter().map(|&position| (variables[position], 1.0)).collect();
            program.add_constraint(sum, ComparisonOp::Le, 1.0);
        }
        let solution = program.solve().ok()?.into_solution().ok()?;
        let size = size.min((solution.objective() - TOLERANCE).ceil() as usize);
        let integers = |factor: u64| {
            let weight = |&variable: &Variable| {
                ((solution.var_value(variable) + TOLERANCE) * factor as f64).floor() as u64
            };
            let all = variables.iter().map(weight).zip(self.targets.iter().copied());
            Weights { of_targets: all.filter(|(weight, _)| *weight > 0).collect(), most: factor }
        };
        // Of all that demand as much as the others, those with the smallest numbers.
        let demanded = |weights: &Weights| (weights.least_size().min(size), Reverse(weights.most));
        FACTORS.into_iter().map(integers).max_by_key(demanded)
    }

    /// The work of finding weights, in ticks.
    pub(super) fn work(&self) -> u64 {
        TICKS_PER_ENTRY * self.models.iter().map(|model| model.len() as u64).sum::<u64>()
    }
}

/// One target of those that the same models cover, the rarest first. A target that all
/// models of another one cover is left out: its weight may as well be the other's.
fn kinds_of_targets(targets: &BitSet, models: &[&BitSet]) -> Vec<Target> {
    let row = |target: usize| {
        let mut row = vec![0; models.len().div_ceil(64)];
        for (number, _) in models.iter().enumerate().filter(|(_, model)| model.contains(target)) {
            row[number / 64] |= 1 << (number % 64);
        }
        row
    };
    let count = |row: &[u64]| row.iter().map(|word| word.count_ones()).sum::<u32>();
    let mut rows: Vec<(u32, Vec<u64>, usize)> = targets
        .iter()
        .map(|target| (row(target), target))
        .map(|(row, target)| (count(&row), row, target))
        .collect();
    rows.sort_unstable();
    rows.dedup_by(|one, other| one.1 == other.1);
    let mut kinds: Vec<(Vec<u64>, Target)> = Vec::new();
    for (_, row, target) in rows {
        let contains = |(rarer, _): &(Vec<u64>, Target)| {
            rarer.iter().zip(&row).all(|(rarer, common)| rarer & !common == 0)
        };
        if kinds.len() < CANDIDATES && !kinds.iter().any(contains) {
            kinds.push((row, Target::from_index(target)));
        }
    }
    kinds.into_iter().map(|(_, target)| target).collect()
}
