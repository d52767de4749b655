//! Array values: total maps, finitely many entries away from a constant one.
//!
//! Two values of an array sort must be equal exactly when they are the same function. Over a small index sort, a
//! default with many entries may be the same function as another default with a few. So comparisons, and everything
//! that can be read, use a normal form: the default is the most frequent element (the smallest of several). As long
//! as less than half of the indices have entries, which is always so over a practically unbounded index sort, there
//! is no other form. From then on every index has an entry, and the default is computed on demand. Keeping the normal
//! form through every store was rejected: a chain of stores that overwrites a small memory would be quadratic.
//! Entries live in a persistent map, so that the arrays of a chain share their common entries.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use crate::bitvector::BitVector;
use crate::float::{Float, FloatFormat, RoundingMode};
use crate::sort::{Sort, SortId};
use crate::store::TermStore;
use crate::theory::datatype::{ConstructorId, DatatypeValue};
use crate::universe::Universes;
use crate::value::Value;

/// A total map from the values of an index sort to values.
#[derive(Clone)]
pub struct ArrayValue {
    content: Arc<Content>,
}

struct Content {
    domain: Domain,
    /// The element of every index without an entry.
    default: Value,
    /// Either less than half of the domain, each with another element than the default; or all of it.
    entries: RedBlackTreeMapSync<Value, Value>,
}

/// The values of an index sort, as far as they can be counted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Domain {
    /// Truth values.
    Bool,
    /// Bit-vectors of this width, below 64.
    BitVec(u32),
    /// Rounding modes.
    RoundingMode,
    /// Floating-point values of a format of less than 64 bits.
    Float(FloatFormat),
    /// Values of a datatype of finitely many.
    Datatype { constructors: Arc<[Alternative]>, count: u64 },
    /// The elements of a declared sort that has `count` of them.
    Elements { sort: SortId, count: u32 },
    /// All maps between two small domains, `count` of them.
    Functions { index: Arc<Domain>, element: Arc<Domain>, count: u64 },
    /// A domain with more values than any array has entries.
    Unbounded,
}

/// The values with one constructor.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Alternative {
    constructor: ConstructorId,
    fields: Box<[Domain]>,
    /// The number of elements.
    count: u64,
}

impl Domain {
    fn of(store: &TermStore, universes: &Universes, sort: SortId) -> Domain {
        let count = universes.cardinality(store, sort);
        match *store.sort(sort) {
            _ if count == u64::MAX => Domain::Unbounded,
            Sort::Bool => Domain::Bool,
            Sort::BitVec(width) => Domain::BitVec(width),
            Sort::Array { index, element } => Domain::Functions {
                index: Arc::new(Domain::of(store, universes, index)),
                element: Arc::new(Domain::of(store, universes, element)),
                count,
            },
            Sort::Uninterpreted { .. } => Domain::Elements { sort, count: count as u32 },
            Sort::RoundingMode => Domain::RoundingMode,
            Sort::Float(format) => Domain::Float(format),
            Sort::Datatype { declaration, .. } => {
                let constructors = store.datatype(declaration).constructors.iter().map(|&constructor| {
                    let fields = store.field_sorts(sort, constructor).unwrap_or_default();
                    let fields: Box<[Domain]> =
                        fields.iter().map(|&sort| Domain::of(store, universes, sort)).collect();
                    let count = fields.iter().map(Domain::size).product();
                    Alternative { constructor, fields, count }
                });
                Domain::Datatype { constructors: constructors.collect(), count }
            }
            Sort::Int | Sort::Real | Sort::String | Sort::RegLan | Sort::Sequence(_) => Domain::Unbounded,
        }
    }

    fn size(&self) -> u64 {
        match self {
            Domain::Bool => 2,
            Domain::BitVec(width) => 1 << width,
            Domain::RoundingMode => RoundingMode::ALL.len() as u64,
            Domain::Float(format) => format.cardinality(),
            Domain::Elements { count, .. } => u64::from(*count),
            Domain::Datatype { count, .. } | Domain::Functions { count, .. } => *count,
            Domain::Unbounded => u64::MAX,
        }
    }

    /// The values under the numbers below [`size`](Self::size), in some order.
    fn value(&self, number: u64) -> Value {
        match self {
            Domain::Bool => Value::Bool(number == 1),
            Domain::BitVec(width) => Value::BitVec(BitVector::from_u64(*width, number)),
            Domain::RoundingMode => Value::RoundingMode(RoundingMode::ALL[number as usize]),
            Domain::Float(format) => Value::Float(Float::numbered(*format, number).into()),
            Domain::Elements { sort, .. } => Value::Uninterpreted { sort: *sort, index: number as u32 },
            Domain::Datatype { constructors, .. } => {
                let mut rest = number;
                let Alternative { constructor, fields, .. } = constructors
                    .iter()
                    .find(|alternative| match rest.checked_sub(alternative.count) {
                        Some(beyond) => {
                            rest = beyond;
                            false
                        }
                        None => true,
                    })
                    .expect("the number is below the size");
                let field = |domain: &Domain| {
                    let value = domain.value(rest % domain.size());
                    rest /= domain.size();
                    value
                };
                let fields = fields.iter().map(field).collect();
                let value = DatatypeValue::new(*constructor, fields);
                Value::Datatype(value.expect("a finite datatype is not deep"))
            }
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
        Self::constant_within(store, &Universes::default(), index_sort, default)
    }

    /// The array over `index_sort` that holds `default` everywhere, in a model where some declared sorts have
    /// finitely many elements.
    pub fn constant_within(
        store: &TermStore,
        universes: &Universes,
        index_sort: SortId,
        default: Value,
    ) -> ArrayValue {
        Self::over(Domain::of(store, universes, index_sort), default)
    }

    /// The same map over the given universes, whatever the universes of this array: new indices have the default.
    /// `None` if an entry has an element that is in no universe.
    pub fn within(
        &self,
        store: &TermStore,
        universes: &Universes,
        index: SortId,
        element: SortId,
    ) -> Option<ArrayValue> {
        let default = self.default().within(store, universes, element)?;
        let mut array = ArrayValue::constant_within(store, universes, index, default);
        for (i, e) in self.entries() {
            array = array.store(i.within(store, universes, index)?, e.within(store, universes, element)?);
        }
        if !array.is_listed() {
            return Some(array);
        }
        // Another default may need fewer entries, and equal arrays must be listed alike.
        let default = Self::over(array.content.domain.clone(), array.default().clone());
        Some(array.entries().fold(default, |normal, (i, e)| normal.store(i.clone(), e.clone())))
    }

    fn over(domain: Domain, default: Value) -> ArrayValue {
        let content = Content { domain, default, entries: RedBlackTreeMapSync::new_sync() };
        ArrayValue { content: Arc::new(content) }
    }

    /// Whether every index has an entry, because at least half of the indices once had another element than the
    /// default. The default then has no meaning.
    pub(crate) fn is_listed(&self) -> bool {
        self.content.is_full()
    }

    /// Every index with its element where the array is listed, otherwise those whose element is not the default.
    pub(crate) fn listed(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.content.entries.iter()
    }

    /// The array with indices and elements renamed, which keeps different values different.
    pub(crate) fn map(&self, rename: impl Fn(&Value) -> Value) -> ArrayValue {
        let content = &*self.content;
        // A default without meaning may be an element that has no name.
        let default = if self.is_listed() { self.default() } else { &content.default };
        let array = Self::over(content.domain.clone(), rename(default));
        content.entries.iter().fold(array, |array, (i, e)| array.store(rename(i), rename(e)))
    }

    /// The element at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.content.select(index)
    }

    /// The array with the element at one index replaced.
    pub fn store(&self, index: Value, element: Value) -> ArrayValue {
        let old = &*self.content;
        if *old.select(&index) == element {
            return self.clone();
        }
        let entries = if element == old.default && !old.is_full() {
            old.entries.remove(&index)
        } else {
            old.entries.insert(index, element)
        };
        let mut content = Content { domain: old.domain.clone(), default: old.default.clone(), entries };
        content.fill_from_half();
        ArrayValue { content: Arc::new(content) }
    }

    /// The most frequent element, the smallest of several.
    ///
    /// The default is computed on demand once at least half of the indices have had another element than the default.
    pub fn default(&self) -> &Value {
        self.content.most_frequent().0
    }

    /// Indices whose element is not the [`default`](Self::default), with the element, in the order
    /// of the indices.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.content.entries_but(self.default())
    }

    /// The number of [`entries`](Self::entries).
    pub fn entry_count(&self) -> usize {
        self.content.most_frequent().1
    }

    /// The number of values of the index sort; `u64::MAX` stands for practically unbounded.
    pub fn domain_size(&self) -> u64 {
        self.content.domain.size()
    }

    /// Whether this is a map between the two sorts.
    pub(crate) fn has_parts(
        &self,
        store: &TermStore,
        universes: &Universes,
        index: SortId,
        element: SortId,
    ) -> bool {
        let has_sort = |value: &Value, sort| value.has_sort_within(store, universes, sort);
        self.content.domain == Domain::of(store, universes, index)
            && has_sort(self.default(), element)
            && self.entries().all(|(i, e)| has_sort(i, index) && has_sort(e, element))
    }
}

impl Content {
    fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Whether every index has an entry.
    fn is_full(&self) -> bool {
        self.entries.size() as u64 == self.domain.size()
    }

    /// Gives every index an entry as soon as half of the indices have one.
    fn fill_from_half(&mut self) {
        let count = self.entries.size() as u64;
        if count < self.domain.size().div_ceil(2) || self.is_full() {
            return;
        }
        for index in (0..self.domain.size()).map(|number| self.domain.value(number)) {
            if !self.entries.contains_key(&index) {
                self.entries.insert_mut(index, self.default.clone());
            }
        }
    }

    /// The default of the normal form, and how many indices have another element.
    fn most_frequent(&self) -> (&Value, usize) {
        let size = self.entries.size();
        if !self.is_full() {
            return (&self.default, size);
        }
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|&(element, count)| (count, Reverse(element)));
        let (element, count) = most.expect("a domain is not empty");
        (element, size - count)
    }

    fn entries_but(&self, default: &Value) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter().filter(move |(_, element)| *element != default)
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        let (own, others) = (&*self.content, &*other.content);
        if std::ptr::eq(own, others) {
            return true;
        }
        let (default, count) = own.most_frequent();
        own.domain == others.domain
            && (default, count) == others.most_frequent()
            && own.entries_but(default).eq(others.entries_but(default))
    }
}

impl Eq for ArrayValue {}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (default, count) = self.content.most_frequent();
        default.hash(state);
        state.write_usize(count);
        for entry in self.content.entries_but(default) {
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
        let (own, others) = (&*self.content, &*other.content);
        if std::ptr::eq(own, others) {
            return Ordering::Equal;
        }
        let (default, _) = own.most_frequent();
        (own.domain.cmp(&others.domain))
            .then_with(|| default.cmp(others.most_frequent().0))
            .then_with(|| own.entries_but(default).cmp(others.entries_but(default)))
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
