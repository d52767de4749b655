//! Keeps a file at the best set of solutions found so far, while the search continues.
//!
//! Writing to a disk may take long and must not hold up the search, so a thread of its own writes
//! the set that was offered last; sets that come in between are skipped. Writing every set from
//! the search itself was rejected: a search that finds a thousand solutions would write the file a
//! thousand times. The first set is not written at once either: most searches of small formulas end
//! before that, and to make sure that a file is on the disk takes longer than such a search.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use sundry::Model;

use crate::console::Console;
use crate::output::{OutputFile, SolutionWriter};

/// Copying sets for the writer may take this much of the time of the run...
const SHARE_FOR_COPIES: f64 = 0.05;
/// ... and this much in any case.
const FREE_COPIES: Duration = Duration::from_millis(100);

/// The time between two writes, and before the first: a kill costs the search of no more than that.
const PAUSE: Duration = Duration::from_millis(500);

/// Writes the sets that it is offered to a file, in the background.
pub struct Keeper<'scope, 'env> {
    desk: &'env Desk,
    writer: Option<ScopedJoinHandle<'scope, ()>>,
    start: Instant,
    spent: Duration,
}

/// The place where a set waits for the writer.
#[derive(Default)]
pub struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Option<Vec<Model>>,
    closed: bool,
}

impl Desk {
    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_one();
    }

    /// Waits for a pause to end, and then for a set; `None` when there will be no more.
    fn take(&self) -> Option<Vec<Model>> {
        let is_open = |state: &mut State| !state.closed;
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let paused = self.changed.wait_timeout_while(state, PAUSE, is_open);
        let (state, _) = paused.unwrap_or_else(PoisonError::into_inner);
        let is_idle = |state: &mut State| !state.closed && state.waiting.is_none();
        let mut state = self.changed.wait_while(state, is_idle).unwrap_or_else(PoisonError::into_inner);
        if state.closed { None } else { state.waiting.take() }
    }
}

impl<'scope, 'env> Keeper<'scope, 'env> {
    /// Starts to keep a file, if there is one that can be replaced.
    pub fn start(
        scope: &'scope Scope<'scope, 'env>,
        desk: &'env Desk,
        file: Option<&'env OutputFile>,
        writer: SolutionWriter<'env>,
        console: &'env Console,
    ) -> Self {
        let file = file.filter(|file| file.is_regular());
        let writer = file.map(|file| scope.spawn(move || keep(desk, file, writer, console)));
        Keeper { desk, writer, start: Instant::now(), spent: Duration::ZERO }
    }

    /// Offers a set that is better than the one before.
    pub fn offer<'m>(&mut self, models: impl ExactSizeIterator<Item = &'m Model>) {
        let allowed = FREE_COPIES + self.start.elapsed().mul_f64(SHARE_FOR_COPIES);
        if self.writer.is_none() || models.len() == 0 || self.spent > allowed {
            return;
        }
        let begin = Instant::now();
        let models = models.cloned().collect();
        self.desk.update(|state| state.waiting = Some(models));
        self.spent += begin.elapsed();
    }
}

impl Drop for Keeper<'_, '_> {
    /// Ends the writing; the set that waits is not written any more.
    fn drop(&mut self) {
        self.desk.update(|state| state.closed = true);
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn keep(desk: &Desk, file: &OutputFile, writer: SolutionWriter<'_>, console: &Console) {
    let mut failing = false;
    while let Some(models) = desk.take() {
        let result = file.replace(&writer.render(models.iter()));
        // Told once: the next set is tried again, and the last one ends the run if it fails.
        if let Err(failure) = &result
            && !failing
        {
            console.failure(failure);
        }
        failing = result.is_err();
    }
}
