//! Rounding: from an exact result to a value of the format (IEEE 754-2008, section 4.3).

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::{Float, FloatFormat, Kind, RoundingMode};

/// The part that is cut off a number, as a share of its last digit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Fraction {
    Zero,
    BelowHalf,
    Half,
    AboveHalf,
}

/// The result of an operation before rounding: `magnitude` times two to the `exponent`, and a bit more
/// in absolute value, but less than 1 in the last digit, where it is not exact.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) magnitude: UBig,
    pub(super) exponent: i64,
    /// Whether a remainder follows the magnitude, which then needs two more digits than the format has.
    pub(super) more: bool,
}

impl Exact {
    /// The value of the format that the mode chooses; a zero has the sign that the result has.
    pub(super) fn round(self, format: FloatFormat, mode: RoundingMode) -> Float {
        let Exact { negative, magnitude, exponent, more } = self;
        if magnitude.is_zero() && !more {
            return Float::zero(format, negative);
        }
        let digits = magnitude.bit_len() as i64;
        let precision = i64::from(format.significand_bits());
        let mut target = (exponent + digits - precision).max(format.least_exponent());
        if target > format.greatest_exponent() {
            // The number is too great whatever is cut off.
            return overflow(format, mode, negative);
        }
        let (mut significand, fraction) = if target <= exponent {
            debug_assert!(!more, "an inexact result has more digits than the format");
            (magnitude << (exponent - target) as usize, Fraction::Zero)
        } else {
            cut(magnitude, target.abs_diff(exponent), more)
        };
        if rounds_away(mode, negative, significand.bit(0), fraction) {
            significand += 1u8;
            if significand.bit_len() as i64 > precision {
                significand >>= 1;
                target += 1;
            }
        }
        if significand.is_zero() {
            Float::zero(format, negative)
        } else if target > format.greatest_exponent() {
            overflow(format, mode, negative)
        } else {
            Float { format, kind: Kind::Finite { negative, exponent: target, significand } }
        }
    }
}

/// A number without its last digits, and the share that these amount to.
pub(super) fn cut(magnitude: UBig, digits: u64, more: bool) -> (UBig, Fraction) {
    if digits == 0 {
        return (magnitude, if more { Fraction::BelowHalf } else { Fraction::Zero });
    }
    if digits > magnitude.bit_len() as u64 {
        let fraction = if magnitude.is_zero() && !more { Fraction::Zero } else { Fraction::BelowHalf };
        return (UBig::ZERO, fraction);
    }
    let (rest, kept) = magnitude.split_bits(digits as usize);
    let half = UBig::ONE << (digits as usize - 1);
    let fraction = match rest.cmp(&half) {
        Ordering::Less if rest.is_zero() && !more => Fraction::Zero,
        Ordering::Less => Fraction::BelowHalf,
        Ordering::Equal if !more => Fraction::Half,
        Ordering::Equal | Ordering::Greater => Fraction::AboveHalf,
    };
    (kept, fraction)
}

/// Whether rounding increases the remaining magnitude by one in its last digit.
pub(super) fn rounds_away(mode: RoundingMode, negative: bool, is_odd: bool, fraction: Fraction) -> bool {
    match mode {
        _ if fraction == Fraction::Zero => false,
        RoundingMode::NearestTiesToEven => {
            fraction == Fraction::AboveHalf || fraction == Fraction::Half && is_odd
        }
        RoundingMode::NearestTiesToAway => fraction != Fraction::BelowHalf,
        RoundingMode::TowardPositive => !negative,
        RoundingMode::TowardNegative => negative,
        RoundingMode::TowardZero => false,
    }
}

/// The result in place of a number beyond all finite values (IEEE 754-2008, section 7.4).
fn overflow(format: FloatFormat, mode: RoundingMode, negative: bool) -> Float {
    let to_infinity = match mode {
        RoundingMode::NearestTiesToEven | RoundingMode::NearestTiesToAway => true,
        RoundingMode::TowardPositive => !negative,
        RoundingMode::TowardNegative => negative,
        RoundingMode::TowardZero => false,
    };
    if to_infinity { Float::infinity(format, negative) } else { Float::greatest(format, negative) }
}
