//! Satisfiability of clauses: literals, small capability traits, and CaDiCaL behind them.
//!
//! A search needs different things of a solver at different times: adding clauses, solving under
//! assumptions, hints on phases, a clause for one call, facts fixed for good, interruption. Each
//! is a trait of its own, so that a consumer says what it needs and another solver may implement
//! what it can; [`Cadical`] implements all. The suite in `tests/conformance.rs` is written against
//! the traits.
//!
//! Deliberately absent: proofs, decisions from outside, and solving in the background. A solver belongs to one thread.

mod assignment;
mod backend;
mod cadical;
mod cnf;
mod interrupt;
mod literal;
mod options;
mod propagator;
mod restarts;
mod tables;
mod traits;
mod turns;

pub use assignment::Assignment;
pub use backend::Backend;
pub use cadical::Cadical;
pub use cnf::Cnf;
pub use interrupt::Limits;
pub use literal::{Lit, Var};
pub use options::{NamedOption, Options, ReusedTrail, UnknownOption};
pub use propagator::{Propagate, Propagator, SharedPropagator};
pub use restarts::{SavedPhases, WatchRestarts};
pub use traits::{
    AddClauses, Constrain, Flip, Interrupt, Phases, ReadClauses, ReadStatistics, RootFacts, SatSolver, Solve,
    Statistics, Verdict,
};
pub use turns::Turns;
