//! Fixed-length sets of bit positions, word-parallel.

/// A set of numbers below a fixed length.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitSet {
    words: Vec<u64>,
    length: usize,
}

impl BitSet {
    /// The empty set of numbers below `length`.
    pub fn new(length: usize) -> Self {
        BitSet { words: vec![0; length.div_ceil(64)], length }
    }

    /// The set of the bits of some words that are 1, of which those from `length` on are 0.
    pub fn from_words(words: Vec<u64>, length: usize) -> Self {
        debug_assert_eq!(words.len(), length.div_ceil(64));
        BitSet { words, length }
    }

    /// The bound on the numbers.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether the number is in the set.
    pub fn contains(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Adds a number.
    pub fn insert(&mut self, number: usize) {
        debug_assert!(number < self.length);
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Takes a number out.
    pub fn remove(&mut self, number: usize) {
        self.words[number / 64] &= !(1 << (number % 64));
    }

    /// The number of elements of the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no number is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Adds all numbers of another set of the same length.
    pub fn union_with(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Adds all numbers that another set of the same length lacks.
    pub fn insert_complement(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= !other;
        }
        if let Some(last) = self.words.last_mut()
            && !self.length.is_multiple_of(64)
        {
            *last &= (1 << (self.length % 64)) - 1;
        }
    }

    /// Takes out all numbers of another set of the same length.
    pub fn subtract(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// Keeps only numbers that are in another set of the same length.
    pub fn intersect_with(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Whether the two sets have a number in common.
    pub fn intersects(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(word, other)| word & other != 0)
    }

    /// The number of elements that are in this set and not in another.
    pub fn count_without(&self, other: &BitSet) -> usize {
        self.words.iter().zip(&other.words).map(|(word, other)| (word & !other).count_ones() as usize).sum()
    }

    /// The number of elements that are in this set or another.
    pub fn count_with(&self, other: &BitSet) -> usize {
        self.words.iter().zip(&other.words).map(|(word, other)| (word | other).count_ones() as usize).sum()
    }

    /// Whether every number is in another set too.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & !other == 0)
    }

    /// The numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        numbers(self.words.iter().copied())
    }

    /// The numbers of this set that are not in another, in ascending order.
    pub fn iter_without<'a>(&'a self, other: &'a BitSet) -> impl Iterator<Item = usize> + 'a {
        numbers(self.words.iter().zip(&other.words).map(|(word, other)| word & !other))
    }
}

/// The numbers of the bits of some words that are 1.
fn numbers(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(position, word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(position * 64 + bit)
        })
    })
}
