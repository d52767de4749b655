//! Floating-point instructions.
//!
//! Words hold floats by their encoding. Arithmetic converts the encoding to a float and the result back, with the canonical NaN where the result is none, as the
//! interpreter has it. The float that a result came from is remembered, so that a chain of operations converts nothing in between.

use std::sync::Arc;

use sundry_term::{Float, FloatFormat, FloatOp, Op, RoundingMode, TermId, Value};
use sundry_wasm::{
    BinaryOp, CANONICAL_NAN_32, CANONICAL_NAN_64, I32_RANGE, I64_RANGE, U32_RANGE, U64_RANGE, UnaryOp,
};

use super::Terms;

fn format(width: u32) -> FloatFormat {
    let (exponent, significand) = if width == 32 { (8, 24) } else { (11, 53) };
    FloatFormat::new(exponent, significand).expect("both formats exist")
}

impl Terms {
    fn mode(&mut self, mode: RoundingMode) -> TermId {
        self.store.constant(Value::RoundingMode(mode))
    }

    fn nearest(&mut self) -> TermId {
        self.mode(RoundingMode::NearestTiesToEven)
    }

    fn float(&mut self, op: FloatOp, arguments: &[TermId]) -> TermId {
        self.apply(Op::Float(op), arguments)
    }

    /// The float that a word encodes.
    pub fn as_float(&mut self, word: TermId, width: u32) -> TermId {
        match self.floats.get(&word) {
            Some(&float) => float,
            None => self.float(FloatOp::ToFp(format(width)), &[word]),
        }
    }

    /// The encoding of a float, with one NaN.
    fn encode(&mut self, float: TermId, width: u32) -> TermId {
        let nan = if width == 32 { u64::from(CANONICAL_NAN_32) } else { CANONICAL_NAN_64 };
        let nan = self.number(width, nan);
        let is_nan = self.float(FloatOp::IsNan, &[float]);
        let bits = self.float(FloatOp::ToIeeeBv, &[float]);
        let word = self.apply(Op::Ite, &[is_nan, nan, bits]);
        self.floats.insert(word, float);
        word
    }

    pub(super) fn float_unary(&mut self, op: UnaryOp, operand: TermId, width: u32) -> TermId {
        use UnaryOp::*;
        let sign = 1_u64 << (width - 1);
        match op {
            F32Abs | F64Abs => {
                let mask = self.number(width, sign - 1);
                self.apply(Op::BvAnd, &[operand, mask])
            }
            F32Neg | F64Neg => {
                let mask = self.number(width, sign);
                self.apply(Op::BvXor, &[operand, mask])
            }
            F32Ceil | F64Ceil => self.round(operand, width, RoundingMode::TowardPositive),
            F32Floor | F64Floor => self.round(operand, width, RoundingMode::TowardNegative),
            F32Trunc | F64Trunc => self.round(operand, width, RoundingMode::TowardZero),
            F32Nearest | F64Nearest => self.round(operand, width, RoundingMode::NearestTiesToEven),
            F32Sqrt | F64Sqrt => {
                let (mode, float) = (self.nearest(), self.as_float(operand, width));
                let root = self.float(FloatOp::Sqrt, &[mode, float]);
                self.encode(root, width)
            }
            F32DemoteF64 => self.convert_float(operand, 64, 32),
            F64PromoteF32 => self.convert_float(operand, 32, 64),
            F32ConvertI32S | F32ConvertI64S => self.integer_as_float(operand, FloatOp::ToFp(format(32)), 32),
            F32ConvertI32U | F32ConvertI64U => {
                self.integer_as_float(operand, FloatOp::ToFpUnsigned(format(32)), 32)
            }
            F64ConvertI32S | F64ConvertI64S => self.integer_as_float(operand, FloatOp::ToFp(format(64)), 64),
            F64ConvertI32U | F64ConvertI64U => {
                self.integer_as_float(operand, FloatOp::ToFpUnsigned(format(64)), 64)
            }
            _ => {
                let (result, is_signed, is_saturating) = integer_conversion(op);
                self.float_as_integer(operand, width, (result, is_signed), is_saturating)
            }
        }
    }

    pub(super) fn float_binary(&mut self, op: BinaryOp, left: TermId, right: TermId, width: u32) -> TermId {
        use BinaryOp::*;
        if matches!(op, F32Copysign | F64Copysign) {
            let sign = self.number(width, 1 << (width - 1));
            let rest = self.number(width, (1 << (width - 1)) - 1);
            let magnitude = self.apply(Op::BvAnd, &[left, rest]);
            let sign = self.apply(Op::BvAnd, &[right, sign]);
            return self.apply(Op::BvOr, &[magnitude, sign]);
        }
        let (left, right) = (self.as_float(left, width), self.as_float(right, width));
        let comparison = match op {
            F32Eq | F64Eq => Some(FloatOp::Eq),
            F32Lt | F64Lt => Some(FloatOp::Lt),
            F32Gt | F64Gt => Some(FloatOp::Gt),
            F32Le | F64Le => Some(FloatOp::Leq),
            F32Ge | F64Ge => Some(FloatOp::Geq),
            F32Ne | F64Ne => {
                let are_equal = self.float(FloatOp::Eq, &[left, right]);
                return self.not(are_equal);
            }
            _ => None,
        };
        if let Some(comparison) = comparison {
            return self.float(comparison, &[left, right]);
        }
        let operator = match op {
            F32Add | F64Add => FloatOp::Add,
            F32Sub | F64Sub => FloatOp::Sub,
            F32Mul | F64Mul => FloatOp::Mul,
            F32Div | F64Div => FloatOp::Div,
            F32Min | F64Min => return self.extremum(left, right, width, true),
            F32Max | F64Max => return self.extremum(left, right, width, false),
            other => unreachable!("{other:?} is an integer instruction"),
        };
        let mode = self.nearest();
        let result = self.float(operator, &[mode, left, right]);
        self.encode(result, width)
    }

    fn round(&mut self, operand: TermId, width: u32, mode: RoundingMode) -> TermId {
        let (mode, float) = (self.mode(mode), self.as_float(operand, width));
        let rounded = self.float(FloatOp::RoundToIntegral, &[mode, float]);
        self.encode(rounded, width)
    }

    fn convert_float(&mut self, operand: TermId, from: u32, to: u32) -> TermId {
        let (mode, float) = (self.nearest(), self.as_float(operand, from));
        let converted = self.float(FloatOp::ToFp(format(to)), &[mode, float]);
        self.encode(converted, to)
    }

    fn integer_as_float(&mut self, operand: TermId, op: FloatOp, width: u32) -> TermId {
        let mode = self.nearest();
        let converted = self.float(op, &[mode, operand]);
        self.encode(converted, width)
    }

    /// The smaller or greater of two, with −0 smaller than +0, and NaN if one of them is.
    fn extremum(&mut self, left: TermId, right: TermId, width: u32, is_minimum: bool) -> TermId {
        let nan = self.store.constant(Value::Float(Arc::new(Float::nan(format(width)))));
        let is_nan = [left, right].map(|operand| self.float(FloatOp::IsNan, &[operand]));
        let is_nan = self.apply(Op::Or, &is_nan);
        let is_first = self.float(if is_minimum { FloatOp::Lt } else { FloatOp::Gt }, &[left, right]);
        // Where both are equal, they differ at most in the sign of zero.
        let are_equal = self.float(FloatOp::Eq, &[left, right]);
        let sign = if is_minimum { FloatOp::IsNegative } else { FloatOp::IsPositive };
        let has_sign = self.float(sign, &[left]);
        let is_signed = self.apply(Op::And, &[are_equal, has_sign]);
        let takes_left = self.apply(Op::Or, &[is_first, is_signed]);
        let chosen = self.apply(Op::Ite, &[takes_left, left, right]);
        let result = self.apply(Op::Ite, &[is_nan, nan, chosen]);
        self.encode(result, width)
    }

    fn float_as_integer(
        &mut self,
        operand: TermId,
        width: u32,
        (result, is_signed): (u32, bool),
        is_saturating: bool,
    ) -> TermId {
        let (mode, float) = (self.mode(RoundingMode::TowardZero), self.as_float(operand, width));
        let op = if is_signed { FloatOp::ToSbv(result) } else { FloatOp::ToUbv(result) };
        let inside = self.float(op, &[mode, float]);
        if !is_saturating {
            return inside;
        }
        let (too_small, too_large) = self.outside(float, width, range(result, is_signed));
        let (least, greatest) = match is_signed {
            true => (1 << (result - 1), (1 << (result - 1)) - 1),
            false => (0, u64::MAX >> (64 - result)),
        };
        let (least, greatest, zero) =
            (self.number(result, least), self.number(result, greatest), self.number(result, 0));
        let is_nan = self.float(FloatOp::IsNan, &[float]);
        let value = self.apply(Op::Ite, &[too_large, greatest, inside]);
        let value = self.apply(Op::Ite, &[too_small, least, value]);
        self.apply(Op::Ite, &[is_nan, zero, value])
    }

    /// Whether the integral part of a float is below and above a range.
    fn outside(&mut self, float: TermId, width: u32, (low, high): (f64, f64)) -> (TermId, TermId) {
        let mode = self.mode(RoundingMode::TowardZero);
        let integral = self.float(FloatOp::RoundToIntegral, &[mode, float]);
        let [low, high] = [low, high].map(|bound| {
            let bits = if width == 32 { u64::from((bound as f32).to_bits()) } else { bound.to_bits() };
            let word = self.number(width, bits);
            self.float(FloatOp::ToFp(format(width)), &[word])
        });
        (self.float(FloatOp::Lt, &[integral, low]), self.float(FloatOp::Geq, &[integral, high]))
    }

    /// Conditions under which an instruction traps: not a number, and out of range. `None` for instructions that never do.
    pub fn conversion_traps(&mut self, op: UnaryOp, operand: TermId) -> Option<(TermId, TermId)> {
        use UnaryOp::*;
        let width = match op {
            I32TruncF32S | I32TruncF32U | I64TruncF32S | I64TruncF32U => 32,
            I32TruncF64S | I32TruncF64U | I64TruncF64S | I64TruncF64U => 64,
            _ => return None,
        };
        let (result, is_signed, _) = integer_conversion(op);
        let operand = self.word(operand, width);
        let float = self.as_float(operand, width);
        let is_nan = self.float(FloatOp::IsNan, &[float]);
        let (too_small, too_large) = self.outside(float, width, range(result, is_signed));
        let is_outside = self.apply(Op::Or, &[too_small, too_large]);
        Some((is_nan, is_outside))
    }
}

fn range(width: u32, is_signed: bool) -> (f64, f64) {
    match (width, is_signed) {
        (32, true) => I32_RANGE,
        (32, false) => U32_RANGE,
        (_, true) => I64_RANGE,
        (_, false) => U64_RANGE,
    }
}

/// The width of the result of a conversion, whether it has a sign, and whether the conversion saturates.
fn integer_conversion(op: UnaryOp) -> (u32, bool, bool) {
    let name = op.name();
    let width = if name.starts_with("i32") { 32 } else { 64 };
    (width, name.ends_with('s'), name.contains("sat"))
}
