//! Values of every sort.
//!
//! A value is self-contained: apart from the identity of an uninterpreted sort it needs no store,
//! and it may be sent to another thread.

use std::sync::Arc;

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::array::ArrayValue;
use crate::bitvector::BitVector;
use crate::float::{Float, RoundingMode};
use crate::sort::{Sort, SortId};
use crate::store::TermStore;
use crate::string::{Regex, RegexKind, Text};
use crate::theory::datatype::{DatatypeValue, least_value};
use crate::theory::sequence::SequenceValue;
use crate::universe::Universes;

/// A value of some sort. Equal values of one sort compare equal, whatever way they were built.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector value.
    BitVec(BitVector),
    /// An integer.
    Int(IBig),
    /// A rational number.
    Real(Arc<RBig>),
    /// A rounding mode.
    RoundingMode(RoundingMode),
    /// A floating-point value.
    Float(Arc<Float>),
    /// A string.
    String(Text),
    /// A regular expression. Equal ones match the same strings, but so may others.
    Regex(Arc<Regex>),
    /// A value of a datatype.
    Datatype(DatatypeValue),
    /// A sequence.
    Sequence(SequenceValue),
    /// A total map from an index sort to an element sort.
    Array(ArrayValue),
    /// The `index`-th element of an uninterpreted sort; distinct indices are distinct elements.
    Uninterpreted {
        /// The sort it belongs to.
        sort: SortId,
        /// The number of the element.
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

    /// The value of a symbol for which a model has none: false, 0, the first rounding mode, the empty string or
    /// sequence, the expression that matches no string, element 0, a datatype value of least depth, or the array that
    /// holds such a value everywhere.
    ///
    /// # Panics
    /// For a datatype without any finite value, which cannot be declared.
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
            Sort::Int => Value::Int(IBig::ZERO),
            Sort::Real => Value::Real(Arc::new(RBig::ZERO)),
            Sort::RoundingMode => Value::RoundingMode(RoundingMode::NearestTiesToEven),
            Sort::Float(format) => Value::Float(Arc::new(Float::zero(format, false))),
            Sort::String => Value::String(Text::empty()),
            Sort::Sequence(_) => Value::Sequence(SequenceValue::empty()),
            Sort::RegLan => Value::Regex(Arc::new(Regex::new(RegexKind::None).expect("not deep at all"))),
            Sort::Datatype { .. } => least_value(store, innermost).expect("a datatype has a value"),
            Sort::Bool | Sort::Array { .. } => Value::Bool(false),
        };
        for index in index_sorts.into_iter().rev() {
            value = Value::Array(ArrayValue::constant(store, index, value));
        }
        value
    }

    /// The depth to which values of datatypes and sequences are nested in one another.
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Value::Datatype(value) => value.depth() + 1,
            Value::Sequence(value) => value.depth() + 1,
            _ => 0,
        }
    }

    /// Bit `i` of a bit-vector, of a truth value (its only bit is 0), or of the index of an element of an
    /// uninterpreted sort (32 bits).
    ///
    /// # Panics
    /// If there is no such bit; an array has no bits.
    pub fn bit(&self, i: u32) -> bool {
        match self {
            Value::BitVec(value) => value.bit(i),
            Value::Bool(value) if i == 0 => *value,
            Value::Uninterpreted { index, .. } if i < 32 => index >> i & 1 == 1,
            other => panic!("no bit {i} in {other:?}"),
        }
    }

    /// Whether this is a value of the sort, down to the last entry of an array, where declared sorts have more
    /// elements than can be listed.
    pub fn has_sort(&self, store: &TermStore, sort: SortId) -> bool {
        self.has_sort_within(store, &Universes::default(), sort)
    }

    /// Whether this is a value of the sort where declared sorts have these elements.
    pub(crate) fn has_sort_within(&self, store: &TermStore, universes: &Universes, sort: SortId) -> bool {
        match (self, store.sort(sort)) {
            (Value::Bool(_), Sort::Bool) => true,
            (Value::BitVec(value), Sort::BitVec(width)) => value.width() == *width,
            (Value::Uninterpreted { sort: own, index }, Sort::Uninterpreted { .. }) => {
                *own == sort && universes.count(sort).is_none_or(|count| *index < count)
            }
            (Value::Int(_), Sort::Int)
            | (Value::Real(_), Sort::Real)
            | (Value::RoundingMode(_), Sort::RoundingMode)
            | (Value::String(_), Sort::String)
            | (Value::Regex(_), Sort::RegLan) => true,
            (Value::Float(value), Sort::Float(format)) => value.format() == *format,
            (Value::Sequence(value), Sort::Sequence(element)) => value.has_elements(store, *element),
            (Value::Datatype(value), Sort::Datatype { .. }) => value.has_sort(store, sort),
            (Value::Array(value), Sort::Array { index, element }) => {
                value.has_parts(store, universes, *index, *element)
            }
            _ => false,
        }
    }
}
