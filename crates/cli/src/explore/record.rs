//! The record of an exploration.

use serde::Serialize;
use sundry_debuginfo::DebugInfo;
use sundry_explore::{ExploreEnd, ExploreStatistics, Program};

use super::confirm::Confirmation;
use super::curve::Point;

/// Seconds of processor time of the parts of an exploration, of all threads together.
#[derive(Serialize, Clone, Debug)]
pub struct TimeRecord {
    /// Symbolic runs.
    pub runs: f64,
    /// Plain runs of candidates.
    pub replays: f64,
    /// Plain runs of mutants.
    pub mutants: f64,
    /// Questions to the solver.
    pub questions: f64,
}

/// A call that was open when a run ended.
#[derive(Serialize, Clone, Debug)]
pub struct FrameRecord {
    /// The function by name.
    pub function: String,
    /// The source file.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The offset of the instruction in the code section.
    pub offset: u32,
}

/// An error of the program.
#[derive(Serialize, Clone, Debug)]
pub struct ErrorRecord {
    /// The kind of the error.
    pub kind: String,
    /// The error in words.
    pub message: String,
    /// The call of the function that is explored by itself, with the arguments of the smallest input.
    pub call: Option<String>,
    /// The last line that the run with the smallest input writes to the standard error.
    pub standard_error: Option<String>,
    /// Open calls of the run with the smallest input, innermost first; at most thirty.
    pub stack: Vec<FrameRecord>,
    /// The number of runs that ended in it.
    pub runs: u64,
    /// The number of bytes of the smallest input that shows it.
    pub bytes: usize,
    /// The folder with that input.
    pub folder: Option<String>,
    /// Whether a native build fails with that input too, where there is one.
    pub native: Option<Confirmation>,
}

/// Coverage of lines.
#[derive(Serialize, Copy, Clone, Debug)]
pub struct LineRecord {
    /// Lines that tests executed.
    pub covered: usize,
    /// Lines with code.
    pub all: usize,
}

/// The record of an exploration.
#[derive(Serialize, Clone, Debug)]
pub struct ExploreRecord {
    /// The module.
    pub module: String,
    /// The function that is explored by itself.
    pub function: Option<String>,
    /// The reason why the exploration ended.
    pub end: &'static str,
    /// Whether every path is known.
    pub is_complete: bool,
    /// Seconds.
    pub seconds: f64,
    /// The parts of the processor time.
    pub times: TimeRecord,
    /// Symbolic runs.
    pub tests: u64,
    /// Different paths.
    pub paths: u64,
    /// Branches that nobody has taken or tried.
    pub open_branches: usize,
    /// Directions that tests took, of branches, calls and functions.
    pub directions: usize,
    /// Lines of the program's source without its library; none where the module says nothing of lines.
    pub lines: Option<LineRecord>,
    /// Questions put to the solver.
    pub questions: u64,
    /// Questions with a solution.
    pub solutions: u64,
    /// Branches that no input takes.
    pub impossible: u64,
    /// Questions without an answer.
    pub unknown: u64,
    /// Partial solutions that the solver passed.
    pub partial_solutions: u64,
    /// Plain runs of candidates.
    pub replays: u64,
    /// Plain runs of mutants.
    pub mutants: u64,
    /// Candidates that brought nothing new.
    pub dropped: u64,
    /// Values that runs made concrete, by decisions whose other values are open branches.
    pub fixed_values: u64,
    /// Questions about floats that the search had a part in.
    pub questions_with_floats: u64,
    /// Questions about floats that the search answered, before circuits did.
    pub optimised_questions: u64,
    /// Questions that integers answered.
    pub questions_of_integers: u64,
    /// Runs that did not go where the solver said.
    pub diverged: u64,
    /// Solutions that were not run, since another run has taken their branch.
    pub overtaken: u64,
    /// Branches that were given up, so that memory stays bounded.
    pub given_up_branches: u64,
    /// The greatest memory of paths, their inputs and conditions, as it was counted.
    pub counted_bytes: u64,
    /// Collections of what no open branch needs.
    pub collections: u64,
    /// The numbers of tests that cover as many directions as all of them.
    pub minimal_tests: Vec<u64>,
    /// Counters over time.
    pub curve: Vec<Point>,
    /// Functions that the module imports and Sundry does not have.
    pub missing_imports: Vec<String>,
    /// Instructions that are not supported.
    pub unsupported_instructions: Vec<String>,
    /// Errors of the program.
    pub errors: Vec<ErrorRecord>,
}

impl ExploreRecord {
    /// A record of these counters.
    pub fn new(
        module: &str,
        (program, seconds): (&Program, f64),
        end: ExploreEnd,
        (statistics, lines): (&ExploreStatistics, Option<LineRecord>),
        errors: Vec<ErrorRecord>,
    ) -> ExploreRecord {
        let mut unsupported: Vec<String> =
            program.module.unsupported.iter().map(|instruction| instruction.name.clone()).collect();
        unsupported.sort();
        unsupported.dedup();
        ExploreRecord {
            module: module.to_string(),
            function: None,
            end: match end {
                ExploreEnd::Complete => "complete",
                ExploreEnd::Exhausted => "exhausted",
                ExploreEnd::Paths => "paths",
                ExploreEnd::Enough => "idle",
                ExploreEnd::Stopped => "stopped",
            },
            is_complete: end == ExploreEnd::Complete,
            seconds,
            times: TimeRecord {
                runs: statistics.time_of_runs.as_secs_f64(),
                replays: statistics.time_of_replays.as_secs_f64(),
                mutants: statistics.time_of_mutants.as_secs_f64(),
                questions: statistics.time_of_questions.as_secs_f64(),
            },
            tests: statistics.tests,
            paths: statistics.paths,
            open_branches: statistics.open,
            directions: statistics.edges,
            lines,
            questions: statistics.solve.questions,
            solutions: statistics.solve.solutions,
            impossible: statistics.solve.impossible + statistics.solve.cores_reused,
            unknown: statistics.solve.unknown,
            partial_solutions: statistics.solve.partials,
            replays: statistics.replays,
            mutants: statistics.mutants,
            dropped: statistics.dropped,
            fixed_values: statistics.fixed,
            questions_with_floats: statistics.solve.with_floats,
            optimised_questions: statistics.solve.optimised,
            questions_of_integers: statistics.solve.of_integers,
            diverged: statistics.diverged,
            overtaken: statistics.overtaken,
            given_up_branches: statistics.given_up,
            counted_bytes: statistics.most_bytes,
            collections: statistics.collections,
            minimal_tests: Vec::new(),
            curve: Vec::new(),
            missing_imports: program.missing_imports(),
            unsupported_instructions: unsupported,
            errors,
        }
    }
}

/// The calls of a stack, innermost first, with those that the compiler has inlined.
pub fn frames(stack: &[(u32, u32)], program: &Program, info: &DebugInfo) -> Vec<FrameRecord> {
    let mut frames = Vec::new();
    for &(function, place) in stack.iter().rev() {
        let name = program.names.get(function as usize).cloned().flatten();
        let name = name.unwrap_or_else(|| format!("function {function}"));
        let offset = if place == 0 { 0 } else { program.module.offset_of(place) };
        let known = if place == 0 { Vec::new() } else { info.frames(offset) };
        if known.is_empty() {
            frames.push(FrameRecord { function: name, file: None, line: None, offset });
            continue;
        }
        frames.extend(known.into_iter().map(|frame| FrameRecord {
            function: frame.function.unwrap_or_else(|| name.clone()),
            file: frame.file,
            line: frame.line,
            offset,
        }));
    }
    frames
}
