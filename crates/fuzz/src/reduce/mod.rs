//! Reduction: making a script smaller while a check on it succeeds.
//!
//! The reducer removes commands, and replaces terms by simpler ones of the same sort, from the assertions down to the
//! leaves. It tries each kind of change on as many terms together as possible. A smaller script on which the check
//! succeeds replaces the present one, until no change makes it smaller. This is *delta debugging* on terms (Niemetz &
//! Biere, "ddSMT: a delta debugger for the SMT-LIB v2 format", SMT 2013; Kremer, Niemetz & Preiner, "ddSMT 2.0:
//! better delta debugging for the SMT-LIBv2 language and friends", CAV 2021); terms are a graph here, so a term is
//! replaced wherever it occurs.

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
mod tree;

use sundry_smtlib::ScriptText;
use sundry_term::{TermId, TermStore};
use tracing::info_span;

pub use command::{ScriptCommand, ScriptCommandError};
use passes::Passes;
use proposals::FreshSymbols;
use search::Search;
pub use slowness::{Pace, Slowness, Timing};
pub use subject::{Size, Subject};
pub use tree::reduce_tree;

/// A script in the form in which the reducer changes it.
pub trait Reducible: Clone + PartialEq {
    /// The size of a script: of two scripts, the one with the smaller size is the simpler.
    type Size: Copy + Ord;

    /// The script as text.
    fn text(&self, store: &TermStore) -> ScriptText;

    /// The size of the script, given its text.
    fn size(&self, store: &TermStore, text: &str) -> Self::Size;
}

/// Decides whether a script still shows the wanted behaviour.
pub trait Check<S = Subject> {
    /// The error for which there is no decision.
    type Error;

    /// Whether a script does, given its text.
    ///
    /// # Errors
    /// The check cannot decide, and reducing ends.
    fn shows(&mut self, store: &mut TermStore, subject: &S, text: &ScriptText) -> Result<bool, Self::Error>;

    /// Whether to continue; if not, the script stays as it is then.
    fn goes_on(&self) -> bool;

    /// The number of scripts that are best checked together.
    fn width(&self) -> usize {
        1
    }

    /// The position of the first of some scripts that does.
    ///
    /// # Errors
    /// The check cannot decide, and reducing ends.
    fn first_that_shows(
        &mut self,
        store: &mut TermStore,
        candidates: &[Candidate<S>],
    ) -> Result<Option<usize>, Self::Error> {
        for (position, Candidate { subject, text }) in candidates.iter().enumerate() {
            if self.shows(store, subject, text)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

/// A script to try.
#[derive(Clone, Debug)]
pub struct Candidate<S = Subject> {
    /// The script.
    pub subject: S,
    /// The text of the script.
    pub text: ScriptText,
}

/// A script that was made smaller.
#[derive(Clone, Debug)]
pub struct Reduced<S: Reducible = Subject> {
    /// The script.
    pub subject: S,
    /// The text of the script.
    pub text: String,
    /// The size of the script.
    pub size: S::Size,
    /// The number of scripts tried.
    pub checks: usize,
    /// Whether no change was left to try; otherwise it was stopped.
    pub is_finished: bool,
}

/// Makes a script smaller as long as the check succeeds on it. `None` if the check fails on the script itself.
///
/// # Errors
/// The errors of the check.
pub fn reduce<C: Check>(
    store: &mut TermStore,
    subject: Subject,
    check: &mut C,
) -> Result<Option<Reduced>, C::Error> {
    reduce_changed(store, subject, &[], check)
}

/// Reduces a script in which terms were replaced on purpose: each pair is a term and its replacement everywhere, the
/// newest last. Before all else, the function undoes as many of these changes as possible, even if that makes the
/// script larger.
///
/// # Errors
/// The errors of the check.
pub fn reduce_changed<C: Check>(
    store: &mut TermStore,
    subject: Subject,
    changes: &[(TermId, TermId)],
    check: &mut C,
) -> Result<Option<Reduced>, C::Error> {
    let _span = info_span!("reduce").entered();
    let text = subject.text(store);
    if !check.shows(store, &subject, &text)? {
        return Ok(None);
    }
    let fresh = FreshSymbols::beside(store, &subject.roots());
    let mut passes = Passes::new(Search::new(store, check, Candidate { subject, text }), fresh);
    passes.undo(changes)?;
    passes.run()?;
    Ok(Some(passes.search.end()))
}
