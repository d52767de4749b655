//! Sets of solutions that show combinations of values.

use std::thread;

use sundry_report::{BatchEntry, Record, TWiseRecord, percent};
use sundry_sample::{
    MAX_STRENGTH, Over, SampleError, StopReason, TWiseOptions, TWiseOutcome, TWiseProgress, TupleCounts,
    sample_twise,
};
use sundry_smtlib::{Diagnostic, DiagnosticKind};
use sundry_term::Model;

use super::batch::Runner;
use super::files::{Files, Places};
use super::predicates::{self, Subject};
use super::records::{ending, options};
use super::refusal::cannot_start;
use super::tables;
use super::task::write_obligations;
use crate::arguments::SampleArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::LoadedFormula;
use crate::input::Input;
use crate::interrupt::{self, Stop};
use crate::output::{Keeper, SolutionWriter, write_results};
use crate::progress::{FormulaProgress, STARTING};
use crate::values::{counted, grouped};

/// How formulas are sampled for combinations.
pub struct TWiseTask<'a> {
    /// The command line.
    pub arguments: &'a SampleArguments,
    /// Where messages go.
    pub console: &'a Console,
    /// Set to stop.
    pub stop: &'a Stop,
}

/// A formula that was run.
struct Finished {
    formula: LoadedFormula,
    models: Vec<Model>,
    record: TWiseRecord,
}

/// Refuses options that combinations have no use for.
///
/// # Errors
/// There is one.
pub fn check(arguments: &SampleArguments) -> Result<(), Failure> {
    if arguments.strategy.twise().fills() && arguments.goal.goal().max_solutions.is_none() {
        let help = "add --max-solutions N; --strategy all writes every solution";
        let message = "--fill goes on up to --max-solutions, and there is none";
        return Err(Failure::new(Status::Input, message).with_help(help));
    }
    Ok(())
}

/// Refuses groups of parameters that the options leave no room for.
fn check_groups(arguments: &SampleArguments, formula: &LoadedFormula) -> Result<(), Failure> {
    let strength = arguments.strategy.twise().strength();
    for group in &formula.groups {
        let (message, help) = if group.strength > MAX_STRENGTH {
            let help = format!("up to {MAX_STRENGTH} values are combined: write '@ {MAX_STRENGTH}'");
            (format!("an order of {} is not supported", group.strength), help)
        } else if group.strength < strength {
            let message =
                format!("the order of this sub-model is less than that of all parameters, {strength}");
            (message, format!("leave the sub-model out, or use --strength {}", group.strength))
        } else if arguments.strategy.over() != Over::Values {
            let help = "use --over values, or leave the sub-model out".to_string();
            ("a sub-model is about values of parameters".to_string(), help)
        } else {
            continue;
        };
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, group.span, message).with_help(help);
        return Err(Failure::at(&diagnostic, &formula.source));
    }
    Ok(())
}

/// Samples one formula.
///
/// # Errors
/// The formula cannot be run, or its solutions cannot be written.
pub fn run(task: &TWiseTask<'_>, input: &Input) -> Result<Status, Failure> {
    let TWiseTask { arguments, console, stop } = task;
    input.check()?;
    let files = Files::new(arguments, input)?;
    let subject = task.read(input)?;
    interrupt::watch(stop);
    let name = input.to_string();
    let finished = task.sample(subject, &files.places, &FormulaProgress::counting(console, &name))?;
    Ok(files.finish(&finished.record, task.write_output(&finished), console))
}

impl Runner for TWiseTask<'_> {
    type Formula = Subject;
    type Record = TWiseRecord;

    fn read(&self, input: &Input) -> Result<Subject, Failure> {
        predicates::read(self.arguments, input, self.stop, self.console)
    }

    fn run(
        &self,
        subject: Subject,
        places: &Places,
        progress: &mut FormulaProgress<'_>,
    ) -> Result<TWiseRecord, Failure> {
        Ok(self.sample(subject, places, progress)?.record)
    }

    fn table(&self, entries: &[BatchEntry<TWiseRecord>]) -> String {
        tables::of_tuples(entries)
    }
}

impl TWiseTask<'_> {
    /// Samples a formula, keeps its file at the best set, and tells how it ended.
    fn sample(
        &self,
        mut subject: Subject,
        places: &Places,
        progress: &FormulaProgress<'_>,
    ) -> Result<Finished, Failure> {
        let arguments = self.arguments;
        let control = subject.formula.begun.control.clone();
        check_groups(arguments, &subject.formula)?;
        predicates::complete(arguments, &mut subject, places.predicates.as_ref(), &control, progress)?;
        progress.tell(STARTING.to_string());
        let Subject { formula, predicates } = subject;
        let twise = arguments.strategy.twise();
        let wanted = TWiseOptions {
            strength: twise.strength(),
            over: arguments.strategy.over(),
            predicates,
            max_solutions: arguments.goal.goal().max_solutions,
            fill: twise.fills(),
            obligations: places.obligations.is_some(),
            seed: arguments.limits.seed,
            control,
        };
        let desk = Default::default();
        let outcome = thread::scope(|scope| {
            let file = places.solutions.as_ref();
            let mut keeper = Keeper::start(scope, &desk, file, self.writer(&formula), self.console);
            sample_twise(&formula.problem, &wanted, &mut |step| {
                keeper.offer(step.solutions.iter().map(|solution| &solution.model));
                tell(progress, step);
            })
        });
        let mut outcome = match outcome {
            Ok(outcome) => outcome,
            Err(SampleError::Stopped(reason)) => nothing(wanted.strength, reason),
            Err(error) => return Err(cannot_start(&formula, arguments, &error)),
        };
        let record = self.record(&formula, &outcome);
        self.tell_end(&formula, &outcome, &record);
        let models: Vec<Model> = outcome.solutions.drain(..).map(|solution| solution.model).collect();
        // No file rather than one without solutions.
        if let Some(file) = places.solutions.as_ref().filter(|_| !models.is_empty()) {
            file.replace(&self.writer(&formula).render(models.iter()))?;
        }
        if let Some(folder) = &places.obligations {
            write_obligations(&outcome.obligations, folder)?;
        }
        Ok(Finished { formula, models, record })
    }

    fn writer<'f>(&self, formula: &'f LoadedFormula) -> SolutionWriter<'f> {
        formula.writer(self.arguments.output.format)
    }

    fn write_output(&self, finished: &Finished) -> Result<(), Failure> {
        let output = &self.arguments.output;
        if output.json {
            write_results(finished.record.to_json().as_bytes(), "--record FILE")
        } else if output.output.is_none() {
            write_results(&self.writer(&finished.formula).render(finished.models.iter()), "-o FILE")
        } else {
            Ok(())
        }
    }

    fn record(&self, formula: &LoadedFormula, outcome: &TWiseOutcome) -> TWiseRecord {
        let TupleCounts { all, covered, impossible } = outcome.tuples;
        TWiseRecord {
            formula: formula.name().to_string(),
            strategy: self.arguments.strategy.name().to_string(),
            options: options(self.arguments),
            seed: self.arguments.limits.seed,
            version: env!("CARGO_PKG_VERSION").to_string(),
            strength: outcome.strength,
            factors: outcome.factors,
            tuples: all,
            covered,
            impossible,
            open: outcome.tuples.open(),
            solutions: outcome.solutions.len() as u64,
            lower_bound: outcome.lower_bound,
            all: outcome.is_all,
            rejected: outcome.rejected,
            gains: outcome.solutions.iter().map(|solution| solution.gain).collect(),
            seconds: formula.begun.start.elapsed().as_secs_f64(),
            stopped_by: ending(outcome.stopped_by),
            status: status(outcome).code(),
        }
    }

    fn tell_end(&self, formula: &LoadedFormula, outcome: &TWiseOutcome, record: &TWiseRecord) {
        if outcome.rejected > 0 {
            let message = format_args!(
                "internal error: {}: {} of the solver's models did not satisfy the formula and were discarded; \
                 please report the formula",
                formula.name(),
                outcome.rejected
            );
            self.console.failure(&Failure::new(Status::Internal, message));
        }
        let what = summary(outcome, self.arguments.strategy.over());
        self.console.line(format_args!("{}: {what}, in {:.1} s", formula.name(), record.seconds));
    }
}

/// A run that was stopped before it began.
fn nothing(strength: usize, stopped_by: StopReason) -> TWiseOutcome {
    TWiseOutcome {
        solutions: Vec::new(),
        factors: 0,
        strength,
        is_mixed: false,
        tuples: TupleCounts::default(),
        lower_bound: 0,
        is_all: false,
        rejected: 0,
        obligations: Vec::new(),
        stopped_by,
    }
}

fn tell(progress: &FormulaProgress<'_>, step: &TWiseProgress<'_>) {
    let TupleCounts { all, covered, impossible } = step.tuples;
    let solutions = counted(step.solutions.len(), "solution");
    progress.tell(format!("{solutions}, {} of the combinations", percent(covered, all - impossible)));
}

/// What a tuple of a strength is called.
pub fn tuple(strength: usize) -> &'static str {
    match strength {
        1 => "value",
        2 => "pair",
        _ => "triple",
    }
}

/// What a run has brought, in a line.
fn summary(outcome: &TWiseOutcome, over: Over) -> String {
    let reason = match outcome.stopped_by {
        StopReason::Unsatisfiable => return "unsatisfiable: there is no solution".to_string(),
        StopReason::Deadline => "; stopped by --timeout",
        StopReason::Interrupted => "; interrupted",
        StopReason::Memory => "; stopped by --memory",
        StopReason::MaximalSolutions => "; stopped by --max-solutions",
        _ => "",
    };
    if outcome.solutions.is_empty() {
        return format!("no solution found yet{reason}");
    }
    let TupleCounts { all, covered, impossible } = outcome.tuples;
    let tuple = if outcome.is_mixed { "combination" } else { tuple(outcome.strength) };
    let factors = match over {
        Over::Values => counted(outcome.factors, "factor"),
        Over::Bits => counted(outcome.factors, "bit"),
        Over::Predicates => counted(outcome.factors, "predicate"),
    };
    let solutions = match outcome.is_all {
        true if outcome.solutions.len() == 1 => "the only solution".to_string(),
        true => format!("all {}", counted(outcome.solutions.len(), "solution")),
        false => counted(outcome.solutions.len(), "solution"),
    };
    if outcome.tuples.open() > 0 {
        let share = percent(covered, all - impossible);
        // Where nothing stopped the run, the solver has given up on the rest.
        let reason = match outcome.stopped_by {
            StopReason::Complete => {
                let open = usize::try_from(outcome.tuples.open()).unwrap_or(usize::MAX);
                format!("; the solver gave up on {}", counted(open, tuple))
            }
            _ => reason.to_string(),
        };
        return format!("{solutions} with {share} of the {tuple}s of {factors}{reason}");
    }
    let mut text = format!("{solutions} with all {} valid {tuple}s of {factors}", grouped(covered));
    if impossible > 0 {
        let verb = if impossible == 1 { "is" } else { "are" };
        text.push_str(&format!(" ({} {verb} impossible)", grouped(impossible)));
    }
    match outcome.lower_bound {
        _ if outcome.is_all => {}
        bound if bound >= outcome.solutions.len() => text.push_str(", proved minimal"),
        bound => text.push_str(&format!(", at least {bound} needed")),
    }
    text
}

fn status(outcome: &TWiseOutcome) -> Status {
    match outcome.stopped_by {
        _ if outcome.rejected > 0 => Status::Internal,
        StopReason::Unsatisfiable => Status::Attention,
        StopReason::MaximalSolutions => Status::Done,
        StopReason::Complete if outcome.tuples.open() == 0 => Status::Done,
        _ => Status::Limit,
    }
}
