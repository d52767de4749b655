//! Concrete addresses, and the address that each was computed from.
//!
//! An array in a frame is the base of the frame plus a constant, and one in static memory is a constant. What a program adds to that are indices and the steps of loops, none of
//! which may leave the array. So the result of `base + constant` is an *origin*, which copies and sums keep. An instruction that has accessed the object of its origin before,
//! and now gets outside of it with the same origin, has made an error. That it has accessed the object before is needed because compilers also start from addresses beside the one they mean.
//! Origins do not survive in memory. In frames, the access must also get into another object or out of the frame, since a temporary value without a name may share the place of an object.

use std::ops::Range;

use sundry_wasm::{Access, BinaryOp};

use super::Concolic;
use super::objects::is_base_of;
use crate::heap::LEAST_ADDRESS;
use crate::objects::FrameBase;
use crate::program::Program;

/// No origin.
const NONE: u32 = 0;
/// The value of the slot itself is the origin, if it is an address.
const ITSELF: u32 = 1;

/// The origins of the values in slots.
#[derive(Default, Debug)]
pub struct Origins {
    slots: Vec<u32>,
    /// The slot that holds the base of the present frame.
    base: Option<usize>,
    /// The slots of the constants of the present function.
    constants: Range<usize>,
}

impl Origins {
    fn get(&self, slot: usize) -> u32 {
        self.slots.get(slot).copied().unwrap_or(NONE)
    }

    fn set(&mut self, slot: usize, origin: u32) {
        if slot >= self.slots.len() {
            if origin == NONE {
                return;
            }
            self.slots.resize(slot + 1, NONE);
        }
        self.slots[slot] = origin;
    }

    /// A slot gets a value of another kind.
    pub fn clear(&mut self, slot: usize) {
        self.set(slot, NONE);
    }

    /// A slot gets the value of another.
    pub fn copy(&mut self, result: usize, source: usize) {
        let is_start = self.base == Some(source) || self.constants.contains(&source);
        self.set(result, if is_start { ITSELF } else { self.get(source) });
    }

    /// A slot gets the result of an instruction with two operands.
    pub fn compute(
        &mut self,
        op: BinaryOp,
        result: usize,
        (left, right): (usize, usize),
        values: (u64, u64),
    ) {
        let of_sum = |origin: u32, value: u64| if origin == ITSELF { value as u32 } else { origin };
        let origin = match op {
            BinaryOp::I32Add => match (self.get(left), self.get(right)) {
                _ if self.base == Some(left) || self.base == Some(right) => {
                    self.start((left, values.0), (right, values.1))
                }
                (NONE, NONE) => self.start((left, values.0), (right, values.1)),
                (origin, NONE) => of_sum(origin, values.0),
                (NONE, origin) => of_sum(origin, values.1),
                _ => NONE,
            },
            BinaryOp::I32Sub if self.get(right) == NONE => of_sum(self.get(left), values.0),
            _ => NONE,
        };
        self.set(result, if origin < LEAST_ADDRESS { NONE } else { origin });
    }

    /// The origin of a sum of which one part may be the base of the frame or a constant address.
    fn start(&self, left: (usize, u64), right: (usize, u64)) -> u32 {
        let is_constant = |slot: usize| self.constants.contains(&slot);
        for ((slot, value), (other, addend)) in [(left, right), (right, left)] {
            if self.base == Some(slot) {
                // Without optimisation, constants are copied into locals first.
                let is_known = is_constant(other) || self.get(other) == ITSELF;
                let constant = if is_known { addend as u32 } else { 0 };
                return (value as u32).wrapping_add(constant);
            }
        }
        match (is_constant(left.0), is_constant(right.0)) {
            (true, false) => left.1 as u32,
            (false, true) => right.1 as u32,
            _ => NONE,
        }
    }

    /// A function is entered, whose slots besides its arguments are these.
    pub fn enter(&mut self, program: &Program, function: u32, others: Range<usize>) {
        let known = others.start.min(self.slots.len())..others.end.min(self.slots.len());
        self.slots[known].fill(NONE);
        let parameters = program.module.functions[function as usize].parameters as usize;
        self.go_on_in(program, Some((function, others.start - parameters)));
    }

    /// A function goes on, whose frame begins at a slot.
    pub fn go_on_in(&mut self, program: &Program, frame: Option<(u32, usize)>) {
        let Some((function, first)) = frame else { return };
        self.base = match program.frame_layout(function).map(|layout| layout.base) {
            Some(FrameBase::Local(local)) => Some(first + local as usize),
            _ => None,
        };
        let constants = program.module.functions[function as usize].slots_of_constants();
        self.constants = first + constants.start..first + constants.end;
    }
}

impl Concolic<'_> {
    /// Notes whether an access at a concrete address is beyond the object that it means.
    pub(super) fn check_origin(&mut self, access: &Access<'_>, bytes: u8, is_load: bool) {
        if self.world.heap.as_ref().is_some_and(|heap| heap.is_in_allocator()) {
            return;
        }
        let origin = match self.origins.get(access.address) {
            NONE => None,
            ITSELF => Some(access.effective as u32),
            origin => Some(origin.wrapping_add(access.offset)),
        };
        // Compilers put the address of static memory into the offset.
        let meant = origin
            .and_then(|origin| Some((origin, self.object_at(origin, access)?)))
            .or_else(|| Some((access.offset, self.program.data_object(access.offset)?)));
        let Some((base, (start, size))) = meant else { return };
        // String functions read the whole word in which a string ends.
        let is_word = is_load && bytes == 4 && access.effective.is_multiple_of(4);
        let end = access.effective + if is_word { 1 } else { u64::from(bytes) };
        if u64::from(start) <= access.effective && end <= u64::from(start) + u64::from(size) {
            self.homes.visit(access.place, (start, size));
            return;
        }
        let is_apart = self.program.data_object(start).is_some()
            || self.frames.are_apart(self.program, start, access.effective as u32, access.slots);
        if !is_apart || !self.homes.has_visited(access.place, (start, size)) {
            return;
        }
        let present = self.object_at(access.effective as u32, access).filter(|&it| it != (start, size));
        if is_base_of(base, (start, size), present) {
            self.overflow = Some((access.place, (start, size)));
        }
    }
}
