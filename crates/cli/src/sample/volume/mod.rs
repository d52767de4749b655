//! Sampling at volume: solutions are written as they are found, and what is written stays.
//!
//! A run that was cut can be continued (`--resume`): what its file has is kept, and never written again.

mod earlier;
mod outcome;
mod receiver;

use std::time::Instant;

use sundry_coverage::Predicate;
use sundry_report::{BatchEntry, Record, VolumeRecord};
use sundry_sample::{
    Control, SampleError, StopReason, UniformOptions, VolumeOptions, VolumeStrategy, sample_uniform,
    sample_volume,
};
use sundry_term::SymbolId;

use super::batch::Runner;
use super::files::{Files, Places};
use super::predicates::{self, Subject};
use super::refusal::cannot_start;
use super::tables;
use crate::arguments::{Plan, SampleArguments, Source};
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::LoadedFormula;
use crate::input::Input;
use crate::interrupt::{self, Stop};
use crate::output::{OutputFile, SolutionWriter, write_results};
use crate::progress::{FormulaProgress, STARTING};
use earlier::Earlier;
use outcome::{Ended, Figures};
use receiver::{Output, Receiver};

/// How formulas are sampled at volume.
pub struct VolumeTask<'a> {
    /// The command line.
    pub arguments: &'a SampleArguments,
    /// Where messages go.
    pub console: &'a Console,
    /// Set to stop.
    pub stop: &'a Stop,
    /// Where solutions come from.
    pub source: Source,
}

/// Refuses options that a run at volume has no use for.
///
/// # Errors
/// There is one.
pub fn check(arguments: &SampleArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    if output.obligations.is_some() {
        let message =
            format_args!("--obligations does not go with the strategy {}", arguments.strategy.name());
        return Err(Failure::new(Status::Input, message).with_help("leave it out"));
    }
    if output.resume && arguments.strategy.project().is_some() {
        let message =
            "--resume does not go with --project: what is in the file does not tell which values are done";
        return Err(Failure::new(Status::Input, message).with_help("start again without --resume"));
    }
    if output.resume && matches!(arguments.strategy.plan(), Plan::Volume(Source::Draw(_))) {
        let message =
            "--resume does not go with the strategy uniform: its draws are independent and may repeat";
        let help = "draw more with another --seed into another file, and join the files";
        return Err(Failure::new(Status::Input, message).with_help(help));
    }
    if output.resume && output.output.is_none() {
        let message = format_args!(
            "--resume with the strategy {} continues what -o names, and there is no -o",
            arguments.strategy.name()
        );
        let help = "add -o FILE, for several formulas -o FOLDER";
        return Err(Failure::new(Status::Input, message).with_help(help));
    }
    Ok(())
}

/// Refuses options that a batch at volume has no use for.
///
/// # Errors
/// There is one.
pub fn check_several(arguments: &SampleArguments) -> Result<(), Failure> {
    predicates::check_several(arguments)?;
    let ends = matches!(arguments.strategy.plan(), Plan::Volume(Source::Search(VolumeStrategy::All)));
    if !ends && arguments.limits.timeout.is_none() && arguments.goal.goal().max_solutions.is_none() {
        let message = "nothing would ever end the first of these formulas";
        let help = "add --timeout SECONDS for each formula, or --max-solutions N";
        return Err(Failure::new(Status::Input, message).with_help(help));
    }
    Ok(())
}

/// Samples one formula.
///
/// # Errors
/// The formula cannot be run, or its solutions cannot be written.
pub fn run(task: &VolumeTask<'_>, input: &Input) -> Result<Status, Failure> {
    let VolumeTask { arguments, console, stop, .. } = task;
    input.check()?;
    let files = Files::new(arguments, input)?;
    let subject = task.read(input)?;
    interrupt::watch(stop);
    let ended = {
        let name = input.to_string();
        let progress = FormulaProgress::counting(console, &name);
        let without_file = if arguments.output.json { Output::Nowhere } else { Output::Standard };
        task.sample(subject, &files.places, without_file, &progress)?
    };
    ended.tell(console);
    let figures = match arguments.output.json {
        true => write_results(ended.record.to_json().as_bytes(), "--record FILE"),
        false => Ok(()),
    };
    Ok(files.finish(&ended.record, figures, console))
}

impl Runner for VolumeTask<'_> {
    type Formula = Subject;
    type Record = VolumeRecord;

    fn read(&self, input: &Input) -> Result<Subject, Failure> {
        predicates::read(self.arguments, input, self.stop, self.console)
    }

    fn run(
        &self,
        subject: Subject,
        places: &Places,
        progress: &mut FormulaProgress<'_>,
    ) -> Result<VolumeRecord, Failure> {
        let ended = self.sample(subject, places, Output::Nowhere, progress)?;
        ended.tell(self.console);
        Ok(ended.record)
    }

    fn table(&self, entries: &[BatchEntry<VolumeRecord>]) -> String {
        tables::of_volume(entries)
    }
}

impl VolumeTask<'_> {
    /// Samples a formula and writes its solutions to the file that there is for them, or else to `without_file`.
    fn sample<'p>(
        &self,
        mut subject: Subject,
        places: &'p Places,
        without_file: Output<'p>,
        progress: &FormulaProgress<'_>,
    ) -> Result<Ended, Failure> {
        let begin = Instant::now();
        let output = match &places.solutions {
            Some(file) => {
                if self.arguments.output.resume {
                    progress.tell(format!("reading {}", file.name().display()));
                }
                self.output(&subject.formula, file)?
            }
            None => without_file,
        };
        // Otherwise a long file would leave no time to add to it.
        let control = match places.solutions.is_some() && self.arguments.output.resume {
            true => self.arguments.limits.control(subject.formula.begun.start + begin.elapsed(), self.stop),
            false => subject.formula.begun.control.clone(),
        };
        predicates::complete(self.arguments, &mut subject, places.predicates.as_ref(), &control, progress)?;
        progress.tell(STARTING.to_string());
        let Subject { formula, predicates } = subject;
        let project = self.project(&formula)?;
        let most = self.arguments.goal.goal().max_solutions.map(|most| most as u64);
        let mut receiver = Receiver::new(&formula, self.writer(&formula), output, most, progress)?;
        if !formula.problem.roles.auxiliary.is_empty() && matches!(self.source, Source::Search(_)) {
            receiver = receiver.without_repetitions(self.arguments.strategy.volume().remembered() / 4);
        }
        let (reason, statistics) = match receiver.has_enough() {
            true => (StopReason::MaximalSolutions, Figures::default()),
            false => self.search(&formula, predicates, project, control, &mut receiver)?,
        };
        Ok(Ended::new(self.arguments, &formula, &receiver.finish()?, reason, &statistics))
    }

    /// The constants that tell solutions apart, where they are named.
    fn project(&self, formula: &LoadedFormula) -> Result<Option<Vec<SymbolId>>, Failure> {
        let Some(names) = self.arguments.strategy.project() else {
            let problem = &formula.problem;
            let has_auxiliary = !problem.roles.auxiliary.is_empty();
            return Ok(has_auxiliary.then(|| problem.shown().collect()));
        };
        let find = |name: &String| {
            let bare = name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(name);
            formula.constant_named(bare).ok_or_else(|| {
                let message =
                    format_args!("{}: there is no constant '{bare}', which --project names", formula.name());
                let help = "it has to be declared by the formula; several are separated by commas";
                Failure::new(Status::Input, message).with_help(help)
            })
        };
        names.iter().map(find).collect::<Result<Vec<_>, _>>().map(Some)
    }

    /// What a file has already is read here, before any work is done.
    fn output<'o>(&self, formula: &LoadedFormula, file: &'o OutputFile) -> Result<Output<'o>, Failure> {
        if !self.arguments.output.resume {
            return Ok(Output::File(file));
        }
        // The other half of the memory is for what this run finds.
        let memory = self.arguments.strategy.volume().remembered() / 2;
        let earlier = Earlier::read(file, formula, self.arguments.output.format, memory, self.stop)?;
        if earlier.count > 0 || earlier.is_torn {
            earlier.tell(file, self.console);
        }
        Ok(Output::Continued(file, earlier))
    }

    fn writer<'f>(&self, formula: &'f LoadedFormula) -> SolutionWriter<'f> {
        formula.writer(self.arguments.output.format)
    }

    fn search(
        &self,
        formula: &LoadedFormula,
        predicates: Vec<Predicate>,
        project: Option<Vec<SymbolId>>,
        control: Control,
        receiver: &mut Receiver<'_>,
    ) -> Result<(StopReason, Figures), Failure> {
        let (stream, taken) = receiver.earlier().map_or((0, 0), |earlier| (earlier.count, earlier.bytes()));
        let seed = self.arguments.limits.seed;
        let result = match self.source {
            Source::Search(strategy) => {
                let options = VolumeOptions {
                    strategy,
                    granularity: self.arguments.strategy.volume().granularity(),
                    predicates,
                    project,
                    seed,
                    // What was found before is not searched again.
                    stream,
                    memory: self.arguments.strategy.volume().remembered().saturating_sub(taken),
                    control,
                };
                sample_volume(&formula.problem, &options, &mut |samples| receiver.take(samples))
                    .map(|(reason, statistics)| (reason, Figures::Search(statistics)))
            }
            Source::Draw(method) => {
                let tolerance = self.arguments.strategy.uniform().tolerance();
                let options = UniformOptions { method, tolerance, samples: receiver.wanted(), seed, control };
                sample_uniform(&formula.problem, &options, &mut |models| {
                    receiver.take_models(models.iter().cloned())
                })
                .map(|(reason, statistics)| (reason, Figures::Draw(statistics)))
            }
        };
        match result {
            Ok(ended) => Ok(ended),
            Err(SampleError::Stopped(reason)) => Ok((reason, Figures::default())),
            Err(error) => Err(cannot_start(formula, self.arguments, &error)),
        }
    }
}
