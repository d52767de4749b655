//! Accesses at addresses that depend on the input.
//!
//! Such an access goes into a *region*: the block of the heap or the object that its concrete address is in, or if that is unknown or large, a window of memory
//! around the address. That it goes there is a decision, so that other regions are open branches and nothing is fixed. Within the region, the memory is an array of the
//! theory of arrays: reads select, writes store. A region that was written at such an address stays an array until something else is done with its bytes.
//!
//! All addresses at which an access is the same error are one outcome: those outside of the memory, those outside of the object that the access means, and those
//! between two blocks of the heap.

use std::collections::BTreeMap;
use std::ops::Range;

use sundry_term::{Op, SortId, TermId};
use sundry_wasm::{Access, LoadOp, Memory, Stop};

use super::memory::extend;
use super::{DecisionKind, Shadow};

/// The greatest size of an object that is one region, in bytes.
const LARGEST_REGION: u32 = 1024;

/// The size of windows where objects are unknown or larger.
const WINDOW: u32 = 256;

/// The memory of a region as an array of bytes.
#[derive(Copy, Clone)]
struct RegionArray {
    size: u32,
    /// The width of its indices.
    bits: u32,
    term: TermId,
}

/// Regions that are arrays, by their start.
#[derive(Default)]
pub(super) struct Arrays {
    /// Regions that were written at an address that depends on the input.
    written: BTreeMap<u32, RegionArray>,
    /// Regions that were read only, whose bytes are in the shadow memory too.
    read: BTreeMap<u32, RegionArray>,
}

/// The starts of the regions that overlap with a range.
fn overlapping(regions: &BTreeMap<u32, RegionArray>, address: u32, length: u32) -> Vec<u32> {
    if regions.is_empty() || length == 0 {
        return Vec::new();
    }
    let first = address.saturating_sub(LARGEST_REGION);
    let last = address.saturating_add(length - 1);
    let regions = regions.range(first..=last).filter(|&(&start, region)| start + region.size > address);
    regions.map(|(&start, _)| start).collect()
}

/// The place to which an access goes.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// Into an object or a block of the heap, given by its start and size.
    Object(u32, u32),
    /// Into memory of which nothing is known.
    Unknown,
    /// Not into the object that it means, given by its start and size, which is an error at all other addresses.
    Beyond(u32, u32),
    /// To one of these addresses, at all of which it is the same error.
    Wrong(Range<u64>),
}

/// The region of an access: the object, or a part of it, or a window. An access that reaches from one window into the next has a region of its own.
fn region(target: &Target, address: u32, bytes: u32) -> Range<u64> {
    let (first, end) = match *target {
        Target::Object(start, size) if size <= LARGEST_REGION => {
            return u64::from(start)..u64::from(start) + u64::from(size);
        }
        Target::Object(start, size) => (u64::from(start), u64::from(start) + u64::from(size)),
        _ => (0, u64::MAX),
    };
    let (address, bytes, window) = (u64::from(address), u64::from(bytes), u64::from(WINDOW));
    let start = first + (address - first) / window * window;
    let middle = start + window;
    if address + bytes <= middle || middle >= end {
        start..middle.min(end)
    } else {
        middle + 1 - bytes..(middle + bytes - 1).min(end)
    }
}

/// The outcome of the decision that an access goes into a region.
fn outcome(region: &Range<u64>) -> u64 {
    region.start << 32 | (region.end - region.start) & u64::from(u32::MAX)
}

impl Shadow<'_> {
    /// Decides that an access goes into the region of its concrete address. Returns the start of the region, its size, and the
    /// index in it. `None` if the access leaves the region, so that its address was fixed instead, or if it is an error.
    fn enter_region(
        &mut self,
        access: &Access<'_>,
        (address, bytes): (TermId, u32),
        target: &Target,
        memory: &Memory,
    ) -> Result<Option<(u32, u32, TermId)>, Stop> {
        let concrete = access.effective;
        let address = self.terms.word(address, 32);
        match *target {
            Target::Beyond(start, size) => {
                let object = u64::from(start)..u64::from(start) + u64::from(size);
                self.leave(access, (address, bytes), &object);
                return Ok(None);
            }
            Target::Wrong(ref addresses) => {
                let (inside, _) = self.lies_within(access.offset, (address, 1), addresses);
                self.decide_among(access.place, DecisionKind::Bounds, outcome(addresses), inside);
                return Ok(None);
            }
            _ if memory.get(concrete, bytes as usize).is_none() => {
                self.leave(access, (address, bytes), &(0..memory.bytes().len() as u64));
                return Ok(None);
            }
            Target::Object(..) | Target::Unknown => {}
        }
        let mut region = region(target, concrete as u32, bytes);
        // No address leads to what is below the offset.
        region.start = region.start.max(u64::from(access.offset));
        let size = (region.end - region.start) as u32;
        if concrete + u64::from(bytes) > region.end || memory.get(region.start, size as usize).is_none() {
            return self.fix(access.place, address, concrete - u64::from(access.offset)).map(|()| None);
        }
        let (inside, index) = self.lies_within(access.offset, (address, bytes), &region);
        self.decide_among(access.place, DecisionKind::Bounds, outcome(&region), inside);
        Ok(Some((region.start as u32, size, index)))
    }

    /// Decides that an access is not within a range.
    fn leave(&mut self, access: &Access<'_>, address: (TermId, u32), range: &Range<u64>) {
        let (inside, _) = self.lies_within(access.offset, address, range);
        let outside = self.terms.not(inside);
        self.decide_among(access.place, DecisionKind::Bounds, !outcome(range), outside);
    }

    /// The condition under which all bytes of an access at an address, to which an offset is added, lie within a range; and the index of the first byte, counted from
    /// the first byte of the range that an access with this offset can reach.
    fn lies_within(
        &mut self,
        offset: u32,
        (address, bytes): (TermId, u32),
        range: &Range<u64>,
    ) -> (TermId, TermId) {
        let start = range.start.max(u64::from(offset));
        let base = self.terms.number(32, start - u64::from(offset));
        let index = self.terms.apply(Op::BvSub, &[address, base]);
        let inside = match range.end.checked_sub(start + u64::from(bytes)) {
            Some(last) => {
                let last = self.terms.number(32, last);
                self.terms.apply(Op::BvUle, &[index, last])
            }
            None => self.terms.store.bool(false),
        };
        (inside, index)
    }

    /// The array of a region.
    fn array(&mut self, start: u32, size: u32, memory: &Memory) -> RegionArray {
        for regions in [&self.arrays.written, &self.arrays.read] {
            if let Some(&known) = regions.get(&start).filter(|known| known.size == size) {
                return known;
            }
        }
        self.settle(start, size);
        let bits = (32 - (size - 1).leading_zeros()).max(1);
        let sorts = [bits, 8].map(|width| self.terms.store.bit_vec_sort(width).expect("these widths exist"));
        let sort: SortId = self.terms.store.array_sort(sorts[0], sorts[1]);
        let zero = self.terms.number(8, 0);
        let mut term = self.terms.store.make(Op::ConstArray(sort), &[zero]);
        let bytes = memory.get(u64::from(start), size as usize).unwrap_or_default();
        for (index, &byte) in bytes.iter().enumerate() {
            let shadow = self.memory.byte(start + index as u32, self.terms);
            if shadow.is_none() && byte == 0 {
                continue;
            }
            let value = shadow.unwrap_or_else(|| self.terms.number(8, u64::from(byte)));
            let index = self.terms.number(bits, index as u64);
            term = self.terms.store.make(Op::Store, &[term, index, value]);
        }
        let array = RegionArray { size, bits, term };
        self.arrays.read.insert(start, array);
        array
    }

    /// The index of a byte behind another, in the width of an array's indices.
    fn byte_index(&mut self, index: TermId, number: u32, bits: u32) -> TermId {
        let low = self.terms.word(index, bits);
        let number = self.terms.number(bits, u64::from(number));
        self.terms.apply(Op::BvAdd, &[low, number])
    }

    /// A load at an address that depends on the input. `None` if its result is concrete.
    pub(super) fn load_at(
        &mut self,
        access: &Access<'_>,
        address: TermId,
        op: LoadOp,
        target: &Target,
        memory: &Memory,
    ) -> Result<Option<TermId>, Stop> {
        let bytes = u32::from(op.bytes);
        let Some((start, size, index)) = self.enter_region(access, (address, bytes), target, memory)? else {
            return Ok(self.load(access.effective as u32, op, memory));
        };
        let array = self.array(start, size, memory);
        let word = self.select_word(array, index, op);
        Ok(Some(word))
    }

    /// The word at an index of an array.
    fn select_word(&mut self, array: RegionArray, index: TermId, op: LoadOp) -> TermId {
        let mut whole: Option<TermId> = None;
        for number in 0..u32::from(op.bytes) {
            let index = self.byte_index(index, number, array.bits);
            let byte = self.terms.apply(Op::Select, &[array.term, index]);
            whole = Some(whole.map_or(byte, |lower| self.terms.apply(Op::Concat, &[byte, lower])));
        }
        extend(whole.expect("loads have bytes"), op, self.terms)
    }

    /// A store at an address that depends on the input.
    pub(super) fn store_at(
        &mut self,
        access: &Access<'_>,
        address: TermId,
        (bytes, value, word): (u8, Option<TermId>, u64),
        target: &Target,
        memory: &Memory,
    ) -> Result<(), Stop> {
        let count = u32::from(bytes);
        let Some((start, size, index)) = self.enter_region(access, (address, count), target, memory)? else {
            self.store(access.effective as u32, bytes, value, word);
            return Ok(());
        };
        let mut array = self.array(start, size, memory);
        for number in 0..count {
            let index = self.byte_index(index, number, array.bits);
            let byte = self.byte_of(value, word, number);
            array.term = self.terms.store.make(Op::Store, &[array.term, index, byte]);
        }
        self.arrays.read.remove(&start);
        self.arrays.written.insert(start, array);
        Ok(())
    }

    /// A byte of a value, whether it is concrete or not.
    fn byte_of(&mut self, value: Option<TermId>, word: u64, number: u32) -> TermId {
        match value {
            Some(term) => self.terms.extract(term, 8 * number + 7, 8 * number),
            None => self.terms.number(8, word >> (8 * number) & 0xff),
        }
    }

    /// A load at a concrete address. `None` if its result is concrete.
    pub(super) fn load(&mut self, address: u32, op: LoadOp, memory: &Memory) -> Option<TermId> {
        let count = u32::from(op.bytes);
        if let Some(&start) = overlapping(&self.arrays.written, address, count).first() {
            let array = self.arrays.written[&start];
            if address >= start && address + count <= start + array.size {
                let index = self.terms.number(array.bits, u64::from(address - start));
                let word = self.select_word(array, index, op);
                return self.terms.value(word).is_none().then_some(word);
            }
            self.settle_written(address, count);
        }
        self.memory.load(address, op, memory, self.terms)
    }

    /// A store at a concrete address.
    pub(super) fn store(&mut self, address: u32, bytes: u8, value: Option<TermId>, word: u64) {
        let count = u32::from(bytes);
        for start in overlapping(&self.arrays.read, address, count) {
            self.arrays.read.remove(&start);
        }
        if let Some(&start) = overlapping(&self.arrays.written, address, count).first() {
            let mut array = self.arrays.written[&start];
            if address >= start && address + count <= start + array.size {
                for number in 0..count {
                    let index = self.terms.number(array.bits, u64::from(address - start + number));
                    let byte = self.byte_of(value, word, number);
                    array.term = self.terms.store.make(Op::Store, &[array.term, index, byte]);
                }
                self.arrays.written.insert(start, array);
                return;
            }
            self.settle(address, count);
        }
        self.memory.store(address, bytes, value);
    }

    /// Puts the bytes of regions that were written back into the shadow memory, where they overlap with a range.
    fn settle_written(&mut self, address: u32, length: u32) {
        for start in overlapping(&self.arrays.written, address, length) {
            let array = self.arrays.written.remove(&start).expect("it was just found");
            for index in 0..array.size {
                let place = self.terms.number(array.bits, u64::from(index));
                let byte = self.terms.apply(Op::Select, &[array.term, place]);
                let byte = self.terms.value(byte).is_none().then_some(byte);
                self.memory.store(start + index, 1, byte);
            }
            self.arrays.read.insert(start, array);
        }
    }

    /// Ends regions that overlap with a range whose bytes are about to be used otherwise.
    pub(super) fn settle(&mut self, address: u32, length: u32) {
        self.settle_written(address, length);
        for start in overlapping(&self.arrays.read, address, length) {
            self.arrays.read.remove(&start);
        }
    }
}
