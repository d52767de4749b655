//! Products, and when they overflow.
//!
//! Shift and add: a row for every digit of one operand, the multiplier, that is not zero. The
//! operand with fewer such digits is the multiplier. Digits may be negative, which saves rows in
//! two cases. A constant is taken in non-adjacent form (Reitwiesner, *Binary arithmetic*, Advances
//! in Computers 1, 1960): a run of ones costs one addition and one subtraction. The copies of the
//! sign in a sign-extended operand are one negative digit, as two's complement defines it.

use super::{constant_bits, sign};
use crate::aig::Aig;
use crate::edge::Edge;

/// The maker of a product of two words of the same width: [`multiply`], or a function that leaves the product open.
pub type Multiply<'m> = &'m mut dyn FnMut(&mut Aig, &[Edge], &[Edge]) -> Vec<Edge>;

/// A digit of the multiplier: plus or minus one where the edge holds, zero elsewhere.
#[derive(Copy, Clone)]
struct Digit {
    position: usize,
    edge: Edge,
    negative: bool,
}

/// The bits as digits, copies of the highest one taken together.
fn binary_digits(a: &[Edge]) -> Vec<Digit> {
    let copies = a.iter().rev().take_while(|&&edge| edge == sign(a)).count();
    let plain = if copies < 2 { a.len() } else { a.len() - copies };
    let mut digits: Vec<Digit> = a[..plain]
        .iter()
        .enumerate()
        .map(|(position, &edge)| Digit { position, edge, negative: false })
        .collect();
    if plain < a.len() {
        digits.push(Digit { position: plain, edge: sign(a), negative: true });
    }
    digits.retain(|digit| digit.edge != Edge::FALSE);
    digits
}

/// The non-adjacent form of a constant, modulo 2^width.
fn non_adjacent_digits(bits: &[bool]) -> Vec<Digit> {
    let mut digits = Vec::new();
    let mut carry = false;
    for position in 0..bits.len() {
        if bits[position] != carry {
            let next = bits.get(position + 1).copied().unwrap_or(false);
            digits.push(Digit { position, edge: Edge::TRUE, negative: next });
            carry = next;
        }
    }
    digits
}

fn digits(a: &[Edge]) -> Vec<Digit> {
    let binary = binary_digits(a);
    match constant_bits(a).map(|bits| non_adjacent_digits(&bits)) {
        Some(digits) if digits.len() < binary.len() => digits,
        _ => binary,
    }
}

/// Rows of the cheaper way round: the number of additions that [`multiply`] makes.
pub fn row_count(a: &[Edge], b: &[Edge]) -> usize {
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
    for Digit { position, edge, negative } in digits {
        if aig.is_stopped() {
            break;
        }
        // Subtracting is adding the complement and one.
        let mut carry = Edge::from_bool(negative);
        for index in position..width {
            let row = aig.and(multiplicand[index - position], edge).complement_if(negative);
            let partial = product[index];
            let half = aig.xor(row, partial);
            product[index] = aig.xor(half, carry);
            if index + 1 < width {
                carry = aig.majority(row, partial, carry);
            }
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
pub fn unsigned_mul_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge], product: Multiply<'_>) -> Edge {
    let far = magnitudes_exceed(aig, a, b, a.len());
    let product = extended_product(aig, a, b, [Edge::FALSE; 2], product);
    aig.or(far, sign(&product))
}

/// Whether the signed product needs more bits.
///
/// As [`unsigned_mul_overflow`], with the bits that differ from the sign in place of the set ones:
/// when `i + j >= width - 1` the product overflows, otherwise it fits in one bit more.
pub fn signed_mul_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge], product: Multiply<'_>) -> Edge {
    let width = a.len();
    let magnitude = |aig: &mut Aig, operand: &[Edge]| -> Vec<Edge> {
        let sign = sign(operand);
        operand[..width - 1].iter().map(|&edge| aig.xor(edge, sign)).collect()
    };
    let (of_a, of_b) = (magnitude(aig, a), magnitude(aig, b));
    let far = magnitudes_exceed(aig, &of_a, &of_b, width - 1);
    let product = extended_product(aig, a, b, [sign(a), sign(b)], product);
    let differ = aig.xor(product[width], product[width - 1]);
    aig.or(far, differ)
}

/// The product of both words with one more bit each.
fn extended_product(
    aig: &mut Aig,
    a: &[Edge],
    b: &[Edge],
    signs: [Edge; 2],
    product: Multiply<'_>,
) -> Vec<Edge> {
    let [a, b] = [(a, signs[0]), (b, signs[1])]
        .map(|(word, sign)| -> Vec<Edge> { word.iter().copied().chain([sign]).collect() });
    product(aig, &a, &b)
}

/// Whether bits `i` of `a` and `j` of `b` are set with `i + j >= limit`.
pub fn magnitudes_exceed(aig: &mut Aig, a: &[Edge], b: &[Edge], limit: usize) -> Edge {
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
