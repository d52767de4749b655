//! The attributes of a feature, in braces: `{abstract, price 10.5, vendor 'X', limits {low 1}, constraint A => B}`.

use rustc_hash::FxHashMap;
use sundry_smtlib::{Diagnostic, DiagnosticKind, Span};

use super::lexer::{Token, Word, describe};
use super::number::Number;
use crate::lines::shorten;

/// Braces in braces, at most: names of attributes have a part for each.
const MAX_DEPTH: usize = 32;

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(super) enum Attribute {
    Bool(bool),
    Number(Number),
    Text(String),
    /// A list of values, which constraints cannot speak of.
    List,
}

/// Reads attributes to the end of the line. Constraints among them are put to the others.
pub(super) fn read(
    words: &[Word],
    constraints: &mut Vec<Vec<Word>>,
) -> Result<FxHashMap<String, Attribute>, Diagnostic> {
    let mut reader = Reader { words, position: 0, path: Vec::new(), found: FxHashMap::default() };
    if words.is_empty() {
        return Ok(reader.found);
    }
    reader.take("{", "attributes in braces, or the end of the line")?;
    reader.path.push(String::new());
    while !reader.path.is_empty() {
        if reader.takes("}") {
            reader.path.pop();
            if !reader.path.is_empty() && !reader.is("}") {
                reader.take(",", "',' or '}'")?;
            }
            continue;
        }
        reader.attribute(constraints)?;
    }
    match words.get(reader.position) {
        None => Ok(reader.found),
        Some((token, span)) => {
            let message = format!("{} does not belong here", describe(token));
            Err(Diagnostic::new(DiagnosticKind::Syntax, *span, message).with_expected("the end of the line"))
        }
    }
}

struct Reader<'w> {
    words: &'w [Word],
    position: usize,
    /// The prefixes of names, one for each brace that is open.
    path: Vec<String>,
    found: FxHashMap<String, Attribute>,
}

impl Reader<'_> {
    fn is(&self, mark: &str) -> bool {
        matches!(self.words.get(self.position), Some((Token::Mark(it), _)) if *it == mark)
    }

    fn takes(&mut self, mark: &str) -> bool {
        let is_it = self.is(mark);
        self.position += usize::from(is_it);
        is_it
    }

    fn take(&mut self, mark: &str, expected: &str) -> Result<(), Diagnostic> {
        if self.takes(mark) { Ok(()) } else { self.unexpected(expected) }
    }

    fn unexpected<T>(&self, expected: &str) -> Result<T, Diagnostic> {
        let (message, span) = match self.words.get(self.position) {
            Some((token, span)) => (format!("{} does not belong here", describe(token)), *span),
            None => ("the line ends too early".to_string(), self.last_span()),
        };
        Err(Diagnostic::new(DiagnosticKind::Syntax, span, message).with_expected(expected))
    }

    fn last_span(&self) -> Span {
        self.words.last().map_or(Span::default(), |(_, span)| *span)
    }

    fn attribute(&mut self, constraints: &mut Vec<Vec<Word>>) -> Result<(), Diagnostic> {
        let (name, span, is_word) = match self.words.get(self.position) {
            Some((Token::Word(name), span)) => (name.clone(), *span, true),
            Some((Token::Quoted(name), span)) => (name.clone(), *span, false),
            _ => return self.unexpected("the name of an attribute, or '}'"),
        };
        self.position += 1;
        match name.as_str() {
            "constraint" if is_word => {
                let constraint = self.expression();
                constraints.push(constraint);
                return self.separator();
            }
            "constraints" if is_word => {
                self.take("[", "'[' and constraints with commas between them")?;
                while !self.takes("]") {
                    let constraint = self.expression();
                    constraints.push(constraint);
                    if !self.is("]") {
                        self.take(",", "',' or ']'")?;
                    }
                }
                return self.separator();
            }
            _ => {}
        }
        let prefix = self.path.last().map_or("", String::as_str);
        let path = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
        if self.takes("{") {
            if self.path.len() == MAX_DEPTH {
                let message = format!("attributes are nested more than {MAX_DEPTH} deep");
                return Err(Diagnostic::new(DiagnosticKind::Limit, span, message));
            }
            self.path.push(path);
            return Ok(());
        }
        let value = self.value()?;
        if self.found.insert(path.clone(), value).is_some() {
            let message = format!("there is an attribute '{}' already", shorten(&path));
            return Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message));
        }
        self.separator()
    }

    /// Reads the separator after an attribute.
    fn separator(&mut self) -> Result<(), Diagnostic> {
        if self.is("}") { Ok(()) } else { self.take(",", "',' or '}'") }
    }

    /// A value; an attribute without one is true.
    fn value(&mut self) -> Result<Attribute, Diagnostic> {
        let is_negative = self.takes("-");
        let value = match self.words.get(self.position) {
            Some((Token::Number(digits), span)) => {
                let text = if is_negative { format!("-{digits}") } else { digits.clone() };
                let Some(number) = Number::decimal(&text) else {
                    let message = "the number has too many digits";
                    return Err(Diagnostic::new(DiagnosticKind::Limit, *span, message));
                };
                Attribute::Number(number)
            }
            _ if is_negative => return self.unexpected("a number"),
            Some((Token::Word(word), _)) if word == "true" || word == "false" => {
                Attribute::Bool(word == "true")
            }
            Some((Token::Text(text), _)) => Attribute::Text(text.clone()),
            Some((Token::Mark("["), _)) => {
                let mut open = 0_usize;
                loop {
                    open += usize::from(self.is("["));
                    open -= usize::from(self.is("]"));
                    self.position += 1;
                    if open == 0 {
                        return Ok(Attribute::List);
                    }
                }
            }
            _ => return Ok(Attribute::Bool(true)),
        };
        self.position += 1;
        Ok(value)
    }

    /// The words of a constraint: up to a comma or bracket that is not its own. The lexer has looked at brackets.
    fn expression(&mut self) -> Vec<Word> {
        let start = self.position;
        let mut open = 0_usize;
        while let Some((token, _)) = self.words.get(self.position) {
            match token {
                Token::Mark("(" | "[" | "{") => open += 1,
                Token::Mark("," | ")" | "]" | "}") if open == 0 => break,
                Token::Mark(")" | "]" | "}") => open -= 1,
                _ => {}
            }
            self.position += 1;
        }
        match start == self.position {
            // Something to point at: the constraint that is missing.
            true => vec![(Token::Mark(","), self.words[start.saturating_sub(1)].1)],
            false => self.words[start..self.position].to_vec(),
        }
    }
}
