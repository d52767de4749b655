//! `sundry explore`: tests and errors of a program.

mod collected;
mod confirm;
mod covered;
mod curve;
mod files;
mod function;
mod gains;
mod journal;
mod live;
mod minimal;
mod native;
mod plan;
mod queries;
mod queue;
mod receiver;
mod record;
mod seeds;
mod siblings;
mod sources;
mod world;

use std::fmt::Write as _;
use std::path::Path;

use sundry_debuginfo::DebugInfo;
use sundry_explore::{
    Ending, ExploreEnd, Explorer, Finding, MemoryError, Origin, Program, Run, RunEnd, Runner, SourceKind,
    Terms,
};
use sundry_report::untrusted::visible;
use sundry_wasm::Trap;

use crate::arguments::ExploreArguments;
use crate::campaign::json_file;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::interrupt::{self, Begun, Stop};
use crate::output::{REDIRECTION, write_results};
use crate::values::counted;
use confirm::{Confirmation, NativeBuild};
use files::ReadTest;
use plan::{ExplorePlan, ReadProgram, read_module, read_program};
use receiver::Receiver;
use record::{ExploreRecord, FrameRecord, frames};
use world::FixedWorld;

/// The greatest number of calls of a stack that are shown.
const MOST_CALLS: usize = 30;

/// Runs the job.
///
/// # Errors
/// The module cannot be read or is no program, or results cannot be written.
pub fn run(arguments: &ExploreArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    if let Some(folder) = &arguments.replay {
        return replay(arguments, folder, stop);
    }
    let plan = ExplorePlan::new(arguments, stop)?;
    let _lock = plan.output.as_ref().map(|folder| folder.lock()).transpose()?;
    announce(&plan, console);
    interrupt::watch(stop);
    let mut terms = Terms::default();
    let (variables, inputs) = plan.inputs(&mut terms);
    let runner = Runner::new(&plan.program, plan.world.clone(), plan.steps, &plan.control);
    let mut explorer = Explorer::new(runner, variables, terms, plan.options.clone(), &plan.control);
    for input in inputs {
        explorer.add(input, Origin::Seed);
    }
    let (journal, answers) = journal::open(&plan, console)?;
    explorer.remember(answers);
    let mut receiver = Receiver::new(&plan, journal, (stop, console))?;
    let end = explorer.explore(&mut receiver);
    let statistics = explorer.statistics();
    let (collected, curve, gains) = receiver.finish(&statistics)?;
    let mut errors = collected.records(explorer.variables());
    if let Some(native) = &plan.native {
        let workplace = commands::prepare(&NativeBuild::limits(), console)?;
        let world = FixedWorld::from(&plan.world);
        let surroundings = (workplace.folder.path(), &*stop.interrupted);
        for (record, error) in errors.iter_mut().zip(&collected.errors) {
            let input = (&error.input, explorer.variables());
            let confirmation = native.confirm(&error.finding.kind, input, &world, surroundings)?;
            record.native = Some(confirmation);
        }
    }
    let status = match (errors.is_empty(), end) {
        (false, _) => Status::Attention,
        (true, ExploreEnd::Stopped | ExploreEnd::Paths | ExploreEnd::Enough) => Status::Limit,
        (true, _) => Status::Done,
    };
    let seconds = plan.start.elapsed().as_secs_f64();
    let coverage = covered::measure(&plan, explorer.executed());
    let lines = coverage.as_ref().map(covered::lines);
    let record = ExploreRecord {
        function: plan.function.as_ref().map(|(options, _)| options.function.clone()),
        minimal_tests: collected.minimal(),
        curve,
        ..ExploreRecord::new(&plan.name, (&plan.program, seconds), end, (&statistics, lines), errors)
    };
    if let Some(output) = &plan.output {
        if let Some(coverage) = &coverage {
            covered::write(output, &plan.name, coverage)?;
        }
        output.file(Path::new("curves.html"))?.replace(curve::page(&plan.name, &record.curve).as_bytes())?;
        native::write(output, &record)?;
        let gains = gains.finish((&plan.program, &plan.info), &explorer.first_executions());
        gains.write(output)?;
        json_file::write(output, "record.json", &record)?;
    }
    let text = match plan.json {
        true => format!("{}\n", serde_json::to_string_pretty(&record).expect("strings and numbers")),
        false => in_words(&record),
    };
    write_results(text.as_bytes(), REDIRECTION)?;
    Ok(status)
}

/// Says before the run what in the module is not supported.
fn announce(plan: &ExplorePlan, console: &Console) {
    for import in plan.program.missing_imports() {
        console.note(&plan.name, format_args!("no function {import}: a run ends where it calls it"));
    }
    let unsupported = &plan.program.module.unsupported;
    if let Some(first) = unsupported.first() {
        let count = counted(unsupported.len(), "instruction");
        let text = format!(
            "{count} not supported, such as {} at offset {:#x} of the code; a run ends there",
            first.name, first.offset
        );
        console.note(&plan.name, text);
    }
    if let Some(note) = plan.function.as_ref().and_then(|(_, function)| function.note.as_ref()) {
        console.note(&plan.name, note);
    }
    if plan.sources.is_empty() && plan.function.is_none() {
        let text = "nothing is symbolic unless the program says so; see --stdin, --arg and --file";
        console.note(&plan.name, text);
    }
}

/// The end of a run: of a program, or of a single function.
fn end_in_words(end: &RunEnd, is_function: bool) -> String {
    match end {
        RunEnd::Returned if is_function => "the function returns".to_string(),
        RunEnd::Returned => "exit status 0".to_string(),
        RunEnd::Exit(status) => format!("exit status {status}"),
        RunEnd::Trap(trap) => trap.to_string(),
        RunEnd::Steps => "no end within the budget of steps".to_string(),
        RunEnd::Unsupported(_) => "an instruction that is not supported".to_string(),
        RunEnd::Host(ending) => ending.to_string(),
    }
}

fn stack_in_words(text: &mut String, stack: &[FrameRecord]) {
    for frame in stack {
        let _ = match (&frame.file, frame.line, frame.offset) {
            (Some(file), Some(line), _) => writeln!(text, "    in {} at {file}:{line}", frame.function),
            (_, _, 0) => writeln!(text, "    in {}", frame.function),
            (_, _, offset) => writeln!(text, "    in {} (code offset {offset:#x})", frame.function),
        };
    }
}

fn in_words(record: &ExploreRecord) -> String {
    let mut text = String::new();
    for (number, error) in record.errors.iter().enumerate() {
        let bytes = counted(error.bytes, "byte");
        let runs = counted(error.runs as usize, "run");
        let _ = match &error.call {
            None => {
                writeln!(text, "error {}: {} ({runs}, smallest input {bytes})", number + 1, error.message)
            }
            Some(call) => writeln!(text, "error {}: {} ({runs})\n    {call}", number + 1, error.message),
        };
        stack_in_words(&mut text, &error.stack);
        if let Some(line) = &error.standard_error {
            let _ = writeln!(text, "    standard error: {}", visible(line));
        }
        if let Some(native) = error.native {
            let _ = match native {
                Confirmation::Confirmed => writeln!(text, "    confirmed by the native build"),
                Confirmation::WasmOnly => {
                    writeln!(text, "    the native build does not fail with this input")
                }
            };
        }
        if let Some(folder) = &error.folder {
            let _ = writeln!(text, "    replay: sundry explore {} --replay {folder}", record.module);
        }
    }
    let complete = match record.end {
        "complete" => "all paths",
        "exhausted" => "all branches that could be decided",
        "paths" => "stopped at the greatest number of paths",
        "idle" => "stopped after the greatest time without anything new",
        _ => "stopped",
    };
    let _ = writeln!(
        text,
        "{}, {} ({complete}); {}, {}, {}, {}",
        counted(record.tests as usize, "test"),
        counted(record.paths as usize, "path"),
        counted(record.questions as usize, "question"),
        counted(record.partial_solutions as usize, "partial solution"),
        counted(record.mutants as usize, "mutant"),
        counted(record.errors.len(), "error"),
    );
    if let Some(lines) = &record.lines {
        let _ = writeln!(text, "{} of {} covered", lines.covered, counted(lines.all, "line"));
    }
    if record.given_up_branches > 0 {
        let branches = counted(record.given_up_branches as usize, "open branch");
        let _ = writeln!(text, "{branches} given up at the limit of memory; --tree-memory raises it");
    }
    if record.fixed_values > 0 {
        let _ = writeln!(
            text,
            "{} became concrete; other values are branches of their own",
            counted(record.fixed_values as usize, "symbolic value")
        );
    }
    text
}

/// Runs the program once.
fn replay(arguments: &ExploreArguments, folder: &Path, stop: &Stop) -> Result<Status, Failure> {
    let bytes = read_module(&arguments.module)?;
    let mut terms = Terms::default();
    let test = files::read(folder, &mut terms)?;
    let ReadTest { mut variables, input, overflow, floats, function, world, .. } = test;
    let bad_exits = [&arguments.bad_exit[..], &test.bad_exits].concat();
    let steps = test.steps.unwrap_or(u64::MAX).min(arguments.steps);
    let control = Begun::now(arguments.timeout, stop).control;
    let is_argument = |kind: &SourceKind| matches!(kind, SourceKind::Argument(_));
    let symbolic = variables.sources().iter().filter(|source| is_argument(&source.kind)).count();
    let world = FixedWorld::of(arguments).or(world).options(&arguments.module, symbolic);
    let setup = (world.clone(), steps, &control);
    let ReadProgram { program, info, function } =
        read_program((&bytes, floats), &arguments.module, function.as_ref(), setup)?;
    let mut runner = Runner::new(&program, world, steps, &control);
    if let Some(object) = overflow {
        runner.note_object(object);
    }
    // Only runs with terms know the objects that accesses mean.
    let run = match overflow {
        Some(_) => runner.execute(&input, &mut variables, &mut terms).run,
        None => runner.replay(&input, &variables, true),
    };
    let call = function.map(|function| function.in_words(info.types(), (&input, &variables)));
    write_results(replay_in_words(&run, call, (&program, &info)).as_bytes(), REDIRECTION)?;
    Ok(match Finding::of(&run, &bad_exits, &program) {
        Some(_) => Status::Attention,
        None => Status::Done,
    })
}

fn replay_in_words(run: &Run, call: Option<String>, (program, info): (&Program, &DebugInfo)) -> String {
    let mut text = String::new();
    if let Some(call) = &call {
        let _ = writeln!(text, "{call}");
    }
    for (name, output) in [("standard output", &run.output.stdout), ("standard error", &run.output.stderr)] {
        if !output.is_empty() {
            let _ = writeln!(text, "{name}:");
            for line in String::from_utf8_lossy(output).lines() {
                let _ = writeln!(text, "    {}", line.escape_debug());
            }
        }
    }
    let _ = writeln!(
        text,
        "{} after {}",
        end_in_words(&run.end, call.is_some()),
        counted(run.steps as usize, "instruction")
    );
    stack_in_words(&mut text, &frames(shown_calls(run), program, info));
    text
}

/// The open calls at the end of a run that are worth showing: of deep recursion, the innermost.
fn shown_calls(run: &Run) -> &[(u32, u32)] {
    let most = match run.end {
        RunEnd::Trap(Trap::StackExhausted) | RunEnd::Host(Ending::Memory(MemoryError::StackExhausted)) => 5,
        _ => MOST_CALLS,
    };
    &run.stack[run.stack.len().saturating_sub(most)..]
}
