//! The reason why a formula is not ready to be sampled.

use sundry_solver::{BuildError, Engine, Refusal};
use sundry_term::{Control, Model};

use crate::error::SampleError;

/// The reason why a strategy could not start.
pub(crate) enum NotReady {
    /// The formula has no circuit.
    Refused(Refusal),
    /// The theory with this name is not complete, and could neither find a solution nor show that there is none.
    Undecided(&'static str),
    /// Time was up while circuits were built. A model may have been found by then, not judged yet.
    Stopped {
        model: Option<Model>,
        /// The engine as far as it was built: a program that ends next need not take the time to free it.
        engine: Option<Box<Engine>>,
    },
}

impl NotReady {
    /// The meaning of an error when this model is known already.
    pub(crate) fn after(first: Option<Model>, error: BuildError) -> Self {
        match error {
            BuildError::Refused(error) => NotReady::Refused(error),
            BuildError::Stopped => NotReady::Stopped { model: first, engine: None },
        }
    }

    /// The meaning for a run that has nothing to report without its circuits.
    pub(crate) fn for_run(self, control: &Control) -> SampleError {
        match self {
            NotReady::Refused(error) => SampleError::Refused(error),
            NotReady::Undecided(theory) => SampleError::Undecided(theory),
            NotReady::Stopped { .. } => SampleError::Stopped(control.reason().into()),
        }
    }

    /// The same reason, with the engine as far as it was built.
    pub(crate) fn with_engine(self, engine: Engine) -> Self {
        match self {
            NotReady::Stopped { model, .. } => NotReady::Stopped { model, engine: Some(Box::new(engine)) },
            refused => refused,
        }
    }
}
