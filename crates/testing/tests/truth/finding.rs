//! The possible faults.

use std::fmt;

use sundry_testing::oracle::Oracle;

/// A kind of defect that the campaign looks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The engine panics.
    Panic,
    /// The evaluator rejects a model of the engine.
    WrongModel,
    /// The circuit gives a node another value than the evaluator under the same model.
    WrongBits,
    /// The failed assumptions alone are not refuted.
    WrongCore,
    /// Two calls of ours answer differently to the same question.
    Inconsistent,
    /// Sat against unsat.
    Disagreement(Oracle),
    /// The model that another solver prints is not understood, or rejected by the evaluator.
    ForeignModel(Oracle),
    /// z3 does not accept our model.
    Unconfirmed,
}

impl Kind {
    /// Whether another solver has to be asked to see the defect.
    pub fn needs_oracles(self) -> bool {
        matches!(self, Kind::Disagreement(_) | Kind::ForeignModel(_) | Kind::Unconfirmed)
    }
}

/// A defect with its circumstances.
#[derive(Clone, Debug)]
pub struct Finding {
    pub kind: Kind,
    pub details: String,
}

impl Finding {
    pub fn new(kind: Kind, details: impl Into<String>) -> Finding {
        Finding { kind, details: details.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.details)
    }
}
