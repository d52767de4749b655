//! A run in a thread of its own. Solvers cannot move from one thread to another, but their results can.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sundry_sample::{Covered, Event, Preparation, Request, sample};

use crate::error::{Error, ErrorKind};
use crate::formula::Formula;
use crate::sampler::solutions;
use crate::samples::Samples;
use crate::solution::Solution;

/// The maximal number of updates that wait. A run that is further ahead of its reader waits too, so that memory does
/// not grow.
const WAITING: usize = 16;

/// A report of a run in progress.
///
/// ```
/// use sundry::{Formula, Update};
///
/// let formula = Formula::parse("(declare-const p Bool) (declare-const q Bool) (assert (or p q))")?;
/// let mut best = 0;
/// for update in formula.sampler().stream()? {
///     match update? {
///         Update::Set { covered, .. } => best = best.max(covered.count()),
///         Update::Finished(samples) => assert!(samples.is_complete()),
///         Update::Preparing(_) | Update::Solutions(_) => {}
///     }
/// }
/// assert_eq!(best, 5);
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Update {
    /// Something is made ready before the search begins.
    Preparing(Preparation),
    /// Further solutions, which stay as they are.
    Solutions(Vec<Solution>),
    /// The set of solutions is another one, or more is known about it.
    Set {
        /// The present set, those that add most first but for the latest solutions.
        solutions: Vec<Solution>,
        /// The coverage of the set.
        covered: Covered,
        /// The proved lower bound on the size of sets that cover as much; 0 where nothing is known.
        lower_bound: usize,
    },
    /// The run has ended: the last update. Solutions that came in earlier updates as they were found are not repeated.
    Finished(Samples),
}

/// The end of [`Stream::wait`].
///
/// ```
/// use std::time::Duration;
/// use sundry::{Formula, Waited};
///
/// let mut stream = Formula::parse("(declare-const p Bool) (assert p)")?.sampler().stream()?;
/// while !matches!(stream.wait(Duration::from_millis(50))?, Waited::End) {}
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum Waited {
    /// An update has come.
    Update(Update),
    /// Nothing has come in time.
    Nothing,
    /// The run has ended, and all updates were taken.
    End,
}

/// The updates of a run in a thread of its own, from [`Sampler::stream`](crate::Sampler::stream). Dropping the stream
/// ends the run.
///
/// ```
/// use sundry::{Formula, Update};
///
/// let formula = Formula::parse("(declare-const p Bool) (assert p)")?;
/// let updates: Vec<Update> = formula.sampler().stream()?.collect::<Result<_, _>>()?;
/// assert!(matches!(updates.last(), Some(Update::Finished(_))));
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Debug)]
pub struct Stream {
    updates: Option<Receiver<Result<Update, Error>>>,
    dropped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Stream {
    pub(crate) fn start(formula: Formula, mut request: Request) -> Result<Stream, Error> {
        let (sender, updates) = sync_channel(WAITING);
        let dropped = Arc::new(AtomicBool::new(false));
        request.control = request.control.with_superseded(Arc::clone(&dropped));
        let thread = thread::Builder::new()
            .name("sundry-sample".to_string())
            .spawn(move || run(&formula, &request, &sender))
            .map_err(|error| Error::new(ErrorKind::Limit, format!("no thread can be started: {error}")))?;
        Ok(Stream { updates: Some(updates), dropped, thread: Some(thread) })
    }

    /// Waits for the next update, but not longer than this: callers that have something else to do between (a signal to look at,
    /// a bar to redraw) call again.
    ///
    /// # Errors
    /// The run has failed; it has ended then.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sundry::{Formula, Granularity, Strategy, Update, Waited};
    ///
    /// let formula = Formula::parse("(declare-const x (_ BitVec 16))")?;
    /// let sampler = formula.sampler().strategy(Strategy::SmtSampler(Granularity::Bit)).max_solutions(100);
    /// let mut stream = sampler.stream()?;
    /// let mut count = 0;
    /// loop {
    ///     match stream.wait(Duration::from_millis(50))? {
    ///         Waited::Update(Update::Solutions(solutions)) => count += solutions.len(),
    ///         Waited::Update(_) | Waited::Nothing => {}
    ///         Waited::End => break,
    ///     }
    /// }
    /// assert_eq!(count, 100);
    /// # Ok::<(), sundry::Error>(())
    /// ```
    pub fn wait(&mut self, time: Duration) -> Result<Waited, Error> {
        let Some(updates) = &self.updates else { return Ok(Waited::End) };
        match updates.recv_timeout(time) {
            Ok(update) => update.map(Waited::Update),
            Err(RecvTimeoutError::Timeout) => Ok(Waited::Nothing),
            Err(RecvTimeoutError::Disconnected) => Ok(Waited::End),
        }
    }
}

impl Iterator for Stream {
    type Item = Result<Update, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.updates.as_ref()?.recv().ok()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::Relaxed);
        // A thread that waits for room continues when the receiver is gone.
        self.updates = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Runs a request and sends its reports.
fn run(formula: &Formula, request: &Request, sender: &SyncSender<Result<Update, Error>>) {
    let result = sample(&formula.parts().problem, request, &mut |event| {
        let update = match event {
            Event::Preparing(preparation) => Update::Preparing(preparation),
            Event::Solutions(found) => Update::Solutions(solutions(formula, found.models().map(Arc::new))),
            Event::Set(progress) => Update::Set {
                solutions: solutions(formula, progress.solutions.iter().map(|rated| rated.model.clone())),
                covered: progress.covered,
                lower_bound: progress.lower_bound,
            },
            // The summary counts them.
            Event::Rejected(_) => return ControlFlow::Continue(()),
        };
        match sender.send(Ok(update)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    let last = result
        .map_err(|error| formula.cannot_sample(&error))
        .and_then(|summary| Samples::new(formula, summary, Vec::new()));
    // Without a receiver, the result of the run is not needed.
    let _ = sender.send(last.map(Update::Finished));
}
