//! What a run for combinations of values is asked, and what it answers.

use sundry_coverage::Predicate;
use sundry_term::{Control, Model};

use crate::obligations::Obligation;
use crate::strategy::StopReason;

/// The greatest strength.
pub const MAX_STRENGTH: usize = 3;

/// What factors are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Over {
    /// Booleans, bit-vectors of up to 6 bits, and the bits of wider ones. Arrays and functions are no factors.
    Values,
    /// The bits of all nodes of the formula.
    Bits,
    /// Predicates of the user.
    Predicates,
}

/// What to cover.
#[derive(Clone, Debug)]
pub struct TWiseOptions {
    /// How many values a tuple has: 1 to [`MAX_STRENGTH`].
    pub strength: usize,
    /// What factors are.
    pub over: Over,
    /// The predicates for [`Over::Predicates`].
    pub predicates: Vec<Predicate>,
    /// How many solutions there may be.
    pub max_solutions: Option<usize>,
    /// Whether to go on when everything is covered, up to `max_solutions` or to the last solution of the formula.
    pub fill: bool,
    /// Whether to write what the run claims as scripts for other solvers.
    pub obligations: bool,
    /// Seed of all randomness.
    pub seed: u64,
    /// When time is up.
    pub control: Control,
}

/// A solution in its place in the list.
#[derive(Clone, Debug)]
pub struct TWiseSolution {
    /// Values of all declared symbols.
    pub model: Model,
    /// How many tuples it has that none before it has.
    pub gain: u64,
}

/// What is known about the tuples of the strength.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct TupleCounts {
    /// Combinations of values of different factors.
    pub all: u64,
    /// Those that the solutions have.
    pub covered: u64,
    /// Those that no solution of the formula has, proved.
    pub impossible: u64,
}

impl TupleCounts {
    /// Those that are neither covered nor proved impossible.
    pub fn open(&self) -> u64 {
        self.all - self.covered - self.impossible
    }
}

/// What a run has found.
#[derive(Clone, Debug)]
pub struct TWiseOutcome {
    /// The solutions, the best first.
    pub solutions: Vec<TWiseSolution>,
    /// How many factors there are.
    pub factors: usize,
    /// How many values a tuple has: what was asked for, or the number of factors if that is less.
    pub strength: usize,
    /// Whether some tuples have more values, those of groups that are combined more closely.
    pub is_mixed: bool,
    /// What they cover.
    pub tuples: TupleCounts,
    /// No set that covers as much has fewer solutions than this.
    pub lower_bound: usize,
    /// Whether these are all solutions of the formula.
    pub is_all: bool,
    /// Models of the solver that the evaluator rejects: defects.
    pub rejected: u64,
    /// If wanted, what makes tuples impossible: that there are no solutions (`unsatisfiable`) or none besides those that
    /// were listed (`further`), or that some sets of values exclude one another (`impossible`).
    pub obligations: Vec<Obligation>,
    /// Why it ended.
    pub stopped_by: StopReason,
}

/// How far a run is.
#[derive(Copy, Clone, Debug)]
pub struct TWiseProgress<'a> {
    /// Solutions so far.
    pub solutions: &'a [TWiseSolution],
    /// Tuples so far.
    pub tuples: TupleCounts,
}
