//! Equality and order.
//!
//! Order is the borrow of the difference, so that comparisons share nodes with subtractions and
//! with one another.

use super::not;
use crate::aig::Aig;
use crate::edge::Edge;

/// Whether all bits are equal.
pub fn equal(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    debug_assert_eq!(a.len(), b.len());
    let bits: Vec<Edge> = a.iter().zip(b).map(|(&left, &right)| aig.equal(left, right)).collect();
    aig.and_many(&bits)
}

/// Whether no bit is set.
pub fn is_zero(aig: &mut Aig, a: &[Edge]) -> Edge {
    aig.and_many(&not(a))
}

/// Whether all bits are set.
pub fn is_ones(aig: &mut Aig, a: &[Edge]) -> Edge {
    aig.and_many(a)
}

/// Whether the first operand is below the second, or, with `or_equal`, not above it.
pub fn unsigned_less(aig: &mut Aig, a: &[Edge], b: &[Edge], or_equal: bool) -> Edge {
    debug_assert_eq!(a.len(), b.len());
    if or_equal {
        return !unsigned_less(aig, b, a, false);
    }
    // The carry of a + ¬b + 1 is absent exactly where a < b.
    let mut carry = Edge::TRUE;
    for (&left, &right) in a.iter().zip(b) {
        carry = aig.majority(left, !right, carry);
    }
    !carry
}

/// [`unsigned_less`] for two's complement numbers.
pub fn signed_less(aig: &mut Aig, a: &[Edge], b: &[Edge], or_equal: bool) -> Edge {
    // Exchanging the sign bits moves the negative numbers below the others.
    let (mut left, mut right) = (a.to_vec(), b.to_vec());
    if let (Some(left), Some(right)) = (left.last_mut(), right.last_mut()) {
        std::mem::swap(left, right);
    }
    unsigned_less(aig, &left, &right, or_equal)
}
