//! A colleague: a worker that works beside its owner in turns, on a thread of its own where one can be spared.
//!
//! The owner gives a turn, does other work, and takes the report later. What a turn is and when its report is taken
//! must not depend on time; then results are the same for any number of threads.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{JoinHandle, spawn};

/// Works on turns one after the other.
pub(crate) struct Colleague<Turn, Report> {
    seat: Seat<Turn, Report>,
    /// The flag that is set when no report is awaited any more.
    superseded: Arc<AtomicBool>,
}

enum Seat<Turn, Report> {
    /// The work is done on the owner's thread.
    Here { work: Box<dyn FnMut(Turn) -> Report>, report: Option<Report> },
    /// The work is done on another thread; empty once that has ended.
    There { turns: Option<Sender<Turn>>, reports: Receiver<Report>, thread: Option<JoinHandle<()>> },
}

impl<Turn: Send + 'static, Report: Send + 'static> Colleague<Turn, Report> {
    /// A colleague on a thread of its own if there are several, on this one otherwise. `start` is called there; turns are to
    /// end soon after `superseded` is set.
    pub(crate) fn new<W>(
        threads: usize,
        superseded: Arc<AtomicBool>,
        start: impl FnOnce() -> W + Send + 'static,
    ) -> Self
    where
        W: FnMut(Turn) -> Report + 'static,
    {
        let seat = if threads > 1 {
            let (turns, received) = channel();
            let (sender, reports) = channel();
            let work = move || {
                let mut work = start();
                // Once no report is taken, no turn is given.
                let _ = received.into_iter().try_for_each(|turn| sender.send(work(turn)));
            };
            Seat::There { turns: Some(turns), reports, thread: Some(spawn(work)) }
        } else {
            Seat::Here { work: Box::new(start()), report: None }
        };
        Colleague { seat, superseded }
    }

    /// Gives a turn. The report on the last one has been taken.
    pub(crate) fn give(&mut self, turn: Turn) {
        match &mut self.seat {
            Seat::Here { work, report } => *report = Some(work(turn)),
            // Where the thread has panicked, taking its report says so.
            Seat::There { turns, .. } => drop(turns.as_ref().map(|turns| turns.send(turn))),
        }
    }

    /// The report on the turn that was given, if it is there already.
    pub(crate) fn take_early(&mut self) -> Option<Report> {
        match &mut self.seat {
            Seat::Here { report, .. } => report.take(),
            Seat::There { reports, .. } => reports.try_recv().ok(),
        }
    }

    /// The report on the turn that was given, when it is there.
    pub(crate) fn take(&mut self) -> Report {
        match &mut self.seat {
            Seat::Here { report, .. } => report.take().expect("a turn was given"),
            Seat::There { reports, thread, .. } => match reports.recv() {
                Ok(report) => report,
                Err(_) => match thread.take().map(JoinHandle::join) {
                    Some(Err(panic)) => resume_unwind(panic),
                    _ => unreachable!("the thread waits for turns"),
                },
            },
        }
    }
}

impl<Turn, Report> Drop for Colleague<Turn, Report> {
    fn drop(&mut self) {
        self.superseded.store(true, Ordering::Relaxed);
        if let Seat::There { turns, thread, .. } = &mut self.seat {
            drop(turns.take());
            // A panic of the colleague no longer matters.
            let _ = thread.take().map(JoinHandle::join);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn adder(threads: usize) -> Colleague<u32, u32> {
        Colleague::new(threads, Arc::default(), || {
            let mut sum = 0;
            move |turn| {
                assert!(turn < 100, "a turn that cannot be worked on");
                sum += turn;
                sum
            }
        })
    }

    #[test]
    fn reports_are_the_same_on_any_number_of_threads() {
        for threads in [1, 2] {
            let mut colleague = adder(threads);
            let reports = [1, 2, 3].map(|turn| {
                colleague.give(turn);
                colleague.take()
            });
            assert_eq!(reports, [1, 3, 6]);
        }
    }

    #[test]
    fn a_report_can_be_taken_early_and_once() {
        for threads in [1, 2] {
            let mut colleague = adder(threads);
            assert_eq!(colleague.take_early(), None);
            colleague.give(4);
            let report = loop {
                match colleague.take_early() {
                    Some(report) => break report,
                    None => std::thread::yield_now(),
                }
            };
            assert_eq!((report, colleague.take_early()), (4, None));
        }
    }

    #[test]
    fn who_is_left_stops() {
        let superseded = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&superseded);
        let mut colleague = Colleague::new(2, superseded, move || {
            move |()| {
                while !flag.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            }
        });
        colleague.give(());
        drop(colleague);
    }

    #[test]
    fn a_panic_comes_with_the_report() {
        for threads in [1, 2] {
            let mut colleague = adder(threads);
            let panic = catch_unwind(AssertUnwindSafe(|| {
                colleague.give(100);
                colleague.take()
            }));
            let message = panic.expect_err("it panics");
            assert_eq!(message.downcast_ref(), Some(&"a turn that cannot be worked on"));
        }
    }
}
