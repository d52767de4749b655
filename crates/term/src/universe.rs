//! How many elements declared sorts have.
//!
//! The standard says of a declared sort only that it is not empty. Mostly it does not matter how many elements there
//! are beyond those with names; where a formula has constant arrays it does: over a sort of one element, the array of
//! zeros with a one at that element is the array of ones. So a model may say of a declared sort that its elements are
//! the first so many and no others. Sorts of which it says nothing have more elements than anything can list.
//!
//! Values of a model are written down as if all sorts were of that kind ([`Value::within`] gives them the universes of
//! the model when they are evaluated): an array has a default and entries, whatever indices there are.

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

    /// How many elements a declared sort has; `None` for more than can be listed.
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

    /// How many values a sort has; `u64::MAX` stands for practically unbounded. Datatypes are taken as if declared
    /// sorts were unbounded.
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

/// How many maps there are from so many values to so many.
fn power(elements: u64, indices: u64) -> u64 {
    match u32::try_from(indices) {
        _ if elements == 1 => 1,
        Ok(exponent) => elements.saturating_pow(exponent),
        Err(_) => u64::MAX,
    }
}

impl Value {
    /// The same value where declared sorts have these elements. `None` where it has another element.
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
