//! Sums.

use sundry_term::FloatFormat;

use super::modes::Modes;
use super::round::{Exact, round};
use super::unpacked::{Unpacked, clamped};
use super::widths::{Digits, resize, scaled, signed_resize};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// A summand: its leading digit is set, or it is zero and no digit is.
pub struct Summand<'a> {
    pub zero: Edge,
    pub negative: Edge,
    /// In two's complement.
    pub exponent: &'a [Edge],
    pub significand: &'a [Edge],
}

impl<'a> Summand<'a> {
    pub fn of(value: &'a Unpacked) -> Summand<'a> {
        Summand {
            zero: value.zero,
            negative: value.negative,
            exponent: &value.exponent,
            significand: &value.significand,
        }
    }
}

/// The sum of numbers whose words have the same widths, with three more digits, of which the last stands for all that follow: enough to round at
/// any digit of the summands. The sign of a sum that is zero is open.
pub fn exact_sum(aig: &mut Aig, a: &Summand<'_>, b: &Summand<'_>) -> Exact {
    let digits = a.significand.len();
    let width = a.exponent.len() + 2;
    // Magnitudes are ordered as these words are: zero, exponent with the sign complemented, significand.
    let key = |summand: &Summand<'_>| {
        let mut key = [summand.significand, summand.exponent].concat();
        let sign = key.last_mut().expect("exponents have bits");
        *sign = !*sign;
        key.push(!summand.zero);
        key
    };
    let swaps = words::unsigned_less(aig, &key(a), &key(b), false);
    let great = words::ite(aig, swaps, b.significand, a.significand);
    let small = words::ite(aig, swaps, a.significand, b.significand);
    let exponent = words::ite(aig, swaps, b.exponent, a.exponent);
    let other = words::ite(aig, swaps, a.exponent, b.exponent);
    let negative = aig.ite(swaps, b.negative, a.negative);
    let distance = words::sub(aig, &signed_resize(&exponent, width), &signed_resize(&other, width));
    let distance = clamped(aig, &distance, digits + 3);
    let (shifted, lost) = shift_right_and_collect(aig, &scaled(&small, 2), &distance);
    let small = [&[lost], &shifted[..]].concat();
    let subtracts = aig.xor(a.negative, b.negative);
    let great = resize(&scaled(&great, 3), digits + 4);
    let small: Vec<Edge> =
        resize(&small, digits + 4).iter().map(|&digit| aig.xor(digit, subtracts)).collect();
    let (sum, _) = words::add_with_carry(aig, &great, &small, subtracts);
    let exponent = words::increment_if(aig, Edge::TRUE, &signed_resize(&exponent, width));
    Exact { negative, exponent, significand: sum, leading_zeros: digits + 3 }
}

/// The word shifted to the right, and whether a set bit was lost.
pub fn shift_right_and_collect(aig: &mut Aig, word: &[Edge], places: &[Edge]) -> (Vec<Edge>, Edge) {
    let mut word = word.to_vec();
    let mut lost = Edge::FALSE;
    for (stage, &shifts) in places.iter().enumerate() {
        let distance = (1 << stage).min(word.len());
        let below = aig.or_many(&word[..distance]);
        let below = aig.and(below, shifts);
        lost = aig.or(lost, below);
        let shifted = resize(&word[distance..], word.len());
        word = words::ite(aig, shifts, &shifted, &word);
    }
    (word, lost)
}

/// `fp.add`.
pub fn add(aig: &mut Aig, format: FloatFormat, modes: &Modes, a: &Unpacked, b: &Unpacked) -> Unpacked {
    let exact = exact_sum(aig, &Summand::of(a), &Summand::of(b));
    finish_sum(aig, format, modes, [a.nan, b.nan], (a.infinite, a.negative), (b.infinite, b.negative), exact)
}

/// A sum rounded, of summands that may be infinite or NaN. Each summand that can be infinite is there with its sign.
pub fn finish_sum(
    aig: &mut Aig,
    format: FloatFormat,
    modes: &Modes,
    nans: [Edge; 2],
    (left_infinite, left_negative): (Edge, Edge),
    (right_infinite, right_negative): (Edge, Edge),
    exact: Exact,
) -> Unpacked {
    debug_assert!(exact.significand.len() > format.digits());
    let sum_is_zero = words::is_zero(aig, &exact.significand);
    let sum = round(aig, format, modes, &exact);
    let opposite = aig.xor(left_negative, right_negative);
    let both_infinite = aig.and(left_infinite, right_infinite);
    let undefined = aig.and(both_infinite, opposite);
    let nan = aig.or_many(&[nans[0], nans[1], undefined]);
    let infinite = aig.or(left_infinite, right_infinite);
    // A sum that is zero has the sign of both summands, if that is one.
    let of_zero = aig.ite(opposite, modes.sign_of_zero(), left_negative);
    let negative = aig.ite(sum_is_zero, of_zero, exact.negative);
    let of_infinity = aig.ite(left_infinite, left_negative, right_negative);
    let negative = aig.ite(infinite, of_infinity, negative);
    special(aig, sum, nan, infinite, Edge::FALSE, negative)
}

/// The rounded result, or where a flag holds the special value.
pub fn special(
    aig: &mut Aig,
    rounded: Unpacked,
    nan: Edge,
    infinite: Edge,
    zero: Edge,
    negative: Edge,
) -> Unpacked {
    let is_special = aig.or_many(&[nan, infinite, zero]);
    let infinite_or_rounded = aig.and(rounded.infinite, !is_special);
    let zero_or_rounded = aig.and(rounded.zero, !is_special);
    let infinite = aig.and(infinite, !nan);
    let zero = aig.and(zero, !nan);
    Unpacked {
        nan,
        infinite: aig.or(infinite, infinite_or_rounded),
        zero: aig.or(zero, zero_or_rounded),
        negative,
        significand: rounded.significand.iter().map(|&digit| aig.and(digit, !zero)).collect(),
        exponent: rounded.exponent,
    }
}
