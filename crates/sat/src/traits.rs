//! The capabilities of a solver, one small trait for each.
//!
//! The interface follows IPASIR (Balyo, Biere, Iser & Sinz, *SAT Race 2015*, Artificial Intelligence
//! 241, 2016) and its extensions in CaDiCaL, with one difference: the answer of a call can be read
//! until the next call, even if clauses are added meanwhile. Loops that read a model and add clauses in
//! turns need no copy of the model for it.

use crate::assignment::Assignment;
use crate::cnf::Cnf;
use crate::interrupt::Limits;
use crate::literal::{Lit, Var};
use crate::propagator::Propagate;
use crate::restarts::WatchRestarts;

/// The answer of a solver.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// A model exists; its values can be read.
    Sat,
    /// No model exists under the assumptions and the constraint.
    Unsat,
    /// A limit was reached first. Nothing follows.
    Unknown,
}

/// Taking variables and clauses. They hold for ever.
pub trait AddClauses {
    /// A variable that was not there before; variables are numbered from 0 without gaps.
    fn new_var(&mut self) -> Var;

    /// Adds the disjunction of these literals; none is the contradiction.
    fn add_clause(&mut self, clause: &[Lit]);
}

/// Solving under assumptions, and reading the answer.
pub trait Solve: AddClauses {
    /// Looks for a model of all clauses in which the assumptions hold, for this call only.
    fn solve(&mut self, assumptions: &[Lit]) -> Verdict;

    /// Whether the literal is true in the model of the last call. A variable made after that
    /// call is false.
    ///
    /// # Panics
    /// When the last call did not answer [`Verdict::Sat`].
    fn value(&self, literal: Lit) -> bool;

    /// The values of all variables in the model of the last call.
    ///
    /// # Panics
    /// When the last call did not answer [`Verdict::Sat`].
    fn assignment(&self, into: &mut Assignment);

    /// Whether this assumption of the last call was used to refute: clauses, constraint and
    /// failed assumptions together have no model. The set need not be minimal.
    ///
    /// # Panics
    /// When the last call did not answer [`Verdict::Unsat`].
    fn failed(&self, assumption: Lit) -> bool;
}

/// Hints on the values to try first.
pub trait Phases {
    /// Decisions on the variable will try this literal, until the hint is replaced or cleared.
    /// The phase is a hint: a variable that clauses, inprocessing or substitution determine takes
    /// another value. A variable that is in no clause takes the hinted value.
    fn set_phase(&mut self, literal: Lit);

    /// Sets the phase of each of these literals, in order. There may be millions of them.
    fn set_phases(&mut self, literals: &[Lit]) {
        literals.iter().for_each(|&literal| self.set_phase(literal));
    }

    /// Takes the hint back.
    fn clear_phase(&mut self, var: Var);
}

/// A clause for one call (Froleyks & Biere, *Single clause assumption without activation literals
/// to speed-up IC3*, FMCAD 2021).
pub trait Constrain: Solve {
    /// Sets the one clause that holds for the next call only, and is gone after it. It replaces
    /// one that was set for the same call. The empty clause makes that call unsatisfiable.
    fn constrain(&mut self, clause: &[Lit]);

    /// Whether the constraint was used to refute.
    ///
    /// # Panics
    /// When the last call did not answer [`Verdict::Unsat`].
    fn constraint_failed(&self) -> bool;
}

/// Facts that hold in all models of the clauses, whatever is assumed.
pub trait RootFacts {
    /// The value that all models give the literal, where the solver has found that out already.
    fn fixed(&self, literal: Lit) -> Option<bool>;
}

/// Changing the model of the last call, one variable at a time.
pub trait Flip: Solve {
    /// Whether the model of the last call remains a model when this variable changes its value, as far as the solver
    /// sees: the answer is no for variables that it has eliminated, and when clauses were added since. Assumptions and
    /// the constraint are ignored.
    ///
    /// # Panics
    /// When the last call did not answer [`Verdict::Sat`].
    fn flippable(&self, var: Var) -> bool;

    /// Changes the variable's value in the model if it is [`flippable`](Self::flippable). Values
    /// of other variables, read before, have to be read again.
    ///
    /// # Panics
    /// When the last call did not answer [`Verdict::Sat`].
    fn flip(&mut self, var: Var) -> bool;
}

/// Reading the clauses, for writing them out or solving them elsewhere.
pub trait ReadClauses {
    /// Clauses over the same variables with the same models as all that were added so far. Literals
    /// and clauses that facts have settled are missing; the facts are there as clauses of one literal.
    /// None, where simplification has left clauses that have other models. The answer of the last call is gone
    /// afterwards.
    fn clauses(&mut self) -> Option<Cnf>;
}

/// Stopping.
pub trait Interrupt {
    /// Sets the limits of every call from now on.
    fn set_limits(&mut self, limits: Limits);
}

/// Counters of all calls so far.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Calls to `solve`, also those that a limit stopped.
    pub calls: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Literals propagated during search.
    pub propagations: u64,
    /// Memory accesses that search needed, approximately: a clock that every machine agrees on.
    pub ticks: u64,
    /// Variables made.
    pub variables: u64,
    /// Irredundant clauses at the moment.
    pub clauses: u64,
    /// Learned clauses at the moment.
    pub learned: u64,
    /// Variables with a fixed value.
    pub fixed: u64,
    /// Variables that are eliminated at the moment or were once.
    pub eliminated: u64,
    /// Literals of the clauses that were added.
    pub literals: u64,
    /// Phases that were set or cleared.
    pub phases: u64,
}

/// Reading the counters.
pub trait ReadStatistics {
    /// The counters now.
    fn statistics(&self) -> Statistics;

    /// The ticks of all searches so far, which may be known without the other counters.
    fn ticks(&self) -> u64 {
        self.statistics().ticks
    }
}

/// All that a lazy solver of formulas needs of a SAT solver: whatever has these capabilities can be its [`Backend`].
///
/// [`Backend`]: crate::Backend
pub trait SatSolver:
    Constrain + Phases + RootFacts + ReadClauses + Interrupt + ReadStatistics + WatchRestarts + Propagate
{
}

impl<T: Constrain + Phases + RootFacts + ReadClauses + Interrupt + ReadStatistics + WatchRestarts + Propagate>
    SatSolver for T
{
}
