//! Respondents answer scripts: a trait with one essential method, and wrappers that extend what they wrap.
//!
//! A wrapper is a [`Respondent`] too, as in the chain of solvers of KLEE (`lib/Solver/ConstructSolverChain.cpp`), so
//! callers need not know what it wraps: [`Cached`] remembers replies, [`Counted`] says what was executed, [`Measured`] adds up resources, [`Recorded`]
//! has replies written down, and [`Replay`] repeats them without the solver. Wrappers that judge are in `sundry-fuzz`,
//! where models are judged.

/// Defines the methods that a wrapper forwards to the respondent in its field `inner`.
#[macro_export]
macro_rules! same_as_inner {
    () => {
        fn name(&self) -> &str {
            self.inner.name()
        }

        fn family(&self) -> &str {
            self.inner.family()
        }

        fn capabilities(&self) -> &$crate::Capabilities {
            self.inner.capabilities()
        }

        fn spelled<'s>(&self, script: &'s $crate::ScriptText) -> std::borrow::Cow<'s, str> {
            self.inner.spelled(script)
        }
    };
}

mod cached;
mod counted;
mod inquiry;
mod measured;
mod recorded;
mod trace;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use cached::Cached;
pub use counted::Counted;
pub use inquiry::Inquiry;
pub use measured::{Measured, Meter, Reading};
pub use recorded::{Recorded, Recorder, Replay, Transcript, TranscriptError};
pub use trace::Trace;

use sundry_smtlib::ScriptText;

use crate::capabilities::Capabilities;
use crate::process::Limits;
use crate::reply::Reply;
use crate::shared::SharedProcesses;

/// The folder and the limits of an answer.
#[derive(Copy, Clone, Debug)]
pub struct Circumstances<'a> {
    /// A folder for the files of this question and no other at the same time.
    pub folder: &'a Path,
    /// The limits of the answer.
    pub limits: &'a Limits,
    /// A flag that is set when work has to end.
    pub interrupted: &'a Arc<AtomicBool>,
    /// Processes that may answer this question among others; without them, a solver starts for it.
    pub processes: Option<&'a SharedProcesses>,
}

impl<'a> Circumstances<'a> {
    /// A folder, limits and a flag for an answer. A solver starts for each question.
    pub fn new(folder: &'a Path, limits: &'a Limits, interrupted: &'a Arc<AtomicBool>) -> Self {
        Circumstances { folder, limits, interrupted, processes: None }
    }

    /// The same circumstances, with processes that answer several questions one after another.
    #[must_use]
    pub fn sharing(self, processes: Option<&'a SharedProcesses>) -> Self {
        Circumstances { processes, ..self }
    }
}

/// Something that answers scripts: a program, our own solver, or a record of replies. Wrappers of respondents (which
/// remember or record) are respondents as well.
pub trait Respondent: fmt::Debug + Send + Sync {
    /// The name that distinguishes this respondent from others: for a program, its command.
    fn name(&self) -> &str;

    /// The family, which releases of one solver share; empty if it is unknown.
    fn family(&self) -> &str;

    /// The features that the respondent reads; all of them unless it was probed.
    fn capabilities(&self) -> &Capabilities;

    /// A script as the respondent gets it, in the words that it reads.
    fn spelled<'s>(&self, script: &'s ScriptText) -> Cow<'s, str> {
        Cow::Borrowed(script)
    }

    /// Answers a script.
    ///
    /// # Errors
    /// The respondent cannot be asked at all.
    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply>;

    /// Whether another is of the same family: another release, or the same with other arguments. A program whose family
    /// is not known may be of any.
    fn is_release_of(&self, other: &dyn Respondent) -> bool {
        let (own, theirs) = (self.family(), other.family());
        own == theirs || own.is_empty() || theirs.is_empty()
    }
}

impl<R: Respondent + ?Sized> Respondent for Arc<R> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn family(&self) -> &str {
        (**self).family()
    }

    fn capabilities(&self) -> &Capabilities {
        (**self).capabilities()
    }

    fn spelled<'s>(&self, script: &'s ScriptText) -> Cow<'s, str> {
        (**self).spelled(script)
    }

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        (**self).ask(inquiry, circumstances)
    }
}
