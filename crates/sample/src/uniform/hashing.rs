//! Almost uniform drawing: one solution of a random cell.
//!
//! For *m* equations let *μ* be the mean size of a cell, the number of solutions over 2^m, and *T* a threshold. A try
//! draws equations and a number from 1 to T, and goes to the solution of that number in the cell. If there is none the
//! try fails, and the next one draws everything anew.
//!
//! A solution is in the cell with probability 2^-m. Given that, the others are in it pairwise independently, so that
//! there are at most μ of them on average, with a variance of at most μ, and more than T solutions in all with a
//! probability of at most δ = μ / (μ + (T - μ)²) (Cantelli). With T solutions or fewer it is drawn with probability
//! 1/T, in whatever order the solver finds them. So a try draws it with a probability between (1 - δ) / (T 2^m) and 1 /
//! (T 2^m), whatever happened before. T = ⌈μ + √(μ/ε)⌉ makes that δ ≤ ε / (1 + ε), and since tries go on until one
//! succeeds, each solution has a probability between 1 / ((1 + ε) N) and (1 + ε) / N, where N is the number of
//! solutions.
//!
//! A try succeeds with a probability of about μ/T. m is chosen such that the bound on μ is between 8 and 16 solutions.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_term::Model;

use super::cell::Cell;
use super::count::Size;
use super::space::Space;
use crate::strategy::StopReason;

/// The mean size of a cell, at most. Larger cells take longer to be gone through, smaller ones fail more often; between
/// 8 and 32 it makes little difference for tolerances from 0.01 to 1.
const PIVOT: f64 = 16.0;

/// The method of drawing from cells.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Hashing {
    /// The number of equations of a cell: *m*.
    pub(crate) equations: usize,
    /// Up to which solution of a cell is drawn: *T*.
    pub(crate) threshold: u64,
}

impl Hashing {
    /// Prepares drawing for this number of solutions and this tolerance *ε*.
    pub(crate) fn new(size: &Size, tolerance: f64) -> Self {
        let halvings = (size.bound / PIVOT).log2().ceil();
        let equations = (size.equations as f64 + halvings).max(0.0);
        let pivot = size.bound * 2f64.powf(size.equations as f64 - equations);
        let threshold = (pivot + (pivot / tolerance).sqrt()).ceil().max(1.0);
        Hashing { equations: equations as usize, threshold: threshold as u64 }
    }

    /// Makes one try: returns a solution, unless the try fails.
    pub(crate) fn draw(
        &self,
        space: &mut Space<'_>,
        random: &mut ChaCha8Rng,
    ) -> Result<Option<Model>, StopReason> {
        let Some(mut cell) = Cell::random(space, self.equations, random)? else { return Ok(None) };
        let number = random.random_range(1..=self.threshold);
        let model = cell.reaches(space, number)?.then(|| space.model(random));
        cell.retire(space);
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that a cell is too large is within the tolerance, and the mean size in its range.
    #[test]
    fn thresholds_keep_the_tolerance() {
        for tolerance in [0.01, 0.1, 0.8, 6.84] {
            for bound in [3.0, 16.0, 16.1, 40.0, 70.0, 5000.0] {
                let size = Size { equations: 10, mean: bound, bound };
                let Hashing { equations, threshold } = Hashing::new(&size, tolerance);
                let pivot = bound * 2f64.powi(10 - equations as i32);
                assert!(pivot > PIVOT / 2.0 && pivot <= PIVOT, "{bound}: {pivot}");
                let beyond = pivot / (pivot + (threshold as f64 - pivot).powi(2));
                assert!(1.0 / (1.0 - beyond) <= 1.0 + tolerance + 1e-9, "{tolerance} {bound}: {beyond}");
            }
        }
    }

    #[test]
    fn few_solutions_need_no_equations() {
        let size = Size { equations: 0, mean: 2.0, bound: 5.0 };
        let Hashing { equations, threshold } = Hashing::new(&size, 0.2);
        assert_eq!((equations, threshold), (0, 10));
    }
}
