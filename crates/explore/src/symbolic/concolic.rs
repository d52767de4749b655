//! The domain of symbolic runs: each instruction on terms, each branch with its condition.

use std::ops::Range;

use sundry_term::{Control, Op, TermId};
use sundry_wasm::{Access, BinaryOp, Domain, LoadOp, Memory, Stop, UnaryOp};

use super::{Decision, DecisionKind, Shadow};
use crate::heap::MemoryError;
use crate::host::World;
use crate::objects::{Frames, Homes};
use crate::program::Program;
use crate::trace::Trace;

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
    /// Objects that places have accessed.
    pub homes: &'a mut Homes,
    /// The place and the object of an access beyond it.
    pub overflow: Option<(u32, (u32, u32))>,
    /// The control that ends long runs.
    pub control: &'a Control,
}

/// The width of the operands of an integer division, if it is one, and whether it has signs.
fn division(op: BinaryOp) -> Option<(u32, bool)> {
    use BinaryOp::*;
    match op {
        I32DivS | I32RemS => Some((32, true)),
        I32DivU | I32RemU => Some((32, false)),
        I64DivS | I64RemS => Some((64, true)),
        I64DivU | I64RemU => Some((64, false)),
        _ => None,
    }
}

impl Shadow<'_> {
    /// Decides whether a division traps. Whether it does not.
    fn check_division(
        &mut self,
        place: u32,
        op: BinaryOp,
        operands: (TermId, TermId),
        values: (u64, u64),
    ) -> bool {
        let Some((width, is_signed)) = division(op) else { return true };
        let mask = u64::MAX >> (64 - width);
        let divisor = self.terms.word(operands.1, width);
        let is_zero = self.terms.equals(divisor, 0);
        self.decide(place, DecisionKind::Trap, is_zero, values.1 & mask == 0);
        if values.1 & mask == 0 {
            return false;
        }
        if is_signed && matches!(op, BinaryOp::I32DivS | BinaryOp::I64DivS) {
            let least = 1 << (width - 1);
            let dividend = self.terms.word(operands.0, width);
            let is_least = self.terms.equals(dividend, least);
            let is_minus_one = self.terms.equals(divisor, mask);
            let overflows = self.terms.apply(Op::And, &[is_least, is_minus_one]);
            let does = values.0 & mask == least && values.1 & mask == mask;
            self.decide(place, DecisionKind::Trap, overflows, does);
            return !does;
        }
        true
    }

    /// Adds a decision with several outcomes: the one of the run, and others by outcome. An outcome is none if its condition is false.
    fn choose(&mut self, place: u32, kind: DecisionKind, outcome: u64, conditions: Vec<(u64, TermId)>) {
        let possible = |terms: &super::Terms, term| terms.value(term) != Some(0);
        let Some(&(_, condition)) = conditions.iter().find(|(other, _)| *other == outcome) else { return };
        self.limit_decisions();
        if self.is_over || self.is_decided(condition) {
            return;
        }
        let alternatives =
            conditions.into_iter().filter(|&(other, term)| other != outcome && possible(self.terms, term));
        let alternatives = alternatives.collect();
        self.path.decisions.push(Decision { place, kind, outcome, condition, alternatives });
        self.learn(condition, true);
    }

    /// The condition that a word is one of these numbers.
    fn is_one_of(&mut self, term: TermId, numbers: &[u64]) -> TermId {
        let equalities: Vec<TermId> = numbers.iter().map(|&number| self.terms.equals(term, number)).collect();
        self.any(&equalities)
    }

    /// The disjunction of conditions.
    fn any(&mut self, conditions: &[TermId]) -> TermId {
        match *conditions {
            [single] => single,
            [] => self.terms.store.bool(false),
            _ => self.terms.apply(Op::Or, conditions),
        }
    }
}

impl Concolic<'_> {
    /// The object that an access at an address which depends on the input is in, if it is known: its start and size. Notes whether the access is
    /// beyond the object that it means.
    fn object(&mut self, access: &Access<'_>, address: TermId, bytes: u8) -> Option<(u32, u32)> {
        let constant = self.shadow.terms.constant_part(address).wrapping_add(access.offset);
        let concrete = access.effective as u32;
        let end = access.effective + u64::from(bytes);
        let contains = |(start, size): (u32, u32)| {
            u64::from(start) <= access.effective && end <= u64::from(start) + u64::from(size)
        };
        let present = self.object_at(concrete, access.slots).filter(|&object| contains(object));
        // Compilers put the address of static memory into the offset.
        let meant =
            self.program.data_object(access.offset).or_else(|| self.object_at(constant, access.slots));
        let meant = meant.filter(|&object| self.homes.knows(access.place, object));
        let missed = match (meant, present) {
            (Some(meant), _) if !contains(meant) => Some(meant),
            (None, None) if self.is_outside_of_heap(concrete) => self.homes.near(access.place, constant),
            _ => None,
        };
        self.overflow = missed.map(|object| (access.place, object));
        if let Some(object) = present {
            self.homes.note(access.place, object);
        }
        present.or_else(|| self.world.heap.as_ref()?.block(concrete))
    }

    /// Ends the run if it got beyond an object.
    fn check_object(&mut self) -> Result<(), Stop> {
        match self.overflow {
            Some(_) => self.world.heap(|_| Err(MemoryError::ObjectOverflow)),
            None => Ok(()),
        }
    }

    /// The object in static memory or in a frame that contains an address.
    fn object_at(&self, address: u32, slots: &[u64]) -> Option<(u32, u32)> {
        self.program.data_object(address).or_else(|| self.frames.find(self.program, address, slots))
    }

    fn is_outside_of_heap(&self, address: u32) -> bool {
        self.world.heap.as_ref().is_none_or(|heap| heap.block(address).is_none())
    }
}

/// Groups numbers by what they lead to, in the order of the first.
fn group(targets: impl Iterator<Item = (u64, u32)>) -> Vec<(u32, Vec<u64>)> {
    let mut groups: Vec<(u32, Vec<u64>)> = Vec::new();
    let mut positions = rustc_hash::FxHashMap::default();
    for (number, target) in targets {
        let position = *positions.entry(target).or_insert(groups.len());
        if position == groups.len() {
            groups.push((target, Vec::new()));
        }
        groups[position].1.push(number);
    }
    groups
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
        let term = self.shadow.slot(source);
        self.shadow.set_slot(result, term);
    }

    fn forget(&mut self, result: usize) {
        self.shadow.set_slot(result, None);
    }

    fn load(&mut self, access: Access<'_>, op: LoadOp, result: usize, memory: &Memory) -> Result<(), Stop> {
        let term = match self.shadow.slot(access.address) {
            Some(address) => {
                let object = self.object(&access, address, op.bytes);
                self.shadow.load_at(&access, address, op, object, memory)?
            }
            None => self.shadow.load(access.effective as u32, op, memory),
        };
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
        match shadow.slot(access.address) {
            Some(address) => {
                let object = self.object(&access, address, bytes);
                self.shadow.store_at(&access, address, (bytes, term, word), object, memory)?;
            }
            None => shadow.store(access.effective as u32, bytes, term, word),
        }
        self.check_object()?;
        self.world.heap(|heap| heap.check_store(access.effective, bytes))
    }

    fn global_get(&mut self, result: usize, global: u32) {
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
        let outcome = targets.get(value as usize).copied().unwrap_or(default);
        self.trace.target(place, outcome);
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
        let outcome = target(functions.get(value as usize).copied().flatten());
        self.trace.target(place, outcome & (u32::MAX >> 1));
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
        memory: &Memory,
    ) -> Result<(), Stop> {
        self.trace.enter(self.program.module.functions[function as usize].first);
        self.frames.enter(function, frame.start);
        self.world.heap(|heap| heap.enter(self.program, (function, place), arguments, memory))?;
        let shadow = &mut self.shadow;
        if shadow.slots.len() < frame.end {
            shadow.slots.resize(frame.end, None);
        }
        shadow.slots[frame.start + arguments.len()..frame.end].fill(None);
        Ok(())
    }

    fn leave(&mut self, call: u32, result: u64) {
        self.trace.leave(call);
        self.frames.leave();
        if let Some(heap) = &mut self.world.heap {
            heap.leave(result as u32);
        }
    }

    fn fix(&mut self, place: u32, slot: usize, value: u64) -> Result<(), Stop> {
        match self.shadow.slot(slot) {
            Some(term) => self.shadow.fix(place, term, value),
            None => Ok(()),
        }
    }

    fn fill(&mut self, place: u32, slots: [usize; 3], values: [u32; 3], memory: &Memory) -> Result<(), Stop> {
        self.fix(place, slots[0], u64::from(values[0]))?;
        self.fix(place, slots[2], u64::from(values[2]))?;
        if memory.get(u64::from(values[0]), values[2] as usize).is_none() {
            return Ok(());
        }
        self.world.heap(|heap| heap.check_range(values[0], values[2]))?;
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
            self.world
                .heap(|heap| heap.check_range(to, length).and_then(|()| heap.check_range(from, length)))?;
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
        values: &mut [u64],
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let Some(function) = self.program.host[import as usize] else {
            self.world.ending = Some(crate::host::Ending::MissingImport(import));
            return Err(Stop::Domain);
        };
        self.world.call(function, (place, base), values, memory, &mut self.shadow)
    }
}
