//! Blocks that nothing leads to at the end of a run.

use std::collections::BTreeMap;

use sundry_wasm::Memory;

use super::{Heap, MemoryError};
use crate::program::Program;

impl Heap {
    /// A block that neither a word in the memory nor a local of an open call leads to, with the call that made it. Blocks of the code that calls the main function are not
    /// lost: their addresses are in locals of calls that have returned.
    pub fn leak(&self, memory: &Memory, locals: &[u64], program: &Program) -> Option<(MemoryError, u32)> {
        let (low, high) = self.range?;
        if self.live.is_empty() {
            return None;
        }
        let bytes = memory.bytes();
        let words = |from: usize, to: usize| {
            let range = bytes.get(from..to.min(bytes.len())).unwrap_or_default();
            range.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
        };
        let mut reached: BTreeMap<u32, u32> = BTreeMap::new();
        let mut open: Vec<u32> = Vec::new();
        let aligned = low as usize / 4 * 4;
        // What is below the stack pointer is left over from frames that have ended.
        let (dead, alive) =
            self.stack.map_or((0, 0), |(least, present)| (least as usize / 4 * 4, present as usize / 4 * 4));
        let roots = words(0, dead)
            .chain(words(alive, aligned))
            .chain(words((high as usize).next_multiple_of(4), bytes.len()))
            .chain(locals.iter().flat_map(|&value| [value as u32, (value >> 32) as u32]));
        open.extend(roots.filter(|word| (low..high).contains(word)));
        while let Some(word) = open.pop() {
            let Some((start, size)) = self.block(word) else { continue };
            if reached.insert(start, size).is_none() {
                let from = start as usize;
                open.extend(words(from, from + size as usize).filter(|word| (low..high).contains(word)));
            }
        }
        let lost = self.live.iter().filter(|(start, block)| block.may_leak && !reached.contains_key(start));
        let mut places = lost.map(|(_, block)| block.place);
        places.find(|&place| !program.is_start_code(place)).map(|place| (MemoryError::Leak, place))
    }
}
