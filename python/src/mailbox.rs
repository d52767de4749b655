//! The channel between a search and the iterator that hands out what it finds.
//!
//! A search that is further ahead than its reader waits, so that memory does not grow. Progress is different: only the latest
//! report is of interest, and a reader that looks at none holds nothing up. A channel of the standard library has no
//! place for that, and cannot be measured by the number of solutions.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A bounded queue of items, the latest progress, and the end.
pub struct Mailbox<T, P, E> {
    state: Mutex<State<T, P, E>>,
    changed: Condvar,
    /// The number of items from which on the sender waits.
    room: usize,
}

struct State<T, P, E> {
    items: VecDeque<T>,
    progress: Option<P>,
    end: Option<E>,
    is_abandoned: bool,
}

/// The answers that a reader gets.
pub enum Mail<T, P> {
    /// The next item.
    Item(T),
    /// Progress since the last look.
    Progress(P),
    /// Nothing came within the time.
    Nothing,
    /// The run has ended, and all its items are read.
    End,
}

impl<T, P, E> Mailbox<T, P, E> {
    /// A mailbox whose sender waits while it holds so many items.
    pub fn new(room: usize) -> Self {
        let state = State { items: VecDeque::new(), progress: None, end: None, is_abandoned: false };
        Mailbox { state: Mutex::new(state), changed: Condvar::new(), room }
    }

    /// A panic elsewhere leaves the state as it was before or after a change.
    fn lock(&self) -> MutexGuard<'_, State<T, P, E>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends items, and waits while there is no room. Whether anybody still wants more.
    pub fn send(&self, items: impl IntoIterator<Item = T>) -> bool {
        let mut state = self.lock();
        state.items.extend(items);
        self.changed.notify_all();
        while state.items.len() >= self.room && !state.is_abandoned {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.is_abandoned
    }

    /// Reports progress in place of the last report. Whether anybody still wants more.
    pub fn report(&self, progress: P) -> bool {
        let mut state = self.lock();
        state.progress = Some(progress);
        self.changed.notify_all();
        !state.is_abandoned
    }

    /// Sends the last items and the end.
    pub fn close(&self, items: impl IntoIterator<Item = T>, end: E) {
        let mut state = self.lock();
        state.items.extend(items);
        state.end = Some(end);
        self.changed.notify_all();
    }

    /// Says that nobody wants more.
    pub fn abandon(&self) {
        self.lock().is_abandoned = true;
        self.changed.notify_all();
    }

    /// Waits for mail, at most so long.
    pub fn receive(&self, within: Duration) -> Mail<T, P> {
        let is_empty = |state: &mut State<T, P, E>| {
            state.items.is_empty() && state.progress.is_none() && state.end.is_none()
        };
        let (mut state, _) = self
            .changed
            .wait_timeout_while(self.lock(), within, is_empty)
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(progress) = state.progress.take() {
            return Mail::Progress(progress);
        }
        if let Some(item) = state.items.pop_front() {
            if state.items.len() + 1 == self.room {
                self.changed.notify_all();
            }
            return Mail::Item(item);
        }
        if state.end.is_some() { Mail::End } else { Mail::Nothing }
    }

    /// The next item if it is there.
    pub fn take(&self) -> Option<T> {
        let mut state = self.lock();
        if state.progress.is_some() {
            return None;
        }
        let item = state.items.pop_front();
        if item.is_some() && state.items.len() + 1 == self.room {
            self.changed.notify_all();
        }
        item
    }

    /// Looks at the end, if it has come.
    pub fn at_end<R>(&self, look: impl FnOnce(Option<&E>) -> R) -> R {
        look(self.lock().end.as_ref())
    }
}
