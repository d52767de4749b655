//! Numeric instructions: their names, and their meaning on concrete operands.
//!
//! Source: *WebAssembly Core Specification*, section 4.3. Operands and results are the low bits of words: floats by their IEEE encoding,
//! numbers of 32 bits with zeros above. Where the specification leaves the bits of a NaN open, the result is the canonical NaN (positive, the
//! quiet bit alone), so that a program is deterministic and a formula can say the same. `neg`, `abs` and `copysign` act on bits, and keep NaNs.

use wasmparser::Operator;

use crate::trap::Trap;

/// Bits of the canonical NaN with 32 bits.
pub const CANONICAL_NAN_32: u32 = 0x7fc0_0000;
/// Bits of the canonical NaN with 64 bits.
pub const CANONICAL_NAN_64: u64 = 0x7ff8_0000_0000_0000;

/// A type that words are read as.
trait Word: Copy {
    fn read(word: u64) -> Self;
    fn write(self) -> u64;
}

macro_rules! integer_words {
    ($($type:ty as $unsigned:ty),*) => {$(
        impl Word for $type {
            #[inline(always)]
            fn read(word: u64) -> Self {
                word as $type
            }
            #[inline(always)]
            fn write(self) -> u64 {
                u64::from(self as $unsigned)
            }
        }
    )*};
}

integer_words!(u32 as u32, i32 as u32, u64 as u64, i64 as u64);

impl Word for bool {
    #[inline(always)]
    fn read(word: u64) -> Self {
        word as u32 != 0
    }
    #[inline(always)]
    fn write(self) -> u64 {
        u64::from(self)
    }
}

impl Word for f32 {
    #[inline(always)]
    fn read(word: u64) -> Self {
        f32::from_bits(word as u32)
    }
    #[inline(always)]
    fn write(self) -> u64 {
        u64::from(if self.is_nan() { CANONICAL_NAN_32 } else { self.to_bits() })
    }
}

impl Word for f64 {
    #[inline(always)]
    fn read(word: u64) -> Self {
        f64::from_bits(word)
    }
    #[inline(always)]
    fn write(self) -> u64 {
        if self.is_nan() { CANONICAL_NAN_64 } else { self.to_bits() }
    }
}

macro_rules! unary_operators {
    ($($name:ident $text:literal ($argument:ident: $from:ty) -> $to:ty $body:block)*) => {
        /// A numeric instruction with one operand.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // The names are those of the specification.
        pub enum UnaryOp { $($name),* }

        impl UnaryOp {
            /// All of them.
            pub const ALL: &[UnaryOp] = &[$(UnaryOp::$name),*];

            /// The name in the text format.
            pub fn name(self) -> &'static str {
                match self { $(UnaryOp::$name => $text),* }
            }

            /// The instruction that an operator of the binary format is, if it is one of these.
            pub(crate) fn of(operator: &Operator<'_>) -> Option<Self> {
                match operator {
                    $(Operator::$name => Some(UnaryOp::$name),)*
                    _ => None,
                }
            }

            /// The result for an operand.
            ///
            /// # Errors
            /// A conversion of a float to an integer that has no such value.
            #[inline(always)]
            pub fn apply(self, operand: u64) -> Result<u64, Trap> {
                match self {
                    $(UnaryOp::$name => {
                        let $argument = <$from as Word>::read(operand);
                        let result: Result<$to, Trap> = $body;
                        result.map(Word::write)
                    })*
                }
            }
        }
    };
}

unary_operators! {
    I32Eqz "i32.eqz" (a: u32) -> bool { Ok(a == 0) }
    I64Eqz "i64.eqz" (a: u64) -> bool { Ok(a == 0) }
    I32Clz "i32.clz" (a: u32) -> u32 { Ok(a.leading_zeros()) }
    I32Ctz "i32.ctz" (a: u32) -> u32 { Ok(a.trailing_zeros()) }
    I32Popcnt "i32.popcnt" (a: u32) -> u32 { Ok(a.count_ones()) }
    I64Clz "i64.clz" (a: u64) -> u64 { Ok(u64::from(a.leading_zeros())) }
    I64Ctz "i64.ctz" (a: u64) -> u64 { Ok(u64::from(a.trailing_zeros())) }
    I64Popcnt "i64.popcnt" (a: u64) -> u64 { Ok(u64::from(a.count_ones())) }
    I32WrapI64 "i32.wrap_i64" (a: u64) -> u32 { Ok(a as u32) }
    I64ExtendI32S "i64.extend_i32_s" (a: i32) -> i64 { Ok(i64::from(a)) }
    I64ExtendI32U "i64.extend_i32_u" (a: u32) -> u64 { Ok(u64::from(a)) }
    I32Extend8S "i32.extend8_s" (a: u32) -> i32 { Ok(i32::from(a as i8)) }
    I32Extend16S "i32.extend16_s" (a: u32) -> i32 { Ok(i32::from(a as i16)) }
    I64Extend8S "i64.extend8_s" (a: u64) -> i64 { Ok(i64::from(a as i8)) }
    I64Extend16S "i64.extend16_s" (a: u64) -> i64 { Ok(i64::from(a as i16)) }
    I64Extend32S "i64.extend32_s" (a: u64) -> i64 { Ok(i64::from(a as i32)) }
    F32Abs "f32.abs" (a: u32) -> u32 { Ok(a & !(1 << 31)) }
    F32Neg "f32.neg" (a: u32) -> u32 { Ok(a ^ (1 << 31)) }
    F32Ceil "f32.ceil" (a: f32) -> f32 { Ok(a.ceil()) }
    F32Floor "f32.floor" (a: f32) -> f32 { Ok(a.floor()) }
    F32Trunc "f32.trunc" (a: f32) -> f32 { Ok(a.trunc()) }
    F32Nearest "f32.nearest" (a: f32) -> f32 { Ok(a.round_ties_even()) }
    F32Sqrt "f32.sqrt" (a: f32) -> f32 { Ok(a.sqrt()) }
    F64Abs "f64.abs" (a: u64) -> u64 { Ok(a & !(1 << 63)) }
    F64Neg "f64.neg" (a: u64) -> u64 { Ok(a ^ (1 << 63)) }
    F64Ceil "f64.ceil" (a: f64) -> f64 { Ok(a.ceil()) }
    F64Floor "f64.floor" (a: f64) -> f64 { Ok(a.floor()) }
    F64Trunc "f64.trunc" (a: f64) -> f64 { Ok(a.trunc()) }
    F64Nearest "f64.nearest" (a: f64) -> f64 { Ok(a.round_ties_even()) }
    F64Sqrt "f64.sqrt" (a: f64) -> f64 { Ok(a.sqrt()) }
    F32DemoteF64 "f32.demote_f64" (a: f64) -> f32 { Ok(a as f32) }
    F64PromoteF32 "f64.promote_f32" (a: f32) -> f64 { Ok(f64::from(a)) }
    F32ConvertI32S "f32.convert_i32_s" (a: i32) -> f32 { Ok(a as f32) }
    F32ConvertI32U "f32.convert_i32_u" (a: u32) -> f32 { Ok(a as f32) }
    F32ConvertI64S "f32.convert_i64_s" (a: i64) -> f32 { Ok(a as f32) }
    F32ConvertI64U "f32.convert_i64_u" (a: u64) -> f32 { Ok(a as f32) }
    F64ConvertI32S "f64.convert_i32_s" (a: i32) -> f64 { Ok(f64::from(a)) }
    F64ConvertI32U "f64.convert_i32_u" (a: u32) -> f64 { Ok(f64::from(a)) }
    F64ConvertI64S "f64.convert_i64_s" (a: i64) -> f64 { Ok(a as f64) }
    F64ConvertI64U "f64.convert_i64_u" (a: u64) -> f64 { Ok(a as f64) }
    I32TruncF32S "i32.trunc_f32_s" (a: f32) -> i32 { truncate(f64::from(a), I32_RANGE).map(|a| a as i32) }
    I32TruncF32U "i32.trunc_f32_u" (a: f32) -> u32 { truncate(f64::from(a), U32_RANGE).map(|a| a as u32) }
    I32TruncF64S "i32.trunc_f64_s" (a: f64) -> i32 { truncate(a, I32_RANGE).map(|a| a as i32) }
    I32TruncF64U "i32.trunc_f64_u" (a: f64) -> u32 { truncate(a, U32_RANGE).map(|a| a as u32) }
    I64TruncF32S "i64.trunc_f32_s" (a: f32) -> i64 { truncate(f64::from(a), I64_RANGE).map(|a| a as i64) }
    I64TruncF32U "i64.trunc_f32_u" (a: f32) -> u64 { truncate(f64::from(a), U64_RANGE).map(|a| a as u64) }
    I64TruncF64S "i64.trunc_f64_s" (a: f64) -> i64 { truncate(a, I64_RANGE).map(|a| a as i64) }
    I64TruncF64U "i64.trunc_f64_u" (a: f64) -> u64 { truncate(a, U64_RANGE).map(|a| a as u64) }
    I32TruncSatF32S "i32.trunc_sat_f32_s" (a: f32) -> i32 { Ok(a as i32) }
    I32TruncSatF32U "i32.trunc_sat_f32_u" (a: f32) -> u32 { Ok(a as u32) }
    I32TruncSatF64S "i32.trunc_sat_f64_s" (a: f64) -> i32 { Ok(a as i32) }
    I32TruncSatF64U "i32.trunc_sat_f64_u" (a: f64) -> u32 { Ok(a as u32) }
    I64TruncSatF32S "i64.trunc_sat_f32_s" (a: f32) -> i64 { Ok(a as i64) }
    I64TruncSatF32U "i64.trunc_sat_f32_u" (a: f32) -> u64 { Ok(a as u64) }
    I64TruncSatF64S "i64.trunc_sat_f64_s" (a: f64) -> i64 { Ok(a as i64) }
    I64TruncSatF64U "i64.trunc_sat_f64_u" (a: f64) -> u64 { Ok(a as u64) }
}

/// The integers `low..high` of a type; both ends are doubles exactly.
type Range = (f64, f64);
/// Numbers of 32 bits with sign.
pub const I32_RANGE: Range = (-2147483648.0, 2147483648.0);
/// Numbers of 32 bits without sign.
pub const U32_RANGE: Range = (0.0, 4294967296.0);
/// Numbers of 64 bits with sign.
pub const I64_RANGE: Range = (-9223372036854775808.0, 9223372036854775808.0);
/// Numbers of 64 bits without sign.
pub const U64_RANGE: Range = (0.0, 18446744073709551616.0);

fn truncate(value: f64, (low, high): Range) -> Result<f64, Trap> {
    let truncated = value.trunc();
    if value.is_nan() {
        Err(Trap::InvalidConversion)
    } else if truncated < low || truncated >= high {
        Err(Trap::IntegerOverflow)
    } else {
        Ok(truncated)
    }
}

macro_rules! binary_operators {
    ($($name:ident $text:literal ($left:ident, $right:ident: $from:ty) -> $to:ty $body:block)*) => {
        /// A numeric instruction with two operands.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // The names are those of the specification.
        pub enum BinaryOp { $($name),* }

        impl BinaryOp {
            /// All of them.
            pub const ALL: &[BinaryOp] = &[$(BinaryOp::$name),*];

            /// The name in the text format.
            pub fn name(self) -> &'static str {
                match self { $(BinaryOp::$name => $text),* }
            }

            /// The instruction that an operator of the binary format is, if it is one of these.
            pub(crate) fn of(operator: &Operator<'_>) -> Option<Self> {
                match operator {
                    $(Operator::$name => Some(BinaryOp::$name),)*
                    _ => None,
                }
            }

            /// The result for two operands.
            ///
            /// # Errors
            /// A division by zero, or one whose quotient is too large.
            #[inline(always)]
            pub fn apply(self, left: u64, right: u64) -> Result<u64, Trap> {
                match self {
                    $(BinaryOp::$name => {
                        let ($left, $right) = (<$from as Word>::read(left), <$from as Word>::read(right));
                        let result: Result<$to, Trap> = $body;
                        result.map(Word::write)
                    })*
                }
            }
        }
    };
}

binary_operators! {
    I32Eq "i32.eq" (a, b: u32) -> bool { Ok(a == b) }
    I32Ne "i32.ne" (a, b: u32) -> bool { Ok(a != b) }
    I32LtS "i32.lt_s" (a, b: i32) -> bool { Ok(a < b) }
    I32LtU "i32.lt_u" (a, b: u32) -> bool { Ok(a < b) }
    I32GtS "i32.gt_s" (a, b: i32) -> bool { Ok(a > b) }
    I32GtU "i32.gt_u" (a, b: u32) -> bool { Ok(a > b) }
    I32LeS "i32.le_s" (a, b: i32) -> bool { Ok(a <= b) }
    I32LeU "i32.le_u" (a, b: u32) -> bool { Ok(a <= b) }
    I32GeS "i32.ge_s" (a, b: i32) -> bool { Ok(a >= b) }
    I32GeU "i32.ge_u" (a, b: u32) -> bool { Ok(a >= b) }
    I64Eq "i64.eq" (a, b: u64) -> bool { Ok(a == b) }
    I64Ne "i64.ne" (a, b: u64) -> bool { Ok(a != b) }
    I64LtS "i64.lt_s" (a, b: i64) -> bool { Ok(a < b) }
    I64LtU "i64.lt_u" (a, b: u64) -> bool { Ok(a < b) }
    I64GtS "i64.gt_s" (a, b: i64) -> bool { Ok(a > b) }
    I64GtU "i64.gt_u" (a, b: u64) -> bool { Ok(a > b) }
    I64LeS "i64.le_s" (a, b: i64) -> bool { Ok(a <= b) }
    I64LeU "i64.le_u" (a, b: u64) -> bool { Ok(a <= b) }
    I64GeS "i64.ge_s" (a, b: i64) -> bool { Ok(a >= b) }
    I64GeU "i64.ge_u" (a, b: u64) -> bool { Ok(a >= b) }
    F32Eq "f32.eq" (a, b: f32) -> bool { Ok(a == b) }
    F32Ne "f32.ne" (a, b: f32) -> bool { Ok(a != b) }
    F32Lt "f32.lt" (a, b: f32) -> bool { Ok(a < b) }
    F32Gt "f32.gt" (a, b: f32) -> bool { Ok(a > b) }
    F32Le "f32.le" (a, b: f32) -> bool { Ok(a <= b) }
    F32Ge "f32.ge" (a, b: f32) -> bool { Ok(a >= b) }
    F64Eq "f64.eq" (a, b: f64) -> bool { Ok(a == b) }
    F64Ne "f64.ne" (a, b: f64) -> bool { Ok(a != b) }
    F64Lt "f64.lt" (a, b: f64) -> bool { Ok(a < b) }
    F64Gt "f64.gt" (a, b: f64) -> bool { Ok(a > b) }
    F64Le "f64.le" (a, b: f64) -> bool { Ok(a <= b) }
    F64Ge "f64.ge" (a, b: f64) -> bool { Ok(a >= b) }
    I32Add "i32.add" (a, b: u32) -> u32 { Ok(a.wrapping_add(b)) }
    I32Sub "i32.sub" (a, b: u32) -> u32 { Ok(a.wrapping_sub(b)) }
    I32Mul "i32.mul" (a, b: u32) -> u32 { Ok(a.wrapping_mul(b)) }
    I32DivS "i32.div_s" (a, b: i32) -> i32 {
        if b == 0 { Err(Trap::DivisionByZero) } else { a.checked_div(b).ok_or(Trap::IntegerOverflow) }
    }
    I32DivU "i32.div_u" (a, b: u32) -> u32 { a.checked_div(b).ok_or(Trap::DivisionByZero) }
    I32RemS "i32.rem_s" (a, b: i32) -> i32 {
        if b == 0 { Err(Trap::DivisionByZero) } else { Ok(a.wrapping_rem(b)) }
    }
    I32RemU "i32.rem_u" (a, b: u32) -> u32 { a.checked_rem(b).ok_or(Trap::DivisionByZero) }
    I32And "i32.and" (a, b: u32) -> u32 { Ok(a & b) }
    I32Or "i32.or" (a, b: u32) -> u32 { Ok(a | b) }
    I32Xor "i32.xor" (a, b: u32) -> u32 { Ok(a ^ b) }
    I32Shl "i32.shl" (a, b: u32) -> u32 { Ok(a.wrapping_shl(b)) }
    I32ShrS "i32.shr_s" (a, b: i32) -> i32 { Ok(a.wrapping_shr(b as u32)) }
    I32ShrU "i32.shr_u" (a, b: u32) -> u32 { Ok(a.wrapping_shr(b)) }
    I32Rotl "i32.rotl" (a, b: u32) -> u32 { Ok(a.rotate_left(b & 31)) }
    I32Rotr "i32.rotr" (a, b: u32) -> u32 { Ok(a.rotate_right(b & 31)) }
    I64Add "i64.add" (a, b: u64) -> u64 { Ok(a.wrapping_add(b)) }
    I64Sub "i64.sub" (a, b: u64) -> u64 { Ok(a.wrapping_sub(b)) }
    I64Mul "i64.mul" (a, b: u64) -> u64 { Ok(a.wrapping_mul(b)) }
    I64DivS "i64.div_s" (a, b: i64) -> i64 {
        if b == 0 { Err(Trap::DivisionByZero) } else { a.checked_div(b).ok_or(Trap::IntegerOverflow) }
    }
    I64DivU "i64.div_u" (a, b: u64) -> u64 { a.checked_div(b).ok_or(Trap::DivisionByZero) }
    I64RemS "i64.rem_s" (a, b: i64) -> i64 {
        if b == 0 { Err(Trap::DivisionByZero) } else { Ok(a.wrapping_rem(b)) }
    }
    I64RemU "i64.rem_u" (a, b: u64) -> u64 { a.checked_rem(b).ok_or(Trap::DivisionByZero) }
    I64And "i64.and" (a, b: u64) -> u64 { Ok(a & b) }
    I64Or "i64.or" (a, b: u64) -> u64 { Ok(a | b) }
    I64Xor "i64.xor" (a, b: u64) -> u64 { Ok(a ^ b) }
    I64Shl "i64.shl" (a, b: u64) -> u64 { Ok(a.wrapping_shl(b as u32)) }
    I64ShrS "i64.shr_s" (a, b: i64) -> i64 { Ok(a.wrapping_shr(b as u32)) }
    I64ShrU "i64.shr_u" (a, b: u64) -> u64 { Ok(a.wrapping_shr(b as u32)) }
    I64Rotl "i64.rotl" (a, b: u64) -> u64 { Ok(a.rotate_left((b & 63) as u32)) }
    I64Rotr "i64.rotr" (a, b: u64) -> u64 { Ok(a.rotate_right((b & 63) as u32)) }
    F32Add "f32.add" (a, b: f32) -> f32 { Ok(a + b) }
    F32Sub "f32.sub" (a, b: f32) -> f32 { Ok(a - b) }
    F32Mul "f32.mul" (a, b: f32) -> f32 { Ok(a * b) }
    F32Div "f32.div" (a, b: f32) -> f32 { Ok(a / b) }
    F32Min "f32.min" (a, b: f32) -> f32 { Ok(minimum(f64::from(a), f64::from(b)) as f32) }
    F32Max "f32.max" (a, b: f32) -> f32 { Ok(-minimum(-f64::from(a), -f64::from(b)) as f32) }
    F32Copysign "f32.copysign" (a, b: u32) -> u32 { Ok((a & !(1 << 31)) | (b & (1 << 31))) }
    F64Add "f64.add" (a, b: f64) -> f64 { Ok(a + b) }
    F64Sub "f64.sub" (a, b: f64) -> f64 { Ok(a - b) }
    F64Mul "f64.mul" (a, b: f64) -> f64 { Ok(a * b) }
    F64Div "f64.div" (a, b: f64) -> f64 { Ok(a / b) }
    F64Min "f64.min" (a, b: f64) -> f64 { Ok(minimum(a, b)) }
    F64Max "f64.max" (a, b: f64) -> f64 { Ok(-minimum(-a, -b)) }
    F64Copysign "f64.copysign" (a, b: u64) -> u64 { Ok((a & !(1 << 63)) | (b & (1 << 63))) }
}

/// The smaller, where −0 is smaller than +0, and NaN if one of them is.
fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a == b {
        // Zeros of different signs, or the same value.
        if a.is_sign_negative() { a } else { b }
    } else if a < b {
        a
    } else {
        b
    }
}
