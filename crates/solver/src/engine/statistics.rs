//! Counts of an engine's work, and one clock of all of it that runs alike on every machine.

use std::collections::BTreeMap;

use sundry_sat::Statistics;

use super::Engine;
use crate::theory::lemma::LemmaKind;

/// The ticks for adding a literal of a clause: storing, watching and simplifying it.
const TICKS_PER_LITERAL: u64 = 6;
/// The ticks for setting a phase.
const TICKS_PER_PHASE: u64 = 4;
/// The fixed number of ticks of each check.
const TICKS_PER_CHECK: u64 = 1_000;
/// The number of variables that take another tick for each check.
const VARIABLES_PER_TICK: u64 = 8;
/// Nodes of the circuit that are simulated within a tick.
const NODES_PER_TICK: u64 = 4;
/// Edges that are read within a tick.
const READS_PER_TICK: u64 = 2;
/// Units of [`Control::spend`](sundry_term::Control::spend) that take as long as a tick.
pub(super) const UNITS_PER_TICK: u64 = 2;

/// Counters of an engine's life.
#[derive(Clone, Debug, Default)]
pub struct EngineStatistics {
    /// Calls of [`Engine::check`].
    pub checks: u64,
    /// Candidate assignments that a theory refuted.
    pub refuted_candidates: u64,
    /// Nodes of the circuit that were simulated.
    pub simulated: u64,
    /// Edges whose values theories and models asked for.
    pub read: u64,
    /// The work of the theory of numbers, in units of [`Control::spend`](sundry_term::Control::spend).
    pub on_numbers: u64,
    /// Lemmas added, by kind.
    pub lemmas: BTreeMap<LemmaKind, u64>,
    /// Counters of the SAT solver.
    pub sat: Statistics,
}

impl Engine {
    /// Counters so far.
    pub fn statistics(&self) -> EngineStatistics {
        EngineStatistics { sat: self.sat.statistics(), read: self.read.get(), ..self.statistics.clone() }
    }

    /// The amount of [`work`](Self::work) that comes with a tick of the SAT solver's search: simplifying clauses, which
    /// ticks do not count, takes about as long as the searches between.
    pub fn work_per_tick(&self) -> u64 {
        if self.options.sat.inprocessing { 2 } else { 1 }
    }

    /// All work so far, in ticks of the SAT solver's search: those, and what else took time, at what it takes in
    /// comparison. A clock that runs alike on every machine.
    pub fn work(&self) -> u64 {
        let EngineStatistics { checks, simulated, on_numbers, .. } = self.statistics;
        let sat = self.sat.statistics();
        self.work_per_tick() * sat.ticks
            + TICKS_PER_LITERAL * sat.literals
            + TICKS_PER_PHASE * sat.phases
            + TICKS_PER_CHECK * checks
            + checks * sat.variables / VARIABLES_PER_TICK
            + simulated / NODES_PER_TICK
            + self.read.get() / READS_PER_TICK
            + on_numbers / UNITS_PER_TICK
    }

    /// The work that the limits of a question count, in ticks: searches of the SAT solver, and the theory of numbers.
    pub(super) fn limited_ticks(&self) -> u64 {
        self.sat.ticks() + self.statistics.on_numbers / UNITS_PER_TICK
    }
}
