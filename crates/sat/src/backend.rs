//! The choice of the SAT solver behind a consumer of the traits.
//!
//! A consumer starts solvers by itself, and more than one in its life, so it gets a way to start solvers, not a solver.
//! Its solver is a trait object. A type parameter of the consumer was rejected: it would spread through every type that
//! owns such a consumer, and a call of CaDiCaL goes through its C++ interface anyway, beside which one more indirection
//! costs nothing that can be measured.

use std::fmt;
use std::sync::Arc;

use crate::cadical::Cadical;
use crate::options::Options;
use crate::traits::SatSolver;

/// Starts a SAT solver with these options.
type Start = dyn Fn(&Options) -> Box<dyn SatSolver> + Send + Sync;

/// A way to start SAT solvers. The default is [`Cadical`].
#[derive(Clone)]
pub struct Backend(Arc<Start>);

impl Backend {
    /// Starts solvers by calling `start` with their options.
    pub fn new(start: impl Fn(&Options) -> Box<dyn SatSolver> + Send + Sync + 'static) -> Self {
        Backend(Arc::new(start))
    }

    /// Starts a solver without clauses.
    pub fn start(&self, options: &Options) -> Box<dyn SatSolver> {
        (self.0)(options)
    }
}

impl Default for Backend {
    fn default() -> Self {
        Backend::new(|options| Box::new(Cadical::new(options)))
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Backend")
    }
}
