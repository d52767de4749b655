//! A pool of models seen, as sets of targets, for questions that a look answers without a solver.

use sundry_coverage::BitSet;

/// Models kept at most; later ones replace the oldest.
const CAPACITY: usize = 512;

/// Recently seen models.
pub(super) struct Pool {
    count: usize,
    models: Vec<BitSet>,
    next: usize,
}

impl Pool {
    /// An empty pool for models over this many targets.
    pub(super) fn new(count: usize) -> Self {
        Pool { count, models: Vec::new(), next: 0 }
    }

    pub(super) fn add(&mut self, covered: &BitSet) {
        if self.models.len() < CAPACITY {
            self.models.push(covered.clone());
        } else {
            self.models[self.next] = covered.clone();
            self.next = (self.next + 1) % CAPACITY;
        }
    }

    /// For each target, the models that cover it, transposed into one set per target.
    pub(super) fn rows(&self, targets: impl Iterator<Item = usize>) -> Vec<(usize, BitSet)> {
        targets
            .map(|target| {
                debug_assert!(target < self.count);
                let mut row = BitSet::new(self.models.len());
                for (number, model) in self.models.iter().enumerate() {
                    if model.contains(target) {
                        row.insert(number);
                    }
                }
                (target, row)
            })
            .collect()
    }
}
