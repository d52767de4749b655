//! Values of every sort.
//!
//! A value is self-contained: apart from the identity of an uninterpreted sort it needs no store,
//! and it may be sent to another thread.

use crate::array::ArrayValue;
use crate::bitvector::BitVector;
use crate::sort::{Sort, SortId};
use crate::store::TermStore;

/// A value of some sort. Equal values of one sort compare equal, whatever way they were built.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector value.
    BitVec(BitVector),
    /// A total map from an index sort to an element sort.
    Array(ArrayValue),
    /// The `index`-th element of an uninterpreted sort; distinct indices are distinct elements.
    Uninterpreted {
        /// The sort it belongs to.
        sort: SortId,
        /// Which element.
        index: u32,
    },
}

impl Value {
    /// The truth value, `None` for any other sort.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bit-vector, `None` for any other sort.
    pub fn as_bit_vector(&self) -> Option<&BitVector> {
        match self {
            Value::BitVec(value) => Some(value),
            _ => None,
        }
    }

    /// The array, `None` for any other sort.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(value) => Some(value),
            _ => None,
        }
    }

    /// The value that stands in where a model gives none: false, 0, the array of that everywhere,
    /// or element 0.
    pub fn default_of(store: &TermStore, sort: SortId) -> Value {
        let mut index_sorts = Vec::new();
        let mut innermost = sort;
        while let Some((index, element)) = store.array_parts(innermost) {
            index_sorts.push(index);
            innermost = element;
        }
        let mut value = match *store.sort(innermost) {
            Sort::BitVec(width) => Value::BitVec(BitVector::zero(width)),
            Sort::Uninterpreted { .. } => Value::Uninterpreted { sort: innermost, index: 0 },
            Sort::Bool | Sort::Array { .. } => Value::Bool(false),
        };
        for index in index_sorts.into_iter().rev() {
            value = Value::Array(ArrayValue::constant(store, index, value));
        }
        value
    }

    /// Bit `i`: of a bit-vector, of a truth value (its only bit is 0), or of the index of an
    /// element of an uninterpreted sort (32 bits).
    ///
    /// # Panics
    /// When there is no such bit; an array has none.
    pub fn bit(&self, i: u32) -> bool {
        match self {
            Value::BitVec(value) => value.bit(i),
            Value::Bool(value) if i == 0 => *value,
            Value::Uninterpreted { index, .. } if i < 32 => index >> i & 1 == 1,
            other => panic!("no bit {i} in {other:?}"),
        }
    }

    /// Whether this is a value of the sort, down to the last entry of an array.
    pub fn has_sort(&self, store: &TermStore, sort: SortId) -> bool {
        match (self, store.sort(sort)) {
            (Value::Bool(_), Sort::Bool) => true,
            (Value::BitVec(value), Sort::BitVec(width)) => value.width() == *width,
            (Value::Uninterpreted { sort: own, .. }, Sort::Uninterpreted { .. }) => *own == sort,
            (Value::Array(value), Sort::Array { index, element }) => value.has_parts(store, *index, *element),
            _ => false,
        }
    }
}
