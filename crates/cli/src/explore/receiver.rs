//! The receiver of everything that an exploration does.

use std::sync::atomic::Ordering;

use indicatif::ProgressBar;
use sundry_explore::{Observer, Question, Test};

use super::collected::Collected;
use super::plan::ExplorePlan;
use super::queries::Queries;
use super::queue::Queue;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Stop;
use crate::progress::style;
use crate::values::counted;

/// Hands tests and questions to all who want them, and stops the exploration at the first failure.
pub struct Receiver<'p> {
    collected: Collected<'p>,
    queue: Option<Queue>,
    queries: Option<Queries>,
    stop: &'p Stop,
    console: &'p Console,
    bar: ProgressBar,
    failure: Option<Failure>,
}

impl<'p> Receiver<'p> {
    /// A receiver that has received nothing.
    ///
    /// # Errors
    /// A folder for results cannot be written to.
    pub fn new(plan: &'p ExplorePlan, stop: &'p Stop, console: &'p Console) -> Result<Receiver<'p>, Failure> {
        let bar = console.bars().add(ProgressBar::new_spinner());
        bar.set_style(style("{elapsed:>5} {spinner} {msg}"));
        Ok(Receiver {
            collected: Collected::new(plan),
            queue: plan
                .afl
                .as_ref()
                .map(|(folder, source)| Queue::new(folder, source.clone()))
                .transpose()?,
            queries: plan.queries.as_deref().map(Queries::new).transpose()?,
            stop,
            console,
            bar,
            failure: None,
        })
    }

    /// The tests and errors at the end.
    ///
    /// # Errors
    /// Results could not be written.
    pub fn finish(self) -> Result<Collected<'p>, Failure> {
        self.bar.finish_and_clear();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(self.collected),
        }
    }

    /// Stops the exploration where something has failed.
    fn note(&mut self, result: Result<(), Failure>) {
        if let Err(failure) = result
            && self.failure.is_none()
        {
            self.failure = Some(failure);
            self.stop.interrupted.store(true, Ordering::Relaxed);
        }
    }
}

impl Observer for Receiver<'_> {
    fn test(&mut self, test: &Test<'_>) {
        let taken = self.collected.take(test);
        self.note(taken);
        if test.new_edges > 0
            && let Some(queue) = &mut self.queue
        {
            let added = queue.add(test, self.console);
            self.note(added);
        }
        if self.console.shows_progress() {
            let errors = self.collected.errors.len();
            self.bar.set_message(format!(
                "{}, {}",
                counted(test.number as usize, "path"),
                counted(errors, "error")
            ));
            self.bar.tick();
        }
    }

    fn question(&mut self, question: &Question<'_>) {
        if let Some(queries) = &mut self.queries {
            let written = queries.write(question, self.console);
            self.note(written);
        }
    }
}
