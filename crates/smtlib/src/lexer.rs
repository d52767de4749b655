//! The lexis of SMT-LIB 2.7 (standard, section 3.1): tokens that borrow from the text.
//!
//! One pass over the bytes, classified by a table. A lexer generator was rejected: the lexis is
//! small, and the messages for its typical mistakes are worth writing by hand.

use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::source::Span;

/// A token. Text is that of the source, without the marks around it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// Digits.
    Numeral(&'a str),
    /// Digits, a point, digits.
    Decimal(&'a str),
    /// The digits after `#x`.
    Hexadecimal(&'a str),
    /// The digits after `#b`.
    Binary(&'a str),
    /// The text between the quotes, with `""` still doubled; see [`unescape_string`].
    String(&'a str),
    /// A simple symbol or reserved word.
    Symbol(&'a str),
    /// The text between the bars of `|...|`.
    QuotedSymbol(&'a str),
    /// A keyword with its colon.
    Keyword(&'a str),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// The token in words, for messages.
    pub fn describe(&self) -> String {
        match self {
            Token::Open => "'('".into(),
            Token::Close => "')'".into(),
            Token::Numeral(text) => format!("the numeral {text}"),
            Token::Decimal(text) => format!("the decimal {text}"),
            Token::Hexadecimal(text) => format!("the literal #x{}", shorten(text)),
            Token::Binary(text) => format!("the literal #b{}", shorten(text)),
            Token::String(_) => "a string".into(),
            Token::Symbol(text) => format!("'{}'", shorten(text)),
            Token::QuotedSymbol(text) => format!("'|{}|'", shorten(text)),
            Token::Keyword(text) => format!("the keyword {}", shorten(text)),
            Token::End => "the end of the input".into(),
        }
    }
}

/// The first characters of a text that may be very long, for messages.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text.to_string(),
    }
}

/// The text that a string token denotes: doubled quotes become one.
pub fn unescape_string(raw: &str) -> String {
    raw.replace("\"\"", "\"")
}

/// Classes of bytes in [`CLASS`].
const SPACE: u8 = 1;
const DIGIT: u8 = 2;
const LETTER: u8 = 4;
/// The marks that simple symbols may contain besides letters and digits.
const MARK: u8 = 8;
const SYMBOL: u8 = DIGIT | LETTER | MARK;

const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' => SPACE,
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' | b'-' | b'+' | b'=' | b'<'
            | b'>' | b'.' | b'?' | b'/' => MARK,
            _ => 0,
        };
        byte += 1;
    }
    class
};

fn is_class(byte: u8, class: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

/// Whether a byte is white space in the sense of the standard.
pub(crate) fn is_space(byte: u8) -> bool {
    is_class(byte, SPACE)
}

/// Whether a byte ends a comment.
pub(crate) fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The tokens of a text from an offset on.
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Lexer<'a> {
    /// The tokens of `text` from the byte offset `offset`.
    ///
    /// # Panics
    /// When the offset is not between two characters of the text.
    pub fn new(text: &'a str, offset: usize) -> Self {
        assert!(text.is_char_boundary(offset), "lexer started inside a character");
        Lexer { text, offset }
    }

    /// The offset at which the search for the next token starts.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The next token and where it is; [`Token::End`] at the end, as often as asked.
    ///
    /// # Errors
    /// A place that starts no token. The lexer stays before it.
    pub fn next_token(&mut self) -> Result<(Token<'a>, Span), Diagnostic> {
        let start = self.skip_blanks(self.offset);
        let Some(&first) = self.text.as_bytes().get(start) else {
            return Ok((Token::End, Span::new(start, start)));
        };
        let (token, end) = match first {
            b'(' => (Token::Open, start + 1),
            b')' => (Token::Close, start + 1),
            b'"' => self.string(start)?,
            b'|' => self.quoted_symbol(start)?,
            b'#' => self.literal(start)?,
            b':' => self.keyword(start)?,
            b'0'..=b'9' => self.number(start)?,
            byte if is_class(byte, SYMBOL) => {
                let end = self.run(start + 1, SYMBOL);
                (Token::Symbol(&self.text[start..end]), end)
            }
            _ => return Err(self.stray_character(start)),
        };
        self.offset = end;
        Ok((token, Span::new(start, end)))
    }

    fn skip_blanks(&self, mut offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(offset) {
            if is_space(byte) {
                offset += 1;
            } else if byte == b';' {
                let end = bytes[offset..].iter().position(|&byte| is_line_break(byte));
                offset += end.unwrap_or(bytes.len() - offset);
            } else {
                break;
            }
        }
        offset
    }

    /// The end of the run of bytes of these classes.
    fn run(&self, start: usize, classes: u8) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = start;
        while bytes.get(end).is_some_and(|&byte| is_class(byte, classes)) {
            end += 1;
        }
        end
    }

    fn string(&self, start: usize) -> Result<(Token<'a>, usize), Diagnostic> {
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            let Some(length) = bytes[at..].iter().position(|&byte| byte == b'"') else {
                let message = "this string has no closing '\"'";
                return Err(error(Span::new(start, start + 1), message)
                    .with_help("a '\"' inside a string is written twice"));
            };
            at += length;
            if bytes.get(at + 1) != Some(&b'"') {
                return Ok((Token::String(&self.text[start + 1..at]), at + 1));
            }
            at += 2;
        }
    }

    fn quoted_symbol(&self, start: usize) -> Result<(Token<'a>, usize), Diagnostic> {
        let rest = &self.text.as_bytes()[start + 1..];
        let Some(length) = rest.iter().position(|&byte| byte == b'|') else {
            return Err(error(Span::new(start, start + 1), "this quoted symbol has no closing '|'"));
        };
        if let Some(offset) = rest[..length].iter().position(|&byte| byte == b'\\') {
            let at = start + 1 + offset;
            let message = "a quoted symbol cannot contain '\\'";
            return Err(error(Span::new(at, at + 1), message).with_help("replace it by another character"));
        }
        let end = start + 1 + length;
        Ok((Token::QuotedSymbol(&self.text[start + 1..end]), end + 1))
    }

    fn literal(&self, start: usize) -> Result<(Token<'a>, usize), Diagnostic> {
        let digits_start = start + 2;
        let kind = self.text.as_bytes().get(start + 1).copied();
        let (digits, is_digit): (&str, fn(u8) -> bool) = match kind {
            Some(b'x') => ("hexadecimal digits", |byte| byte.is_ascii_hexdigit()),
            Some(b'b') => ("binary digits", |byte| matches!(byte, b'0' | b'1')),
            _ => {
                return Err(error(Span::new(start, start + 1), "stray '#'")
                    .with_expected("#b or #x and digits of a bit-vector literal"));
            }
        };
        let end = self.run(digits_start, SYMBOL);
        let text = &self.text[digits_start..end];
        if let Some(bad) = text.bytes().position(|byte| !is_digit(byte)) {
            let at = digits_start + bad;
            let message = format!("'{}' is not one of the {digits}", &text[bad..bad + 1]);
            return Err(error(Span::new(at, at + 1), message).with_expected(digits));
        }
        if text.is_empty() {
            let message = format!("'{}' has no digits", &self.text[start..end]);
            return Err(error(Span::new(start, end), message).with_expected(digits));
        }
        let token = if kind == Some(b'x') { Token::Hexadecimal(text) } else { Token::Binary(text) };
        Ok((token, end))
    }

    fn keyword(&self, start: usize) -> Result<(Token<'a>, usize), Diagnostic> {
        let end = self.run(start + 1, SYMBOL);
        if end == start + 1 {
            return Err(error(Span::new(start, end), "stray ':'").with_expected("a keyword such as :named"));
        }
        Ok((Token::Keyword(&self.text[start..end]), end))
    }

    fn number(&self, start: usize) -> Result<(Token<'a>, usize), Diagnostic> {
        let whole = self.run(start, DIGIT);
        let bytes = self.text.as_bytes();
        let is_decimal =
            bytes.get(whole) == Some(&b'.') && bytes.get(whole + 1).is_some_and(u8::is_ascii_digit);
        let end = if is_decimal { self.run(whole + 1, DIGIT) } else { whole };
        let text = &self.text[start..end];
        if bytes.get(end).is_some_and(|&byte| is_class(byte, SYMBOL)) {
            let span = Span::new(start, self.run(end, SYMBOL));
            let message = format!("'{}' is neither a number nor a symbol", shorten(&self.text[span.range()]));
            return Err(error(span, message)
                .with_help("a symbol that starts with a digit stands between bars: |...|"));
        }
        if whole > start + 1 && bytes[start] == b'0' {
            let message = format!("the number {} starts with a superfluous 0", shorten(text));
            return Err(error(Span::new(start, end), message));
        }
        Ok((if is_decimal { Token::Decimal(text) } else { Token::Numeral(text) }, end))
    }

    fn stray_character(&self, start: usize) -> Diagnostic {
        let character = self.text[start..].chars().next().unwrap_or('\u{fffd}');
        let span = Span::new(start, start + character.len_utf8());
        let message = format!("the character {character:?} cannot stand here");
        let is_utf16 = ["\u{ff}\u{fe}", "\u{fe}\u{ff}"].iter().any(|mark| self.text.starts_with(mark));
        error(span, message).with_help(match is_utf16 {
            true => "this looks like UTF-16; convert the file to UTF-8, for example with iconv",
            false => "symbols with other characters stand between bars: |...|",
        })
    }
}

fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Syntax, span, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text, 0);
        let mut tokens = Vec::new();
        loop {
            match lexer.next_token().expect("lexes").0 {
                Token::End => return tokens,
                token => tokens.push(token),
            }
        }
    }

    fn message(text: &str) -> (String, Span) {
        let mut lexer = Lexer::new(text, 0);
        loop {
            match lexer.next_token() {
                Ok((Token::End, _)) => panic!("no error in {text}"),
                Ok(_) => {}
                Err(diagnostic) => return (diagnostic.message, diagnostic.span),
            }
        }
    }

    #[test]
    fn every_kind_of_token() {
        use Token::*;
        let text = "(a ; note ( \" |\n +-1 |b c|\t|| 0 12 1.50 #xAf0 #b01 \"x\"\"y\" \"\" :key .z)";
        let expected = [
            Open,
            Symbol("a"),
            Symbol("+-1"),
            QuotedSymbol("b c"),
            QuotedSymbol(""),
            Numeral("0"),
            Numeral("12"),
            Decimal("1.50"),
            Hexadecimal("Af0"),
            Binary("01"),
            String("x\"\"y"),
            String(""),
            Keyword(":key"),
            Symbol(".z"),
            Close,
        ];
        assert_eq!(tokens(text), expected);
        assert_eq!(unescape_string("x\"\"y"), "x\"y");
    }

    #[test]
    fn tokens_need_no_space_between_where_marks_part_them() {
        use Token::*;
        assert_eq!(
            tokens("a\"s\"b|c|d(e)f;g"),
            [
                Symbol("a"),
                String("s"),
                Symbol("b"),
                QuotedSymbol("c"),
                Symbol("d"),
                Open,
                Symbol("e"),
                Close,
                Symbol("f"),
            ]
        );
    }

    #[test]
    fn mistakes_are_named_where_they_are() {
        assert_eq!(message("a #b012"), ("'2' is not one of the binary digits".into(), Span::new(6, 7)));
        assert_eq!(message("#xg").1, Span::new(2, 3));
        assert_eq!(message("#x ").0, "'#x' has no digits");
        assert_eq!(message("#").0, "stray '#'");
        assert_eq!(message("a 12b").0, "'12b' is neither a number nor a symbol");
        assert_eq!(message("007").0, "the number 007 starts with a superfluous 0");
        assert_eq!(message("a \"b").1, Span::new(2, 3));
        assert_eq!(message("|b").0, "this quoted symbol has no closing '|'");
        assert_eq!(message("|b\\c|").1, Span::new(2, 3));
        assert_eq!(message("é").1, Span::new(0, 2));
        assert_eq!(message(": a").0, "stray ':'");
        assert_eq!(message("[").0, "the character '[' cannot stand here");
    }

    #[test]
    fn characters_beyond_ascii_stand_in_strings_bars_and_comments() {
        use Token::*;
        assert_eq!(tokens("|ä| \"ö\" ;ü\n"), [QuotedSymbol("ä"), String("ö")]);
        assert_eq!(tokens("|\u{80}\u{ff}|;\u{85}\n"), [QuotedSymbol("\u{80}\u{ff}")]);
    }

    #[test]
    fn comments_end_with_any_line_break() {
        use Token::*;
        assert_eq!(tokens("a;b\rc;d\r\ne;f"), [Symbol("a"), Symbol("c"), Symbol("e")]);
    }
}
