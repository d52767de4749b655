//! An approximate count of solutions.
//!
//! First a number of equations is sought that leaves a small number of solutions in a cell, as in ApproxMC
//! (Chakraborty, Meel & Vardi, *A scalable approximate model counter*, CP 2013). Then that number of equations is drawn
//! a few times anew, and the sizes of those cells averaged. The size of a cell has a variance of at most its mean,
//! because any two solutions are in it independently, and so the average of *K* cells has a variance of at most 1/K of
//! its mean. Cantelli's inequality makes of that a bound on the number of solutions which is too small with a
//! probability of at most one percent. ApproxMC takes the median of cells instead, which bounds the error from both
//! sides; sampling needs one of them.

use rand_chacha::ChaCha8Rng;

use super::cell::Cell;
use super::space::{Row, Space};
use crate::strategy::StopReason;

/// A cell with more solutions is too large to count.
const LARGE: u64 = 64;

/// The number of equations added at a time at first. More might overshoot so far that a cell is empty, which is hard to
/// prove.
const STRIDE: usize = 4;

/// The number of cells that are averaged.
const CELLS: u32 = 16;

/// Squared number of standard deviations beyond which, on one side, is at most one percent.
const DEVIATIONS: f64 = 99.0;

/// The approximate number of solutions.
pub(crate) struct Size {
    /// The number of equations of the cells that were counted.
    pub(crate) equations: usize,
    /// The average number of solutions of a cell of this number of equations.
    pub(crate) mean: f64,
    /// An upper bound on that average; wrong with a probability of at most one percent.
    pub(crate) bound: f64,
}

/// The number of solutions, as far as one cell shows.
pub(crate) struct Guess {
    pub(crate) equations: usize,
    pub(crate) count: u64,
}

impl Guess {
    /// The number of solutions.
    pub(crate) fn solutions(&self) -> f64 {
        self.count as f64 * 2f64.powi(self.equations as i32)
    }
}

/// Looks for a number of equations that leaves a small number of solutions.
pub(crate) fn guess(space: &mut Space<'_>, random: &mut ChaCha8Rng) -> Result<Guess, StopReason> {
    let (mut large, mut next) = (None, 0);
    let mut small: Option<Guess> = None;
    loop {
        let count = count(space, next, Some(LARGE), random)?;
        if count <= LARGE {
            small = Some(Guess { equations: next, count });
        } else {
            large = Some(next);
        }
        let above = large.map_or(0, |large| large + 1);
        match small {
            Some(guess) if guess.equations <= above => return Ok(guess),
            Some(ref guess) => next = (above + guess.equations) / 2,
            None => next += STRIDE,
        }
    }
}

/// Counts cells of this number of equations.
pub(crate) fn estimate(
    space: &mut Space<'_>,
    equations: usize,
    random: &mut ChaCha8Rng,
) -> Result<Size, StopReason> {
    let mut total = 0;
    for _ in 0..CELLS {
        total += count(space, equations, None, random)?;
    }
    let mean = total as f64 / f64::from(CELLS);
    Ok(Size { equations, mean, bound: bound(mean, CELLS) })
}

/// The largest mean that is consistent with an average as low as this: the average of `cells` cells is less than the
/// mean `m` by at most `sqrt(DEVIATIONS * m / cells)`.
fn bound(average: f64, cells: u32) -> f64 {
    let slope = DEVIATIONS / f64::from(cells);
    let root = (slope.sqrt() + (slope + 4.0 * average).sqrt()) / 2.0;
    root * root
}

/// The number of solutions of a random cell. Counting ends above `most`.
fn count(
    space: &mut Space<'_>,
    equations: usize,
    most: Option<u64>,
    random: &mut ChaCha8Rng,
) -> Result<u64, StopReason> {
    let Some(mut cell) = Cell::random(space, equations, random)? else { return Ok(0) };
    cell.reaches(space, most.map_or(u64::MAX, |most| most + 1))?;
    let count = cell.count();
    cell.retire(space);
    Ok(count)
}

/// All solutions, unless there are more than `most`.
pub(crate) fn list(space: &mut Space<'_>, most: u64) -> Result<Option<Vec<Row>>, StopReason> {
    let mut cell = Cell::whole(space);
    let mut rows = Vec::new();
    while cell.count() <= most && cell.next(space)? {
        rows.push(space.row());
    }
    let is_all = cell.count() <= most;
    cell.retire(space);
    Ok(is_all.then_some(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound is the mean from which the average is as far away as Cantelli allows.
    #[test]
    fn the_bound_is_deviations_away() {
        for average in [0.0, 1.0, 17.5, 48.0, 1000.0] {
            let bound = bound(average, 16);
            assert!((bound - average - (99.0 * bound / 16.0).sqrt()).abs() < 1e-6, "{average}: {bound}");
        }
    }
}
