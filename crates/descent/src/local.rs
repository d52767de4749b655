//! Local minimisation: one variable after the other, with steps of every scale (the alternating variable method of Korel, *Automated software test data
//! generation*, 1990), and moves along the direction of a whole round (Hooke & Jeeves, *"Direct search" solution of numerical and
//! statistical problems*, 1961).
//!
//! Derivatives were rejected: distances are constant between two floats, and the conditions of choices make them jump.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::landscape::{End, Landscape};
use crate::moves::Moves;

/// Evaluations for each variable after which a minimum need not be reached.
const EVALUATIONS_OF_VARIABLE: u64 = 2000;
/// Work after which a minimum need not be reached, in steps of the program: less than a second, so that turns of large programs end.
const MAXIMAL_WORK: u64 = 100_000_000;

/// Moves a point to a local minimum. Returns its distance. The first round leaves some variables alone: those that were just changed, so that the
/// others make up for the change before it is undone.
///
/// # Errors
/// A point has distance zero, or the search has to stop.
pub(crate) fn minimise(
    point: &mut [u64],
    mut distance: f64,
    just_changed: &[usize],
    landscape: &mut Landscape<'_, '_>,
    moves: &Moves,
    random: &mut ChaCha8Rng,
) -> Result<f64, End> {
    let evaluations = landscape.counts.evaluations + EVALUATIONS_OF_VARIABLE * point.len() as u64;
    let work = landscape.counts.work + MAXIMAL_WORK;
    let is_over = |landscape: &Landscape<'_, '_>| {
        landscape.counts.evaluations >= evaluations || landscape.counts.work >= work
    };
    let mut order: Vec<usize> = (0..point.len()).collect();
    let mut left_alone = just_changed;
    loop {
        let (before, start) = (point.to_vec(), distance);
        order.shuffle(random);
        for &variable in order.iter().filter(|variable| !left_alone.contains(variable)) {
            if is_over(landscape) {
                return Ok(distance);
            }
            distance = minimise_along(variable, point, distance, landscape, moves)?;
        }
        if distance == start && left_alone.is_empty() {
            return Ok(distance);
        }
        if left_alone.is_empty() {
            distance = extrapolate(&before, point, distance, landscape, moves)?;
        }
        left_alone = &[];
    }
}

/// Steps of one variable, from the longest to the shortest, as long as they help.
fn minimise_along(
    variable: usize,
    point: &mut [u64],
    mut distance: f64,
    landscape: &mut Landscape<'_, '_>,
    moves: &Moves,
) -> Result<f64, End> {
    for scale in (0..moves.width(variable)).rev() {
        for is_up in [true, false] {
            loop {
                let before = point[variable];
                point[variable] = moves.shift(variable, before, 1 << scale, is_up);
                if point[variable] == before {
                    break;
                }
                let next = landscape.distance(point)?;
                if next >= distance {
                    point[variable] = before;
                    break;
                }
                distance = next;
            }
        }
    }
    Ok(distance)
}

/// Goes on in the direction of a round, in longer and longer steps.
fn extrapolate(
    before: &[u64],
    point: &mut [u64],
    mut distance: f64,
    landscape: &mut Landscape<'_, '_>,
    moves: &Moves,
) -> Result<f64, End> {
    let changes: Vec<(u64, bool)> =
        before.iter().zip(&*point).map(|(&old, &new)| (new.abs_diff(old), new > old)).collect();
    if changes.iter().filter(|&&(size, _)| size > 0).count() < 2 {
        return Ok(distance);
    }
    for doubling in 0..63 {
        let mut next = point.to_vec();
        for (variable, &(size, is_up)) in changes.iter().enumerate() {
            next[variable] = moves.shift(variable, next[variable], size.saturating_mul(1 << doubling), is_up);
        }
        let reached = landscape.distance(&next)?;
        if reached >= distance {
            break;
        }
        point.copy_from_slice(&next);
        distance = reached;
    }
    Ok(distance)
}
