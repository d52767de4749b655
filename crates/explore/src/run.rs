//! Runs of a program with one input.

mod setup;

use sundry_term::Control;
use sundry_wasm::{Access, Domain, LoadOp, Machine, Memory, Stop, Trap};

use crate::heap::Heap;
use crate::host::{Ending, NoShadows, Output, World, WorldOptions};
use crate::input::{Input, Variables};
use crate::objects::{Frames, Homes};
use crate::program::Program;
use crate::symbolic::{Concolic, Decision, Origins, Shadow, Terms};
use crate::trace::{Edge, Trace};

/// The end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The entry point returned.
    Returned,
    /// The program ended itself with a status.
    Exit(u32),
    /// A trap.
    Trap(Trap),
    /// The budget of steps was spent.
    Steps,
    /// An instruction that is not supported, by its number in the list of the module.
    Unsupported(u32),
    /// A function of the host ended the run.
    Host(Ending),
}

/// The observations of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The end of the run.
    pub end: RunEnd,
    /// The edges of control flow that it took, each once.
    pub edges: Vec<Edge>,
    /// A number for the sequence of outcomes of branches.
    pub path: u64,
    /// Instructions executed.
    pub steps: u64,
    /// The calls that were open at the end, outermost first: position of the function, number of the instruction. For a run without an end, the innermost is the call that does
    /// not return.
    pub stack: Vec<(u32, u32)>,
    /// The bytes that the program wrote.
    pub output: Output,
    /// For an access beyond an object, the number of the instruction, and the start and size of the object.
    pub overflow: Option<(u32, (u32, u32))>,
}

/// A run with terms, and its decisions.
pub struct SymbolicRun {
    /// The run.
    pub run: Run,
    /// Decisions that depend on the input, in their order.
    pub decisions: Vec<Decision>,
    /// Whether a part of the run was concrete: all after the greatest number of decisions, or what sources of fixed size have no bytes for.
    pub is_truncated: bool,
    /// The number of values that the run made concrete, by decisions.
    pub fixed: u64,
}

/// Runs one program again and again.
pub struct Runner<'p> {
    /// The program.
    pub program: &'p Program,
    /// The world of the program besides its input.
    pub options: WorldOptions,
    /// The greatest number of instructions of a run.
    pub most_steps: u64,
    /// The greatest number of decisions of a run; the rest of a run that has made them is concrete.
    pub most_decisions: usize,
    control: Control,
    homes: Homes,
    machine: Machine,
    trace: Trace,
}

/// The domain of plain runs.
struct Replay<'a> {
    program: &'a Program,
    world: World<'a>,
    trace: &'a mut Trace,
    shadows: NoShadows<'a>,
    control: &'a Control,
}

impl Domain for Replay<'_> {
    #[inline]
    fn branch(&mut self, place: u32, _condition: usize, is_nonzero: bool) -> Result<(), Stop> {
        self.trace.branch(place, is_nonzero);
        Ok(())
    }

    #[inline]
    fn select(
        &mut self,
        place: u32,
        _result: usize,
        (_, is_nonzero): (usize, bool),
        _choices: (usize, usize),
    ) -> Result<(), Stop> {
        self.trace.branch(place, is_nonzero);
        Ok(())
    }

    fn table(&mut self, place: u32, (_, value): (usize, u32), targets: &[u32]) -> Result<(), Stop> {
        self.trace.table(place, value, targets);
        Ok(())
    }

    fn indirect(
        &mut self,
        place: u32,
        (_, value): (usize, u32),
        functions: &[Option<u32>],
    ) -> Result<(), Stop> {
        self.trace.indirect(place, value, functions);
        Ok(())
    }

    #[inline]
    fn enter(
        &mut self,
        place: u32,
        function: u32,
        _frame: std::ops::Range<usize>,
        arguments: &[u64],
    ) -> Result<(), Stop> {
        self.trace.enter(self.program.module.functions[function as usize].first);
        self.world.heap(|heap| heap.enter(self.program, (function, place), arguments))
    }

    #[inline]
    fn leave(&mut self, call: u32, result: u64, memory: &Memory) {
        self.trace.leave(call);
        if let Some(heap) = &mut self.world.heap {
            heap.leave(result as u32, memory);
        }
    }

    fn global_set(&mut self, _place: u32, global: u32, (_, value): (usize, u64)) -> Result<(), Stop> {
        if !self.program.is_stack_pointer(global) {
            return Ok(());
        }
        self.world.heap(|heap| heap.move_stack(self.program, value as u32))
    }

    fn look(&mut self) -> Result<(), Stop> {
        self.world.look(self.control)
    }

    #[inline]
    fn load(&mut self, access: Access<'_>, op: LoadOp, _result: usize, _memory: &Memory) -> Result<(), Stop> {
        self.world.heap(|heap| heap.check_load(access.effective, op.bytes))
    }

    #[inline]
    fn store(
        &mut self,
        access: Access<'_>,
        bytes: u8,
        _value: (usize, u64),
        _memory: &Memory,
    ) -> Result<(), Stop> {
        self.world.heap(|heap| heap.check_store(access.effective, bytes))
    }

    fn fill(
        &mut self,
        _place: u32,
        _slots: [usize; 3],
        values: [u32; 3],
        _memory: &Memory,
    ) -> Result<(), Stop> {
        self.world.heap(|heap| heap.check_written_range(values[0], values[2]))
    }

    fn move_bytes(
        &mut self,
        _place: u32,
        _slots: [usize; 3],
        values: [u32; 3],
        _memory: &Memory,
    ) -> Result<(), Stop> {
        let [to, from, length] = values;
        self.world
            .heap(|heap| heap.check_written_range(to, length).and_then(|()| heap.check_range(from, length)))
    }

    fn call_import(
        &mut self,
        place: u32,
        import: u32,
        base: usize,
        slots: &mut [u64],
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let values = &mut slots[base..];
        self.world.call_import(self.program, (place, import, base), values, memory, &mut self.shadows)
    }
}

/// The end of a run that stopped, or returned.
fn end_of(stop: Option<Stop>, ending: Option<Ending>) -> RunEnd {
    match stop {
        None => RunEnd::Returned,
        Some(Stop::Exit(status)) => RunEnd::Exit(status),
        Some(Stop::Trap(trap)) => RunEnd::Trap(trap),
        Some(Stop::Steps) => RunEnd::Steps,
        Some(Stop::Unsupported(number)) => RunEnd::Unsupported(number),
        Some(Stop::Domain) => ending.map_or(RunEnd::Returned, RunEnd::Host),
    }
}

impl<'p> Runner<'p> {
    /// A runner of a program.
    pub fn new(
        program: &'p Program,
        options: WorldOptions,
        most_steps: u64,
        control: &Control,
    ) -> Runner<'p> {
        let trace = Trace::new(program.module.instruction_count());
        Runner {
            program,
            options,
            most_steps,
            most_decisions: usize::MAX,
            control: control.clone(),
            homes: Homes::default(),
            machine: program.start.clone(),
            trace,
        }
    }

    /// Says that an instruction has accessed an object in an earlier run, given by its start and size.
    pub fn note_object(&mut self, (place, object): (u32, (u32, u32))) {
        self.homes.note(place, object);
    }

    /// Runs the program without terms, which is fast; without checks of accesses, it is faster still.
    pub fn replay(&mut self, input: &Input, variables: &Variables, checks: bool) -> Run {
        let arguments = self.reset(input, variables);
        let world = World::new(&self.options, input, variables, checks.then(|| self.program.heap()));
        let shadows = NoShadows { variables };
        let mut domain =
            Replay { program: self.program, world, trace: &mut self.trace, shadows, control: &self.control };
        let outcome = self.machine.call(&self.program.module, self.program.entry, &arguments, &mut domain);
        let (output, ending, heap) = (domain.world.output, domain.world.ending, domain.world.heap);
        self.result(outcome.err(), output, ending, heap)
    }

    /// Runs the program with terms.
    pub fn execute(&mut self, input: &Input, variables: &mut Variables, terms: &mut Terms) -> SymbolicRun {
        let arguments = self.reset(input, variables);
        let world = World::new(&self.options, input, variables, Some(self.program.heap()));
        let mut shadow = Shadow::new(terms, variables, self.most_decisions);
        if let Some(call) = &self.program.call {
            shadow.place_call(call, input);
        }
        let mut domain = Concolic {
            program: self.program,
            world,
            trace: &mut self.trace,
            shadow,
            frames: Frames::new(self.program),
            origins: Origins::default(),
            homes: &mut self.homes,
            overflow: None,
            control: &self.control,
        };
        let outcome = self.machine.call(&self.program.module, self.program.entry, &arguments, &mut domain);
        let (output, ending) = (domain.world.output, domain.world.ending);
        let has_exceeded = domain.world.has_exceeded;
        let Shadow { path, fixed, is_over, .. } = domain.shadow;
        let decisions = path.decisions;
        let (heap, overflow) = (domain.world.heap, domain.overflow);
        let run = Run { overflow, ..self.result(outcome.err(), output, ending, heap) };
        SymbolicRun { run, decisions, is_truncated: is_over || has_exceeded, fixed }
    }

    /// The edges of the last run, each with the number of times that it was taken, up to 255.
    pub fn counts(&self) -> impl Iterator<Item = (Edge, u8)> {
        self.trace.counts()
    }

    /// Goes back to the start of a run, and returns the arguments of the entry.
    fn reset(&mut self, input: &Input, variables: &Variables) -> Vec<u64> {
        self.machine.clone_from(&self.program.start);
        self.machine.most_steps = self.most_steps;
        self.trace.clear();
        let call = self.program.call.as_ref();
        call.map_or_else(Vec::new, |call| call.place(input, variables, &mut self.machine.memory))
    }

    fn result(&self, stop: Option<Stop>, output: Output, ending: Option<Ending>, heap: Option<Heap>) -> Run {
        // What a single function leaves behind belongs to its callers.
        let has_ended = matches!(stop, None | Some(Stop::Exit(_))) && self.program.call.is_none();
        let leak = heap.filter(|_| has_ended).and_then(|heap| {
            heap.leak(&self.machine.memory, self.machine.open_slots(&self.program.module), self.program)
        });
        if let Some((block, place)) = leak {
            let function = self.program.module.locate(place).0 as u32;
            let end = RunEnd::Host(Ending::Memory(block));
            return self.run(end, vec![(function, place)], output);
        }
        let end = end_of(stop, ending);
        let stack = match end {
            RunEnd::Returned => Vec::new(),
            RunEnd::Steps => self.machine.endless_stack(&self.program.module),
            _ => self.machine.stack(&self.program.module),
        };
        self.run(end, stack, output)
    }

    fn run(&self, end: RunEnd, stack: Vec<(u32, u32)>, output: Output) -> Run {
        Run {
            end,
            edges: self.trace.edges().to_vec(),
            path: self.trace.path(),
            steps: self.machine.steps,
            stack,
            output,
            overflow: None,
        }
    }
}
