//! Threads that share the work of a campaign, and a receiver for their reports.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use sundry_term::{Control, Stopped};

use crate::ask::asker::Asker;
use crate::campaign::schedule::{Schedule, Seeds, Turn};
use crate::campaign::{Campaign, Context, Event};

/// The interval at which the receiver looks at the control while there are no reports.
const LOOK: Duration = Duration::from_millis(100);

/// The work of a thread, given an asker.
pub type Work<'w> = dyn Fn(Asker<'_>) -> io::Result<()> + 'w;

/// The place where the threads of a campaign work.
pub trait Workplace: Sync {
    /// The error for which work cannot continue.
    type Error: Send;

    /// Does some work with an asker that has a separate folder, and converts its errors.
    ///
    /// # Errors
    /// The folder cannot be made, or a solver cannot be run.
    fn with_asker(&self, work: &Work<'_>) -> Result<(), Self::Error>;

    /// Does some work of which a panic is to be an error.
    ///
    /// # Errors
    /// The work panics.
    fn shield(&self, work: &mut dyn FnMut()) -> Result<(), Self::Error>;
}

/// A report of a thread of a campaign.
#[derive(Clone, Debug)]
pub enum Report<E> {
    /// Something was found.
    Event(Event),
    /// A seed had its turn.
    Turn(Turn<E>),
}

/// The end of a campaign.
#[derive(Clone, Debug)]
pub struct Conducted<E> {
    /// The limit that has ended the campaign, if one has.
    pub limit: Option<Stopped>,
    /// The first error of a thread, or of the receiver of reports.
    pub error: Option<E>,
}

/// Has `threads` threads share the work of a schedule until all is done or `interrupted` is set. A limit of `control`, and
/// the first error, set it. `take` gets every report, and whether all that came before could be taken.
pub fn conduct<S, P>(
    campaign: Campaign<'_>,
    schedule: &Schedule<'_, S>,
    workplace: &P,
    threads: usize,
    control: &Control,
    interrupted: &AtomicBool,
    take: &mut dyn FnMut(Report<S::Error>, bool) -> Result<(), P::Error>,
) -> Conducted<P::Error>
where
    S: Seeds<Error = P::Error>,
    P: Workplace,
{
    let mut conducted = Conducted { limit: None, error: None };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                // The channel is closed only if the receiver has panicked.
                let tell = |event| drop(sender.send(Ok(Report::Event(event))));
                let work = |asker: Asker<'_>| {
                    let context = Context { campaign, asker, tell: &tell };
                    let report = |turn| drop(sender.send(Ok(Report::Turn(turn))));
                    schedule.work(context, &|work| workplace.shield(work), &report)
                };
                if let Err(error) = workplace.with_asker(&work) {
                    drop(sender.send(Err(error)));
                }
            });
        }
        drop(sender);
        loop {
            if let Some(limit) = limit_of(control) {
                conducted.limit.get_or_insert(limit);
                interrupted.store(true, Ordering::Relaxed);
            }
            let reported = match receiver.recv_timeout(LOOK) {
                Ok(reported) => reported,
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => continue,
            };
            let is_whole = conducted.error.is_none();
            if let Err(error) = reported.and_then(|report| take(report, is_whole)) {
                conducted.error.get_or_insert(error);
                interrupted.store(true, Ordering::Relaxed);
            }
        }
    });
    // All threads may have seen the end before anybody looked here.
    conducted.limit = conducted.limit.or_else(|| limit_of(control));
    conducted
}

/// The limit that ends a campaign, once one does.
fn limit_of(control: &Control) -> Option<Stopped> {
    control.check().err().filter(|stopped| *stopped != Stopped::Interrupted)
}
