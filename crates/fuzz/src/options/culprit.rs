//! The options without which a defect does not show.

use std::io;

use sundry_external::Reply;

use crate::judge::oracle::Examination;
use crate::options::configured::Configured;

/// A defect that showed again, with the options that it needs.
pub(crate) struct Culprit<'s> {
    pub(crate) solver: Configured<'s>,
    pub(crate) examination: Examination,
    /// The reply that shows it.
    pub(crate) reply: Reply,
}

impl<'s> Culprit<'s> {
    /// Repeats a defect with as few options of the solver as possible, where `repeat` asks the solver once more, and returns the
    /// defect if it is the same. `None` if the defect does not show again.
    ///
    /// # Errors
    /// The errors of `repeat`.
    pub(crate) fn find(
        solver: &Configured<'s>,
        mut repeat: impl FnMut(&Configured<'s>) -> io::Result<Option<(Examination, Reply)>>,
    ) -> io::Result<Option<Culprit<'s>>> {
        let mut culprit = None;
        let mut shows = |solver: &Configured<'s>| {
            let Some((examination, reply)) = repeat(solver)? else { return Ok(false) };
            culprit = Some(Culprit { solver: solver.clone(), examination, reply });
            Ok(true)
        };
        let fewest = solver.with_fewest_options(&mut shows)?;
        if fewest.options == solver.options {
            // Only smaller sets of options were tried so far.
            shows(&fewest)?;
        }
        Ok(culprit)
    }
}
