//! Events that a run reports as it proceeds.

use std::sync::Arc;

use sundry_term::Model;

use super::solutions::Solutions;
use crate::problem::WrongModel;
use crate::strategy::{Preparation, Purpose, Validity};
use crate::twise::TupleCounts;

/// Something that a run reports.
pub enum Event<'a> {
    /// Something is made ready before the search begins.
    Preparing(Preparation),
    /// Further solutions, which stay as they are.
    Solutions(Solutions<'a>),
    /// The set of solutions is another one, or more is known about it.
    Set(Progress<'a>),
    /// The solver proposed a wrong model, which the run has left out: a defect of the solver.
    Rejected(WrongModel),
}

/// A set of solutions on its way to being complete.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The present set, in the order of gain but for the latest solutions.
    pub solutions: &'a [RatedSolution],
    /// The AST-bits or tuples that the set covers.
    pub covered: Covered,
    /// The proved lower bound on the size of sets that cover as much; 0 where nothing is known.
    pub lower_bound: usize,
    /// The purpose of the present work.
    pub purpose: Purpose,
    /// Seconds since the start.
    pub seconds: f64,
}

/// A solution of a set, with what it adds to those before it.
#[derive(Clone, Debug)]
pub struct RatedSolution {
    /// Values of all declared symbols, judged on the formula as written.
    pub model: Arc<Model>,
    /// The number of AST-bits (tuples) that this solution covers and none before it does.
    pub gain: u64,
    /// Seconds from the start of the run until this solution was found.
    pub seconds: f64,
}

/// The coverage of a set, in the unit of its strategy.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Covered {
    /// AST-bits of the formula.
    AstBits {
        /// The number of AST-bits that the set covers.
        covered: u64,
        /// The knowledge about all AST-bits.
        validity: Validity,
    },
    /// Combinations of values.
    Tuples(TupleCounts),
}

impl Covered {
    /// Whether everything that can be covered is covered, and the rest proved impossible. A set without solutions is
    /// never complete.
    pub fn is_complete(&self) -> bool {
        match *self {
            Covered::AstBits { covered, validity } => validity.unknown == 0 && covered == validity.valid,
            Covered::Tuples(tuples) => tuples.open() == 0,
        }
    }

    /// The amount covered.
    pub fn count(&self) -> u64 {
        match *self {
            Covered::AstBits { covered, .. } => covered,
            Covered::Tuples(tuples) => tuples.covered,
        }
    }

    /// The amount not proved impossible: the total of the coverage.
    pub fn base(&self) -> u64 {
        match *self {
            Covered::AstBits { validity, .. } => validity.valid + validity.unknown,
            Covered::Tuples(tuples) => tuples.all - tuples.impossible,
        }
    }
}

impl Progress<'_> {
    /// Whether the set covers everything that can be covered, and the rest is proved impossible.
    pub fn is_complete(&self) -> bool {
        !self.solutions.is_empty() && self.covered.is_complete()
    }
}
