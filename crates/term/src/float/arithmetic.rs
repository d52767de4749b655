//! Arithmetic of floating-point values (IEEE 754-2008, sections 5.3 to 5.5 and 6).

use dashu_int::ops::{BitTest, DivRem, SquareRootRem};
use dashu_int::{IBig, Sign, UBig};

use super::round::{Exact, Fraction, cut, rounds_away};
use super::{Float, FloatFormat, Kind, RoundingMode};

/// A number `magnitude` times two to the `exponent`, with sign.
#[derive(Clone)]
struct Number {
    negative: bool,
    magnitude: UBig,
    exponent: i64,
}

impl Number {
    /// The exponent of the digit in front of the leading one.
    fn top(&self) -> i64 {
        self.exponent + self.magnitude.bit_len() as i64
    }

    fn product(&self, other: &Number) -> Number {
        Number {
            negative: self.negative != other.negative,
            magnitude: &self.magnitude * &other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The sum; a zero has a plus sign. Neither number is zero.
    ///
    /// Exact, unless one is so small against the other that it only matters that it is there.
    fn sum(&self, other: &Number, format: FloatFormat) -> Exact {
        let (great, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        let spare = i64::from(format.significand_bits()) + 3;
        // With this number of digits, one unit in the last of them is more than the small number, so rounding needs
        // no more digits.
        let digits = (spare - great.magnitude.bit_len() as i64).max(1);
        if great.exponent - digits > small.top() {
            let magnitude = &great.magnitude << digits as usize;
            let exponent = great.exponent - digits;
            let magnitude = if great.negative == small.negative { magnitude } else { magnitude - 1u8 };
            return Exact { negative: great.negative, magnitude, exponent, more: true };
        }
        let exponent = great.exponent.min(small.exponent);
        let aligned = |number: &Number| {
            let magnitude = &number.magnitude << (number.exponent - exponent) as usize;
            IBig::from_parts(if number.negative { Sign::Negative } else { Sign::Positive }, magnitude)
        };
        let (sign, magnitude) = (aligned(great) + aligned(small)).into_parts();
        let negative = sign == Sign::Negative && !magnitude.is_zero();
        Exact { negative, magnitude, exponent, more: false }
    }

    fn exact(self) -> Exact {
        let Number { negative, magnitude, exponent } = self;
        Exact { negative, magnitude, exponent, more: false }
    }
}

impl Float {
    /// The number, `None` unless finite and not zero.
    fn number(&self) -> Option<Number> {
        match &self.kind {
            Kind::Finite { negative, exponent, significand } => {
                Some(Number { negative: *negative, magnitude: significand.clone(), exponent: *exponent })
            }
            _ => None,
        }
    }

    /// `fp.add`.
    pub fn add(&self, other: &Float, mode: RoundingMode) -> Float {
        let format = self.format;
        match (&self.kind, &other.kind) {
            (Kind::Nan, _) | (_, Kind::Nan) => Float::nan(format),
            (Kind::Infinity { negative: left }, Kind::Infinity { negative: right }) if left != right => {
                Float::nan(format)
            }
            (Kind::Infinity { .. }, _) => self.clone(),
            (_, Kind::Infinity { .. }) => other.clone(),
            (Kind::Zero { negative: left }, Kind::Zero { negative: right }) => {
                Float::zero(format, if left == right { *left } else { zero_sign(mode) })
            }
            (Kind::Zero { .. }, _) => other.clone(),
            (_, Kind::Zero { .. }) => self.clone(),
            (Kind::Finite { .. }, Kind::Finite { .. }) => {
                let (left, right) = (self.finite(), other.finite());
                rounded_sum(&left, &right, format, mode)
            }
        }
    }

    /// The number of a value that is finite and not zero.
    fn finite(&self) -> Number {
        self.number().expect("finite and not zero")
    }

    /// `fp.sub`.
    pub fn sub(&self, other: &Float, mode: RoundingMode) -> Float {
        self.add(&other.neg(), mode)
    }

    /// `fp.mul`.
    pub fn mul(&self, other: &Float, mode: RoundingMode) -> Float {
        match self.special_product(other) {
            Some(product) => product,
            None => self.finite().product(&other.finite()).exact().round(self.format, mode),
        }
    }

    /// The product where a factor is not finite or zero.
    fn special_product(&self, other: &Float) -> Option<Float> {
        let format = self.format;
        let (Some(left), Some(right)) = (self.sign(), other.sign()) else { return Some(Float::nan(format)) };
        let negative = left != right;
        if self.is_infinite() || other.is_infinite() {
            let undefined = self.is_zero() || other.is_zero();
            return Some(if undefined { Float::nan(format) } else { Float::infinity(format, negative) });
        }
        (self.is_zero() || other.is_zero()).then(|| Float::zero(format, negative))
    }

    /// `fp.fma`: the product with a factor, and a summand added, rounded once.
    pub fn fused_multiply_add(&self, factor: &Float, summand: &Float, mode: RoundingMode) -> Float {
        let format = self.format;
        if let Some(product) = self.special_product(factor) {
            return product.add(summand, mode);
        }
        let product = self.finite().product(&factor.finite());
        match &summand.kind {
            Kind::Nan | Kind::Infinity { .. } => summand.clone(),
            Kind::Zero { .. } => product.exact().round(format, mode),
            Kind::Finite { .. } => rounded_sum(&product, &summand.finite(), format, mode),
        }
    }

    /// `fp.div`.
    pub fn div(&self, other: &Float, mode: RoundingMode) -> Float {
        let format = self.format;
        let (Some(left), Some(right)) = (self.sign(), other.sign()) else { return Float::nan(format) };
        let negative = left != right;
        match (&self.kind, &other.kind) {
            (Kind::Infinity { .. }, Kind::Infinity { .. }) | (Kind::Zero { .. }, Kind::Zero { .. }) => {
                Float::nan(format)
            }
            (Kind::Infinity { .. }, _) | (_, Kind::Zero { .. }) => Float::infinity(format, negative),
            (Kind::Zero { .. }, _) | (_, Kind::Infinity { .. }) => Float::zero(format, negative),
            _ => {
                let (dividend, divisor) = (self.finite(), other.finite());
                let exponent = dividend.exponent - divisor.exponent;
                quotient(negative, dividend.magnitude, &divisor.magnitude, exponent, format)
                    .round(format, mode)
            }
        }
    }

    /// `fp.sqrt`.
    pub fn sqrt(&self, mode: RoundingMode) -> Float {
        let format = self.format;
        match &self.kind {
            Kind::Zero { .. } => self.clone(),
            Kind::Nan | Kind::Infinity { negative: true } | Kind::Finite { negative: true, .. } => {
                Float::nan(format)
            }
            Kind::Infinity { .. } => self.clone(),
            Kind::Finite { exponent, significand, .. } => {
                // Twice the digits that the root is to have, and an even exponent.
                let wanted = 2 * (u64::from(format.significand_bits()) + 3);
                let mut digits = wanted.saturating_sub(significand.bit_len() as u64) as i64;
                digits += (exponent - digits).rem_euclid(2);
                let (magnitude, rest) = (significand << digits as usize).sqrt_rem();
                let exponent = (exponent - digits) / 2;
                Exact { negative: false, magnitude, exponent, more: !rest.is_zero() }.round(format, mode)
            }
        }
    }

    /// `fp.rem`: the exact remainder after subtracting the other value as often as the quotient, rounded to the
    /// nearest even integer.
    pub fn rem(&self, other: &Float) -> Float {
        let format = self.format;
        match (&self.kind, &other.kind) {
            (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinity { .. }, _) | (_, Kind::Zero { .. }) => {
                Float::nan(format)
            }
            (Kind::Zero { .. }, _) | (_, Kind::Infinity { .. }) => self.clone(),
            (Kind::Finite { .. }, Kind::Finite { .. }) => remainder(&self.finite(), &other.finite(), self),
        }
    }

    /// `fp.roundToIntegral`.
    pub fn round_to_integral(&self, mode: RoundingMode) -> Float {
        let Kind::Finite { negative, exponent, significand } = &self.kind else { return self.clone() };
        if *exponent >= 0 {
            return self.clone();
        }
        let magnitude = integral(*negative, significand.clone(), *exponent, mode);
        // An integer of at most as many digits, or the next power of two.
        Exact { negative: *negative, magnitude, exponent: 0, more: false }.round(self.format, mode)
    }
}

/// The magnitude of a number with a negative exponent, rounded to an integer.
pub(super) fn integral(negative: bool, magnitude: UBig, exponent: i64, mode: RoundingMode) -> UBig {
    let (mut kept, fraction) = cut(magnitude, exponent.unsigned_abs(), false);
    if fraction != Fraction::Zero && rounds_away(mode, negative, kept.bit(0), fraction) {
        kept += 1u8;
    }
    kept
}

/// Whether an exact zero that is the sum of opposite numbers is negative.
fn zero_sign(mode: RoundingMode) -> bool {
    mode == RoundingMode::TowardNegative
}

fn rounded_sum(left: &Number, right: &Number, format: FloatFormat, mode: RoundingMode) -> Float {
    let mut sum = left.sum(right, format);
    if sum.magnitude.is_zero() && !sum.more {
        sum.negative = zero_sign(mode);
    }
    sum.round(format, mode)
}

/// A quotient of integers times two to the `exponent`, with enough digits to be rounded.
pub(super) fn quotient(
    negative: bool,
    dividend: UBig,
    divisor: &UBig,
    exponent: i64,
    format: FloatFormat,
) -> Exact {
    let wanted = i64::from(format.significand_bits()) + 3;
    let digits = (wanted + divisor.bit_len() as i64 - dividend.bit_len() as i64).max(0);
    let (magnitude, rest) = (dividend << digits as usize).div_rem(divisor);
    Exact { negative, magnitude, exponent: exponent - digits, more: !rest.is_zero() }
}

/// The remainder of finite numbers; `value` is the dividend as a value.
fn remainder(dividend: &Number, divisor: &Number, value: &Float) -> Float {
    if dividend.top() < divisor.top() - 1 {
        // The value is less than half of the divisor.
        return value.clone();
    }
    let exponent = dividend.exponent.min(divisor.exponent);
    let unit = &divisor.magnitude << (divisor.exponent - exponent) as usize;
    // Twice the divisor, so that the remainder shows whether the quotient is odd.
    let double = &unit << 1usize;
    let power = power_of_two(dividend.exponent.abs_diff(exponent), &double);
    let rest = (&dividend.magnitude * power) % &double;
    let (is_odd, rest) = if rest >= unit { (true, rest - &unit) } else { (false, rest) };
    let twice = &rest << 1usize;
    let away = twice > unit || twice == unit && is_odd;
    let (flip, magnitude) = if away { (true, unit - rest) } else { (false, rest) };
    let is_zero = magnitude.is_zero();
    // A remainder is smaller than the divisor in absolute value and has no smaller last digit.
    Exact { negative: dividend.negative != (flip && !is_zero), magnitude, exponent, more: false }
        .round(value.format, RoundingMode::NearestTiesToEven)
}

/// Two to a power, modulo a number greater than 1.
fn power_of_two(power: u64, modulus: &UBig) -> UBig {
    let mut result = UBig::ONE % modulus;
    for bit in (0..64 - power.leading_zeros()).rev() {
        result = (&result * &result) % modulus;
        if power >> bit & 1 == 1 {
            result = (result << 1usize) % modulus;
        }
    }
    result
}
