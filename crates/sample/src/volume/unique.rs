//! A memory of earlier samples, of bounded size.

use rustc_hash::FxHashSet;

/// Bytes that one entry takes, with the free places of a hash table that has just grown.
const BYTES_PER_ENTRY: usize = 40;

/// The samples of a run, or the latest of them, by fingerprints of 128 bits. Two different samples have the same
/// fingerprint with a probability of less than 10^-20 among a thousand million.
#[derive(Debug)]
pub struct Unique {
    recent: FxHashSet<u128>,
    /// The samples before the recent ones, as many as fill half of the memory.
    older: FxHashSet<u128>,
    capacity: usize,
    forgotten: bool,
}

impl Unique {
    /// Creates a memory without samples, which never exceeds this number of bytes.
    pub fn new(bytes: usize) -> Self {
        let capacity = (bytes / BYTES_PER_ENTRY / 2).max(1);
        Unique { recent: FxHashSet::default(), older: FxHashSet::default(), capacity, forgotten: false }
    }

    /// Adds a sample; whether it was not there.
    pub fn insert(&mut self, fingerprint: u128) -> bool {
        if self.contains(fingerprint) {
            return false;
        }
        if self.recent.len() == self.capacity {
            self.forgotten |= !self.older.is_empty();
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(fingerprint)
    }

    /// Whether a sample is there.
    pub fn contains(&self, fingerprint: u128) -> bool {
        self.older.contains(&fingerprint) || self.recent.contains(&fingerprint)
    }

    /// The number of bytes taken, at most the number allowed.
    pub fn bytes(&self) -> usize {
        (self.older.len() + self.recent.len()) * BYTES_PER_ENTRY
    }

    /// The number of latest samples that are known to be different from one another; `None` while that is all.
    pub fn window(&self) -> Option<usize> {
        self.forgotten.then_some(self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_known_until_memory_is_full_and_the_latest_ever_after() {
        let mut unique = Unique::new(100 * 2 * BYTES_PER_ENTRY);
        for fingerprint in 0..200 {
            assert!(unique.insert(fingerprint) && !unique.insert(fingerprint));
        }
        assert!((0..200).all(|fingerprint| !unique.insert(fingerprint)));
        assert_eq!(unique.window(), None);
        for fingerprint in 200..350 {
            assert!(unique.insert(fingerprint));
        }
        assert_eq!(unique.window(), Some(100));
        assert!((250..350).all(|fingerprint| !unique.insert(fingerprint)));
        assert!(unique.insert(0));
    }
}
