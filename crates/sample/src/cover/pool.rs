//! A pool of models seen, as sets of targets, for questions that a look answers without a solver.

use sundry_coverage::BitSet;

/// Models kept at most; later ones replace the oldest.
const CAPACITY: usize = 512;

/// Recently seen models.
#[derive(Default)]
pub(super) struct Pool {
    models: Vec<BitSet>,
    next: usize,
}

impl Pool {
    pub(super) fn add(&mut self, covered: &BitSet) {
        if self.models.len() < CAPACITY {
            self.models.push(covered.clone());
        } else {
            self.models[self.next] = covered.clone();
            self.next = (self.next + 1) % CAPACITY;
        }
    }

    pub(super) fn models(&self) -> impl Iterator<Item = &BitSet> {
        self.models.iter()
    }
}
