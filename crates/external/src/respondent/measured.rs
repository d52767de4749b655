//! A respondent that adds up the resources of another's runs.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{Circumstances, Inquiry, Respondent};
use crate::reply::Reply;

/// A meter of the resources that one or several respondents have used so far. Threads may add to it concurrently.
#[derive(Debug, Default)]
pub struct Meter {
    runs: AtomicU64,
    wall: AtomicU64,
    processor: AtomicU64,
    memory: AtomicU64,
}

/// The figures that a [`Meter`] shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The number of runs.
    pub runs: u64,
    /// Time from the start to the end of each run, of all runs together.
    pub wall: Duration,
    /// Processor time of all runs together.
    pub processor: Duration,
    /// The most resident memory of one run, in bytes.
    pub memory: u64,
}

impl Meter {
    /// The figures so far.
    pub fn read(&self) -> Reading {
        let nanoseconds = |sum: &AtomicU64| Duration::from_nanos(sum.load(Ordering::Relaxed));
        Reading {
            runs: self.runs.load(Ordering::Relaxed),
            wall: nanoseconds(&self.wall),
            processor: nanoseconds(&self.processor),
            memory: self.memory.load(Ordering::Relaxed),
        }
    }

    fn add(&self, reply: &Reply) {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.wall.fetch_add(nanoseconds(reply.finished.wall), Ordering::Relaxed);
        self.processor.fetch_add(nanoseconds(reply.finished.processor), Ordering::Relaxed);
        self.memory.fetch_max(reply.finished.memory, Ordering::Relaxed);
    }
}

/// A respondent whose runs are added up by a [`Meter`], which others may share.
#[derive(Debug)]
pub struct Measured<R> {
    inner: R,
    meter: Arc<Meter>,
}

impl<R: Respondent> Measured<R> {
    /// Adds the runs of this respondent to those that the meter shows.
    pub fn new(inner: R, meter: Arc<Meter>) -> Measured<R> {
        Measured { inner, meter }
    }
}

impl<R: Respondent> Respondent for Measured<R> {
    same_as_inner!();

    fn ask(&self, inquiry: &Inquiry, circumstances: Circumstances<'_>) -> io::Result<Reply> {
        let reply = self.inner.ask(inquiry, circumstances)?;
        self.meter.add(&reply);
        Ok(reply)
    }
}
