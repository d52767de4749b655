//! Solutions one by one, and how the run that found them has ended.

use std::collections::VecDeque;

use crate::error::Error;
use crate::samples::Samples;
use crate::solution::Solution;
use crate::stream::{Stream, Update};

/// The solutions of a run, from [`Sampler::solutions`](crate::Sampler::solutions). Dropping the iterator ends the run.
///
/// ```
/// use sundry::{Formula, Strategy};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut solutions = formula.sampler().strategy(Strategy::All).solutions()?;
/// let mut count = 0;
/// for solution in &mut solutions {
///     assert!(solution?.value("p").is_some());
///     count += 1;
/// }
/// assert_eq!(count, 3);
/// assert!(solutions.finished().is_some_and(|samples| samples.is_complete()));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Debug)]
pub struct Solutions {
    stream: Stream,
    /// The solutions that have come and were not taken yet.
    waiting: VecDeque<Solution>,
    finished: Option<Samples>,
}

impl Solutions {
    pub(crate) fn new(stream: Stream) -> Solutions {
        Solutions { stream, waiting: VecDeque::new(), finished: None }
    }

    /// The figures of the run, once it has ended; they have the solutions of a set, and none of those that were handed out as they were
    /// found.
    ///
    /// ```
    /// use sundry::{Formula, StopReason};
    ///
    /// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
    /// let mut solutions = formula.sampler().solutions()?;
    /// assert_eq!(solutions.by_ref().count(), 1);
    /// assert_eq!(solutions.finished().map(|samples| samples.stopped_by), Some(StopReason::Complete));
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn finished(&self) -> Option<&Samples> {
        self.finished.as_ref()
    }
}

impl Iterator for Solutions {
    type Item = Result<Solution, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(solution) = self.waiting.pop_front() {
                return Some(Ok(solution));
            }
            match self.stream.next()? {
                Ok(Update::Solutions(solutions)) => self.waiting.extend(solutions),
                Ok(Update::Finished(samples)) => {
                    self.waiting.extend(samples.solutions.iter().cloned());
                    self.finished = Some(samples);
                }
                Ok(Update::Preparing(_) | Update::Set { .. }) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
