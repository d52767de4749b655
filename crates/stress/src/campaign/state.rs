//! The state of a campaign after a generation: all that is needed to go on.

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
}
