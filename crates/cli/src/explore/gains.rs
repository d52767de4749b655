//! Executed instructions over time: which functions gained some with which test, and when.
//!
//! Shares of coverage follow for any part of a program, so the file has the instructions of every function and the functions that it can call.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use sundry_debuginfo::DebugInfo;
use sundry_explore::{Program, Test, possible_calls};

use crate::failure::Failure;
use crate::output::OutputFolder;

/// A function of the program.
#[derive(Serialize, Debug)]
struct FunctionRecord {
    name: Option<String>,
    /// The source file of its first instruction that has one.
    file: Option<String>,
    /// The number of its instructions in the binary format.
    instructions: usize,
    /// Positions in this list of the functions that it can call.
    calls: Vec<u32>,
}

/// A test that took a direction before all others.
#[derive(Serialize, Debug)]
struct Point {
    seconds: f64,
    /// The number of the test.
    test: u64,
    /// Different paths of all tests so far.
    paths: u64,
    /// Questions to the solver so far.
    questions: u64,
    /// Executed instructions so far.
    covered: usize,
    /// Positions of functions, each with the number of its instructions that no test before executed.
    new: Vec<(u32, usize)>,
}

/// The tests of a run that goes on.
#[derive(Default)]
pub struct Gains {
    paths: u64,
    points: Vec<Point>,
}

/// The functions of a program, and what they gained with each test.
#[derive(Serialize, Debug)]
pub struct GainsRecord {
    /// The position of the function at which the program begins.
    entry: u32,
    functions: Vec<FunctionRecord>,
    points: Vec<Point>,
}

impl Gains {
    /// Takes note of a test.
    pub fn note(&mut self, test: &Test<'_>, seconds: f64) {
        self.paths += u64::from(test.is_new_path);
        if test.new_edges > 0 {
            let (paths, questions) = (self.paths, test.questions);
            let point = Point { seconds, test: test.number, paths, questions, covered: 0, new: Vec::new() };
            self.points.push(point);
        }
    }

    /// The gains: the instructions that each test was the first to execute, by their offsets.
    pub fn finish(
        mut self,
        (program, info): (&Program, &DebugInfo),
        first_executions: &BTreeMap<u32, u64>,
    ) -> GainsRecord {
        let module = &program.module;
        let mut gains: BTreeMap<u64, BTreeMap<u32, usize>> = BTreeMap::new();
        let mut functions = Vec::new();
        for ((position, function), calls) in (0..).zip(&module.functions).zip(possible_calls(module)) {
            let offsets = function.operators.iter().map(|&(offset, _)| offset);
            for test in offsets.clone().filter_map(|offset| first_executions.get(&offset)) {
                *gains.entry(*test).or_default().entry(position).or_default() += 1;
            }
            functions.push(FunctionRecord {
                name: program.names.get(position as usize).cloned().flatten(),
                file: offsets.clone().find_map(|offset| info.frames(offset).pop()?.file),
                instructions: function.operators.len(),
                calls,
            });
        }
        let mut covered = 0;
        for point in &mut self.points {
            let new = gains.remove(&point.test).unwrap_or_default();
            covered += new.values().sum::<usize>();
            point.covered = covered;
            point.new = new.into_iter().collect();
        }
        let entry = program.entry.saturating_sub(module.imports.len() as u32);
        GainsRecord { entry, functions, points: self.points }
    }
}

impl GainsRecord {
    /// Writes the gains as JSON, each value of the lists on no line of its own, since there are many.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, output: &OutputFolder) -> Result<(), Failure> {
        let text = serde_json::to_string(self).expect("strings and numbers");
        output.file(Path::new("curve.json"))?.replace(format!("{text}\n").as_bytes())
    }
}
