//! Values beside the concrete ones.
//!
//! The interpreter computes concrete values only. A *domain* is informed of each step before it happens, and may keep other values beside them: terms over the
//! inputs of a program, say. One interpreter serves plain and shadowed execution this way: the methods of the domain [`Plain`] are empty, and the
//! compiler removes them. Places are slots of the whole stack of frames, not of one frame.

use crate::code::LoadOp;
use crate::machine::Memory;
use crate::numeric::{BinaryOp, UnaryOp};
use crate::trap::Trap;

/// The reason why an execution ends before its entry point returns.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// A trap of WebAssembly.
    Trap(Trap),
    /// The program has ended itself with a status.
    Exit(u32),
    /// More steps than allowed.
    Steps,
    /// An instruction that is not supported.
    Unsupported(u32),
    /// The domain has ended the execution and knows why.
    Domain,
}

impl From<Trap> for Stop {
    fn from(trap: Trap) -> Self {
        Stop::Trap(trap)
    }
}

/// An access to the memory at an address that a slot holds.
#[derive(Copy, Clone, Debug)]
pub struct Access<'m> {
    /// The number of the instruction in the module.
    pub place: u32,
    /// The slot that holds the address.
    pub address: usize,
    /// The number that is added to the address.
    pub offset: u32,
    /// The sum.
    pub effective: u64,
    /// Values of all slots.
    pub slots: &'m [u64],
}

/// Receives the steps of an execution. The number of an instruction is `Function::first` plus its position.
///
/// Methods that return an error end the execution.
#[allow(unused_variables)]
pub trait Domain {
    /// A numeric instruction with this operand.
    fn unary(
        &mut self,
        place: u32,
        op: UnaryOp,
        result: usize,
        operand: usize,
        value: u64,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// A numeric instruction with these operands.
    fn binary(
        &mut self,
        place: u32,
        op: BinaryOp,
        result: usize,
        operands: (usize, usize),
        values: (u64, u64),
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// A slot gets the value of another.
    fn copy(&mut self, result: usize, source: usize) {}

    /// A load, before its bounds are checked.
    fn load(&mut self, access: Access<'_>, op: LoadOp, result: usize, memory: &Memory) -> Result<(), Stop> {
        Ok(())
    }

    /// A store of the low bytes of a slot's value, before its bounds are checked.
    fn store(
        &mut self,
        access: Access<'_>,
        bytes: u8,
        value: (usize, u64),
        memory: &Memory,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// A slot gets the value of a global.
    fn global_get(&mut self, result: usize, global: u32) {}

    /// A global gets the value of a slot.
    fn global_set(&mut self, place: u32, global: u32, source: (usize, u64)) -> Result<(), Stop> {
        Ok(())
    }

    /// A choice between two slots; the condition is not zero if the first is taken.
    fn select(
        &mut self,
        place: u32,
        result: usize,
        condition: (usize, bool),
        choices: (usize, usize),
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// A conditional branch, with whether its condition is not zero.
    fn branch(&mut self, place: u32, condition: usize, is_nonzero: bool) -> Result<(), Stop> {
        Ok(())
    }

    /// A branch to one of several targets: the index, and the positions that each index leads to, the last for all greater ones.
    fn table(&mut self, place: u32, index: (usize, u32), targets: &[u32]) -> Result<(), Stop> {
        Ok(())
    }

    /// A call through a table, before the element is checked. `functions` are the elements, `None` without one.
    fn indirect(&mut self, place: u32, index: (usize, u32), functions: &[Option<u32>]) -> Result<(), Stop> {
        Ok(())
    }

    /// A call of a function of the module, whose frame has these slots; the first hold the arguments.
    fn enter(
        &mut self,
        place: u32,
        function: u32,
        frame: std::ops::Range<usize>,
        arguments: &[u64],
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// A call of a function of the library, which does what an instruction does. Its frame has these slots; the first hold the arguments.
    fn enter_library(&mut self, frame: std::ops::Range<usize>, arguments: usize) {}

    /// A return to the instruction behind a call, with the first result, if there is one.
    fn leave(&mut self, call: u32, result: u64, memory: &Memory) {}

    /// Called every now and then during long executions.
    ///
    /// # Errors
    /// The execution is to end.
    fn look(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    /// A slot gets a value that depends on nothing.
    fn forget(&mut self, result: usize) {}

    /// The engine needs the concrete value of a slot.
    fn fix(&mut self, place: u32, slot: usize, value: u64) -> Result<(), Stop> {
        Ok(())
    }

    /// A range of the memory is filled with the low byte of a slot, before the bounds are checked: address, value, length.
    fn fill(&mut self, place: u32, slots: [usize; 3], values: [u32; 3], memory: &Memory) -> Result<(), Stop> {
        Ok(())
    }

    /// A copy between ranges of the memory, before the bounds are checked: to, from, length.
    fn move_bytes(
        &mut self,
        place: u32,
        slots: [usize; 3],
        values: [u32; 3],
        memory: &Memory,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// A range of the memory is overwritten with values that depend on nothing.
    fn forget_bytes(&mut self, address: u32, length: u32) {}

    /// A call of an imported function: the slots from `base` on have the arguments, and take the results.
    ///
    /// # Errors
    /// The program ends here.
    fn call_import(
        &mut self,
        place: u32,
        import: u32,
        base: usize,
        slots: &mut [u64],
        memory: &mut Memory,
    ) -> Result<(), Stop>;
}

/// The domain of plain execution, in which there is nothing beside the concrete values, and no host: imported functions end the execution.
#[derive(Copy, Clone, Debug, Default)]
pub struct Plain;

impl Domain for Plain {
    fn call_import(
        &mut self,
        _place: u32,
        _import: u32,
        _base: usize,
        _slots: &mut [u64],
        _memory: &mut Memory,
    ) -> Result<(), Stop> {
        Err(Stop::Domain)
    }
}
