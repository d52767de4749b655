//! The words of a text in UVL, line by line with the indentation of each.
//!
//! Within brackets, a line continues on the next, and comments are skipped. A tab extends to the next multiple of
//! eight columns, as in the grammar of the language.

use sundry_smtlib::{Diagnostic, DiagnosticKind, Span, spend};
use sundry_term::Control;

use crate::WORK_OF_WORD;
use crate::lines::shorten;

/// A word.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A name or a keyword.
    Word(String),
    /// A name in quotation marks, which is never a keyword.
    Quoted(String),
    /// A text between apostrophes.
    Text(String),
    /// A number without sign, in the spelling of the text.
    Number(String),
    /// Anything else: operators, brackets, commas, points.
    Mark(&'static str),
}

/// A word with its place.
pub(super) type Word = (Token, Span);

/// The words of one line, or of several lines with open brackets.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) indentation: usize,
    /// The words, of which there is at least one.
    pub(super) words: Vec<Word>,
}

impl Line {
    /// The place of the whole line.
    pub(super) fn span(&self) -> Span {
        self.words[0].1.to(self.words[self.words.len() - 1].1)
    }
}

/// The marks, longer ones before their beginnings.
const MARKS: [&str; 24] = [
    "<=>", "=>", "<=", ">=", "==", "!=", "..", "<", ">", "!", "&", "|", "+", "-", "*", "/", "(", ")", "[",
    "]", "{", "}", ",", ".",
];

/// The lines of a text that have words.
pub(super) fn lines(text: &str, control: &Control) -> Result<Vec<Line>, Diagnostic> {
    let mut lexer =
        Lexer { text, position: 0, open: Vec::new(), lines: Vec::new(), is_new_line: true, column: 0 };
    if text.starts_with('\u{feff}') {
        lexer.position = '\u{feff}'.len_utf8();
    }
    while lexer.position < text.len() {
        spend(control, WORK_OF_WORD, Span::new(lexer.position, lexer.position))?;
        lexer.step()?;
    }
    match lexer.open.first() {
        None => Ok(lexer.lines),
        Some(&span) => Err(Diagnostic::new(DiagnosticKind::Syntax, span, "this bracket is not closed")),
    }
}

struct Lexer<'t> {
    text: &'t str,
    position: usize,
    /// Brackets that are open.
    open: Vec<Span>,
    lines: Vec<Line>,
    /// Whether the next word begins a line, and in which column it is then.
    is_new_line: bool,
    column: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.position..]
    }

    /// Passes over a blank or a comment, or reads a word.
    fn step(&mut self) -> Result<(), Diagnostic> {
        let start = self.position;
        let first = self.rest().chars().next().expect("there is more text");
        let length = match first {
            '\n' => {
                if self.open.is_empty() {
                    self.is_new_line = true;
                }
                self.column = 0;
                1
            }
            '\t' => {
                self.column += 8 - self.column % 8;
                1
            }
            _ if first.is_whitespace() => {
                self.column += 1;
                first.len_utf8()
            }
            '/' if self.rest().starts_with("//") => self.rest().find('\n').unwrap_or(self.rest().len()),
            '/' if self.rest().starts_with("/*") => self.comment(start)?,
            '"' => {
                let name = self.quoted('"', start)?.to_string();
                let length = name.len() + 2;
                self.push(Token::Quoted(name), length)?
            }
            '\'' => {
                let text = self.quoted('\'', start)?.to_string();
                let length = text.len() + 2;
                self.push(Token::Text(text), length)?
            }
            _ if first.is_ascii_digit() => self.number()?,
            _ if first.is_alphabetic() || first == '_' => {
                let is_part = |c: char| c.is_alphanumeric() || "_#§%?\\';".contains(c);
                let length = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
                self.push(Token::Word(self.rest()[..length].to_string()), length)?
            }
            _ => {
                let Some(mark) = MARKS.iter().find(|mark| self.rest().starts_with(**mark)) else {
                    let message = format!("'{}' has no meaning in UVL", first.escape_debug());
                    let span = Span::new(start, start + first.len_utf8());
                    return Err(Diagnostic::new(DiagnosticKind::Syntax, span, message)
                        .with_help("names with such characters stand in quotation marks"));
                };
                self.bracket(mark)?;
                self.push(Token::Mark(mark), mark.len())?
            }
        };
        self.position += length;
        Ok(())
    }

    fn comment(&mut self, start: usize) -> Result<usize, Diagnostic> {
        match self.rest()[2..].find("*/") {
            Some(length) => Ok(length + 4),
            None => {
                let message = "this comment does not end";
                Err(Diagnostic::new(DiagnosticKind::Syntax, Span::new(start, start + 2), message)
                    .with_expected("'*/' behind it"))
            }
        }
    }

    fn quoted(&self, mark: char, start: usize) -> Result<&str, Diagnostic> {
        let rest = &self.rest()[1..];
        match rest.find([mark, '\n']) {
            Some(length) if rest[length..].starts_with(mark) && length > 0 => Ok(&rest[..length]),
            _ => {
                let what = if mark == '"' { "a name" } else { "a text" };
                let message = format!("{what} begins here that is empty or does not end on its line");
                Err(Diagnostic::new(DiagnosticKind::Syntax, Span::new(start, start + 1), message)
                    .with_expected(format!("{mark} behind it")))
            }
        }
    }

    fn number(&mut self) -> Result<usize, Diagnostic> {
        let rest = self.rest();
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let whole = digits(rest);
        let length = match rest[whole..].strip_prefix('.').map(digits) {
            Some(fraction) if fraction > 0 => whole + 1 + fraction,
            _ => whole,
        };
        self.push(Token::Number(rest[..length].to_string()), length)
    }

    /// Keeps account of brackets.
    fn bracket(&mut self, mark: &str) -> Result<(), Diagnostic> {
        let span = Span::new(self.position, self.position + 1);
        match mark {
            "(" | "[" | "{" => self.open.push(span),
            ")" | "]" | "}" => {
                let opened = self.open.pop().map(|span| &self.text[span.range()]);
                let fits = matches!((opened, mark), (Some("("), ")") | (Some("["), "]") | (Some("{"), "}"));
                if !fits {
                    let message = format!("'{mark}' closes no bracket that is open here");
                    return Err(Diagnostic::new(DiagnosticKind::Syntax, span, message));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn push(&mut self, token: Token, length: usize) -> Result<usize, Diagnostic> {
        let word = (token, Span::new(self.position, self.position + length));
        if self.is_new_line {
            self.lines.push(Line { indentation: self.column, words: Vec::new() });
            self.is_new_line = false;
        }
        let line = self.lines.last_mut().expect("a line has begun");
        line.words.push(word);
        self.column += length;
        Ok(length)
    }
}

/// A description of a word, for messages.
pub(super) fn describe(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("'{}'", shorten(word)),
        Token::Quoted(name) => format!("the name \"{}\"", shorten(name)),
        Token::Text(text) => format!("the text '{}'", shorten(text)),
        Token::Number(number) => format!("the number {}", shorten(number)),
        Token::Mark(mark) => format!("'{mark}'"),
    }
}
