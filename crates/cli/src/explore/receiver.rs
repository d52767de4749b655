//! The receiver of everything that an exploration does.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use sundry_explore::{ExploreStatistics, Input, Observer, Question, Test, Variables};

use super::collected::Collected;
use super::curve::{Curve, Point};
use super::gains::Gains;
use super::journal::Journal;
use super::live::LiveLine;
use super::plan::ExplorePlan;
use super::queries::Queries;
use super::queue::Queue;
use super::siblings::Siblings;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Stop;

/// Hands tests and questions to all who want them, and stops the exploration at the first failure.
pub struct Receiver<'p> {
    collected: Collected<'p>,
    journal: Option<Journal>,
    queue: Option<Queue>,
    siblings: Option<Siblings>,
    queries: Option<Queries>,
    curve: Curve,
    gains: Gains,
    line: LiveLine,
    start: Instant,
    /// The greatest time without anything new, and the time of what was new last.
    idle: (Option<Duration>, Instant),
    stop: &'p Stop,
    console: &'p Console,
    failure: Option<Failure>,
}

impl<'p> Receiver<'p> {
    /// A receiver that has received nothing.
    ///
    /// # Errors
    /// A folder for results cannot be written to.
    pub fn new(
        plan: &'p ExplorePlan,
        journal: Option<Journal>,
        (stop, console): (&'p Stop, &'p Console),
    ) -> Result<Receiver<'p>, Failure> {
        Ok(Receiver {
            collected: Collected::new(plan),
            journal,
            queue: plan.afl.as_ref().map(|(folder, source)| Queue::new(folder, source)).transpose()?,
            siblings: plan.afl.as_ref().map(|(folder, source)| Siblings::new(folder, source)),
            queries: plan.queries.as_deref().map(|folder| Queries::new(folder, plan.resumes)).transpose()?,
            curve: Curve::new(),
            gains: Gains::default(),
            line: LiveLine::new(console),
            start: plan.start,
            idle: (plan.idle, Instant::now()),
            stop,
            console,
            failure: None,
        })
    }

    /// Tests and errors at the end, the curve to the counters of the end, and the gains of tests.
    ///
    /// # Errors
    /// Results could not be written.
    pub fn finish(
        self,
        statistics: &ExploreStatistics,
    ) -> Result<(Collected<'p>, Vec<Point>, Gains), Failure> {
        self.line.finish();
        if let Some(siblings) = &self.siblings {
            siblings.finish(self.console);
        }
        match self.failure {
            Some(failure) => Err(failure),
            None => {
                let curve = self.curve.finish(self.start.elapsed(), statistics);
                Ok((self.collected, curve, self.gains))
            }
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
        self.gains.note(test, self.start.elapsed().as_secs_f64());
        let errors = self.collected.errors.len();
        let taken = self.collected.take(test);
        self.note(taken);
        if test.new_edges > 0 || self.collected.errors.len() > errors {
            self.idle.1 = Instant::now();
        }
        if test.new_edges > 0
            && let Some(queue) = &mut self.queue
        {
            let added = queue.add(test, self.console);
            self.note(added);
        }
    }

    fn shortened(&mut self, test: &Test<'_>) {
        let noted = self.collected.note(test);
        self.note(noted);
    }

    fn question(&mut self, question: &Question<'_>) {
        if let Some(queries) = &mut self.queries {
            let written = queries.write(question, self.console);
            self.note(written);
        }
        // What a failure has kept from the disk does not count as done.
        if self.failure.is_none()
            && let Some(journal) = &mut self.journal
        {
            let added = journal.add(question);
            self.note(added);
        }
    }

    fn wants_conditions(&self) -> bool {
        self.queries.is_some()
    }

    fn imports(&mut self, variables: &Variables) -> Vec<Input> {
        match self.siblings.as_mut().map_or(Ok(Vec::new()), |siblings| siblings.news(variables)) {
            Ok(inputs) => inputs,
            Err(failure) => {
                self.note(Err(failure));
                Vec::new()
            }
        }
    }

    fn has_enough(&self) -> bool {
        let (longest, newest) = self.idle;
        longest.is_some_and(|longest| newest.elapsed() >= longest)
    }

    fn step(&mut self, count: &dyn Fn() -> ExploreStatistics) {
        let elapsed = self.start.elapsed();
        let (is_line_due, is_point_due) = (self.line.is_due(elapsed), self.curve.wants_point(elapsed));
        if !is_line_due && !is_point_due {
            return;
        }
        let statistics = count();
        if is_line_due {
            self.line.show(elapsed, &statistics);
        }
        if is_point_due {
            self.curve.add(elapsed, &statistics);
        }
    }
}
