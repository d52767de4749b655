//! From the stack machine to registers.
//!
//! The translator follows the operand stack and knows for each position in which slot its value is: in the slot of that position, or
//! still in a local or a constant. Where control flow joins, all values are in the slots of their positions. Before a local changes, values that are still
//! in it move to theirs. Registers without such a stack (a graph in static single assignment form) would allow further optimisation;
//! for programs that ran through a compiler it gains little.

mod control;
mod operand_stack;
mod operators;

use std::collections::HashMap;

use wasmparser::{FunctionBody, Operator};

use crate::code::{Function, Instruction, Slot};
use crate::error::ModuleError;
use crate::module::{FunctionChecker, Module, UnsupportedInstruction};
use control::Frame;
use operand_stack::OperandStack;

/// The greatest number of constants of a function that have slots, since each call fills these.
const MOST_CONSTANTS: usize = 256;

/// Validates and translates the next function of a module.
pub(crate) fn translate(
    module: &mut Module,
    checker: &mut FunctionChecker,
    body: &FunctionBody<'_>,
) -> Result<Function, ModuleError> {
    checker.read_locals(&mut body.get_binary_reader())?;
    let mut translator = Translator::new(module, checker, body)?;
    let mut operators = body.get_operators_reader()?;
    while !operators.eof() {
        let (operator, offset) = operators.read_with_offset()?;
        translator.checker.op(offset, &operator)?;
        translator.operator(&operator, (offset - translator.module.code_start) as u32);
    }
    operators.finish()?;
    Ok(translator.finish())
}

struct Translator<'m> {
    module: &'m mut Module,
    checker: &'m mut FunctionChecker,
    function: Function,
    constants: HashMap<u64, Slot>,
    stack: OperandStack,
    control: Vec<Frame>,
    /// Nested blocks in code that is never reached, which is not translated.
    unreachable_blocks: Option<u32>,
    /// The position of the last instruction, if its result may go elsewhere instead: no jump leads behind it.
    last_result: Option<usize>,
    /// The position since which no jump has been emitted, and to which the last one leads that leads here.
    start_of_straight_code: u32,
    /// The offset of the present operator.
    offset: u32,
    /// The index of the function.
    index: u32,
}

impl<'m> Translator<'m> {
    fn new(
        module: &'m mut Module,
        checker: &'m mut FunctionChecker,
        body: &FunctionBody<'_>,
    ) -> Result<Self, ModuleError> {
        let index = checker.index();
        let signature = module.type_of(index);
        let (parameters, results) = {
            let signature = &module.signatures[signature as usize];
            (signature.parameters.len() as u32, signature.results.len() as u32)
        };
        let locals = checker.len_locals();
        let mut function = Function {
            signature,
            parameters,
            results,
            locals,
            first: module.instruction_count(),
            ..Function::default()
        };
        let mut constants = HashMap::new();
        for operator in body.get_operators_reader()? {
            if let Some(value) = constant(&operator?)
                && constants.len() < MOST_CONSTANTS
                && !constants.contains_key(&value)
            {
                // Results are in the first slots, which therefore must not be those of constants.
                constants.insert(value, locals.max(results) + function.constants.len() as u32);
                function.constants.push(value);
            }
        }
        let base = locals.max(results) + function.constants.len() as u32;
        Ok(Translator {
            module,
            checker,
            function,
            constants,
            stack: OperandStack::new(locals, base),
            control: vec![Frame::function(results)],
            unreachable_blocks: None,
            last_result: None,
            start_of_straight_code: 0,
            offset: 0,
            index,
        })
    }

    fn finish(mut self) -> Function {
        self.function.slots = self.stack.slot(self.stack.greatest_height().max(1));
        self.function
    }

    /// Appends an instruction.
    fn emit(&mut self, instruction: Instruction) {
        self.last_result = None;
        let is_jump = matches!(
            instruction,
            Instruction::Jump { .. }
                | Instruction::Branch { .. }
                | Instruction::Table { .. }
                | Instruction::Return
                | Instruction::Trap { .. }
                | Instruction::Unsupported { .. }
        );
        self.function.code.push(instruction);
        self.function.offsets.push(self.offset);
        if is_jump {
            self.start_of_straight_code = self.position();
        }
    }

    /// Appends an instruction that writes the slot of the operand which it pushes.
    fn emit_result(&mut self, instruction: impl FnOnce(Slot) -> Instruction) {
        let result = self.stack.push();
        self.emit(instruction(result));
        self.last_result = Some(self.function.code.len() - 1);
    }

    fn position(&self) -> u32 {
        self.function.code.len() as u32
    }

    /// Calls a method of the stack that appends instructions.
    fn with_stack<T>(
        &mut self,
        change: impl FnOnce(&mut OperandStack, &mut dyn FnMut(Instruction)) -> T,
    ) -> T {
        let (code, offsets, offset) = (&mut self.function.code, &mut self.function.offsets, self.offset);
        let before = code.len();
        let result = change(&mut self.stack, &mut |instruction| {
            code.push(instruction);
            offsets.push(offset);
        });
        if self.function.code.len() > before {
            self.last_result = None;
        }
        result
    }

    fn set_local(&mut self, local: u32) {
        let last_result = self.last_result;
        let source = self.stack.pop();
        let has_moved = self.with_stack(|stack, code| stack.release(local, code));
        if let Some(position) = last_result
            && !has_moved
            && set_result(&mut self.function.code[position], source, local)
        {
            self.last_result = None;
            return;
        }
        if source != local {
            self.emit(Instruction::Copy { result: local, source });
        }
    }

    fn push_constant(&mut self, value: u64) {
        match self.constants.get(&value) {
            Some(&slot) => self.stack.push_slot(slot),
            None => self.emit_result(|result| Instruction::Constant {
                result,
                low: value as u32,
                high: (value >> 32) as u32,
            }),
        }
    }

    fn unsupported(&mut self, operator: &Operator<'_>) {
        let name = format!("{operator:?}");
        let name = name.split([' ', '(', '{']).next().unwrap_or_default().to_string();
        let number = self.module.unsupported.len() as u32;
        let (function, offset) = (self.index, self.offset);
        self.module.unsupported.push(UnsupportedInstruction { name, function, offset });
        self.emit(Instruction::Unsupported { number });
        self.become_unreachable();
    }
}

/// The bits of the constant that an operator pushes.
fn constant(operator: &Operator<'_>) -> Option<u64> {
    match *operator {
        Operator::I32Const { value } => Some(u64::from(value as u32)),
        Operator::I64Const { value } => Some(value as u64),
        Operator::F32Const { value } => Some(u64::from(value.bits())),
        Operator::F64Const { value } => Some(value.bits()),
        _ => None,
    }
}

/// Lets an instruction that writes `from` write `to` instead. Whether it does.
fn set_result(instruction: &mut Instruction, from: Slot, to: Slot) -> bool {
    match instruction {
        Instruction::Unary { result, .. }
        | Instruction::Binary { result, .. }
        | Instruction::Load { result, .. }
        | Instruction::Copy { result, .. }
        | Instruction::Constant { result, .. }
        | Instruction::GlobalGet { result, .. }
        | Instruction::Select { result, .. }
        | Instruction::MemorySize { result }
        | Instruction::MemoryGrow { result, .. }
            if *result == from =>
        {
            *result = to;
            true
        }
        _ => false,
    }
}
