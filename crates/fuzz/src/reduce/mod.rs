//! Making a script smaller while it still shows what it shows.
//!
//! Commands are removed, and terms replaced by simpler ones of the same sort, from the assertions down to the
//! leaves; each kind of change is tried on as many terms at once as possible. Whatever is still shown and is
//! smaller takes the place of the script, until no change is left that makes it smaller. This is *delta
//! debugging* on terms (Niemetz & Biere, "ddSMT: a delta debugger for the SMT-LIB v2 format", SMT 2013; Kremer,
//! Niemetz & Preiner, "ddSMT 2.0: better delta debugging for the SMT-LIBv2 language and friends", CAV 2021);
//! terms are a graph here, so a term is replaced wherever it occurs.

mod command;
mod datatypes;
mod functions;
mod names;
mod passes;
mod proposals;
mod resorting;
mod search;
mod shape;
mod slowness;
mod sorts;
mod subject;

use sundry_smtlib::ScriptText;
use sundry_term::{TermId, TermStore};

pub use command::{ScriptCommand, ScriptCommandError};
use passes::Passes;
use search::Search;
pub use slowness::{Measured, Pace, Slowness};
pub use subject::{Size, Subject};

/// Tells whether scripts show what is looked for.
pub trait Check {
    /// Why there is no answer.
    type Error;

    /// Whether a script does, given its text.
    ///
    /// # Errors
    /// Nothing can be said, and reducing ends.
    fn shows(
        &mut self,
        store: &mut TermStore,
        subject: &Subject,
        text: &ScriptText,
    ) -> Result<bool, Self::Error>;

    /// Whether to go on; if not, the script is left as it is then.
    fn goes_on(&self) -> bool;

    /// How many scripts are best asked about at once.
    fn width(&self) -> usize {
        1
    }

    /// The position of the first of some scripts that does.
    ///
    /// # Errors
    /// Nothing can be said, and reducing ends.
    fn first_that_shows(
        &mut self,
        store: &mut TermStore,
        candidates: &[Candidate],
    ) -> Result<Option<usize>, Self::Error> {
        for (position, Candidate { subject, text }) in candidates.iter().enumerate() {
            if self.shows(store, subject, text)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// A script that is to be tried.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The script.
    pub subject: Subject,
    /// Its text.
    pub text: ScriptText,
}

/// A script that was made smaller.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The script.
    pub subject: Subject,
    /// Its text.
    pub text: String,
    /// How much is left.
    pub size: Size,
    /// How many scripts were tried.
    pub checks: usize,
    /// Whether no change was left to try; otherwise it was stopped.
    pub is_finished: bool,
}

/// Makes a script smaller as long as it shows what the check looks for. Nothing if it does not show that as it
/// is.
///
/// # Errors
/// Those of the check.
pub fn reduce<C: Check>(
    store: &mut TermStore,
    subject: Subject,
    check: &mut C,
) -> Result<Option<Reduced>, C::Error> {
    reduce_changed(store, subject, &[], check)
}

/// The same with a script in which terms were replaced on purpose: each pair is what was there and what has taken
/// its place everywhere, the newest last. Before all else, as many of these changes as possible are undone, even
/// if that makes the script larger.
///
/// # Errors
/// Those of the check.
pub fn reduce_changed<C: Check>(
    store: &mut TermStore,
    subject: Subject,
    changes: &[(TermId, TermId)],
    check: &mut C,
) -> Result<Option<Reduced>, C::Error> {
    let text = subject.text(store);
    if !check.shows(store, &subject, &text)? {
        return Ok(None);
    }
    let mut passes = Passes::new(Search::new(store, check, Candidate { subject, text }));
    passes.undo(changes)?;
    passes.run()?;
    Ok(Some(passes.search.end()))
}
