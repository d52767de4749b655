//! JSON lines: an object for each model, with the values of constants by their names.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use sundry_smtlib::{Diagnostic, DiagnosticKind, ReadModel, SourceText, Span, UnusedDefinition};
use sundry_term::TermStore;

use super::RowReader;

/// The objects of a text, one by one.
pub(crate) struct JsonRows<'s> {
    source: &'s SourceText,
    rows: RowReader,
    position: usize,
}

impl<'s> JsonRows<'s> {
    /// Reads a text from its beginning.
    pub(crate) fn new(source: &'s SourceText, rows: RowReader) -> Self {
        JsonRows { source, rows, position: 0 }
    }

    /// The next object.
    ///
    /// # Errors
    /// The line is no object, or has something else than values.
    pub(crate) fn next(&mut self, store: &mut TermStore) -> Result<Option<ReadModel>, Diagnostic> {
        let Some(span) = self.next_line() else { return Ok(None) };
        let line = self.source.slice(span);
        let pairs = object(line).map_err(|error| {
            // What serde says of the place is the place of the diagnostic.
            let text = error.to_string();
            let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
            let offset = span.start + error.column().saturating_sub(1).min(line.len());
            Diagnostic::new(DiagnosticKind::Syntax, Span::new(offset, offset + 1), message.to_string())
        })?;
        let mut is_known = vec![false; self.rows.width()];
        let mut unused = Vec::new();
        let mut cells = Vec::with_capacity(pairs.len());
        for (name, text) in &pairs {
            match self.rows.cell_named(name) {
                Some(cell) if std::mem::replace(&mut is_known[cell], true) => {
                    let message = format!("this object has '{name}' twice");
                    return Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message));
                }
                Some(cell) => cells.push((cell, &**text)),
                None => unused.push(UnusedDefinition { name: name.to_string(), span }),
            }
        }
        let model = self.rows.model(store, &cells).map_err(|error| error.at(span, &self.rows, &cells))?;
        let missing = self.rows.symbols((0..self.rows.width()).filter(|&cell| !is_known[cell]));
        Ok(Some(ReadModel { model, span, missing, unused }))
    }

    /// The next line that is not blank.
    fn next_line(&mut self) -> Option<Span> {
        let text = self.source.text();
        while self.position < text.len() {
            let start = self.position;
            let length = text[start..].find('\n').unwrap_or(text.len() - start);
            self.position = (start + length + 1).min(text.len());
            if !text[start..start + length].trim().is_empty() {
                return Some(Span::new(start, start + length));
            }
            if start + length == text.len() {
                break;
            }
        }
        None
    }
}

/// The pairs of an object whose values are strings.
fn object(line: &str) -> serde_json::Result<Vec<(Cow<'_, str>, Cow<'_, str>)>> {
    struct Pairs;
    impl<'de> Visitor<'de> for Pairs {
        type Value = Vec<(Cow<'de, str>, Cow<'de, str>)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with a value in SMT-LIB for each constant, such as {\"x\":\"#x0f\"}")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut pairs = Vec::new();
            while let Some((name, value)) = map.next_entry::<Text<'de>, serde_json::Value>()? {
                let text = match value {
                    serde_json::Value::String(text) => text,
                    serde_json::Value::Bool(value) => value.to_string(),
                    _ => {
                        return Err(A::Error::custom(
                            "the value is not a string with a value in SMT-LIB, such as \"#x0f\"",
                        ));
                    }
                };
                pairs.push((name.0, Cow::Owned(text)));
            }
            Ok(pairs)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let pairs = deserializer.deserialize_map(Pairs)?;
    deserializer.end()?;
    Ok(pairs)
}

/// A string, borrowed where nothing in it is escaped.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
