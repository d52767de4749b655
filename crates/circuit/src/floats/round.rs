//! The one place where results are rounded.
//!
//! Rounding does not shift the significand of a subnormal result: the digit at which it ends is found by a mask, so that the result is
//! unpacked as it is.

use sundry_term::FloatFormat;

use super::modes::Modes;
use super::unpacked::{Unpacked, clamped, normalise};
use super::widths::{Digits, number, scaled, signed_resize, signed_width};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// A number to be rounded: its leading digit, which need not be set, has the exponent given. Where the significand has more digits than are
/// needed, the last may stand for all that follow.
pub struct Exact {
    /// Whether the number is negative.
    pub negative: Edge,
    /// The exponent of the first digit, in two's complement.
    pub exponent: Vec<Edge>,
    /// Digits, the last one first.
    pub significand: Vec<Edge>,
    /// The greatest number of digits before the first that is set, unless none is.
    pub leading_zeros: usize,
}

/// A significand cut at some digit.
pub struct Cut {
    /// The digits that are kept, rounded, before zeros; the leading one is set unless the result is zero.
    pub significand: Vec<Edge>,
    /// Whether the leading digit is now one place higher.
    pub carry: Edge,
    /// Whether the result is the unit, after numbers below half of it.
    pub is_unit: Edge,
    /// Whether nothing is left.
    pub zero: Edge,
}

/// Rounds a significand with a set leading digit, and one digit after it, where the last `cut` digits of the significand are to go. One more
/// than it has digits stands for all greater numbers.
pub fn cut(
    aig: &mut Aig,
    modes: &Modes,
    negative: Edge,
    significand: &[Edge],
    next: Edge,
    more: Edge,
    cut: &[Edge],
) -> Cut {
    let digits = [&[next], significand].concat();
    let count = digits.len();
    // kept_from[j]: digit j is not below the cut.
    let reached = words::shift_left(aig, &vec![Edge::TRUE; count], cut);
    let below: Vec<Edge> = words::not(&reached);
    // first[j]: digit j is the first that goes.
    let first: Vec<Edge> =
        (0..count).map(|j| aig.and(reached[j], if j == 0 { Edge::TRUE } else { below[j - 1] })).collect();
    let select = |aig: &mut Aig, digits: &[Edge], mask: &[Edge]| {
        let selected = words::zip(aig, digits, mask, Aig::and);
        aig.or_many(&selected)
    };
    let half = select(aig, &digits, &first);
    let lower = select(aig, &digits, &below);
    let last = select(aig, &digits[1..], &first[..count - 1]);
    let more = aig.or(lower, more);
    let away = modes.rounds_away(aig, negative, last, half, more);
    let mut carry = Edge::FALSE;
    let mut rounded = Vec::with_capacity(count - 1);
    for j in 1..count {
        let kept = aig.and(digits[j], reached[j - 1]);
        let increment = aig.and(away, first[j - 1]);
        let increment = aig.or(increment, carry);
        rounded.push(aig.xor(kept, increment));
        carry = aig.and(kept, increment);
    }
    let above = aig.and(away, first[count - 1]);
    let carry = aig.or(carry, above);
    let is_unit = aig.and(away, below[count - 1]);
    let leading = rounded.last_mut().expect("significands have digits");
    let is_one = aig.or(carry, is_unit);
    *leading = aig.or(*leading, is_one);
    let zero = aig.and(below[count - 2], !away);
    Cut { significand: rounded, carry, is_unit, zero }
}

/// The value of the format for a number, neither NaN nor infinite unless it is too great.
pub fn round(aig: &mut Aig, format: FloatFormat, modes: &Modes, exact: &Exact) -> Unpacked {
    let digits = format.digits();
    let Exact { negative, ref exponent, ref significand, leading_zeros } = *exact;
    let padded = scaled(significand, (digits + 2).saturating_sub(significand.len()));
    let (normal, places) = normalise(aig, &padded, leading_zeros);
    let (rest, kept) = normal.split_at(normal.len() - digits);
    let (next, rest) = rest.split_last().expect("there are two more digits");
    let more = aig.or_many(rest);
    let is_zero = !kept[digits - 1];

    let width = 2 + exponent
        .len()
        .max(places.len() + 1)
        .max(format.exponent_width())
        .max(signed_width(digits as i128 + 1));
    let places = super::widths::resize(&places, width);
    let exponent = words::sub(aig, &signed_resize(exponent, width), &places);
    let missing = words::sub(aig, &number(width, format.least_normal()), &exponent);
    let places = clamped(aig, &missing, digits + 1);
    let result = cut(aig, modes, negative, kept, *next, more, &places);

    let exponent = words::increment_if(aig, result.carry, &exponent);
    let is_greater = words::signed_less(aig, &number(width, format.greatest()), &exponent, false);
    let overflows = aig.and(is_greater, !is_zero);
    let to_infinity = modes.overflows_to_infinity(aig, negative);
    let infinite = aig.and(overflows, to_infinity);
    let unit = number(width, format.least_normal() - digits as i128 + 1);
    let exponent = words::ite(aig, result.is_unit, &unit, &exponent);
    let exponent = words::ite(aig, overflows, &number(width, format.greatest()), &exponent);
    Unpacked {
        nan: Edge::FALSE,
        infinite,
        zero: aig.or(is_zero, result.zero),
        negative,
        exponent: signed_resize(&exponent, format.exponent_width()),
        significand: result.significand.iter().map(|&digit| aig.or(digit, overflows)).collect(),
    }
}
