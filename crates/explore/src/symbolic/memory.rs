//! Terms beside the bytes of the memory.
//!
//! A byte that depends on the input is a byte of a term, so that words which are stored and loaded whole stay whole. Pages without such bytes do not exist.

use rustc_hash::FxHashMap;
use sundry_term::{Op, TermId};
use sundry_wasm::{LoadOp, Memory};

use super::terms::Terms;

/// The size of a page of shadows in bytes.
const PAGE: u32 = 256;

/// A byte of a term.
#[derive(Copy, Clone, PartialEq, Eq)]
struct ByteOf {
    term: TermId,
    /// The number of the byte, lowest first.
    number: u8,
}

type Page = Box<[Option<ByteOf>; PAGE as usize]>;

/// The bytes that depend on the input.
#[derive(Default)]
pub struct ShadowMemory {
    pages: FxHashMap<u32, Page>,
}

impl ShadowMemory {
    fn get(&self, address: u32) -> Option<ByteOf> {
        self.pages.get(&(address / PAGE))?[(address % PAGE) as usize]
    }

    fn set(&mut self, address: u32, byte: Option<ByteOf>) {
        let index = (address % PAGE) as usize;
        match byte {
            None => {
                if let Some(page) = self.pages.get_mut(&(address / PAGE)) {
                    page[index] = None;
                }
            }
            Some(_) => {
                let page =
                    self.pages.entry(address / PAGE).or_insert_with(|| Box::new([None; PAGE as usize]));
                page[index] = byte;
            }
        }
    }

    /// Whether a byte of a range depends on the input.
    pub fn has_any(&self, address: u32, length: u32) -> bool {
        if self.pages.is_empty() || length == 0 {
            return false;
        }
        let end = address.saturating_add(length - 1);
        (address / PAGE..=end / PAGE).any(|number| {
            let Some(page) = self.pages.get(&number) else { return false };
            let first = address.max(number * PAGE) % PAGE;
            let last = end.min(number * PAGE + (PAGE - 1)) % PAGE;
            page[first as usize..=last as usize].iter().any(Option::is_some)
        })
    }

    /// Makes a range independent of the input.
    pub fn forget(&mut self, address: u32, length: u32) {
        if !self.pages.is_empty() {
            for index in 0..length {
                self.set(address.wrapping_add(index), None);
            }
        }
    }

    /// Stores the lowest bytes of a term.
    pub fn store(&mut self, address: u32, bytes: u8, term: Option<TermId>) {
        match term {
            None => self.forget(address, u32::from(bytes)),
            Some(term) => {
                for number in 0..bytes {
                    self.set(address.wrapping_add(u32::from(number)), Some(ByteOf { term, number }));
                }
            }
        }
    }

    /// The term of one byte, or `None` if it is concrete.
    pub fn byte(&self, address: u32, terms: &mut Terms) -> Option<TermId> {
        let ByteOf { term, number } = self.get(address)?;
        let low = 8 * u32::from(number);
        Some(terms.extract(term, low + 7, low))
    }

    /// The value of a number of bytes as a bit-vector, or `None` if all of them are concrete.
    pub fn bytes(&self, address: u32, count: u32, memory: &Memory, terms: &mut Terms) -> Option<TermId> {
        if !self.has_any(address, count) {
            return None;
        }
        let mut whole: Option<TermId> = None;
        let mut index = 0;
        while index < count {
            let at = address.wrapping_add(index);
            let (piece, length) = match self.get(at) {
                None => {
                    let byte = memory.get(u64::from(at), 1).map_or(0, |bytes| bytes[0]);
                    (terms.number(8, u64::from(byte)), 1)
                }
                Some(first) => {
                    let follows = |offset: u32| {
                        let next = ByteOf { number: first.number.wrapping_add(offset as u8), ..first };
                        self.get(at.wrapping_add(offset)) == Some(next)
                    };
                    let length = (1..count - index).take_while(|&offset| follows(offset)).count() as u32 + 1;
                    let low = 8 * u32::from(first.number);
                    (terms.extract(first.term, low + 8 * length - 1, low), length)
                }
            };
            whole = Some(match whole {
                None => piece,
                Some(lower) => terms.apply(Op::Concat, &[piece, lower]),
            });
            index += length;
        }
        whole
    }

    /// The result of a load, or `None` if it is concrete.
    pub fn load(&self, address: u32, op: LoadOp, memory: &Memory, terms: &mut Terms) -> Option<TermId> {
        let read = self.bytes(address, u32::from(op.bytes), memory, terms)?;
        Some(extend(read, op, terms))
    }

    /// Copies what is beside a range of other bytes.
    pub fn copy_from(&mut self, other: &ShadowMemory, (from, to): (u32, u32), length: u32) {
        if other.has_any(from, length) || self.has_any(to, length) {
            for index in 0..length {
                self.set(to.wrapping_add(index), other.get(from.wrapping_add(index)));
            }
        }
    }

    /// Copies what is beside a range, which may overlap with its destination.
    pub fn move_bytes(&mut self, to: u32, from: u32, length: u32) {
        if self.pages.is_empty() || !(self.has_any(from, length) || self.has_any(to, length)) {
            return;
        }
        let bytes: Vec<Option<ByteOf>> =
            (0..length).map(|index| self.get(from.wrapping_add(index))).collect();
        for (index, byte) in bytes.into_iter().enumerate() {
            self.set(to.wrapping_add(index as u32), byte);
        }
    }
}

/// The result of a load of these bytes.
pub fn extend(read: TermId, op: LoadOp, terms: &mut Terms) -> TermId {
    let missing = u32::from(op.width) - 8 * u32::from(op.bytes);
    match missing {
        0 => read,
        _ if op.is_signed => terms.apply(Op::SignExtend(missing), &[read]),
        _ => terms.apply(Op::ZeroExtend(missing), &[read]),
    }
}
