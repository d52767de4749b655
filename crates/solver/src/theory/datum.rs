//! The data that theories store, index and compare: words of circuit edges, numbers, or arrays.

use std::sync::Arc;

use smallvec::SmallVec;
use sundry_circuit::Edge;
use sundry_linear::Rational;

use super::arrays::ArrayId;
use super::numbers::Expression;

/// The symbolic value of a term: its bits in the circuit, a linear expression, or a node of the array graph.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Datum {
    /// Bits, least significant first.
    Bits(Box<[Edge]>),
    /// An integer or a real.
    Number(Arc<Expression>),
    /// An array as an element, index or argument.
    Array(ArrayId),
}

/// The concrete counterpart of a [`Datum`] under one assignment: equal keys mean equal values.
///
/// Arrays are compared by the class that the true array equalities put them in.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Key {
    /// The bits as limbs, least significant first.
    Bits(SmallVec<[u64; 1]>),
    /// The number in the last solution.
    Number(Rational),
    /// Representative of a class of equal arrays.
    Array(ArrayId),
}

impl Key {
    pub(crate) fn of_bits(bits: &[Edge], value: impl Fn(Edge) -> bool) -> Key {
        let mut limbs = SmallVec::from_elem(0u64, bits.len().div_ceil(64));
        for (position, &bit) in bits.iter().enumerate() {
            limbs[position / 64] |= u64::from(value(bit)) << (position % 64);
        }
        Key::Bits(limbs)
    }
}
