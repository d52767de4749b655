//! Sums, differences, negation, and when they overflow.
//!
//! A full adder is two exclusive ors and a majority; the encoder to clauses recognises all three.

use super::{not, sign};
use crate::aig::Aig;
use crate::edge::Edge;

/// The sum of both operands and a carry, and the carry out.
pub fn add_with_carry(aig: &mut Aig, a: &[Edge], b: &[Edge], carry: Edge) -> (Vec<Edge>, Edge) {
    debug_assert_eq!(a.len(), b.len());
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&left, &right) in a.iter().zip(b) {
        let half = aig.xor(left, right);
        sum.push(aig.xor(half, carry));
        carry = aig.majority(left, right, carry);
    }
    (sum, carry)
}

/// The sum modulo 2^width.
pub fn add(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    add_with_carry(aig, a, b, Edge::FALSE).0
}

/// The word plus one where `condition` holds, modulo 2^width.
pub fn increment_if(aig: &mut Aig, condition: Edge, a: &[Edge]) -> Vec<Edge> {
    add_with_carry(aig, a, &vec![Edge::FALSE; a.len()], condition).0
}

/// The difference modulo 2^width.
pub fn sub(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    add_with_carry(aig, a, &not(b), Edge::TRUE).0
}

/// The two's complement.
pub fn negate(aig: &mut Aig, a: &[Edge]) -> Vec<Edge> {
    negate_if(aig, Edge::TRUE, a)
}

/// The two's complement where `condition` holds, the operand elsewhere.
pub fn negate_if(aig: &mut Aig, condition: Edge, a: &[Edge]) -> Vec<Edge> {
    let mut carry = condition;
    let mut result = Vec::with_capacity(a.len());
    for &edge in a {
        let flipped = aig.xor(edge, condition);
        result.push(aig.xor(flipped, carry));
        carry = aig.and(flipped, carry);
    }
    result
}

/// Whether the unsigned sum has a carry.
pub fn unsigned_add_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    add_with_carry(aig, a, b, Edge::FALSE).1
}

/// Whether the signed sum has the wrong sign.
pub fn signed_add_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    let sum = add(aig, a, b);
    let left = aig.xor(sign(a), sign(&sum));
    let right = aig.xor(sign(b), sign(&sum));
    aig.and(left, right)
}

/// Whether the signed difference has the wrong sign.
pub fn signed_sub_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    let difference = sub(aig, a, b);
    let operands = aig.xor(sign(a), sign(b));
    let result = aig.xor(sign(a), sign(&difference));
    aig.and(operands, result)
}

/// Whether the operand is the least signed value.
pub fn negate_overflow(aig: &mut Aig, a: &[Edge]) -> Edge {
    let mut bits = not(a);
    if let Some(sign) = bits.last_mut() {
        *sign = !*sign;
    }
    aig.and_many(&bits)
}
