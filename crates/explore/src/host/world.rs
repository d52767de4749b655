//! The world of one run: descriptors, output, time.

use std::collections::HashMap;
use std::fmt;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_term::Control;
use sundry_wasm::{Memory, Stop};

use super::made::MadeFiles;
use super::process::FIRST_LOOK;
use super::{HostFunction, Shadows, errno};
use crate::heap::{Heap, MemoryError};
use crate::input::{Input, SourceKind, Variables};
use crate::program::Program;

/// Contents of a world besides its input.
#[derive(Clone, Debug, Default)]
pub struct WorldOptions {
    /// The name of the program, and arguments that are no sources: `None` stands for the next argument that is one.
    pub arguments: Vec<Option<String>>,
    /// Variables of the environment, as `NAME=value`.
    pub environment: Vec<String>,
    /// The seed of everything random.
    pub seed: u64,
    /// Whether exits with different statuses are different paths, which explorations set where a status may be an error.
    pub status_matters: bool,
}

/// Bytes that a program has written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// The standard output, its first bytes.
    pub stdout: Vec<u8>,
    /// The standard error, its first bytes.
    pub stderr: Vec<u8>,
}

/// The reason why the host has ended a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A function that the host does not have was called, by its import.
    MissingImport(u32),
    /// The program has made an error in its use of memory.
    Memory(MemoryError),
    /// An assumption does not hold.
    Assumption,
    /// A limit or a person has ended the exploration.
    Interrupted,
    /// An assertion of `sundry.h` has failed: expression, file, line, function.
    Assertion {
        /// The asserted expression.
        expression: String,
        /// The source file.
        file: String,
        /// The line.
        line: u32,
    },
    /// The program has reported an error of its own.
    Reported {
        /// The source file.
        file: String,
        /// The line.
        line: u32,
        /// The message.
        message: String,
    },
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::MissingImport(_) => f.write_str("a function that is not there was called"),
            Ending::Memory(error) => error.fmt(f),
            Ending::Interrupted => f.write_str("interrupted"),
            Ending::Assumption => f.write_str("an assumption does not hold"),
            Ending::Assertion { expression, file, line } => {
                write!(f, "assertion `{expression}` failed at {file}:{line}")
            }
            Ending::Reported { file, line, message } => {
                write!(f, "the program reports: {message} at {file}:{line}")
            }
        }
    }
}

/// Something that a descriptor refers to.
#[derive(Clone, Debug)]
pub(super) enum Descriptor {
    /// Bytes of the input.
    Source { number: usize, position: u32 },
    /// The standard output or error.
    Output { is_error: bool },
    /// A file that the program has made, with the rights that the program has asked for. Where it appends, each write goes to the end.
    Made { file: usize, position: u32, appends: bool, rights: u64 },
    /// The directory of all files.
    Directory,
    /// An input without bytes.
    Empty,
}

/// The greatest number of open descriptors.
pub(super) const MOST_DESCRIPTORS: usize = 1024;

/// Everything that a run can see and change outside of its module.
pub struct World<'a> {
    pub(super) input: &'a Input,
    pub(super) options: &'a WorldOptions,
    pub(super) descriptors: Vec<Option<Descriptor>>,
    /// Files that the program has made.
    pub(super) made: MadeFiles,
    pub(super) nanoseconds: u64,
    pub(super) random: ChaCha8Rng,
    /// The number of bytes that the program has got from the symbolic clock and from symbolic randomness.
    pub(super) taken: [u32; 2],
    /// Whether the program has asked a source of fixed size for more than it has, so that the rest is fixed.
    pub has_exceeded: bool,
    /// For each name, how often it has been declared symbolic.
    declared: HashMap<String, u32>,
    /// The ranges (address, length) of memory to which the last reads have brought bytes.
    pub delivered: Vec<(u32, u32)>,
    /// Bytes that the program has written.
    pub output: Output,
    /// The blocks of the heap, where accesses are checked.
    pub heap: Option<Heap>,
    /// The reason why the host has ended the run.
    pub ending: Option<Ending>,
}

impl<'a> World<'a> {
    /// The world in which a program starts with an input.
    pub fn new(
        options: &'a WorldOptions,
        input: &'a Input,
        variables: &Variables,
        heap: Option<Heap>,
    ) -> World<'a> {
        let stdin = match variables.find(&SourceKind::Stdin) {
            Some(number) => Descriptor::Source { number, position: 0 },
            None => Descriptor::Empty,
        };
        let outputs = [false, true].map(|is_error| Some(Descriptor::Output { is_error }));
        let descriptors =
            [Some(stdin)].into_iter().chain(outputs).chain([Some(Descriptor::Directory)]).collect();
        World {
            input,
            options,
            descriptors,
            made: MadeFiles::default(),
            nanoseconds: FIRST_LOOK,
            random: ChaCha8Rng::seed_from_u64(options.seed),
            taken: [0; 2],
            has_exceeded: false,
            declared: HashMap::new(),
            delivered: Vec::new(),
            output: Output::default(),
            heap,
            ending: None,
        }
    }

    /// Changes or checks the heap, if it is watched.
    ///
    /// # Errors
    /// The run ends with an error in the use of memory.
    #[inline]
    pub fn heap(&mut self, change: impl FnOnce(&mut Heap) -> Result<(), MemoryError>) -> Result<(), Stop> {
        let Some(heap) = &mut self.heap else { return Ok(()) };
        change(heap).map_err(|error| {
            self.ending = Some(Ending::Memory(error));
            Stop::Domain
        })
    }

    /// Ends the run if the control has ended.
    ///
    /// # Errors
    /// The control has ended.
    pub fn look(&mut self, control: &Control) -> Result<(), Stop> {
        if control.stopped() {
            self.ending = Some(Ending::Interrupted);
            return Err(Stop::Domain);
        }
        Ok(())
    }

    /// Calls an imported function of a program: the number of the call instruction, the import, and the slot of the first argument.
    ///
    /// # Errors
    /// The run ends here, also because the host has no such function.
    pub fn call_import<S: Shadows>(
        &mut self,
        program: &Program,
        (place, import, base): (u32, u32, usize),
        values: &mut [u64],
        memory: &mut Memory,
        shadows: &mut S,
    ) -> Result<(), Stop> {
        self.delivered.clear();
        match program.host[import as usize] {
            Some(function) => self.call(function, (place, base), values, memory, shadows),
            None => {
                self.ending = Some(Ending::MissingImport(import));
                Err(Stop::Domain)
            }
        }
    }

    /// Calls a function with arguments in `values`, which takes the result; `base` is the slot of the first.
    ///
    /// # Errors
    /// The run ends here: with a status, or for the reason in [`ending`](Self::ending).
    fn call<S: Shadows>(
        &mut self,
        function: HostFunction,
        (place, base): (u32, usize),
        values: &mut [u64],
        memory: &mut Memory,
        shadows: &mut S,
    ) -> Result<(), Stop> {
        let signature = function.signature();
        let count = signature.parameters.len();
        let mut arguments = [0; 9];
        arguments[..count].copy_from_slice(&values[..count]);
        let mut call = Call { arguments, place, base, memory, shadows };
        let result = match function {
            HostFunction::Assume => self.assume(&mut call)?,
            HostFunction::Symbolic => self.declare_symbolic(&mut call)?,
            HostFunction::ProcExit if !self.options.status_matters => self.answer(function, &mut call)?,
            _ => {
                for (number, &value) in arguments[..count].iter().enumerate() {
                    call.shadows.fix_slot(place, base + number, value)?;
                }
                self.answer(function, &mut call)?
            }
        };
        if !signature.results.is_empty() {
            shadows.forget_slot(base);
            values[0] = result;
        }
        Ok(())
    }

    fn answer<S: Shadows>(&mut self, function: HostFunction, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        use HostFunction::*;
        match function {
            ArgsGet => self.arguments(call),
            ArgsSizesGet => self.argument_sizes(call),
            EnvironGet => self.environment(call),
            EnvironSizesGet => self.environment_sizes(call),
            ClockResGet => call.write_word(1, &1_u64.to_le_bytes()),
            ClockTimeGet => self.time(call),
            FdClose => self.close(call),
            FdFdstatGet => self.descriptor_status(call),
            FdFilestatGet => self.file_status(call),
            FdPrestatGet => self.directory(call),
            FdPrestatDirName => self.directory_name(call),
            FdRead => self.read(call),
            FdPread => self.read_at(call),
            FdSeek => self.seek(call),
            FdTell => self.position(call),
            FdWrite => self.write(call),
            FdPwrite => self.write_at(call),
            PathOpen => self.open(call),
            PathFilestatGet => self.path_status(call),
            FdFilestatSetSize => Ok(self.set_size(call)),
            FdAdvise | FdAllocate | FdDatasync | FdSync | FdFdstatSetFlags | FdFdstatSetRights
            | FdFilestatSetTimes | SchedYield => Ok(errno::SUCCESS),
            FdReaddir => self.list(call),
            FdRenumber => self.renumber(call),
            PollOneoff => self.poll(call),
            PathUnlinkFile => self.unlink(call),
            PathRename => self.rename(call),
            // Operating systems keep eight bits.
            ProcExit => Err(Stop::Exit(call.word(0) & 0xff)),
            RandomGet => self.random_bytes(call),
            AssertFail => self.fail_assertion(call),
            ReportError => self.report_error(call),
            SilentExit => Err(Stop::Exit(call.word(0))),
            IsSymbolic => Ok(u64::from(call.shadows.is_symbolic(call.word(0), 1))),
            PathCreateDirectory | PathFilestatSetTimes | PathLink | PathReadlink | PathRemoveDirectory
            | PathSymlink | ProcRaise | SockAccept | SockRecv | SockSend | SockShutdown => Ok(errno::NOSYS),
            Assume | Symbolic => unreachable!("they take symbolic arguments"),
        }
    }

    fn declare_symbolic<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        for number in 0..3 {
            call.shadows.fix_slot(call.place, call.base + number, call.arguments[number])?;
        }
        let (address, size) = (call.word(0), call.word(1));
        let name = call.text(2)?;
        let name = if name.is_empty() { "unnamed".to_string() } else { name };
        if call.memory.get(u64::from(address), size as usize).is_none() || size > MOST_SYMBOLIC {
            return Err(sundry_wasm::Trap::MemoryOutOfBounds.into());
        }
        let time = self.declared.entry(name.clone()).or_default();
        let kind = SourceKind::Memory(name, *time);
        *time += 1;
        let source = call.shadows.declare(kind, size);
        let bytes = source.map_or_else(Vec::new, |source| call.shadows.variables().bytes(self.input, source));
        let range = call.memory.get_mut(u64::from(address), size as usize).expect("it is inside");
        range.fill(0);
        let known = bytes.len().min(range.len());
        range[..known].copy_from_slice(&bytes[..known]);
        if let Some(source) = source {
            // Under this name, another path may have declared less or more.
            call.shadows.place_source(source, 0..known as u32, address);
            self.has_exceeded |= (known as u32) < size;
        }
        Ok(0)
    }

    fn assume<S: Shadows>(&mut self, call: &mut Call<'_, S>) -> Result<u64, Stop> {
        call.shadows.assume(call.place, call.base, call.word(0))?;
        if call.word(0) == 0 {
            self.ending = Some(Ending::Assumption);
            return Err(Stop::Domain);
        }
        Ok(0)
    }
}

/// The greatest number of bytes that a program can declare symbolic at once.
const MOST_SYMBOLIC: u32 = 1 << 20;

/// A call of a function of the host.
pub(super) struct Call<'c, S> {
    pub(super) arguments: [u64; 9],
    pub(super) place: u32,
    pub(super) base: usize,
    pub(super) memory: &'c mut Memory,
    pub(super) shadows: &'c mut S,
}

impl<S: Shadows> Call<'_, S> {
    pub(super) fn word(&self, number: usize) -> u32 {
        self.arguments[number] as u32
    }

    /// Writes bytes at the address in an argument.
    pub(super) fn write_word(&mut self, number: usize, bytes: &[u8]) -> Result<u64, Stop> {
        Ok(self.write(self.word(number), bytes))
    }

    /// Writes bytes that depend on nothing. Returns an error number.
    pub(super) fn write(&mut self, address: u32, bytes: &[u8]) -> u64 {
        match self.memory.get_mut(u64::from(address), bytes.len()) {
            Some(range) => range.copy_from_slice(bytes),
            None => return errno::FAULT,
        }
        self.shadows.forget(address, bytes.len() as u32);
        errno::SUCCESS
    }

    /// A word in the memory, which is fixed.
    pub(super) fn read_word(&mut self, address: u32) -> Result<Option<u32>, Stop> {
        self.shadows.fix_bytes(self.place, address, 4, self.memory)?;
        let bytes = self.memory.get(u64::from(address), 4);
        Ok(bytes.map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes"))))
    }

    /// The bytes of a range, which is fixed; empty if it is not inside.
    pub(super) fn fixed_bytes(&mut self, address: u32, length: u32) -> Result<Vec<u8>, Stop> {
        self.shadows.fix_bytes(self.place, address, length, self.memory)?;
        Ok(self.memory.get(u64::from(address), length as usize).unwrap_or_default().to_vec())
    }

    /// The text that ends with a zero at the address in an argument.
    pub(super) fn text(&mut self, number: usize) -> Result<String, Stop> {
        let address = self.word(number);
        let bytes = self.memory.bytes().get(address as usize..).unwrap_or_default();
        let length = bytes.iter().take(1024).take_while(|&&byte| byte != 0).count() as u32;
        let bytes = self.fixed_bytes(address, length)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
