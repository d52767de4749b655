//! The operand stack while a function is translated: where the value of each position is.

use crate::code::{Instruction, Slot};

/// Slots of the operands, by position.
#[derive(Default)]
pub(super) struct OperandStack {
    operands: Vec<Slot>,
    /// For each local, the positions whose value is still in it, ascending.
    in_local: Vec<Vec<u32>>,
    /// Positions whose value is in some local, at least.
    pending: Vec<u32>,
    /// The slot of the first position.
    base: Slot,
    /// The greatest height so far.
    greatest: u32,
}

impl OperandStack {
    pub(super) fn new(locals: u32, base: Slot) -> Self {
        OperandStack { in_local: vec![Vec::new(); locals as usize], base, ..OperandStack::default() }
    }

    pub(super) fn height(&self) -> u32 {
        self.operands.len() as u32
    }

    pub(super) fn greatest_height(&self) -> u32 {
        self.greatest
    }

    /// The slot of a position.
    pub(super) fn slot(&self, position: u32) -> Slot {
        self.base + position
    }

    /// Pushes an operand that is in the slot of its position. Returns the slot.
    pub(super) fn push(&mut self) -> Slot {
        let slot = self.slot(self.height());
        self.push_slot(slot);
        slot
    }

    /// Pushes an operand that is in a slot which never changes, or in that of its position.
    pub(super) fn push_slot(&mut self, slot: Slot) {
        self.operands.push(slot);
        self.greatest = self.greatest.max(self.height());
    }

    /// Pushes the value of a local, which stays in it.
    pub(super) fn push_local(&mut self, local: u32) {
        let position = self.height();
        self.in_local[local as usize].push(position);
        self.pending.push(position);
        self.push_slot(local);
    }

    pub(super) fn pop(&mut self) -> Slot {
        let slot = self.operands.pop().expect("the validator has checked the height");
        let position = self.height();
        if self.pending.last() == Some(&position) {
            self.pending.pop();
        }
        if let Some(positions) = self.in_local.get_mut(slot as usize)
            && positions.last() == Some(&position)
        {
            positions.pop();
        }
        slot
    }

    pub(super) fn truncate(&mut self, height: u32) {
        while self.height() > height {
            self.pop();
        }
    }

    /// The slot of the operand this far below the top.
    pub(super) fn peek(&self, depth: u32) -> Slot {
        self.operands[self.operands.len() - 1 - depth as usize]
    }

    /// Moves the values that are still in a local into the slots of their positions. Returns whether there were any.
    pub(super) fn release(&mut self, local: u32, code: &mut dyn FnMut(Instruction)) -> bool {
        let positions = std::mem::take(&mut self.in_local[local as usize]);
        for &position in &positions {
            let result = self.slot(position);
            code(Instruction::Copy { result, source: local });
            self.operands[position as usize] = result;
        }
        !positions.is_empty()
    }

    /// Moves all values that are still in locals into the slots of their positions.
    pub(super) fn release_all(&mut self, code: &mut dyn FnMut(Instruction)) {
        for position in std::mem::take(&mut self.pending) {
            let local = self.operands[position as usize];
            if let Some(positions) = self.in_local.get_mut(local as usize) {
                positions.clear();
                let result = self.slot(position);
                code(Instruction::Copy { result, source: local });
                self.operands[position as usize] = result;
            }
        }
    }

    /// Moves the values of the uppermost operands into the slots of their positions, constants included.
    pub(super) fn settle(&mut self, count: u32, code: &mut dyn FnMut(Instruction)) {
        for position in self.height() - count..self.height() {
            let (source, result) = (self.operands[position as usize], self.slot(position));
            if source != result {
                if let Some(positions) = self.in_local.get_mut(source as usize) {
                    positions.retain(|&other| other != position);
                }
                code(Instruction::Copy { result, source });
                self.operands[position as usize] = result;
            }
        }
    }
}
