//! Solvers that are slow where another one is fast.

use std::io;
use std::time::{Duration, Instant};

use sundry_external::{Fault, Inquiry, Reply, Respondent};
use sundry_smtlib::ScriptText;
use sundry_term::TermStore;

use crate::ask::allowance::{limits_within, time_of};
use crate::ask::asker::Asker;
use crate::judge::finding::word;
use crate::reduce::{Check, Subject};
use crate::seed::tree::TreeQuestion;
use crate::tree::Tree;

/// The time within which a solver that is not slow answers.
const SLOW_TIME: Duration = Duration::from_secs(1);
/// The factor by which another solver must be faster than a slow one.
const SLOW_FACTOR: u32 = 10;

/// Whether a limit ended a run with this many questions before the solver had answered all, and after so long that the solver is
/// slow.
pub(crate) fn is_slow(asker: Asker<'_>, reply: &Reply, asked: usize) -> bool {
    let is_late = reply.fault == Some(Fault::Timeout) && reply.answers().len() < asked;
    is_late && time_of(reply) >= SLOW_TIME.min(asker.limits.time())
}

/// The time of a reply that is an answer, if it is far less than that of a slow solver.
pub(crate) fn fast_time(reply: &Reply, slow_time: Duration) -> Option<Duration> {
    word(reply).is_ok().then(|| time_of(reply)).filter(|time| *time * SLOW_FACTOR <= slow_time)
}

/// The [fast time](fast_time) of a solver that is asked a script, which gets no more time than that.
///
/// # Errors
/// The solver cannot be started, or the script not be written.
pub(crate) fn ask_for_fast_time(
    asker: Asker<'_>,
    solver: &dyn Respondent,
    inquiry: &Inquiry,
    slow_time: Duration,
) -> io::Result<Option<Duration>> {
    let limits = limits_within(asker.limits, slow_time / SLOW_FACTOR);
    let reply = Asker { limits: &limits, ..asker }.ask(solver, inquiry)?;
    Ok(fast_time(&reply, slow_time))
}

/// "Slow here, fast there" as a check for the reducer.
pub(crate) struct SlowHere<'a> {
    pub(crate) asker: Asker<'a>,
    /// The solver that is slow.
    pub(crate) solver: &'a dyn Respondent,
    /// The solver that is fast.
    pub(crate) other: &'a dyn Respondent,
    /// The number of questions that the script asks.
    pub(crate) asked: usize,
    /// The time at which reducing has to end.
    pub(crate) until: Instant,
}

impl SlowHere<'_> {
    /// Whether a script is slow here and fast there.
    pub(crate) fn shows_on(&self, inquiry: &Inquiry) -> io::Result<bool> {
        // The fast one decides most scripts at once, and the slow one ends at its limit.
        if ask_for_fast_time(self.asker, self.other, inquiry, self.asker.limits.time())?.is_none() {
            return Ok(false);
        }
        let slow = self.asker.ask(self.solver, inquiry)?;
        Ok(is_slow(self.asker, &slow, self.asked))
    }
}

impl Check for SlowHere<'_> {
    type Error = io::Error;

    fn shows(&mut self, store: &mut TermStore, subject: &Subject, text: &ScriptText) -> io::Result<bool> {
        self.shows_on(&subject.inquiry(store, text.clone()))
    }

    fn goes_on(&self) -> bool {
        self.asker.goes_on_until(Some(self.until))
    }
}

impl Check<Tree> for SlowHere<'_> {
    type Error = io::Error;

    fn shows(&mut self, _: &mut TermStore, tree: &Tree, _: &ScriptText) -> io::Result<bool> {
        let question = TreeQuestion::new(tree.clone(), false);
        Ok(question.count > 0 && self.shows_on(&question.inquiry)?)
    }

    fn goes_on(&self) -> bool {
        self.asker.goes_on_until(Some(self.until))
    }
}
