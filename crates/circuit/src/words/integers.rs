//! Integers that are values of bit-vectors, or computed from such: words in two's complement, each as wide as its
//! value needs.
//!
//! Nothing wraps around: a result gets the bits that the operation may need, and loses copies of its sign that turn out
//! to be superfluous. Turning integers into bit-vectors of one sufficient width was rejected: the widest operation
//! would make all of them wide.

use crate::aig::Aig;
use crate::edge::Edge;

use super::{Divider, add, equal, multiply, negate, negate_if, sign, signed_less, sub};

/// The same integer in this many bits, at least as many as it has.
pub fn extended(a: &[Edge], width: usize) -> Vec<Edge> {
    let mut bits = a.to_vec();
    bits.resize(width, sign(a));
    bits
}

/// The same integer without superfluous copies of its sign.
pub fn trimmed(mut a: Vec<Edge>) -> Vec<Edge> {
    while a.len() > 1 && a[a.len() - 1] == a[a.len() - 2] {
        a.pop();
    }
    a
}

/// Two integers in the same number of bits, some more than the longer one has.
pub fn aligned(a: &[Edge], b: &[Edge], more: usize) -> (Vec<Edge>, Vec<Edge>) {
    let width = a.len().max(b.len()) + more;
    (extended(a, width), extended(b, width))
}

/// The sum.
pub fn sum(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    let (a, b) = aligned(a, b, 1);
    trimmed(add(aig, &a, &b))
}

/// The difference.
pub fn difference(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    let (a, b) = aligned(a, b, 1);
    trimmed(sub(aig, &a, &b))
}

/// The opposite.
pub fn opposite(aig: &mut Aig, a: &[Edge]) -> Vec<Edge> {
    trimmed(negate(aig, &extended(a, a.len() + 1)))
}

/// The magnitude.
pub fn magnitude(aig: &mut Aig, a: &[Edge]) -> Vec<Edge> {
    trimmed(negate_if(aig, sign(a), &extended(a, a.len() + 1)))
}

/// The product.
pub fn product(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    let width = a.len() + b.len();
    trimmed(multiply(aig, &extended(a, width), &extended(b, width)))
}

/// The quotient and the remainder that is not negative. The divisor is not 0.
pub fn quotient_and_remainder(
    aig: &mut Aig,
    divider: &mut Divider,
    a: &[Edge],
    b: &[Edge],
) -> (Vec<Edge>, Vec<Edge>) {
    // By the magnitude of the divisor first: the sign of that remainder is the divisor's.
    let (a, positive) = aligned(a, &magnitude(aig, b), 1);
    let remainder = divider.signed_modulus(aig, &a, &positive);
    let rest = sub(aig, &a, &remainder);
    let quotient = divider.signed_quotient(aig, &rest, &positive);
    let quotient = negate_if(aig, sign(b), &extended(&quotient, quotient.len() + 1));
    (trimmed(quotient), trimmed(remainder))
}

/// Whether two integers are equal.
pub fn same(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    let (a, b) = aligned(a, b, 0);
    equal(aig, &a, &b)
}

/// Whether one integer is less than another.
pub fn less(aig: &mut Aig, a: &[Edge], b: &[Edge], or_equal: bool) -> Edge {
    let (a, b) = aligned(a, b, 0);
    signed_less(aig, &a, &b, or_equal)
}

/// The integer modulo two to the width.
pub fn wrapped(a: &[Edge], width: usize) -> Vec<Edge> {
    let mut bits = extended(a, width.max(a.len()));
    bits.truncate(width);
    bits
}
