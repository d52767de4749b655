//! A limit on runs that rises with the population.
//!
//! Inputs on which a solver is stopped look alike. Once most of a population is of that kind, time no longer says which input is
//! slower, and of all slow inputs the smallest win: those that barely reach the limit. A limit that is twice as high tells them
//! apart, and costs time only when there are slow inputs to spend it on. A higher limit also means fewer generations in the same
//! time, and each generation reaches code that none before reached: hence a campaign begins with many generations at its first
//! limit. One generation suffices for a population to reach a limit that is twice as high, so there are fewer generations between
//! the later doublings.

use crate::campaign::history::Generation;
use crate::campaign::state::State;
use crate::run::contest::Contest;
use crate::search::{SavedMember, Scoring};

/// The share of a population that has to reach the limit before it is doubled.
const MOST: f64 = 0.75;
/// The number of generations that a campaign has at its first limit, at least.
const GENERATIONS_AT_FIRST: usize = 8;
/// The number of generations that a campaign has at each further limit, at least.
const GENERATIONS_LATER: usize = 4;

/// The number of times that the limit of runs is doubled for the generation after a state, at most `most` times.
pub(crate) fn doublings_after(state: &State, contest: &Contest, most: u32) -> u32 {
    let last = state.history.last().copied().unwrap_or_default();
    let limit = contest.raised(last.limit_multiple()).limit_amount();
    let reaches = |member: &&SavedMember| member.measured.target() >= limit;
    let slow = state.population.iter().filter(reaches).count();
    let are_slow = slow as f64 >= MOST * state.population.len() as f64;
    most.min(last.doublings + u32::from(are_slow && may_rise(&state.history)))
}

/// Whether there were generations enough at the last limit.
fn may_rise(history: &[Generation]) -> bool {
    let doublings = history.last().map_or(0, |last| last.doublings);
    let least = if doublings == 0 { GENERATIONS_AT_FIRST } else { GENERATIONS_LATER };
    history.iter().rev().take_while(|before| before.doublings == doublings).count() >= least
}

impl Scoring {
    /// The way to score inputs with a limit that is so many times as high: what is slow depends on the limit, noise does not.
    pub(crate) fn raised(&self, multiple: u32) -> Scoring {
        Scoring { slow: self.slow.map(|slow| slow * f64::from(multiple)), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_limit_lasts_longer_than_the_later_ones() {
        let after = |numbers: &[usize]| {
            let at = |(doublings, &number)| vec![Generation { doublings, ..Generation::default() }; number];
            may_rise(&(0..).zip(numbers).flat_map(at).collect::<Vec<_>>())
        };
        assert!(!after(&[]) && !after(&[7]) && after(&[8]) && after(&[70]));
        assert!(!after(&[8, 3]) && after(&[8, 4]) && !after(&[8, 4, 3]) && after(&[30, 5, 4]));
    }
}
