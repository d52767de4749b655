//! Tests and errors of an exploration, as they come.

use std::path::{Path, PathBuf};

use sundry_explore::{Finding, FindingKind, Input, RunEnd, SourceKind, Test, Variables};
use sundry_wasm::FloatCode;

use super::files::{self, TestDescription};
use super::minimal::Candidates;
use super::plan::ExplorePlan;
use super::record::{ErrorRecord, frames};
use super::world::FixedWorld;
use super::{end_in_words, shown_calls};
use crate::failure::Failure;

/// The greatest number of characters of a line of output in a report.
const LONGEST_LINE: usize = 300;

/// An error with the smallest input so far.
pub struct SmallestInput {
    /// The error.
    pub finding: Finding,
    runs: u64,
    bytes: usize,
    /// The distance of its bytes from those of an input that says nothing.
    distance: u64,
    /// The input.
    pub input: Input,
    /// The calls that are open at the end of its run, outermost first.
    stack: Vec<(u32, u32)>,
    /// The last line that its run writes to the standard error, if it writes any.
    last_line: Option<String>,
    folder: Option<PathBuf>,
}

/// Writes tests, and keeps one entry for each error.
pub struct Collected<'p> {
    plan: &'p ExplorePlan,
    /// The errors, in the order in which they were found.
    pub errors: Vec<SmallestInput>,
    /// Tests that have taken new directions.
    candidates: Candidates,
}

impl<'p> Collected<'p> {
    /// The start, when there are neither tests nor errors.
    pub fn new(plan: &'p ExplorePlan) -> Collected<'p> {
        Collected { plan, errors: Vec::new(), candidates: Candidates::default() }
    }

    /// Takes a test.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn take(&mut self, test: &Test<'_>) -> Result<(), Failure> {
        let name = files::test_name(test.number);
        if let Some(output) = &self.plan.output
            && (test.new_edges > 0 || self.plan.writes_all)
        {
            files::write(output, &name, &describe(self.plan, test), test.input, test.variables)?;
        }
        if test.new_edges > 0 {
            self.candidates.add(test);
        }
        self.note(test)
    }

    /// Takes note of the error of a test, if it has one.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn note(&mut self, test: &Test<'_>) -> Result<(), Failure> {
        let Some(finding) = test.finding else { return Ok(()) };
        let bytes = size(self.plan, test);
        let error = finding.error();
        let known = self.errors.iter().position(|known| known.finding.error() == error);
        let number = known.unwrap_or_else(|| {
            let finding = finding.clone();
            self.errors.push(SmallestInput {
                finding,
                runs: 0,
                bytes: usize::MAX,
                distance: u64::MAX,
                input: Input::default(),
                stack: Vec::new(),
                last_line: None,
                folder: None,
            });
            self.errors.len() - 1
        });
        let error = &mut self.errors[number];
        error.runs += 1;
        // The first finding names the error, so that its input is one of the same kind.
        let distance = test.variables.distance_from_default(test.input);
        if error.finding == *finding && (bytes, distance) < (error.bytes, error.distance) {
            (error.bytes, error.distance) = (bytes, distance);
            error.input = test.input.clone();
            error.stack = shown_calls(test.run).to_vec();
            error.last_line = last_line(&test.run.output.stderr);
            if let Some(output) = &self.plan.output {
                let name = format!("{:02}-{}", number + 1, finding.kind.name());
                let name = Path::new("errors").join(name);
                files::write(output, &name, &describe(self.plan, test), test.input, test.variables)?;
                error.folder = Some(output.path().join(name));
            }
        }
        Ok(())
    }

    /// The numbers of tests that cover as much as all of them.
    pub fn minimal(&self) -> Vec<u64> {
        self.candidates.minimal()
    }

    /// The records of the errors.
    pub fn records(&self, variables: &Variables) -> Vec<ErrorRecord> {
        let record = |error: &SmallestInput| ErrorRecord {
            kind: error.finding.kind.name().to_string(),
            message: error.finding.kind.describe(),
            call: call_in_words(self.plan, (&error.input, variables)),
            standard_error: error.last_line.clone(),
            stack: frames(&error.stack, &self.plan.program, &self.plan.info),
            runs: error.runs,
            bytes: error.bytes,
            folder: error.folder.as_ref().map(|folder| folder.display().to_string()),
            native: None,
        };
        self.errors.iter().map(record).collect()
    }
}

/// The last line of what a run has written that is not empty.
fn last_line(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.chars().take(LONGEST_LINE).collect())
}

/// The number of bytes of an input.
fn size(plan: &ExplorePlan, test: &Test<'_>) -> usize {
    let is_parameter = |kind: &SourceKind| matches!(kind, SourceKind::Parameter(_));
    let sources =
        test.variables.sources().iter().enumerate().filter(|(_, source)| !is_parameter(&source.kind));
    let whole: usize = sources.map(|(source, _)| test.variables.content(test.input, source).len()).sum();
    let function = plan.function.as_ref();
    whole + function.map_or(0, |(_, function)| function.size_of_input((test.input, test.variables)))
}

/// The call that an input stands for, where a function is explored by itself.
fn call_in_words(plan: &ExplorePlan, input: (&Input, &Variables)) -> Option<String> {
    let (_, function) = plan.function.as_ref()?;
    Some(function.in_words(plan.info.types(), input))
}

fn describe(plan: &ExplorePlan, test: &Test<'_>) -> TestDescription {
    let is_bad_exit = test.finding.is_some_and(|finding| matches!(finding.kind, FindingKind::BadExit(_)));
    TestDescription {
        number: test.number,
        origin: files::origin(test.origin).to_string(),
        end: end_in_words(&test.run.end, plan.function.is_some()),
        new_directions: test.new_edges,
        error: test.finding.map(|finding| finding.kind.describe()),
        overflow: test.run.overflow,
        has_soft_floats: plan.floats == FloatCode::Library,
        function: plan.function.as_ref().map(|(options, _)| options.clone()),
        call: call_in_words(plan, (test.input, test.variables)),
        world: Some(FixedWorld::from(&plan.world)),
        bad_exits: if is_bad_exit { plan.options.bad_exits.clone() } else { Vec::new() },
        steps: (test.run.end == RunEnd::Steps).then_some(plan.steps),
        input: files::sources(test.input, test.variables),
    }
}
