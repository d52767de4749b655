//! The interpreter.

mod bulk;

use crate::code::{Function, Instruction};
use crate::domain::{Access, Domain, Stop};
use crate::machine::{Call, Machine};
use crate::module::Module;
use crate::trap::Trap;

/// Instructions between two looks at limits.
const STEPS_BETWEEN_LOOKS: u64 = 1 << 14;

/// A place among the functions and their frames.
struct Position<'m> {
    /// The function, by its position in [`Module::functions`], or in the library.
    number: u32,
    is_library: bool,
    function: &'m Function,
    /// The first slot of its frame.
    base: usize,
    /// The position of the next instruction.
    next: usize,
}

impl Machine {
    /// Calls a function with arguments, and returns its results.
    ///
    /// ```
    /// use sundry_wasm::{Machine, MachineLimits, Module, Plain};
    ///
    /// let bytes = wast::parser::parse::<wast::Wat>(&wast::parser::ParseBuffer::new(
    ///     "(module (func (export \"double\") (param i32) (result i32) (i32.add (local.get 0) (local.get 0))))",
    /// )?)?.encode()?;
    /// let module = Module::read(&bytes)?;
    /// let mut machine = Machine::new(&module, MachineLimits::default())?;
    /// let function = module.exported_function("double").unwrap();
    /// assert_eq!(machine.call(&module, function, &[21], &mut Plain), Ok(vec![42]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The reason why the execution ended early. [`stack`](Self::stack) says where.
    ///
    /// # Panics
    /// When the number of arguments is not that of the parameters.
    pub fn call<D: Domain>(
        &mut self,
        module: &Module,
        function: u32,
        arguments: &[u64],
        domain: &mut D,
    ) -> Result<Vec<u64>, Stop> {
        let signature = module.signature_of(function);
        let results = signature.results.len();
        assert_eq!(arguments.len(), signature.parameters.len(), "one argument for each parameter");
        self.calls.clear();
        self.next_look = 0;
        self.slots.clear();
        self.slots.extend(arguments);
        match (function as usize).checked_sub(module.imports.len()) {
            None => {
                self.slots.resize(arguments.len().max(results), 0);
                domain.call_import(0, function, 0, &mut self.slots, &mut self.memory)?;
            }
            Some(number) => {
                let mut position = self.enter(module, number as u32, 0, 0, domain)?;
                let outcome = self.run(module, &mut position, domain);
                if position.is_library {
                    // The program is at the call, as the last one of all.
                    self.steps = self.steps_of_program;
                } else if outcome.is_err() {
                    // The stack says where the execution has ended.
                    self.calls.push(Call {
                        function: position.number,
                        next: position.next as u32,
                        base: position.base as u32,
                    });
                }
                outcome?;
            }
        }
        Ok(self.slots[..results].to_vec())
    }

    /// Makes the frame of a function whose arguments are in place.
    #[inline]
    fn enter<'m, D: Domain>(
        &mut self,
        module: &'m Module,
        number: u32,
        base: usize,
        place: u32,
        domain: &mut D,
    ) -> Result<Position<'m>, Stop> {
        let function = &module.functions[number as usize];
        let end = self.make_room(function, base)?;
        let parameters = function.parameters as usize;
        domain.enter(place, number, base..end, &self.slots[base..base + parameters])?;
        self.fill_frame(function, base);
        Ok(Position { number, is_library: false, function, base, next: 0 })
    }

    /// Makes room for a frame, and returns the slot behind it.
    #[inline]
    fn make_room(&mut self, function: &Function, base: usize) -> Result<usize, Stop> {
        let end = base + function.slots as usize;
        if end > self.slots.len() {
            if end > self.limits.slots as usize {
                return Err(Trap::StackExhausted.into());
            }
            self.slots.resize(end, 0);
        }
        Ok(end)
    }

    /// Gives the locals and constants of a frame their values at the start.
    #[inline]
    fn fill_frame(&mut self, function: &Function, base: usize) {
        let constants = function.slots_of_constants();
        self.slots[base + function.parameters as usize..base + constants.start].fill(0);
        self.slots[base + constants.start..base + constants.end].copy_from_slice(&function.constants);
    }

    /// Enters a function that the present one calls.
    #[inline]
    fn call_from<'m, D: Domain>(
        &mut self,
        module: &'m Module,
        caller: &mut Position<'m>,
        number: u32,
        base: u32,
        domain: &mut D,
    ) -> Result<(), Stop> {
        if self.calls.len() >= self.limits.calls as usize {
            return Err(Trap::StackExhausted.into());
        }
        let place = caller.place();
        let callee = self.enter(module, number, caller.base + base as usize, place, domain)?;
        self.calls.push(Call { function: caller.number, next: caller.next as u32, base: caller.base as u32 });
        *caller = callee;
        Ok(())
    }

    /// Enters a function of the library.
    fn call_library<'m, D: Domain>(
        &mut self,
        module: &'m Module,
        caller: &mut Position<'m>,
        number: u32,
        base: u32,
        domain: &mut D,
    ) -> Result<(), Stop> {
        let function = &module.library[number as usize];
        let base = caller.base + base as usize;
        let end = self.make_room(function, base)?;
        domain.enter_library(base..end, function.parameters as usize);
        self.fill_frame(function, base);
        self.steps_of_program = self.steps;
        self.calls.push(Call { function: caller.number, next: caller.next as u32, base: caller.base as u32 });
        *caller = Position { number, is_library: true, function, base, next: 0 };
        Ok(())
    }

    fn run<'m, D: Domain>(
        &mut self,
        module: &'m Module,
        position: &mut Position<'m>,
        domain: &mut D,
    ) -> Result<(), Stop> {
        loop {
            let instruction = position.function.code[position.next];
            position.next += 1;
            self.steps += 1;
            let base = position.base;
            let at = |slot: u32| base + slot as usize;
            match instruction {
                Instruction::Unary { op, result, operand } => {
                    let value = self.slots[at(operand)];
                    domain.unary(position.place(), op, at(result), at(operand), value)?;
                    self.slots[at(result)] = op.apply(value)?;
                }
                Instruction::Binary { op, result, left, right } => {
                    let values = (self.slots[at(left)], self.slots[at(right)]);
                    domain.binary(position.place(), op, at(result), (at(left), at(right)), values)?;
                    self.slots[at(result)] = op.apply(values.0, values.1)?;
                }
                Instruction::Load { op, result, address, offset } => {
                    let effective = (self.slots[at(address)] & 0xffff_ffff) + u64::from(offset);
                    let (place, slots) = (position.place(), &self.slots[..]);
                    let access = Access { place, address: at(address), offset, effective, slots };
                    domain.load(access, op, at(result), &self.memory)?;
                    let read = match op.bytes {
                        1 => u64::from(self.memory.read::<1>(effective)?[0]),
                        2 => u64::from(u16::from_le_bytes(self.memory.read(effective)?)),
                        4 => u64::from(u32::from_le_bytes(self.memory.read(effective)?)),
                        _ => u64::from_le_bytes(self.memory.read(effective)?),
                    };
                    self.slots[at(result)] = op.extend(read);
                }
                Instruction::Store { bytes, address, value, offset } => {
                    let effective = (self.slots[at(address)] & 0xffff_ffff) + u64::from(offset);
                    let (place, slots) = (position.place(), &self.slots[..]);
                    let access = Access { place, address: at(address), offset, effective, slots };
                    let word = self.slots[at(value)];
                    domain.store(access, bytes, (at(value), word), &self.memory)?;
                    let bytes = bytes as usize;
                    let range = self.memory.get_mut(effective, bytes).ok_or(Trap::MemoryOutOfBounds)?;
                    range.copy_from_slice(&word.to_le_bytes()[..bytes]);
                }
                Instruction::Copy { result, source } => {
                    domain.copy(at(result), at(source));
                    self.slots[at(result)] = self.slots[at(source)];
                }
                Instruction::Constant { result, low, high } => {
                    domain.forget(at(result));
                    self.slots[at(result)] = u64::from(low) | (u64::from(high) << 32);
                }
                Instruction::GlobalGet { result, global } => {
                    domain.global_get(at(result), global);
                    self.slots[at(result)] = self.globals[global as usize];
                }
                Instruction::GlobalSet { global, source } => {
                    let value = self.slots[at(source)];
                    domain.global_set(position.place(), global, (at(source), value))?;
                    self.globals[global as usize] = value;
                }
                Instruction::Select { result, condition, then, otherwise } => {
                    let is_nonzero = self.slots[at(condition)] as u32 != 0;
                    domain.select(
                        position.place(),
                        at(result),
                        (at(condition), is_nonzero),
                        (at(then), at(otherwise)),
                    )?;
                    self.slots[at(result)] = self.slots[at(if is_nonzero { then } else { otherwise })];
                }
                Instruction::Jump { target } => self.jump(position, target, domain)?,
                Instruction::Branch { condition, target, is_inverted } => {
                    let is_nonzero = self.slots[at(condition)] as u32 != 0;
                    domain.branch(position.place(), at(condition), is_nonzero)?;
                    if is_nonzero != is_inverted {
                        self.jump(position, target, domain)?;
                    }
                }
                Instruction::Table { index, first, count } => {
                    let value = self.slots[at(index)] as u32;
                    let targets = &position.function.targets[first as usize..(first + count) as usize];
                    domain.table(position.place(), (at(index), value), targets)?;
                    self.jump(position, targets[value.min(count - 1) as usize], domain)?;
                }
                Instruction::Call { function, base } => {
                    self.call_from(module, position, function, base, domain)?;
                }
                Instruction::CallImport { import, base } => {
                    self.call_import(position, import, base, domain)?;
                }
                Instruction::CallLibrary { function, base } => {
                    self.call_library(module, position, function, base, domain)?;
                }
                Instruction::CallIndirect { signature, table, index, base } => {
                    let value = self.slots[at(index)] as u32;
                    let functions = &self.tables[table as usize];
                    domain.indirect(position.place(), (at(index), value), functions)?;
                    let function = *functions.get(value as usize).ok_or(Trap::TableOutOfBounds)?;
                    let function = function.ok_or(Trap::NullFunction)?;
                    if module.type_of(function) != signature {
                        return Err(Trap::SignatureMismatch.into());
                    }
                    match function.checked_sub(module.imports.len() as u32) {
                        None => self.call_import(position, function, base, domain)?,
                        Some(number) => self.call_from(module, position, number, base, domain)?,
                    }
                }
                Instruction::Return => {
                    let Some(call) = self.calls.pop() else { return Ok(()) };
                    self.fewest_calls = self.fewest_calls.min(self.calls.len());
                    let result = self.slots[base];
                    let function = &module.functions[call.function as usize];
                    let (number, next, was_library) =
                        (call.function, call.next as usize, position.is_library);
                    *position =
                        Position { number, is_library: false, function, base: call.base as usize, next };
                    if was_library {
                        self.steps = self.steps_of_program;
                    } else {
                        domain.leave(position.place(), result, &self.memory);
                    }
                }
                Instruction::Trap { trap } => return Err(trap.into()),
                Instruction::Unsupported { number } => return Err(Stop::Unsupported(number)),
                _ => self.bulk(module, instruction, (position.place(), base), domain)?,
            }
        }
    }

    /// Continues elsewhere in the same function.
    #[inline(always)]
    fn jump<D: Domain>(
        &mut self,
        position: &mut Position<'_>,
        target: u32,
        domain: &mut D,
    ) -> Result<(), Stop> {
        // Every loop jumps backwards, so that this is where to look at the limit.
        let is_due = self.steps >= self.next_look && !position.is_library;
        if (target as usize) < position.next && is_due {
            self.look(domain)?;
        }
        position.next = target as usize;
        Ok(())
    }

    /// Looks at the limit, and lets the domain do so.
    #[cold]
    fn look<D: Domain>(&mut self, domain: &mut D) -> Result<(), Stop> {
        if self.steps > self.most_steps {
            return Err(Stop::Steps);
        }
        if self.steps <= self.most_steps / 2 {
            self.fewest_calls = self.calls.len();
        }
        self.next_look = (self.steps + STEPS_BETWEEN_LOOKS).min(self.most_steps.saturating_add(1));
        domain.look()
    }

    fn call_import<D: Domain>(
        &mut self,
        position: &Position<'_>,
        import: u32,
        base: u32,
        domain: &mut D,
    ) -> Result<(), Stop> {
        if self.steps >= self.next_look {
            self.look(domain)?;
        }
        let base = position.base + base as usize;
        domain.call_import(position.place(), import, base, &mut self.slots, &mut self.memory)
    }
}

impl Position<'_> {
    /// The number of the present instruction in the module.
    #[inline(always)]
    fn place(&self) -> u32 {
        self.function.first + self.next as u32 - 1
    }
}
