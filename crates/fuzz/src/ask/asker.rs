//! Asking solvers: the folder of their files, and their limits.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use sundry_external::{Circumstances, Fault, Inquiry, Limits, Reply, Respondent, SharedProcesses};
use sundry_term::Control;
use tracing::debug_span;

use crate::ask::allowance::{Allowance, limits_within};

/// The folder and the limits with which solvers run.
#[derive(Clone, Copy, Debug)]
pub struct Asker<'a> {
    /// A folder for the files of one thread.
    pub folder: &'a Path,
    /// The limits of each run.
    pub limits: &'a Limits,
    /// A flag that is set when work has to end.
    pub interrupted: &'a Arc<AtomicBool>,
    /// The control that stops the judging of models.
    pub control: &'a Control,
    /// Processes that solvers share for several scripts; without them, a solver starts for each.
    pub processes: Option<&'a SharedProcesses>,
}

/// A flag that is never set.
static NEVER: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

impl Asker<'_> {
    /// The same asker without interruption: runs that have begun continue to their end.
    #[must_use]
    pub fn uninterrupted(self) -> Self {
        Asker { interrupted: &NEVER, ..self }
    }

    /// Gives a solver a script.
    ///
    /// # Errors
    /// The script cannot be written, or the solver not be started.
    pub fn ask(&self, solver: &dyn Respondent, inquiry: &Inquiry) -> io::Result<Reply> {
        let _span = debug_span!("ask", solver = solver.name()).entered();
        let circumstances = Circumstances::new(self.folder, self.limits, self.interrupted);
        let asked = solver.ask(inquiry, circumstances.sharing(self.processes));
        // Later code would not know which of them failed.
        asked.map_err(|error| io::Error::new(error.kind(), format!("'{}': {error}", solver.name())))
    }

    /// Gives a solver a script with a number of questions, within its allowance for each, which learns from the reply. `None` if
    /// the work was interrupted.
    ///
    /// # Errors
    /// The script cannot be written, or the solver not be started.
    pub(crate) fn ask_within(
        &self,
        allowance: &mut Allowance,
        solver: &dyn Respondent,
        inquiry: &Inquiry,
        questions: usize,
    ) -> io::Result<Option<Reply>> {
        let limits = limits_within(self.limits, allowance.next() * questions as u32);
        let reply = Asker { limits: &limits, ..*self }.ask(solver, inquiry)?;
        if reply.fault == Some(Fault::Interrupted) {
            return Ok(None);
        }
        allowance.note(&reply);
        Ok(Some(reply))
    }

    /// Whether work goes on: nobody has interrupted it, and the time at which it ends, if there is one, has not come.
    pub(crate) fn goes_on_until(&self, until: Option<Instant>) -> bool {
        !self.interrupted.load(Ordering::Relaxed) && until.is_none_or(|until| Instant::now() < until)
    }

    /// Gives each of some solvers a script.
    ///
    /// # Errors
    /// The script cannot be written, or a solver not be started.
    pub fn ask_all(&self, solvers: &[Arc<dyn Respondent>], inquiry: &Inquiry) -> io::Result<Vec<Reply>> {
        solvers.iter().map(|solver| self.ask(&**solver, inquiry)).collect()
    }
}
