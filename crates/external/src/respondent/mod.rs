//! Whoever answers scripts: a trait with one method that matters, and wrappers that add to what they wrap.
//!
//! A wrapper is a [`Respondent`] too, as in the chain of solvers of KLEE (`lib/Solver/ConstructSolverChain.cpp`), so whoever
//! asks does not know what stands behind: [`Cached`] remembers replies, [`Measured`] adds up what runs take, [`Recorded`]
//! writes them down, and [`Replay`] gives them again without the solver. Wrappers that judge stand where models are judged, in
//! `sundry-fuzz`.

/// The methods by which a wrapper passes for what it wraps, its field `inner`.
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
    };
}

mod cached;
mod inquiry;
mod measured;
mod recorded;

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use cached::Cached;
pub use inquiry::Inquiry;
pub use measured::{Measured, Meter, Reading};
pub use recorded::{Recorded, Replay, Transcript, TranscriptError};

use crate::capabilities::Capabilities;
use crate::process::Limits;
use crate::reply::Reply;

/// Where a script is answered, and within which limits.
#[derive(Copy, Clone, Debug)]
pub struct Circumstances<'a> {
    /// A folder for the files of this question and no other at the same time.
    pub folder: &'a Path,
    /// What the answer may take.
    pub limits: &'a Limits,
    /// Set when work is to end.
    pub interrupted: &'a Arc<AtomicBool>,
}

/// Whoever answers scripts: a program, our own solver, or a record of what somebody has answered. Respondents that
/// stand before others (remembering, writing down) are respondents as well.
pub trait Respondent: fmt::Debug + Send + Sync {
    /// The name that distinguishes this respondent from others: for a program, its command.
    fn name(&self) -> &str;

    /// The family that it is of: releases of one solver are. Nothing where that is not known.
    fn family(&self) -> &str;

    /// What it reads; everything, as long as nobody has found out.
    fn capabilities(&self) -> &Capabilities;

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

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        (**self).ask(inquiry, circumstances)
    }
}
