//! The blocks of the heap, and accesses that are not inside of one.
//!
//! Functions of the malloc family are known by their names. Between two blocks there are the headers of the allocator, so that an access beyond the end of a block is
//! outside of all of them, unless it leaps into the next. The allocator itself may access everything.

mod error;
mod leak;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use sundry_wasm::Memory;

pub use error::MemoryError;

use crate::program::Program;

/// Addresses below are those of no object: linkers leave them free, so that null and what is near it is no object.
pub(crate) const LEAST_ADDRESS: u32 = 1024;

/// Words are read whole, and string functions read the word in which a string ends.
const WORD: u32 = 4;

/// The bytes in front of the first block that belong to the heap: the header of the block.
const HEADER: u32 = 8;

/// The result of `sbrk` where there is no more memory.
const NO_MEMORY: u32 = u32::MAX;

/// A function of the malloc family.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Allocator {
    Malloc,
    Calloc,
    Realloc,
    AlignedAlloc,
    PosixMemalign,
    Free,
    /// The function from which the allocator has its memory, called by others.
    Sbrk,
    /// Another function of the allocator, during which all accesses are allowed.
    Other,
}

impl Allocator {
    fn named(name: &str) -> Option<Allocator> {
        Some(match name {
            "malloc" => Allocator::Malloc,
            "calloc" => Allocator::Calloc,
            "realloc" => Allocator::Realloc,
            "aligned_alloc" | "memalign" => Allocator::AlignedAlloc,
            "free" => Allocator::Free,
            "posix_memalign" => Allocator::PosixMemalign,
            "sbrk" => Allocator::Sbrk,
            "dlmalloc" | "dlfree" | "dlcalloc" | "dlrealloc" | "malloc_usable_size" => Allocator::Other,
            _ => return None,
        })
    }
}

#[derive(Copy, Clone, Debug)]
struct Block {
    size: u32,
    /// The call that made it.
    place: u32,
    /// Whether the block is to be freed.
    may_leak: bool,
}

/// A call of the allocator that has not returned.
#[derive(Copy, Clone, Debug)]
struct Pending {
    depth: u32,
    kind: Allocator,
    /// The size of the block that it makes, if it makes one.
    size: Option<u32>,
    /// The first argument: of `realloc` the block that the new one replaces, of `posix_memalign` the place for its address.
    first: u32,
    place: u32,
}

/// The heap of a run.
#[derive(Clone, Default, Debug)]
pub struct Heap {
    live: BTreeMap<u32, Block>,
    freed: BTreeMap<u32, u32>,
    /// The addresses of constant data.
    constants: Range<u32>,
    /// The addresses between which blocks have been.
    range: Option<(u32, u32)>,
    /// Memory with blocks that the allocator of the program does not know: its start and end.
    arena: Option<(u32, u32)>,
    depth: u32,
    /// The least and the present value of the stack pointer.
    stack: Option<(u32, u32)>,
    pending: Option<Pending>,
    kinds: HashMap<u32, Option<Allocator>>,
}

/// The block that contains an address, with its start.
fn find<T: Copy>(blocks: &BTreeMap<u32, T>, address: u32, size: impl Fn(T) -> u32) -> Option<(u32, T)> {
    let (&start, &block) = blocks.range(..=address).next_back()?;
    (address - start < size(block)).then_some((start, block))
}

impl Heap {
    /// The allocator's function, if it is one and no other one of them is open.
    fn allocator(&mut self, program: &Program, function: u32) -> Option<Allocator> {
        if self.pending.is_some() {
            return None;
        }
        let name = || program.names.get(function as usize)?.as_deref().and_then(Allocator::named);
        *self.kinds.entry(function).or_insert_with(name)
    }

    /// The number of arguments, from the first, on which the blocks depend after a call of a function.
    pub fn deciding_arguments(&mut self, program: &Program, function: u32) -> usize {
        match self.allocator(program, function) {
            Some(Allocator::Malloc | Allocator::Free | Allocator::Sbrk) => 1,
            Some(Allocator::Calloc | Allocator::Realloc | Allocator::AlignedAlloc) => 2,
            Some(Allocator::PosixMemalign) => 3,
            Some(Allocator::Other) | None => 0,
        }
    }

    /// Makes a range of memory a place for blocks besides those of the allocator.
    pub(crate) fn set_arena(&mut self, start: u32, end: u32) {
        self.arena = Some((start, end));
    }

    /// Adds a block that was there before the run.
    pub(crate) fn adopt(&mut self, start: u32, size: u32) {
        let range = self.range;
        self.add(start, size, (0, true));
        if self.arena.is_some_and(|(low, high)| (low..high).contains(&start)) {
            self.range = range;
        }
    }

    /// Says where constant data is, to which nothing may be written.
    pub(crate) fn set_constants(&mut self, constants: Range<u32>) {
        self.constants = constants;
    }

    /// All calls have returned.
    pub(crate) fn end_calls(&mut self) {
        (self.depth, self.pending) = (0, None);
    }

    /// A function is called.
    ///
    /// # Errors
    /// The function frees what it must not.
    pub fn enter(
        &mut self,
        program: &Program,
        (function, place): (u32, u32),
        arguments: &[u64],
    ) -> Result<(), MemoryError> {
        self.depth += 1;
        let Some(kind) = self.allocator(program, function) else { return Ok(()) };
        let argument = |number: usize| arguments.get(number).map_or(0, |&argument| argument as u32);
        let size = match kind {
            Allocator::Malloc => Some(argument(0)),
            Allocator::Calloc => argument(0).checked_mul(argument(1)),
            Allocator::AlignedAlloc => Some(argument(1)),
            Allocator::PosixMemalign => Some(argument(2)),
            Allocator::Sbrk => Some(argument(0)),
            // The block stays as it is where there is no memory for another one.
            Allocator::Realloc => {
                self.check_free(argument(0))?;
                Some(argument(1))
            }
            Allocator::Free => {
                self.check_free(argument(0))?;
                self.release(argument(0));
                None
            }
            Allocator::Other => None,
        };
        self.pending = Some(Pending { depth: self.depth, kind, size, first: argument(0), place });
        Ok(())
    }

    /// A function has returned.
    pub fn leave(&mut self, result: u32, memory: &Memory) {
        if let Some(pending) = self.pending.filter(|pending| pending.depth == self.depth) {
            self.pending = None;
            if let Some(size) = pending.size {
                self.note_result(pending, size, result, memory);
            }
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// Takes note of the block that a call of the allocator has made, if it has made one.
    fn note_result(&mut self, pending: Pending, size: u32, result: u32, memory: &Memory) {
        let Pending { kind, first, place, .. } = pending;
        match kind {
            Allocator::PosixMemalign if result != 0 => {}
            Allocator::PosixMemalign => {
                if let Some(&address) = memory.get(u64::from(first), 4).and_then(<[u8]>::first_chunk) {
                    self.add(u32::from_le_bytes(address), size, (place, true));
                }
            }
            Allocator::Sbrk if result == NO_MEMORY || size == 0 || size > i32::MAX as u32 => {}
            Allocator::Sbrk => self.add(result, size, (place, false)),
            _ if result == 0 => {}
            _ => {
                if kind == Allocator::Realloc {
                    self.release(first);
                }
                self.add(result, size, (place, true));
            }
        }
    }

    fn add(&mut self, start: u32, size: u32, (place, may_leak): (u32, bool)) {
        let end = start.saturating_add(size.max(1));
        let overlapping: Vec<u32> = self
            .freed
            .range(..end)
            .rev()
            .take_while(|&(&freed, &length)| freed.saturating_add(length.max(1)) > start)
            .map(|(&freed, _)| freed)
            .collect();
        for freed in overlapping {
            self.freed.remove(&freed);
        }
        self.live.insert(start, Block { size, place, may_leak });
        let header = start.saturating_sub(HEADER);
        let (low, high) = self.range.unwrap_or((header, end));
        self.range = Some((low.min(header), high.max(end)));
    }

    /// Checks that an address may be freed.
    fn check_free(&self, start: u32) -> Result<(), MemoryError> {
        if start == 0 || self.live.contains_key(&start) {
            Ok(())
        } else if self.freed.contains_key(&start) {
            Err(MemoryError::DoubleFree)
        } else {
            Err(MemoryError::InvalidFree)
        }
    }

    /// A block, if there is one at an address, is free from now on.
    fn release(&mut self, start: u32) {
        if let Some(block) = self.live.remove(&start) {
            self.freed.insert(start, block.size);
        }
    }

    /// The stack pointer gets a value.
    ///
    /// # Errors
    /// The stack has grown into other data.
    pub fn move_stack(&mut self, program: &Program, pointer: u32) -> Result<(), MemoryError> {
        let least = self.stack.map_or(pointer, |(least, _)| least.min(pointer));
        self.stack = Some((least, pointer));
        let top = program.stack_top.unwrap_or(u32::MAX);
        if pointer < program.stack_end || pointer > top { Err(MemoryError::StackExhausted) } else { Ok(()) }
    }

    /// Checks a load of up to eight bytes.
    ///
    /// # Errors
    /// The access is outside of all objects.
    #[inline]
    pub fn check_load(&self, address: u64, bytes: u8) -> Result<(), MemoryError> {
        // A word that begins inside of a block may end behind it, if it is a whole one.
        let is_word = u32::from(bytes) == WORD && address.is_multiple_of(u64::from(WORD));
        self.check(address, if is_word { 1 } else { u32::from(bytes) })
    }

    /// Checks a store of up to eight bytes.
    ///
    /// # Errors
    /// The access is outside of all objects.
    #[inline]
    pub fn check_store(&self, address: u64, bytes: u8) -> Result<(), MemoryError> {
        self.check(address, u32::from(bytes))?;
        self.check_constants(address, u32::from(bytes))
    }

    /// Checks a range that is written at once.
    ///
    /// # Errors
    /// The access is outside of all objects, or to constant data.
    pub fn check_written_range(&self, address: u32, length: u32) -> Result<(), MemoryError> {
        self.check_range(address, length)?;
        self.check_constants(u64::from(address), length)
    }

    #[inline]
    fn check_constants(&self, address: u64, length: u32) -> Result<(), MemoryError> {
        let is_apart = address >= u64::from(self.constants.end)
            || address + u64::from(length) <= u64::from(self.constants.start);
        if is_apart || length == 0 { Ok(()) } else { Err(MemoryError::ConstantWrite) }
    }

    /// Checks a range that is accessed at once.
    ///
    /// # Errors
    /// The access is outside of all objects.
    pub fn check_range(&self, address: u32, length: u32) -> Result<(), MemoryError> {
        if length == 0 { Ok(()) } else { self.check(u64::from(address), length) }
    }

    #[inline]
    fn check(&self, address: u64, length: u32) -> Result<(), MemoryError> {
        if self.pending.is_some() {
            return Ok(());
        }
        if address < u64::from(LEAST_ADDRESS) {
            return Err(MemoryError::Null);
        }
        match self.watched(address) {
            Some(_) => self.check_inside(address as u32, length),
            None => Ok(()),
        }
    }

    /// The memory around an address that has blocks only: the heap, or the arena.
    #[inline]
    fn watched(&self, address: u64) -> Option<Range<u64>> {
        // The heap is the last thing in the memory.
        let heap = self.range.map(|(low, _)| u64::from(low)..1 << 32);
        let arena = self.arena.map(|(low, high)| u64::from(low)..u64::from(high));
        heap.into_iter().chain(arena).find(|range| range.contains(&address))
    }

    fn check_inside(&self, address: u32, length: u32) -> Result<(), MemoryError> {
        match find(&self.live, address, |block| block.size) {
            Some((start, block))
                if u64::from(address) + u64::from(length) <= u64::from(start) + u64::from(block.size) =>
            {
                Ok(())
            }
            Some(_) => Err(MemoryError::HeapOverflow),
            None if find(&self.freed, address, |size| size).is_some() => Err(MemoryError::UseAfterFree),
            None => Err(MemoryError::HeapOverflow),
        }
    }

    /// The addresses around one at which an access is an error, which are errors of the same kind: those near null, those of a block that was freed, or those between
    /// two blocks. `None` if the access is none.
    pub fn wrong_addresses(&self, address: u64) -> Option<Range<u64>> {
        self.check(address, 1).err()?;
        if address < u64::from(LEAST_ADDRESS) {
            return Some(0..u64::from(LEAST_ADDRESS));
        }
        let watched = self.watched(address)?;
        let address = address as u32;
        if let Some((start, size)) = find(&self.freed, address, |size| size) {
            return Some(u64::from(start)..u64::from(start) + u64::from(size));
        }
        let live = |range: Range<u32>| self.live.range(range).map(|(&start, block)| (start, block.size));
        let freed = |range: Range<u32>| self.freed.range(range).map(|(&start, &size)| (start, size));
        let end = |(start, size): (u32, u32)| u64::from(start) + u64::from(size);
        let before =
            [live(0..address).next_back(), freed(0..address).next_back()].into_iter().flatten().map(end);
        let behind = live(address..u32::MAX).next().into_iter().chain(freed(address..u32::MAX).next());
        let first = before.fold(watched.start, u64::max);
        let last = behind.map(|(start, _)| u64::from(start)).fold(watched.end, u64::min);
        Some(first..last)
    }

    /// Whether a function of the allocator is open, which may access everything.
    pub fn is_in_allocator(&self) -> bool {
        self.pending.is_some()
    }

    /// The address at which the heap begins, if it has had blocks.
    pub fn start(&self) -> Option<u32> {
        self.range.map(|(low, _)| low)
    }

    /// The block of the heap that contains an address: its start and size.
    pub fn block(&self, address: u32) -> Option<(u32, u32)> {
        find(&self.live, address, |block| block.size).map(|(start, block)| (start, block.size))
    }
}
