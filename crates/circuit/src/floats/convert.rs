//! Conversions.

use sundry_term::{FloatFormat, RoundingMode};

use super::add::special;
use super::modes::Modes;
use super::round::{Cut, Exact, cut, round};
use super::unpacked::{Unpacked, clamped};
use super::widths::{Digits, number, resize, signed_resize, signed_width};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// The value in another format.
pub fn to_format(aig: &mut Aig, format: FloatFormat, modes: &Modes, a: &Unpacked) -> Unpacked {
    let exact = Exact {
        negative: a.negative,
        exponent: a.exponent.clone(),
        significand: a.significand.clone(),
        leading_zeros: 0,
    };
    let rounded = round(aig, format, modes, &exact);
    special(aig, rounded, a.nan, a.infinite, a.zero, a.negative)
}

/// The number without a sign, rounded.
pub fn from_unsigned(aig: &mut Aig, format: FloatFormat, modes: &Modes, word: &[Edge]) -> Unpacked {
    from_magnitude(aig, format, modes, Edge::FALSE, word)
}

/// The number in two's complement, rounded.
pub fn from_signed(aig: &mut Aig, format: FloatFormat, modes: &Modes, word: &[Edge]) -> Unpacked {
    let negative = word[word.len() - 1];
    let magnitude = words::negate_if(aig, negative, word);
    from_magnitude(aig, format, modes, negative, &magnitude)
}

fn from_magnitude(
    aig: &mut Aig,
    format: FloatFormat,
    modes: &Modes,
    negative: Edge,
    magnitude: &[Edge],
) -> Unpacked {
    let first = magnitude.len() as i128 - 1;
    let exact = Exact {
        negative,
        exponent: number(signed_width(first), first),
        significand: magnitude.to_vec(),
        leading_zeros: magnitude.len() - 1,
    };
    round(aig, format, modes, &exact)
}

/// The significand rounded to an integer, and the exponent of its first digit.
fn integral(aig: &mut Aig, format: FloatFormat, modes: &Modes, a: &Unpacked) -> (Cut, Vec<Edge>) {
    let digits = format.digits();
    let width = a.exponent.len().max(signed_width(digits as i128 + 1)) + 2;
    let exponent = signed_resize(&a.exponent, width);
    let fraction = words::sub(aig, &number(width, digits as i128 - 1), &exponent);
    let places = clamped(aig, &fraction, digits + 1);
    let result = cut(aig, modes, a.negative, &a.significand, Edge::FALSE, Edge::FALSE, &places);
    let exponent = words::increment_if(aig, result.carry, &exponent);
    let exponent: Vec<Edge> = exponent.iter().map(|&bit| aig.and(bit, !result.is_unit)).collect();
    (result, exponent)
}

/// `fp.roundToIntegral`.
pub fn round_to_integral(aig: &mut Aig, format: FloatFormat, modes: &Modes, a: &Unpacked) -> Unpacked {
    let (cut, exponent) = integral(aig, format, modes, a);
    let rounded = Unpacked {
        nan: Edge::FALSE,
        infinite: Edge::FALSE,
        zero: cut.zero,
        negative: a.negative,
        exponent: signed_resize(&exponent, format.exponent_width()),
        significand: cut.significand,
    };
    special(aig, rounded, a.nan, a.infinite, a.zero, a.negative)
}

/// The magnitude of the value rounded to an integer, with one bit more than the width, and whether the value is no number or takes even more.
fn magnitude(
    aig: &mut Aig,
    format: FloatFormat,
    modes: &Modes,
    a: &Unpacked,
    width: usize,
) -> (Vec<Edge>, Edge) {
    let (cut, exponent) = integral(aig, format, modes, a);
    let digits = format.digits();
    let zero = aig.or(a.zero, cut.zero);
    // Shifted by one more than the exponent, the significand begins behind the digits after the point.
    let length = exponent.len().max(signed_width(width as i128 + 1)) + 1;
    let one_more = words::increment_if(aig, Edge::TRUE, &signed_resize(&exponent, length));
    let places = clamped(aig, &one_more, width + 2);
    let is_beyond = {
        let bound = words::constant(places.len(), |bit| (width + 1) >> bit & 1 == 1);
        words::unsigned_less(aig, &bound, &places, false)
    };
    let word = resize(&cut.significand, digits + width + 1);
    let shifted = words::shift_left(aig, &word, &places);
    let magnitude = shifted[digits..].iter().map(|&bit| aig.and(bit, !zero)).collect();
    let is_beyond = aig.and(is_beyond, !zero);
    (magnitude, aig.or_many(&[is_beyond, a.nan, a.infinite]))
}

/// `fp.to_ubv`: the bits, and whether the value has any; open otherwise.
pub fn to_unsigned(
    aig: &mut Aig,
    format: FloatFormat,
    modes: &Modes,
    a: &Unpacked,
    width: usize,
) -> (Vec<Edge>, Edge) {
    let (magnitude, is_beyond) = magnitude(aig, format, modes, a, width);
    let zero = words::is_zero(aig, &magnitude);
    let is_negative = aig.and(a.negative, !zero);
    let fails = aig.or_many(&[magnitude[width], is_beyond, is_negative]);
    (magnitude[..width].to_vec(), !fails)
}

/// `fp.to_sbv`: the bits, and whether the value has any; open otherwise.
pub fn to_signed(
    aig: &mut Aig,
    format: FloatFormat,
    modes: &Modes,
    a: &Unpacked,
    width: usize,
) -> (Vec<Edge>, Edge) {
    let (magnitude, is_beyond) = magnitude(aig, format, modes, a, width);
    let no_low = words::is_zero(aig, &magnitude[..width - 1]);
    let is_least = aig.and(no_low, a.negative);
    let is_great = aig.and(magnitude[width - 1], !is_least);
    let fails = aig.or_many(&[magnitude[width], is_beyond, is_great]);
    (words::negate_if(aig, a.negative, &magnitude[..width]), !fails)
}

/// The word for the rounding mode that holds.
pub fn with_mode(aig: &mut Aig, modes: &Modes, mut word: impl FnMut(RoundingMode) -> Vec<Edge>) -> Vec<Edge> {
    let mut result = word(RoundingMode::ALL[0]);
    for mode in &RoundingMode::ALL[1..] {
        result = words::ite(aig, modes.is(*mode), &word(*mode), &result);
    }
    result
}
