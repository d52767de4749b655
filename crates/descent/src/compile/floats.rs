//! Operations on floats that the processor computes: of the formats of 32 and 64 bits, rounded to nearest even.

use sundry_term::{FloatFormat, FloatOp, RoundingMode, Sort, SortId, TermId, Value};

use super::Compiler;
use crate::native::{NativeConversion, NativeFormat, NativeOp};
use crate::program::{Slot, Step, WordOp};

impl Compiler<'_> {
    /// The mode that a term is, if it is a literal.
    fn mode(&self, term: TermId) -> Option<RoundingMode> {
        match self.store.value(term)? {
            Value::RoundingMode(mode) => Some(*mode),
            _ => None,
        }
    }

    pub(super) fn float_operation(
        &mut self,
        op: FloatOp,
        sort: SortId,
        arguments: &[TermId],
    ) -> Option<Slot> {
        let format = |term: TermId| match *self.store.sort(self.store.sort_of(term)) {
            Sort::Float(format) => Some(format),
            _ => None,
        };
        let result_format = match *self.store.sort(sort) {
            Sort::Float(format) if format.width() > 64 => return None,
            Sort::Float(format) => Some(format),
            _ => None,
        };
        let width = self.store.bit_vec_width(sort);
        let bits_of = |term: TermId| self.store.bit_vec_width(self.store.sort_of(term));
        let nearest = |term: TermId| self.mode(term).filter(|mode| *mode == RoundingMode::NearestTiesToEven);
        let op = match op {
            FloatOp::Fp => {
                let widths = (bits_of(arguments[1])?, bits_of(arguments[2])?);
                let [sign, exponent, fraction] = [0, 1, 2].map(|i| self.word(arguments[i]));
                return self.assembled([sign, exponent, fraction], widths, result_format?, sort);
            }
            FloatOp::ToFp(to) if arguments.len() == 1 => {
                let operand = self.word(arguments[0]);
                return self.word_step(WordOp::FloatOfBits(to), sort, to.width(), [operand; 2]);
            }
            FloatOp::ToIeeeBv => {
                let (operand, from) = (self.word(arguments[0]), format(arguments[0])?);
                return self.word_step(WordOp::BitsOfFloat(from), sort, from.width(), [operand; 2]);
            }
            FloatOp::ToFp(to) => {
                nearest(arguments[0])?;
                let conversion = match (format(arguments[1]), bits_of(arguments[1])) {
                    (Some(from), _) => {
                        NativeFormat::of(from).filter(|&native| Some(native) != NativeFormat::of(to))?;
                        NativeConversion::OtherFormat
                    }
                    (_, width) => NativeConversion::FromSigned(width?),
                };
                return self.conversion(conversion, to, arguments[1], sort);
            }
            FloatOp::ToFpUnsigned(to) => {
                nearest(arguments[0])?;
                return self.conversion(NativeConversion::FromUnsigned, to, arguments[1], sort);
            }
            FloatOp::ToUbv(_) => {
                let conversion = NativeConversion::ToUnsigned(width?, self.mode(arguments[0])?);
                return self.conversion(conversion, format(arguments[1])?, arguments[1], sort);
            }
            FloatOp::ToSbv(_) => {
                let conversion = NativeConversion::ToSigned(width?, self.mode(arguments[0])?);
                return self.conversion(conversion, format(arguments[1])?, arguments[1], sort);
            }
            FloatOp::Add => NativeOp::Add,
            FloatOp::Sub => NativeOp::Sub,
            FloatOp::Mul => NativeOp::Mul,
            FloatOp::Div => NativeOp::Div,
            FloatOp::Fma => NativeOp::Fma,
            FloatOp::Sqrt => NativeOp::Sqrt,
            FloatOp::Rem => NativeOp::Rem,
            FloatOp::Abs => NativeOp::Abs,
            FloatOp::Neg => NativeOp::Neg,
            FloatOp::Min => NativeOp::Min,
            FloatOp::Max => NativeOp::Max,
            FloatOp::RoundToIntegral => NativeOp::Integral(self.mode(arguments[0])?),
            _ => return None,
        };
        let operands = match op {
            NativeOp::Rem | NativeOp::Abs | NativeOp::Neg | NativeOp::Min | NativeOp::Max => arguments,
            NativeOp::Integral(_) => &arguments[1..],
            _ => {
                nearest(arguments[0])?;
                &arguments[1..]
            }
        };
        let format = NativeFormat::of(result_format?)?;
        let operand = |i: usize| operands.get(i).map_or(0, |&term| self.word(term));
        let operands = [0, 1, 2].map(operand);
        let slot = self.new_slot(sort)?;
        let Slot::Word(result, _) = slot else { return None };
        self.program.steps.push(Step::Native { op, format, operands, result });
        Some(slot)
    }

    fn conversion(
        &mut self,
        conversion: NativeConversion,
        format: FloatFormat,
        operand: TermId,
        sort: SortId,
    ) -> Option<Slot> {
        let (format, operand) = (NativeFormat::of(format)?, self.word(operand));
        let slot = self.new_slot(sort)?;
        let Slot::Word(result, _) = slot else { return None };
        self.program.steps.push(Step::Convert { conversion, format, operand, result });
        Some(slot)
    }

    /// The float with these parts.
    fn assembled(
        &mut self,
        [sign, exponent, fraction]: [u32; 3],
        (exponent_width, fraction_width): (u32, u32),
        format: FloatFormat,
        sort: SortId,
    ) -> Option<Slot> {
        let width = format.width();
        let (front, bits) = (self.new_word(), self.new_word());
        let concat = |low| WordOp::Concat(low);
        self.program.steps.extend([
            Step::Word { op: concat(exponent_width), width, operands: [sign, exponent], result: front },
            Step::Word { op: concat(fraction_width), width, operands: [front, fraction], result: bits },
        ]);
        self.word_step(WordOp::FloatOfBits(format), sort, width, [bits; 2])
    }
}
