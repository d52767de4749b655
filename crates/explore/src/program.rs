//! A program to explore: a module, the functions of the host that it imports, and its state before it runs.

use std::fmt;
use std::ops::Range;

use sundry_wasm::{Machine, MachineLimits, Module, ModuleError, Trap, ValueType};

use crate::function_call::PreparedCall;
use crate::heap::{Heap, LEAST_ADDRESS};
use crate::host::HostFunction;
use crate::objects::FrameLayout;
use crate::run::RunEnd;

/// The name of the function at which commands begin.
const ENTRY: &str = "_start";

/// The name of the segment of constant data.
const CONSTANTS: &str = ".rodata";

/// A module that is ready to be run.
pub struct Program {
    /// The module.
    pub module: Module,
    /// For each imported function, what it does, or `None` if the host has no such function.
    pub host: Vec<Option<HostFunction>>,
    /// The index of the function at which the program begins.
    pub entry: u32,
    /// The call of the entry with symbolic arguments, where it is one of a function that is explored by itself.
    pub(crate) call: Option<PreparedCall>,
    /// The state at the start of every run.
    pub start: Machine,
    /// Objects in the data of the module: start and size, ascending. Empty where nothing is known of them.
    data_objects: Vec<(u32, u32)>,
    /// Objects in the frames of functions, by their positions in [`Module::functions`]. Empty where nothing is known of them.
    pub frame_layouts: Vec<Option<FrameLayout>>,
    /// Whether a function is of a library, by its position in [`Module::functions`]. Empty where nothing is known of that.
    pub is_library: Vec<bool>,
    /// The address at which the stack in memory begins, which grows towards lower addresses.
    pub stack_top: Option<u32>,
    /// The address behind all data that is known, if it is below the stack.
    pub stack_end: u32,
    /// Names of functions, by their positions in [`Module::functions`].
    pub names: Vec<Option<String>>,
    /// The position in [`Module::functions`] of the code of the C library that calls `main`, if it is there.
    start_code: Option<usize>,
    /// The addresses of constant data.
    constants: Range<u32>,
}

/// The reason why a module cannot be run.
#[derive(Debug)]
pub enum ProgramError {
    /// The module cannot be read.
    Module(ModuleError),
    /// The module has no function at which a program begins.
    NoEntry,
    /// The entry takes arguments.
    EntryWithParameters,
    /// The state at the start cannot be made.
    Start(Trap),
    /// The initialisation of the module, in the function of this name, has not returned.
    Initialisation {
        /// The function.
        function: String,
        /// The end of the run.
        end: RunEnd,
    },
    /// There is no room in memory for the objects that arguments lead to.
    NoRoom,
    /// The memory at the start is larger than is supported.
    TooMuchMemory {
        /// The size in pages of 64 KiB.
        pages: u32,
        /// The greatest size.
        most: u32,
    },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramError::Module(error) => error.fmt(f),
            ProgramError::NoEntry => write!(
                f,
                "the module exports no function `{ENTRY}`; a program has one, a library that was linked without `main` has none"
            ),
            ProgramError::EntryWithParameters => write!(f, "the function `{ENTRY}` takes arguments"),
            ProgramError::TooMuchMemory { pages, most } => write!(
                f,
                "the module needs {} MiB of memory at the start; at most {} MiB are supported",
                pages.div_ceil(16),
                most / 16
            ),
            ProgramError::Start(trap) => write!(f, "the module cannot be set up: {trap}"),
            ProgramError::Initialisation { function, end } => {
                write!(f, "the initialisation of the module in `{function}` does not return: ")?;
                match end {
                    RunEnd::Trap(trap) => trap.fmt(f),
                    RunEnd::Exit(status) => write!(f, "it ends the program with status {status}"),
                    RunEnd::Steps => f.write_str("it needs more than --steps instructions"),
                    RunEnd::Host(ending) => ending.fmt(f),
                    RunEnd::Unsupported(_) => f.write_str("an instruction is not supported"),
                    RunEnd::Returned => f.write_str("it returns"),
                }
            }
            ProgramError::NoRoom => f.write_str(
                "there is no room in memory for the objects of the arguments; make them smaller or fewer",
            ),
        }
    }
}

impl std::error::Error for ProgramError {}

impl Program {
    /// Whether an instruction, by its number, is in a function of a library: of one that the program has, or of that for floats.
    pub fn is_in_library(&self, instruction: u32) -> bool {
        let is_of_program =
            || !self.is_library.is_empty() && self.is_library[self.module.locate(instruction).0];
        self.module.is_in_library(instruction) || is_of_program()
    }

    /// Whether an instruction, by its number, is in the code of the C library that puts the arguments into memory and calls `main`.
    pub(crate) fn is_start_code(&self, instruction: u32) -> bool {
        self.start_code.is_some_and(|position| self.module.locate(instruction).0 == position)
    }

    /// Reads a module and makes its state at the start.
    ///
    /// # Errors
    /// The module is invalid, needs what is not supported, or is no program.
    pub fn read(bytes: &[u8], limits: MachineLimits) -> Result<Program, ProgramError> {
        Program::of_command(Module::read(bytes).map_err(ProgramError::Module)?, limits)
    }

    /// Makes the state of a module at the start.
    ///
    /// # Errors
    /// The module is no program.
    pub fn of_command(module: Module, limits: MachineLimits) -> Result<Program, ProgramError> {
        let entry = module.exported_function(ENTRY).ok_or(ProgramError::NoEntry)?;
        if !module.signature_of(entry).parameters.is_empty() {
            return Err(ProgramError::EntryWithParameters);
        }
        Program::of_module(module, entry, limits)
    }

    /// A program that begins at a function of a module.
    ///
    /// # Errors
    /// The state at the start cannot be made.
    pub(crate) fn of_module(
        module: Module,
        entry: u32,
        limits: MachineLimits,
    ) -> Result<Program, ProgramError> {
        let host = module
            .imports
            .iter()
            .map(|import| {
                let function = HostFunction::named(&import.module, &import.name)?;
                (module.signatures[import.signature as usize] == function.signature()).then_some(function)
            })
            .collect();
        let pages = module.memory.map_or(0, |memory| memory.initial);
        if pages > limits.pages {
            return Err(ProgramError::TooMuchMemory { pages, most: limits.pages });
        }
        let start = Machine::new(&module, limits).map_err(ProgramError::Start)?;
        let names = module.names.clone();
        let constants = constants(&module);
        let first =
            module.globals.first().filter(|global| global.value_type == ValueType::I32 && global.value > 0);
        let stack_top = first.map(|global| global.value as u32);
        let ends = module.data.iter().filter_map(|data| Some(data.address? + data.bytes.len() as u32));
        let data_end = ends.max().unwrap_or(0);
        // Linkers may also put the stack first. What is near address 0 belongs to nothing.
        let is_behind_data = stack_top.is_some_and(|top| data_end < top);
        let stack_end = if is_behind_data { data_end.max(LEAST_ADDRESS) } else { LEAST_ADDRESS };
        Ok(Program {
            module,
            host,
            entry,
            call: None,
            start,
            data_objects: Vec::new(),
            frame_layouts: Vec::new(),
            is_library: Vec::new(),
            stack_top,
            stack_end,
            start_code: start_code(&names),
            constants,
            names,
        })
    }

    /// The blocks of the heap at the start of a run.
    pub(crate) fn heap(&self) -> Heap {
        let mut heap = self.call.as_ref().map_or_else(Heap::default, |call| call.heap.clone());
        heap.set_constants(self.constants.clone());
        heap
    }

    /// The index of the function of this name, exported or not.
    pub(crate) fn function_named(&self, name: &str) -> Option<u32> {
        let imports = self.module.imports.len() as u32;
        let known = self.names.iter().position(|known| known.as_deref() == Some(name));
        known.map(|position| imports + position as u32).or_else(|| self.module.exported_function(name))
    }

    /// Says which objects the data of the module consists of: start and size, ascending and apart.
    pub fn set_data_objects(&mut self, objects: Vec<(u32, u32)>) {
        let end = objects.iter().map(|&(start, size)| start.saturating_add(size)).max().unwrap_or(0);
        if self.stack_top.is_some_and(|top| end <= top) {
            self.stack_end = self.stack_end.max(end);
        }
        self.data_objects = objects;
    }

    /// The objects in the frames of a function.
    pub fn frame_layout(&self, function: u32) -> Option<&FrameLayout> {
        self.frame_layouts.get(function as usize)?.as_ref()
    }

    /// Whether a global is the pointer to the stack in memory, which compilers make the first global.
    pub fn is_stack_pointer(&self, global: u32) -> bool {
        global == 0 && self.stack_top.is_some()
    }

    /// The object in the data that contains an address: its start and size.
    pub fn data_object(&self, address: u32) -> Option<(u32, u32)> {
        let behind = self.data_objects.partition_point(|object| object.0 <= address);
        let &(start, size) = self.data_objects.get(behind.checked_sub(1)?)?;
        (address - start < size).then_some((start, size))
    }

    /// Imported functions that the host does not have, as `module.name`. A run ends where it calls one.
    pub fn missing_imports(&self) -> Vec<String> {
        let imports = self.module.imports.iter().zip(&self.host);
        imports
            .filter(|(_, host)| host.is_none())
            .map(|(import, _)| format!("{}.{}", import.module, import.name))
            .collect()
    }
}

/// The addresses of the first segment of constant data, which linkers make one.
fn constants(module: &Module) -> Range<u32> {
    let first = module.data.iter().find(|data| data.name.as_deref() == Some(CONSTANTS));
    let range = first.and_then(|data| Some((data.address?, data.bytes.len() as u32)));
    range.map_or(0..0, |(start, length)| start..start.saturating_add(length))
}

/// The position of the function that puts the arguments into memory and calls `main`, among functions of these names. Without parameters, the main function of a program is
/// called as that function is, or otherwise, and never `main`.
fn start_code(names: &[Option<String>]) -> Option<usize> {
    let position = |name: &str| names.iter().position(|known| known.as_deref() == Some(name));
    position("main").or_else(|| position("__main_argc_argv"))?;
    position("__main_void")
}
