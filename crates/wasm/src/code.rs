//! Functions as register code.
//!
//! WebAssembly is a stack machine, but its stack has a fixed height at each instruction, so every position of the stack is a register of the
//! function: a *slot* of its frame. Reading a local or a constant costs nothing then: instructions name the slot. A frame consists of the
//! parameters and locals, the constants of the function, and the positions of the stack, in this order.

use crate::numeric::{BinaryOp, UnaryOp};
use crate::trap::Trap;

/// The number of a slot in the frame of a function.
pub type Slot = u32;

/// Bytes that a load reads, and what becomes of them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LoadOp {
    /// The number of bytes: 1, 2, 4 or 8.
    pub bytes: u8,
    /// The width of the result in bits: 32 or 64.
    pub width: u8,
    /// Whether the highest bit that is read fills the rest of the result.
    pub is_signed: bool,
}

/// An instruction. Targets are positions in the code of the same function.
#[derive(Copy, Clone, PartialEq, Debug)]
#[allow(missing_docs)] // The fields are slots, positions and indices, as their names say.
pub enum Instruction {
    Unary {
        op: UnaryOp,
        result: Slot,
        operand: Slot,
    },
    Binary {
        op: BinaryOp,
        result: Slot,
        left: Slot,
        right: Slot,
    },
    Load {
        op: LoadOp,
        result: Slot,
        address: Slot,
        offset: u32,
    },
    /// Writes the low bytes of a value.
    Store {
        bytes: u8,
        address: Slot,
        value: Slot,
        offset: u32,
    },
    Copy {
        result: Slot,
        source: Slot,
    },
    /// A constant by its low and high half, for functions with more constants than have slots.
    Constant {
        result: Slot,
        low: u32,
        high: u32,
    },
    GlobalGet {
        result: Slot,
        global: u32,
    },
    GlobalSet {
        global: u32,
        source: Slot,
    },
    Select {
        result: Slot,
        condition: Slot,
        then: Slot,
        otherwise: Slot,
    },
    Jump {
        target: u32,
    },
    /// Jumps if the condition is not zero, or if `is_inverted`, if it is zero.
    Branch {
        condition: Slot,
        target: u32,
        is_inverted: bool,
    },
    /// Jumps to the target at this position of [`Function::targets`], or to the last one of the `count`.
    Table {
        index: Slot,
        first: u32,
        count: u32,
    },
    /// Calls a function of the module; its frame begins at the slot of its first argument.
    Call {
        function: u32,
        base: Slot,
    },
    CallImport {
        import: u32,
        base: Slot,
    },
    /// Calls a function of [`Module::library`](crate::Module::library).
    CallLibrary {
        function: u32,
        base: Slot,
    },
    /// Calls the function in a table at an index, which is in a slot that no argument uses.
    CallIndirect {
        signature: u32,
        table: u32,
        index: Slot,
        base: Slot,
    },
    /// The results are in the first slots of the frame.
    Return,
    MemorySize {
        result: Slot,
    },
    MemoryGrow {
        result: Slot,
        delta: Slot,
    },
    MemoryFill {
        address: Slot,
        value: Slot,
        length: Slot,
    },
    MemoryCopy {
        to: Slot,
        from: Slot,
        length: Slot,
    },
    /// Copies a part of a data segment; the slots are `to`, `to + 1` (offset in the segment) and `to + 2` (length).
    MemoryInit {
        segment: u32,
        to: Slot,
    },
    DataDrop {
        segment: u32,
    },
    /// Copies a part of an element segment; slots as for `MemoryInit`.
    TableInit {
        segment: u32,
        table: u32,
        to: Slot,
    },
    ElementDrop {
        segment: u32,
    },
    /// Copies elements between tables; slots as for `MemoryInit`.
    TableCopy {
        to_table: u32,
        from_table: u32,
        to: Slot,
    },
    Trap {
        trap: Trap,
    },
    /// An instruction of a proposal that is not supported; the number is that of an entry of [`Module::unsupported`](crate::Module::unsupported).
    Unsupported {
        number: u32,
    },
}

/// A function of the module with its code.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The index of its type.
    pub signature: u32,
    /// The number of parameters, which are its first slots.
    pub parameters: u32,
    /// The number of results.
    pub results: u32,
    /// The number of parameters and locals.
    pub locals: u32,
    /// The values of the slots behind the locals, which never change.
    pub constants: Vec<u64>,
    /// The number of slots of its frame.
    pub slots: u32,
    /// The code.
    pub code: Vec<Instruction>,
    /// For each instruction, where its operator begins: the offset from the start of the contents of the code section, as in DWARF.
    pub offsets: Vec<u32>,
    /// Positions that tables jump to.
    pub targets: Vec<u32>,
    /// The number of the first instruction, if all instructions of the module are numbered.
    pub first: u32,
    /// For each operator of the binary format, its offset and the position of the code that it is part of.
    pub operators: Vec<(u32, u32)>,
}

impl LoadOp {
    /// The result, for bytes that were read as a number without sign.
    #[inline(always)]
    pub fn extend(self, read: u64) -> u64 {
        if !self.is_signed {
            return read;
        }
        let above = 64 - 8 * u32::from(self.bytes);
        let extended = ((read << above) as i64 >> above) as u64;
        if self.width == 32 { extended & 0xffff_ffff } else { extended }
    }
}

impl Function {
    /// The slots of its constants.
    pub fn slots_of_constants(&self) -> std::ops::Range<usize> {
        let start = self.locals.max(self.results) as usize;
        start..start + self.constants.len()
    }
}
