//! A limit on runs that rises with the population.
//!
//! Inputs on which a solver is stopped look alike. Once most of a population is of that kind, time no longer says which input is
//! slower, and of all slow inputs the smallest win: those that barely reach the limit. A limit that is twice as high tells them
//! apart, and costs time only when there are slow inputs to spend it on.

use crate::campaign::state::State;
use crate::run::contest::Contest;
use crate::search::{SavedMember, Scoring};

/// The share of a population that has to reach the limit before it is doubled.
const MOST: f64 = 0.75;

/// The number of times that the limit of runs is doubled for the generation after a state, at most `most` times.
pub(crate) fn doublings_after(state: &State, contest: &Contest, most: u32) -> u32 {
    let last = state.history.last().copied().unwrap_or_default();
    let limit = contest.raised(last.limit_multiple()).limit_amount();
    let reaches = |member: &&SavedMember| member.measured.target() >= limit;
    let slow = state.population.iter().filter(reaches).count();
    let rises = slow as f64 >= MOST * state.population.len() as f64;
    most.min(last.doublings + u32::from(rises))
}

impl Scoring {
    /// The way to score inputs with a limit that is so many times as high: what is slow depends on the limit, noise does not.
    pub(crate) fn raised(&self, multiple: u32) -> Scoring {
        Scoring { slow: self.slow.map(|slow| slow * f64::from(multiple)), ..self.clone() }
    }
}
