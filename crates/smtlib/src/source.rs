//! Text of an input with its name, and the conversion of byte offsets to lines and columns.
//!
//! Everything that reads text keeps only byte offsets ([`Span`]). Lines and columns are computed when a message is
//! written, from a table of line starts. Carrying line and column along in the lexer was rejected: every token would
//! pay for what only errors need.
//!
//! In the standard (2.7, section 3.1), text consists of bytes, and bytes from 128 on may occur in comments, strings
//! and quoted symbols. Here a text has characters, so that names can be written as JSON and CSV. Bytes become
//! characters in one of two ways ([`TextEncoding`]), each for a whole text and each without loss. Reading only the bytes
//! that are not UTF-8 as Latin-1 was rejected: two different symbols of one text could become the same.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A range of byte offsets in a [`SourceText`], `start` included and `end` excluded.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, but without, `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The number of bytes of the span.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span is empty.
    pub fn is_empty(self) -> bool {
        self.len() == 0
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

/// The encoding of characters as bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TextEncoding {
    /// UTF-8.
    Utf8,
    /// Each byte is the character with its number: ISO 8859-1.
    Latin1,
}

/// The byte-order mark with which some editors begin UTF-8 texts.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A named text and the offsets at which its lines start.
///
/// A text can grow at its end ([`append`](Self::append)), as a driver requires that reads its input piece by piece:
/// the offsets, lines and columns of the existing text stay the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    encoding: TextEncoding,
    is_ascii: bool,
    /// The offset of the first byte that is not UTF-8.
    first_latin1: Option<usize>,
}

impl SourceText {
    /// Creates a text with the name that messages use, usually that of a file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut source = SourceText {
            name: name.into(),
            text: String::new(),
            line_starts: vec![0],
            encoding: TextEncoding::Utf8,
            is_ascii: true,
            first_latin1: None,
        };
        source.append_text(text.into());
        source
    }

    /// A text from the bytes of a file: UTF-8, with or without a byte-order mark, or else Latin-1.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        let mut source = SourceText::new(name, "");
        let added = source.append_bytes(bytes);
        debug_assert!(added.is_ok(), "nothing was there that fixes the encoding");
        source
    }

    /// Adds text at the end.
    pub fn append(&mut self, text: &str) {
        self.append_text(text.to_string());
    }

    /// Adds bytes at the end, and decides the encoding of the text if it was still open: the first bytes that are not
    /// ASCII decide.
    ///
    /// # Errors
    /// The bytes are not UTF-8, and the text already has characters that were. The text is unchanged.
    pub fn append_bytes(&mut self, mut bytes: Vec<u8>) -> Result<(), NotUtf8> {
        if self.text.is_empty() && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        if self.encoding == TextEncoding::Utf8 {
            bytes = match String::from_utf8(bytes) {
                Ok(text) => {
                    self.append_text(text);
                    return Ok(());
                }
                Err(error) => {
                    let offset = error.utf8_error().valid_up_to();
                    let bytes = error.into_bytes();
                    if !self.is_ascii {
                        return Err(NotUtf8 { offset, byte: bytes[offset], bytes });
                    }
                    self.encoding = TextEncoding::Latin1;
                    let before: usize = bytes[..offset].iter().map(|&byte| char::from(byte).len_utf8()).sum();
                    self.first_latin1 = Some(self.text.len() + before);
                    bytes
                }
            };
        }
        self.append_text(bytes.into_iter().map(char::from).collect());
        Ok(())
    }

    fn append_text(&mut self, text: String) {
        if self.text.ends_with('\r') && text.starts_with('\n') {
            // The two characters are one line break.
            self.line_starts.pop();
        }
        self.line_starts.extend(line_starts_after(&text, self.text.len()));
        self.is_ascii &= text.is_ascii();
        if self.text.is_empty() {
            self.text = text;
        } else {
            self.text.push_str(&text);
        }
    }

    /// The encoding of the text.
    pub fn encoding(&self) -> TextEncoding {
        self.encoding
    }

    /// The place of the first byte that is not UTF-8; none in a text that is.
    pub fn first_latin1(&self) -> Option<usize> {
        self.first_latin1
    }

    /// An answer in the encoding of this text. Characters that Latin-1 has not are written as UTF-8.
    pub fn encode<'t>(&self, answer: &'t str) -> Cow<'t, [u8]> {
        if self.encoding == TextEncoding::Utf8 || answer.is_ascii() {
            return Cow::Borrowed(answer.as_bytes());
        }
        let mut bytes = Vec::with_capacity(answer.len());
        for character in answer.chars() {
            match u8::try_from(character) {
                Ok(byte) => bytes.push(byte),
                Err(_) => bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        Cow::Owned(bytes)
    }

    /// The name of the text in messages.
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

    /// The line and column of a byte offset; offsets after the end count as the end.
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

/// Lines end with a line feed, a carriage return, or both in this order.
fn line_starts_after(text: &str, base: usize) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let is_end = |offset: usize| match bytes[offset] {
        b'\n' => true,
        b'\r' => bytes.get(offset + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(move |&offset| is_end(offset)).map(move |offset| base + offset + 1)
}

/// The error for bytes that cannot be added to a text, because they are not UTF-8 and the text is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotUtf8 {
    /// The offset of the first byte that is not UTF-8, from the start of these bytes.
    pub offset: usize,
    /// The byte at that place.
    pub byte: u8,
    /// All bytes of the text.
    pub bytes: Vec<u8>,
}

impl fmt::Display for NotUtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte 0x{:02x} is not UTF-8 text, unlike the text before it", self.byte)
    }
}

impl std::error::Error for NotUtf8 {}

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
    fn all_kinds_of_line_breaks_end_lines() {
        let source = SourceText::new("f", "a\rb\r\nc\nd");
        let at = |offset| (source.position(offset).line, source.position(offset).column);
        assert_eq!([at(0), at(2), at(5), at(7)], [(1, 1), (2, 1), (3, 1), (4, 1)]);
        let mut grown = SourceText::new("f", "a\rb\r");
        grown.append("\nc\nd");
        assert_eq!(grown, source);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let source = SourceText::from_bytes("f", b"\xef\xbb\xbf(a)".to_vec());
        assert_eq!((source.text(), source.encoding()), ("(a)", TextEncoding::Utf8));
        assert_eq!(SourceText::from_bytes("f", b"\xef\xbb\xbf".to_vec()).text(), "");
    }

    #[test]
    fn what_is_not_utf8_is_latin1_as_a_whole() {
        let source = SourceText::from_bytes("f", b"(\xc3\xa4)\n(b \xff \xfe)".to_vec());
        assert_eq!(
            (source.text(), source.encoding()),
            ("(\u{c3}\u{a4})\n(b \u{ff} \u{fe})", TextEncoding::Latin1)
        );
        let first = source.first_latin1().expect("not UTF-8");
        assert_eq!(source.position(first), Position { line: 2, column: 4 });
        assert_eq!(source.encode(source.text()).as_ref(), b"(\xc3\xa4)\n(b \xff \xfe)");
        assert_eq!(source.encode("\u{20ac}\u{e4}").as_ref(), b"\xe2\x82\xac\xe4");
    }

    #[test]
    fn the_first_bytes_beyond_ascii_settle_the_encoding_of_what_follows() {
        let mut source = SourceText::from_bytes("f", b"(a)".to_vec());
        assert_eq!(source.append_bytes(b"\xe4".to_vec()), Ok(()));
        assert_eq!(source.append_bytes(b"\xc3\xa4".to_vec()), Ok(()));
        assert_eq!(source.text(), "(a)\u{e4}\u{c3}\u{a4}");
        let mut source = SourceText::from_bytes("f", b"\xc3\xa4".to_vec());
        let error = source.append_bytes(b"(\xe4)".to_vec()).expect_err("both encodings");
        assert_eq!((error.offset, error.byte, source.text()), (1, 0xe4, "\u{e4}"));
    }
}
