//! Several workers that run inputs at the same time. The results are in the order of the inputs, whoever ends first.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use sundry_external::Inquiry;

use crate::run::contest::{Contest, Place};
use crate::run::effort::Measure;
use crate::run::measured::Measured;

/// Efforts that differ by less than this share are close: the order of two candidates hangs on noise.
const CLOSE: f64 = 0.03;
/// The least share of the limit for which close efforts are measured again.
const WORTH_MEASURING: f64 = 0.1;

/// The folders of a worker.
#[derive(Clone, Debug)]
pub struct WorkerFolders {
    /// A folder for the files of solvers.
    pub files: PathBuf,
    /// A folder for counters: hundreds of files for each run, which are best kept in memory.
    pub counters: PathBuf,
}

/// Workers that share inputs, each in folders of its own.
#[derive(Debug)]
pub struct Workers {
    /// The solvers.
    pub contest: Contest,
    /// The folders of each worker.
    pub folders: Vec<WorkerFolders>,
    /// A flag that is set when work has to end.
    pub interrupted: Arc<AtomicBool>,
}

impl Workers {
    /// The place of a worker.
    pub(crate) fn place(&self, number: usize) -> Option<Place<'_>> {
        let WorkerFolders { files, counters } = self.folders.get(number)?;
        Some(Place { folder: files, counters, interrupted: &self.interrupted })
    }

    /// The same workers with limits that are so many times as high.
    pub(crate) fn raised(&self, multiple: u32) -> Workers {
        let interrupted = Arc::clone(&self.interrupted);
        Workers { contest: self.contest.raised(multiple), folders: self.folders.clone(), interrupted }
    }

    /// Runs inputs, and hands each result on as soon as it is there, with the number of its input. Returns whether all were run:
    /// if not, somebody has stopped the work.
    ///
    /// # Errors
    /// A solver cannot be run, or a result not be taken.
    pub fn run<E: From<io::Error>>(
        &self,
        inputs: &[Inquiry],
        done: &mut dyn FnMut(usize, Measured) -> Result<(), E>,
    ) -> Result<bool, E> {
        self.share(inputs.len(), &|number, place| self.contest.run(&inputs[number], place), done)
    }

    /// Does numbered tasks, each by one worker. A task without a result was stopped.
    pub(crate) fn share<T: Send, E: From<io::Error>>(
        &self,
        count: usize,
        task: &(dyn Fn(usize, Place<'_>) -> io::Result<Option<T>> + Sync),
        done: &mut dyn FnMut(usize, T) -> Result<(), E>,
    ) -> Result<bool, E> {
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let (mut all, mut first_error) = (0, None);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for place in (0..self.folders.len().min(count)).filter_map(|number| self.place(number)) {
                let (sender, next, failed) = (sender.clone(), &next, &failed);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= count || place.is_interrupted() || failed.load(Ordering::Relaxed) {
                            break;
                        }
                        // The channel is closed only if the receiver has panicked.
                        drop(sender.send((number, task(number, place))));
                    }
                });
            }
            drop(sender);
            for (number, result) in receiver {
                let taken = match result {
                    Ok(Some(result)) => done(number, result).map(|()| all += 1),
                    Ok(None) => Ok(()),
                    Err(error) => Err(E::from(error)),
                };
                if let Err(error) = taken {
                    failed.store(true, Ordering::Relaxed);
                    first_error.get_or_insert(error);
                }
            }
        });
        first_error.map_or(Ok(all == count), Err)
    }

    /// Measures those solvers again whose efforts are close to each other, so that less hangs on noise. Returns the numbers of
    /// the inputs that were measured again.
    ///
    /// # Errors
    /// A solver cannot be run.
    pub fn measure_close(&self, inputs: &[Inquiry], measured: &mut [Measured]) -> io::Result<Vec<usize>> {
        if self.contest.measure != Measure::Processor {
            return Ok(Vec::new());
        }
        let close = close(measured, self.contest.limit_amount());
        let again = |number: usize, place: Place<'_>| {
            let (mut result, number) = (measured[close[number]].clone(), close[number]);
            self.contest.run_again(&inputs[number], &mut result, place)?;
            Ok(Some(result))
        };
        let mut results = Vec::new();
        self.share::<_, io::Error>(close.len(), &again, &mut |number, result| {
            results.push((close[number], result));
            Ok(())
        })?;
        results.into_iter().for_each(|(number, result)| measured[number] = result);
        Ok(close)
    }
}

/// The inputs whose efforts are close to the next larger or smaller one, in ascending order.
fn close(measured: &[Measured], limit: f64) -> Vec<usize> {
    let mut order: Vec<(f64, usize)> = measured
        .iter()
        .enumerate()
        .filter(|(_, measured)| !measured.is_stopped() && measured.target() > WORTH_MEASURING * limit)
        .map(|(number, measured)| (measured.target(), number))
        .collect();
    order.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut close: Vec<usize> = order
        .windows(2)
        .filter(|pair| pair[1].0 - pair[0].0 < CLOSE * pair[1].0)
        .flat_map(|pair| [pair[0].1, pair[1].1])
        .collect();
    close.sort_unstable();
    close.dedup();
    close
}
