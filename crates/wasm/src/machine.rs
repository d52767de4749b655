//! The state of an execution.

use crate::module::Module;
use crate::trap::Trap;

/// The size of a page of memory in bytes.
pub const PAGE: usize = 65_536;

/// The size of what a run has added to a memory, in bytes, up to which it is made zero for the next run; more is handed back to the system.
const LARGEST_REUSED: usize = 1 << 20;

/// A linear memory.
#[derive(Debug, Default)]
pub struct Memory {
    /// All bytes, and behind them zeros for the memory to grow into. The system hands out pages of zeros when they are first used.
    room: Vec<u8>,
    size: usize,
    /// The greatest number of pages.
    maximum: u32,
}

impl Clone for Memory {
    fn clone(&self) -> Memory {
        Memory { room: self.bytes().to_vec(), size: self.size, maximum: self.maximum }
    }

    fn clone_from(&mut self, start: &Memory) {
        let is_reused = self.room.len() >= start.size && self.size <= start.size + LARGEST_REUSED;
        if !is_reused {
            *self = start.clone();
            return;
        }
        self.room[..start.size].copy_from_slice(start.bytes());
        if self.size > start.size {
            self.room[start.size..self.size].fill(0);
        }
        (self.size, self.maximum) = (start.size, start.maximum);
    }
}

impl Memory {
    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.room[..self.size]
    }

    /// The bytes of a range, if it is inside.
    #[inline(always)]
    pub fn get(&self, address: u64, length: usize) -> Option<&[u8]> {
        let address = usize::try_from(address).ok()?;
        let end = address.checked_add(length).filter(|&end| end <= self.size)?;
        self.room.get(address..end)
    }

    /// The bytes of a range, if it is inside, to be changed.
    #[inline(always)]
    pub fn get_mut(&mut self, address: u64, length: usize) -> Option<&mut [u8]> {
        let address = usize::try_from(address).ok()?;
        let end = address.checked_add(length).filter(|&end| end <= self.size)?;
        self.room.get_mut(address..end)
    }

    /// The number of pages.
    pub fn pages(&self) -> u32 {
        (self.size / PAGE) as u32
    }

    /// Adds pages of zeros. Returns the number of pages before, or `None` if the memory cannot grow by so many.
    pub fn grow(&mut self, pages: u32) -> Option<u32> {
        let before = self.pages();
        let after = before.checked_add(pages).filter(|&after| after <= self.maximum)?;
        let size = after as usize * PAGE;
        if size > self.room.len() {
            let most = (self.maximum as usize).saturating_mul(PAGE);
            let wanted = (2 * self.room.len()).clamp(size, most.max(size));
            let mut room = zeros(wanted).or_else(|| zeros(size))?;
            room[..self.size].copy_from_slice(self.bytes());
            self.room = room;
        }
        self.size = size;
        Some(before)
    }

    /// Reads up to eight bytes, lowest first, if they are inside.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&self, address: u64) -> Result<[u8; N], Trap> {
        let bytes = self.get(address, N).ok_or(Trap::MemoryOutOfBounds)?;
        Ok(bytes.try_into().expect("the range has this length"))
    }
}

/// Zeros, if the system has room for so many.
fn zeros(count: usize) -> Option<Vec<u8>> {
    // There is no way to ask for zeros that may be refused, so that the room is asked for first.
    Vec::<u8>::new().try_reserve_exact(count).ok()?;
    Some(vec![0; count])
}

/// Limits of a machine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MachineLimits {
    /// The greatest number of pages of the memory, whatever the module allows.
    pub pages: u32,
    /// The greatest number of nested calls.
    pub calls: u32,
    /// The greatest number of slots of all frames.
    pub slots: u32,
}

impl Default for MachineLimits {
    /// 256 MiB of memory, 10,000 nested calls, and a million slots.
    fn default() -> Self {
        MachineLimits { pages: 4096, calls: 10_000, slots: 1_000_000 }
    }
}

/// A call that has not returned.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function, by its position in [`Module::functions`].
    pub function: u32,
    /// The position of the next instruction.
    pub next: u32,
    /// The first slot of its frame.
    pub base: u32,
}

/// The state of a module that runs: a copy of it can be taken at the start of each execution, into the machine of the last one.
#[derive(Debug)]
pub struct Machine {
    /// The memory.
    pub memory: Memory,
    /// Values of the globals.
    pub globals: Vec<u64>,
    /// Elements of the tables: indices of functions.
    pub tables: Vec<Vec<Option<u32>>>,
    /// Frames of functions.
    pub(crate) slots: Vec<u64>,
    /// Calls that wait for their callee, outermost first.
    pub(crate) calls: Vec<Call>,
    pub(crate) dropped_data: Vec<bool>,
    pub(crate) dropped_elements: Vec<bool>,
    pub(crate) limits: MachineLimits,
    /// Instructions executed, without those of the library.
    pub steps: u64,
    /// Instructions that may be executed.
    pub most_steps: u64,
    /// The number of steps when the library was called, which are those of the program when it goes on.
    pub(crate) steps_of_program: u64,
    /// The number of steps at which to look at limits.
    pub(crate) next_look: u64,
    /// The smallest number of calls that waited for their callee since half of the steps.
    pub(crate) fewest_calls: usize,
}

impl Clone for Machine {
    fn clone(&self) -> Machine {
        Machine {
            memory: self.memory.clone(),
            globals: self.globals.clone(),
            tables: self.tables.clone(),
            slots: self.slots.clone(),
            calls: self.calls.clone(),
            dropped_data: self.dropped_data.clone(),
            dropped_elements: self.dropped_elements.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, start: &Machine) {
        self.memory.clone_from(&start.memory);
        self.globals.clone_from(&start.globals);
        self.tables.clone_from(&start.tables);
        self.slots.clone_from(&start.slots);
        self.calls.clone_from(&start.calls);
        self.dropped_data.clone_from(&start.dropped_data);
        self.dropped_elements.clone_from(&start.dropped_elements);
        self.limits = start.limits;
        (self.steps, self.most_steps, self.next_look) = (start.steps, start.most_steps, start.next_look);
        (self.steps_of_program, self.fewest_calls) = (start.steps_of_program, start.fewest_calls);
    }
}

impl Machine {
    /// The state at the start: segments are copied, no function has run.
    ///
    /// # Errors
    /// A segment is outside of the memory or its table, or the memory is larger than the limit.
    pub fn new(module: &Module, limits: MachineLimits) -> Result<Machine, Trap> {
        let mut memory = Memory::default();
        if let Some(memory_type) = module.memory {
            memory.maximum = memory_type.maximum.unwrap_or(u32::MAX).min(limits.pages);
            memory.grow(memory_type.initial).ok_or(Trap::MemoryOutOfBounds)?;
        }
        let tables = module.tables.iter().map(|table| vec![None; table.size as usize]).collect();
        let mut machine = Machine {
            memory,
            globals: module.globals.iter().map(|global| global.value).collect(),
            tables,
            slots: Vec::new(),
            calls: Vec::new(),
            dropped_data: module.data.iter().map(|data| data.address.is_some()).collect(),
            dropped_elements: module.elements.iter().map(|elements| elements.is_dropped).collect(),
            limits,
            steps: 0,
            most_steps: u64::MAX,
            steps_of_program: 0,
            next_look: 0,
            fewest_calls: 0,
        };
        for elements in &module.elements {
            if let Some((table, place)) = elements.place {
                let end = place as usize + elements.functions.len();
                let table = &mut machine.tables[table as usize];
                let places = table.get_mut(place as usize..end).ok_or(Trap::TableOutOfBounds)?;
                places.copy_from_slice(&elements.functions);
            }
        }
        for data in &module.data {
            if let Some(address) = data.address {
                let range = machine.memory.get_mut(u64::from(address), data.bytes.len());
                range.ok_or(Trap::MemoryOutOfBounds)?.copy_from_slice(&data.bytes);
            }
        }
        Ok(machine)
    }

    /// Calls that have not returned, innermost last: the function, by its position in [`Module::functions`], and the number of the instruction in the module that it is at.
    /// After an execution that ended early, the innermost is where it ended.
    pub fn stack(&self, module: &Module) -> Vec<(u32, u32)> {
        let at = |call: &Call| {
            let first = module.functions[call.function as usize].first;
            (call.function, first + call.next.saturating_sub(1))
        };
        self.calls.iter().map(at).collect()
    }

    /// The slots of all calls that have not returned, after an execution that ended early: locals, constants and operands, also those that are not needed any more.
    pub fn open_slots(&self, module: &Module) -> &[u64] {
        let end = |call: &Call| call.base as usize + module.functions[call.function as usize].slots as usize;
        &self.slots[..self.calls.last().map_or(0, end).min(self.slots.len())]
    }

    /// The part of the [`stack`](Self::stack) that has not returned since half of the steps: after an execution that executed more than it may, its innermost call is the
    /// one that does not end.
    pub fn endless_stack(&self, module: &Module) -> Vec<(u32, u32)> {
        let mut stack = self.stack(module);
        stack.truncate(self.fewest_calls + 1);
        stack
    }

    /// The value of a slot of the stack of frames.
    pub fn slot(&self, slot: usize) -> u64 {
        self.slots.get(slot).copied().unwrap_or(0)
    }
}
