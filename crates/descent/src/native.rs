//! Arithmetic of the processor on values of the formats of 32 and 64 bits, as bits: rounded to the nearest value, ties to even.
//!
//! All other formats and modes are left to the exact arithmetic of `sundry-term`, which takes a hundred times as long. NaN has one
//! pattern, so that equal values have equal bits.

use sundry_term::{FloatFormat, RoundingMode};

/// A format that the processor computes with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NativeFormat {
    Single,
    Double,
}

impl NativeFormat {
    pub(crate) fn of(format: FloatFormat) -> Option<NativeFormat> {
        match (format.exponent_bits(), format.significand_bits()) {
            (8, 24) => Some(NativeFormat::Single),
            (11, 53) => Some(NativeFormat::Double),
            _ => None,
        }
    }
}

/// An operation on values of one format.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NativeOp {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    Rem,
    Abs,
    Neg,
    Min,
    Max,
    Integral(RoundingMode),
}

/// A conversion between a value and something else.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NativeConversion {
    /// To the other format.
    OtherFormat,
    /// From a word of this width, a number with sign.
    FromSigned(u32),
    /// From a word, a number without sign.
    FromUnsigned,
    /// To a word of this width, a number with sign.
    ToSigned(u32, RoundingMode),
    /// To a word of this width, a number without sign.
    ToUnsigned(u32, RoundingMode),
}

trait Native: Copy {
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn apply(op: NativeOp, operands: [u64; 3]) -> u64;
    fn convert(conversion: NativeConversion, operand: u64) -> u64;
}

macro_rules! native {
    ($float:ident, $word:ty, $other:ident) => {
        impl Native for $float {
            fn of(bits: u64) -> Self {
                $float::from_bits(bits as $word)
            }

            fn bits(self) -> u64 {
                u64::from(if self.is_nan() { $float::NAN.to_bits() } else { self.to_bits() })
            }

            fn apply(op: NativeOp, operands: [u64; 3]) -> u64 {
                let [a, b, c] = operands.map(<$float as Native>::of);
                let result = match op {
                    NativeOp::Add => a + b,
                    NativeOp::Sub => a - b,
                    NativeOp::Mul => a * b,
                    NativeOp::Div => a / b,
                    NativeOp::Fma => a.mul_add(b, c),
                    NativeOp::Sqrt => a.sqrt(),
                    NativeOp::Rem => {
                        // The remainder of 2b keeps whether the quotient by b is odd (after FreeBSD's e_remainder.c).
                        let divisor = b.abs();
                        if a.is_nan() || b.is_nan() || a.is_infinite() || b == 0.0 {
                            $float::NAN
                        } else if b.is_infinite() {
                            a
                        } else {
                            let doubled = divisor + divisor;
                            let mut rest = a.abs();
                            if doubled.is_finite() {
                                rest %= doubled;
                            }
                            // Compared as differences, since the half of the divisor may have no value.
                            if rest > divisor - rest {
                                rest -= divisor;
                                if rest >= -rest && rest >= divisor - rest {
                                    rest -= divisor;
                                }
                            }
                            if a.is_sign_negative() { -rest } else { rest }
                        }
                    }
                    NativeOp::Abs => a.abs(),
                    NativeOp::Neg => -a,
                    // Of zeros with different signs, the first, as models choose unless they say otherwise.
                    NativeOp::Min if a.is_nan() || b < a => b,
                    NativeOp::Max if a.is_nan() || b > a => b,
                    NativeOp::Min | NativeOp::Max => a,
                    NativeOp::Integral(mode) => match mode {
                        RoundingMode::NearestTiesToEven => a.round_ties_even(),
                        RoundingMode::NearestTiesToAway => a.round(),
                        RoundingMode::TowardPositive => a.ceil(),
                        RoundingMode::TowardNegative => a.floor(),
                        RoundingMode::TowardZero => a.trunc(),
                    },
                };
                result.bits()
            }

            fn convert(conversion: NativeConversion, operand: u64) -> u64 {
                let integral =
                    |mode| <$float as Native>::of(Self::apply(NativeOp::Integral(mode), [operand, 0, 0]));
                match conversion {
                    NativeConversion::OtherFormat => (<$other as Native>::of(operand) as $float).bits(),
                    NativeConversion::FromUnsigned => (operand as $float).bits(),
                    NativeConversion::FromSigned(width) => {
                        (((operand << (64 - width)) as i64 >> (64 - width)) as $float).bits()
                    }
                    // Zero if the number does not fit, as models choose unless they say otherwise.
                    NativeConversion::ToUnsigned(width, mode) => {
                        let value = integral(mode);
                        let limit = (2.0 as $float).powi(width as i32);
                        if value >= 0.0 && value < limit { value as u64 } else { 0 }
                    }
                    NativeConversion::ToSigned(width, mode) => {
                        let value = integral(mode);
                        let limit = (2.0 as $float).powi(width as i32 - 1);
                        let fits = value >= -limit && value < limit;
                        if fits { value as i64 as u64 & (u64::MAX >> (64 - width)) } else { 0 }
                    }
                }
            }
        }
    };
}

native!(f32, u32, f64);
native!(f64, u64, f32);

impl NativeFormat {
    /// The bits of a result.
    pub(crate) fn apply(self, op: NativeOp, operands: [u64; 3]) -> u64 {
        match self {
            NativeFormat::Single => f32::apply(op, operands),
            NativeFormat::Double => f64::apply(op, operands),
        }
    }

    /// The bits of a result, where the format is that of the value, or of the result if both are values.
    pub(crate) fn convert(self, conversion: NativeConversion, operand: u64) -> u64 {
        match self {
            NativeFormat::Single => f32::convert(conversion, operand),
            NativeFormat::Double => f64::convert(conversion, operand),
        }
    }
}
