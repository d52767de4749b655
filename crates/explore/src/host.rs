//! The functions that a program imports: those of WASI (preview 1), and those of `sundry.h`.
//!
//! WebAssembly programs see the world through imported functions alone. Ours has no clock but a counter, no randomness but the seed, and no files but those that
//! the caller names, so that a run depends on its input alone. Functions of WASI that it does not have (sockets, links, changes of directories) answer `ENOSYS`, as the
//! interface allows.

mod directory;
mod files;
mod functions;
mod made;
mod polling;
mod process;
mod world;

pub use directory::name_of_path;
pub use functions::HostFunction;
pub use process::{BYTES_PER_LOOK, fixed_clock, fixed_random};
pub use world::{Ending, Output, World, WorldOptions};

use std::ops::Range;

use sundry_wasm::{Memory, Stop};

use crate::input::{Input, SourceKind, Variables};

/// Error numbers of WASI.
mod errno {
    pub(super) const SUCCESS: u64 = 0;
    pub(super) const BADF: u64 = 8;
    pub(super) const EXIST: u64 = 20;
    pub(super) const FAULT: u64 = 21;
    pub(super) const INVAL: u64 = 28;
    pub(super) const NOENT: u64 = 44;
    pub(super) const NOSPC: u64 = 51;
    pub(super) const NOSYS: u64 = 52;
    pub(super) const NOTDIR: u64 = 54;
    pub(super) const SPIPE: u64 = 70;
}

/// A read from a source: which bytes go where.
#[derive(Copy, Clone, Debug)]
pub struct Read {
    /// The number of the call instruction.
    pub place: u32,
    /// The descriptor that is read.
    pub descriptor: usize,
    /// The source, by its number.
    pub source: usize,
    /// The place in the source at which the read begins.
    pub position: u32,
    /// The number of bytes that the program asks for.
    pub requested: u32,
    /// The number of bytes that there are.
    pub count: u32,
}

/// A domain's part in the work of the host: it keeps terms beside what the host reads and writes. A plain run does nothing.
pub trait Shadows {
    /// The variables of the exploration.
    fn variables(&self) -> &Variables;

    /// The number of a source of memory, which is added if it is new and the run is not a plain one.
    fn declare(&mut self, kind: SourceKind, capacity: u32) -> Option<usize>;

    /// The host needs the concrete value of an argument.
    fn fix_slot(&mut self, place: u32, slot: usize, value: u64) -> Result<(), Stop>;

    /// The host needs the concrete bytes of a range.
    fn fix_bytes(&mut self, place: u32, address: u32, length: u32, memory: &Memory) -> Result<(), Stop>;

    /// The host has written bytes that depend on nothing.
    fn forget(&mut self, address: u32, length: u32);

    /// The result of a call, in this slot, depends on nothing.
    fn forget_slot(&mut self, slot: usize);

    /// Bytes of a source are about to be written to these ranges (address, length), which have room for `requested`, and their number as a word at an address.
    fn read(&mut self, read: Read, ranges: &[(u32, u32)], count_at: u32, memory: &Memory)
    -> Result<(), Stop>;

    /// Whether a descriptor is at the end of a source, whatever the input is.
    fn is_at_end(&self, descriptor: usize, source: usize, position: u32, input: &Input) -> bool;

    /// The length of a source, which the host needs.
    fn fixed_length(&mut self, place: u32, source: usize, input: &Input) -> Result<u32, Stop>;

    /// The position of a descriptor becomes this one.
    fn seek(&mut self, descriptor: usize, position: u32);

    /// A part of a source, which has a fixed length, is about to be written at an address.
    fn place_source(&mut self, source: usize, part: Range<u32>, address: u32);

    /// Bytes of the memory (address, length) are written to a place (file, position) in a file that the program has made.
    fn save(&mut self, place: (usize, u32), range: (u32, u32));

    /// The first bytes of a source, which has a fixed length, are those of a file that the program has made.
    fn save_source(&mut self, source: usize, length: u32, file: usize);

    /// Bytes from a place in a file that the program has made have been written to the memory.
    fn restore(&mut self, place: (usize, u32), range: (u32, u32));

    /// Bytes of a file that the program has made, from a position on, depend on nothing any more.
    fn forget_saved(&mut self, file: usize, position: u32, length: u32);

    /// The program assumes that the value of a slot is not zero.
    fn assume(&mut self, place: u32, slot: usize, value: u32) -> Result<(), Stop>;

    /// Whether one of these bytes is symbolic.
    fn is_symbolic(&self, address: u32, length: u32) -> bool;
}

/// Shadows of a plain run.
#[derive(Copy, Clone)]
pub struct NoShadows<'v> {
    /// The variables of the exploration.
    pub variables: &'v Variables,
}

impl Shadows for NoShadows<'_> {
    fn variables(&self) -> &Variables {
        self.variables
    }
    fn declare(&mut self, kind: SourceKind, _capacity: u32) -> Option<usize> {
        self.variables.find(&kind)
    }
    fn fix_slot(&mut self, _place: u32, _slot: usize, _value: u64) -> Result<(), Stop> {
        Ok(())
    }
    fn fix_bytes(&mut self, _place: u32, _address: u32, _length: u32, _memory: &Memory) -> Result<(), Stop> {
        Ok(())
    }
    fn forget(&mut self, _address: u32, _length: u32) {}
    fn forget_slot(&mut self, _slot: usize) {}
    fn read(
        &mut self,
        _read: Read,
        _ranges: &[(u32, u32)],
        _count_at: u32,
        _memory: &Memory,
    ) -> Result<(), Stop> {
        Ok(())
    }
    fn is_at_end(&self, _descriptor: usize, source: usize, position: u32, input: &Input) -> bool {
        position >= self.variables.length(input, source)
    }
    fn fixed_length(&mut self, _place: u32, source: usize, input: &Input) -> Result<u32, Stop> {
        Ok(self.variables.length(input, source))
    }
    fn seek(&mut self, _descriptor: usize, _position: u32) {}
    fn place_source(&mut self, _source: usize, _part: Range<u32>, _address: u32) {}
    fn save(&mut self, _place: (usize, u32), _range: (u32, u32)) {}
    fn save_source(&mut self, _source: usize, _length: u32, _file: usize) {}
    fn restore(&mut self, _place: (usize, u32), _range: (u32, u32)) {}
    fn forget_saved(&mut self, _file: usize, _position: u32, _length: u32) {}
    fn assume(&mut self, _place: u32, _slot: usize, _value: u32) -> Result<(), Stop> {
        Ok(())
    }
    fn is_symbolic(&self, _address: u32, _length: u32) -> bool {
        false
    }
}
