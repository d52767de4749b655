//! Products, and when they overflow.
//!
//! Shift and add: a row for every digit of one operand, the multiplier, that is not zero. The
//! operand with fewer such digits is the multiplier. A constant multiplier is taken in
//! non-adjacent form (Reitwiesner, *Binary arithmetic*, 1960) where that has fewer digits than it
//! has ones: a run of ones costs one addition and one subtraction.

use super::{constant_bits, sign};
use crate::aig::Aig;
use crate::edge::Edge;

/// A digit of the multiplier and what it does with its row.
enum Digit {
    /// Adds the row where the edge holds.
    Add(Edge),
    /// Subtracts the row.
    Subtract,
}

/// Positions and digits, ascending.
type Digits = Vec<(usize, Digit)>;

fn plain_digits(a: &[Edge]) -> Digits {
    let nonzero = a.iter().enumerate().filter(|&(_, &edge)| edge != Edge::FALSE);
    nonzero.map(|(position, &edge)| (position, Digit::Add(edge))).collect()
}

/// The non-adjacent form of a constant, modulo 2^width.
fn non_adjacent_digits(bits: &[bool]) -> Digits {
    let mut digits = Digits::new();
    let mut carry = false;
    for position in 0..bits.len() {
        if bits[position] == carry {
            continue;
        }
        let next = bits.get(position + 1).copied().unwrap_or(false);
        digits.push((position, if next { Digit::Subtract } else { Digit::Add(Edge::TRUE) }));
        carry = next;
    }
    digits
}

fn digits(a: &[Edge]) -> Digits {
    let plain = plain_digits(a);
    match constant_bits(a).map(|bits| non_adjacent_digits(&bits)) {
        Some(digits) if digits.len() < plain.len() => digits,
        _ => plain,
    }
}

/// Rows of the cheaper way round: the number of additions that [`multiply`] makes.
pub(crate) fn row_count(a: &[Edge], b: &[Edge]) -> usize {
    digits(a).len().min(digits(b).len())
}

/// The product modulo 2^width.
pub fn multiply(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    debug_assert_eq!(a.len(), b.len());
    let (of_a, of_b) = (digits(a), digits(b));
    // Ties are broken by the operands themselves, so that both orders are one circuit.
    let a_multiplies = (of_a.len(), a) <= (of_b.len(), b);
    let (digits, multiplicand) = if a_multiplies { (of_a, b) } else { (of_b, a) };
    let width = a.len();
    let mut product = vec![Edge::FALSE; width];
    for (position, digit) in digits {
        let mut carry = Edge::from_bool(matches!(digit, Digit::Subtract));
        for index in position..width {
            let factor = multiplicand[index - position];
            let row = match digit {
                Digit::Add(edge) => aig.and(factor, edge),
                Digit::Subtract => !factor,
            };
            let partial = product[index];
            let half = aig.xor(row, partial);
            product[index] = aig.xor(half, carry);
            carry = if index + 1 < width { aig.majority(row, partial, carry) } else { carry };
        }
    }
    product
}

/// Whether the unsigned product needs more bits.
///
/// Schulte, Balzola, Akkas & Brocato, *Integer multiplication with overflow detection or
/// saturation* (IEEE Transactions on Computers 49, 2000): when bits `i` and `j` with
/// `i + j >= width` are set, the product overflows; otherwise it fits in one bit more than the
/// width.
pub fn unsigned_mul_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    let far = magnitudes_exceed(aig, a, b, a.len());
    let product = extended_product(aig, a, b, Edge::FALSE, Edge::FALSE);
    aig.or(far, sign(&product))
}

/// Whether the signed product needs more bits.
///
/// As [`unsigned_mul_overflow`], with the bits that differ from the sign in place of the set ones:
/// when `i + j >= width - 1` the product overflows, otherwise it fits in one bit more.
pub fn signed_mul_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    let width = a.len();
    let magnitude = |aig: &mut Aig, operand: &[Edge]| -> Vec<Edge> {
        let sign = sign(operand);
        operand[..width - 1].iter().map(|&edge| aig.xor(edge, sign)).collect()
    };
    let (of_a, of_b) = (magnitude(aig, a), magnitude(aig, b));
    let far = magnitudes_exceed(aig, &of_a, &of_b, width - 1);
    let product = extended_product(aig, a, b, sign(a), sign(b));
    let differ = aig.xor(product[width], product[width - 1]);
    aig.or(far, differ)
}

fn extended_product(aig: &mut Aig, a: &[Edge], b: &[Edge], a_sign: Edge, b_sign: Edge) -> Vec<Edge> {
    let extended_a: Vec<Edge> = a.iter().copied().chain([a_sign]).collect();
    let extended_b: Vec<Edge> = b.iter().copied().chain([b_sign]).collect();
    multiply(aig, &extended_a, &extended_b)
}

/// Whether bits `i` of `a` and `j` of `b` are set with `i + j >= limit`.
fn magnitudes_exceed(aig: &mut Aig, a: &[Edge], b: &[Edge], limit: usize) -> Edge {
    let mut pairs = Vec::new();
    // Disjunction of the bits of b that are high enough for bit i of a: it grows with i.
    let mut high = Edge::FALSE;
    let mut lowest = b.len();
    for (index, &edge) in a.iter().enumerate() {
        while lowest > 0 && lowest - 1 + index >= limit {
            lowest -= 1;
            high = aig.or(high, b[lowest]);
        }
        pairs.push(aig.and(edge, high));
    }
    aig.or_many(&pairs)
}
