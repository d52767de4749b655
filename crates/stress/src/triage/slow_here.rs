//! "Slow here, fast there" as a check for the reducer, with the solvers of a contest.
//!
//! The solvers under test have to reach the limit of the contest; a reference has to decide the script with a small part of it.
//! The gap may widen while a script shrinks, and the answers may change.

use std::io;
use std::time::Instant;

use sundry_external::Inquiry;
use sundry_fuzz::{Check, Subject};
use sundry_smtlib::ScriptText;
use sundry_term::TermStore;

use crate::campaign::cases::Suspicious;
use crate::run::contest::{Contest, Place};

/// Whether a script is slow here and fast there.
pub(crate) struct SlowHere<'a> {
    pub(crate) contest: &'a Contest,
    pub(crate) place: Place<'a>,
    /// The largest effort of the fastest reference.
    pub(crate) easy: f64,
    /// The time at which reducing has to end.
    pub(crate) until: Instant,
    /// The scripts on which it showed, each smaller than the one before.
    pub(crate) trail: Vec<Inquiry>,
}

impl Check for SlowHere<'_> {
    type Error = io::Error;

    fn shows(&mut self, store: &mut TermStore, subject: &Subject, text: &ScriptText) -> io::Result<bool> {
        let inquiry = subject.inquiry(store, text.clone());
        let suspicious = Suspicious { limit: self.contest.limit_amount(), easy: self.easy };
        let measured = self.contest.run(&inquiry, self.place)?;
        let shows = measured.is_some_and(|measured| suspicious.holds(&measured));
        if shows {
            self.trail.push(inquiry);
        }
        Ok(shows)
    }

    fn goes_on(&self) -> bool {
        !self.place.is_interrupted() && Instant::now() < self.until
    }
}
