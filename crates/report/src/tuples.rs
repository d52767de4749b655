//! The record of a run that covers combinations of values.

use serde::{Deserialize, Serialize};

/// What a t-wise set covers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuplesRecord {
    /// How many values a tuple has.
    pub strength: usize,
    /// How many factors there are.
    pub factors: usize,
    /// Tuples of values of different factors.
    pub tuples: u64,
    /// Of those, the ones that the solutions have.
    pub covered: u64,
    /// Of those, the ones that no solution of the formula has, proved.
    pub impossible: u64,
    /// Of those, the ones that are neither.
    pub open: u64,
    /// No set that covers as much has fewer solutions.
    pub lower_bound: usize,
    /// Whether these are all solutions of the formula.
    pub all: bool,
    /// How many new tuples each solution has, in their order.
    pub gains: Vec<u64>,
}
