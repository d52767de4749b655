//! Arguments of the job, resolved once.

use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustc_hash::FxHasher;
use sundry::Control;
use sundry_debuginfo::coverage::Sites;
use sundry_debuginfo::{self as debuginfo, DebugInfo};
use sundry_explore::{
    ExploreOptions, FrameBase, FrameLayout, FrameObject, Input, Program, ProgramError, SolveOptions,
    SourceKind, StrategyKind, Terms, Variables, WorldOptions,
};
use sundry_report::untrusted::visible;
use sundry_wasm::{FloatCode, MachineLimits, Module};

use super::confirm::NativeBuild;
use super::covered::is_library;
use super::function::{self, FunctionOptions, FunctionPlan};
use super::seeds::{Seed, make_room, only_source, read_seeds, source_of_files};
use super::sources::{NamedSource, named_sources};
use super::world::FixedWorld;
use crate::arguments::{ExploreArguments, ExploreNumbers, KeptTests};
use crate::failure::{Failure, FailureKind};
use crate::interrupt::{Begun, Stop};
use crate::output::OutputFolder;

/// The plan of the job.
pub struct ExplorePlan {
    /// The name of the module, as it was written.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The code that float instructions of the program have become.
    pub floats: FloatCode,
    /// Names, lines and objects of its source.
    pub info: DebugInfo,
    /// The function that is called instead of the program, and how.
    pub function: Option<(FunctionOptions, FunctionPlan)>,
    /// The instructions of the module, of which some are covered.
    pub sites: Sites,
    /// The world of the program besides its input.
    pub world: WorldOptions,
    /// Sources of input.
    pub sources: Vec<NamedSource>,
    /// Inputs to start from, besides those of the sources.
    pub seeds: Vec<Seed>,
    /// The folder of instances of AFL++, and the source whose bytes are inputs there.
    pub afl: Option<(PathBuf, SourceKind)>,
    /// Options of the exploration.
    pub options: ExploreOptions,
    /// The greatest number of instructions of a run.
    pub steps: u64,
    /// The native build that errors are tried on.
    pub native: Option<NativeBuild>,
    /// The folder for results.
    pub output: Option<OutputFolder>,
    /// The folder for questions to the solver.
    pub queries: Option<PathBuf>,
    /// A number that differs for other modules and for options that lead to other tests.
    pub fingerprint: u64,
    /// Whether an exploration in the folder is continued.
    pub resumes: bool,
    /// Whether all tests are written, or only those that bring something new.
    pub writes_all: bool,
    /// Whether the record is printed.
    pub json: bool,
    /// The greatest time without a new direction or error.
    pub idle: Option<Duration>,
    /// The beginning.
    pub start: Instant,
    /// The control that stops the work.
    pub control: Control,
}

impl ExplorePlan {
    /// Checks the arguments, and reads the module and the seeds.
    ///
    /// # Errors
    /// A file cannot be read, the module is no program, or arguments do not fit together.
    pub fn new(arguments: &ExploreArguments, stop: &Stop) -> Result<ExplorePlan, Failure> {
        let Begun { start, control } = Begun::now(arguments.timeout, stop);
        let bytes = read_module(&arguments.module)?;
        let function_options = FunctionOptions::new(arguments)?;
        let world = FixedWorld::of(arguments).options(&arguments.module, arguments.arg.len());
        let setup = (world.clone(), arguments.steps, &control);
        let floats = arguments.floats.code();
        let ReadProgram { program, info, function } =
            read_program((&bytes, floats), &arguments.module, function_options.as_ref(), setup)?;
        let sites = Sites::read(&bytes).map_err(|error| not_read(&arguments.module, error))?;
        let mut sources = named_sources(arguments)?;
        if let Some(variable) = arguments.env.iter().find(|variable| !variable.contains('=')) {
            return Err(Failure::usage(format_args!("--env {variable}: expected NAME=VALUE")));
        }
        if let Some(plan) = function.as_ref().filter(|plan| !plan.is_symbolic() && sources.is_empty()) {
            let message = format!("`{}` has no arguments, so nothing is symbolic", plan.name);
            return Err(Failure::usage(message).with_help(
                "name a function with parameters, or add --stdin, --arg or --file if it reads them",
            ));
        }
        let seeds = arguments.seeds.as_deref().map_or(Ok(Vec::new()), read_seeds)?;
        for seed in &seeds {
            make_room(&mut sources, seed)?;
        }
        let afl = match &arguments.afl {
            Some(folder) => Some((folder.clone(), only_source(&sources)?)),
            None => None,
        };
        let purpose = "-o names the folder for tests and errors";
        let output = arguments.output.as_deref().map(|path| OutputFolder::new(path, purpose)).transpose()?;
        let options = explore_options(arguments);
        Ok(ExplorePlan {
            fingerprint: fingerprint(
                (&bytes, floats, function_options.as_ref()),
                (&sources, &seeds),
                &world,
                &options,
                arguments.steps,
            ),
            resumes: arguments.resume,
            name: arguments.module.display().to_string(),
            world,
            program,
            floats,
            info,
            function: function_options.zip(function),
            sites,
            sources,
            seeds,
            afl,
            options,
            steps: arguments.steps,
            native: arguments.native.as_deref().map(NativeBuild::new).transpose()?,
            output,
            queries: arguments.queries.clone(),
            writes_all: arguments.tests == KeptTests::All,
            json: arguments.json,
            idle: arguments.idle,
            start,
            control,
        })
    }

    /// The variables of the sources, and the inputs to start from.
    pub fn inputs(&self, terms: &mut Terms) -> (Variables, Vec<Input>) {
        let mut variables = Variables::default();
        for source in &self.sources {
            let bytes = source.bytes.as_deref().unwrap_or_default();
            variables.source(&mut terms.store, source.kind.clone(), source.capacity, bytes);
        }
        if let Some((_, plan)) = &self.function {
            plan.call.declare(&mut variables, &mut terms.store);
        }
        let mut inputs = vec![Input::default()];
        for seed in &self.seeds {
            let mut input = Input::default();
            match seed {
                Seed::Bytes(bytes) => {
                    if let Some(source) = source_of_files(&self.sources).and_then(|kind| variables.find(kind))
                    {
                        variables.set_bytes(&mut input, source, bytes);
                    }
                }
                Seed::Test(sources) => {
                    for source in sources {
                        // Sources that the command line does not name are declared by the program itself.
                        source.give(&mut input, &mut variables, terms);
                    }
                }
            }
            inputs.push(input);
        }
        (variables, inputs)
    }
}

fn explore_options(arguments: &ExploreArguments) -> ExploreOptions {
    let partials = if arguments.plain { 0 } else { arguments.partial };
    let strategy: StrategyKind = arguments.strategy.kind();
    ExploreOptions {
        strategy,
        solve: SolveOptions {
            partials,
            is_incremental: !arguments.plain,
            floats: arguments.floats.method(),
            reads_integers: arguments.numbers == ExploreNumbers::Integers,
            ..SolveOptions::default()
        },
        filters_candidates: !arguments.keep_repetitions,
        mutants: if arguments.plain { 0.0 } else { f64::from(arguments.mutants) / 100.0 },
        most_paths: arguments.max_paths.map_or(u64::MAX, |most| most.get() as u64),
        most_depth: arguments.depth,
        lanes: arguments.lanes.get(),
        threads: arguments.jobs.get(),
        most_bytes: arguments.tree_memory,
        seed: arguments.seed,
        bad_exits: arguments.bad_exit.clone(),
        ..ExploreOptions::default()
    }
}

/// A number for everything that determines the tests of an exploration, besides its limits.
fn fingerprint(
    program: (&[u8], FloatCode, Option<&FunctionOptions>),
    inputs: (&[NamedSource], &[Seed]),
    world: &WorldOptions,
    options: &ExploreOptions,
    steps: u64,
) -> u64 {
    let mut hasher = FxHasher::default();
    (program, inputs).hash(&mut hasher);
    (&world.arguments, &world.environment, world.seed).hash(&mut hasher);
    let SolveOptions { partials, ticks, is_incremental, floats, reads_integers } = options.solve;
    (options.strategy, partials, ticks, is_incremental, floats, reads_integers).hash(&mut hasher);
    (options.filters_candidates, options.mutants.to_bits(), options.most_depth, options.seed, steps)
        .hash(&mut hasher);
    (options.lanes, options.most_bytes, options.first_collection).hash(&mut hasher);
    hasher.finish()
}

/// Reads the file of a module.
///
/// # Errors
/// The file cannot be read.
pub fn read_module(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::reading(path, &error))
}

fn not_read(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::of(FailureKind::Input, path.display(), error)
}

/// The first bytes of a WebAssembly module.
const MAGIC: &[u8] = b"\0asm";

/// A program that was read.
pub struct ReadProgram {
    /// The program.
    pub program: Program,
    /// Names, lines and objects of its source.
    pub info: DebugInfo,
    /// The calls of the function that is explored by itself.
    pub function: Option<FunctionPlan>,
}

/// Takes a module, with code for its float instructions, and what it says of its source, and makes it ready to run, or ready for calls of one function. The world, the steps and the control are those
/// of the initialisation before such calls.
///
/// # Errors
/// The file is no program, or does not have this function.
pub fn read_program(
    (bytes, floats): (&[u8], FloatCode),
    path: &Path,
    options: Option<&FunctionOptions>,
    (world, steps, control): (WorldOptions, u64, &Control),
) -> Result<ReadProgram, Failure> {
    let wrong = |error: ProgramError| {
        let failure = Failure::of(FailureKind::Input, path.display(), visible(&error.to_string()));
        match error {
            ProgramError::NoEntry => failure.with_help(
                "--function NAME explores one of its functions; sundry cc and cargo build --target=wasm32-wasip1 make modules that run",
            ),
            ProgramError::NoRoom | ProgramError::Initialisation { .. } => failure,
            _ => failure.with_help("sundry cc and cargo build --target=wasm32-wasip1 make modules that run"),
        }
    };
    if !bytes.starts_with(MAGIC) {
        let help = "sundry cc compiles C to one; cargo build --target=wasm32-wasip1 makes one of Rust";
        return Err(not_read(path, "the file is no WebAssembly module").with_help(help));
    }
    let limits = MachineLimits::default();
    let module = Module::read_with(bytes, floats).map_err(|error| wrong(ProgramError::Module(error)))?;
    let info = || DebugInfo::read(bytes).map_err(|error| not_read(path, error));
    let (mut program, info, function) = match options {
        None => (Program::of_command(module, limits).map_err(wrong)?, info()?, None),
        Some(options) => {
            let info = info()?;
            let plan = function::plan(options, (&module, &info), path)?;
            let call = plan.call.clone();
            let program = Program::of_call(module, limits, call, &world, steps, control).map_err(wrong)?;
            (program, info, Some(plan))
        }
    };
    let objects = info.data_objects().iter().map(|object| (object.address, object.size));
    program.set_data_objects(objects.filter(|object| object.1 > 0).collect());
    program.frame_layouts = frame_layouts(&program, &info);
    program.is_library = library_functions(&program, &info);
    Ok(ReadProgram { program, info, function })
}

/// Whether each function is of a library: its source is that of one, or unknown. Empty if that is so for all of them.
fn library_functions(program: &Program, info: &DebugInfo) -> Vec<bool> {
    let imports = program.module.imports.len() as u32;
    let is_own = |number: u32| {
        let declared = info.function(imports + number).and_then(|function| function.declared);
        declared.is_some_and(|place| !is_library(info.path(place.file)))
    };
    let is_library: Vec<bool> =
        (0..program.module.functions.len() as u32).map(|number| !is_own(number)).collect();
    if is_library.contains(&false) { is_library } else { Vec::new() }
}

/// The objects in the frames of all functions.
fn frame_layouts(program: &Program, info: &DebugInfo) -> Vec<Option<FrameLayout>> {
    let imports = program.module.imports.len() as u32;
    let layout = |number: u32| {
        let frame = info.stack_objects(imports + number)?;
        let base = match frame.base? {
            debuginfo::FrameBase::Local(local) => FrameBase::Local(local),
            debuginfo::FrameBase::Global(_) => FrameBase::StackPointer,
        };
        let objects = frame.objects.iter().map(|object| FrameObject {
            offset: object.offset,
            size: object.size,
            scope: object.scope.clone(),
        });
        let objects = objects.collect();
        Some(FrameLayout { base, objects })
    };
    (0..program.module.functions.len() as u32).map(layout).collect()
}
