//! Quotients and remainders.
//!
//! Restoring division: the dividend's bits enter the partial remainder from the top, and the
//! divisor is subtracted where it fits. After `k` bits the partial remainder has at most `k` bits,
//! so that the divisor's higher bits only have to be zero for it to fit: half the subtractors of
//! the usual layout, and no extra bit. Division by zero needs no case of its own: zero always
//! fits, which gives all ones and the dividend, as the standard asks.

use rustc_hash::FxHashMap;

use super::{add, constant_bits, is_ones, is_zero, ite, negate_if, negate_overflow, not, sign};
use crate::aig::Aig;
use crate::edge::Edge;

type Word = Box<[Edge]>;

/// Builds divisions and remembers them, because quotients and remainders of the same operands,
/// signed ones too, come from one circuit.
#[derive(Clone, Default)]
pub struct Divider {
    built: FxHashMap<(Word, Word), (Word, Word)>,
}

impl Divider {
    /// Creates a table of divisions that has built nothing yet.
    pub fn new() -> Self {
        Divider::default()
    }

    /// Unsigned quotient and remainder.
    pub fn unsigned(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge]) -> (Word, Word) {
        let key = (Word::from(a), Word::from(b));
        if let Some(results) = self.built.get(&key) {
            return results.clone();
        }
        let (quotient, remainder) = match power_of_two(b) {
            Some(exponent) => split(a, exponent),
            None => restoring_division(aig, a, b),
        };
        let results = (Word::from(quotient), Word::from(remainder));
        if !aig.is_stopped() {
            self.built.insert(key, results.clone());
        }
        results
    }

    /// Lets `open` make the bits of the unsigned division of these operands, or of their absolute values, unless the
    /// division is known or a constant divisor makes it easy. Where `open` makes none, the circuit does.
    pub(crate) fn leave_open(
        &mut self,
        aig: &mut Aig,
        a: &[Edge],
        b: &[Edge],
        signed: bool,
        open: impl FnOnce(&mut Aig, &[Edge], &[Edge]) -> Option<(Vec<Edge>, Vec<Edge>)>,
    ) {
        let (a, b) = if signed { magnitudes(aig, a, b) } else { (a.to_vec(), b.to_vec()) };
        if power_of_two(&b).is_some() {
            return;
        }
        let key = (Word::from(a), Word::from(b));
        if !self.built.contains_key(&key)
            && let Some((quotient, remainder)) = open(aig, &key.0, &key.1)
        {
            self.built.insert(key, (quotient.into(), remainder.into()));
        }
    }

    /// Quotient and remainder of the absolute values.
    fn of_magnitudes(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge]) -> (Word, Word) {
        let (left, right) = magnitudes(aig, a, b);
        self.unsigned(aig, &left, &right)
    }

    /// Signed quotient, rounding towards zero.
    pub fn signed_quotient(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
        let (quotient, _) = self.of_magnitudes(aig, a, b);
        let negative = aig.xor(sign(a), sign(b));
        negate_if(aig, negative, &quotient)
    }

    /// Signed remainder with the sign of the dividend.
    pub fn signed_remainder(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
        let (_, remainder) = self.of_magnitudes(aig, a, b);
        negate_if(aig, sign(a), &remainder)
    }

    /// Signed remainder with the sign of the divisor.
    pub fn signed_modulus(&mut self, aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
        let remainder = self.signed_remainder(aig, a, b);
        let zero = is_zero(aig, &remainder);
        let signs_differ = aig.xor(sign(a), sign(b));
        let corrects = aig.and(signs_differ, !zero);
        let correction = ite(aig, corrects, b, &vec![Edge::FALSE; b.len()]);
        add(aig, &remainder, &correction)
    }
}

/// The absolute values of two operands.
fn magnitudes(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> (Vec<Edge>, Vec<Edge>) {
    let left = negate_if(aig, sign(a), a);
    let right = negate_if(aig, sign(b), b);
    (left, right)
}

/// The exponent when the operand is a constant power of two.
fn power_of_two(b: &[Edge]) -> Option<usize> {
    let bits = constant_bits(b)?;
    let mut ones = bits.iter().enumerate().filter(|(_, bit)| **bit).map(|(position, _)| position);
    let exponent = ones.next()?;
    ones.next().is_none().then_some(exponent)
}

fn split(a: &[Edge], exponent: usize) -> (Vec<Edge>, Vec<Edge>) {
    let (mut quotient, mut remainder) = (a[exponent..].to_vec(), a[..exponent].to_vec());
    quotient.resize(a.len(), Edge::FALSE);
    remainder.resize(a.len(), Edge::FALSE);
    (quotient, remainder)
}

fn restoring_division(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> (Vec<Edge>, Vec<Edge>) {
    let width = a.len();
    // zero_above[k]: the divisor has no bit set at k or above.
    let mut zero_above = vec![Edge::TRUE; width + 1];
    for position in (0..width).rev() {
        zero_above[position] = aig.and(zero_above[position + 1], !b[position]);
    }
    let mut quotient = vec![Edge::FALSE; width];
    let mut remainder: Vec<Edge> = Vec::with_capacity(width);
    for step in 1..=width {
        remainder.insert(0, a[width - step]);
        let (fits, difference) = subtract_where_it_fits(aig, &remainder, &b[..step], zero_above[step]);
        remainder = ite(aig, fits, &difference, &remainder);
        quotient[width - step] = fits;
    }
    (quotient, remainder)
}

/// Whether the partial remainder is not below the divisor, whose bits above it are zero or not,
/// and the difference.
fn subtract_where_it_fits(aig: &mut Aig, a: &[Edge], b: &[Edge], zero_above: Edge) -> (Edge, Vec<Edge>) {
    if zero_above == Edge::FALSE {
        return (Edge::FALSE, a.to_vec());
    }
    let (difference, carry) = super::add_with_carry(aig, a, &not(b), Edge::TRUE);
    (aig.and(carry, zero_above), difference)
}

/// Whether the signed quotient overflows: the least value by minus one.
pub fn signed_div_overflow(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> Edge {
    let least = negate_overflow(aig, a);
    let minus_one = is_ones(aig, b);
    aig.and(least, minus_one)
}
