//! The parts of array sorts, and the representation of their values.

use sundry_circuit::bit_count;
use sundry_term::{BitVector, Float, FloatFormat, RoundingMode, Sort, SortId, TermStore};

/// The parts of an array sort.
#[derive(Copy, Clone)]
pub(super) struct ArraySort {
    pub(super) index: Part,
    pub(super) element: Part,
}

/// A part of an array sort.
#[derive(Copy, Clone)]
pub(crate) struct Part {
    pub(super) sort: SortId,
    pub(super) kind: PartKind,
}

/// The representation of values of a sort.
#[derive(Copy, Clone)]
pub(super) enum PartKind {
    /// Truth values and bit-vectors: this number of bits, of which every combination is a value.
    Word(u32),
    /// Floating-point values and rounding modes: this number of bits, of which some combinations stand for the same value.
    Coded(u32, Coded),
    /// Integers or reals, which have no bits.
    Number,
    /// Elements of a declared sort: bits that are a number.
    Element,
    /// Nodes of the array graph.
    Array,
}

/// A sort of values that have codes.
#[derive(Copy, Clone)]
pub(super) enum Coded {
    Float(FloatFormat),
    Mode,
}

impl Coded {
    /// The code of the value with a number, from 0, in some numbering. Small numbers are codes of values where there are too many to be counted.
    pub(super) fn code(self, width: u32, number: u64) -> BitVector {
        match self {
            Coded::Float(format) if format.cardinality() < u64::MAX => {
                Float::numbered(format, number).canonical_bits()
            }
            Coded::Float(_) | Coded::Mode => BitVector::from_u64(width, number),
        }
    }

    pub(super) fn sort(self) -> Sort {
        match self {
            Coded::Float(format) => Sort::Float(format),
            Coded::Mode => Sort::RoundingMode,
        }
    }
}

impl Part {
    pub(super) fn new(store: &TermStore, sort: SortId) -> Part {
        let kind = match (store.sort(sort), bit_count(store, sort)) {
            (Sort::Uninterpreted { .. }, _) => PartKind::Element,
            (Sort::Int | Sort::Real, _) => PartKind::Number,
            (Sort::Float(format), Some(width)) => PartKind::Coded(width, Coded::Float(*format)),
            (Sort::RoundingMode, Some(width)) => PartKind::Coded(width, Coded::Mode),
            (_, Some(width)) => PartKind::Word(width),
            (_, None) => PartKind::Array,
        };
        Part { sort, kind }
    }
}

impl PartKind {
    /// The number of values; `u64::MAX` for more than can be counted, and for elements and arrays, whose number depends on the model.
    pub(super) fn fixed_size(self) -> u64 {
        match self {
            PartKind::Word(width) => 1u64.checked_shl(width).unwrap_or(u64::MAX),
            PartKind::Coded(_, Coded::Float(format)) => format.cardinality(),
            PartKind::Coded(_, Coded::Mode) => RoundingMode::ALL.len() as u64,
            PartKind::Number | PartKind::Element | PartKind::Array => u64::MAX,
        }
    }
}

impl ArraySort {
    /// The number of indices of arrays of this sort, if these are words (saturating); `u64::MAX` for others.
    pub(super) fn index_words(&self) -> u64 {
        match self.index.kind {
            word @ PartKind::Word(_) => word.fixed_size(),
            PartKind::Coded(..) | PartKind::Number | PartKind::Element | PartKind::Array => u64::MAX,
        }
    }
}
