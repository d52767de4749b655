//! Single operators.

use wasmparser::{MemArg, Operator};

use super::{Translator, constant};
use crate::code::{Instruction, LoadOp};
use crate::numeric::{BinaryOp, UnaryOp};
use crate::soft::{self, FloatCode};
use crate::trap::Trap;

impl Translator<'_> {
    /// Translates an operator that the validator has accepted.
    pub(super) fn operator(&mut self, operator: &Operator<'_>, offset: u32) {
        self.offset = offset;
        if let Some(depth) = &mut self.unreachable_blocks {
            match operator {
                Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => *depth += 1,
                Operator::End if *depth > 0 => *depth -= 1,
                Operator::End => self.end(),
                Operator::Else if *depth == 0 => self.begin_else(),
                _ => {}
            }
            return;
        }
        let (position, start) = (self.position(), self.start_of_straight_code);
        self.reachable(operator);
        // What has emitted nothing belongs to what follows if it pushes something, and to what was before otherwise: what follows may be reached by jumps, too.
        let is_read = matches!(operator, Operator::LocalGet { .. }) || constant(operator).is_some();
        let is_before = self.position() == position && position > start && !is_read;
        self.function.operators.push((offset, position - u32::from(is_before)));
    }

    fn reachable(&mut self, operator: &Operator<'_>) {
        let calls_library = self.module.floats == FloatCode::Library;
        if let Some(op) = UnaryOp::of(operator) {
            if calls_library && let Some(function) = soft::of_unary(op) {
                return self.call_library(function, 1);
            }
            let operand = self.stack.pop();
            return self.emit_result(|result| Instruction::Unary { op, result, operand });
        }
        if let Some(op) = BinaryOp::of(operator) {
            if calls_library && let Some(function) = soft::of_binary(op) {
                return self.call_library(function, 2);
            }
            let right = self.stack.pop();
            let left = self.stack.pop();
            return self.emit_result(|result| Instruction::Binary { op, result, left, right });
        }
        if let Some(value) = constant(operator) {
            return self.push_constant(value);
        }
        if let Some((op, memory)) = load(operator) {
            let address = self.stack.pop();
            let offset = memory.offset as u32;
            return self.emit_result(|result| Instruction::Load { op, result, address, offset });
        }
        if let Some((bytes, memory)) = store(operator) {
            let value = self.stack.pop();
            let address = self.stack.pop();
            return self.emit(Instruction::Store { bytes, address, value, offset: memory.offset as u32 });
        }
        self.other(operator);
    }

    fn other(&mut self, operator: &Operator<'_>) {
        match *operator {
            // Bits stay as they are.
            Operator::Nop
            | Operator::I32ReinterpretF32
            | Operator::I64ReinterpretF64
            | Operator::F32ReinterpretI32
            | Operator::F64ReinterpretI64 => {}
            Operator::Unreachable => {
                self.emit(Instruction::Trap { trap: Trap::Unreachable });
                self.become_unreachable();
            }
            Operator::Block { blockty } => self.block(blockty),
            Operator::Loop { blockty } => self.begin_loop(blockty),
            Operator::If { blockty } => self.begin_if(blockty),
            Operator::Else => self.begin_else(),
            Operator::End => self.end(),
            Operator::Br { relative_depth } => self.branch(relative_depth),
            Operator::BrIf { relative_depth } => self.branch_if(relative_depth),
            Operator::BrTable { ref targets } => self.branch_table(targets),
            Operator::Return => self.return_(),
            Operator::Call { function_index } => self.call(function_index),
            Operator::CallIndirect { type_index, table_index } => self.call_indirect(type_index, table_index),
            Operator::Drop => {
                self.stack.pop();
            }
            Operator::Select | Operator::TypedSelect { .. } => {
                let condition = self.stack.pop();
                let otherwise = self.stack.pop();
                let then = self.stack.pop();
                self.emit_result(|result| Instruction::Select { result, condition, then, otherwise });
            }
            Operator::LocalGet { local_index } => self.stack.push_local(local_index),
            Operator::LocalSet { local_index } => self.set_local(local_index),
            Operator::LocalTee { local_index } => {
                self.set_local(local_index);
                self.stack.push_local(local_index);
            }
            Operator::GlobalGet { global_index } => {
                self.emit_result(|result| Instruction::GlobalGet { result, global: global_index });
            }
            Operator::GlobalSet { global_index } => {
                let source = self.stack.pop();
                self.emit(Instruction::GlobalSet { global: global_index, source });
            }
            _ => self.bulk(operator),
        }
    }

    /// Operators on the memory as a whole, and on tables.
    fn bulk(&mut self, operator: &Operator<'_>) {
        match *operator {
            Operator::MemorySize { .. } => self.emit_result(|result| Instruction::MemorySize { result }),
            Operator::MemoryGrow { .. } => {
                let delta = self.stack.pop();
                self.emit_result(|result| Instruction::MemoryGrow { result, delta });
            }
            Operator::MemoryFill { .. } => {
                let length = self.stack.pop();
                let value = self.stack.pop();
                let address = self.stack.pop();
                self.emit(Instruction::MemoryFill { address, value, length });
            }
            Operator::MemoryCopy { .. } => {
                let length = self.stack.pop();
                let from = self.stack.pop();
                let to = self.stack.pop();
                self.emit(Instruction::MemoryCopy { to, from, length });
            }
            Operator::MemoryInit { data_index, .. } => {
                let to = self.three_operands();
                self.emit(Instruction::MemoryInit { segment: data_index, to });
            }
            Operator::DataDrop { data_index } => self.emit(Instruction::DataDrop { segment: data_index }),
            Operator::TableInit { elem_index, table } => {
                let to = self.three_operands();
                self.emit(Instruction::TableInit { segment: elem_index, table, to });
            }
            Operator::ElemDrop { elem_index } => self.emit(Instruction::ElementDrop { segment: elem_index }),
            Operator::TableCopy { dst_table, src_table } => {
                let to = self.three_operands();
                self.emit(Instruction::TableCopy { to_table: dst_table, from_table: src_table, to });
            }
            _ => self.unsupported(operator),
        }
    }

    /// Pops three operands, which are then in consecutive slots. Returns the first.
    fn three_operands(&mut self) -> u32 {
        self.with_stack(|stack, code| stack.settle(3, code));
        self.stack.truncate(self.stack.height() - 3);
        self.stack.slot(self.stack.height())
    }
}

fn load<'o>(operator: &'o Operator<'_>) -> Option<(LoadOp, &'o MemArg)> {
    let op = |bytes, width, is_signed| LoadOp { bytes, width, is_signed };
    Some(match operator {
        Operator::I32Load { memarg } | Operator::F32Load { memarg } => (op(4, 32, false), memarg),
        Operator::I64Load { memarg } | Operator::F64Load { memarg } => (op(8, 64, false), memarg),
        Operator::I32Load8S { memarg } => (op(1, 32, true), memarg),
        Operator::I32Load8U { memarg } => (op(1, 32, false), memarg),
        Operator::I32Load16S { memarg } => (op(2, 32, true), memarg),
        Operator::I32Load16U { memarg } => (op(2, 32, false), memarg),
        Operator::I64Load8S { memarg } => (op(1, 64, true), memarg),
        Operator::I64Load8U { memarg } => (op(1, 64, false), memarg),
        Operator::I64Load16S { memarg } => (op(2, 64, true), memarg),
        Operator::I64Load16U { memarg } => (op(2, 64, false), memarg),
        Operator::I64Load32S { memarg } => (op(4, 64, true), memarg),
        Operator::I64Load32U { memarg } => (op(4, 64, false), memarg),
        _ => return None,
    })
}

fn store<'o>(operator: &'o Operator<'_>) -> Option<(u8, &'o MemArg)> {
    Some(match operator {
        Operator::I32Store { memarg } | Operator::F32Store { memarg } | Operator::I64Store32 { memarg } => {
            (4, memarg)
        }
        Operator::I64Store { memarg } | Operator::F64Store { memarg } => (8, memarg),
        Operator::I32Store8 { memarg } | Operator::I64Store8 { memarg } => (1, memarg),
        Operator::I32Store16 { memarg } | Operator::I64Store16 { memarg } => (2, memarg),
        _ => return None,
    })
}
