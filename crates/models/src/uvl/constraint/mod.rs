//! Constraints across the tree: logic over features, and comparisons of the values of their attributes.

mod meaning;

use sundry_smtlib::{Diagnostic, DiagnosticKind, Span, spend};
use sundry_term::{Control, TermId};

use crate::WORK_OF_WORD;
use crate::builder::Builder;
use crate::expression::{Expression, Operator};
use crate::uvl::attributes::Attribute;
use crate::uvl::lexer::{Token, Word, describe};
use crate::uvl::number::{Comparison, Number};
use crate::uvl::tree::Tree;
use meaning::{Meaning, too_large};

/// The operators, the loosest first.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Symbol {
    Equivalent,
    Implies,
    Or,
    And,
    Not,
    Compare(Comparison),
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
}

impl Operator for Symbol {
    fn binding(self) -> u8 {
        match self {
            Symbol::Equivalent => 1,
            Symbol::Implies => 2,
            Symbol::Or => 3,
            Symbol::And => 4,
            Symbol::Not => 5,
            Symbol::Compare(_) => 6,
            Symbol::Add | Symbol::Subtract => 7,
            Symbol::Multiply | Symbol::Divide => 8,
            Symbol::Negate => 9,
        }
    }

    fn is_prefix(self) -> bool {
        matches!(self, Symbol::Not | Symbol::Negate)
    }
}

/// The kind of a part of a constraint.
#[derive(Clone)]
enum Operand {
    Bool(TermId),
    Number(Number),
    /// A sum and how many values were added.
    Average(Number, Number),
    /// A text where a condition holds, and else the empty one.
    Text(Option<TermId>, String),
}

impl Operand {
    fn what(&self) -> &'static str {
        match self {
            Operand::Bool(_) => "true or false",
            Operand::Number(_) => "a number",
            Operand::Average(..) => "an average",
            Operand::Text(..) => "a text",
        }
    }
}

/// Reads constraints and asserts them.
pub(super) fn read(
    builder: &mut Builder,
    tree: &Tree,
    selected: &[TermId],
    constraints: &[Vec<Word>],
    control: &Control,
) -> Result<(), Diagnostic> {
    let mut meaning = Meaning { builder, tree, selected };
    for words in constraints {
        spend(control, WORK_OF_WORD * words.len() as u32, words[0].1)?;
        let (operand, span) = Parser { words, position: 0 }.constraint(&mut meaning)?;
        match operand {
            Operand::Bool(term) => meaning.builder.assert(term, span),
            other => {
                let message = format!("the constraint is {}", other.what());
                return Err(Diagnostic::new(DiagnosticKind::Sort, span, message)
                    .with_expected("something that is true or false"));
            }
        }
    }
    Ok(())
}

/// The words of one constraint.
struct Parser<'w> {
    words: &'w [Word],
    position: usize,
}

impl Parser<'_> {
    fn token(&self) -> Option<&Token> {
        self.words.get(self.position).map(|(token, _)| token)
    }

    fn span(&self) -> Span {
        let last = self.words.len() - 1;
        self.words[self.position.min(last)].1
    }

    fn takes(&mut self, mark: &str) -> bool {
        let is_it = matches!(self.token(), Some(Token::Mark(it)) if *it == mark);
        self.position += usize::from(is_it);
        is_it
    }

    fn unexpected<T>(&self, expected: &str) -> Result<T, Diagnostic> {
        let message = match self.token() {
            Some(token) => format!("{} does not belong here", describe(token)),
            None => "the constraint ends too early".to_string(),
        };
        Err(Diagnostic::new(DiagnosticKind::Syntax, self.span(), message).with_expected(expected))
    }

    /// The whole of it.
    fn constraint(mut self, meaning: &mut Meaning<'_>) -> Result<(Operand, Span), Diagnostic> {
        let mut expression = Expression::new();
        // Whether an implication occurred, for each open parenthesis and outside of all.
        let mut implications = vec![false];
        loop {
            let span = self.span();
            if self.takes("(") {
                expression.open(span);
                implications.push(false);
                continue;
            }
            if self.takes("!") {
                expression.prefix(Symbol::Not, span);
                continue;
            }
            if self.takes("-") {
                expression.prefix(Symbol::Negate, span);
                continue;
            }
            let operand = self.operand(meaning)?;
            expression.operand(operand, span.to(self.words[self.position - 1].1));
            while implications.len() > 1 && matches!(self.token(), Some(Token::Mark(")"))) {
                expression.close(self.span(), meaning)?;
                implications.pop();
                self.position += 1;
            }
            let Some(token) = self.token() else { return expression.end(meaning) };
            let Some(symbol) = infix(token) else { return self.unexpected("an operator") };
            let has_implication = implications.last_mut().expect("there is one outside of parentheses");
            match symbol {
                Symbol::Implies if *has_implication => {
                    let message = "tools read a chain of implications differently";
                    return Err(Diagnostic::new(DiagnosticKind::Unsupported, self.span(), message)
                        .with_help("put one of them in parentheses"));
                }
                Symbol::Implies => *has_implication = true,
                Symbol::Equivalent => *has_implication = false,
                _ => {}
            }
            expression.infix(symbol, self.span(), meaning)?;
            self.position += 1;
        }
    }

    /// A literal, a feature, an attribute, or a function of attributes.
    fn operand(&mut self, meaning: &mut Meaning<'_>) -> Result<Operand, Diagnostic> {
        let span = self.span();
        let operand = match self.token() {
            Some(Token::Number(digits)) => {
                let Some(number) = Number::decimal(digits) else { return Err(too_large(span)) };
                Operand::Number(number)
            }
            Some(Token::Text(text)) => Operand::Text(None, text.clone()),
            Some(Token::Word(word)) => {
                let is_call = matches!(self.words.get(self.position + 1), Some((Token::Mark("("), _)));
                match word.as_str() {
                    "true" | "false" => Operand::Bool(meaning.builder.store.bool(word == "true")),
                    "sum" | "avg" | "len" | "floor" | "ceil" if is_call => {
                        let word = word.clone();
                        return self.function(&word, meaning);
                    }
                    _ => return self.reference(meaning),
                }
            }
            Some(Token::Quoted(_)) => return self.reference(meaning),
            _ => return self.unexpected("a feature, an attribute or a number"),
        };
        self.position += 1;
        Ok(operand)
    }

    /// Names with points between them.
    fn path(&mut self) -> Result<(Vec<String>, Span), Diagnostic> {
        let mut names = Vec::new();
        let mut span = self.span();
        loop {
            match self.token() {
                Some(Token::Word(name) | Token::Quoted(name)) => names.push(name.clone()),
                _ => return self.unexpected("a name"),
            }
            span = span.to(self.span());
            self.position += 1;
            if !self.takes(".") {
                return Ok((names, span));
            }
        }
    }

    fn reference(&mut self, meaning: &mut Meaning<'_>) -> Result<Operand, Diagnostic> {
        let (names, span) = self.path()?;
        let feature = meaning.feature(&names[0], span)?;
        let selected = meaning.selected[feature];
        if names.len() == 1 {
            return Ok(Operand::Bool(selected));
        }
        Ok(match meaning.attribute(feature, &names[1..].join("."), span)? {
            Attribute::Bool(false) => Operand::Bool(meaning.builder.store.bool(false)),
            Attribute::Bool(true) => Operand::Bool(selected),
            Attribute::Number(number) => Operand::Number(number.given(selected, &mut meaning.builder.store)),
            Attribute::Text(text) => Operand::Text(Some(selected), text),
            Attribute::List => {
                let message = "the attribute is a list, which constraints cannot speak of";
                return Err(Diagnostic::new(DiagnosticKind::Unsupported, span, message));
            }
        })
    }

    fn function(&mut self, name: &str, meaning: &mut Meaning<'_>) -> Result<Operand, Diagnostic> {
        self.position += 1;
        self.takes("(");
        let (first, place) = self.path()?;
        let second = if self.takes(",") { Some(self.path()?) } else { None };
        if !self.takes(")") {
            return self.unexpected("')'");
        }
        match (name, second) {
            ("sum" | "avg", second) => {
                let (below, attribute, span) = meaning.scope(first, place, second)?;
                let (sum, count) = meaning.sum(below, &attribute, span)?;
                Ok(if name == "sum" { Operand::Number(sum) } else { Operand::Average(sum, count) })
            }
            (_, Some((_, span))) => {
                let message = format!("'{name}' has one argument");
                Err(Diagnostic::new(DiagnosticKind::Syntax, span, message))
            }
            (_, None) => meaning.of_attribute(name, &first, place),
        }
    }
}

fn infix(token: &Token) -> Option<Symbol> {
    let Token::Mark(mark) = token else { return None };
    Some(match *mark {
        "<=>" => Symbol::Equivalent,
        "=>" => Symbol::Implies,
        "|" => Symbol::Or,
        "&" => Symbol::And,
        "==" => Symbol::Compare(Comparison::Equal),
        "!=" => Symbol::Compare(Comparison::NotEqual),
        "<" => Symbol::Compare(Comparison::Less),
        "<=" => Symbol::Compare(Comparison::LessOrEqual),
        ">" => Symbol::Compare(Comparison::Greater),
        ">=" => Symbol::Compare(Comparison::GreaterOrEqual),
        "+" => Symbol::Add,
        "-" => Symbol::Subtract,
        "*" => Symbol::Multiply,
        "/" => Symbol::Divide,
        _ => return None,
    })
}
