//! Reasons why terms have no circuit.

use std::fmt;

use sundry_term::{Stopped, TermId};

use crate::support::Unsupported;

/// A term whose circuit would pass the limit on nodes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The term.
    pub term: TermId,
    /// The number of additional nodes that the operation may need.
    pub nodes: u64,
    /// The maximal number of nodes altogether.
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { nodes, limit, .. } = self;
        write!(f, "the circuit would pass the limit of {limit} gates: this operation adds up to {nodes}")
    }
}

impl std::error::Error for TooLarge {}

/// The reason why a formula has no circuit, however much time there is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// An operation is too large.
    TooLarge(TooLarge),
    /// A term belongs to another theory.
    Unsupported(Unsupported),
}

impl Refusal {
    /// The term that is at fault.
    pub fn term(&self) -> TermId {
        match self {
            Refusal::TooLarge(error) => error.term,
            Refusal::Unsupported(error) => error.term,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooLarge(error) => error.fmt(f),
            Refusal::Unsupported(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

/// The reason why terms have no circuit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// The terms can have no circuit.
    Refused(Refusal),
    /// A control has stopped the construction.
    Stopped,
}

impl From<TooLarge> for BuildError {
    fn from(error: TooLarge) -> Self {
        BuildError::Refused(Refusal::TooLarge(error))
    }
}

impl From<Unsupported> for BuildError {
    fn from(error: Unsupported) -> Self {
        BuildError::Refused(Refusal::Unsupported(error))
    }
}

/// The reason is the control's.
impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        BuildError::Stopped
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Refused(error) => error.fmt(f),
            BuildError::Stopped => f.write_str("stopped while the circuit was built"),
        }
    }
}

impl std::error::Error for BuildError {}
