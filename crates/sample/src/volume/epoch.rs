//! Combining the neighbours of a solution: Ψ(σa, σb) = σ ⊕ ((σ ⊕ σa) ∨ (σ ⊕ σb)) on every word of a row.
//!
//! Source: Dutra, Laeufer, Bachrach & Sen, *Efficient Sampling of SAT Solutions for Testing* (ICSE 2018), and
//! Dutra, Bachrach & Sen, *SMTSampler* (ICCAD 2018). A level pairs what was valid in the level before with the
//! neighbours; up to six levels. What a neighbour flips is kept as a difference to the base, a row of words.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The number of levels of combination, the neighbours being the first.
pub(crate) const LEVELS: usize = 6;

/// The maximal number of candidates of a level; pairs are drawn at random where there are more.
const CANDIDATES: usize = 1 << 16;

/// The maximal number of words of the differences of a level.
const WORDS: usize = 1 << 22;

/// Differences of valid combinations to the base, one row behind the other.
#[derive(Clone, Default)]
pub(crate) struct Differences {
    rows: Vec<u64>,
    width: usize,
    count: usize,
}

impl Differences {
    pub(crate) fn new(width: usize) -> Self {
        Differences { rows: Vec::new(), width, count: 0 }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn push(&mut self, difference: impl IntoIterator<Item = u64>) {
        self.rows.extend(difference);
        self.count += 1;
        debug_assert_eq!(self.rows.len(), self.count * self.width);
    }

    pub(crate) fn get(&self, number: usize) -> &[u64] {
        &self.rows[number * self.width..][..self.width]
    }

    /// Keeps a random choice of `count` differences.
    pub(crate) fn choose(&mut self, count: usize, random: &mut ChaCha8Rng) {
        let count = count.min(self.count);
        for chosen in 0..count {
            let other = random.random_range(chosen..self.count());
            for word in 0..self.width {
                self.rows.swap(chosen * self.width + word, other * self.width + word);
            }
        }
        self.rows.truncate(count * self.width);
        self.count = count;
    }
}

/// The pairs of a level: all of them in order, or a random choice if there are many.
pub(crate) struct Pairs {
    left: usize,
    right: usize,
    next: usize,
    count: usize,
    is_choice: bool,
}

impl Pairs {
    /// Pairs each of `left` differences with each of `right` others, for rows of this width.
    pub(crate) fn new(left: usize, right: usize, width: usize) -> Self {
        let most = CANDIDATES.min(WORDS / width.max(1)).max(1);
        let all = left.saturating_mul(right);
        Pairs { left, right, next: 0, count: all.min(most), is_choice: all > most }
    }

    pub(crate) fn next(&mut self, random: &mut ChaCha8Rng) -> Option<(usize, usize)> {
        if self.next == self.count {
            return None;
        }
        let number = self.next;
        self.next += 1;
        Some(match self.is_choice {
            true => (random.random_range(0..self.left), random.random_range(0..self.right)),
            false => (number / self.right, number % self.right),
        })
    }
}
