//! The place where a campaign keeps what it has reached: a trait, since files belong to the program.

use std::io;

use serde::{Deserialize, Serialize};

use sundry_fuzz::Finding;

use crate::campaign::fitness::Unfit;
use crate::campaign::state::State;
use crate::run::measured::Measured;

/// A run of the generation that is being bred. If the campaign is killed, the run is not repeated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NotedRun {
    /// The input.
    pub script: String,
    /// The efforts for the input, and what it executes.
    pub measured: Measured,
}

/// Keeps the state of a campaign, and hears of its progress.
pub trait Keeper {
    /// The error for which something cannot be kept.
    type Error;

    /// Adds a run to those of the generation that is being bred.
    ///
    /// # Errors
    /// The run cannot be kept.
    fn note_run(&mut self, run: &NotedRun) -> Result<(), Self::Error>;

    /// Keeps a state in place of the one before and of all runs that were noted.
    ///
    /// # Errors
    /// The state cannot be kept; the one before still stands.
    fn keep(&mut self, state: &State) -> Result<(), Self::Error>;

    /// Keeps a wrong answer, a wrong model or a crash of a solver under test.
    ///
    /// # Errors
    /// The defect cannot be kept.
    fn defect(&mut self, finding: &Finding) -> Result<(), Self::Error>;

    /// Hears that the case with this number was followed up.
    ///
    /// # Errors
    /// The finding cannot be kept.
    fn followed_up(&mut self, state: &State, case: usize) -> Result<(), Self::Error>;

    /// Hears that a generation was bred.
    fn generation(&mut self, _state: &State) {}
}

/// The reason for which a campaign ends before its last generation.
#[derive(Debug)]
pub enum Stop<E> {
    /// Somebody has stopped it, or its time is over.
    Interrupted,
    /// A solver cannot be run.
    Solver(io::Error),
    /// Something cannot be kept.
    Keeping(E),
    /// A state that was kept is damaged, with the reason.
    Damaged(String),
    /// The solvers are of no use.
    Unfit(Unfit),
}

impl<E> From<io::Error> for Stop<E> {
    fn from(error: io::Error) -> Self {
        Stop::Solver(error)
    }
}
