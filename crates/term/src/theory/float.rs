//! The operators of the theory FloatingPoint.

use std::sync::Arc;

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use dashu_ratio::RBig;

use super::arithmetic::MAX_NUMBER_BITS;
use super::{Halt, Open};
use crate::arguments::Arguments;
use crate::bitvector::BitVector;
use crate::float::{Float, FloatFormat, RoundingMode, signed_integer, unsigned_integer};
use crate::sort::{Sort, SortId};
use crate::typecheck::{Checker, ResultSort, SortError, check_width};
use crate::value::Value;

operators! {
    /// An operator on floating-point values. Where it rounds, the first argument is the rounding mode.
    enum FloatOp;
    plain {
        /// A value by its sign, stored exponent, and significand without the hidden bit.
        Fp = "fp",
        /// Absolute value.
        Abs = "fp.abs",
        /// The value with the other sign.
        Neg = "fp.neg",
        /// Sum.
        Add = "fp.add",
        /// Difference.
        Sub = "fp.sub",
        /// Product.
        Mul = "fp.mul",
        /// Quotient.
        Div = "fp.div",
        /// Product of the first two plus the third, rounded once.
        Fma = "fp.fma",
        /// Square root.
        Sqrt = "fp.sqrt",
        /// The remainder of IEEE 754, exact.
        Rem = "fp.rem",
        /// The nearest integral value.
        RoundToIntegral = "fp.roundToIntegral",
        /// The smaller; open for zeros of different signs.
        Min = "fp.min",
        /// The greater; open for zeros of different signs.
        Max = "fp.max",
        /// The order "less or equal", chainable.
        Leq = "fp.leq",
        /// The order "less than", chainable.
        Lt = "fp.lt",
        /// Greater or equal, chainable.
        Geq = "fp.geq",
        /// Greater than, chainable.
        Gt = "fp.gt",
        /// Equality of IEEE 754, chainable.
        Eq = "fp.eq",
        /// Whether finite with a leading hidden bit.
        IsNormal = "fp.isNormal",
        /// Whether finite without, and not zero.
        IsSubnormal = "fp.isSubnormal",
        /// Whether one of the zeros.
        IsZero = "fp.isZero",
        /// Whether one of the infinities.
        IsInfinite = "fp.isInfinite",
        /// Whether not a number.
        IsNan = "fp.isNaN",
        /// Whether the value has a minus sign.
        IsNegative = "fp.isNegative",
        /// Whether the value has a plus sign.
        IsPositive = "fp.isPositive",
        /// The conversion to a real; open for infinities and NaN.
        ToReal = "fp.to_real",
        /// The bits of the value; open for NaN. Not in the standard, but in several solvers.
        ToIeeeBv = "fp.to_ieee_bv",
    }
    indexed {
        /// The conversion to this format: from the bits of a value alone; with a rounding mode, from a value of
        /// another format, a real, or a bit-vector as a number with sign.
        ToFp(FloatFormat) = "to_fp",
        /// The conversion to this format from a bit-vector as a number without sign.
        ToFpUnsigned(FloatFormat) = "to_fp_unsigned",
        /// The conversion to a bit-vector of this width, as a number without sign; open if the number does not fit.
        ToUbv(u32) = "fp.to_ubv",
        /// The conversion to a bit-vector of this width, as a number with sign; open if the number does not fit.
        ToSbv(u32) = "fp.to_sbv",
    }
}

impl FloatOp {
    pub(crate) fn result_sort(self, check: &Checker<'_>) -> Result<ResultSort, SortError> {
        use FloatOp::*;
        use ResultSort::Interned;
        let mode = || check.is_sort(0, SortId::ROUNDING_MODE);
        match self {
            Fp => {
                check.arity(3, 3)?;
                let sign = check.width(0)?;
                if sign != 1 {
                    return Err(check.argument_error(0, "(_ BitVec 1)".into()));
                }
                let (exponent, fraction) = (check.width(1)?, check.width(2)?);
                match FloatFormat::new(exponent, fraction + 1) {
                    Some(format) => Ok(ResultSort::Sort(Sort::Float(format))),
                    None => Err(check.index(format!("there are no formats with {exponent} exponent bits"))),
                }
            }
            Abs | Neg => {
                check.arity(1, 1)?;
                check.same_floats(0).map(Interned)
            }
            Rem | Min | Max => {
                check.arity(2, 2)?;
                check.same_floats(0).map(Interned)
            }
            Add | Sub | Mul | Div => {
                check.arity(3, 3)?;
                mode()?;
                check.same_floats(1).map(Interned)
            }
            Fma => {
                check.arity(4, 4)?;
                mode()?;
                check.same_floats(1).map(Interned)
            }
            Sqrt | RoundToIntegral => {
                check.arity(2, 2)?;
                mode()?;
                check.same_floats(1).map(Interned)
            }
            Leq | Lt | Geq | Gt | Eq => {
                check.arity(2, usize::MAX)?;
                check.same_floats(0)?;
                Ok(Interned(SortId::BOOL))
            }
            IsNormal | IsSubnormal | IsZero | IsInfinite | IsNan | IsNegative | IsPositive => {
                check.arity(1, 1)?;
                check.same_floats(0)?;
                Ok(Interned(SortId::BOOL))
            }
            ToFp(format) => {
                check.arity(1, 2)?;
                if check.count() == 1 {
                    if check.width(0)? != format.width() {
                        let expected = format!("(_ BitVec {})", format.width());
                        return Err(check.argument_error(0, expected));
                    }
                } else {
                    mode()?;
                    let is_float = check.float_format(1).is_ok();
                    if !is_float && check.width(1).is_err() && check.is_sort(1, SortId::REAL).is_err() {
                        let expected = "a floating-point, real or bit-vector sort";
                        return Err(check.argument_error(1, expected.into()));
                    }
                }
                Ok(ResultSort::Sort(Sort::Float(format)))
            }
            ToFpUnsigned(format) => {
                check.arity(2, 2)?;
                mode()?;
                check.width(1)?;
                Ok(ResultSort::Sort(Sort::Float(format)))
            }
            ToUbv(width) | ToSbv(width) => {
                check.arity(2, 2)?;
                mode()?;
                check.float_format(1)?;
                Ok(ResultSort::BitVec(check_width(u64::from(width))?))
            }
            ToReal => {
                check.arity(1, 1)?;
                check.float_format(0)?;
                Ok(Interned(SortId::REAL))
            }
            ToIeeeBv => {
                check.arity(1, 1)?;
                Ok(ResultSort::BitVec(check.float_format(0)?.width()))
            }
        }
    }

    pub(crate) fn apply<'v, F: Fn(usize) -> &'v Value + Copy>(
        self,
        a: Arguments<'_, F>,
    ) -> Result<Value, Halt> {
        use FloatOp::*;
        let value = match self {
            Fp => {
                let [sign, exponent, fraction] = [0, 1, 2].map(|i| a.bits(i));
                let format = FloatFormat::new(exponent.width(), fraction.width() + 1);
                let bits = BitVector::concat(sign, &BitVector::concat(exponent, fraction));
                float(Float::from_bits(format.expect("the sorts were checked"), &bits))
            }
            Abs => float(a.float(0).abs()),
            Neg => float(a.float(0).neg()),
            Add => float(a.float(1).add(a.float(2), a.mode())),
            Sub => float(a.float(1).sub(a.float(2), a.mode())),
            Mul => float(a.float(1).mul(a.float(2), a.mode())),
            Div => float(a.float(1).div(a.float(2), a.mode())),
            Fma => float(a.float(1).fused_multiply_add(a.float(2), a.float(3), a.mode())),
            Sqrt => float(a.float(1).sqrt(a.mode())),
            Rem => float(a.float(0).rem(a.float(1))),
            RoundToIntegral => float(a.float(1).round_to_integral(a.mode())),
            Min => float(a.float(0).min(a.float(1)).ok_or(Open::ZeroSign)?),
            Max => float(a.float(0).max(a.float(1)).ok_or(Open::ZeroSign)?),
            Leq => chain(a, Float::less_or_equal),
            Lt => chain(a, Float::less),
            Geq => chain(a, |left, right| right.less_or_equal(left)),
            Gt => chain(a, |left, right| right.less(left)),
            Eq => chain(a, Float::ieee_equal),
            IsNormal => Value::Bool(a.float(0).is_normal()),
            IsSubnormal => Value::Bool(a.float(0).is_subnormal()),
            IsZero => Value::Bool(a.float(0).is_zero()),
            IsInfinite => Value::Bool(a.float(0).is_infinite()),
            IsNan => Value::Bool(a.float(0).is_nan()),
            IsNegative => Value::Bool(a.float(0).is_negative()),
            IsPositive => Value::Bool(a.float(0).is_positive()),
            ToFp(format) if a.count() == 1 => float(Float::from_bits(format, a.bits(0))),
            ToFp(format) => float(match a.get(1) {
                Value::Float(float) => float.to_format(format, a.mode()),
                Value::Real(number) => Float::from_rational(format, number, a.mode()),
                _ => Float::from_integer(format, &signed_integer(a.bits(1)), a.mode()),
            }),
            ToFpUnsigned(format) => {
                float(Float::from_integer(format, &unsigned_integer(a.bits(1)).into(), a.mode()))
            }
            ToUbv(width) => Value::BitVec(a.float(1).to_unsigned(width, a.mode()).ok_or(Open::OutOfRange)?),
            ToSbv(width) => Value::BitVec(a.float(1).to_signed(width, a.mode()).ok_or(Open::OutOfRange)?),
            ToReal => Value::Real(Arc::new(real(a.float(0))?)),
            ToIeeeBv => Value::BitVec(a.float(0).to_bits().ok_or(Open::OutOfRange)?),
        };
        Ok(value)
    }
}

fn float(value: Float) -> Value {
    Value::Float(Arc::new(value))
}

/// Whether each value and the next are so related.
fn chain<'v, F: Fn(usize) -> &'v Value + Copy>(
    a: Arguments<'_, F>,
    holds: impl Fn(&Float, &Float) -> bool,
) -> Value {
    Value::Bool((0..a.count() - 1).all(|i| holds(a.float(i), a.float(i + 1))))
}

fn real(float: &Float) -> Result<RBig, Open> {
    let (numerator, exponent) = float.to_rational().ok_or(Open::OutOfRange)?;
    let length = numerator.bit_len() as u64 + exponent.unsigned_abs();
    if length > MAX_NUMBER_BITS as u64 {
        return Err(Open::TooLarge);
    }
    let power = UBig::ONE << exponent.unsigned_abs() as usize;
    Ok(if exponent < 0 { RBig::from_parts(numerator, power) } else { RBig::from(numerator * power) })
}

impl<'v, F: Fn(usize) -> &'v Value + Copy> Arguments<'_, F> {
    /// The rounding mode, which is the first argument.
    fn mode(self) -> RoundingMode {
        match self.get(0) {
            Value::RoundingMode(mode) => *mode,
            other => unreachable!("a well-sorted application has a rounding mode here, not {other:?}"),
        }
    }
}
