//! Puts scripts to solvers: where their files go, and what they may use.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use sundry_external::{Circumstances, Inquiry, Limits, Reply, Respondent};
use sundry_term::Control;

/// Where and how solvers are run.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// A folder for the files of one thread.
    pub folder: &'a Path,
    /// What each run may use.
    pub limits: &'a Limits,
    /// Set when work is to end.
    pub interrupted: &'a Arc<AtomicBool>,
    /// What stops the judging of models.
    pub control: &'a Control,
}

/// What is never set.
static NEVER: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

impl Asker<'_> {
    /// The same, where runs are not interrupted: what somebody has begun to say is heard to its end.
    #[must_use]
    pub fn uninterrupted(self) -> Self {
        Asker { interrupted: &NEVER, ..self }
    }

    /// Gives a solver a script.
    ///
    /// # Errors
    /// The script cannot be written, or the solver not be started.
    pub fn ask(&self, solver: &dyn Respondent, inquiry: &Inquiry) -> io::Result<Reply> {
        let &Asker { folder, limits, interrupted, .. } = self;
        let asked = solver.ask(inquiry, Circumstances { folder, limits, interrupted });
        // Which of them it was would not be known later.
        asked.map_err(|error| io::Error::new(error.kind(), format!("'{}': {error}", solver.name())))
    }

    /// Gives each of some solvers a script.
    ///
    /// # Errors
    /// The script cannot be written, or a solver not be started.
    pub fn ask_all(&self, solvers: &[Arc<dyn Respondent>], inquiry: &Inquiry) -> io::Result<Vec<Reply>> {
        solvers.iter().map(|solver| self.ask(&**solver, inquiry)).collect()
    }
}
