//! Floating-point values of the machine: IEEE binary32 and binary64.

use super::{Float, FloatFormat, RoundingMode};
use crate::bitvector::BitVector;

/// IEEE binary32.
const BINARY32: FloatFormat = FloatFormat { exponent_bits: 8, significand_bits: 24 };

/// IEEE binary64.
const BINARY64: FloatFormat = FloatFormat { exponent_bits: 11, significand_bits: 53 };

impl Float {
    /// The value of a binary32 number; all NaNs are one.
    ///
    /// ```
    /// use sundry_term::Float;
    ///
    /// assert_eq!(Float::from_f32(0.5).to_f64(), Some(0.5));
    /// ```
    pub fn from_f32(value: f32) -> Float {
        Float::from_bits(BINARY32, &BitVector::from_u64(32, value.to_bits().into()))
    }

    /// The value of a binary64 number; all NaNs are one.
    ///
    /// ```
    /// use sundry_term::Float;
    ///
    /// assert_eq!(Float::from_f64(-0.0).to_f64().map(f64::to_bits), Some((-0.0f64).to_bits()));
    /// assert!(Float::from_f64(f64::NAN).is_nan());
    /// ```
    pub fn from_f64(value: f64) -> Float {
        Float::from_bits(BINARY64, &BitVector::from_u64(64, value.to_bits()))
    }

    /// The binary64 number that is exactly this value; none where binary64 has no such number.
    ///
    /// ```
    /// use sundry_term::{Float, FloatFormat, RoundingMode};
    ///
    /// let tenth = Float::from_f32(0.1);
    /// assert_eq!(tenth.to_f64(), Some(f64::from(0.1f32)));
    /// let wide = FloatFormat::new(15, 113).expect("binary128");
    /// let third = Float::from_f64(1.0).to_format(wide, RoundingMode::NearestTiesToEven);
    /// assert_eq!(third.to_f64(), Some(1.0));
    /// ```
    pub fn to_f64(&self) -> Option<f64> {
        if self.is_nan() {
            return Some(f64::NAN);
        }
        let near = self.to_format(BINARY64, RoundingMode::NearestTiesToEven);
        // Both formats have all values that are exact in both.
        let is_exact = near.to_format(self.format, RoundingMode::NearestTiesToEven) == *self;
        let bits = near.to_bits().and_then(|bits| bits.to_u64());
        bits.filter(|_| is_exact && near.is_infinite() == self.is_infinite()).map(f64::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_machine_are_kept() {
        for number in [0.0, -0.0, 1.5, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY]
        {
            assert_eq!(Float::from_f64(number).to_f64().map(f64::to_bits), Some(number.to_bits()));
        }
        for number in [1e-45f32, f32::MAX, -3.25, f32::INFINITY] {
            assert_eq!(Float::from_f32(number).to_f64(), Some(f64::from(number)));
        }
        assert!(Float::from_f64(f64::NAN).to_f64().is_some_and(f64::is_nan));
    }

    #[test]
    fn other_values_have_no_number_of_the_machine() {
        let wide = FloatFormat::new(15, 113).expect("binary128");
        let mode = RoundingMode::NearestTiesToEven;
        let one = Float::from_f64(1.0).to_format(wide, mode);
        let third = one.div(&Float::from_f64(3.0).to_format(wide, mode), mode);
        assert_eq!(third.to_f64(), None);
        let huge = Float::from_f64(f64::MAX).to_format(wide, mode);
        assert_eq!(huge.add(&huge, mode).to_f64(), None);
    }
}
