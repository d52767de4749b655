//! Questions to an engine, and their answers.
//!
//! An answer borrows the engine: what a model or a refutation says can be read until the engine is asked again, and the
//! compiler sees to that. An answer that owns its model was rejected, since most models are read in a few places only,
//! and reading all of one takes far longer than many a check.

use sundry_sat::{Limits, Lit, Verdict};
use sundry_term::Control;

use super::{Engine, ModelRef};

/// A question of one call of [`Engine::check`]: conditions beyond the assertions, and how much work the answer may take.
/// The engine keeps nothing of them for the next call.
#[derive(Copy, Clone, Debug, Default)]
pub struct Query<'a> {
    /// Literals that have to be true.
    pub assumptions: &'a [Lit],
    /// Literals of which at least one has to be true; an empty slice asks for nothing.
    pub at_least_one: &'a [Lit],
    /// Ticks of the SAT solver that all searches of the call may take together.
    pub ticks: Option<u64>,
    /// Conflicts that each search of the call may have.
    pub conflicts: Option<u64>,
}

impl<'a> Query<'a> {
    /// Asks for a model in which these literals are true.
    pub fn assuming(assumptions: &'a [Lit]) -> Self {
        Query { assumptions, ..Query::default() }
    }

    /// Limits the work of the question to this number of ticks.
    pub fn within(self, ticks: u64) -> Self {
        Query { ticks: Some(ticks), ..self }
    }

    /// The limits of a search that begins when this number of ticks is left.
    pub(super) fn limits(&self, control: &Control, ticks: Option<u64>) -> Limits {
        Limits { control: control.clone(), conflicts: self.conflicts, ticks }
    }
}

/// The answer to a [`Query`].
#[derive(Copy, Clone)]
pub enum Checked<'e> {
    /// A model of the assertions, the query and the theories.
    Sat(ModelRef<'e>),
    /// No such model exists.
    Unsat(Refutation<'e>),
    /// A limit was reached, or a theory is not complete. Nothing follows; the engine stays usable.
    Unknown,
}

impl<'e> Checked<'e> {
    /// The answer without what comes with it.
    pub fn verdict(self) -> Verdict {
        match self {
            Checked::Sat(_) => Verdict::Sat,
            Checked::Unsat(_) => Verdict::Unsat,
            Checked::Unknown => Verdict::Unknown,
        }
    }

    /// The model, where one exists.
    ///
    /// # Errors
    /// The verdict of a check that has found none.
    pub fn model(self) -> Result<ModelRef<'e>, Verdict> {
        match self {
            Checked::Sat(model) => Ok(model),
            other => Err(other.verdict()),
        }
    }
}

/// A refutation, which says which assumptions it took.
#[derive(Copy, Clone)]
pub struct Refutation<'e> {
    pub(super) engine: &'e Engine,
}

impl Refutation<'_> {
    /// Whether an assumption of the query was needed. Those that were need not be a smallest set.
    pub fn needs(self, assumption: Lit) -> bool {
        // Contradictory assertions need none, and the SAT solver is not asked about them.
        !self.engine.contradiction && self.engine.sat.failed(assumption)
    }
}
