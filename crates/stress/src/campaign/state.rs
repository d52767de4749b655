//! The state of a campaign after a generation: all that is needed to go on.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::campaign::cases::Cases;
use crate::campaign::history::Generation;
use crate::campaign::tally::Tally;
use crate::run::measured::Measured;
use crate::search::SavedMember;

/// The state of a campaign after a generation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The population, the best front first.
    pub population: Vec<SavedMember>,
    /// The largest number of executions of each line so far, as a run that never was.
    pub coverage: Measured,
    /// Figures of all generations, the first one first.
    pub history: Vec<Generation>,
    /// All that deserves to be followed up.
    pub cases: Cases,
    /// What each solver under test has answered in the search.
    #[serde(default)]
    pub targets: Vec<Tally>,
    /// What each reference has answered in the search, with about the effort of the solvers under test as its limit.
    #[serde(default)]
    pub references: Vec<Tally>,
    /// Seconds of following up so far.
    pub seconds_of_triage: f64,
}

impl State {
    /// The number of the generation that was reached.
    pub fn generation(&self) -> u64 {
        self.history.last().map_or(0, |last| last.number)
    }

    /// The time that the last generation took.
    pub(crate) fn last_generation_time(&self) -> Duration {
        let seconds = self.history.last().map_or(0.0, |last| last.seconds);
        let before = self.history.iter().rev().nth(1).map_or(0.0, |before| before.seconds);
        Duration::try_from_secs_f64(seconds - before).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_last_generation_is_without_those_before() {
        let after = |seconds| Generation { seconds, ..Generation::default() };
        let time = |history| State { history, ..State::default() }.last_generation_time().as_secs();
        assert_eq!(time(vec![]), 0);
        assert_eq!(time(vec![after(30.0)]), 30);
        assert_eq!(time(vec![after(30.0), after(70.0)]), 40);
    }
}
