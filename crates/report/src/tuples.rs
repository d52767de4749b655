//! The record of a run that covers combinations of values.

use serde::{Deserialize, Serialize};

/// The coverage of a t-wise set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuplesRecord {
    /// The number of values in a tuple.
    pub strength: usize,
    /// The number of factors.
    pub factors: usize,
    /// Tuples of values of different factors.
    pub tuples: u64,
    /// The number of tuples that the solutions have.
    pub covered: u64,
    /// The number of tuples that no solution of the formula has, by proof.
    pub impossible: u64,
    /// The number of tuples that are neither.
    pub open: u64,
    /// The proved lower bound on the size of sets that cover as much.
    pub lower_bound: usize,
    /// Whether these are all solutions of the formula.
    pub all: bool,
    /// The number of new tuples of each solution, in their order.
    pub gains: Vec<u64>,
}
