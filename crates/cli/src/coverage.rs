//! `sundry coverage`: what models, of whatever origin, cover of a formula.
//!
//! Models are read as solvers print them and evaluated on the assertions as written; nothing is
//! solved unless `--decide` asks which AST-bits can be covered at all. Then the two ways check one
//! another: a model that covers an AST-bit proved impossible is a defect, and is told as one.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sundry_coverage::{Coverage, ModelBits};
use sundry_report::{Alignment, CoverageRecord, DecisionRecord, ModelRecord, Table, percent};
use sundry_sample::{Control, Outcome, SampleOptions, StopReason, sample};
use sundry_smtlib::{Diagnostic, DiagnosticKind, ReadModel, SourceText, read_models};
use sundry_term::{TermId, Value, evaluate};

use crate::arguments::CoverageArguments;
use crate::console::Console;
use crate::failure::{Failure, Status};
use crate::formula::{Input, LoadedFormula};
use crate::interrupt;
use crate::output::write_results;
use crate::values::{counted, grouped};

/// How many symbols are named in one message.
const NAMED: usize = 5;

/// Runs the job.
///
/// # Errors
/// The formula or a file of models cannot be read, or the result cannot be written.
pub fn run(arguments: &CoverageArguments, console: &Console) -> Result<Status, Failure> {
    let paths: Vec<&Path> = std::iter::once(&arguments.formula.formula)
        .chain(&arguments.models)
        .map(|path| path.as_path())
        .collect();
    if paths.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(Failure::new(Status::Input, "standard input (-) can be read only once"));
    }
    let formula = LoadedFormula::read(&Input::from_argument(paths[0]), console)?;
    let coverage = Coverage::new(&formula.problem.ast_bits);
    let mut measurement = Measurement { formula, coverage, models: Vec::new() };
    for path in &paths[1..] {
        measurement.measure_file(&Input::from_argument(path), arguments.strict, console)?;
    }
    let decided = match arguments.decide {
        true => Some(measurement.decide(arguments)?),
        false => None,
    };
    let record = measurement.record(decided);
    let text = if arguments.json { record.to_json() } else { describe(&record) };
    write_results(text.as_bytes())?;
    Ok(status(&record))
}

fn status(record: &CoverageRecord) -> Status {
    if record.models.iter().any(|model| !model.satisfies) {
        Status::Attention
    } else if record.decided.as_ref().is_some_and(|decided| decided.unknown > 0) {
        Status::Limit
    } else {
        Status::Done
    }
}

/// A formula, and what the models so far cover of it.
struct Measurement {
    formula: LoadedFormula,
    coverage: Coverage,
    models: Vec<ModelRecord>,
}

impl Measurement {
    fn measure_file(&mut self, input: &Input, strict: bool, console: &Console) -> Result<(), Failure> {
        let source = input.read()?;
        let problem = &mut self.formula.problem;
        let models = read_models(&mut problem.store, &source, &problem.symbols)
            .map_err(|diagnostic| Failure::at(&diagnostic, &source))?;
        if models.is_empty() {
            let message = format_args!("{}: there is no model in it", source.name());
            let help = "a model is a list of definitions, as solvers print it for (get-model)";
            return Err(Failure::new(Status::Input, message).with_help(help));
        }
        for (number, model) in models.iter().enumerate() {
            let name = format!("{}#{}", source.name(), number + 1);
            let missing = self.check_symbols(model, &source, &name, strict, console)?;
            self.measure(model, &source, name, missing, console);
        }
        Ok(())
    }

    /// The names of declared symbols that the model leaves out. Tells them, or refuses the model.
    fn check_symbols(
        &self,
        model: &ReadModel,
        source: &SourceText,
        name: &str,
        strict: bool,
        console: &Console,
    ) -> Result<Vec<String>, Failure> {
        let store = &self.formula.problem.store;
        let missing: Vec<String> =
            model.missing.iter().map(|&symbol| store.symbol(symbol).name.to_string()).collect();
        if !missing.is_empty() {
            let text = format!("{name} leaves out {}", listed(&missing));
            if strict {
                let diagnostic = Diagnostic::new(DiagnosticKind::Unknown, model.span, text)
                    .with_help("without --strict, what a model leaves out counts as zero");
                return Err(Failure::at(&diagnostic, source));
            }
            let verb = if missing.len() == 1 { "counts" } else { "count" };
            console.note(place(source, model.span.start), format_args!("{text}, which {verb} as zero"));
        }
        for definition in &model.unused {
            console.note(
                place(source, definition.span.start),
                format_args!("'{}' is not declared by the formula and is ignored", definition.name),
            );
        }
        Ok(missing)
    }

    fn measure(
        &mut self,
        model: &ReadModel,
        source: &SourceText,
        name: String,
        missing: Vec<String>,
        console: &Console,
    ) {
        let problem = &self.formula.problem;
        let result =
            ModelBits::evaluate(&problem.store, &model.model, &problem.assertions, &problem.ast_bits);
        let (gain, fault) = match result {
            Ok((bits, true)) => (self.coverage.add(&bits), None),
            Ok((_, false)) => (0, Some(self.false_assertion(model))),
            Err(error) => (0, Some(error.to_string())),
        };
        if let Some(fault) = &fault {
            console.failure(&Failure::rendered_input(format_args!(
                "{}: error: {name} does not satisfy the formula: {fault}\n",
                place(source, model.span.start)
            )));
        }
        let covered = self.coverage.covered() as u64;
        let satisfies = fault.is_none();
        self.models.push(ModelRecord { model: name, satisfies, gain: gain as u64, covered, fault, missing });
    }

    /// Names the first assertion that is false in a model.
    fn false_assertion(&self, model: &ReadModel) -> String {
        let problem = &self.formula.problem;
        let is_false = |&assertion: &TermId| {
            !matches!(evaluate(&problem.store, &model.model, assertion), Ok(Value::Bool(true)))
        };
        let position = problem.assertions.iter().position(is_false).unwrap_or(0);
        let assertion = problem.assertions.get(position);
        match assertion.and_then(|&assertion| self.formula.place_of_assertion(assertion)) {
            Some(span) => {
                format!("the assertion at {} is false", place(&self.formula.source, span.start))
            }
            None => format!("assertion {} is false", position + 1),
        }
    }

    /// Decides which AST-bits can be covered, by sampling the formula until all is decided.
    fn decide(&self, arguments: &CoverageArguments) -> Result<DecisionRecord, Failure> {
        let stop = Arc::default();
        interrupt::watch(&stop);
        let outcome = self.sample_until_decided(arguments, &stop)?;
        let problem = &self.formula.problem;
        let total = problem.ast_bits.total();
        let mut possible = self.coverage.clone();
        for rated in &outcome.solutions {
            possible.add(&rated.solution.bits);
        }
        let impossible: Vec<usize> = match outcome.stopped_by {
            StopReason::Unsatisfiable => (0..total).collect(),
            _ => outcome.impossible.clone(),
        };
        if let Some(&wrong) = impossible.iter().find(|&&number| self.coverage.contains(number)) {
            let message = format_args!(
                "internal error: AST-bit {wrong} of {} is covered by a model and was proved impossible",
                self.formula.name()
            );
            let help = "this is a defect of sundry; please report it together with the formula";
            return Err(Failure::new(Status::Internal, message).with_help(help));
        }
        let impossible = impossible.len() as u64;
        let seen = (possible.covered() as u64).max(outcome.validity.valid);
        // What was seen in models that were not kept is counted, but not known by number.
        let valid = if outcome.stopped_by == StopReason::Unsatisfiable { 0 } else { seen };
        let unknown = total as u64 - impossible - valid;
        let complete = unknown == 0 && self.coverage.covered() as u64 == valid;
        Ok(DecisionRecord { valid, impossible, unknown, complete })
    }

    fn sample_until_decided(
        &self,
        arguments: &CoverageArguments,
        stop: &Arc<AtomicBool>,
    ) -> Result<Outcome, Failure> {
        let options = SampleOptions {
            seed: arguments.limits.seed,
            threads: arguments.limits.threads(),
            control: Control {
                deadline: arguments.limits.deadline(self.formula.start),
                stop: Some(Arc::clone(stop)),
            },
            ..SampleOptions::default()
        };
        let outcome = sample(&self.formula.problem, &options, &mut |progress| {
            // The solutions themselves do not matter: no need to make them fewer.
            if progress.validity.unknown == 0 {
                stop.store(true, Ordering::Relaxed);
            }
        });
        outcome.map_err(|error| Failure::new(Status::Limit, format_args!("{}: {error}", self.formula.name())))
    }

    fn record(self, decided: Option<DecisionRecord>) -> CoverageRecord {
        let total = self.formula.problem.ast_bits.total() as u64;
        let covered = self.coverage.covered() as u64;
        let base = decided.as_ref().map_or(total, |decided| decided.valid + decided.unknown);
        CoverageRecord {
            formula: self.formula.name().to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            total,
            covered,
            decided,
            coverage: if base == 0 { 1.0 } else { covered as f64 / base as f64 },
            models: self.models,
        }
    }
}

fn place(source: &SourceText, offset: usize) -> String {
    let position = source.position(offset);
    format!("{}:{}:{}", source.name(), position.line, position.column)
}

/// The first few of some names.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("'{name}'")).collect();
    let more = names.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}: {}{rest}", counted(names.len(), "symbol"), shown.join(", "))
}

/// The record as text for people.
fn describe(record: &CoverageRecord) -> String {
    let mut table =
        Table::new(&[("model", Alignment::Left), ("gain", Alignment::Right), ("covered", Alignment::Right)]);
    for model in &record.models {
        let gain = if model.satisfies { grouped(model.gain) } else { "invalid".to_string() };
        table.push([model.model.clone(), gain, grouped(model.covered)]);
    }
    let (covered, total) = (grouped(record.covered), grouped(record.total));
    let conclusion = match &record.decided {
        None => {
            format!("{covered} of {total} AST-bits covered ({})", percent(record.covered, record.total))
        }
        Some(decided) => {
            let possible = decided.valid + decided.unknown;
            let mut text = format!(
                "{covered} of the {} AST-bits that {} be covered ({}); {} of {total} are impossible",
                grouped(possible),
                if decided.unknown == 0 { "can" } else { "may" },
                percent(record.covered, possible),
                grouped(decided.impossible),
            );
            if decided.unknown > 0 {
                text.push_str(&format!(", {} undecided", grouped(decided.unknown)));
            }
            if decided.complete {
                text.push_str("; complete");
            }
            text
        }
    };
    format!("{table}{conclusion}\n")
}
