//! The threads of a batch.
//!
//! Each thread takes the next item when it is free. Queues for each thread were rejected: formulas take a millisecond
//! or an hour, and which one is unknown before.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The work on the items of a batch, done by several threads at once.
///
/// ```
/// use sundry::batch::{Worker, run};
///
/// struct Doubling;
///
/// impl Worker for Doubling {
///     type Item = u32;
///     type Entry = u32;
///
///     fn work(&self, item: &u32) -> u32 {
///         2 * item
///     }
/// }
///
/// assert_eq!(run(&[1, 2, 3], 2, &Doubling), [2, 4, 6]);
/// ```
pub trait Worker: Sync {
    /// The type of the items to work on.
    type Item: Sync;
    /// The type of the result of an item.
    type Entry: Send + Sync;

    /// Works on an item.
    fn work(&self, item: &Self::Item) -> Self::Entry;

    /// The result of an earlier run for an item, where it still counts. The item is not worked on then.
    fn earlier(&self, _item: &Self::Item) -> Option<Self::Entry> {
        None
    }

    /// The result for an item whose turn comes after a request to stop. The item is not worked on then.
    fn stopped(&self, _item: &Self::Item) -> Option<Self::Entry> {
        None
    }

    /// Keeps what a thread has made of an item, as soon as it is there.
    fn keep(&self, _entry: &Self::Entry) {}

    /// Reports that one more item is done.
    fn advance(&self) {}
}

/// Goes through all items with a number of threads, at least one. The entries are in the order of the items.
///
/// ```
/// use sundry::batch::{Worker, run};
///
/// struct Doubling;
///
/// impl Worker for Doubling {
///     type Item = u32;
///     type Entry = u32;
///
///     fn work(&self, item: &u32) -> u32 {
///         2 * item
///     }
/// }
///
/// assert!(run(&[], 4, &Doubling).is_empty());
/// ```
pub fn run<W: Worker>(items: &[W::Item], threads: usize, worker: &W) -> Vec<W::Entry> {
    let next = AtomicUsize::new(0);
    let entries: Vec<OnceLock<W::Entry>> = items.iter().map(|_| OnceLock::new()).collect();
    thread::scope(|scope| {
        for _ in 0..threads.max(1).min(items.len()) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number) else { break };
                    let _ = entries[number].set(entry(item, worker));
                    worker.advance();
                }
            });
        }
    });
    entries.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// The result of one item.
fn entry<W: Worker>(item: &W::Item, worker: &W) -> W::Entry {
    if let Some(entry) = worker.earlier(item).or_else(|| worker.stopped(item)) {
        return entry;
    }
    let entry = worker.work(item);
    worker.keep(&entry);
    entry
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Squares numbers but those that are known, up to a limit.
    struct Squares {
        kept: Mutex<Vec<u32>>,
        advanced: AtomicUsize,
    }

    impl Worker for Squares {
        type Item = u32;
        type Entry = u32;

        fn work(&self, item: &u32) -> u32 {
            item * item
        }

        fn earlier(&self, item: &u32) -> Option<u32> {
            (*item == 3).then_some(1000)
        }

        fn stopped(&self, item: &u32) -> Option<u32> {
            (*item > 50).then_some(0)
        }

        fn keep(&self, entry: &u32) {
            self.kept.lock().expect("no thread has panicked").push(*entry);
        }

        fn advance(&self) {
            self.advanced.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn entries_are_in_order_and_only_new_ones_are_kept() {
        let items: Vec<u32> = (0..60).collect();
        for threads in [0, 1, 4, 100] {
            let worker = Squares { kept: Mutex::default(), advanced: AtomicUsize::new(0) };
            let entries = run(&items, threads, &worker);
            let expected = |item| match item {
                3 => 1000,
                51.. => 0,
                item => item * item,
            };
            assert_eq!(entries, items.iter().copied().map(expected).collect::<Vec<_>>());
            let mut kept = worker.kept.into_inner().expect("no thread has panicked");
            kept.sort_unstable();
            assert_eq!(kept, (0..=50).filter(|&item| item != 3).map(|item| item * item).collect::<Vec<_>>());
            assert_eq!(worker.advanced.into_inner(), 60);
        }
    }
}
