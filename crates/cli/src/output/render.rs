//! Solutions as text: SMT-LIB models, JSON lines, CSV.
//!
//! In all three a value is text in SMT-LIB syntax, which any solver reads and which loses nothing:
//! JSON numbers were rejected, since a bit-vector of 64 bits does not fit one. Symbols come in the
//! order of their declaration, all of them.

use std::fmt::Write;

use serde::Serializer;
use sundry_sample::PlainValue;
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
}

impl<'a> SolutionWriter<'a> {
    /// Writes values of these symbols.
    pub fn new(format: OutputFormat, store: &'a TermStore, symbols: &'a [SymbolId]) -> Self {
        SolutionWriter { format, store, symbols }
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
            OutputFormat::Csv => row(self.symbols.iter().map(|&symbol| self.name(symbol))),
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
            OutputFormat::Csv => models
                .flat_map(|model| row(self.symbols.iter().map(|&symbol| self.value(model, symbol))))
                .collect(),
        }
    }

    /// What its text has around the values.
    pub fn shape(&self) -> Shape {
        Shape::new(self.format, self.heading(), self.around())
    }

    /// Writes solutions that need no models.
    pub fn plain(&self) -> PlainWriter {
        PlainWriter { around: self.around() }
    }

    /// What stands before each value of a solution, and behind the last one.
    fn around(&self) -> Vec<Vec<u8>> {
        let mut around: Vec<Vec<u8>> = self.symbols.iter().map(|&symbol| self.before_value(symbol)).collect();
        let (opening, between, closing) = match self.format {
            OutputFormat::Smt2 => ("(\n", ")\n", ")\n"),
            OutputFormat::Jsonl => ("{", "\",", "}\n"),
            OutputFormat::Csv => ("", ",", "\n"),
        };
        for (number, piece) in around.iter_mut().enumerate() {
            let before = if number == 0 { opening } else { between };
            piece.splice(0..0, before.bytes());
        }
        let last = match (self.symbols, self.format) {
            ([], _) => format!("{opening}{closing}"),
            (_, OutputFormat::Smt2) => format!("{between}{closing}"),
            (_, OutputFormat::Jsonl) => format!("\"{closing}"),
            (_, OutputFormat::Csv) => closing.to_string(),
        };
        around.push(last.into_bytes());
        around
    }

    /// What names a symbol, up to its value.
    fn before_value(&self, symbol: SymbolId) -> Vec<u8> {
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
                let result = serde_json::to_writer(&mut text, self.name(symbol));
                debug_assert!(result.is_ok(), "strings can be written to memory");
                text.extend(b":\"");
                text
            }
            OutputFormat::Csv => Vec::new(),
        }
    }

    fn write_object(&self, out: &mut Vec<u8>, model: &Model) {
        let pairs = self.symbols.iter().map(|&symbol| (self.name(symbol), self.value(model, symbol)));
        let result = serde_json::Serializer::new(out).collect_map(pairs);
        debug_assert!(result.is_ok(), "strings can be written to memory");
    }

    fn name(&self, symbol: SymbolId) -> &'a str {
        &self.store.symbol(symbol).name
    }

    /// The value of a symbol; of a function, a `lambda` as in SMT-LIB 2.7.
    fn value(&self, model: &Model, symbol: SymbolId) -> String {
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
    around: Vec<Vec<u8>>,
}

impl PlainWriter {
    /// Appends a solution.
    pub fn write<'v>(&self, out: &mut Vec<u8>, values: impl Iterator<Item = PlainValue<'v>>) {
        for (before, value) in self.around.iter().zip(values) {
            out.extend_from_slice(before);
            match value {
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
        out.extend_from_slice(self.around.last().map_or(&[], Vec::as_slice));
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
                for model in [&model, &Model::new()] {
                    let mut text = writer.rows(std::iter::once(model));
                    let length = text.len();
                    for end in 0..length {
                        let start = shape.solution(&text[..end]);
                        assert_eq!(start, Start::Part, "{}", String::from_utf8_lossy(&text[..end]));
                    }
                    text.extend(text.clone());
                    assert_eq!(shape.solution(&text), Start::Whole(length));
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
                let is_accepted = heading != Start::Foreign && shape.solution(rest) != Start::Foreign;
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
        let source = sundry_smtlib::SourceText::new("formula", &text);
        let mut store = TermStore::new();
        let script = sundry_smtlib::parse_script(&mut store, &source, sundry_smtlib::Language::BitVectors);
        let formula = script.expect("a script").formula();
        let problem = sundry_sample::Problem::new(store, formula.assertions, formula.symbols);
        let options = sundry_sample::VolumeOptions {
            strategy: sundry_sample::VolumeStrategy::Combine,
            granularity: sundry_sample::Granularity::Bit,
            predicates: Vec::new(),
            project: None,
            seed: 0,
            stream: 0,
            memory: 1 << 20,
            control: sundry_sample::Control::default(),
        };
        let mut count = 0;
        let result = sundry_sample::sample_volume(&problem, &options, &mut |samples| {
            let models: Vec<Model> = samples.models().collect();
            let plain = samples.plain().expect("constants only");
            for format in [OutputFormat::Smt2, OutputFormat::Jsonl, OutputFormat::Csv] {
                let writer = SolutionWriter::new(format, &problem.store, &problem.symbols);
                let mut text = Vec::new();
                plain.lanes().for_each(|lane| writer.plain().write(&mut text, plain.values(lane)));
                assert_eq!(String::from_utf8(text), String::from_utf8(writer.rows(models.iter())));
            }
            count += models.len();
            if count < 500 { std::ops::ControlFlow::Continue(()) } else { std::ops::ControlFlow::Break(()) }
        });
        assert!(result.is_ok() && count >= 500);
    }
}
