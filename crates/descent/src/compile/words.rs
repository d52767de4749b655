//! Operations on words of bits that the processor computes.

use sundry_term::{Op, Sort, SortId, TermId};

use super::Compiler;
use crate::program::{Slot, Step, WordOp};

impl Compiler<'_> {
    /// An operation on words that the processor computes; `None` leaves it to the evaluator.
    pub(super) fn word_operation(&mut self, op: Op, sort: SortId, arguments: &[TermId]) -> Option<Slot> {
        let is_word = |argument: &TermId| matches!(self.slots[argument], Slot::Word(..));
        if !arguments.iter().all(is_word)
            || !matches!(self.store.sort(sort), Sort::BitVec(1..=64) | Sort::Float(_))
        {
            return None;
        }
        if let Op::Float(op) = op {
            return self.float_operation(op, sort, arguments);
        }
        let width = self.store.bit_vec_width(sort)?;
        let operand_width = self.store.bit_vec_width(self.store.sort_of(*arguments.last()?))?;
        let op = match op {
            Op::BvNot => WordOp::Not,
            Op::BvNeg => WordOp::Neg,
            Op::BvAnd => WordOp::And,
            Op::BvOr => WordOp::Or,
            Op::BvXor => WordOp::Xor,
            Op::BvAdd => WordOp::Add,
            Op::BvSub => WordOp::Sub,
            Op::BvMul => WordOp::Mul,
            Op::BvUdiv => WordOp::Udiv,
            Op::BvUrem => WordOp::Urem,
            Op::BvShl => WordOp::Shl,
            Op::BvLshr => WordOp::Lshr,
            Op::BvAshr => WordOp::Ashr,
            Op::Concat if arguments.len() == 2 => WordOp::Concat(operand_width),
            Op::Extract { low, .. } => WordOp::Extract(low),
            Op::ZeroExtend(_) => WordOp::Extract(0),
            Op::SignExtend(_) => WordOp::SignExtend(operand_width),
            _ => return None,
        };
        let first = self.word(arguments[0]);
        if arguments.len() == 1 {
            return self.word_step(op, sort, width, [first, first]);
        }
        let mut slot = self.slots[&arguments[0]];
        for &argument in &arguments[1..] {
            let Slot::Word(left, _) = slot else { return None };
            slot = self.word_step(op, sort, width, [left, self.word(argument)])?;
        }
        Some(slot)
    }

    pub(super) fn word_step(
        &mut self,
        op: WordOp,
        sort: SortId,
        width: u32,
        operands: [u32; 2],
    ) -> Option<Slot> {
        let slot = self.new_slot(sort)?;
        let Slot::Word(result, _) = slot else { return None };
        self.program.steps.push(Step::Word { op, width, operands, result });
        Some(slot)
    }
}
