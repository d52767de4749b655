//! Answers of a session, and its counts.

use std::fmt;

use sundry_circuit::{BuildError, Refusal, TooLarge, Unsupported};
use sundry_sat::{Limits, Statistics};
use sundry_term::{Model, Stopped, TermId};

use crate::engine::EngineStatistics;

/// The part that an assertion takes in the unsatisfiable cores of a [`Session`](crate::Session).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tracking {
    /// Cores do not name it; the solver may simplify with it.
    Silent,
    /// Cores name it where it was needed.
    Named,
}

/// The answer of [`Session::check`](crate::Session::check).
#[derive(Clone, Debug)]
pub enum Answer {
    /// A model that the evaluator has confirmed. Symbols that occur nowhere may be left out.
    Sat(Model),
    /// No model exists.
    Unsat(Core),
    /// The check has shown nothing. The session stays usable.
    Unknown(UnknownReason),
}

/// The named assertions and the assumptions that a refutation has used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Core {
    /// Named assertions, by their positions on the assertion stack, ascending.
    pub assertions: Vec<usize>,
    /// Assumptions, by their positions in the question, ascending.
    pub assumptions: Vec<usize>,
}

/// The reason why a check has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The deadline has passed.
    Timeout,
    /// The stop flag was set.
    Interrupted,
    /// The limit on memory was reached.
    Memory,
    /// Another limit was reached.
    Budget,
    /// The theory with this name is not complete, and could neither find values nor refute the formula.
    Undecided(&'static str),
    /// An operation whose circuit is too large.
    TooLarge(TooLarge),
    /// A term of another theory.
    Unsupported(Unsupported),
    /// The solver found a model that does not satisfy this assertion or assumption: a defect.
    RejectedModel(TermId),
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Timeout => f.write_str("the time limit was reached"),
            UnknownReason::Interrupted => f.write_str("interrupted"),
            UnknownReason::Memory => f.write_str("memory was used up"),
            UnknownReason::Budget => f.write_str("the resource limit was reached"),
            UnknownReason::Undecided(theory) => {
                write!(
                    f,
                    "the theory of {theory} is not complete, and came to no answer (products and quotients of unknowns, or conversions from and to floating-point values)"
                )
            }
            UnknownReason::TooLarge(error) => error.fmt(f),
            UnknownReason::Unsupported(error) => error.fmt(f),
            UnknownReason::RejectedModel(_) => {
                f.write_str("the model found does not satisfy the formula, which is a defect of the solver")
            }
        }
    }
}

/// Counters of a session's life.
#[derive(Clone, Debug, Default)]
pub struct SessionStatistics {
    /// Calls of [`Session::check`](crate::Session::check).
    pub checks: u64,
    /// Engines that were started.
    pub engines: u64,
    /// Assignments that the optimisation of floats has evaluated.
    pub evaluations: u64,
    /// Counters of all engines together.
    pub engine: EngineStatistics,
}

/// The limit that was reached, of those that end a whole check.
pub(super) fn stop_reason(limits: &Limits) -> Option<UnknownReason> {
    match limits.control.check() {
        Ok(()) => None,
        Err(Stopped::Interrupted) => Some(UnknownReason::Interrupted),
        Err(Stopped::Deadline) => Some(UnknownReason::Timeout),
        Err(Stopped::Memory) => Some(UnknownReason::Memory),
    }
}

/// The reason that an error is.
pub(super) fn reason_of(error: BuildError, limits: &Limits) -> UnknownReason {
    match error {
        BuildError::Refused(Refusal::TooLarge(error)) => UnknownReason::TooLarge(error),
        BuildError::Refused(Refusal::Unsupported(error)) => UnknownReason::Unsupported(error),
        BuildError::Stopped => stop_reason(limits).unwrap_or(UnknownReason::Timeout),
    }
}

/// Adds counters of an engine.
pub(super) fn add(total: &mut EngineStatistics, more: &EngineStatistics) {
    total.checks += more.checks;
    total.refuted_candidates += more.refuted_candidates;
    for (&kind, count) in &more.lemmas {
        *total.lemmas.entry(kind).or_default() += count;
    }
    let Statistics { calls, conflicts, decisions, propagations, ticks, .. } = more.sat;
    total.sat = Statistics {
        calls: total.sat.calls + calls,
        conflicts: total.sat.conflicts + conflicts,
        decisions: total.sat.decisions + decisions,
        propagations: total.sat.propagations + propagations,
        ticks: total.sat.ticks + ticks,
        ..more.sat
    };
}
