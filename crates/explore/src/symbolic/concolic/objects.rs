//! Accesses and the objects that they mean.

use sundry_term::TermId;
use sundry_wasm::{Access, Stop};

use super::super::arrays::Target;
use super::Concolic;
use crate::heap::MemoryError;

/// The bytes from the start of an object within which an address is that of the object, as a rule.
const BEGINNING: u32 = 8;

/// Whether an access that is in another object, or in none, means the object that contains the address from which its own was computed. If it is in another, the
/// address has to be at the beginning of the object: `count[c - '0']` starts from an address in front of `count`, which may be anywhere in another object. And it must not be
/// the end of the object that the access is in, from which loops go backwards.
pub(super) fn is_base_of(base: u32, object: (u32, u32), present: Option<(u32, u32)>) -> bool {
    present.is_none_or(|(start, size)| {
        base.wrapping_sub(object.0) < BEGINNING && base != start.wrapping_add(size)
    })
}

impl Concolic<'_> {
    /// The address of an access, if it depends on the input once it is known which pointers in it are null.
    ///
    /// # Errors
    /// One of them is null.
    pub(super) fn address(&mut self, access: &Access<'_>) -> Result<Option<TermId>, Stop> {
        let shadow = &mut self.shadow;
        let Some(address) = shadow.slot(access.address) else { return Ok(None) };
        let settled = shadow.settle_pointers(access.place, address);
        if settled == address {
            return Ok(Some(address));
        }
        shadow.set_computed(access.address, settled);
        if shadow.has_null_pointer(address) {
            // Also with an index that leads far away.
            self.world.heap(|_| Err(MemoryError::Null))?;
        }
        Ok(self.shadow.slot(access.address))
    }

    /// The target of an access whose address depends on the input. Notes whether the access is beyond the object that it means.
    pub(super) fn target(&mut self, access: &Access<'_>, address: TermId, bytes: u8) -> Target {
        let constant = self.shadow.terms.constant_part(address).wrapping_add(access.offset);
        let concrete = access.effective as u32;
        let end = access.effective + u64::from(bytes);
        let contains = |(start, size): (u32, u32)| {
            u64::from(start) <= access.effective && end <= u64::from(start) + u64::from(size)
        };
        let present = self.object_at(concrete, access).filter(|&object| contains(object));
        if let Some((block, heap)) = self.block_left(constant, access.effective) {
            self.overflow = Some((access.place, block));
            return Target::Wrong(0..u64::from(heap));
        }
        // Compilers put the address of static memory into the offset.
        let (base, meant) = match self.program.data_object(access.offset) {
            Some(object) => (access.offset, Some(object)),
            None => (constant, self.object_at(constant, access)),
        };
        let meant = meant
            .filter(|&object| self.homes.knows(access.place, object) && is_base_of(base, object, present));
        // `bytes[length - 1]` starts from the byte in front of the object.
        let starts_in = |(start, size): (u32, u32)| base.wrapping_sub(start) < size;
        let meant = meant.or_else(|| {
            self.homes
                .behind(access.place, base, BEGINNING)
                .filter(|_| present.is_some_and(|it| !starts_in(it)))
        });
        let missed = match (meant, present) {
            (Some(meant), _) if !contains(meant) => Some(meant),
            (None, None) if self.is_outside_of_heap(concrete) => self.homes.near(access.place, constant),
            _ => None,
        };
        self.overflow = missed.map(|object| (access.place, object));
        if let Some(object) = present.filter(|_| missed.is_none()) {
            self.homes.note(access.place, object);
        }
        if let Some((start, size)) = missed {
            // An object that is only near is not meant by all runs.
            return if meant.is_some() { Target::Beyond(start, size) } else { Target::Unknown };
        }
        let heap = self.world.heap.as_ref();
        if let Some(wrong) = heap.and_then(|heap| heap.wrong_addresses(access.effective)) {
            return Target::Wrong(wrong);
        }
        let object = present.or_else(|| heap?.block(concrete));
        object.map_or(Target::Unknown, |(start, size)| Target::Object(start, size))
    }

    /// The block of the heap at which an address starts that leads to memory in front of the heap, and the start of the heap. Blocks are not
    /// next to other memory, so that no access there means it.
    fn block_left(&self, constant: u32, effective: u64) -> Option<((u32, u32), u32)> {
        let heap = self.world.heap.as_ref().filter(|heap| !heap.is_in_allocator())?;
        let (block, start) = (heap.block(constant)?, heap.start()?);
        (block.0 == constant && constant >= start && effective < u64::from(start)).then_some((block, start))
    }

    /// Ends the run if it got beyond an object.
    pub(super) fn check_object(&mut self) -> Result<(), Stop> {
        let Some((_, object)) = self.overflow else { return Ok(()) };
        self.world.heap(|heap| {
            let is_block = heap.block(object.0) == Some(object);
            Err(if is_block { MemoryError::HeapOverflow } else { MemoryError::ObjectOverflow })
        })
    }

    /// Ends the run if the host has written beyond an object, at a place of the program.
    pub(super) fn check_delivered(&mut self, place: u32, slots: &[u64]) -> Result<(), Stop> {
        for (address, length) in std::mem::take(&mut self.world.delivered) {
            let object = self.object_with(address, place, slots);
            let is_beyond = |&(start, size): &(u32, u32)| {
                u64::from(address - start) + u64::from(length) > u64::from(size)
            };
            if let Some(object) = object.filter(is_beyond) {
                self.overflow = Some((place, object));
            }
        }
        self.check_object()
    }

    /// The object in static memory, or in a frame and in scope at an access, that contains an address.
    pub(super) fn object_at(&self, address: u32, access: &Access<'_>) -> Option<(u32, u32)> {
        self.object_with(address, access.place, access.slots)
    }

    /// The object in static memory, or in a frame and in scope at a place, that contains an address.
    fn object_with(&self, address: u32, place: u32, slots: &[u64]) -> Option<(u32, u32)> {
        let in_frame = || self.frames.find(self.program, address, place, slots);
        self.program.data_object(address).or_else(in_frame)
    }

    fn is_outside_of_heap(&self, address: u32) -> bool {
        self.world.heap.as_ref().is_none_or(|heap| heap.block(address).is_none())
    }
}
