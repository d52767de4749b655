//! The table of an array or a function in a row of words.

use sundry_lanes::value_of;
use sundry_term::{Sort, SortId, SymbolId, TermStore, Value};

/// An array or a function in a row: its default, and its elements at points.
pub(super) struct TableLayout {
    pub(super) symbol: SymbolId,
    /// The first word of the default, which points follow one after the other.
    pub(super) first: usize,
    /// The number of words and bits of an element.
    pub(super) limbs: usize,
    pub(super) width: u32,
    pub(super) points: Vec<Box<[u64]>>,
    /// The number of values of each argument, or of the index; `u64::MAX` for more than can be counted.
    pub(super) domain: Vec<u64>,
    /// The sorts of the arguments, or of the index, and of the elements.
    pub(super) arguments: Vec<SortId>,
    pub(super) element: SortId,
}

impl TableLayout {
    /// The number of possible points; `u64::MAX` for more than can be counted.
    fn size(&self) -> u64 {
        self.domain.iter().fold(1, |size: u64, &values| size.saturating_mul(values))
    }

    /// Whether every possible point is there. The default then means nothing.
    pub(super) fn is_full(&self) -> bool {
        self.points.len() as u64 == self.size()
    }

    pub(super) fn add(&mut self, key: Vec<u64>) {
        if !self.points.iter().any(|point| **point == *key) {
            self.points.push(key.into());
        }
    }

    /// Adds all possible points once half of them are there: otherwise it would not be clear which value is the
    /// default of the array or function.
    pub(super) fn fill_from_half(&mut self) {
        if (self.points.len() as u64).saturating_mul(2) < self.size() || self.is_full() {
            return;
        }
        for number in 0..self.size() {
            let mut rest = number;
            let digits = self.domain.iter().map(|&values| {
                let digit = rest % values;
                rest /= values;
                digit
            });
            let key = digits.collect();
            self.add(key);
        }
    }

    /// The values of the arguments, or of the index, at a point.
    pub(super) fn point(&self, store: &TermStore, key: &[u64]) -> Vec<Value> {
        let mut rest = key;
        let argument = |&sort: &SortId| {
            let (limbs, behind) = rest.split_at(store.bit_vec_width(sort).unwrap_or(1).div_ceil(64) as usize);
            rest = behind;
            value_of(store, sort, limbs)
        };
        self.arguments.iter().map(argument).collect()
    }

    /// The default of the normal form: the most frequent element, the least of several.
    pub(super) fn most_frequent<'r>(&self, elements: &'r [u64]) -> &'r [u64] {
        let mut sorted: Vec<&[u64]> = elements.chunks_exact(self.limbs).collect();
        sorted.sort_unstable();
        let runs = sorted.chunk_by(|left, right| left == right);
        let most = runs.max_by_key(|run| (run.len(), std::cmp::Reverse(run[0])));
        most.expect("a domain is not empty")[0]
    }
}

/// The number of bits of a value of this sort in a row.
pub(super) fn width_of(store: &TermStore, sort: SortId) -> u32 {
    match *store.sort(sort) {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
        // For elements of declared sorts, the lowest bits are enough for everything a formula can tell apart.
        _ => 8,
    }
}
