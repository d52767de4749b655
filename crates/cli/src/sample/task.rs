//! Sampling one formula: read it, search, keep the output file at the best set, tell how it ended.

use std::path::Path;
use std::thread;

use sundry_report::{BatchEntry, RunRecord};
use sundry_sample::{Obligation, Outcome, SampleOptions, StopReason, StrategyKind, obligations, sample};

use super::batch::Runner;
use super::files::{Places, told};
use super::records::{run_record, summary};
use super::refusal::refused;
use super::tables;
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::LoadedFormula;
use crate::input::Input;
use crate::interrupt::Stop;
use crate::model::tell_unused;
use crate::output::{Keeper, OutputFile, OutputFolder, SolutionWriter};
use crate::progress::FormulaProgress;
use crate::values::{counted, grouped};

/// How formulas are sampled.
pub struct Task<'a> {
    /// The command line.
    pub arguments: &'a SampleArguments,
    /// Where messages go.
    pub console: &'a Console,
    /// Set to stop.
    pub stop: &'a Stop,
    /// The strategy.
    pub strategy: StrategyKind,
    /// Threads for each formula.
    pub threads: usize,
    /// Whether there are no other formulas.
    pub is_only: bool,
}

/// A formula that was run.
pub struct Finished {
    /// The formula.
    pub formula: LoadedFormula,
    /// What the run has brought.
    pub outcome: Outcome,
    /// Its record.
    pub record: RunRecord,
}

impl Runner for Task<'_> {
    type Formula = LoadedFormula;
    type Record = RunRecord;

    fn read(&self, input: &Input) -> Result<LoadedFormula, Failure> {
        let begun = self.arguments.limits.begin(self.stop);
        let format = self.arguments.format.input_format;
        let formula = LoadedFormula::read(input, format, begun, self.console)?;
        tell_unused(&formula, self.console);
        self.tell_size(&formula);
        Ok(formula)
    }

    fn run(
        &self,
        formula: LoadedFormula,
        places: &Places,
        progress: &mut FormulaProgress<'_>,
    ) -> Result<RunRecord, Failure> {
        Ok(self.sample(formula, places, progress)?.record)
    }

    fn table(&self, entries: &[BatchEntry<RunRecord>]) -> String {
        tables::of_sets(entries)
    }
}

impl Task<'_> {
    /// Samples a formula and writes what there are places for; what became of the run is told.
    ///
    /// # Errors
    /// The formula is too large for a circuit.
    pub fn sample(
        &self,
        formula: LoadedFormula,
        places: &Places,
        progress: &mut FormulaProgress<'_>,
    ) -> Result<Finished, Failure> {
        let outcome = self.search(&formula, places.solutions.as_ref(), progress)?;
        let results = [
            places.solutions.as_ref().map_or(Ok(()), |file| self.write_final(&formula, &outcome, file)),
            places
                .obligations
                .as_ref()
                .map_or(Ok(()), |folder| write_obligations(&obligations(&formula.problem, &outcome), folder)),
        ];
        let status = told(results, self.judge(&formula, &outcome), self.console);
        let record = run_record(self.arguments, &formula, &outcome, status);
        Ok(Finished { formula, outcome, record })
    }

    fn tell_size(&self, formula: &LoadedFormula) {
        let problem = &formula.problem;
        self.console.detail(format_args!(
            "{}: {}, {}, {} AST-bits, read in {:.2} s",
            formula.name(),
            counted(problem.assertions.len(), "assertion"),
            counted(problem.symbols.len(), "symbol"),
            grouped(problem.ast_bits.total() as u64),
            formula.begun.start.elapsed().as_secs_f64(),
        ));
    }

    fn search(
        &self,
        formula: &LoadedFormula,
        file: Option<&OutputFile>,
        progress: &mut FormulaProgress<'_>,
    ) -> Result<Outcome, Failure> {
        let options = SampleOptions {
            strategy: self.strategy.clone(),
            seed: self.arguments.limits.seed,
            threads: self.threads,
            goal: self.arguments.goal.goal(),
            effort: self.arguments.strategy.effort(),
            control: formula.begun.control.clone(),
            is_last: self.is_only,
        };
        let writer = self.writer(formula);
        let desk = Default::default();
        thread::scope(|scope| {
            let mut keeper = Keeper::start(scope, &desk, file, writer, self.console);
            let result = sample(&formula.problem, &options, &mut |step| {
                if !step.solutions.is_empty() {
                    keeper.offer(step.solutions.iter().map(|rated| &rated.solution.model));
                }
                progress.update(step);
            });
            result.map_err(|error| refused(formula, &error))
        })
    }

    /// The status of an outcome; tells the summary, and what is our fault.
    fn judge(&self, formula: &LoadedFormula, outcome: &Outcome) -> Status {
        for wrong in &outcome.rejected {
            let message = format_args!("{}: {wrong}", formula.name());
            self.console.failure(&Failure::new(Status::Internal, message));
        }
        let goal = self.arguments.goal.goal();
        self.console.line(format_args!("{}: {}", formula.name(), summary(outcome, &goal)));
        let has_number = goal.max_solutions.is_some_and(|wanted| outcome.solutions.len() >= wanted);
        let has_coverage = !outcome.solutions.is_empty() && goal.reached(outcome.covered, outcome.validity);
        match outcome.stopped_by {
            _ if !outcome.rejected.is_empty() => Status::Internal,
            StopReason::Unsatisfiable => Status::Attention,
            _ if has_number || has_coverage => Status::Done,
            _ => Status::Limit,
        }
    }

    fn write_final(
        &self,
        formula: &LoadedFormula,
        outcome: &Outcome,
        file: &OutputFile,
    ) -> Result<(), Failure> {
        // No file rather than one without solutions.
        if outcome.solutions.is_empty() { Ok(()) } else { file.replace(&self.render(formula, outcome)) }
    }

    fn writer<'f>(&self, formula: &'f LoadedFormula) -> SolutionWriter<'f> {
        formula.writer(self.arguments.output.format)
    }

    /// The solutions as text.
    pub fn render(&self, formula: &LoadedFormula, outcome: &Outcome) -> Vec<u8> {
        self.writer(formula).render(outcome.solutions.iter().map(|rated| &rated.solution.model))
    }
}

/// Writes what a run claims, a script for each claim.
///
/// # Errors
/// One cannot be written.
pub fn write_obligations(obligations: &[Obligation], folder: &OutputFolder) -> Result<(), Failure> {
    for obligation in obligations {
        let file = folder.file(Path::new(&format!("{}.smt2", obligation.name)))?;
        file.replace(obligation.script.as_bytes())?;
    }
    Ok(())
}
