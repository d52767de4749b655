//! The common interface of all strategies.

use sundry_coverage::BitSet;
use sundry_term::Stopped;

use crate::problem::{Solution, WrongModel};

/// The reason why a strategy has ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Every AST-bit that can be covered is covered, and the rest is proved impossible.
    Complete,
    /// The target coverage was reached.
    Target,
    /// The number of solutions asked for was reached.
    MaximalSolutions,
    /// Time was up.
    Deadline,
    /// Somebody asked to stop.
    Interrupted,
    /// The limit on memory was reached.
    Memory,
    /// No solution exists.
    Unsatisfiable,
    /// AST-bits were too hard to decide with the effort that was asked for.
    Effort,
    /// The search went on for long and found nothing new. There may be more.
    NothingNew,
}

impl From<Stopped> for StopReason {
    fn from(reason: Stopped) -> Self {
        match reason {
            Stopped::Deadline => StopReason::Deadline,
            Stopped::Interrupted => StopReason::Interrupted,
            Stopped::Memory => StopReason::Memory,
        }
    }
}

/// The goal of a run: when it has enough.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct Goal {
    /// Share of the AST-bits not proved impossible that is to be covered, between 0 and 1.
    pub(crate) target: f64,
    /// The greatest number of solutions.
    pub(crate) max_solutions: Option<usize>,
}

impl Default for Goal {
    fn default() -> Self {
        Goal { target: 1.0, max_solutions: None }
    }
}

impl Goal {
    /// Whether this many covered AST-bits reach the target.
    pub(crate) fn reached(&self, covered: u64, validity: Validity) -> bool {
        covered as f64 >= self.target * (validity.valid + validity.unknown) as f64
    }

    /// Whether more knowledge about what is possible is of no use: the target is less than everything, and what is known suffices for it.
    pub(crate) fn needs_no_more_than(&self, validity: impl FnOnce() -> Validity) -> bool {
        self.target < 1.0 && {
            let validity = validity();
            self.reached(validity.valid, validity)
        }
    }
}

/// The result of one step of a strategy.
#[derive(Clone, Debug)]
pub enum Step {
    /// A further solution.
    Found(Solution),
    /// Another set, with as many solutions at most, in any order. It covers at least what the solutions so far cover, or
    /// as much as is asked for. Of two sets that are equal in this, the run keeps the one with the better prefixes.
    Replaced(Vec<Solution>),
    /// The set is as before, but more is known: a bound, or that coverage is complete.
    Learned,
    /// The end.
    Stopped(StopReason),
    /// The solver proposed a wrong model; the strategy continues without it.
    Failed(WrongModel),
}

/// The state of knowledge about which AST-bits can be covered.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Validity {
    /// AST-bits that some model covers.
    pub valid: u64,
    /// AST-bits that no model covers, proved.
    pub impossible: u64,
    /// AST-bits not decided.
    pub unknown: u64,
}

/// A preparation that a strategy needs before it can work.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Preparation {
    /// The circuit of the assertions.
    Circuit,
    /// A first model.
    FirstModel,
    /// The circuits of all AST-bits.
    AstBits,
}

/// The purpose of the work of a strategy.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Purpose {
    /// The work finds solutions that cover more.
    #[default]
    Covering,
    /// The work decides AST-bits that were too hard at first.
    Deciding,
    /// The work looks for a smaller set with the same coverage, or a proof that none exists.
    Improving,
}

/// A way to choose solutions: an iterator of steps that ends with [`Step::Stopped`].
pub trait Strategy {
    /// Works until there is something to report. Lower bounds that are proved in the midst of longer work
    /// are reported at once, to `on_bound`.
    fn step(&mut self, on_bound: &mut dyn FnMut(usize)) -> Step;

    /// The state of knowledge about the AST-bits. A strategy that decides nothing knows no more than what its solutions
    /// cover.
    fn validity(&self) -> Option<Validity> {
        None
    }

    /// AST-bits proved impossible, by number, where the strategy decides that.
    fn impossible(&self) -> Option<BitSet> {
        None
    }

    /// The purpose of the present work.
    fn purpose(&self) -> Purpose {
        Purpose::Covering
    }

    /// The proved lower bound on the size of sets with the same coverage; 0 where nothing is known.
    fn lower_bound(&self) -> usize {
        0
    }

    /// Numbers of AST-bits behind the lower bound: no model covers two of them.
    fn exclusive(&self) -> Vec<usize> {
        Vec::new()
    }
}
