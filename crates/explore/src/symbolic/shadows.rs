//! The host's part in a symbolic run.

use std::ops::Range;

use sundry_term::{Op, TermId};
use sundry_wasm::{Memory, Stop};

use super::lengths::Guarded;
use super::memory::ShadowMemory;
use super::{Decision, DecisionKind, Shadow};
use crate::host::{Read, Shadows};
use crate::input::{Input, SourceKind, Variables};

impl Shadow<'_> {
    /// The number of bytes that a read gets, as a term, with the position behind them; `None` if both are concrete.
    fn count_of_read(&mut self, read: &Read) -> Result<(Option<TermId>, Option<TermId>), Stop> {
        let source = &self.variables.sources()[read.source];
        let (capacity, Some(length)) = (source.capacity, source.length) else { return Ok((None, None)) };
        let length = self.variables.variable(length).term;
        if let Some(position) = self.positions.get(&read.descriptor).copied() {
            if position == length {
                // All has been read.
                return Ok((None, Some(length)));
            }
            self.fix(read.place, position, u64::from(read.position))?;
        }
        let position = self.terms.number(32, u64::from(read.position));
        if read.requested < capacity.saturating_sub(read.position) {
            let end = self.terms.number(32, u64::from(read.position + read.requested));
            let is_short = self.terms.apply(Op::BvUlt, &[length, end]);
            self.decide(read.place, DecisionKind::Length, is_short, read.count < read.requested);
            if read.count == read.requested {
                return Ok((None, None));
            }
        }
        let is_before = self.terms.apply(Op::BvUlt, &[length, position]);
        let holds = self.lengths.interval(length).0 < u64::from(read.position)
            && read.count == 0
            && read.position > 0;
        if holds {
            // The position may be behind the end.
            let value = self.terms.apply(Op::BvUle, &[length, position]);
            self.decide(read.place, DecisionKind::Length, value, true);
            return Ok((None, None));
        }
        self.decide(read.place, DecisionKind::Length, is_before, false);
        let count = self.terms.apply(Op::BvSub, &[length, position]);
        Ok((Some(count), Some(length)))
    }

    /// Writes the byte of a source at an address.
    fn read_byte(&mut self, source: usize, index: u32, address: u32, memory: &Memory) {
        let source = &self.variables.sources()[source];
        let read = self.variables.variable(source.first + index).term;
        let Some(length) = source.length.map(|length| self.variables.variable(length).term) else {
            self.memory.store(address, 1, Some(read));
            return;
        };
        let (least, greatest) = self.lengths.interval(length);
        if u64::from(index) < least {
            self.memory.store(address, 1, Some(read));
        } else if u64::from(index) < greatest {
            let before = self.memory.byte(address, self.terms);
            let byte = memory.get(u64::from(address), 1).map_or(0, |bytes| bytes[0]);
            let otherwise = before.unwrap_or_else(|| self.terms.number(8, u64::from(byte)));
            let position = self.terms.number(32, u64::from(index));
            let is_read = self.terms.apply(Op::BvUlt, &[position, length]);
            let term = self.terms.apply(Op::Ite, &[is_read, read, otherwise]);
            self.memory.store(address, 1, Some(term));
            self.lengths.guard(length, Guarded { address, term, read, before, index });
        }
    }
}

/// Stores the terms of a part of a source from an address on.
fn store_source(
    memory: &mut ShadowMemory,
    variables: &Variables,
    (source, part): (usize, Range<u32>),
    address: u32,
) {
    let first = variables.sources()[source].first;
    for (index, byte) in (0..).zip(part) {
        let byte = variables.variable(first + byte).term;
        memory.store(address.wrapping_add(index), 1, Some(byte));
    }
}

impl Shadows for Shadow<'_> {
    fn variables(&self) -> &Variables {
        self.variables
    }

    fn declare(&mut self, kind: SourceKind, capacity: u32) -> Option<usize> {
        Some(self.variables.source(&mut self.terms.store, kind, capacity, &[]))
    }

    fn fix_slot(&mut self, place: u32, slot: usize, value: u64) -> Result<(), Stop> {
        match self.slot(slot) {
            Some(term) => self.fix(place, term, value),
            None => Ok(()),
        }
    }

    fn fix_bytes(&mut self, place: u32, address: u32, length: u32, memory: &Memory) -> Result<(), Stop> {
        self.settle(address, length);
        if !self.memory.has_any(address, length) {
            return Ok(());
        }
        for start in (0..length).step_by(8) {
            let (at, count) = (address.wrapping_add(start), (length - start).min(8));
            if let Some(term) = self.memory.bytes(at, count, memory, self.terms) {
                let bytes = memory.get(u64::from(at), count as usize).unwrap_or_default();
                let value = bytes.iter().rev().fold(0, |value, &byte| (value << 8) | u64::from(byte));
                self.fix(place, term, value)?;
            }
        }
        Ok(())
    }

    fn forget(&mut self, address: u32, length: u32) {
        self.settle(address, length);
        self.memory.forget(address, length);
    }

    fn forget_slot(&mut self, slot: usize) {
        self.set_slot(slot, None);
    }

    fn read(
        &mut self,
        read: Read,
        ranges: &[(u32, u32)],
        count_at: u32,
        memory: &Memory,
    ) -> Result<(), Stop> {
        if self.is_over {
            return Ok(());
        }
        let capacity = self.variables.sources()[read.source].capacity;
        let (count, position) = self.count_of_read(&read)?;
        match position {
            Some(position) => self.positions.insert(read.descriptor, position),
            None => self.positions.remove(&read.descriptor),
        };
        let is_over = position.is_some() && count.is_none();
        let mut index = read.position;
        self.settle(count_at, 4);
        for &(address, length) in ranges {
            self.settle(address, length);
            for offset in 0..length.min(capacity.saturating_sub(index)) {
                if !is_over {
                    self.read_byte(read.source, index + offset, address + offset, memory);
                }
            }
            index = index.saturating_add(length);
        }
        self.memory.store(count_at, 4, count.filter(|&count| self.terms.value(count).is_none()));
        Ok(())
    }

    fn is_at_end(&self, descriptor: usize, source: usize, _position: u32, _input: &Input) -> bool {
        let length =
            self.variables.sources()[source].length.map(|length| self.variables.variable(length).term);
        length.is_some() && self.positions.get(&descriptor).copied() == length
    }

    fn fixed_length(&mut self, place: u32, source: usize, input: &Input) -> Result<u32, Stop> {
        let value = self.variables.length(input, source);
        if let Some(length) = self.variables.sources()[source].length {
            let length = self.variables.variable(length).term;
            self.fix(place, length, u64::from(value))?;
        }
        Ok(value)
    }

    fn seek(&mut self, descriptor: usize, _position: u32) {
        self.positions.remove(&descriptor);
    }

    fn place_source(&mut self, source: usize, part: Range<u32>, address: u32) {
        if self.is_over {
            return;
        }
        self.settle(address, part.len() as u32);
        store_source(&mut self.memory, self.variables, (source, part), address);
    }

    fn save(&mut self, (file, position): (usize, u32), (address, length): (u32, u32)) {
        self.settle(address, length);
        self.files.entry(file).or_default().copy_from(&self.memory, (address, position), length);
    }

    fn save_source(&mut self, source: usize, length: u32, file: usize) {
        if self.is_over {
            return;
        }
        store_source(self.files.entry(file).or_default(), self.variables, (source, 0..length), 0);
    }

    fn restore(&mut self, (file, position): (usize, u32), (address, length): (u32, u32)) {
        self.settle(address, length);
        match self.files.get(&file) {
            Some(saved) => self.memory.copy_from(saved, (position, address), length),
            None => self.memory.forget(address, length),
        }
    }

    fn forget_saved(&mut self, file: usize, position: u32, length: u32) {
        if let Some(saved) = self.files.get_mut(&file) {
            saved.forget(position, length);
        }
    }

    fn assume(&mut self, place: u32, slot: usize, value: u32) -> Result<(), Stop> {
        let Some(term) = self.slot(slot) else { return Ok(()) };
        let condition = self.terms.is_nonzero(term);
        if value == 0 {
            self.decide(place, DecisionKind::Assumption, condition, false);
        } else if !self.is_decided(condition) {
            // Inputs for which the assumption does not hold are of no interest.
            let kind = DecisionKind::Assumption;
            self.path.decisions.push(Decision {
                place,
                kind,
                outcome: 1,
                condition,
                alternatives: Vec::new(),
            });
            self.learn(condition, true);
        }
        Ok(())
    }

    fn is_symbolic(&self, address: u32, length: u32) -> bool {
        self.memory.has_any(address, length)
    }
}
