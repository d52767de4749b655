//! Floats in software: a library of integer code that computes what float instructions do.
//!
//! The second experiment of the paper on MuSE compiles such a library into the program, so that conditions on floats are conditions on words, with the branches of the
//! library as decisions. Here the translation does it: each float instruction of any module becomes a call of a function of the library, so that no program has to be
//! compiled for it. Instructions that only move bits (absolute value, negation, copies of signs, reinterpretations) stay as they are.
//!
//! The library is ours (`soft/` of this crate, in C) and comes compiled. Its functions call no others and use neither memory nor globals; where they trap, the trap is
//! that of the instruction. They are no part of the program: nothing of them is seen in stacks, steps and edges.

use std::sync::LazyLock;

use crate::code::{Function, Instruction};
use crate::module::Module;
use crate::numeric::{BinaryOp, UnaryOp};
use crate::trap::Trap;

/// The compiled library.
const COMPILED: &[u8] = include_bytes!("../soft/soft.wasm");

/// The code that the translation makes of float instructions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatCode {
    /// The instructions themselves.
    #[default]
    Instructions,
    /// Calls of a library of integer code.
    Library,
}

struct Library {
    functions: Vec<Function>,
    /// Functions of the instructions with one operand, in the order of all of them.
    unary: Vec<Option<u32>>,
    /// The same of those with two.
    binary: Vec<Option<u32>>,
}

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let module = Module::read(COMPILED).expect("the library is a module");
    let imports = module.imports.len() as u32;
    let of_instruction = |name: &str| module.exported_function(name).map(|index| index - imports);
    Library {
        functions: module.functions.iter().map(|function| with_traps(function, &module)).collect(),
        unary: UnaryOp::ALL.iter().map(|op| of_instruction(op.name())).collect(),
        binary: BinaryOp::ALL.iter().map(|op| of_instruction(op.name())).collect(),
    }
});

/// A function whose calls of imports are the traps that these stand for.
fn with_traps(function: &Function, module: &Module) -> Function {
    let code = function.code.iter().map(|&instruction| match instruction {
        Instruction::CallImport { import, .. } => {
            let trap = match module.imports[import as usize].name.as_str() {
                "invalid_conversion" => Trap::InvalidConversion,
                "integer_overflow" => Trap::IntegerOverflow,
                other => unreachable!("the library has no trap {other}"),
            };
            Instruction::Trap { trap }
        }
        other => other,
    });
    Function { code: code.collect(), ..function.clone() }
}

/// The functions of the library, with their instructions numbered from this one on.
pub(crate) fn functions(mut first: u32) -> Vec<Function> {
    let mut functions = LIBRARY.functions.clone();
    for function in &mut functions {
        function.first = first;
        first += function.code.len() as u32;
    }
    functions
}

/// The function for an instruction with one operand, by its position in the library.
pub(crate) fn of_unary(op: UnaryOp) -> Option<u32> {
    LIBRARY.unary[op as usize]
}

/// The function for an instruction with two operands, by its position in the library.
pub(crate) fn of_binary(op: BinaryOp) -> Option<u32> {
    LIBRARY.binary[op as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_has_a_function_for_each_float_instruction_that_does_not_only_move_bits() {
        let moves_bits = |name: &str| ["abs", "neg", "copysign"].iter().any(|end| name.ends_with(end));
        let is_float = |name: &str| name.contains("f32") || name.contains("f64");
        for &op in UnaryOp::ALL {
            let name = op.name();
            assert_eq!(of_unary(op).is_some(), is_float(name) && !moves_bits(name), "{name}");
        }
        for &op in BinaryOp::ALL {
            let name = op.name();
            assert_eq!(of_binary(op).is_some(), is_float(name) && !moves_bits(name), "{name}");
        }
    }

    #[test]
    fn its_functions_depend_on_nothing_but_their_arguments() {
        for (number, function) in (0_u32..).zip(functions(0)) {
            for instruction in &function.code {
                let is_allowed = match instruction {
                    Instruction::Unary { op, .. } => of_unary(*op).is_none(),
                    Instruction::Binary { op, .. } => of_binary(*op).is_none(),
                    Instruction::Copy { .. }
                    | Instruction::Constant { .. }
                    | Instruction::Select { .. }
                    | Instruction::Jump { .. }
                    | Instruction::Branch { .. }
                    | Instruction::Trap { .. }
                    | Instruction::Return => true,
                    _ => false,
                };
                assert!(is_allowed, "function {number}: {instruction:?}");
            }
        }
    }
}
