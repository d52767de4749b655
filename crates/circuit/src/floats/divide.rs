//! Quotients, square roots and remainders, digit by digit.

use sundry_term::{FloatFormat, RoundingMode};

use super::add::special;
use super::modes::Modes;
use super::round::{Exact, round};
use super::unpacked::Unpacked;
use super::widths::{Digits, number, resize, scaled, signed_resize};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// The difference where it is not negative, the first operand elsewhere, and whether it is not negative.
fn reduce(aig: &mut Aig, a: &[Edge], b: &[Edge]) -> (Vec<Edge>, Edge) {
    let (difference, fits) = words::add_with_carry(aig, a, &words::not(b), Edge::TRUE);
    (words::ite(aig, fits, &difference, a), fits)
}

/// `fp.div`.
pub fn divide(aig: &mut Aig, format: FloatFormat, modes: &Modes, a: &Unpacked, b: &Unpacked) -> Unpacked {
    let digits = format.digits();
    let width = format.exponent_width() + 1;
    let negative = aig.xor(a.negative, b.negative);
    // The rest is less than twice the divisor. The quotient's first digit is that of 1.
    let mut rest = resize(&a.significand, digits + 1);
    let divisor = resize(&b.significand, digits + 1);
    let mut quotient = Vec::with_capacity(digits + 3);
    for _ in 0..digits + 2 {
        if aig.is_stopped() {
            break;
        }
        let (reduced, digit) = reduce(aig, &rest, &divisor);
        quotient.push(digit);
        rest = scaled(&reduced[..digits], 1);
    }
    let is_exact = words::is_zero(aig, &rest);
    quotient.push(!is_exact);
    quotient.reverse();
    let exponent = words::sub(aig, &signed_resize(&a.exponent, width), &signed_resize(&b.exponent, width));
    let exact = Exact { negative, exponent, significand: quotient, leading_zeros: 1 };
    let rounded = round(aig, format, modes, &exact);
    let both_infinite = aig.and(a.infinite, b.infinite);
    let both_zero = aig.and(a.zero, b.zero);
    let nan = aig.or_many(&[a.nan, b.nan, both_infinite, both_zero]);
    let infinite = aig.or(a.infinite, b.zero);
    let zero = aig.or(a.zero, b.infinite);
    special(aig, rounded, nan, infinite, zero, negative)
}

/// `fp.sqrt`.
pub fn square_root(aig: &mut Aig, format: FloatFormat, modes: &Modes, a: &Unpacked) -> Unpacked {
    let digits = format.digits();
    let width = format.exponent_width() + 1;
    // With an even exponent, the significand is below 4.
    let is_odd = a.exponent[0];
    let plain = resize(&a.significand, digits + 1);
    let doubled = scaled(&a.significand, 1);
    let radicand = words::ite(aig, is_odd, &doubled, &plain);
    let exponent = signed_resize(&a.exponent, width)[1..].to_vec();
    let exponent = signed_resize(&exponent, width);
    // Two digits of the radicand for one of the root; before its point there are two.
    let mut taken = scaled(&radicand, 2 * (digits + 2) - 2 - (digits - 1)).into_iter().rev();
    let mut rest: Vec<Edge> = Vec::new();
    let mut root: Vec<Edge> = Vec::new();
    for _ in 0..digits + 2 {
        if aig.is_stopped() {
            break;
        }
        let (second, first) = (taken.next(), taken.next());
        rest.insert(0, second.expect("two digits for each of the root"));
        rest.insert(0, first.expect("two digits for each of the root"));
        // The candidate is the root with the digits 01 behind it.
        let candidate = [&[Edge::TRUE, Edge::FALSE], &root[..]].concat();
        let length = rest.len().max(candidate.len());
        let (reduced, digit) = reduce(aig, &resize(&rest, length), &resize(&candidate, length));
        root.insert(0, digit);
        // The rest is at most twice the root.
        rest = resize(&reduced, root.len() + 1);
    }
    let is_exact = words::is_zero(aig, &rest);
    root.insert(0, !is_exact);
    let exact = Exact { negative: Edge::FALSE, exponent, significand: root, leading_zeros: 0 };
    let rounded = round(aig, format, modes, &exact);
    let below_zero = aig.and(a.negative, !a.zero);
    let nan = aig.or(a.nan, below_zero);
    let infinite = aig.and(a.infinite, !a.negative);
    special(aig, rounded, nan, infinite, a.zero, a.negative)
}

/// `fp.rem`: the exact remainder after subtracting the second as often as the quotient, rounded to the nearest even integer.
///
/// The division is one of integers, with a digit of the quotient for each exponent that a format has: circuits of large formats are
/// huge.
pub fn remainder(aig: &mut Aig, format: FloatFormat, a: &Unpacked, b: &Unpacked) -> Unpacked {
    let digits = format.digits();
    let width = format.exponent_width() + 2;
    let (left, right) = (signed_resize(&a.exponent, width), signed_resize(&b.exponent, width));
    let distance = words::sub(aig, &left, &right);
    // The quotient has digits for powers of two from the distance down to −1, which decides how it is rounded. Where the distance is less
    // than −1, the quotient is 0.
    let steps = remainder_steps(format);
    let divisor = resize(&b.significand, digits + 1);
    let mut rest = resize(&a.significand, digits + 1);
    let (mut odd, mut half) = (Edge::FALSE, Edge::FALSE);
    for step in (0..steps).rev() {
        if aig.is_stopped() {
            break;
        }
        // Whether the division has this step: the digit of 2^(step − 1).
        let has = words::signed_less(aig, &number(width, step as i128 - 1), &distance, true);
        let (reduced, digit) = reduce(aig, &rest, &divisor);
        let digit = aig.and(digit, has);
        odd = aig.ite(has, half, odd);
        half = aig.ite(has, digit, half);
        let next = if step == 0 { reduced } else { scaled(&reduced[..digits], 1) };
        rest = words::ite(aig, has, &next, &rest);
    }
    // Now the rest is the remainder after the digit of one half, as a multiple of half of the divisor's last digit.
    let is_tiny = words::signed_less(aig, &distance, &number(width, -1), false);
    let is_exact = words::is_zero(aig, &rest);
    let beyond_or_odd = aig.or(!is_exact, odd);
    let away = aig.and(half, beyond_or_odd);
    // What is left of the dividend: the rest, and half of the divisor if the last digit was set; all of the divisor is subtracted if the quotient
    // is rounded away. In units of half of the divisor's last digit.
    let wide = digits + 2;
    let rest = resize(&rest, wide);
    let divisor = resize(&b.significand, wide);
    let halves: Vec<Edge> = divisor.iter().map(|&digit| aig.and(digit, half)).collect();
    let left = words::add(aig, &rest, &halves);
    let twice = resize(&scaled(&b.significand, 1), wide);
    let opposite = words::sub(aig, &twice, &left);
    let magnitude = words::ite(aig, away, &opposite, &left);
    let negative = aig.xor(a.negative, away);
    // The first digit of the word is two places above that of the divisor, less the one for halves.
    let exponent = words::increment_if(aig, Edge::TRUE, &right);
    let exact = Exact { negative, exponent, significand: magnitude.clone(), leading_zeros: wide };
    let nearest = Modes::constant(RoundingMode::NearestTiesToEven);
    let rounded = round(aig, format, &nearest, &exact);
    let is_zero = words::is_zero(aig, &magnitude);
    let negative = aig.ite(is_zero, a.negative, negative);
    // The dividend itself, where it is less than half of the divisor.
    let keeps = aig.or(is_tiny, b.infinite);
    let keeps = aig.or(keeps, a.zero);
    let rounded = Unpacked { negative, ..rounded };
    let result = Unpacked::choice(aig, keeps, a, &rounded);
    let undefined = aig.or(a.infinite, b.zero);
    let nan = aig.or_many(&[a.nan, b.nan, undefined]);
    let negative = result.negative;
    special(aig, result, nan, Edge::FALSE, Edge::FALSE, negative)
}

/// The number of steps of a remainder: the greatest distance of exponents, and two more.
pub fn remainder_steps(format: FloatFormat) -> usize {
    let least = format.least_normal() - (format.digits() as i128 - 1);
    usize::try_from(format.greatest() - least + 2).unwrap_or(usize::MAX)
}
