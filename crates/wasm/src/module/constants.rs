//! Constant expressions: initial values of globals, and places of segments.

use wasmparser::{ConstExpr, Operator};

use super::{Module, unsupported};
use crate::error::ModuleError;
use crate::numeric::BinaryOp;

/// The value of a constant expression.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Constant {
    /// The bits of a number.
    Word(u64),
    /// A reference to a function, or none.
    Function(Option<u32>),
}

impl Constant {
    pub(super) fn word(self) -> u64 {
        match self {
            Constant::Word(word) => word,
            Constant::Function(_) => 0,
        }
    }
}

impl Module {
    /// The value of an expression that the validator has accepted.
    pub(super) fn constant(&self, expression: &ConstExpr<'_>) -> Result<Constant, ModuleError> {
        let mut stack: Vec<Constant> = Vec::new();
        let mut operators = expression.get_operators_reader();
        while !operators.eof() {
            let (operator, offset) = operators.read_with_offset()?;
            let constant = match operator {
                Operator::I32Const { value } => Constant::Word(u64::from(value as u32)),
                Operator::I64Const { value } => Constant::Word(value as u64),
                Operator::F32Const { value } => Constant::Word(u64::from(value.bits())),
                Operator::F64Const { value } => Constant::Word(value.bits()),
                Operator::RefNull { .. } => Constant::Function(None),
                Operator::RefFunc { function_index } => Constant::Function(Some(function_index)),
                Operator::GlobalGet { global_index } => {
                    Constant::Word(self.globals[global_index as usize].value)
                }
                Operator::End => break,
                ref other => {
                    let op =
                        BinaryOp::of(other).ok_or_else(|| unsupported(offset, "this constant expression"))?;
                    let right = stack.pop().map_or(0, Constant::word);
                    let left = stack.pop().map_or(0, Constant::word);
                    let sum =
                        op.apply(left, right).map_err(|_| unsupported(offset, "this constant expression"))?;
                    Constant::Word(sum)
                }
            };
            stack.push(constant);
        }
        Ok(stack.pop().unwrap_or(Constant::Word(0)))
    }
}
