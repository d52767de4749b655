//! Constraints: `IF predicate THEN predicate ELSE predicate;` or `predicate;`.

mod like;

use std::cmp::Ordering;

use sundry_smtlib::{Diagnostic, DiagnosticKind, Span, spend};
use sundry_term::{Control, Op, TermId};

use super::Reader;
use super::lexer::{Lexer, Relation, Token};
use super::parameter::{Parameter, compared};
use crate::WORK_OF_WORD;
use crate::expression::{Apply, Expression, Operator};
use crate::lines::shorten;
use like::is_like;

/// Pairs of values that a comparison of two parameters may have.
const MAX_PAIRS: usize = 1 << 20;

/// The operators of predicates.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Logical {
    Or,
    And,
    Not,
}

impl Operator for Logical {
    fn binding(self) -> u8 {
        self as u8 + 1
    }

    fn is_prefix(self) -> bool {
        self == Logical::Not
    }
}

impl Apply<TermId, Logical> for Reader {
    fn apply(
        &mut self,
        (operator, _): (Logical, Span),
        operands: &[(TermId, Span)],
    ) -> Result<TermId, Diagnostic> {
        let terms: Vec<TermId> = operands.iter().map(|&(term, _)| term).collect();
        let op = match operator {
            Logical::Or => Op::Or,
            Logical::And => Op::And,
            Logical::Not => Op::Not,
        };
        Ok(self.builder.store.make(op, &terms))
    }
}

/// Reads all constraints from an offset to the end of the text.
pub(super) fn read(
    reader: &mut Reader,
    text: &str,
    start: usize,
    control: &Control,
) -> Result<(), Diagnostic> {
    let mut parser = Parser { lexer: Lexer::new(text, start), next: (Token::End, Span::default()) };
    parser.advance()?;
    while parser.next.0 != Token::End {
        let begin = parser.next.1;
        let is_conditional = parser.takes_word("IF")?;
        let mut term = parser.predicate(reader)?;
        if is_conditional {
            parser.expect_word("THEN")?;
            let then = parser.predicate(reader)?;
            term = match parser.takes_word("ELSE")? {
                true => {
                    let otherwise = parser.predicate(reader)?;
                    reader.builder.store.make(Op::Ite, &[term, then, otherwise])
                }
                false => reader.builder.store.make(Op::Implies, &[term, then]),
            };
        }
        let end = parser.expect_mark(';', "';' at the end of the constraint")?;
        spend(control, WORK_OF_WORD * (1 + begin.to(end).len() as u32 / 4), begin)?;
        reader.builder.assert(term, begin.to(end));
    }
    Ok(())
}

/// A text with one word ahead.
struct Parser<'t> {
    lexer: Lexer<'t>,
    next: (Token, Span),
}

/// The other side of a comparison with a parameter.
enum Compared {
    Text(String),
    Number(f64),
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<(Token, Span), Diagnostic> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.next, next))
    }

    fn unexpected<T>(&self, expected: &str) -> Result<T, Diagnostic> {
        let (token, span) = &self.next;
        let found = match token {
            Token::End => "the text ends too early".to_string(),
            Token::Word(word) => format!("'{}' does not fit here", shorten(word)),
            _ => "this does not fit here".to_string(),
        };
        Err(Diagnostic::new(DiagnosticKind::Syntax, *span, found).with_expected(expected))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.next.0, Token::Word(next) if next == word)
    }

    fn takes_word(&mut self, word: &str) -> Result<bool, Diagnostic> {
        let is_it = self.is_word(word);
        if is_it {
            self.advance()?;
        }
        Ok(is_it)
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Diagnostic> {
        match self.takes_word(word)? {
            true => Ok(()),
            false => self.unexpected(&format!("AND, OR or {word}")),
        }
    }

    fn expect_mark(&mut self, mark: char, expected: &str) -> Result<Span, Diagnostic> {
        match self.next.0 == Token::Mark(mark) {
            true => Ok(self.advance()?.1),
            false => self.unexpected(expected),
        }
    }

    /// Terms with AND, OR, NOT and parentheses.
    fn predicate(&mut self, reader: &mut Reader) -> Result<TermId, Diagnostic> {
        let mut expression = Expression::new();
        let mut open = 0_usize;
        loop {
            // An operand is expected.
            match &self.next {
                (Token::Mark('('), span) => {
                    expression.open(*span);
                    open += 1;
                    self.advance()?;
                    continue;
                }
                (Token::Word(word), span) if word == "NOT" => {
                    expression.prefix(Logical::Not, *span);
                    self.advance()?;
                    continue;
                }
                _ => {
                    let (term, span) = self.term(reader)?;
                    expression.operand(term, span);
                }
            }
            while open > 0 && self.next.0 == Token::Mark(')') {
                let (_, span) = self.advance()?;
                expression.close(span, reader)?;
                open -= 1;
            }
            let operator = match &self.next.0 {
                Token::Word(word) if word == "AND" => Logical::And,
                Token::Word(word) if word == "OR" => Logical::Or,
                _ if open > 0 => return self.unexpected("AND, OR or ')'"),
                _ => return Ok(expression.end(reader)?.0),
            };
            let (_, span) = self.advance()?;
            expression.infix(operator, span, reader)?;
        }
    }

    /// A comparison, or a question for negative values.
    fn term(&mut self, reader: &mut Reader) -> Result<(TermId, Span), Diagnostic> {
        if let Token::Word(word) = &self.next.0
            && let wants_negative = word == "ISNEGATIVE"
            && (wants_negative || word == "ISPOSITIVE")
        {
            let (_, begin) = self.advance()?;
            let (name, span) = self.argument()?;
            let parameter = reader.find(&name, span)?;
            let term = reader.holds_of(parameter, |_, level| level.is_negative == wants_negative);
            return Ok((term, begin.to(span)));
        }
        let (Token::Parameter(name), begin) = &self.next else {
            return self.unexpected("a parameter in brackets, such as [Size]");
        };
        let parameter = reader.find(name, *begin)?;
        let begin = *begin;
        self.advance()?;
        let is_negated = self.takes_word("NOT")?;
        let (term, span) = match &self.next.0 {
            Token::Word(word) if word == "IN" => self.membership(reader, parameter)?,
            Token::Word(word) if word == "LIKE" => self.likeness(reader, parameter)?,
            Token::Relation(relation) if !is_negated => {
                let relation = *relation;
                self.advance()?;
                self.comparison(reader, parameter, relation)?
            }
            _ => return self.unexpected("a relation: =, <>, <, <=, >, >=, IN or LIKE"),
        };
        let term = if is_negated { reader.builder.not(term) } else { term };
        Ok((term, begin.to(span)))
    }

    /// A name in parentheses, with or without brackets.
    fn argument(&mut self) -> Result<(String, Span), Diagnostic> {
        self.expect_mark('(', "'(' and a parameter")?;
        let mut name = String::new();
        let mut span = self.next.1;
        while self.next.0 != Token::Mark(')') {
            let (token, place) = match &self.next.0 {
                Token::Parameter(_) | Token::Word(_) | Token::Number(_) => self.advance()?,
                _ => return self.unexpected("a parameter and ')'"),
            };
            span = span.to(place);
            if let Token::Parameter(inner) = token {
                name = inner;
            } else {
                name = self.lexer.slice(span).to_string();
            }
        }
        self.advance()?;
        Ok((name, span))
    }

    fn comparison(
        &mut self,
        reader: &mut Reader,
        left: usize,
        relation: Relation,
    ) -> Result<(TermId, Span), Diagnostic> {
        if let (Token::Parameter(name), span) = &self.next {
            let span = *span;
            let right = reader.find(name, span)?;
            self.advance()?;
            return Ok((both(reader, left, right, relation, span)?, span));
        }
        let (value, span) = self.value(reader, left)?;
        let is_about_one = matches!(relation, Relation::Equal | Relation::NotEqual);
        let orders = orders(reader, left, &value);
        if is_about_one && !orders.contains(&Ordering::Equal) {
            note_unknown_value(reader, left, span);
        }
        Ok((reader.holds_of(left, |code, _| relation.holds(orders[code])), span))
    }

    fn membership(&mut self, reader: &mut Reader, parameter: usize) -> Result<(TermId, Span), Diagnostic> {
        self.advance()?;
        self.expect_mark('{', "'{' and values with commas between them")?;
        let mut is_in = vec![false; reader.parameters[parameter].levels.len()];
        loop {
            let (value, span) = self.value(reader, parameter)?;
            let orders = orders(reader, parameter, &value);
            if !orders.contains(&Ordering::Equal) {
                note_unknown_value(reader, parameter, span);
            }
            for (is_in, order) in is_in.iter_mut().zip(orders) {
                *is_in |= order == Ordering::Equal;
            }
            if self.next.0 != Token::Mark(',') {
                break;
            }
            self.advance()?;
        }
        let end = self.expect_mark('}', "',' or '}'")?;
        Ok((reader.holds_of(parameter, |code, _| is_in[code]), end))
    }

    fn likeness(&mut self, reader: &mut Reader, parameter: usize) -> Result<(TermId, Span), Diagnostic> {
        self.advance()?;
        let (Token::Text(pattern), span) = &self.next else {
            return self.unexpected("a pattern in quotation marks, such as \"FAT*\"");
        };
        let (pattern, span) = (pattern.to_lowercase(), *span);
        let Parameter { numbers, name, .. } = &reader.parameters[parameter];
        if numbers.is_some() {
            let message = format!("'{}' has numbers, which have no likeness to a text", shorten(name));
            return Err(
                Diagnostic::new(DiagnosticKind::Sort, span, message).with_help("compare with =, < or >")
            );
        }
        self.advance()?;
        Ok((reader.holds_of(parameter, |_, level| is_like(&compared(level).to_lowercase(), &pattern)), span))
    }

    /// A text or a number, whichever the values of the parameter are.
    fn value(&mut self, reader: &Reader, parameter: usize) -> Result<(Compared, Span), Diagnostic> {
        let Parameter { numbers, name, .. } = &reader.parameters[parameter];
        let mismatch = |is, span| {
            let message = format!("'{}' is compared with {is}", shorten(name));
            let (expected, help) = match numbers {
                Some(_) => ("a number", "all its values are numbers; numbers have no quotation marks"),
                None => ("a text in quotation marks", "not all of its values are numbers, so they are texts"),
            };
            Err(Diagnostic::new(DiagnosticKind::Sort, span, message).with_expected(expected).with_help(help))
        };
        let (value, span) = match &self.next {
            (Token::Text(_), span) if numbers.is_some() => return mismatch("a text", *span),
            (Token::Number(_), span) if numbers.is_none() => return mismatch("a number", *span),
            (Token::Text(text), span) => (Compared::Text(text.to_lowercase()), *span),
            (Token::Number(number), span) => (Compared::Number(*number), *span),
            _ => return self.unexpected("a text in quotation marks, a number, or a parameter in brackets"),
        };
        self.advance()?;
        Ok((value, span))
    }
}

impl Relation {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Relation::Equal => order == Ordering::Equal,
            Relation::NotEqual => order != Ordering::Equal,
            Relation::Less => order == Ordering::Less,
            Relation::LessOrEqual => order != Ordering::Greater,
            Relation::Greater => order == Ordering::Greater,
            Relation::GreaterOrEqual => order != Ordering::Less,
        }
    }
}

/// The result of comparing each value of a parameter with another value.
fn orders(reader: &Reader, parameter: usize, value: &Compared) -> Vec<Ordering> {
    let Parameter { levels, numbers, .. } = &reader.parameters[parameter];
    match (value, numbers) {
        (Compared::Number(value), Some(numbers)) => {
            numbers.iter().map(|number| number.total_cmp(value)).collect()
        }
        (Compared::Text(text), _) => {
            levels.iter().map(|level| compared(level).to_lowercase().cmp(text)).collect()
        }
        (Compared::Number(_), None) => unreachable!("numbers are compared with numbers only"),
    }
}

/// The condition that two parameters compare in one of these ways.
fn both(
    reader: &mut Reader,
    left: usize,
    right: usize,
    relation: Relation,
    span: Span,
) -> Result<TermId, Diagnostic> {
    let (of_left, of_right) = (&reader.parameters[left], &reader.parameters[right]);
    if of_left.numbers.is_some() != of_right.numbers.is_some() {
        let message = format!(
            "'{}' and '{}' cannot be compared: the values of one are numbers, those of the other are texts",
            shorten(&of_left.name),
            shorten(&of_right.name)
        );
        return Err(Diagnostic::new(DiagnosticKind::Sort, span, message));
    }
    if of_left.levels.len().saturating_mul(of_right.levels.len()) > MAX_PAIRS {
        let message = "the two parameters have too many values to be compared";
        return Err(Diagnostic::new(DiagnosticKind::Limit, span, message));
    }
    let values: Vec<Compared> = match &of_left.numbers {
        Some(numbers) => numbers.iter().map(|&number| Compared::Number(number)).collect(),
        None => of_left.levels.iter().map(|level| Compared::Text(compared(level).to_lowercase())).collect(),
    };
    let symbol = of_left.symbol;
    let mut cases = Vec::new();
    for (code, value) in values.iter().enumerate() {
        let orders = orders(reader, right, value);
        let fits = reader.holds_of(right, |other, _| relation.holds(orders[other].reverse()));
        let is_code = reader.is_code(symbol, code);
        cases.push(reader.builder.store.make(Op::And, &[is_code, fits]));
    }
    Ok(reader.builder.any_of(&cases))
}

fn note_unknown_value(reader: &mut Reader, parameter: usize, span: Span) {
    let name = shorten(&reader.parameters[parameter].name);
    reader.builder.note(span, format!("'{name}' has no such value"));
}
