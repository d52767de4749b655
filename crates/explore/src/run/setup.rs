//! The state in which a function can be called by itself: the module is initialised, and there are objects for the arguments.

use sundry_term::Control;
use sundry_wasm::{MachineLimits, Module, Signature, ValueType};

use super::{Replay, RunEnd, Runner, end_of};
use crate::function_call::{FunctionCall, PreparedCall};
use crate::heap::Heap;
use crate::host::{NoShadows, World, WorldOptions};
use crate::input::{Input, Variables};
use crate::program::{Program, ProgramError};

/// The function that initialises a module without a main function.
const INITIALISE: &str = "_initialize";

/// The function of the linker that initialises static objects, which the start of a command calls before its main function.
const CONSTRUCTORS: &str = "__wasm_call_ctors";

/// The bytes behind an object that belong to no other.
const GAP: u32 = 64;

/// The size of a page of memory in bytes.
const PAGE: u32 = 65_536;

impl Program {
    /// Makes a module ready for calls of one function: its initialisation runs without input, and its main function does not.
    ///
    /// # Errors
    /// The initialisation fails, or the objects of the arguments have no room.
    ///
    /// # Panics
    /// If the call does not have the arguments that the function takes.
    pub fn of_call(
        module: Module,
        limits: MachineLimits,
        call: FunctionCall,
        options: &WorldOptions,
        most_steps: u64,
        control: &Control,
    ) -> Result<Program, ProgramError> {
        let parameters = module.signature_of(call.function).parameters.len();
        assert_eq!(call.arguments.len(), parameters, "one argument for each parameter");
        let mut program = Program::of_module(module, call.function, limits)?;
        let mut runner = Runner::new(&program, options.clone(), most_steps, control);
        let mut heap = runner.initialise()?;
        let addresses = runner.make_objects(&call, &mut heap)?;
        let mut start = runner.machine;
        start.steps = 0;
        program.start = start;
        program.call = Some(PreparedCall { call, addresses, heap });
        Ok(program)
    }
}

impl Runner<'_> {
    /// Calls the functions that initialise a module, and returns the heap that they leave.
    fn initialise(&mut self) -> Result<Heap, ProgramError> {
        let module = &self.program.module;
        let constructors =
            module.exported_function(INITIALISE).or_else(|| self.program.function_named(CONSTRUCTORS));
        let mut heap = Heap::default();
        for function in module.start.into_iter().chain(constructors) {
            if module.signature_of(function).parameters.is_empty() {
                let (_, after) = self.call_plainly(function, &[], Some(heap))?;
                heap = after.unwrap_or_default();
                heap.end_calls();
            }
        }
        Ok(heap)
    }

    /// Makes the objects of a call, with gaps between them.
    fn make_objects(
        &mut self,
        call: &FunctionCall,
        heap: &mut Heap,
    ) -> Result<Vec<Option<u32>>, ProgramError> {
        let word = || vec![ValueType::I32];
        let signature = Signature { parameters: word(), results: word() };
        let module = &self.program.module;
        let malloc =
            self.program.function_named("malloc").filter(|&it| *module.signature_of(it) == signature);
        let mut addresses = Vec::new();
        let Some(malloc) = malloc else { return self.make_objects_at_the_end(call, heap) };
        for part in &call.parts {
            let Some(size) = part.size else {
                addresses.push(None);
                continue;
            };
            let whole = size.max(1).checked_add(GAP).ok_or(ProgramError::NoRoom)?;
            let (results, _) = self.call_plainly(malloc, &[u64::from(whole)], None)?;
            let address = results[0] as u32;
            let range = self.machine.memory.get_mut(u64::from(address), whole as usize);
            range.filter(|_| address != 0).ok_or(ProgramError::NoRoom)?.fill(0);
            heap.adopt(address, size.max(1));
            addresses.push(Some(address));
        }
        Ok(addresses)
    }

    /// Makes the objects of a call in pages that are added to the memory.
    fn make_objects_at_the_end(
        &mut self,
        call: &FunctionCall,
        heap: &mut Heap,
    ) -> Result<Vec<Option<u32>>, ProgramError> {
        let room = |size: u32| (size.max(1).checked_add(GAP)?).checked_next_multiple_of(16);
        let sizes = call.parts.iter().filter_map(|part| part.size);
        let whole = sizes
            .clone()
            .try_fold(GAP, |sum, size| sum.checked_add(room(size)?))
            .ok_or(ProgramError::NoRoom)?;
        if sizes.count() == 0 {
            return Ok(vec![None; call.parts.len()]);
        }
        let memory = &mut self.machine.memory;
        let first = memory.grow(whole.div_ceil(PAGE)).ok_or(ProgramError::NoRoom)?;
        let start = first.checked_mul(PAGE).ok_or(ProgramError::NoRoom)?;
        let mut next = start.checked_add(GAP).ok_or(ProgramError::NoRoom)?;
        heap.set_arena(start, start.saturating_add(whole));
        let mut addresses = Vec::new();
        for part in &call.parts {
            addresses.push(part.size.map(|_| next));
            if let Some(size) = part.size {
                heap.adopt(next, size.max(1));
                next = room(size).and_then(|room| next.checked_add(room)).ok_or(ProgramError::NoRoom)?;
            }
        }
        Ok(addresses)
    }

    /// Calls a function without input, and returns its results and the heap.
    fn call_plainly(
        &mut self,
        function: u32,
        arguments: &[u64],
        heap: Option<Heap>,
    ) -> Result<(Vec<u64>, Option<Heap>), ProgramError> {
        let (input, variables) = (Input::default(), Variables::default());
        self.machine.most_steps = self.machine.steps.saturating_add(self.most_steps);
        let mut domain = Replay {
            program: self.program,
            world: World::new(&self.options, &input, &variables, heap),
            trace: &mut self.trace,
            shadows: NoShadows { variables: &variables },
            control: &self.control,
        };
        let outcome = self.machine.call(&self.program.module, function, arguments, &mut domain);
        let World { ending, heap, .. } = domain.world;
        outcome.map(|results| (results, heap)).map_err(|stop| {
            let imports = self.program.module.imports.len();
            let name = (function as usize).checked_sub(imports).and_then(|it| self.program.names[it].clone());
            let end: RunEnd = end_of(Some(stop), ending);
            ProgramError::Initialisation {
                function: name.unwrap_or_else(|| format!("function {function}")),
                end,
            }
        })
    }
}
