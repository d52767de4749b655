//! The end of a top-level s-expression in a byte stream.
//!
//! A driver that answers while it reads must know that a command is complete before it parses the command. The
//! scanner balances parentheses, respects strings, quoted symbols and comments, and keeps its state between pieces,
//! so that it looks at each byte once however the stream is cut. Handing the parser incomplete text again and again
//! was rejected: that is quadratic in the size of the command.

use crate::lexer::{is_line_break, is_space};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum State {
    /// The state between tokens, or inside parentheses where tokens need not be distinguished.
    Plain,
    /// The state in a comment, up to the end of the line.
    Comment,
    /// The state in a string; a doubled quote closes and opens it again.
    String,
    /// The state after a quote that ended a top-level string, unless a second quote follows.
    StringEnd,
    /// The state in a quoted symbol.
    Quoted,
    /// The state in a token outside all parentheses, such as a stray word.
    Atom,
}

/// Finds the ends of top-level s-expressions in a stream that arrives in pieces.
///
/// ```
/// let mut scanner = sundry_smtlib::ExpressionScanner::new();
/// assert_eq!(scanner.advance(b" (echo \")"), None);
/// assert_eq!(scanner.advance(b"\") (exit)"), Some(2));
/// assert_eq!(scanner.advance(b" (exit)"), Some(7));
/// ```
#[derive(Clone, Debug)]
pub struct ExpressionScanner {
    state: State,
    depth: usize,
}

impl Default for ExpressionScanner {
    fn default() -> Self {
        Self::new()
    }
}

impl ExpressionScanner {
    /// A scanner at the start of a stream.
    pub fn new() -> Self {
        ExpressionScanner { state: State::Plain, depth: 0 }
    }

    /// Whether only blanks and comments followed the last complete expression.
    pub fn is_between_expressions(&self) -> bool {
        self.depth == 0 && matches!(self.state, State::Plain | State::Comment)
    }

    /// Takes the next bytes of the stream. `Some(n)`: an expression ends with the first `n` bytes, and the next call
    /// takes the bytes after them. `None`: all bytes were taken and the expression, if one has begun, needs more.
    ///
    /// A stray closing parenthesis or a word outside parentheses counts as an expression, so that the parser gets to
    /// see and report it. A word ends before the blank or mark after it (possibly with no byte of this piece).
    pub fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        for (offset, &byte) in bytes.iter().enumerate() {
            if let Some(taken) = self.step(byte) {
                self.state = State::Plain;
                self.depth = 0;
                return Some(offset + taken);
            }
        }
        None
    }

    /// Takes one byte. `Some(1)`: an expression ends with it; `Some(0)`: one ended before it.
    fn step(&mut self, byte: u8) -> Option<usize> {
        match self.state {
            State::Comment => {
                if is_line_break(byte) {
                    self.state = State::Plain;
                }
                None
            }
            State::String => {
                if byte == b'"' {
                    self.state = if self.depth == 0 { State::StringEnd } else { State::Plain };
                }
                None
            }
            State::StringEnd if byte == b'"' => {
                self.state = State::String;
                None
            }
            State::StringEnd => Some(0),
            State::Quoted => {
                if byte == b'|' {
                    self.state = State::Plain;
                    return (self.depth == 0).then_some(1);
                }
                None
            }
            State::Atom => {
                let ends = is_space(byte) || matches!(byte, b'(' | b')' | b'"' | b'|' | b';');
                ends.then_some(0)
            }
            State::Plain => self.step_plain(byte),
        }
    }

    fn step_plain(&mut self, byte: u8) -> Option<usize> {
        match byte {
            b'(' => self.depth += 1,
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                return (self.depth == 0).then_some(1);
            }
            b'"' => self.state = State::String,
            b'|' => self.state = State::Quoted,
            b';' => self.state = State::Comment,
            _ if self.depth == 0 && !is_space(byte) => self.state = State::Atom,
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expressions of a text that arrives in pieces of one size.
    fn split(text: &str, piece: usize) -> Vec<String> {
        let mut scanner = ExpressionScanner::new();
        let mut expressions = Vec::new();
        let mut current = Vec::new();
        for mut bytes in text.as_bytes().chunks(piece) {
            while let Some(end) = scanner.advance(bytes) {
                current.extend_from_slice(&bytes[..end]);
                expressions.push(String::from_utf8(std::mem::take(&mut current)).expect("text"));
                bytes = &bytes[end..];
            }
            current.extend_from_slice(bytes);
        }
        assert_eq!(
            scanner.is_between_expressions(),
            current.trim_ascii().is_empty() || current.contains(&b';')
        );
        expressions
    }

    #[test]
    fn pieces_of_any_size_give_the_same_expressions() {
        let text =
            "(a (b) \")\" |(| ; ) comment\r) ; (x\r\n\n(echo \"q\"\"(\") ) word(c)\"s\"\"t\" |q r| (d)";
        let whole = split(text, text.len());
        let trimmed: Vec<&str> = whole.iter().map(|expression| expression.trim()).collect();
        assert_eq!(
            trimmed,
            [
                "(a (b) \")\" |(| ; ) comment\r)",
                "; (x\r\n\n(echo \"q\"\"(\")",
                ")",
                "word",
                "(c)",
                "\"s\"\"t\"",
                "|q r|",
                "(d)",
            ]
        );
        for piece in 1..20 {
            assert_eq!(split(text, piece), whole, "pieces of {piece}");
        }
    }

    #[test]
    fn incomplete_expressions_need_more() {
        for text in ["(a (b)", "(a \")", "(a |)", "(a ;)", "word", "\"s\""] {
            let mut scanner = ExpressionScanner::new();
            assert_eq!(scanner.advance(text.as_bytes()), None, "{text}");
            assert!(!scanner.is_between_expressions(), "{text}");
        }
    }
}
