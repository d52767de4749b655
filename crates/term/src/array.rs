//! Array values: total maps, finitely many entries away from a constant one.
//!
//! Two values of an array sort must be equal exactly when they are the same function, and over a
//! small index sort a default with many entries may be the same function as another default with
//! few. So the default is always the most frequent element (the smallest of several), which makes
//! the representation unique; over a practically unbounded index sort that costs nothing. Entries
//! live in a persistent map, so that a chain of stores shares what it has in common. Comparing
//! values function by function at each equality was rejected: hashing and ordering need a normal
//! form anyway.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rpds::RedBlackTreeMapSync;
use rustc_hash::FxHashMap;

use crate::bitvector::BitVector;
use crate::sort::{Sort, SortId};
use crate::store::TermStore;
use crate::value::Value;

/// A total map from the values of an index sort to values.
#[derive(Clone)]
pub struct ArrayValue {
    content: Arc<Content>,
}

#[derive(Clone)]
struct Content {
    domain: Domain,
    default: Value,
    /// Where the element is not the default.
    entries: RedBlackTreeMapSync<Value, Value>,
    /// No element but the default occurs more often than this. Only a bound, so that frequencies
    /// are counted rarely; it takes no part in comparisons.
    rivals: u64,
}

/// The values of an index sort, as far as they can be counted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Domain {
    /// Truth values.
    Bool,
    /// Bit-vectors of this width, below 64.
    BitVec(u32),
    /// All maps between two small domains.
    Functions { index: Arc<Domain>, element: Arc<Domain>, count: u64 },
    /// More values than any array has entries.
    Unbounded,
}

impl Domain {
    fn of(store: &TermStore, sort: SortId) -> Domain {
        let count = store.cardinality(sort);
        match *store.sort(sort) {
            _ if count == u64::MAX => Domain::Unbounded,
            Sort::Bool => Domain::Bool,
            Sort::BitVec(width) => Domain::BitVec(width),
            Sort::Array { index, element } => Domain::Functions {
                index: Arc::new(Domain::of(store, index)),
                element: Arc::new(Domain::of(store, element)),
                count,
            },
            Sort::Uninterpreted { .. } => Domain::Unbounded,
        }
    }

    fn size(&self) -> u64 {
        match self {
            Domain::Bool => 2,
            Domain::BitVec(width) => 1 << width,
            Domain::Functions { count, .. } => *count,
            Domain::Unbounded => u64::MAX,
        }
    }

    /// The values under the numbers below [`size`](Self::size), in some order.
    fn value(&self, number: u64) -> Value {
        match self {
            Domain::Bool => Value::Bool(number == 1),
            Domain::BitVec(width) => Value::BitVec(BitVector::from_u64(*width, number)),
            Domain::Functions { index, element, .. } => {
                // The digits of the number, to the base of the element domain, are the elements.
                let base = element.size();
                let mut array = ArrayValue::over(Domain::clone(index), element.value(0));
                let mut rest = number;
                for position in 0..index.size() {
                    array = array.store(index.value(position), element.value(rest % base));
                    rest /= base;
                }
                Value::Array(array)
            }
            Domain::Unbounded => unreachable!("a map over an unbounded domain is never enumerated"),
        }
    }
}

impl ArrayValue {
    /// The array over `index_sort` that holds `default` everywhere.
    pub fn constant(store: &TermStore, index_sort: SortId, default: Value) -> ArrayValue {
        Self::over(Domain::of(store, index_sort), default)
    }

    fn over(domain: Domain, default: Value) -> ArrayValue {
        let content = Content { domain, default, entries: RedBlackTreeMapSync::new_sync(), rivals: 0 };
        ArrayValue { content: Arc::new(content) }
    }

    /// The element at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.content.entries.get(index).unwrap_or(&self.content.default)
    }

    /// The array with the element at one index replaced.
    pub fn store(&self, index: Value, element: Value) -> ArrayValue {
        if *self.select(&index) == element {
            return self.clone();
        }
        let mut content = Content::clone(&self.content);
        if element == content.default {
            content.entries.remove_mut(&index);
        } else {
            content.entries.insert_mut(index, element);
            content.rivals += 1;
        }
        content.restore_default();
        ArrayValue { content: Arc::new(content) }
    }

    /// The most frequent element, the smallest of several.
    pub fn default(&self) -> &Value {
        &self.content.default
    }

    /// Indices whose element is not the default, with the element, in the order of the indices.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.content.entries.iter()
    }

    /// How many values the index sort has; `u64::MAX` stands for practically unbounded.
    pub fn domain_size(&self) -> u64 {
        self.content.domain.size()
    }

    /// Whether this is a map between the two sorts.
    pub(crate) fn has_parts(&self, store: &TermStore, index: SortId, element: SortId) -> bool {
        self.content.domain == Domain::of(store, index)
            && self.default().has_sort(store, element)
            && self.entries().all(|(i, e)| i.has_sort(store, index) && e.has_sort(store, element))
    }
}

impl Content {
    /// Makes the most frequent element the default again, after one element has changed.
    fn restore_default(&mut self) {
        let default_count = self.domain.size() - self.entries.size() as u64;
        if default_count > self.rivals {
            return;
        }
        let mut counts: FxHashMap<&Value, u64> = FxHashMap::from_iter([(&self.default, default_count)]);
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        let (&most_frequent, _) = counts
            .iter()
            .max_by_key(|&(&element, &count)| (count, Reverse(element)))
            .expect("the default is among the elements");
        let most_frequent = most_frequent.clone();
        self.rivals = counts
            .iter()
            .filter(|&(&element, _)| *element != most_frequent)
            .map(|(_, &count)| count)
            .max()
            .unwrap_or(0);
        if most_frequent != self.default {
            self.change_default(most_frequent);
        }
    }

    /// Writes the same function down with another default. At least half of the domain are
    /// entries, so enumerating it takes no longer than reading them.
    fn change_default(&mut self, default: Value) {
        let mut entries = RedBlackTreeMapSync::new_sync();
        for number in 0..self.domain.size() {
            let index = self.domain.value(number);
            let element = self.entries.get(&index).unwrap_or(&self.default);
            if *element != default {
                let element = element.clone();
                entries.insert_mut(index, element);
            }
        }
        self.entries = entries;
        self.default = default;
    }
}

// Comparisons leave out `rivals`, and stop early at shared content.

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        let (own, others) = (&self.content, &other.content);
        Arc::ptr_eq(own, others)
            || own.entries.size() == others.entries.size()
                && own.domain == others.domain
                && own.default == others.default
                && own.entries.iter().eq(others.entries.iter())
    }
}

impl Eq for ArrayValue {}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.content.default.hash(state);
        state.write_usize(self.content.entries.size());
        for entry in self.entries() {
            entry.hash(state);
        }
    }
}

impl PartialOrd for ArrayValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ArrayValue {
    fn cmp(&self, other: &Self) -> Ordering {
        let (own, others) = (&self.content, &other.content);
        if Arc::ptr_eq(own, others) {
            return Ordering::Equal;
        }
        (own.domain.cmp(&others.domain))
            .then_with(|| own.default.cmp(&others.default))
            .then_with(|| own.entries.iter().cmp(others.entries.iter()))
    }
}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, element) in self.entries() {
            write!(f, "{index:?} -> {element:?}, ")?;
        }
        write!(f, "else {:?}}}", self.default())
    }
}
