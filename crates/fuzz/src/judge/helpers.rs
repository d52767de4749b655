//! The follow-up of a defect on its smallest script, whatever is known of the script: what everybody says, the releases that show
//! the defect, and the options that the defect needs or that make it go away.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sundry_external::{Inquiry, OptionPool, Reply, Respondent, SolverOption};

use crate::ask::asker::Asker;
use crate::ask::preamble::for_another;
use crate::judge::finding::DefectStatus;
use crate::options::configured::Configured;

/// Options that are tried one at a time, at most.
const MAXIMAL_SUSPECTS: usize = 12;

/// The reply of a solver to the smallest script.
pub(crate) struct Heard<'s> {
    pub(crate) solver: &'s dyn Respondent,
    pub(crate) reply: Reply,
    /// The commands that it got before the script.
    pub(crate) preamble: Vec<&'static str>,
}

/// The solvers that help to follow up.
#[derive(Copy, Clone)]
pub(crate) struct Helpers<'a> {
    /// Hears everybody out.
    pub(crate) asker: Asker<'a>,
    /// A flag that is set when the time for reducing is over.
    pub(crate) interrupted: &'a Arc<AtomicBool>,
    pub(crate) solvers: &'a [Arc<dyn Respondent>],
    pub(crate) references: &'a [Arc<dyn Respondent>],
    /// Releases of solvers, the oldest first.
    pub(crate) releases: &'a [Arc<dyn Respondent>],
    /// Options of the solver that are tried one at a time on the smallest script, if there are any.
    pub(crate) suspects: Option<&'a OptionPool>,
    /// The time for which a script may be reduced.
    pub(crate) reduction: Duration,
}

impl<'a> Helpers<'a> {
    /// The replies of everybody: the solver with its options, if it has any, those under test, and the references. Solvers of other kinds
    /// also get the commands that they need and the script lacks.
    ///
    /// # Errors
    /// A solver cannot be started.
    pub(crate) fn replies<'s>(
        self,
        solver: &'s Configured<'_>,
        inquiry: &Inquiry,
    ) -> io::Result<Vec<Heard<'s>>>
    where
        'a: 's,
    {
        let with_options = (!solver.options.is_empty()).then_some(solver as &dyn Respondent);
        let others = self.solvers.iter().chain(self.references).map(|other| &**other);
        let everyone = with_options.into_iter().chain(others);
        let hear = |other: &'s dyn Respondent| {
            let completed = for_another(inquiry, solver, other);
            let (inquiry, preamble) = match &completed {
                Some((completed, preamble)) => (completed, preamble.clone()),
                None => (inquiry, Vec::new()),
            };
            Ok(Heard { solver: other, reply: self.asker.ask(other, inquiry)?, preamble })
        };
        everyone.map(hear).collect()
    }

    /// The releases of a solver, each with the answer to whether it shows a defect. `status` asks one release, with the options of the solver.
    ///
    /// # Errors
    /// A release cannot be started, or the errors of `status`.
    pub(crate) fn on_releases(
        self,
        solver: &Configured<'_>,
        mut status: impl FnMut(&Configured<'_>) -> io::Result<DefectStatus>,
    ) -> io::Result<Vec<(String, DefectStatus)>> {
        let mut releases = Vec::new();
        for release in self.releases.iter().filter(|release| release.is_release_of(solver)) {
            let configured = Configured::new(&**release, solver.options.clone());
            let status = match configured.takes_its_options(self.asker)? {
                true => status(&configured)?,
                false => DefectStatus::OptionsRefused,
            };
            releases.push((release.name().to_string(), status));
        }
        Ok(releases)
    }

    /// The options with each of which a solver that has none no longer shows a defect. There are at most twelve to try.
    ///
    /// # Errors
    /// The errors of `status`.
    pub(crate) fn cures(
        self,
        solver: &Configured<'_>,
        mut status: impl FnMut(&Configured<'_>) -> io::Result<DefectStatus>,
    ) -> io::Result<Vec<SolverOption>> {
        let mut cures = Vec::new();
        if !solver.options.is_empty() {
            return Ok(cures);
        }
        for option in self.suspects.into_iter().flat_map(OptionPool::suspects).take(MAXIMAL_SUSPECTS) {
            if self.interrupted.load(Ordering::Relaxed) {
                break;
            }
            let configured = Configured::new(solver.solver, vec![option.clone()]);
            if status(&configured)? == DefectStatus::No {
                cures.push(option.clone());
            }
        }
        Ok(cures)
    }
}
