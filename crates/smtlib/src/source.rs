//! Text of an input with its name, and the way from byte offsets to lines and columns.
//!
//! Everything that reads text keeps byte offsets ([`Span`]) and nothing else; lines and columns
//! are computed only when a message is written, from a table of line starts. Carrying line and
//! column along in the lexer was rejected: it costs on every token what only errors need.

use std::fmt;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, DiagnosticKind};

/// A range of byte offsets in a [`SourceText`], `start` included and `end` excluded.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, but without, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A place in a text as people count: lines and columns from 1, columns in characters.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A named text and the offsets at which its lines start.
///
/// A text can grow at its end ([`append`](Self::append)), as a driver that reads its input piece
/// by piece needs it: offsets, lines and columns of what is there stay what they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

impl SourceText {
    /// A text and the name that messages give it, usually that of a file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut source = SourceText { name: name.into(), text: String::new(), line_starts: vec![0] };
        source.set_text(text.into());
        source
    }

    fn set_text(&mut self, text: String) {
        self.line_starts.truncate(1);
        self.line_starts.extend(line_starts_after(&text, 0));
        self.text = text;
    }

    /// A text from the bytes of a file.
    ///
    /// # Errors
    /// The first place that is not UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Box<InvalidUtf8>> {
        match String::from_utf8(bytes) {
            Ok(text) => Ok(SourceText::new(name, text)),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                Err(Box::new(InvalidUtf8::new(name.into(), error.as_bytes(), offset)))
            }
        }
    }

    /// Adds text at the end.
    pub fn append(&mut self, text: &str) {
        self.line_starts.extend(line_starts_after(text, self.text.len()));
        self.text.push_str(text);
    }

    /// The name that messages give the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part of the text that a span covers, empty where the span does not fit the text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset; offsets behind the end count as the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor_char_boundary(offset);
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let column = self.text[self.line_starts[line - 1]..offset].chars().count() + 1;
        Position { line, column }
    }

    /// The bytes of the line (from 1) without its line break.
    pub(crate) fn line_range(&self, line: usize) -> Range<usize> {
        let start = self.line_starts[line - 1];
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The last offset at or before `offset` that starts a character, within the text.
    pub(crate) fn floor_char_boundary(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

fn line_starts_after(text: &str, base: usize) -> impl Iterator<Item = usize> {
    text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(move |(offset, _)| base + offset + 1)
}

/// Bytes that are no UTF-8 text: the message, and as much of the text as can be shown with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidUtf8 {
    /// What is wrong and where; its span lies in [`source`](Self::source).
    pub diagnostic: Diagnostic,
    /// The text with every unreadable byte replaced by U+FFFD; offsets up to the error are those of the input.
    pub source: SourceText,
}

impl InvalidUtf8 {
    fn new(name: String, bytes: &[u8], offset: usize) -> Self {
        let source = SourceText::new(name, String::from_utf8_lossy(bytes).into_owned());
        let message = format!("byte 0x{:02x} at byte offset {offset} is not UTF-8 text", bytes[offset]);
        // U+FFFD is three bytes long in the replaced text.
        let diagnostic = Diagnostic::new(DiagnosticKind::Encoding, Span::new(offset, offset + 3), message)
            .with_help("SMT-LIB scripts are UTF-8 text; convert the file, for example with iconv");
        InvalidUtf8 { diagnostic, source }
    }
}

impl fmt::Display for InvalidUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.render(&self.source))
    }
}

impl std::error::Error for InvalidUtf8 {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_lines() {
        let source = SourceText::new("f", "ab\nçd\r\n\nx");
        let at = |offset| (source.position(offset).line, source.position(offset).column);
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(4), (2, 1), "inside a character counts as its start");
        assert_eq!(at(5), (2, 2));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(9), (4, 1));
        assert_eq!(at(1000), (4, 2));
        assert_eq!(&source.text()[source.line_range(2)], "çd");
        assert_eq!(&source.text()[source.line_range(3)], "");
    }

    #[test]
    fn appending_is_the_same_as_having_it_all() {
        let whole = SourceText::new("f", "a\nb\n\nc");
        let mut grown = SourceText::new("f", "a");
        for piece in ["\nb", "\n", "", "\nc"] {
            grown.append(piece);
        }
        assert_eq!(grown, whole);
    }

    #[test]
    fn bytes_that_are_no_text_are_named() {
        let error = SourceText::from_bytes("f.smt2", b"(a)\n(b \xff\xfe)".to_vec()).expect_err("not UTF-8");
        assert!(error.diagnostic.message.contains("byte 0xff at byte offset 7"), "{error}");
        assert!(error.to_string().starts_with("f.smt2:2:4: error: "), "{error}");
    }
}
