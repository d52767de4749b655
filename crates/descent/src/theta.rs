//! The number of floating-point values between two others, θ in the objective of XSat.
//!
//! The bits of a value without its sign are its number among the values of its sign, so the values of a format are in the order of
//! integers that the bits determine. NaN is in no order: it stands apart.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};
use sundry_term::{BitVector, Float, FloatFormat};

/// The place of a value in the order of its format, by bits of at most 64: zero is at 0 and the other zero at -1. `None` for NaN.
pub(crate) fn place(format: FloatFormat, bits: u64) -> Option<i64> {
    let (negative, magnitude) = split(format, bits)?;
    Some(if negative { -(magnitude as i64) - 1 } else { magnitude as i64 })
}

/// The place of a value in the order of IEEE 754, in which the zeros are equal. `None` for NaN.
pub(crate) fn place_of_number(format: FloatFormat, bits: u64) -> Option<i64> {
    let (negative, magnitude) = split(format, bits)?;
    Some(if negative { -(magnitude as i64) } else { magnitude as i64 })
}

/// The sign, and the bits without it.
fn split(format: FloatFormat, bits: u64) -> Option<(bool, u64)> {
    let sign = 1 << (format.width() - 1);
    let magnitude = bits & (sign - 1);
    (magnitude <= infinity(format)).then_some((bits & sign != 0, magnitude))
}

/// The bits of the positive infinity of a format of at most 64 bits.
pub(crate) fn infinity(format: FloatFormat) -> u64 {
    ((1 << format.exponent_bits()) - 1) << (format.significand_bits() - 1)
}

/// The order of two values with the number of steps from one to the other, of any format.
/// `zeros_differ` says whether there is a step from one zero to the other. `None` if one is NaN.
pub(crate) fn compare(left: &Float, right: &Float, zeros_differ: bool) -> Option<(Ordering, f64)> {
    let place = |value: &Float| {
        let bits = value.to_bits()?;
        let magnitude = IBig::from(integer(&bits.with_bit(bits.width() - 1, false)));
        Some(match bits.is_negative() {
            true if zeros_differ => -magnitude - 1,
            true => -magnitude,
            false => magnitude,
        })
    };
    let (left, right) = (place(left)?, place(right)?);
    Some((left.cmp(&right), steps_between(&left, &right)))
}

/// The number of steps from one integer to another, in a double.
pub(crate) fn steps_between(left: &IBig, right: &IBig) -> f64 {
    // The steps of the widest formats would be infinitely many.
    (left - right).to_f64().value().abs().min(f64::MAX)
}

/// The number that bits are, without sign.
pub(crate) fn integer(bits: &BitVector) -> UBig {
    let bytes: Vec<u8> = bits.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

/// The number of values from one value to the other, the last one counted: 0 if they are equal, 1 between neighbours. The zeros are two values. `None` if
/// exactly one of them is NaN, and the greatest number in place of greater ones.
///
/// ```
/// use sundry_descent::theta;
/// use sundry_term::{BitVector, Float, FloatFormat};
///
/// let format = FloatFormat::new(11, 53).unwrap();
/// let float = |value: f64| Float::from_bits(format, &BitVector::from_u64(64, value.to_bits()));
/// assert_eq!(theta(&float(1.0), &float(1.0 + f64::EPSILON)), Some(1));
/// assert_eq!(theta(&float(1.0), &float(2.0)), Some(1 << 52));
/// assert_eq!(theta(&float(1.0), &float(f64::NAN)), None);
/// ```
pub fn theta(left: &Float, right: &Float) -> Option<u64> {
    if left.is_nan() && right.is_nan() {
        return Some(0);
    }
    let place = |value: &Float| {
        let bits = value.to_bits()?;
        let magnitude = IBig::from(integer(&bits.with_bit(bits.width() - 1, false)));
        Some(if bits.is_negative() { -magnitude - 1 } else { magnitude })
    };
    let (left, right) = (place(left)?, place(right)?);
    let (_, steps) = (left - right).into_parts();
    Some(u64::try_from(steps).unwrap_or(u64::MAX))
}
