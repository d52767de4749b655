//! From files of models to a record: each model is read, completed, measured and reported.

use sundry::Error;
use sundry::compression::without_suffix;
use sundry::coverage::{Decided, MeasuredModel, Measurement, ModelFormat, Models, ReadModel, Stopped};
use sundry::read::{Diagnostic, DiagnosticKind, SourceText};
use sundry::term::SymbolId;
use sundry_report::{CoverageRecord, DecisionRecord, Measure, ModelRecord};

use super::listing::Listing;
use super::plan::{CoveragePlan, Deciding};
use super::predicates::Predicates;
use super::text::listed;
use super::wires::Wires;
use crate::console::Console;
use crate::failure::{Failure, FailureKind, Status};
use crate::formula::{LoadedFormula, failure_of, place};
use crate::input::Input;
use crate::values::counted;

/// A formula, and what the models so far cover of it.
pub(super) struct Measuring {
    formula: LoadedFormula,
    measurement: Measurement,
    predicates: Option<Predicates>,
    /// The points of wires that are covered, where these are the measure.
    wires: Option<Wires>,
    models: Vec<ModelRecord>,
    /// The reason why some models were not measured, if that is so.
    pub(super) stopped: Option<Stopped>,
}

impl Measuring {
    /// Reads the formula, and the predicates if there are any.
    ///
    /// # Errors
    /// The formula or the file of predicates cannot be read.
    pub(super) fn new(plan: &CoveragePlan, console: &Console) -> Result<Self, Failure> {
        let CoveragePlan { formula: input, input_format: format, begun, .. } = plan;
        let formula = match &plan.predicates {
            None => LoadedFormula::read(input, *format, begun.clone(), console)?,
            Some(file) => LoadedFormula::read_with_predicates(input, *format, file, begun.clone(), console)?,
        };
        let formula = formula.with_integer_bits(plan.integer_bits)?;
        let predicates = plan.predicates.as_ref().map(Predicates::new);
        let mut measurement = Measurement::new(&formula.formula);
        if plan.measure == Measure::Wire {
            measurement = measurement.with_wires(&begun.control).map_err(|reason| {
                Failure::of(
                    FailureKind::Limit,
                    formula.name(),
                    format_args!("{reason} before its points were numbered"),
                )
            })?;
        }
        let wires = measurement.wires().map(Wires::new);
        Ok(Measuring { formula, measurement, predicates, wires, models: Vec::new(), stopped: None })
    }

    /// Measures the models of a file.
    ///
    /// # Errors
    /// The file cannot be read, has no model, or is to be refused.
    pub(super) fn measure_file(
        &mut self,
        input: &Input,
        strict: bool,
        console: &Console,
    ) -> Result<(), Failure> {
        let control = &self.formula.begun.control.clone();
        let source = input.read(control)?;
        let at = |error: Error| Failure::from(&error);
        if let (Some(wires), Some(points)) = (&mut self.wires, self.measurement.wires()) {
            wires.begin(source.name(), points);
        }
        let format = format_of(input, &source);
        let mut models = Models::new(&mut self.measurement, &source, format, control).map_err(at)?;
        let mut told = None;
        let mut number = 0;
        while let Some(mut model) = models.next(&mut self.measurement).map_err(at)? {
            number += 1;
            let name = format!("{}#{number}", source.name());
            if format == ModelFormat::Smt2 || told.as_ref() != Some(&model.missing) {
                self.check_symbols(&model, &source, &name, strict, console)?;
                told = Some(model.missing.clone());
            }
            let measured = match format {
                ModelFormat::Smt2 => Ok(()),
                _ => models.complete(&mut self.measurement, &mut model, control),
            };
            let measured = measured.and_then(|()| self.measurement.add(&model.model, control));
            match measured {
                Ok(measured) => self.record_model(&model, measured, (&source, name), console),
                Err(stopped) => {
                    let left = format_args!("{stopped}: models from {name} on are not measured");
                    console.note(source.name(), left);
                    self.stopped = Some(stopped);
                    break;
                }
            }
        }
        if number == 0 {
            let help = "a model is a list of definitions, as solvers print it for (get-model), or a row as \
                        sundry sample writes it in CSV and JSON lines";
            return Err(
                Failure::of(FailureKind::Input, source.name(), "the file contains no model").with_help(help)
            );
        }
        Ok(())
    }

    /// Reports which declared symbols the model leaves out, or refuses the model.
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
        let store = &self.formula.problem().store;
        symbols.iter().map(|&symbol| store.symbol(symbol).name.to_string()).collect()
    }

    /// Notes what a model has shown, and reports it if it is no solution.
    fn record_model(
        &mut self,
        model: &ReadModel,
        MeasuredModel { gain, wires: seen, class, fault }: MeasuredModel,
        (source, name): (&SourceText, String),
        console: &Console,
    ) {
        let fault = fault.map(|fault| fault.to_string());
        let predicates = match (&self.predicates, class) {
            (Some(predicates), Some(class)) => Some(predicates.model(&class, self.measurement.predicates())),
            _ => None,
        };
        if let Some(fault) = &fault {
            let message = format_args!("{name} does not satisfy the formula: {fault}");
            let failure = Failure::near(FailureKind::Input, source, model.span.start, message);
            console.failure(&failure.with_status(Status::Attention));
        }
        let gain = match (&mut self.wires, seen) {
            (Some(wires), seen) => seen.map_or(0, |seen| wires.add(&seen)),
            (None, _) => gain,
        };
        let (satisfies, covered) = (fault.is_none(), self.covered());
        let missing = self.names(&model.missing);
        self.models.push(ModelRecord { model: name, satisfies, gain, covered, predicates, fault, missing });
    }

    /// The number of units that the models cover.
    fn covered(&self) -> u64 {
        self.wires.as_ref().map_or_else(|| self.measurement.covered(), Wires::covered)
    }

    /// Decides what can be covered.
    ///
    /// # Errors
    /// The formula is too large, or a model and a proof contradict each other.
    pub(super) fn decide(&mut self, deciding: &Deciding) -> Result<Decided, Failure> {
        let Deciding { seed, threads } = *deciding;
        let decided = self.measurement.decide(seed, threads, &self.formula.begun.control);
        let decided = decided.map_err(|error| match FailureKind::from(error.kind()) {
            // The message names the formula.
            FailureKind::Internal => Failure::from(&error).mentioning(self.formula.name()),
            _ => failure_of(&self.formula, &error),
        })?;
        if let Some(predicates) = &mut self.predicates {
            predicates.set_decided(decided.predicates.clone());
        }
        Ok(decided)
    }

    /// Writes a table of all AST-bits.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn list_ast_bits(&self, listing: &Listing, decided: Option<&Decided>) -> Result<(), Failure> {
        listing.write(&self.formula.formula, &self.measurement, decided)
    }

    /// The record of all that was measured and decided.
    pub(super) fn record(self, decided: Option<Decided>) -> CoverageRecord {
        let decided = decided.map(|Decided { valid, impossible, unknown, is_complete, .. }| DecisionRecord {
            valid,
            impossible,
            unknown,
            complete: is_complete,
        });
        let ast_bits = &self.formula.problem().ast_bits;
        let total = self.wires.as_ref().map_or_else(|| ast_bits.total() as u64, Wires::total);
        let covered = self.covered();
        let base = decided.as_ref().map_or(total, |decided| decided.valid + decided.unknown);
        let measured = self.measurement.predicates();
        let list = self.formula.formula.predicates();
        CoverageRecord {
            formula: self.formula.name().to_string(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            measure: if self.wires.is_some() { Measure::Wire } else { Measure::Ast },
            integer_bits: ast_bits.integer_bits(),
            total,
            covered,
            decided,
            coverage: if base == 0 { 1.0 } else { covered as f64 / base as f64 },
            wires: self.wires.as_ref().map(Wires::record),
            predicates: self.predicates.map(|predicates| predicates.record(list, measured)),
            models: self.models,
        }
    }
}

/// The format of a file of models: its name says so, or how it begins.
fn format_of(input: &Input, source: &SourceText) -> ModelFormat {
    let named = input.path().map(without_suffix).and_then(ModelFormat::of_name);
    named.unwrap_or_else(|| ModelFormat::of_text(source.text()))
}
