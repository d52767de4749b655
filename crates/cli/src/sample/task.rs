//! Sampling one formula: read it, run what the plan asks for, keep the output at what was found, report how it ended.

use std::ops::ControlFlow;
use std::path::Path;
use std::thread;
use std::time::Instant;

use sundry::Control;
use sundry::pipeline::{Event, Obligation, Summary};
use sundry::read::{Diagnostic, DiagnosticKind};
use sundry::{MAX_STRENGTH, Over, Sampler, Strategy};
use sundry_report::{RunKind, RunRecord};
use tracing::info_span;

use super::earlier::Earlier;
use super::ending::Ended;
use super::files::{Places, told};
use super::plan::{SamplePlan, SamplingPlan};
use super::predicates;
use super::receiver::{Output, Received, Receiver};
use super::refusal::cannot_start;
use crate::console::Console;
use crate::failure::{Failure, FailureKind};
use crate::formula::LoadedFormula;
use crate::input::Input;
use crate::interrupt::{Begun, Stop};
use crate::model::tell_unused;
use crate::output::{Keeper, OutputFile, OutputFolder, SolutionWriter};
use crate::progress::{FormulaProgress, STARTING};
use crate::values::{counted, grouped};

/// How formulas are sampled.
pub struct Task<'a> {
    /// What the command line asks for.
    pub plan: &'a SamplePlan,
    /// The console for messages.
    pub console: &'a Console,
    /// Set to stop.
    pub stop: &'a Stop,
    /// Threads for each formula.
    pub threads: usize,
}

/// A formula that was run.
pub struct Finished {
    /// The formula.
    pub formula: LoadedFormula,
    /// What the run has brought.
    pub summary: Summary,
    /// The record of the run.
    pub record: RunRecord,
}

impl Task<'_> {
    /// Reads a formula.
    ///
    /// # Errors
    /// The input is not a formula that can be run.
    pub fn read(&self, input: &Input) -> Result<LoadedFormula, Failure> {
        let formula = predicates::read(self.plan, input, self.stop, self.console)?;
        // What is not asserted is a parameter like others, of which combinations are wanted.
        if self.plan.kind() != RunKind::Tuples {
            tell_unused(&formula, self.console);
        }
        let problem = formula.problem();
        self.console.detail(format_args!(
            "{}: {}, {}, {} AST-bits, read in {:.2} s",
            formula.name(),
            counted(problem.assertions.len(), "assertion"),
            counted(problem.symbols.len(), "symbol"),
            grouped(problem.ast_bits.total() as u64),
            formula.begun.start.elapsed().as_secs_f64(),
        ));
        Ok(formula)
    }

    /// Samples a formula and writes what there are places for; solutions that are handed out as they are found go to
    /// `without_file` where there is no place for them. How the run ended is reported.
    ///
    /// # Errors
    /// The formula cannot be run, or what is found cannot be written.
    pub fn run(
        &self,
        mut formula: LoadedFormula,
        places: &Places,
        without_file: Output<'_>,
        progress: &mut FormulaProgress<'_>,
    ) -> Result<Finished, Failure> {
        let _span = info_span!("formula", name = formula.name()).entered();
        if let Strategy::TWise(strength) = self.plan.sampling.strategy {
            check_groups(strength, self.plan.sampling.over, &formula)?;
        }
        let (output, control) = self.output(&formula, places, without_file, progress)?;
        predicates::complete(self.plan, &mut formula, places.predicates.as_ref(), &control, progress)?;
        let sampler = self.sampler(&formula, control, places)?;
        let (summary, received) = match self.plan.kind() {
            RunKind::Set | RunKind::Tuples => {
                let file = places.solutions.as_ref();
                (self.keep_best(&formula, &sampler, file, progress)?, Received::default())
            }
            RunKind::Volume => self.hand_out(&formula, sampler, output, progress)?,
        };
        let results = [
            places.solutions.as_ref().map_or(Ok(()), |file| self.write_set(&formula, &summary, file)),
            places
                .obligations
                .as_ref()
                .map_or(Ok(()), |folder| write_obligations(&formula.formula.obligations(&summary), folder)),
        ];
        let ended = Ended { plan: self.plan, formula: &formula, summary: &summary, received: &received };
        let mut record = ended.record(ended.status());
        ended.report(&record, self.console);
        record.head.status = told(results, ended.status(), self.console);
        Ok(Finished { formula, summary, record })
    }

    /// The place for solutions that are handed out as they are found, and what stops the run. What a file has already is read
    /// here, before any work is done.
    fn output<'o>(
        &self,
        formula: &LoadedFormula,
        places: &'o Places,
        without_file: Output<'o>,
        progress: &FormulaProgress<'_>,
    ) -> Result<(Output<'o>, Control), Failure> {
        let control = formula.begun.control.clone();
        if self.plan.kind() != RunKind::Volume {
            return Ok((Output::Nowhere, control));
        }
        let Some(file) = &places.solutions else { return Ok((without_file, control)) };
        if !self.plan.output.resume {
            return Ok((Output::File(file), control));
        }
        let begin = Instant::now();
        progress.tell(format!("reading {}", file.name().display()));
        // The other half of the memory is for what this run finds.
        let memory = self.plan.remembered / 2;
        let earlier = Earlier::read(file, formula, self.plan.output.format, memory, self.stop)?;
        if earlier.count > 0 || earlier.is_torn {
            earlier.tell(file, self.console);
        }
        // Otherwise a long file would leave no time to add to it.
        let control = Begun::at(formula.begun.start + begin.elapsed(), self.plan.timeout, self.stop).control;
        Ok((Output::Continued(file, earlier), control))
    }

    /// The plan for this formula.
    fn sampler(
        &self,
        formula: &LoadedFormula,
        control: Control,
        places: &Places,
    ) -> Result<Sampler, Failure> {
        let SamplingPlan { strategy, target, effort, over, fill } = self.plan.sampling.clone();
        let mut sampler = formula
            .formula
            .sampler()
            .strategy(strategy)
            .target(target)
            .effort(effort)
            .over(over)
            .fill(fill)
            .seed(self.plan.seed)
            .threads(self.threads)
            .control(control)
            .with_obligations(places.obligations.is_some())
            .ends_process(!self.plan.is_batch);
        // Where solutions are handed out, the receiver counts what it writes, and leaves out what the file has.
        let is_counted_here = self.plan.kind() != RunKind::Volume || self.plan.draws();
        if let Some(most) = self.plan.max_solutions.filter(|_| is_counted_here) {
            sampler = sampler.max_solutions(most);
        }
        match &self.plan.project {
            Some(names) => Ok(sampler.project(projection(formula, names)?)),
            None => Ok(sampler),
        }
    }

    /// Runs a search for a set, and keeps the file at the best one.
    fn keep_best(
        &self,
        formula: &LoadedFormula,
        sampler: &Sampler,
        file: Option<&OutputFile>,
        progress: &mut FormulaProgress<'_>,
    ) -> Result<Summary, Failure> {
        if self.plan.kind() == RunKind::Tuples {
            progress.tell(STARTING.to_string());
        }
        let desk = Default::default();
        let summary = thread::scope(|scope| {
            let mut keeper = Keeper::start(scope, &desk, file, self.writer(formula), self.console);
            sampler.observe(&mut |event| {
                match event {
                    Event::Preparing(preparation) => progress.prepare(preparation),
                    Event::Set(step) => {
                        keeper.offer(step.solutions.iter().map(|rated| &*rated.model));
                        progress.update(&step);
                    }
                    Event::Rejected(wrong) => {
                        self.console.failure(&Failure::of(FailureKind::Internal, formula.name(), wrong));
                    }
                    Event::Solutions(_) => {}
                }
                ControlFlow::Continue(())
            })
        });
        summary.map_err(|error| cannot_start(formula, self.plan, &error))
    }

    /// Runs a search that hands out solutions as it finds them, and writes them.
    fn hand_out(
        &self,
        formula: &LoadedFormula,
        mut sampler: Sampler,
        output: Output<'_>,
        progress: &FormulaProgress<'_>,
    ) -> Result<(Summary, Received), Failure> {
        progress.tell(STARTING.to_string());
        let mut receiver =
            Receiver::new(formula, self.writer(formula), output, self.plan.max_solutions, progress)?;
        if !self.plan.draws() && !formula.problem().roles.auxiliary.is_empty() {
            receiver = receiver.without_repetitions(self.plan.remembered / 4);
        }
        let (stream, taken) = receiver.earlier().map_or((0, 0), |earlier| (earlier.count, earlier.bytes()));
        // What was found before is not searched again.
        sampler = sampler.run_number(stream).remembered(self.plan.remembered.saturating_sub(taken));
        if receiver.has_enough() {
            sampler = sampler.max_solutions(0);
        }
        let summary = sampler.observe(&mut |event| match event {
            Event::Solutions(solutions) => receiver.take(&solutions),
            _ => ControlFlow::Continue(()),
        });
        let summary = summary.map_err(|error| cannot_start(formula, self.plan, &error))?;
        Ok((summary, receiver.finish()?))
    }

    fn write_set(
        &self,
        formula: &LoadedFormula,
        summary: &Summary,
        file: &OutputFile,
    ) -> Result<(), Failure> {
        // No file rather than one without solutions.
        if summary.solutions().is_empty() { Ok(()) } else { file.replace(&self.render(formula, summary)) }
    }

    fn writer<'f>(&self, formula: &'f LoadedFormula) -> SolutionWriter<'f> {
        formula.writer(self.plan.output.format)
    }

    /// The set of solutions as text.
    pub fn render(&self, formula: &LoadedFormula, summary: &Summary) -> Vec<u8> {
        self.writer(formula).render(summary.solutions().iter().map(|rated| &*rated.model))
    }
}

/// The constants that `--project` names, without the bars that SMT-LIB puts around some names.
fn projection<'p>(formula: &LoadedFormula, names: &'p [String]) -> Result<Vec<&'p str>, Failure> {
    let bare = |name: &'p String| {
        let bare = name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(name);
        match formula.formula.constant(bare) {
            Some(_) => Ok(bare),
            None => {
                let message = format_args!("there is no constant '{bare}', which --project names");
                let help = "the formula has to declare the constant; commas separate several names";
                Err(Failure::of(FailureKind::Usage, formula.name(), message).with_help(help))
            }
        }
    };
    names.iter().map(bare).collect()
}

/// Refuses groups of parameters that the options leave no room for.
fn check_groups(strength: usize, over: Over, formula: &LoadedFormula) -> Result<(), Failure> {
    for group in &formula.formula.parts().groups {
        let (message, help) = if group.strength > MAX_STRENGTH {
            let help = format!("at most {MAX_STRENGTH} values can be combined: write '@ {MAX_STRENGTH}'");
            (format!("an order of {} is not supported", group.strength), help)
        } else if group.strength < strength {
            let message =
                format!("the order of this sub-model is less than that of all parameters, {strength}");
            (message, format!("leave the sub-model out, or use --strength {}", group.strength))
        } else if over != Over::Values {
            let help = "use --over values, or leave the sub-model out".to_string();
            ("a sub-model combines values of parameters, and --over names something else".to_string(), help)
        } else {
            continue;
        };
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, group.span, message).with_help(help);
        return Err(Failure::at(&diagnostic, formula.source()));
    }
    Ok(())
}

/// Writes what a run claims, a script for each claim.
fn write_obligations(obligations: &[Obligation], folder: &OutputFolder) -> Result<(), Failure> {
    for obligation in obligations {
        let file = folder.file(Path::new(&format!("{}.smt2", obligation.name)))?;
        file.replace(obligation.script.as_bytes())?;
    }
    Ok(())
}
