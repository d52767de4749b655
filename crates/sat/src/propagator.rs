//! Propagation by a theory while the SAT solver searches.
//!
//! Source: Fazekas et al., *IPASIR-UP: User Propagators for CDCL* (SAT 2023), after DPLL(T) (Ganzinger et al., CAV 2004): a theory hears of every value
//! that a search gives to the variables that it observes, and says which values follow from these. So a contradiction of few values is found when the last of them
//! is decided, where a loop around the solver finds it in a candidate that has values of all variables. Reasons are asked for only where a conflict needs them.
//!
//! A solver that cannot be interrupted in this way ignores propagators: what they say follows from a theory that the caller checks anyway.

use std::cell::RefCell;
use std::rc::Rc;

use crate::literal::{Lit, Var};

/// A theory that a search asks.
///
/// All that it says must be true in the theory whatever was assigned: clauses and reasons hold for ever. They have observed variables only.
pub trait Propagator {
    /// A search begins: no literal is true, and there is no level. If the search goes on where another one has ended, the literals that are still true are
    /// assigned again, level by level, before anything is asked.
    fn begin(&mut self);

    /// Literals have become true, at the present level. One may be given that is true already.
    fn assign(&mut self, literals: &[Lit]);

    /// The next level begins.
    fn open_level(&mut self);

    /// All that has become true after the beginning of the level that follows this one is not true any more. The levels count from zero.
    fn backtrack(&mut self, level: usize);

    /// A literal that follows from those that are true; each is asked for once. `None` where there is no more, or a [`refutation`](Self::refutation).
    fn propagate(&mut self) -> Option<Lit>;

    /// The reason for a literal that followed: a clause with this literal, all others of which were false before it was true. A search that goes on asks for
    /// reasons of literals that followed in earlier ones, too.
    fn reason(&mut self, literal: Lit) -> Vec<Lit>;

    /// A clause of which all literals are false.
    fn refutation(&mut self) -> Option<Vec<Lit>>;
}

/// A propagator that a solver and its owner have in common.
pub type SharedPropagator = Rc<RefCell<dyn Propagator>>;

/// Asking a propagator during searches. Solvers that cannot do that keep the default.
pub trait Propagate {
    /// Asks a propagator in all searches from now on. There is one at most.
    fn connect_propagator(&mut self, _propagator: SharedPropagator) -> bool {
        false
    }

    /// Gives the values of these variables to the propagator, in all searches from now on.
    ///
    /// # Panics
    /// When an earlier search knew a clause with such a variable that was not observed, and may have simplified it away.
    fn observe(&mut self, _variables: &[Var]) {}
}
