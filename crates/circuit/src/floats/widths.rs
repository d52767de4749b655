//! Words of constants, and widths.

use sundry_term::FloatFormat;

use crate::edge::Edge;
use crate::words;

/// The word of a number in two's complement.
///
/// # Panics
/// When the number does not fit.
pub fn number(width: usize, value: i128) -> Vec<Edge> {
    assert!(signed_width(value) <= width, "{value} in {width} bits");
    words::constant(width, |bit| value >> bit.min(127) & 1 == 1)
}

/// The bits that a number takes in two's complement.
pub fn signed_width(value: i128) -> usize {
    let magnitude = if value < 0 { !value } else { value };
    (128 - magnitude.leading_zeros()) as usize + 1
}

/// The bits that a number takes without a sign.
pub fn unsigned_width(value: usize) -> usize {
    (usize::BITS - value.leading_zeros()) as usize
}

/// The word with copies of its sign, or the low bits of it.
pub fn signed_resize(a: &[Edge], width: usize) -> Vec<Edge> {
    let sign = a.last().copied().unwrap_or(Edge::FALSE);
    (0..width).map(|bit| a.get(bit).copied().unwrap_or(sign)).collect()
}

/// The word with zeros above, or the low bits of it.
pub fn resize(a: &[Edge], width: usize) -> Vec<Edge> {
    (0..width).map(|bit| a.get(bit).copied().unwrap_or(Edge::FALSE)).collect()
}

/// The word behind this number of zeros: multiplied by a power of two.
pub fn scaled(a: &[Edge], zeros: usize) -> Vec<Edge> {
    [vec![Edge::FALSE; zeros], a.to_vec()].concat()
}

/// Facts about a format that circuits need.
pub trait Digits {
    /// Digits of the significand, the hidden one counted.
    fn digits(self) -> usize;
    /// The exponent of the leading digit of the greatest values.
    fn greatest(self) -> i128;
    /// The exponent of the leading digit of the smallest normal value.
    fn least_normal(self) -> i128;
    /// The bits of the exponent of an unpacked value, which may be subnormal.
    fn exponent_width(self) -> usize;
}

impl Digits for FloatFormat {
    fn digits(self) -> usize {
        self.significand_bits() as usize
    }

    fn greatest(self) -> i128 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    fn least_normal(self) -> i128 {
        1 - self.greatest()
    }

    fn exponent_width(self) -> usize {
        signed_width(self.least_normal() - self.digits() as i128).max(signed_width(self.greatest() + 1))
    }
}
