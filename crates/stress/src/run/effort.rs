//! The effort that a solver takes for an input, in the unit of a search.
//!
//! Processor time is what users feel, but it differs from run to run. Solvers that count their own work (z3's `rlimit`, cvc5's
//! resource units) give the same number each time; the units of two solvers do not compare, so each is a share of the limit that
//! the solver got.

use serde::{Deserialize, Serialize};
use sundry_external::{Fault, Finished, Reply, StoppedBy, Verdict};

/// The measure of effort.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Seconds of processor time of all processes of the solver.
    #[default]
    Processor,
    /// The units of work that the solver counts itself, as a share of the limit that it got.
    Resource,
    /// The most resident memory, in MiB.
    Memory,
}

impl Measure {
    /// The unit, for tables and axes.
    pub fn unit(self) -> &'static str {
        match self {
            Measure::Processor => "s",
            Measure::Resource => "of the limit",
            Measure::Memory => "MiB",
        }
    }
}

/// The end of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The solver answered `sat` or `unsat`.
    Decided(Verdict),
    /// The solver gave up before any limit.
    Unknown,
    /// The solver reached the limit on what is measured.
    Limit,
    /// Another limit stopped the solver: its effort is at least the amount.
    Net,
    /// The solver failed, or refused the input.
    Failed(Fault),
}

/// The effort of one run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Effort {
    /// The amount in the unit of the measure, at most the limit.
    pub amount: f64,
    /// The end of the run.
    pub outcome: Outcome,
}

impl Effort {
    /// The verdict, if the solver decided the input.
    pub fn verdict(&self) -> Option<Verdict> {
        match self.outcome {
            Outcome::Decided(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Whether a limit stopped the run.
    pub fn is_stopped(&self) -> bool {
        matches!(self.outcome, Outcome::Limit | Outcome::Net)
    }
}

/// The limit on what is measured, in a form in which replies can be compared with it.
#[derive(Clone, PartialEq, Debug)]
pub enum Ceiling {
    /// Seconds of processor time.
    Processor(f64),
    /// Units of work, and the key of their number in the statistics of the solver.
    Resource {
        /// The units that are one share.
        units: u64,
        /// The text in front of the number of units.
        count: String,
        /// The number of shares that the solver got as its limit.
        multiple: u32,
    },
    /// MiB of memory.
    Memory(f64),
}

impl Ceiling {
    /// The amount of an effort that reaches the ceiling.
    pub fn amount(&self) -> f64 {
        match *self {
            Ceiling::Processor(amount) | Ceiling::Memory(amount) => amount,
            Ceiling::Resource { multiple, .. } => f64::from(multiple),
        }
    }

    /// The units of work that a reply reports, where these are measured.
    pub(crate) fn units_used(&self, reply: &Reply) -> Option<u64> {
        match self {
            Ceiling::Resource { count, .. } => units_used(&reply.finished, count),
            _ => None,
        }
    }

    /// The effort that a reply shows.
    pub(crate) fn effort(&self, reply: &Reply) -> Effort {
        let (amount, own) = match self {
            Ceiling::Processor(limit) => (reply.finished.processor.as_secs_f64(), *limit),
            Ceiling::Memory(limit) => (reply.finished.memory as f64 / f64::from(1 << 20), *limit),
            Ceiling::Resource { units, count, .. } => {
                let share = units_used(&reply.finished, count).map(|used| used as f64 / *units as f64);
                // Without a number, the net has stopped the solver before it could report.
                let unknown = if reply.finished.stopped.is_some() { self.amount() } else { 0.0 };
                (share.unwrap_or(unknown), self.amount())
            }
        };
        let is_own = match self {
            Ceiling::Processor(_) => reply.finished.stopped == Some(StoppedBy::Processor),
            Ceiling::Memory(_) => reply.finished.stopped == Some(StoppedBy::Memory),
            Ceiling::Resource { .. } => false,
        };
        let decided = reply.verdict().filter(|&verdict| verdict != Verdict::Unknown);
        let outcome = match (decided, &reply.fault) {
            (_, Some(crash @ Fault::Crash(_))) => Outcome::Failed(crash.clone()),
            (Some(verdict), _) => Outcome::Decided(verdict),
            // A solver that gives up at its own limit says `unknown`.
            (None, _) if is_own || amount >= own => Outcome::Limit,
            (None, _) if reply.finished.stopped.is_some() => Outcome::Net,
            (None, Some(Fault::Memory | Fault::Timeout)) => Outcome::Net,
            (None, Some(fault)) => Outcome::Failed(fault.clone()),
            (None, None) => Outcome::Unknown,
        };
        let amount = if outcome == Outcome::Limit { own } else { amount.min(own) };
        Effort { amount, outcome }
    }
}

/// The last number after a key in the output of a solver.
fn units_used(finished: &Finished, count: &str) -> Option<u64> {
    let number = |text: &str| {
        let (_, after) = text.rsplit_once(count)?;
        let digits = after.trim_start_matches([' ', '=', ',', ':', '\t']);
        digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    number(&finished.output.text).or_else(|| number(&finished.errors.text))
}
