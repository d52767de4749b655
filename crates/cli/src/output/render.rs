//! Solutions as text: SMT-LIB models, JSON lines, CSV.
//!
//! In all three a value is text in SMT-LIB syntax, which any solver reads and which loses nothing:
//! JSON numbers were rejected, since a bit-vector of 64 bits does not fit one. Symbols come in the
//! order of their declaration, all of them.

use std::fmt::Write;
use std::iter;

use serde::Serializer;
use sundry::pipeline::PlainValue;
use sundry_models::{Column, Level};
use sundry_smtlib::{print_model, print_value};
use sundry_term::{FunctionValue, Model, SortDisplay, SymbolId, TermStore, Value};

use super::shape::Shape;
use crate::arguments::OutputFormat;

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
    /// Its name.
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
        PlainWriter { cells: self.symbols.iter().map(cell).collect(), end }
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
        let name = |level: &Level| match self.format {
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
            return name.or(column.levels.first().map(Level::name)).unwrap_or_default().to_string();
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

/// Writes solutions of Boolean and bit-vector constants: the text of [`SolutionWriter`], without models in between.
pub struct PlainWriter {
    /// By symbol; none of what is not shown.
    cells: Vec<Option<PlainCell>>,
    end: Vec<u8>,
}

/// What is known of a value before it is.
struct PlainCell {
    /// What stands before it.
    before: Vec<u8>,
    /// What stands for each number, where that is not the number itself.
    names: Option<Vec<Vec<u8>>>,
}

impl PlainWriter {
    /// Appends a solution.
    pub fn write<'v>(&self, out: &mut Vec<u8>, values: impl Iterator<Item = PlainValue<'v>>) {
        for (cell, value) in self.cells.iter().zip(values) {
            let Some(PlainCell { before, names }) = cell else { continue };
            out.extend_from_slice(before);
            match value {
                PlainValue::Bits(bits) if names.is_some() => {
                    let name = names.as_ref().and_then(|names| names.get(bits.limb(0) as usize));
                    out.extend_from_slice(name.map_or(&[], Vec::as_slice));
                }
                PlainValue::Bool(true) => out.extend_from_slice(b"true"),
                PlainValue::Bool(false) => out.extend_from_slice(b"false"),
                PlainValue::Bits(bits) if bits.width().is_multiple_of(4) => {
                    out.extend_from_slice(b"#x");
                    write_digits::<4>(out, bits.width(), |limb| bits.limb(limb));
                }
                PlainValue::Bits(bits) => {
                    out.extend_from_slice(b"#b");
                    write_digits::<1>(out, bits.width(), |limb| bits.limb(limb));
                }
            }
        }
        out.extend_from_slice(&self.end);
    }
}

/// Appends digits that stand for so many bits each, the most significant first.
fn write_digits<const BITS: u32>(out: &mut Vec<u8>, width: u32, limb: impl Fn(usize) -> u64) {
    let mut position = width;
    while position > 0 {
        // What is left of the limb in which the next digit is.
        let first = (position - 1) / 64 * 64;
        let word = limb(first as usize / 64);
        while position > first {
            position -= BITS;
            let digit = (word >> (position - first)) as usize & ((1 << BITS) - 1);
            out.push(b"0123456789abcdef"[digit]);
        }
    }
}

/// A text without so many bytes at its end.
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
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::output::Start;
    use sundry_term::{BitVector, SortId};

    fn example() -> (TermStore, Vec<SymbolId>, Model) {
        let mut store = TermStore::new();
        let byte = store.bit_vec_sort(8).expect("legal width");
        let p = store.declare("p", &[], SortId::BOOL);
        let x = store.declare("a \"b\",c", &[], byte);
        let f = store.declare("f", &[byte, SortId::BOOL], byte);
        let number = |value| Value::BitVec(BitVector::from_u64(8, value));
        let mut model = Model::new();
        model.set_constant(x, number(255));
        let entries = BTreeMap::from([(vec![number(1), Value::Bool(true)], number(2))]);
        model.set_function(f, FunctionValue::Table { entries, default: number(0) });
        (store, vec![p, x, f], model)
    }

    fn text(format: OutputFormat) -> String {
        let (store, symbols, model) = example();
        let bytes = SolutionWriter::new(format, &store, &symbols).render([&model, &Model::new()].into_iter());
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn json_objects_have_every_symbol_in_order() {
        let lambda =
            "(lambda ((x!0 (_ BitVec 8)) (x!1 Bool)) (ite (and (= x!0 #x01) (= x!1 true)) #x02 #x00))";
        let constant = "(lambda ((x!0 (_ BitVec 8)) (x!1 Bool)) #x00)";
        let expected = format!(
            "{{\"p\":\"false\",\"a \\\"b\\\",c\":\"#xff\",\"f\":\"{lambda}\"}}\n\
             {{\"p\":\"false\",\"a \\\"b\\\",c\":\"#x00\",\"f\":\"{constant}\"}}\n"
        );
        assert_eq!(text(OutputFormat::Jsonl), expected);
    }

    /// Each solution is recognised as one, and each beginning of one as a beginning.
    #[test]
    fn what_is_written_has_the_shape() {
        let (store, symbols, model) = example();
        for format in [OutputFormat::Smt2, OutputFormat::Jsonl, OutputFormat::Csv] {
            for symbols in [&symbols[..], &symbols[..1], &[]] {
                let writer = SolutionWriter::new(format, &store, symbols);
                let shape = writer.shape();
                let heading = writer.heading();
                assert_eq!(shape.heading(&heading), Start::Whole(heading.len()));
                let mut values = Vec::new();
                for model in [&model, &Model::new()] {
                    let mut text = writer.rows(std::iter::once(model));
                    let length = text.len();
                    for end in 0..length {
                        let start = shape.solution(&text[..end], &mut values);
                        assert_eq!(start, Start::Part, "{}", String::from_utf8_lossy(&text[..end]));
                    }
                    text.extend(text.clone());
                    assert_eq!(shape.solution(&text, &mut values), Start::Whole(length));
                    let texts: Vec<_> =
                        values.iter().filter_map(|range| shape.value(&text[range.clone()])).collect();
                    let shown: Vec<String> = writer.shown().map(|shown| writer.value(model, shown)).collect();
                    // A function in SMT-LIB is written as a definition.
                    let is_same = |(left, right): (&_, &String)| {
                        *left == right[..] || right.ends_with(&format!(" {left})"))
                    };
                    assert!(
                        texts.len() == shown.len() && texts.iter().zip(&shown).all(is_same),
                        "{texts:?} {shown:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn other_symbols_and_formats_have_another_shape() {
        let (store, symbols, model) = example();
        let formats = [OutputFormat::Smt2, OutputFormat::Jsonl, OutputFormat::Csv];
        for format in formats {
            let shape = SolutionWriter::new(format, &store, &symbols).shape();
            for (other, others) in formats.into_iter().flat_map(|other| {
                [&symbols[..], &symbols[..2], &symbols[1..]].into_iter().map(move |symbols| (other, symbols))
            }) {
                let writer = SolutionWriter::new(other, &store, others);
                let text = writer.render([&model, &model].into_iter());
                let is_same = (format, &symbols[..]) == (other, others);
                let mut rest = &text[..];
                let heading = shape.heading(rest);
                if let Start::Whole(length) = heading {
                    rest = &rest[length..];
                }
                let is_accepted =
                    heading != Start::Foreign && shape.solution(rest, &mut Vec::new()) != Start::Foreign;
                assert_eq!(is_accepted, is_same, "{format:?} {other:?}");
            }
        }
    }

    #[test]
    fn csv_quotes_names_with_commas() {
        let text = text(OutputFormat::Csv);
        assert!(text.starts_with("p,\"a \"\"b\"\",c\",f\nfalse,#xff,"), "{text}");
        assert_eq!(text.lines().count(), 3);
    }

    #[test]
    fn smt_lib_models_follow_one_another() {
        let text = text(OutputFormat::Smt2);
        assert_eq!(text.matches("(define-fun ").count(), 6);
        assert!(text.contains("(define-fun |a \"b\",c| () (_ BitVec 8) #xff)"), "{text}");
    }

    /// Solutions that were found at volume are written as their models are.
    #[test]
    fn solutions_without_models_have_the_same_text() {
        let widths = [1, 2, 3, 4, 7, 8, 12, 63, 64, 65, 68, 127, 128, 130, 256];
        let mut text = String::from("(declare-const |a, \"name\"| Bool) (declare-const b Bool) (assert b)");
        for width in widths {
            text += &format!("(declare-const x{width} (_ BitVec {width}))");
        }
        use std::ops::ControlFlow;
        let formula = sundry::Formula::parse(&text).expect("a script");
        let problem = &formula.parts().problem;
        let strategy = sundry::Strategy::SmtSampler(sundry::Granularity::Bit);
        let mut count = 0;
        let result = formula.sampler().strategy(strategy).max_solutions(500).observe(&mut |event| {
            let sundry::pipeline::Event::Solutions(samples) = event else {
                return ControlFlow::Continue(());
            };
            let models: Vec<Model> = samples.models().collect();
            let plain = samples.plain().expect("constants only");
            for format in [OutputFormat::Smt2, OutputFormat::Jsonl, OutputFormat::Csv] {
                let writer = SolutionWriter::new(format, &problem.store, &problem.symbols);
                let mut text = Vec::new();
                plain.lanes().for_each(|lane| writer.plain().write(&mut text, plain.values(lane)));
                assert_eq!(String::from_utf8(text), String::from_utf8(writer.rows(models.iter())));
            }
            count += models.len();
            ControlFlow::Continue(())
        });
        assert!(result.is_ok() && count == 500);
    }
}
