//! The reason why a run could not start: one error for all strategies.

use std::fmt;

use sundry_lanes::{CompileError, Unsupported};
use sundry_solver::Refusal;
use sundry_term::SymbolId;

use crate::strategy::StopReason;

/// The reason why a run could not start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SampleError {
    /// The formula has no circuit.
    Refused(Refusal),
    /// The theory with this name is not complete, and could neither find a solution nor show that there is none.
    Undecided(&'static str),
    /// Something in the formula cannot be evaluated for many models at once.
    Unsupported(Unsupported),
    /// The values of this symbol cannot be enumerated: it is an array, a function, a real, or of a declared sort.
    NotEnumerable(SymbolId),
    /// The values of this integer cannot be enumerated: the solver proves no bounds for it.
    Unbounded(SymbolId),
    /// The formula has no values that could be combined.
    NoFactors,
    /// A group of the problem is to be combined more closely than is supported: with this strength.
    TooClose(usize),
    /// The tuples need more memory than is meant for them.
    TooManyTuples {
        /// The number of values of all factors together.
        values: usize,
    },
    /// The run was stopped before it began.
    Stopped(StopReason),
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::Refused(error) => error.fmt(f),
            SampleError::Undecided(theory) => write!(
                f,
                "the theory of {theory} is not complete, and found no solution (products and quotients of unknowns, or conversions from and to floating-point values)"
            ),
            SampleError::Unsupported(error) => error.fmt(f),
            SampleError::NotEnumerable(_) => {
                f.write_str("the values of an array, a function, a real or a declared sort cannot be listed")
            }
            SampleError::Unbounded(_) => {
                f.write_str("the values of an integer cannot be listed for which the solver proves no bounds")
            }
            SampleError::NoFactors => f.write_str("the formula has nothing whose values could be combined"),
            SampleError::TooClose(strength) => {
                write!(f, "combinations of {strength} values are not supported")
            }
            SampleError::TooManyTuples { values } => {
                write!(f, "there are too many combinations of {values} values")
            }
            SampleError::Stopped(_) => f.write_str("stopped before it began"),
        }
    }
}

impl std::error::Error for SampleError {}

impl From<CompileError> for SampleError {
    fn from(error: CompileError) -> Self {
        match error {
            CompileError::Unsupported(error) => SampleError::Unsupported(error),
            CompileError::Stopped(reason) => SampleError::Stopped(reason.into()),
        }
    }
}
