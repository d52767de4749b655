//! The words of constraints: names in brackets, texts, numbers, relations, keywords.

use sundry_smtlib::{Diagnostic, DiagnosticKind, Span};

use crate::lines::shorten;

/// A word of a constraint.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// `[Name]`
    Parameter(String),
    /// `"text"`
    Text(String),
    /// A number.
    Number(f64),
    /// `=`, `<>`, `<`, `<=`, `>`, `>=`
    Relation(Relation),
    /// A keyword or the name of a function, in capitals.
    Word(String),
    /// `(`, `)`, `{`, `}`, `,`, `;`
    Mark(char),
    /// The end of the text.
    End,
}

/// The relation of two values in a comparison.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Reads a text word by word.
pub(super) struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

impl<'t> Lexer<'t> {
    /// Words from this offset, at which a line begins.
    pub(super) fn new(text: &'t str, position: usize) -> Self {
        Lexer { text, position }
    }

    /// The text of a place.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }

    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    /// Passes over blanks, and lines that are comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            let begins_line = self.position == 0
                || rest[..blank].contains('\n')
                || self.text[..self.position].ends_with('\n');
            self.position += blank;
            if !(begins_line && self.rest().starts_with('#')) {
                return;
            }
            self.position += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// The next word with its place.
    pub(super) fn next(&mut self) -> Result<(Token, Span), Diagnostic> {
        let behind = self.position;
        self.skip();
        let start = self.position;
        let Some(first) = self.rest().chars().next() else {
            return Ok((Token::End, Span::new(behind, behind)));
        };
        self.position += first.len_utf8();
        let token = match first {
            '[' => Token::Parameter(self.quoted(']', start)?.trim().to_string()),
            '"' => Token::Text(self.quoted('"', start)?),
            '(' | ')' | '{' | '}' | ',' | ';' => Token::Mark(first),
            '=' => Token::Relation(Relation::Equal),
            '<' if self.takes('>') => Token::Relation(Relation::NotEqual),
            '<' if self.takes('=') => Token::Relation(Relation::LessOrEqual),
            '<' => Token::Relation(Relation::Less),
            '>' if self.takes('=') => Token::Relation(Relation::GreaterOrEqual),
            '>' => Token::Relation(Relation::Greater),
            _ if first.is_ascii_alphabetic() => {
                let length =
                    self.rest().find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(self.rest().len());
                self.position += length;
                Token::Word(self.text[start..self.position].to_ascii_uppercase())
            }
            _ => self.number(start)?,
        };
        Ok((token, Span::new(start, self.position)))
    }

    fn takes(&mut self, c: char) -> bool {
        let takes = self.rest().starts_with(c);
        if takes {
            self.position += c.len_utf8();
        }
        takes
    }

    /// Text up to a mark; a backslash removes the special meaning of the next character.
    fn quoted(&mut self, end: char, start: usize) -> Result<String, Diagnostic> {
        let mut text = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((offset, c)) = chars.next() {
            match c {
                _ if c == end => {
                    self.position += offset + c.len_utf8();
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, next @ ('\\' | '"' | ']'))) => text.push(next),
                    Some((offset, _)) => {
                        let place = Span::new(self.position + offset - 1, self.position + offset + 1);
                        let message = "a backslash stands before something that needs none";
                        return Err(Diagnostic::new(DiagnosticKind::Syntax, place, message)
                            .with_expected("'\\\\', '\\\"' or '\\]'"));
                    }
                    None => break,
                },
                '\n' => break,
                _ => text.push(c),
            }
        }
        let what = if end == ']' { "a name" } else { "a text" };
        let message = format!("{what} begins here that does not end on its line");
        Err(Diagnostic::new(DiagnosticKind::Syntax, Span::new(start, start + 1), message)
            .with_expected(format!("'{end}' behind it")))
    }

    fn number(&mut self, start: usize) -> Result<Token, Diagnostic> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let word = match length {
            0 => rest.chars().next().map_or("", |c| &rest[..c.len_utf8()]),
            _ => &rest[..length],
        };
        self.position = start + word.len();
        super::parameter::number(word).map(Token::Number).ok_or_else(|| {
            let message = format!("'{}' has no meaning in a constraint", shorten(word));
            Diagnostic::new(DiagnosticKind::Syntax, Span::new(start, self.position), message)
                .with_expected("a parameter in brackets, a number, or a text in quotation marks")
        })
    }
}
