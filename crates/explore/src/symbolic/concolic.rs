//! The domain of symbolic runs: each instruction on terms, each branch with its condition.

mod decisions;
mod objects;
pub mod origins;

use std::ops::Range;

use sundry_term::{Control, Op, TermId};
use sundry_wasm::{Access, BinaryOp, Domain, LoadOp, Memory, Stop, UnaryOp};

use super::{DecisionKind, Shadow};
use crate::host::World;
use crate::objects::{Frames, Homes};
use crate::program::Program;
use crate::trace::Trace;
use decisions::group;
use origins::Origins;

/// A run with terms beside its values.
pub struct Concolic<'a> {
    /// The program.
    pub program: &'a Program,
    /// The world of the program.
    pub world: World<'a>,
    /// The way of the run.
    pub trace: &'a mut Trace,
    /// The terms.
    pub shadow: Shadow<'a>,
    /// Frames of the functions that are open.
    pub frames: Frames,
    /// The addresses from which others were computed.
    pub origins: Origins,
    /// Objects that places have accessed.
    pub homes: &'a mut Homes,
    /// The place and the object of an access beyond it.
    pub overflow: Option<(u32, (u32, u32))>,
    /// The control that ends long runs.
    pub control: &'a Control,
}

impl Domain for Concolic<'_> {
    fn unary(
        &mut self,
        place: u32,
        op: UnaryOp,
        result: usize,
        operand: usize,
        value: u64,
    ) -> Result<(), Stop> {
        self.origins.clear(result);
        let shadow = &mut self.shadow;
        let Some(term) = shadow.slot(operand) else {
            shadow.set_slot(result, None);
            return Ok(());
        };
        if let Some((is_nan, is_outside)) = shadow.terms.conversion_traps(op, term) {
            let trap = op.apply(value).err();
            let of_nan = trap == Some(sundry_wasm::Trap::InvalidConversion);
            shadow.decide(place, DecisionKind::Trap, is_nan, of_nan);
            if !of_nan {
                shadow.decide(place, DecisionKind::Trap, is_outside, trap.is_some());
            }
        }
        let term = shadow.terms.unary(op, term);
        shadow.set_computed(result, term);
        Ok(())
    }

    fn binary(
        &mut self,
        place: u32,
        op: BinaryOp,
        result: usize,
        (left, right): (usize, usize),
        values: (u64, u64),
    ) -> Result<(), Stop> {
        self.origins.compute(op, result, (left, right), values);
        let shadow = &mut self.shadow;
        let (left, right) = (shadow.slot(left), shadow.slot(right));
        if left.is_none() && right.is_none() {
            shadow.set_slot(result, None);
            return Ok(());
        }
        let width = shadow.terms.operand_width(op);
        let left = left.unwrap_or_else(|| shadow.terms.number(width, values.0));
        let right = right.unwrap_or_else(|| shadow.terms.number(width, values.1));
        if !shadow.check_division(place, op, (left, right), values) {
            return Ok(());
        }
        let term = shadow.terms.binary(op, left, right);
        shadow.set_computed(result, term);
        Ok(())
    }

    fn copy(&mut self, result: usize, source: usize) {
        self.origins.copy(result, source);
        let term = self.shadow.slot(source);
        self.shadow.set_slot(result, term);
    }

    fn forget(&mut self, result: usize) {
        self.origins.clear(result);
        self.shadow.set_slot(result, None);
    }

    fn load(&mut self, access: Access<'_>, op: LoadOp, result: usize, memory: &Memory) -> Result<(), Stop> {
        let term = match self.address(&access)? {
            Some(address) => {
                let target = self.target(&access, address, op.bytes);
                self.shadow.load_at(&access, address, op, &target, memory)?
            }
            None => {
                self.check_origin(&access, op.bytes, true);
                self.shadow.load(access.effective as u32, op, memory)
            }
        };
        self.origins.clear(result);
        // Only now, since other addresses than a wrong one are open branches too.
        self.check_object()?;
        self.world.heap(|heap| heap.check_load(access.effective, op.bytes))?;
        let shadow = &mut self.shadow;
        match term {
            Some(term) => shadow.set_computed(result, term),
            None => shadow.set_slot(result, None),
        }
        Ok(())
    }

    fn store(
        &mut self,
        access: Access<'_>,
        bytes: u8,
        (value, word): (usize, u64),
        memory: &Memory,
    ) -> Result<(), Stop> {
        let shadow = &mut self.shadow;
        let width = if bytes == 8 { 64 } else { 32 };
        let term = shadow.slot(value).map(|term| match shadow.terms.store.is_bool(term) {
            true => shadow.terms.word(term, width),
            false => term,
        });
        match self.address(&access)? {
            Some(address) => {
                let target = self.target(&access, address, bytes);
                self.shadow.store_at(&access, address, (bytes, term, word), &target, memory)?;
            }
            None => {
                self.check_origin(&access, bytes, false);
                self.shadow.store(access.effective as u32, bytes, term, word);
            }
        }
        self.check_object()?;
        self.world.heap(|heap| heap.check_store(access.effective, bytes))
    }

    fn global_get(&mut self, result: usize, global: u32) {
        self.origins.clear(result);
        let term = self.shadow.globals.get(&global).copied();
        self.shadow.set_slot(result, term);
    }

    fn global_set(&mut self, place: u32, global: u32, (source, value): (usize, u64)) -> Result<(), Stop> {
        if self.program.is_stack_pointer(global) {
            // Frames of the size that the input says would make every address of the stack depend on it.
            self.fix(place, source, value)?;
            self.frames.move_stack(value as u32);
            self.world.heap(|heap| heap.move_stack(self.program, value as u32))?;
        }
        match self.shadow.slot(source) {
            Some(term) if !self.program.is_stack_pointer(global) => self.shadow.globals.insert(global, term),
            _ => self.shadow.globals.remove(&global),
        };
        Ok(())
    }

    fn look(&mut self) -> Result<(), Stop> {
        self.world.look(self.control)
    }

    fn select(
        &mut self,
        place: u32,
        result: usize,
        (condition, is_nonzero): (usize, bool),
        (then, otherwise): (usize, usize),
    ) -> Result<(), Stop> {
        self.trace.branch(place, is_nonzero);
        self.origins.copy(result, if is_nonzero { then } else { otherwise });
        let shadow = &mut self.shadow;
        if let Some(term) = shadow.slot(condition) {
            let condition = shadow.terms.is_nonzero(term);
            shadow.decide(place, DecisionKind::Branch, condition, is_nonzero);
        }
        let term = shadow.slot(if is_nonzero { then } else { otherwise });
        shadow.set_slot(result, term);
        Ok(())
    }

    fn branch(&mut self, place: u32, condition: usize, is_nonzero: bool) -> Result<(), Stop> {
        self.trace.branch(place, is_nonzero);
        if let Some(term) = self.shadow.slot(condition) {
            let condition = self.shadow.terms.is_nonzero(term);
            self.shadow.decide(place, DecisionKind::Branch, condition, is_nonzero);
        }
        Ok(())
    }

    fn table(&mut self, place: u32, (index, value): (usize, u32), targets: &[u32]) -> Result<(), Stop> {
        let (&default, others) = targets.split_last().expect("a table has a default");
        let outcome = self.trace.table(place, value, targets);
        let shadow = &mut self.shadow;
        let Some(term) = shadow.slot(index) else { return Ok(()) };
        let term = shadow.terms.word(term, 32);
        let mut conditions = Vec::new();
        for (target, numbers) in group((0..).zip(others.iter().copied())) {
            conditions.push((u64::from(target), shadow.is_one_of(term, &numbers)));
        }
        let count = shadow.terms.number(32, others.len() as u64);
        let is_above = shadow.terms.apply(Op::BvUge, &[term, count]);
        match conditions.iter().position(|&(target, _)| target == u64::from(default)) {
            Some(known) => conditions[known].1 = shadow.terms.apply(Op::Or, &[conditions[known].1, is_above]),
            None => conditions.push((u64::from(default), is_above)),
        }
        shadow.choose(place, DecisionKind::Table, u64::from(outcome), conditions);
        Ok(())
    }

    fn indirect(
        &mut self,
        place: u32,
        (index, value): (usize, u32),
        functions: &[Option<u32>],
    ) -> Result<(), Stop> {
        // Elements without a function, and indices outside of the table, are one outcome.
        const NONE: u32 = u32::MAX;
        let target = |function: Option<u32>| function.unwrap_or(NONE);
        let outcome = target(self.trace.indirect(place, value, functions));
        let shadow = &mut self.shadow;
        let Some(term) = shadow.slot(index) else { return Ok(()) };
        let term = shadow.terms.word(term, 32);
        let mut conditions = Vec::new();
        let elements = (0..).zip(functions.iter().map(|&function| target(function)));
        for (target, numbers) in group(elements.filter(|element| element.1 != NONE)) {
            conditions.push((u64::from(target), shadow.is_one_of(term, &numbers)));
        }
        let any: Vec<TermId> = conditions.iter().map(|condition| condition.1).collect();
        let any = shadow.any(&any);
        conditions.push((u64::from(NONE), shadow.terms.not(any)));
        shadow.choose(place, DecisionKind::Indirect, u64::from(outcome), conditions);
        Ok(())
    }

    fn enter(
        &mut self,
        place: u32,
        function: u32,
        frame: Range<usize>,
        arguments: &[u64],
    ) -> Result<(), Stop> {
        self.trace.enter(self.program.module.functions[function as usize].first);
        self.frames.enter(function, place, frame.start);
        self.origins.enter(self.program, function, frame.start + arguments.len()..frame.end);
        let deciding = self.world.heap.as_mut();
        let deciding = deciding.map_or(0, |heap| heap.deciding_arguments(self.program, function));
        for (slot, &value) in frame.clone().zip(arguments).take(deciding) {
            // The heap knows blocks by their places and sizes, so that other sizes are open branches.
            self.fix(place, slot, value)?;
        }
        self.world.heap(|heap| heap.enter(self.program, (function, place), arguments))?;
        self.shadow.enter_frame(frame, arguments.len());
        Ok(())
    }

    fn enter_library(&mut self, frame: Range<usize>, arguments: usize) {
        frame.clone().for_each(|slot| self.origins.clear(slot));
        self.shadow.enter_frame(frame, arguments);
    }

    fn leave(&mut self, call: u32, result: u64, memory: &Memory) {
        self.trace.leave(call);
        self.frames.leave();
        self.origins.go_on_in(self.program, self.frames.innermost());
        if let Some(heap) = &mut self.world.heap {
            heap.leave(result as u32, memory);
        }
    }

    fn fix(&mut self, place: u32, slot: usize, value: u64) -> Result<(), Stop> {
        if let Some(term) = self.shadow.slot(slot) {
            self.shadow.fix(place, term, value)?;
            self.shadow.set_slot(slot, None);
        }
        Ok(())
    }

    fn fill(&mut self, place: u32, slots: [usize; 3], values: [u32; 3], memory: &Memory) -> Result<(), Stop> {
        self.fix(place, slots[0], u64::from(values[0]))?;
        self.fix(place, slots[2], u64::from(values[2]))?;
        if memory.get(u64::from(values[0]), values[2] as usize).is_none() {
            return Ok(());
        }
        self.world.heap(|heap| heap.check_written_range(values[0], values[2]))?;
        let shadow = &mut self.shadow;
        shadow.settle(values[0], values[2]);
        match shadow.slot(slots[1]) {
            None => shadow.memory.forget(values[0], values[2]),
            Some(term) => {
                let word = shadow.terms.word(term, 32);
                let byte = shadow.terms.extract(word, 7, 0);
                for index in 0..values[2] {
                    shadow.memory.store(values[0] + index, 1, Some(byte));
                }
            }
        }
        Ok(())
    }

    fn move_bytes(
        &mut self,
        place: u32,
        slots: [usize; 3],
        values: [u32; 3],
        memory: &Memory,
    ) -> Result<(), Stop> {
        for (slot, value) in slots.into_iter().zip(values) {
            self.fix(place, slot, u64::from(value))?;
        }
        let [to, from, length] = values;
        let is_inside = |address| memory.get(u64::from(address), length as usize).is_some();
        if is_inside(to) && is_inside(from) {
            self.world.heap(|heap| {
                heap.check_written_range(to, length).and_then(|()| heap.check_range(from, length))
            })?;
            self.shadow.settle(from, length);
            self.shadow.settle(to, length);
            self.shadow.memory.move_bytes(to, from, length);
        }
        Ok(())
    }

    fn forget_bytes(&mut self, address: u32, length: u32) {
        self.shadow.settle(address, length);
        self.shadow.memory.forget(address, length);
    }

    fn call_import(
        &mut self,
        place: u32,
        import: u32,
        base: usize,
        slots: &mut [u64],
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        self.origins.clear(base);
        let values = &mut slots[base..];
        self.world.call_import(self.program, (place, import, base), values, memory, &mut self.shadow)?;
        self.check_delivered(place, slots)
    }
}
