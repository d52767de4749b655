//! Unpacked values, and the way there and back.

use sundry_term::FloatFormat;

use super::packed::Classes;
use super::widths::{Digits, number, resize, signed_resize, unsigned_width};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// A value whose special cases are flags; at most one of the first three holds.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// Not a number.
    pub nan: Edge,
    /// One of the infinities.
    pub infinite: Edge,
    /// One of the zeros.
    pub zero: Edge,
    /// The sign; that of NaN means nothing.
    pub negative: Edge,
    /// The exponent of the leading digit, in two's complement; it means nothing in special cases.
    pub exponent: Vec<Edge>,
    /// As many digits as the format has, the last one first. The leading digit is set, except that a zero has no digits set. Those of
    /// infinities and NaN mean nothing.
    pub significand: Vec<Edge>,
}

/// The word shifted to the left until its leading bit is set, and the number of places; there are at most `limit` zeros before the first
/// set bit, or there is none.
pub fn normalise(aig: &mut Aig, word: &[Edge], limit: usize) -> (Vec<Edge>, Vec<Edge>) {
    let mut word = word.to_vec();
    let mut count = vec![Edge::FALSE; unsigned_width(limit)];
    for stage in (0..count.len()).rev() {
        let distance = 1 << stage;
        if distance >= word.len() {
            continue;
        }
        let shifts = words::is_zero(aig, &word[word.len() - distance..]);
        let shifted = [vec![Edge::FALSE; distance], word[..word.len() - distance].to_vec()].concat();
        word = words::ite(aig, shifts, &shifted, &word);
        count[stage] = shifts;
    }
    (word, count)
}

/// A number in two's complement, or 0 if it is negative, or `limit` if it is above, as a word without a sign.
pub fn clamped(aig: &mut Aig, word: &[Edge], limit: usize) -> Vec<Edge> {
    let width = unsigned_width(limit);
    let word = signed_resize(word, word.len().max(width + 1));
    let (sign, magnitude) = word.split_last().expect("words have bits");
    let bound = words::constant(magnitude.len(), |bit| bit < width && limit >> bit & 1 == 1);
    let is_above = words::unsigned_less(aig, &bound, magnitude, false);
    let low = words::ite(aig, is_above, &bound, magnitude);
    low[..width].iter().map(|&bit| aig.and(bit, !*sign)).collect()
}

impl Unpacked {
    /// The value with these canonical bits.
    pub fn of(aig: &mut Aig, format: FloatFormat, bits: &[Edge]) -> Unpacked {
        let classes = Classes::of(aig, format, bits);
        let digits = format.digits();
        let stored = &bits[digits - 1..bits.len() - 1];
        let has_hidden = aig.or(classes.normal, classes.infinite);
        let has_hidden = aig.or(has_hidden, classes.nan);
        let raw = [&bits[..digits - 1], &[has_hidden]].concat();
        let (significand, places) = normalise(aig, &raw, digits - 1);
        // Subnormal values have the exponent of the smallest normal ones.
        let width = format.exponent_width().max(stored.len() + 1) + 1;
        let stored = resize(stored, width);
        let bias = number(width, -format.greatest());
        let (exponent, _) = words::add_with_carry(aig, &stored, &bias, !has_hidden);
        let exponent = words::sub(aig, &exponent, &resize(&places, width));
        Unpacked {
            nan: classes.nan,
            infinite: classes.infinite,
            zero: classes.zero,
            negative: classes.negative,
            exponent: signed_resize(&exponent, format.exponent_width()),
            significand,
        }
    }

    /// The canonical bits of the value.
    pub fn packed(&self, aig: &mut Aig, format: FloatFormat) -> Vec<Edge> {
        let digits = format.digits();
        let width = self.exponent.len() + 1;
        let exponent = signed_resize(&self.exponent, width);
        let missing = words::sub(aig, &number(width, format.least_normal()), &exponent);
        let places = clamped(aig, &missing, digits);
        let has_hidden = words::is_zero(aig, &places);
        let shifted = words::shift_right_logical(aig, &self.significand, &places);
        let bias = number(width, format.greatest());
        let stored = words::add(aig, &exponent, &bias);
        let special = aig.or(self.nan, self.infinite);
        let is_stored = aig.and(has_hidden, !self.zero);
        let mut bits: Vec<Edge> = shifted[..digits - 1].iter().map(|&bit| aig.and(bit, !special)).collect();
        bits[digits - 2] = aig.or(bits[digits - 2], self.nan);
        for &bit in &stored[..format.exponent_bits() as usize] {
            let bit = aig.and(bit, is_stored);
            bits.push(aig.or(bit, special));
        }
        bits.push(aig.and(self.negative, !self.nan));
        bits
    }

    /// The first value where the condition holds, the second elsewhere.
    pub fn choice(aig: &mut Aig, condition: Edge, consequent: &Unpacked, alternative: &Unpacked) -> Unpacked {
        let (c, a) = (consequent, alternative);
        Unpacked {
            nan: aig.ite(condition, c.nan, a.nan),
            infinite: aig.ite(condition, c.infinite, a.infinite),
            zero: aig.ite(condition, c.zero, a.zero),
            negative: aig.ite(condition, c.negative, a.negative),
            exponent: words::ite(aig, condition, &c.exponent, &a.exponent),
            significand: words::ite(aig, condition, &c.significand, &a.significand),
        }
    }

    /// The value with the other sign.
    pub fn opposite(&self) -> Unpacked {
        Unpacked { negative: !self.negative, ..self.clone() }
    }
}
