//! Instructions on the memory as a whole, and on tables.

use crate::code::Instruction;
use crate::domain::{Domain, Stop};
use crate::machine::Machine;
use crate::module::Module;
use crate::trap::Trap;

impl Machine {
    pub(super) fn bulk<D: Domain>(
        &mut self,
        module: &Module,
        instruction: Instruction,
        (place, base): (u32, usize),
        domain: &mut D,
    ) -> Result<(), Stop> {
        let at = |slot: u32| base + slot as usize;
        let three = |slots: [u32; 3]| slots.map(at);
        match instruction {
            Instruction::MemorySize { result } => {
                domain.forget(at(result));
                self.slots[at(result)] = u64::from(self.memory.pages());
            }
            Instruction::MemoryGrow { result, delta } => {
                let pages = self.slots[at(delta)] as u32;
                domain.fix(place, at(delta), u64::from(pages))?;
                domain.forget(at(result));
                self.slots[at(result)] = u64::from(self.memory.grow(pages).unwrap_or(u32::MAX));
            }
            Instruction::MemoryFill { address, value, length } => {
                let slots = three([address, value, length]);
                let values = slots.map(|slot| self.slots[slot] as u32);
                domain.fill(place, slots, values, &self.memory)?;
                let range = self.memory.get_mut(u64::from(values[0]), values[2] as usize);
                range.ok_or(Trap::MemoryOutOfBounds)?.fill(values[1] as u8);
            }
            Instruction::MemoryCopy { to, from, length } => {
                let slots = three([to, from, length]);
                let values = slots.map(|slot| self.slots[slot] as u32);
                domain.move_bytes(place, slots, values, &self.memory)?;
                self.move_bytes(values)?;
            }
            Instruction::MemoryInit { segment, to } => {
                let [to, from, length] = self.fixed(place, three([to, to + 1, to + 2]), domain)?;
                let bytes: &[u8] = match self.dropped_data[segment as usize] {
                    true => &[],
                    false => &module.data[segment as usize].bytes,
                };
                let end = from as usize + length as usize;
                let bytes = bytes.get(from as usize..end).ok_or(Trap::MemoryOutOfBounds)?;
                let range = self.memory.get_mut(u64::from(to), length as usize);
                range.ok_or(Trap::MemoryOutOfBounds)?.copy_from_slice(bytes);
                domain.forget_bytes(to, length);
            }
            Instruction::DataDrop { segment } => self.dropped_data[segment as usize] = true,
            Instruction::TableInit { segment, table, to } => {
                let [to, from, length] = self.fixed(place, three([to, to + 1, to + 2]), domain)?;
                let elements: &[Option<u32>] = match self.dropped_elements[segment as usize] {
                    true => &[],
                    false => &module.elements[segment as usize].functions,
                };
                let end = from as usize + length as usize;
                let elements = elements.get(from as usize..end).ok_or(Trap::TableOutOfBounds)?;
                let table = &mut self.tables[table as usize];
                let range = table.get_mut(to as usize..to as usize + length as usize);
                range.ok_or(Trap::TableOutOfBounds)?.copy_from_slice(elements);
            }
            Instruction::ElementDrop { segment } => self.dropped_elements[segment as usize] = true,
            Instruction::TableCopy { to_table, from_table, to } => {
                let [to, from, length] = self.fixed(place, three([to, to + 1, to + 2]), domain)?;
                let (to, from, length) = (to as usize, from as usize, length as usize);
                let elements = self.tables[from_table as usize].get(from..from + length);
                let elements = elements.ok_or(Trap::TableOutOfBounds)?.to_vec();
                let range = self.tables[to_table as usize].get_mut(to..to + length);
                range.ok_or(Trap::TableOutOfBounds)?.copy_from_slice(&elements);
            }
            other => unreachable!("{other:?} has its place in the main loop"),
        }
        Ok(())
    }

    /// The values of slots, which are fixed for the domain.
    fn fixed<D: Domain>(&self, place: u32, slots: [usize; 3], domain: &mut D) -> Result<[u32; 3], Stop> {
        for slot in slots {
            domain.fix(place, slot, self.slots[slot] & 0xffff_ffff)?;
        }
        Ok(slots.map(|slot| self.slots[slot] as u32))
    }

    fn move_bytes(&mut self, [to, from, length]: [u32; 3]) -> Result<(), Trap> {
        let (to, from, length) = (to as usize, from as usize, length as usize);
        let size = self.memory.bytes().len();
        if to + length > size || from + length > size {
            return Err(Trap::MemoryOutOfBounds);
        }
        let bytes = self.memory.get_mut(0, size).ok_or(Trap::MemoryOutOfBounds)?;
        bytes.copy_within(from..from + length, to);
        Ok(())
    }
}
