//! Tables: the names of constants in the first row, their values in the others.

use ::csv::{ByteRecord, ReaderBuilder};
use sundry_smtlib::{Diagnostic, DiagnosticKind, ReadModel, SourceText, Span, UnusedDefinition};
use sundry_term::{SymbolId, TermStore};

use super::RowReader;

/// The rows of a table, one by one.
pub(crate) struct CsvRows<'s> {
    source: &'s SourceText,
    rows: RowReader,
    table: ::csv::Reader<&'s [u8]>,
    record: ByteRecord,
    /// By column, the cell that its values are of.
    columns: Vec<Option<usize>>,
    missing: Vec<SymbolId>,
    /// Columns that stand for nothing, until they are reported.
    unused: Vec<UnusedDefinition>,
}

impl<'s> CsvRows<'s> {
    /// Reads the heading of a table.
    ///
    /// # Errors
    /// The table has no heading, or the heading has a name twice.
    pub(crate) fn new(source: &'s SourceText, rows: RowReader) -> Result<Self, Diagnostic> {
        let table =
            ReaderBuilder::new().has_headers(false).flexible(true).from_reader(source.text().as_bytes());
        let mut table = CsvRows {
            source,
            rows,
            table,
            record: ByteRecord::new(),
            columns: Vec::new(),
            missing: Vec::new(),
            unused: Vec::new(),
        };
        let Some(start) = table.next_record()? else { return Ok(table) };
        let mut is_known = vec![false; table.rows.width()];
        for (position, name) in texts(&table.record).into_iter().enumerate() {
            let cell = table.rows.cell_named(name);
            match cell {
                Some(cell) if std::mem::replace(&mut is_known[cell], true) => {
                    let message = format!("the table has two columns '{name}'");
                    let span = table.cell(start, position);
                    return Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message));
                }
                // A table without columns is written with one that has no name.
                None if !name.is_empty() => {
                    let span = table.cell(start, position);
                    table.unused.push(UnusedDefinition { name: name.to_string(), span });
                }
                _ => {}
            }
            table.columns.push(cell);
        }
        if table.columns.iter().all(Option::is_none) && table.rows.width() > 0 {
            let message = "this is neither a model nor the heading of a table of models";
            let help = "models are definitions in parentheses, as solvers print them, objects in JSON with a line for \
                        each, or rows in CSV, with the names of the constants in the first line";
            let span = table.cell(start, 0);
            return Err(Diagnostic::new(DiagnosticKind::Syntax, span, message).with_help(help));
        }
        table.missing = table.rows.symbols((0..table.rows.width()).filter(|&cell| !is_known[cell]));
        Ok(table)
    }

    /// The next row.
    ///
    /// # Errors
    /// The row does not fit the heading, or contains something other than values.
    pub(crate) fn next(&mut self, store: &mut TermStore) -> Result<Option<ReadModel>, Diagnostic> {
        let Some(start) = self.next_record()? else { return Ok(None) };
        let (found, wanted) = (self.record.len(), self.columns.len());
        if found != wanted {
            let cells = if found == 1 { "cell" } else { "cells" };
            let message = format!("this row has {found} {cells}, and the heading has {wanted}");
            return Err(Diagnostic::new(DiagnosticKind::Syntax, self.row(start), message));
        }
        let texts = texts(&self.record);
        let used = self.columns.iter().zip(&texts).enumerate();
        let used = used.filter_map(|(position, (cell, text))| Some((position, ((*cell)?, *text))));
        let (positions, cells): (Vec<usize>, Vec<(usize, &str)>) = used.unzip();
        let model = self.rows.model(store, &cells).map_err(|error| {
            let span = match error.position {
                Some(position) => self.cell(start, positions[position]),
                None => self.row(start),
            };
            error.at(span, &self.rows, &cells)
        })?;
        let unused = std::mem::take(&mut self.unused);
        Ok(Some(ReadModel { model, span: self.row(start), missing: self.missing.clone(), unused }))
    }

    /// Reads a record; where it starts.
    fn next_record(&mut self) -> Result<Option<usize>, Diagnostic> {
        // From a text nothing but records can come, of whatever lengths.
        let has_record = self.table.read_byte_record(&mut self.record).unwrap_or(false);
        if !has_record {
            return Ok(None);
        }
        let begin = self.record.position().map_or(0, |position| position.byte() as usize);
        let rest = &self.source.text()[begin..];
        // Empty lines before a row are none.
        let start = begin + rest.len() - rest.trim_start_matches(['\n', '\r']).len();
        let end = (self.table.position().byte() as usize).max(start);
        if is_open(self.source.slice(Span::new(start, end))) {
            let message = "the quotation mark of a cell is never closed";
            return Err(Diagnostic::new(DiagnosticKind::Syntax, self.row(start), message));
        }
        Ok(Some(start))
    }

    /// The row that starts somewhere: its first line.
    fn row(&self, start: usize) -> Span {
        let rest = &self.source.text()[start..];
        Span::new(start, start + rest.find(['\n', '\r']).unwrap_or(rest.len()))
    }

    /// A cell of the row that starts somewhere.
    fn cell(&self, start: usize, position: usize) -> Span {
        let rest = self.source.text()[start..].bytes();
        let mut is_quoted = false;
        let mut commas = 0;
        let mut begin = start;
        for (offset, byte) in (start..).zip(rest) {
            match byte {
                b'"' => is_quoted = !is_quoted,
                b',' | b'\n' | b'\r' if !is_quoted => {
                    if commas == position || byte != b',' {
                        return Span::new(begin, offset);
                    }
                    commas += 1;
                    begin = offset + 1;
                }
                _ => {}
            }
        }
        Span::new(begin, self.source.text().len())
    }
}

/// The cells of a record, whose text is a part of a text.
fn texts(record: &ByteRecord) -> Vec<&str> {
    record.iter().map(|cell| std::str::from_utf8(cell).unwrap_or_default()).collect()
}

/// Whether a text ends within quotation marks. A doubled one closes the quotation and opens it again.
fn is_open(text: &str) -> bool {
    text.bytes().filter(|&byte| byte == b'"').count() % 2 == 1
}
