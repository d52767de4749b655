//! A check with progress, an end from outside, and a file for the smallest script so far.

use std::sync::atomic::Ordering;

use sundry::term::TermStore;
use sundry_fuzz::{Candidate, Check, ScriptCommandError};
use sundry_smtlib::ScriptText;

use super::{Watch, not_run};
use crate::failure::Failure;
use crate::values::counted;

/// A check that is watched.
pub(super) struct Watched<'a, C> {
    check: C,
    watch: Watch<'a>,
    checks: usize,
    smallest: Option<String>,
}

impl<'a, C> Watched<'a, C> {
    pub(super) fn new(check: C, watch: Watch<'a>) -> Self {
        Watched { check, watch, checks: 0, smallest: None }
    }

    /// Takes the progress off the screen. The smallest script that showed what was looked for.
    pub(super) fn end(self) -> Option<String> {
        self.watch.bar.finish_and_clear();
        self.smallest
    }

    /// Keeps the smallest script so far, if it was found among those that were just tried.
    fn tell(&mut self, tried: usize, smallest: Option<&str>) -> Result<(), Failure> {
        self.checks += tried;
        if let Some(text) = smallest {
            self.watch.bar.set_message(format!(
                "{} bytes after {}",
                text.len(),
                counted(self.checks, "script")
            ));
            self.smallest = Some(text.to_string());
            if let Some(output) = self.watch.output {
                output.replace(text.as_bytes())?;
            }
        }
        self.watch.bar.tick();
        Ok(())
    }
}

impl<S, C: Check<S, Error = ScriptCommandError>> Check<S> for Watched<'_, C> {
    type Error = Failure;

    fn shows(&mut self, store: &mut TermStore, subject: &S, text: &ScriptText) -> Result<bool, Failure> {
        let shows = self.check.shows(store, subject, text).map_err(|error| not_run(&error))?;
        self.tell(1, shows.then_some(text))?;
        Ok(shows)
    }

    fn goes_on(&self) -> bool {
        self.check.goes_on() && !self.watch.stop.load(Ordering::Relaxed)
    }

    fn width(&self) -> usize {
        self.check.width()
    }

    fn first_that_shows(
        &mut self,
        store: &mut TermStore,
        candidates: &[Candidate<S>],
    ) -> Result<Option<usize>, Failure> {
        let first = self.check.first_that_shows(store, candidates).map_err(|error| not_run(&error))?;
        self.tell(
            first.map_or(candidates.len(), |first| first + 1),
            first.map(|first| &*candidates[first].text),
        )?;
        Ok(first)
    }
}
