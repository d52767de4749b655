//! Files of models, as solvers print them or as `sample` writes them: whichever it is shows in the text.

use std::path::Path;

use sundry_smtlib::{Diagnostic, ModelReader, ModelText, ReadModel, SourceText};
use sundry_term::TermStore;

use crate::arguments::OutputFormat;
use crate::compression::without_suffix;
use crate::formula::LoadedFormula;
use crate::input::Input;
use crate::rows::{CsvRows, JsonRows, RowReader};

/// What solvers say before a model, or instead of one.
const VERDICTS: [&str; 5] = ["sat", "unsat", "unknown", "timeout", "success"];

/// The models of a file, one by one.
pub(super) enum ModelFile<'s> {
    Printed(Box<(ModelText<'s>, ModelReader)>),
    Csv(Box<CsvRows<'s>>),
    Json(Box<JsonRows<'s>>),
}

impl<'s> ModelFile<'s> {
    /// Opens a file of models, each of which is read when it is asked for: there may be millions.
    ///
    /// # Errors
    /// The file does not begin with models.
    pub(super) fn new(
        input: &Input,
        source: &'s SourceText,
        formula: &LoadedFormula,
        store: &mut TermStore,
    ) -> Result<Self, Diagnostic> {
        let format = format_of(input, source);
        let control = formula.begun.control.clone();
        let reader = ModelReader::new(store, &formula.problem().symbols);
        if format == OutputFormat::Smt2 {
            return Ok(ModelFile::Printed(Box::new((ModelText::new(source), reader.with_control(&control)))));
        }
        let rows = RowReader::new(formula, reader, format);
        Ok(match format {
            OutputFormat::Csv => ModelFile::Csv(Box::new(CsvRows::new(source, rows)?)),
            _ => ModelFile::Json(Box::new(JsonRows::new(source, rows))),
        })
    }

    /// Whether models come as rows, which have no room for all that a model says.
    pub(super) fn has_rows(&self) -> bool {
        !matches!(self, ModelFile::Printed(_))
    }

    /// The next model.
    ///
    /// # Errors
    /// The text is not a model.
    pub(super) fn next(&mut self, store: &mut TermStore) -> Result<Option<ReadModel>, Diagnostic> {
        match self {
            ModelFile::Printed(printed) => {
                let (text, reader) = &mut **printed;
                reader.next(store, text)
            }
            ModelFile::Csv(rows) => rows.next(store),
            ModelFile::Json(rows) => rows.next(store),
        }
    }
}

/// The format of a text: its name says so, or how it begins.
fn format_of(input: &Input, source: &SourceText) -> OutputFormat {
    let named = input.path().map(without_suffix);
    match named.as_deref().and_then(Path::extension).and_then(|extension| extension.to_str()) {
        Some("csv") => return OutputFormat::Csv,
        Some("jsonl" | "ndjson") => return OutputFormat::Jsonl,
        _ => {}
    }
    let text = source.text().trim_start();
    let word = text.split([' ', '\t', '\r', '\n', '(', ';']).next().unwrap_or("");
    match text.chars().next() {
        Some('{') => OutputFormat::Jsonl,
        None | Some('(' | ';') => OutputFormat::Smt2,
        Some(_) if VERDICTS.contains(&word) => OutputFormat::Smt2,
        Some(_) => OutputFormat::Csv,
    }
}
