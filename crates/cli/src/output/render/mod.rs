//! Solutions as text: SMT-LIB models, JSON lines, CSV.
//!
//! In all three a value is text in SMT-LIB syntax, which any solver reads and which loses nothing:
//! JSON numbers were rejected, since a bit-vector of 64 bits does not fit one. Symbols come in the
//! order of their declaration, all of them.

mod plain;

use std::fmt::Write;
use std::iter;

use serde::Serializer;
use sundry::Model;
use sundry::read::{Column, ColumnLevel};
use sundry::term::{SortDisplay, SymbolId, TermStore, print_model, print_value};
use sundry::value::{FunctionValue, Value};

use super::shape::Shape;
use crate::arguments::OutputFormat;

use plain::PlainCell;
pub use plain::PlainWriter;

/// What file names of a batch end in.
pub fn extension(format: OutputFormat) -> &'static str {
    match format {
        OutputFormat::Smt2 => "models.smt2",
        OutputFormat::Jsonl => "jsonl",
        OutputFormat::Csv => "csv",
    }
}

/// Writes solutions of one formula in one format.
#[derive(Copy, Clone)]
pub struct SolutionWriter<'a> {
    format: OutputFormat,
    store: &'a TermStore,
    symbols: &'a [SymbolId],
    /// What tables have instead, where that is not all symbols as they are.
    columns: Option<&'a [Column]>,
}

/// A symbol as it is written.
#[derive(Copy, Clone)]
pub struct Shown<'a> {
    /// The name of the symbol.
    pub name: &'a str,
    /// The symbol.
    pub symbol: SymbolId,
    /// The names of its values, if they have any.
    pub column: Option<&'a Column>,
}

impl<'a> SolutionWriter<'a> {
    /// Writes values of these symbols.
    pub fn new(format: OutputFormat, store: &'a TermStore, symbols: &'a [SymbolId]) -> Self {
        SolutionWriter { format, store, symbols, columns: None }
    }

    /// Writes these columns instead, in the same order, except in SMT-LIB, in which models have all symbols.
    pub fn with_columns(self, columns: &'a [Column]) -> Self {
        SolutionWriter { columns: (self.format != OutputFormat::Smt2).then_some(columns), ..self }
    }

    /// What is written of a solution, in its order.
    pub fn shown(&self) -> impl Iterator<Item = Shown<'a>> + use<'a> {
        let store = self.store;
        let symbols = if self.columns.is_some() { &[] } else { self.symbols };
        let plain =
            move |&symbol: &SymbolId| Shown { name: &store.symbol(symbol).name, symbol, column: None };
        let named = |column: &'a Column| Shown {
            name: &column.name,
            symbol: column.symbol,
            column: (!column.levels.is_empty()).then_some(column),
        };
        symbols.iter().map(plain).chain(self.columns.into_iter().flatten().map(named))
    }

    /// The text of some solutions, in their order.
    pub fn render<'m>(&self, models: impl Iterator<Item = &'m Model>) -> Vec<u8> {
        let mut out = self.heading();
        out.extend(self.rows(models));
        out
    }

    /// What stands before the first solution.
    pub fn heading(&self) -> Vec<u8> {
        match self.format {
            OutputFormat::Smt2 | OutputFormat::Jsonl => Vec::new(),
            OutputFormat::Csv => row(self.shown().map(|shown| shown.name)),
        }
    }

    /// The text of some solutions, behind the heading or behind others.
    pub fn rows<'m>(&self, models: impl Iterator<Item = &'m Model>) -> Vec<u8> {
        match self.format {
            OutputFormat::Smt2 => {
                models.flat_map(|model| print_model(self.store, model, self.symbols).into_bytes()).collect()
            }
            OutputFormat::Jsonl => {
                let mut out = Vec::new();
                for model in models {
                    self.write_object(&mut out, model);
                    out.push(b'\n');
                }
                out
            }
            OutputFormat::Csv => {
                models.flat_map(|model| row(self.shown().map(|shown| self.value(model, shown)))).collect()
            }
        }
    }

    /// What its text has around the values.
    pub fn shape(&self) -> Shape {
        Shape::new(self.format, self.heading(), self.around())
    }

    /// Writes solutions that need no models.
    pub fn plain(&self) -> PlainWriter {
        let mut around = self.around();
        let end = around.pop().unwrap_or_default();
        let mut shown = self.shown().zip(around).peekable();
        let cell = |&symbol: &SymbolId| {
            let (shown, before) = shown.next_if(|(shown, _)| shown.symbol == symbol)?;
            Some(PlainCell { before, names: shown.column.map(|column| self.names(column)) })
        };
        PlainWriter::new(self.symbols.iter().map(cell).collect(), end)
    }

    /// What stands before each value of a solution, and behind the last one.
    fn around(&self) -> Vec<Vec<u8>> {
        let mut around: Vec<Vec<u8>> = self.shown().map(|shown| self.before_value(shown)).collect();
        let (opening, between, closing) = match self.format {
            OutputFormat::Smt2 => ("(\n", ")\n", ")\n"),
            OutputFormat::Jsonl => ("{", "\",", "}\n"),
            OutputFormat::Csv => ("", ",", "\n"),
        };
        for (number, piece) in around.iter_mut().enumerate() {
            let before = if number == 0 { opening } else { between };
            piece.splice(0..0, before.bytes());
        }
        let last = match (around.len(), self.format) {
            (0, _) => format!("{opening}{closing}"),
            (_, OutputFormat::Smt2) => format!("{between}{closing}"),
            (_, OutputFormat::Jsonl) => format!("\"{closing}"),
            (_, OutputFormat::Csv) => closing.to_string(),
        };
        around.push(last.into_bytes());
        around
    }

    /// What names a symbol, up to its value.
    fn before_value(&self, Shown { name, symbol, .. }: Shown<'_>) -> Vec<u8> {
        match self.format {
            OutputFormat::Smt2 => {
                let declared = self.store.symbol(symbol);
                let default = Value::default_of(self.store, declared.result);
                let value = print_value(self.store, declared.result, &default);
                let model = print_model(self.store, &Model::new(), &[symbol]);
                let definition = model.strip_prefix("(\n").and_then(|rest| rest.strip_suffix(")\n)\n"));
                let name = definition.and_then(|definition| definition.strip_suffix(&value));
                debug_assert!(name.is_some(), "a model is a list of definitions");
                name.unwrap_or_default().as_bytes().to_vec()
            }
            OutputFormat::Jsonl => {
                let mut text = Vec::new();
                let result = serde_json::to_writer(&mut text, name);
                debug_assert!(result.is_ok(), "strings can be written to memory");
                text.extend(b":\"");
                text
            }
            OutputFormat::Csv => Vec::new(),
        }
    }

    fn write_object(&self, out: &mut Vec<u8>, model: &Model) {
        let pairs = self.shown().map(|shown| (shown.name, self.value(model, shown)));
        let result = serde_json::Serializer::new(out).collect_map(pairs);
        debug_assert!(result.is_ok(), "strings can be written to memory");
    }

    /// The names of the values of a column, as they stand in the text.
    fn names(&self, column: &Column) -> Vec<Vec<u8>> {
        let is_alone = self.shown().nth(1).is_none();
        let name = |level: &ColumnLevel| match self.format {
            OutputFormat::Csv if is_alone => trimmed(row(iter::once(level.name())), 1),
            // An empty cell needs quotation marks only where it is the whole row.
            OutputFormat::Csv => trimmed(row([level.name(), "."].into_iter()), 3),
            OutputFormat::Jsonl | OutputFormat::Smt2 => {
                let mut text = serde_json::to_vec(level.name()).unwrap_or_default();
                text.remove(0);
                trimmed(text, 1)
            }
        };
        column.levels.iter().map(name).collect()
    }

    /// The value of a symbol; of a function, a `lambda` as in SMT-LIB 2.7.
    fn value(&self, model: &Model, Shown { symbol, column, .. }: Shown<'_>) -> String {
        if let Some(column) = column {
            let name = model.constant(symbol).and_then(|value| column.name_of(value));
            return name.or(column.levels.first().map(ColumnLevel::name)).unwrap_or_default().to_string();
        }
        let declared = self.store.symbol(symbol);
        let print = |value: &Value| print_value(self.store, declared.result, value);
        let default = || print(&Value::default_of(self.store, declared.result));
        if declared.arguments.is_empty() {
            return model.constant(symbol).map_or_else(default, print);
        }
        let mut text = String::from("(lambda (");
        for (position, &sort) in declared.arguments.iter().enumerate() {
            let space = if position > 0 { " " } else { "" };
            let _ = write!(text, "{space}(x!{position} {})", SortDisplay::new(self.store, sort));
        }
        text.push_str(") ");
        match model.function(symbol) {
            Some(FunctionValue::Table { entries, default }) => {
                for (point, value) in entries {
                    let _ = write!(text, "(ite {} {} ", self.condition(symbol, point), print(value));
                }
                text.push_str(&print(default));
                text.extend(std::iter::repeat_n(')', entries.len()));
            }
            // Solutions that were found have tables; of models that were read, the definition says all.
            Some(FunctionValue::Body { .. }) => return print_model(self.store, model, &[symbol]),
            None => text.push_str(&default()),
        }
        text.push(')');
        text
    }

    /// The condition that the parameters are this point.
    fn condition(&self, symbol: SymbolId, point: &[Value]) -> String {
        let sorts = &self.store.symbol(symbol).arguments;
        let equalities: Vec<String> = (point.iter().zip(sorts).enumerate())
            .map(|(position, (value, &sort))| {
                format!("(= x!{position} {})", print_value(self.store, sort, value))
            })
            .collect();
        match &equalities[..] {
            [one] => one.clone(),
            several => format!("(and {})", several.join(" ")),
        }
    }
}

/// A text without the last `end` bytes.
fn trimmed(mut text: Vec<u8>, end: usize) -> Vec<u8> {
    text.truncate(text.len().saturating_sub(end));
    text
}

/// A line of CSV.
fn row(cells: impl Iterator<Item = impl AsRef<[u8]>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let result = writer.write_record(cells);
    debug_assert!(result.is_ok(), "a row can be written to memory");
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests;
