//! `sundry coverage`: what models, of whatever origin, cover of a formula.
//!
//! Models are read as solvers print them, or as rows of CSV and JSON lines, and evaluated on the assertions as written;
//! nothing is solved but for what rows have no room for, unless `--decide` asks what can be covered at all. Then the
//! two ways check one another: a model that covers what was proved impossible is a defect, and is told as one.

mod models;
mod plan;
mod predicates;

use std::fmt;
use std::ops::ControlFlow;

use sundry_coverage::{BitSet, Class, Coverage, ModelBits};
use sundry_report::{Alignment, CoverageRecord, DecisionRecord, ModelRecord, Table, percent};
use sundry_sample::{
    Covered, Effort, Event, Method, Part, Progress, Request, SetSummary, StopReason, sample,
};
use sundry_smtlib::{Diagnostic, DiagnosticKind, ReadModel, SourceText};
use sundry_term::{Control, EvaluationError, Evaluator, Stopped, SymbolId};

use crate::arguments::CoverageArguments;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::formula::{LoadedFormula, place};
use crate::input::Input;
use crate::interrupt::{self, Stop};
use crate::output::{REDIRECTION, write_results};
use crate::rows::Completion;
use crate::values::{counted, grouped};
use models::ModelFile;
use plan::{CoveragePlan, Deciding};
use predicates::Predicates;

/// How many symbols are named in one message.
const NAMED: usize = 10;

/// Runs the job.
///
/// # Errors
/// The formula or a file of models cannot be read, or the result cannot be written.
pub fn run(arguments: &CoverageArguments, stop: &Stop, console: &Console) -> Result<Status, Failure> {
    let plan = CoveragePlan::new(arguments, stop)?;
    let mut measurement = Measurement::new(&plan, console)?;
    interrupt::watch(stop);
    for input in &plan.models {
        measurement.measure_file(input, plan.strict, console)?;
    }
    let stopped = measurement.stopped;
    let decided = plan.deciding.as_ref().map(|deciding| measurement.decide(deciding)).transpose()?;
    let record = measurement.record(decided);
    let text = if plan.json { record.to_json() } else { describe(&record) };
    write_results(text.as_bytes(), REDIRECTION)?;
    Ok(status(&record).max(stopped.map_or(Status::Done, |_| Status::Limit)))
}

fn status(record: &CoverageRecord) -> Status {
    if record.models.iter().any(|model| !model.satisfies) {
        Status::Attention
    } else if is_undecided(record) {
        Status::Limit
    } else {
        Status::Done
    }
}

/// Whether something was to be decided and is not.
fn is_undecided(record: &CoverageRecord) -> bool {
    let Some(decided) = &record.decided else { return false };
    let predicates = record.predicates.iter().flat_map(|record| &record.predicates);
    decided.unknown > 0
        || predicates.into_iter().any(|record| record.can_hold.is_none() || record.can_fail.is_none())
}

/// A formula, and what the models so far cover of it.
struct Measurement {
    formula: LoadedFormula,
    coverage: Coverage,
    predicates: Option<Predicates>,
    models: Vec<ModelRecord>,
    /// Why models are left that were not measured, if there are any.
    stopped: Option<Stopped>,
}

impl Measurement {
    fn new(plan: &CoveragePlan, console: &Console) -> Result<Self, Failure> {
        let CoveragePlan { formula: input, input_format: format, begun, .. } = plan;
        let (formula, predicates) = match &plan.predicates {
            None => (LoadedFormula::read(input, *format, begun.clone(), console)?, None),
            Some(file) => {
                let (formula, list) =
                    LoadedFormula::read_with_predicates(input, *format, file, begun.clone(), console)?;
                (formula, Some(Predicates::new(file, list)))
            }
        };
        let coverage = Coverage::new(&formula.problem.ast_bits);
        Ok(Measurement { formula, coverage, predicates, models: Vec::new(), stopped: None })
    }

    fn measure_file(&mut self, input: &Input, strict: bool, console: &Console) -> Result<(), Failure> {
        let control = &self.formula.begun.control.clone();
        let source = input.read(control)?;
        let at = |diagnostic: Diagnostic| Failure::at(&diagnostic, &source);
        let mut models = ModelFile::new(input, &source, &mut self.formula).map_err(at)?;
        let mut completion = models.has_rows().then(|| Completion::new(&self.formula.problem));
        let mut told = None;
        let mut number = 0;
        while let Some(mut model) = models.next(&mut self.formula.problem.store).map_err(at)? {
            number += 1;
            let name = format!("{}#{number}", source.name());
            if completion.is_none() || told.as_ref() != Some(&model.missing) {
                self.check_symbols(&model, &source, &name, strict, console)?;
                told = Some(model.missing.clone());
            }
            let measured = match &mut completion {
                Some(completion) => self.complete(&mut model, completion, control),
                None => Ok(()),
            };
            let measured = measured.and_then(|()| self.measure(&model, (&source, &name), control, console));
            if let Err(stopped) = measured {
                console
                    .note(source.name(), format_args!("{stopped}: models from {name} on are not measured"));
                self.stopped = Some(stopped);
                break;
            }
        }
        if number == 0 {
            let help = "a model is a list of definitions, as solvers print it for (get-model), or a row as \
                        sundry sample writes it in CSV and JSON lines";
            return Err(
                Failure::of(FailureKind::Input, source.name(), "there is no model in it").with_help(help)
            );
        }
        Ok(())
    }

    /// Adds what a row does not say.
    fn complete(
        &mut self,
        model: &mut ReadModel,
        completion: &mut Completion,
        control: &Control,
    ) -> Result<(), Stopped> {
        control.check()?;
        if !completion.is_idle() {
            let found = completion.complete(&mut self.formula.problem, model.model.clone(), control)?;
            model.model = found;
        }
        Ok(())
    }

    /// Tells which declared symbols the model leaves out, or refuses it.
    fn check_symbols(
        &self,
        model: &ReadModel,
        source: &SourceText,
        name: &str,
        strict: bool,
        console: &Console,
    ) -> Result<(), Failure> {
        let missing = self.names(&model.missing);
        if !missing.is_empty() {
            let symbols = counted(missing.len(), "symbol");
            let text = format!("{name} leaves out {symbols}: {}", listed(&missing));
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
        Ok(())
    }

    fn names(&self, symbols: &[SymbolId]) -> Vec<String> {
        let store = &self.formula.problem.store;
        symbols.iter().map(|&symbol| store.symbol(symbol).name.to_string()).collect()
    }

    fn measure(
        &mut self,
        model: &ReadModel,
        (source, name): (&SourceText, &str),
        control: &Control,
        console: &Console,
    ) -> Result<(), Stopped> {
        let problem = &self.formula.problem;
        let mut evaluator = Evaluator::with_control(&problem.store, &model.model, control);
        let bits = ModelBits::evaluate_with(&mut evaluator, &problem.assertions, &problem.ast_bits);
        let class = match &self.predicates {
            Some(predicates) => Class::evaluate(&mut evaluator, predicates.list()).map(Some),
            None => Ok(None),
        };
        let (gain, class, fault) = match (bits, class) {
            (Ok((bits, true)), Ok(class)) => (self.coverage.add(&bits), class, None),
            (Err(EvaluationError::Stopped(reason)), _) | (_, Err(EvaluationError::Stopped(reason))) => {
                return Err(reason);
            }
            (Ok((_, false)), _) => (0, None, Some(self.formula.fault(&mut evaluator)?)),
            (Err(error), _) | (_, Err(error)) => (0, None, Some(error.to_string())),
        };
        let predicates = match (&mut self.predicates, class) {
            (Some(predicates), Some(class)) => Some(predicates.add(class)),
            _ => None,
        };
        if let Some(fault) = &fault {
            let message = format_args!("{name} does not satisfy the formula: {fault}");
            let failure = Failure::near(FailureKind::Input, source, model.span.start, message);
            console.failure(&failure.with_status(Status::Attention));
        }
        let covered = self.coverage.covered() as u64;
        let satisfies = fault.is_none();
        let gain = gain as u64;
        let missing = self.names(&model.missing);
        let model = name.to_string();
        self.models.push(ModelRecord { model, satisfies, gain, covered, predicates, fault, missing });
        Ok(())
    }

    /// Decides what can be covered.
    fn decide(&mut self, deciding: &Deciding) -> Result<DecisionRecord, Failure> {
        if let Some(predicates) = &mut self.predicates {
            predicates.decide(&self.formula, deciding.seed, &self.formula.begun.control)?;
        }
        self.decide_ast_bits(deciding)
    }

    /// Decides which AST-bits can be covered, by sampling the formula until all is decided.
    fn decide_ast_bits(&self, deciding: &Deciding) -> Result<DecisionRecord, Failure> {
        let (set, is_unsatisfiable) = self.sample_until_decided(deciding)?;
        let total = self.formula.problem.ast_bits.total();
        let mut possible = self.coverage.clone();
        possible.union_with(&set.coverage);
        let mut impossible = set.impossible;
        if is_unsatisfiable {
            impossible.insert_complement(&BitSet::new(total));
        }
        if let Some(wrong) = impossible.iter().find(|&number| self.coverage.contains(number)) {
            return Err(contradiction(&self.formula, format_args!("AST-bit {wrong}")));
        }
        let impossible = impossible.count() as u64;
        let seen = (possible.covered() as u64).max(set.validity.valid);
        // What was seen in models that were not kept is counted, but not known by number.
        let valid = if is_unsatisfiable { 0 } else { seen };
        let unknown = total as u64 - impossible - valid;
        let complete = unknown == 0 && self.coverage.covered() as u64 == valid;
        Ok(DecisionRecord { valid, impossible, unknown, complete })
    }

    /// A set of solutions with all that is known of the AST-bits, and whether the formula has no solution.
    fn sample_until_decided(&self, deciding: &Deciding) -> Result<(SetSummary, bool), Failure> {
        let request = Request {
            method: Method::Cover { target: 1.0, effort: Effort::Max },
            seed: deciding.seed,
            threads: deciding.threads,
            control: self.formula.begun.control.clone(),
            ..Request::cover()
        };
        let summary = sample(&self.formula.problem, &request, &mut |event| match event {
            Event::Set(Progress { solutions, covered: Covered::AstBits { validity, .. }, .. })
                // The solutions themselves do not matter: no need to make them fewer.
                if validity.unknown == 0 && !solutions.is_empty() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        let failure = |kind, message: &dyn fmt::Display| Failure::of(kind, self.formula.name(), message);
        let summary = summary.map_err(|error| failure(FailureKind::Limit, &error))?;
        match summary.part {
            Part::Set(set) => Ok((set, summary.stopped_by == StopReason::Unsatisfiable)),
            _ => {
                Err(failure(FailureKind::Internal, &"internal error: a run that covers AST-bits has no set"))
            }
        }
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
            predicates: self.predicates.map(Predicates::record),
            models: self.models,
        }
    }
}

/// A model covers what was proved impossible.
fn contradiction(formula: &LoadedFormula, what: impl fmt::Display) -> Failure {
    let message = format_args!(
        "internal error: {what} of {} is covered by a model and was proved impossible",
        formula.name()
    );
    Failure::new(FailureKind::Internal, message)
        .mentioning(formula.name())
        .with_help("this is a defect of sundry; please report it together with the formula")
}

/// The first few of some names.
fn listed(names: &[impl fmt::Display]) -> String {
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("'{name}'")).collect();
    let more = names.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// The record as text for people.
fn describe(record: &CoverageRecord) -> String {
    let mut columns =
        vec![("model", Alignment::Left), ("gain", Alignment::Right), ("covered", Alignment::Right)];
    if record.predicates.is_some() {
        columns.extend(predicates::COLUMNS);
    }
    let mut table = Table::new(&columns);
    for model in &record.models {
        let gain = if model.satisfies { grouped(model.gain) } else { "invalid".to_string() };
        let mut row = vec![model.model.clone(), gain, grouped(model.covered)];
        row.extend(model.predicates.iter().flat_map(predicates::cells));
        table.push(row);
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
    let predicates = record.predicates.as_ref().map(predicates::describe).unwrap_or_default();
    format!("{table}{conclusion}\n{predicates}")
}
