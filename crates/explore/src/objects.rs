//! Objects in the frames of functions, and which object an access means.
//!
//! An access at an address that depends on the input adds an index to the address of an object, which is a constant part of the sum. If a run has accessed that object at a
//! place of the program, and another run gets outside of it at the same place, the second has made an error. An access to the object comes first because
//! compilers fold constants into addresses: `table[c - 'a']` adds its index to an address in front of the table, which may belong to another object. Where the constant part is
//! only near an object that the place has accessed, an access that is in no object at all is an error.

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
    /// Offsets and sizes in bytes.
    pub objects: Vec<(i32, u32)>,
}

/// A function that has been called and has not returned.
#[derive(Copy, Clone, Debug)]
struct OpenFrame {
    function: u32,
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

    /// A function is called.
    pub fn enter(&mut self, function: u32, first_slot: usize) {
        self.open.push(OpenFrame { function, first_slot, stack_pointer: self.stack_pointer });
    }

    /// A function has returned.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// The stack pointer gets a value.
    pub fn move_stack(&mut self, pointer: u32) {
        self.stack_pointer = pointer;
    }

    /// The object in a frame that contains an address: its start and size. `None` if there is none, or several share the place.
    pub fn find(&self, program: &Program, address: u32, slots: &[u64]) -> Option<(u32, u32)> {
        if program.stack_top.is_none_or(|top| address >= top) {
            return None;
        }
        self.open.iter().rev().take(MOST_FRAMES).find_map(|frame| {
            let layout = program.frame_layout(frame.function)?;
            let base = match layout.base {
                FrameBase::Local(local) => {
                    slots.get(frame.first_slot + local as usize).map(|&base| base as u32)?
                }
                FrameBase::StackPointer => frame.stack_pointer,
            };
            let place = |&(offset, size): &(i32, u32)| (base.wrapping_add_signed(offset), size);
            let mut objects =
                layout.objects.iter().map(place).filter(|&(start, size)| address.wrapping_sub(start) < size);
            let first = objects.next()?;
            objects.next().is_none().then_some(first)
        })
    }
}

/// The greatest distance of a constant part from an object, in bytes, so that it can be the address of the object with a part of the index.
const NEAR: u32 = 256;

/// Objects that places of the program have accessed at addresses that depend on the input, in all runs.
#[derive(Default, Debug)]
pub struct Homes {
    accessed: FxHashMap<u32, Vec<(u32, u32)>>,
}

impl Homes {
    /// Notes an access to an object, given by its start and size.
    pub fn note(&mut self, place: u32, object: (u32, u32)) {
        let known = self.accessed.entry(place).or_default();
        if !known.contains(&object) {
            known.push(object);
        }
    }

    /// Whether a place has accessed an object.
    pub fn knows(&self, place: u32, object: (u32, u32)) -> bool {
        self.accessed.get(&place).is_some_and(|known| known.contains(&object))
    }

    /// An object that a place has accessed, and that an address is in or near.
    pub fn near(&self, place: u32, address: u32) -> Option<(u32, u32)> {
        let is_near =
            |&(start, size): &(u32, u32)| address.wrapping_sub(start.wrapping_sub(NEAR)) < size + 2 * NEAR;
        self.accessed.get(&place)?.iter().copied().find(|object| is_near(object))
    }
}
