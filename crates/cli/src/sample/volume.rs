//! One formula at volume: solutions are written as they are found, and what is written stays.

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sundry_coverage::{Predicate, random_predicates};
use sundry_report::VolumeRecord;
use sundry_sample::{
    Control, Samples, StopReason, VolumeError, VolumeOptions, VolumeStatistics, VolumeStrategy,
    internal_predicates, sample_volume,
};
use sundry_smtlib::print_term;
use sundry_term::{Model, quote_symbol};

use super::check_files;
use super::records::options;
use super::task::too_large;
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::{Input, LoadedFormula, predicate_failure};
use crate::interrupt;
use crate::output::{OutputFile, SolutionWriter, write_results};
use crate::progress::FormulaProgress;
use crate::values::{counted, grouped};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(200);

/// Samples one formula.
///
/// # Errors
/// The formula cannot be run, or its solutions cannot be written.
pub fn run(
    arguments: &SampleArguments,
    strategy: VolumeStrategy,
    input: &Input,
    console: &Console,
) -> Result<Status, Failure> {
    refuse_foreign(arguments)?;
    input.check()?;
    let file = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::new).transpose();
    let wanted = arguments.strategy.volume();
    let (solutions, record) = (file(&arguments.output.output)?, file(&arguments.output.record)?);
    let saved = file(&wanted.save_predicates)?;
    check_files(&[solutions.as_ref(), record.as_ref(), saved.as_ref()], input.path().into_iter())?;
    let (mut formula, mut predicates) = match &wanted.predicates {
        None => (LoadedFormula::read(input, console)?, Vec::new()),
        Some(path) => LoadedFormula::read_with_predicates(input, &Input::from_argument(path), console)?,
    };
    let stop = Arc::default();
    interrupt::watch(&stop);
    let control = arguments.limits.control(formula.start, &stop);
    if wanted.predicates.is_none() {
        predicates = make_predicates(arguments, &mut formula, &control)?;
    }
    if let Some(file) = saved {
        file.replace(print_predicates(&formula, &predicates).as_bytes())?;
    }
    let memory = wanted.memory();
    let seed = arguments.limits.seed;
    let options = VolumeOptions { strategy, predicates, project: None, seed, memory, control };

    let mut receiver = Receiver::new(arguments, &formula, solutions.as_ref(), console)?;
    let result = sample_volume(&formula.problem, &options, &mut |samples| receiver.take(samples));
    let Receiver { count, failure, .. } = receiver;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let (reason, statistics) = match result {
        Ok(ended) => ended,
        Err(VolumeError::Stopped(reason)) => (reason, VolumeStatistics::default()),
        Err(VolumeError::TooLarge(error)) => return Err(too_large(&formula, &error)),
        Err(VolumeError::NotEnumerable(symbol)) => {
            let message = format_args!(
                "{}: the values of {} cannot be listed: it is an array, a function or of a declared sort",
                formula.name(),
                quote_symbol(&formula.problem.store.symbol(symbol).name)
            );
            return Err(Failure::new(Status::Input, message).with_help("name the constants that matter"));
        }
        Err(VolumeError::Unsupported(error)) => {
            let help = "the strategies cover and pan can sample it";
            return Err(
                Failure::new(Status::Input, format_args!("{}: {error}", formula.name())).with_help(help)
            );
        }
    };
    let status = tell(arguments, &formula, count, reason, &statistics, console);
    let text = record_of(arguments, &formula, count, reason, &statistics, status).to_json();
    if arguments.output.json {
        write_results(text.as_bytes())?;
    }
    record.map_or(Ok(()), |file| file.replace(text.as_bytes()))?;
    Ok(status)
}

/// The predicates that are to be made; none unless the command line says so.
fn make_predicates(
    arguments: &SampleArguments,
    formula: &mut LoadedFormula,
    control: &Control,
) -> Result<Vec<Predicate>, Failure> {
    let wanted = arguments.strategy.volume();
    let seed = arguments.limits.seed;
    let problem = &mut formula.problem;
    let predicates = if let Some(count) = wanted.random_predicates {
        random_predicates(&mut problem.store, &problem.symbols, count.get(), seed)
    } else if let Some(count) = wanted.internal_predicates {
        internal_predicates(problem, count.get(), seed, control)
            .map_err(|error| predicate_failure(formula, &error))?
    } else {
        return Ok(Vec::new());
    };
    if predicates.is_empty() && !control.stopped() {
        let message = format_args!("{}: there is nothing in it to make predicates of", formula.name());
        return Err(Failure::new(Status::Input, message).with_help("use --strategy smtsampler"));
    }
    Ok(predicates)
}

/// The predicates as definitions, for `--predicates`.
fn print_predicates(formula: &LoadedFormula, predicates: &[Predicate]) -> String {
    let print = |predicate: &Predicate| {
        let term = print_term(&formula.problem.store, predicate.term);
        format!("(define-fun {} () Bool {term})\n", quote_symbol(&predicate.name))
    };
    predicates.iter().map(print).collect()
}

/// Refuses outputs of sets of solutions, which there are none of here.
fn refuse_foreign(arguments: &SampleArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    for (name, is_given) in [
        ("obligations", output.obligations.is_some()),
        ("summary", output.summary.is_some()),
        ("resume", output.resume),
    ] {
        if is_given {
            let message =
                format_args!("--{name} does not go with the strategy {}", arguments.strategy.name());
            return Err(Failure::new(Status::Input, message).with_help("leave it out"));
        }
    }
    Ok(())
}

/// Writes solutions as they come.
struct Receiver<'a> {
    formula: &'a LoadedFormula,
    writer: SolutionWriter<'a>,
    output: Output<'a>,
    /// How many are wanted at most.
    wanted: Option<u64>,
    count: u64,
    failure: Option<Failure>,
    progress: FormulaProgress<'a>,
    /// When progress was told last.
    told: Instant,
}

/// Where solutions go.
enum Output<'a> {
    Standard,
    File(&'a OutputFile, File),
    /// Only figures are wanted.
    Nowhere,
}

impl Output<'_> {
    /// Writes the text of whole solutions.
    fn write(&mut self, text: &[u8]) -> Result<(), Failure> {
        match self {
            Output::Standard => write_results(text),
            Output::File(name, file) => {
                file.write_all(text).map_err(|error| Failure::writing(name.name(), &error))
            }
            Output::Nowhere => Ok(()),
        }
    }
}

impl<'a> Receiver<'a> {
    fn new(
        arguments: &SampleArguments,
        formula: &'a LoadedFormula,
        file: Option<&'a OutputFile>,
        console: &'a Console,
    ) -> Result<Self, Failure> {
        let problem = &formula.problem;
        let writer = SolutionWriter::new(arguments.output.format, &problem.store, &problem.symbols);
        let create =
            |file: &'a OutputFile| -> io::Result<Output<'a>> { Ok(Output::File(file, file.create()?)) };
        let output = match file {
            Some(file) => create(file).map_err(|error| Failure::writing(file.name(), &error))?,
            None if arguments.output.json => Output::Nowhere,
            None => Output::Standard,
        };
        let mut receiver = Receiver {
            formula,
            writer,
            output,
            wanted: arguments.goal.goal().max_solutions.map(|wanted| wanted as u64),
            count: 0,
            failure: None,
            progress: FormulaProgress::counting(console, formula.name()),
            told: Instant::now(),
        };
        receiver.output.write(&receiver.writer.heading())?;
        Ok(receiver)
    }

    fn take(&mut self, samples: &Samples<'_>) -> ControlFlow<()> {
        let left = self.wanted.map_or(usize::MAX, |wanted| (wanted - self.count) as usize);
        let mut models: Vec<Model> = samples.models().take(left).collect();
        for model in &mut models {
            self.formula.problem.complete(model);
        }
        if let Err(failure) = self.output.write(&self.writer.rows(models.iter())) {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        self.count += models.len() as u64;
        if self.told.elapsed() >= TICK {
            self.told = Instant::now();
            let seconds = self.formula.start.elapsed().as_secs_f64();
            let rate = grouped((self.count as f64 / seconds) as u64);
            self.progress.tell(format!("{}, {rate} a second", counted(self.count as usize, "solution")));
        }
        match self.wanted {
            Some(wanted) if self.count >= wanted => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Tells how a run ended, and its status.
fn tell(
    arguments: &SampleArguments,
    formula: &LoadedFormula,
    count: u64,
    reason: StopReason,
    statistics: &VolumeStatistics,
    console: &Console,
) -> Status {
    let name = formula.name();
    if statistics.rejected > 0 {
        let message = format_args!(
            "internal error: {name}: {} of the solver's models did not satisfy the formula and were discarded; \
             please report the formula",
            statistics.rejected
        );
        console.failure(&Failure::new(Status::Internal, message));
    }
    if reason == StopReason::Unsatisfiable {
        console.line(format_args!("{name}: unsatisfiable: there is no solution"));
        return Status::Attention;
    }
    let ended = match reason {
        StopReason::Deadline => "; stopped by --timeout",
        StopReason::Interrupted => "; interrupted",
        _ => "",
    };
    let unique = match statistics.window {
        None => "all different".to_string(),
        Some(window) => format!("unique within a window of {}", grouped(window as u64)),
    };
    let seconds = formula.start.elapsed().as_secs_f64();
    console.line(match count {
        0 => format!("{name}: no solution found yet{ended}"),
        _ => format!("{name}: {} in {seconds:.1} s, {unique}{ended}", counted(count as usize, "solution")),
    });
    let has_enough = reason == StopReason::MaximalSolutions
        || reason == StopReason::Deadline && count > 0 && arguments.goal.goal().max_solutions.is_none();
    match has_enough {
        _ if statistics.rejected > 0 => Status::Internal,
        true => Status::Done,
        false => Status::Limit,
    }
}

fn record_of(
    arguments: &SampleArguments,
    formula: &LoadedFormula,
    count: u64,
    reason: StopReason,
    statistics: &VolumeStatistics,
    status: Status,
) -> VolumeRecord {
    VolumeRecord {
        formula: formula.name().to_string(),
        strategy: arguments.strategy.name().to_string(),
        options: options(arguments),
        seed: arguments.limits.seed,
        version: env!("CARGO_PKG_VERSION").to_string(),
        solutions: count,
        candidates: statistics.candidates,
        valid: statistics.valid,
        epochs: statistics.epochs,
        questions: statistics.questions,
        rejected: statistics.rejected,
        window: statistics.window.map(|window| window as u64),
        seconds: formula.start.elapsed().as_secs_f64(),
        stopped_by: reason.name().to_string(),
        status: status.code(),
    }
}
