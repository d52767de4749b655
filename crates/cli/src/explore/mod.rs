//! `sundry explore`: tests and errors of a program.

mod confirm;
mod covered;
mod curve;
mod files;
mod function;
mod native;
mod plan;
mod record;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use indicatif::ProgressBar;
use sundry_debuginfo::DebugInfo;
use sundry_explore::{
    ExploreEnd, Explorer, Finding, Input, Origin, Program, Run, RunEnd, Runner, SourceKind, Terms, Test,
    Variables,
};
use sundry_wasm::Trap;

use crate::arguments::ExploreArguments;
use crate::campaign::json_file;
use crate::commands;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::interrupt::{self, Begun, Stop};
use crate::output::{REDIRECTION, write_results};
use crate::progress::style;
use crate::values::counted;
use confirm::{Confirmation, NativeBuild};
use curve::Curve;
use files::{ReadTest, TestDescription};
use plan::{ExplorePlan, ReadProgram, read_module, read_program, world};
use record::{ErrorRecord, ExploreRecord, FrameRecord, frames};

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
    let mut collected = Collected { plan: &plan, errors: Vec::new(), failure: None };
    let mut curve = Curve::default();
    let bar = console.bars().add(ProgressBar::new_spinner());
    bar.set_style(style("{elapsed:>5} {spinner} {msg}"));
    let end = explorer.explore(&mut |test| {
        curve.note(test, plan.start.elapsed().as_secs_f64());
        if let Err(failure) = collected.take(test) {
            collected.failure = Some(failure);
            stop.interrupted.store(true, Ordering::Relaxed);
        }
        if console.shows_progress() {
            let errors = collected.errors.len();
            bar.set_message(format!(
                "{}, {}",
                counted(test.number as usize, "path"),
                counted(errors, "error")
            ));
            bar.tick();
        }
    });
    bar.finish_and_clear();
    if let Some(failure) = collected.failure {
        return Err(failure);
    }
    let mut errors = collected.records(&explorer.variables);
    if let Some(native) = &plan.native {
        let workplace = commands::prepare(&NativeBuild::limits(), console)?;
        let surroundings = (workplace.folder.path(), &*stop.interrupted);
        for (record, error) in errors.iter_mut().zip(&collected.errors) {
            let input = (&error.input, &explorer.variables);
            let confirmation =
                native.confirm(&error.finding.kind, input, &plan.fixed_arguments, surroundings)?;
            record.native = Some(confirmation);
        }
    }
    let status = match (errors.is_empty(), end) {
        (false, _) => Status::Attention,
        (true, ExploreEnd::Stopped | ExploreEnd::Paths) => Status::Limit,
        (true, _) => Status::Done,
    };
    let seconds = plan.start.elapsed().as_secs_f64();
    let statistics = explorer.statistics();
    let coverage = covered::measure(&plan, explorer.executed());
    let lines = coverage.as_ref().map(covered::lines);
    let mut record =
        ExploreRecord::new(&plan.name, (&plan.program, seconds), end, (&statistics, lines), errors);
    record.function = plan.function.as_ref().map(|(options, _)| options.function.clone());
    if let Some(output) = &plan.output {
        if let Some(coverage) = &coverage {
            covered::write(output, &plan.name, coverage)?;
        }
        native::write(output, &record)?;
        let curve = curve.finish((&plan.program, &plan.info), &explorer.first_executions());
        curve.write(output)?;
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

/// An error with the smallest input so far.
struct SmallestInput {
    finding: Finding,
    runs: u64,
    bytes: usize,
    input: Input,
    folder: Option<PathBuf>,
}

/// Writes tests, and keeps one entry for each error.
struct Collected<'p> {
    plan: &'p ExplorePlan,
    errors: Vec<SmallestInput>,
    failure: Option<Failure>,
}

impl Collected<'_> {
    fn take(&mut self, test: &Test<'_>) -> Result<(), Failure> {
        if let Some(output) = &self.plan.output
            && (test.new_edges > 0 || self.plan.writes_all)
        {
            let name = Path::new("tests").join(format!("{:06}", test.number));
            files::write(output, &name, &describe(self.plan, test), test.input, test.variables)?;
        }
        if let Some(finding) = test.finding {
            self.note(finding, test)?;
        }
        Ok(())
    }

    fn note(&mut self, finding: &Finding, test: &Test<'_>) -> Result<(), Failure> {
        let bytes = size(self.plan, test);
        let known = self.errors.iter().position(|known| known.finding == *finding);
        let number = known.unwrap_or_else(|| {
            let finding = finding.clone();
            self.errors.push(SmallestInput {
                finding,
                runs: 0,
                bytes: usize::MAX,
                input: Input::default(),
                folder: None,
            });
            self.errors.len() - 1
        });
        let error = &mut self.errors[number];
        error.runs += 1;
        if bytes < error.bytes {
            error.bytes = bytes;
            error.input = test.input.clone();
            if let Some(output) = &self.plan.output {
                let name = format!("{:02}-{}", number + 1, finding.kind.name());
                let name = Path::new("errors").join(name);
                let description = describe(self.plan, test);
                files::write(output, &name, &description, test.input, test.variables)?;
                error.folder = Some(output.path().join(name));
            }
        }
        Ok(())
    }

    fn records(&self, variables: &Variables) -> Vec<ErrorRecord> {
        let program = (&self.plan.program, &self.plan.info);
        let record = |error: &SmallestInput| {
            let folder = error.folder.as_ref().map(|folder| folder.display().to_string());
            let record = record::error(&error.finding, program, (error.runs, error.bytes), folder);
            ErrorRecord { call: call_in_words(self.plan, (&error.input, variables)), ..record }
        };
        self.errors.iter().map(record).collect()
    }
}

/// The number of bytes of an input. Of arguments, zeros at the end do not count.
fn size(plan: &ExplorePlan, test: &Test<'_>) -> usize {
    let is_argument = |kind: &SourceKind| matches!(kind, SourceKind::Parameter(_));
    let sources =
        test.variables.sources().iter().enumerate().filter(|(_, source)| !is_argument(&source.kind));
    let whole: usize = sources.map(|(source, _)| test.variables.bytes(test.input, source).len()).sum();
    let function = plan.function.as_ref();
    whole + function.map_or(0, |(_, function)| function.size_of_input((test.input, test.variables)))
}

/// The call that an input stands for, where a function is explored by itself.
fn call_in_words(plan: &ExplorePlan, input: (&Input, &Variables)) -> Option<String> {
    let (_, function) = plan.function.as_ref()?;
    Some(function.in_words(plan.info.types(), input))
}

fn describe(plan: &ExplorePlan, test: &Test<'_>) -> TestDescription {
    let origin = match test.origin {
        Origin::Seed => "seed",
        Origin::Solution => "solution",
        Origin::Partial => "partial",
    };
    TestDescription {
        number: test.number,
        origin: origin.to_string(),
        end: end_in_words(&test.run.end, plan.function.is_some()),
        new_directions: test.new_edges,
        error: test.finding.map(|finding| finding.kind.describe()),
        overflow: test.run.overflow,
        function: plan.function.as_ref().map(|(options, _)| options.clone()),
        call: call_in_words(plan, (test.input, test.variables)),
        input: files::sources(test.input, test.variables),
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
        _ => "stopped",
    };
    let _ = writeln!(
        text,
        "{}, {} ({complete}); {}, {}, {}",
        counted(record.tests as usize, "test"),
        counted(record.paths as usize, "path"),
        counted(record.questions as usize, "question"),
        counted(record.partial_solutions as usize, "partial solution"),
        counted(record.errors.len(), "error"),
    );
    if let Some(lines) = &record.lines {
        let _ = writeln!(text, "{} of {} covered", lines.covered, counted(lines.all, "line"));
    }
    if record.fixed_values > 0 {
        let _ = writeln!(
            text,
            "{} had to be made concrete",
            counted(record.fixed_values as usize, "symbolic value")
        );
    }
    text
}

/// Runs the program once.
fn replay(arguments: &ExploreArguments, folder: &Path, stop: &Stop) -> Result<Status, Failure> {
    let bytes = read_module(&arguments.module)?;
    let mut terms = Terms::default();
    let ReadTest { mut variables, input, overflow, function } = files::read(folder, &mut terms)?;
    let control = Begun::now(arguments.timeout, stop).control;
    let setup = (world(arguments), arguments.steps, &control);
    let ReadProgram { program, info, function } =
        read_program(&bytes, &arguments.module, function.as_ref(), setup)?;
    let mut world = world(arguments);
    // Arguments that were symbolic are part of the test.
    let count = variables.sources().iter().filter(|source| matches!(source.kind, SourceKind::Argument(_)));
    world.arguments.splice(1..1, std::iter::repeat_n(None, count.count()));
    let mut runner = Runner::new(&program, world, arguments.steps, &control);
    if let Some(object) = overflow {
        runner.note_object(object);
    }
    let run = runner.execute(&input, &mut variables, &mut terms).run;
    let call = function.map(|function| function.in_words(info.types(), (&input, &variables)));
    write_results(replay_in_words(&run, call, (&program, &info)).as_bytes(), REDIRECTION)?;
    Ok(match Finding::of(&run, &arguments.bad_exit) {
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
    let shown = match run.end {
        RunEnd::Trap(Trap::StackExhausted) => &run.stack[run.stack.len().saturating_sub(5)..],
        _ => &run.stack,
    };
    stack_in_words(&mut text, &frames(shown, program, info));
    text
}
