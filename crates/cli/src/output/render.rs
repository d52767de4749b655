//! Solutions as text: SMT-LIB models, JSON lines, CSV.
//!
//! In all three a value is text in SMT-LIB syntax, which any solver reads and which loses nothing:
//! JSON numbers were rejected, since a bit-vector of 64 bits does not fit one. Symbols come in the
//! order of their declaration, all of them.

use std::fmt::Write;

use serde::Serializer;
use sundry_smtlib::{print_model, print_value};
use sundry_term::{FunctionValue, Model, SortDisplay, SymbolId, TermStore, Value};

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
}
