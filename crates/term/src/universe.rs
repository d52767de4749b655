//! The numbers of elements of declared sorts.
//!
//! The standard requires only that a declared sort is not empty. Mostly, the number of elements beyond those with
//! names makes no difference. It does if a formula has constant arrays: over a sort of one element, the array of
//! zeros with a one at that element is the array of ones. So a model may state that the elements of a declared sort
//! are the first `count` and no others. Other sorts have more elements than can be listed.
//!
//! Values of a model are written as if all sorts were of the second kind: an array has a default and entries,
//! whatever indices there are. Evaluation then applies the universes of the model ([`Value::within`]).

use std::collections::BTreeMap;

use crate::array::ArrayValue;
use crate::sort::{Sort, SortId};
use crate::store::TermStore;
use crate::value::Value;

/// The numbers of elements of those declared sorts that have finitely many.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Universes {
    counts: BTreeMap<SortId, u32>,
}

impl Universes {
    /// Gives a declared sort the elements with numbers below `count`, and no others.
    ///
    /// # Panics
    /// When the count is zero: no sort is empty.
    pub fn set(&mut self, sort: SortId, count: u32) {
        assert!(count > 0, "a sort has an element");
        self.counts.insert(sort, count);
    }

    /// The number of elements of a declared sort; `None` for more than can be listed.
    pub fn count(&self, sort: SortId) -> Option<u32> {
        self.counts.get(&sort).copied()
    }

    /// Whether all declared sorts have more elements than can be listed.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The sorts of finitely many elements, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (SortId, u32)> + '_ {
        self.counts.iter().map(|(&sort, &count)| (sort, count))
    }

    /// The number of values of a sort; `u64::MAX` stands for practically unbounded. For datatypes, declared sorts
    /// count as unbounded.
    pub fn cardinality(&self, store: &TermStore, sort: SortId) -> u64 {
        if self.is_empty() {
            return store.cardinality(sort);
        }
        match *store.sort(sort) {
            Sort::Uninterpreted { .. } => self.count(sort).map_or(u64::MAX, u64::from),
            Sort::Array { index, element } => {
                power(self.cardinality(store, element), self.cardinality(store, index))
            }
            _ => store.cardinality(sort),
        }
    }
}

/// The number of maps from `indices` values to `elements` values.
fn power(elements: u64, indices: u64) -> u64 {
    match u32::try_from(indices) {
        _ if elements == 1 => 1,
        Ok(exponent) => elements.saturating_pow(exponent),
        Err(_) => u64::MAX,
    }
}

impl Value {
    /// The same value in a model where declared sorts have these elements. `None` if the value has another element.
    pub fn within(&self, store: &TermStore, universes: &Universes, sort: SortId) -> Option<Value> {
        match (self, store.sort(sort)) {
            (Value::Uninterpreted { index, .. }, _) => {
                universes.count(sort).is_none_or(|count| *index < count).then(|| self.clone())
            }
            (Value::Array(array), Sort::Array { index, element }) => {
                Some(Value::Array(ArrayValue::within(array, store, universes, *index, *element)?))
            }
            _ => Some(self.clone()),
        }
    }
}
