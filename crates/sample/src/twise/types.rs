//! The request of a run for combinations of values, and its counts.

use sundry_coverage::Predicate;

/// The greatest strength.
pub const MAX_STRENGTH: usize = 3;

/// The choice of factors.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Over {
    /// Booleans, and values of up to 6 bits: bit-vectors, small floating-point formats, rounding modes, and integers in a narrow range. Of wider
    /// bit-vectors each bit is a factor; of other floating-point values their kinds are combined, of other numbers their signs. Arrays and functions are
    /// not factors.
    Values,
    /// The bits of all nodes of the formula.
    Bits,
    /// Predicates of the user.
    Predicates,
}

/// Options of t-wise sampling.
#[derive(Clone, Debug)]
pub struct TWiseOptions {
    /// The number of values in a tuple: 1 to [`MAX_STRENGTH`].
    pub strength: usize,
    /// The choice of factors.
    pub over: Over,
    /// The predicates for [`Over::Predicates`].
    pub predicates: Vec<Predicate>,
    /// Whether to continue when everything is covered, up to the greatest number of solutions or to the last solution
    /// of the formula.
    pub fill: bool,
}

impl Default for TWiseOptions {
    fn default() -> Self {
        TWiseOptions { strength: 2, over: Over::Values, predicates: Vec::new(), fill: false }
    }
}

/// Counts of the tuples of the strength.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct TupleCounts {
    /// Combinations of values of different factors.
    pub all: u64,
    /// Tuples that the solutions have.
    pub covered: u64,
    /// Tuples that are proved to be in no solution of the formula.
    pub impossible: u64,
}

impl TupleCounts {
    /// Tuples that are neither covered nor proved impossible.
    pub fn open(&self) -> u64 {
        self.all - self.covered - self.impossible
    }
}
