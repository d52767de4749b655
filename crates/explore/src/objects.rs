//! Objects in the frames of functions, and which object an access means.
//!
//! An access at an address that depends on the input adds an index to the address of an object, which is a constant part of the sum. If a run has accessed that object at a
//! place of the program, and another run gets outside of it at the same place, the second has made an error. An access to the object comes first because
//! compilers fold constants into addresses: `table[c - 'a']` adds its index to an address in front of the table, which may belong to another object. Where the constant part is
//! only near an object that the place has accessed, an access that is in no object at all is an error.
//!
//! Accesses at concrete addresses are judged alike, by the address from which theirs was computed (`symbolic/concolic/origins.rs`).

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::program::Program;

/// The place of a frame in memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FrameBase {
    /// The value of a local.
    Local(u32),
    /// The pointer to the stack when the function is called.
    StackPointer,
}

/// The objects in the frame of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameLayout {
    /// The address from which the places of objects count.
    pub base: FrameBase,
    /// The objects. Those of different scopes may share their place.
    pub objects: Vec<FrameObject>,
}

/// An object in a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameObject {
    /// Bytes from the base of the frame.
    pub offset: i32,
    /// The size in bytes.
    pub size: u32,
    /// The offsets in the code section of the instructions in whose scope it is.
    pub scope: Arc<[Range<u32>]>,
}

/// A function that has been called and has not returned.
#[derive(Copy, Clone, Debug)]
struct OpenFrame {
    function: u32,
    /// The instruction that called it.
    call: u32,
    first_slot: usize,
    stack_pointer: u32,
}

/// The greatest number of frames in which an object is looked for, innermost first.
const MOST_FRAMES: usize = 64;

/// Open frames of a run.
#[derive(Default, Debug)]
pub struct Frames {
    open: Vec<OpenFrame>,
    stack_pointer: u32,
}

impl Frames {
    /// No frames, with the stack pointer at the start.
    pub fn new(program: &Program) -> Frames {
        Frames { open: Vec::new(), stack_pointer: program.stack_top.unwrap_or(0) }
    }

    /// A function is called by an instruction.
    pub fn enter(&mut self, function: u32, call: u32, first_slot: usize) {
        self.open.push(OpenFrame { function, call, first_slot, stack_pointer: self.stack_pointer });
    }

    /// The innermost function, and the first slot of its frame.
    pub fn innermost(&self) -> Option<(u32, usize)> {
        self.open.last().map(|frame| (frame.function, frame.first_slot))
    }

    /// A function has returned.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// The stack pointer gets a value.
    pub fn move_stack(&mut self, pointer: u32) {
        self.stack_pointer = pointer;
    }

    /// Whether an address has nothing to do with the object that begins at another: it is outside of its frame, or in another object of the frame. Temporary values
    /// without a name may share the place of an object and be larger, but not reach into others.
    pub fn are_apart(&self, program: &Program, object: u32, address: u32, slots: &[u64]) -> bool {
        self.open.iter().rev().take(MOST_FRAMES).any(|frame| {
            let Some(layout) = program.frame_layout(frame.function) else { return false };
            let Some(base) = frame.base(layout, slots) else { return false };
            let whole = base..frame.stack_pointer;
            let is_in_other = |other: &FrameObject| {
                let start = base.wrapping_add_signed(other.offset);
                address.wrapping_sub(start) < other.size && object.wrapping_sub(start) >= other.size
            };
            whole.contains(&object) && (!whole.contains(&address) || layout.objects.iter().any(is_in_other))
        })
    }

    /// The object in a frame that contains an address, if the instruction that is at `place` is in its scope: its start and size. `None` if there is none, or
    /// several share the place.
    pub fn find(&self, program: &Program, address: u32, place: u32, slots: &[u64]) -> Option<(u32, u32)> {
        if program.stack_top.is_none_or(|top| address >= top) {
            return None;
        }
        let places = std::iter::once(place).chain(self.open.iter().rev().map(|frame| frame.call));
        self.open.iter().rev().zip(places).take(MOST_FRAMES).find_map(|(frame, place)| {
            let layout = program.frame_layout(frame.function)?;
            let base = frame.base(layout, slots)?;
            let start = |object: &FrameObject| base.wrapping_add_signed(object.offset);
            let is_in_scope = |object: &FrameObject| {
                let offset = program.module.offset_of(place);
                object.scope.iter().any(|range| range.contains(&offset))
            };
            let mut objects = layout
                .objects
                .iter()
                .filter(|object| address.wrapping_sub(start(object)) < object.size && is_in_scope(object));
            let first = objects.next()?;
            objects.next().is_none().then(|| (start(first), first.size))
        })
    }
}

impl OpenFrame {
    /// The address from which the places of its objects count.
    fn base(&self, layout: &FrameLayout, slots: &[u64]) -> Option<u32> {
        match layout.base {
            FrameBase::Local(local) => slots.get(self.first_slot + local as usize).map(|&base| base as u32),
            FrameBase::StackPointer => Some(self.stack_pointer),
        }
    }
}

/// The greatest distance of a constant part from an object, in bytes, so that it can be the address of the object with a part of the index.
const NEAR: u32 = 256;

/// Objects that places of the program have accessed, in all runs.
#[derive(Default, Debug)]
pub struct Homes {
    accessed: FxHashMap<u32, Vec<(u32, u32)>>,
    /// The same for addresses that are concrete.
    visited: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl Homes {
    /// Notes an access to an object, given by its start and size.
    pub fn note(&mut self, place: u32, object: (u32, u32)) {
        let known = self.accessed.entry(place).or_default();
        if !known.contains(&object) {
            known.push(object);
        }
    }

    /// Notes an access to an object at a concrete address.
    pub fn visit(&mut self, place: u32, object: (u32, u32)) {
        let known = self.visited.entry(place).or_default();
        if !known.contains(&object) {
            known.push(object);
        }
    }

    /// Whether a place has accessed an object, at a concrete address or another.
    pub fn has_visited(&self, place: u32, object: (u32, u32)) -> bool {
        self.knows(place, object) || self.visited.get(&place).is_some_and(|known| known.contains(&object))
    }

    /// Whether a place has accessed an object at an address that depends on the input.
    pub fn knows(&self, place: u32, object: (u32, u32)) -> bool {
        self.accessed.get(&place).is_some_and(|known| known.contains(&object))
    }

    /// An object that a place has accessed, and that begins at most so many bytes behind an address.
    pub fn behind(&self, place: u32, address: u32, distance: u32) -> Option<(u32, u32)> {
        let begins = |&(start, _): &(u32, u32)| (1..=distance).contains(&start.wrapping_sub(address));
        self.accessed.get(&place)?.iter().copied().find(begins)
    }

    /// An object that a place has accessed, and that an address is in or near.
    pub fn near(&self, place: u32, address: u32) -> Option<(u32, u32)> {
        let is_near =
            |&(start, size): &(u32, u32)| address.wrapping_sub(start.wrapping_sub(NEAR)) < size + 2 * NEAR;
        self.accessed.get(&place)?.iter().copied().find(|object| is_near(object))
    }
}
