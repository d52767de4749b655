//! Conversions between floating-point values and others (IEEE 754-2008, section 5.4, and the theory
//! FloatingPoint of SMT-LIB).

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig};
use dashu_ratio::RBig;

use super::arithmetic::{integral, quotient};
use super::round::Exact;
use super::{Float, FloatFormat, Kind, RoundingMode, bit_vector_of};
use crate::bitvector::BitVector;

impl Float {
    /// The value of another format.
    pub fn to_format(&self, format: FloatFormat, mode: RoundingMode) -> Float {
        match &self.kind {
            Kind::Nan => Float::nan(format),
            Kind::Infinity { negative } => Float::infinity(format, *negative),
            Kind::Zero { negative } => Float::zero(format, *negative),
            Kind::Finite { negative, exponent, significand } => {
                let magnitude = significand.clone();
                Exact { negative: *negative, magnitude, exponent: *exponent, more: false }.round(format, mode)
            }
        }
    }

    /// An integer, rounded; 0 is the positive zero.
    pub fn from_integer(format: FloatFormat, integer: &IBig, mode: RoundingMode) -> Float {
        let (sign, magnitude) = integer.clone().into_parts();
        let negative = sign == Sign::Negative;
        Exact { negative, magnitude, exponent: 0, more: false }.round(format, mode)
    }

    /// A rational number, rounded; 0 is the positive zero.
    pub fn from_rational(format: FloatFormat, number: &RBig, mode: RoundingMode) -> Float {
        let (numerator, denominator) = number.clone().into_parts();
        let (sign, magnitude) = numerator.into_parts();
        if magnitude.is_zero() {
            return Float::zero(format, false);
        }
        quotient(sign == Sign::Negative, magnitude, &denominator, 0, format).round(format, mode)
    }

    /// The rational number that this is, if it is finite: as numerator and exponent of two.
    pub fn to_rational(&self) -> Option<(IBig, i64)> {
        match &self.kind {
            Kind::Nan | Kind::Infinity { .. } => None,
            Kind::Zero { .. } => Some((IBig::ZERO, 0)),
            Kind::Finite { negative, exponent, significand } => {
                let sign = if *negative { Sign::Negative } else { Sign::Positive };
                Some((IBig::from_parts(sign, significand.clone()), *exponent))
            }
        }
    }

    /// `fp.to_ubv`: the value rounded to an integer, as a bit-vector without sign; `None` if it does not fit or is
    /// not a number, since the standard then allows any result.
    pub fn to_unsigned(&self, width: u32, mode: RoundingMode) -> Option<BitVector> {
        let (negative, magnitude) = self.rounded_integer(width, mode)?;
        let fits = magnitude.is_zero() || !negative && magnitude.bit_len() <= width as usize;
        fits.then(|| bit_vector_of(width, &magnitude))
    }

    /// `fp.to_sbv`: the value rounded to an integer, as a bit-vector with sign; `None` if it does not fit or is not a
    /// number, since the standard then allows any result.
    pub fn to_signed(&self, width: u32, mode: RoundingMode) -> Option<BitVector> {
        let (negative, magnitude) = self.rounded_integer(width, mode)?;
        let limit = UBig::ONE << (width as usize - 1);
        let fits = if negative { magnitude <= limit } else { magnitude < limit };
        let bits = bit_vector_of(width, &magnitude);
        fits.then(|| if negative { bits.neg() } else { bits })
    }

    /// Sign and magnitude of a finite value rounded to an integer, unless it takes many more bits than that.
    fn rounded_integer(&self, width: u32, mode: RoundingMode) -> Option<(bool, UBig)> {
        match &self.kind {
            Kind::Nan | Kind::Infinity { .. } => None,
            Kind::Zero { negative } => Some((*negative, UBig::ZERO)),
            Kind::Finite { exponent, .. } if *exponent > i64::from(width) => None,
            Kind::Finite { negative, exponent, significand } => {
                let magnitude = if *exponent >= 0 {
                    significand << *exponent as usize
                } else {
                    integral(*negative, significand.clone(), *exponent, mode)
                };
                Some((*negative, magnitude))
            }
        }
    }
}
