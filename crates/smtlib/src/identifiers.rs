//! Symbols and qualified identifiers, alone or in front of arguments, and the messages about unknown names.
//! `indexed.rs` reads identifiers with indices.

use sundry_term::{
    ArithmeticOp, BitVector, ConstructorId, DatatypeOp, MAX_WIDTH, Op, SequenceOp, SortError, SortId, TermId,
    Text, TheoryName, TheorySet, Value,
};

use crate::cursor::{syntax, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, shorten, unescape_string};
use crate::names::NameId;
use crate::operators::{is_indexed, near_operators};
use crate::reader::{Reader, sort_error, sort_mismatch, unsupported};
use crate::scope::Binding;
use crate::source::Span;
use crate::terms::SpannedTerm;
use crate::theories::{near_name, unsupported_operator};

/// The meaning of the identifier in front of arguments.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Head {
    /// An operator of a theory or a declared function.
    Operator(Op),
    /// A definition with parameters.
    Macro(usize),
    /// A constructor of a datatype; its sort follows from the fields.
    Constructor(ConstructorId),
    /// A repetition of a regular expression with the numbers as arguments, as it was once written.
    FormerLoop,
    /// Equality of two truth values, as some solvers call it.
    Iff,
    /// Something that takes no arguments.
    Constant(TermId),
}

impl<'a> Reader<'a, '_> {
    /// The term of a token that is a whole term.
    pub(crate) fn atom(&mut self, token: Token<'a>, span: Span) -> Result<TermId, Diagnostic> {
        match token {
            Token::Symbol(name) | Token::QuotedSymbol(name) => {
                if let Some(number) = self.negative_number(token) {
                    return Ok(number);
                }
                let binding = self.binding(name, span)?;
                self.constant(name, binding, span)
            }
            Token::Binary(_) | Token::Hexadecimal(_) if !self.reads(TheoryName::BitVectors) => {
                Err(unsupported(span, &token.describe(), TheoryName::BitVectors))
            }
            Token::Binary(digits) => self.literal(digits, 1, BitVector::from_binary, span),
            Token::Hexadecimal(digits) => self.literal(digits, 4, BitVector::from_hexadecimal, span),
            Token::Numeral(digits) => Ok(self.number(digits)),
            Token::Decimal(digits) if self.reads_numbers_of_reals() => Ok(self.store.decimal(digits)),
            Token::String(raw) if self.reads(TheoryName::Strings) => self.string(raw, span),
            Token::Decimal(_) => Err(unsupported(span, &token.describe(), TheoryName::Reals)),
            Token::String(_) => Err(unsupported(span, "a string literal", TheoryName::Strings)),
            _ => Err(unexpected(token, span, "a term")),
        }
    }

    /// The literal of a numeral.
    fn number(&mut self, digits: &str) -> TermId {
        if self.scope.numerals_are_real && self.reads_numbers_of_reals() {
            return self.store.decimal(digits);
        }
        let number = self.store.numeral(digits);
        self.note_integer(number);
        number
    }

    /// The number that a symbol such as `-2` or `-0.5` means where nobody has declared the symbol. The standard writes `(- 2)`, but other solvers
    /// read this too.
    fn negative_number(&mut self, token: Token<'a>) -> Option<TermId> {
        let Token::Symbol(name) = token else { return None };
        let digits = name.strip_prefix('-')?;
        let (whole, fraction) = match digits.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (digits, None),
        };
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !are_digits(whole) || !fraction.is_none_or(are_digits) {
            return None;
        }
        let id = self.scope.name(name);
        if self.scope.symbol(id).is_some() {
            return None;
        }
        let number = match fraction {
            None => self.number(digits),
            Some(_) if self.reads_numbers_of_reals() => self.store.decimal(digits),
            _ => return None,
        };
        Some(self.store.make(Op::Arithmetic(ArithmeticOp::Sub), &[number]))
    }

    fn string(&mut self, raw: &str, span: Span) -> Result<TermId, Diagnostic> {
        let text = Text::from_literal(&unescape_string(raw)).ok_or_else(|| {
            syntax(
                span,
                "this string has a character above U+2FFFF, which the theory of strings does not know",
            )
        })?;
        Ok(self.store.constant(Value::String(text)))
    }

    /// The meaning of a symbol here.
    pub(crate) fn binding(&mut self, name: &str, span: Span) -> Result<Binding, Diagnostic> {
        let id = self.scope.name(name);
        self.scope.symbol(id).ok_or_else(|| self.unknown_symbol(name, span))
    }

    /// The term of a symbol that stands alone.
    fn constant(&mut self, name: &str, binding: Binding, span: Span) -> Result<TermId, Diagnostic> {
        match binding {
            Binding::Term(term) => Ok(term),
            Binding::Constructor(constructor) if self.store.constructor(constructor).fields.is_empty() => {
                self.construct(constructor, &[]).map_err(|error| sort_error(span, &error))
            }
            Binding::Function(_)
            | Binding::Macro(_)
            | Binding::Operator(_)
            | Binding::Constructor(_)
            | Binding::Selector(..) => {
                let message = format!("'{}' is a function and needs arguments", shorten(name));
                Err(sort_mismatch(span, message).with_expected(format!("({} ...)", shorten(name))))
            }
        }
    }

    fn literal(
        &mut self,
        digits: &str,
        bits_per_digit: usize,
        parse: fn(&str) -> Option<BitVector>,
        span: Span,
    ) -> Result<TermId, Diagnostic> {
        let width = digits.len() * bits_per_digit;
        if width > MAX_WIDTH as usize {
            return Err(sort_error(span, &SortError::TooWide { width: width as u64 }));
        }
        let value = parse(digits).ok_or_else(|| syntax(span, "this is not a bit-vector literal"))?;
        Ok(self.store.bit_vector(value))
    }

    /// The meaning of a symbol in front of arguments.
    pub(crate) fn head(&mut self, name: &str, span: Span) -> Result<Head, Diagnostic> {
        let id = self.scope.name(name);
        let binding = match self.scope.symbol(id) {
            Some(binding) => binding,
            None if name == "re.loop" && self.reads(TheoryName::Strings) => return Ok(Head::FormerLoop),
            None if name == "iff" => return Ok(Head::Iff),
            // Testers were once written so.
            None if self.reads(TheoryName::Datatypes) && name.starts_with("is-") => {
                return self.constructor_tester(&name["is-".len()..], span);
            }
            None => return Err(self.unknown_symbol(name, span)),
        };
        Ok(match binding {
            Binding::Constructor(constructor) => Head::Constructor(constructor),
            Binding::Selector(constructor, field) => {
                Head::Operator(Op::Datatype(DatatypeOp::Select { constructor, field }))
            }
            Binding::Term(term) => Head::Constant(term),
            Binding::Function(symbol) => Head::Operator(Op::Apply(symbol)),
            Binding::Macro(index) => Head::Macro(index),
            Binding::Operator(op) => Head::Operator(op),
        })
    }

    /// Reads an identifier between parentheses in front of arguments: `(_ f i)` or `(as f S)`.
    pub(crate) fn compound_head(&mut self, open: Span) -> Result<(Head, Span), Diagnostic> {
        let (token, span) = self.cursor.next()?;
        match token {
            Token::Symbol("_") => {
                let (indexed, span) = self.indexed(open)?;
                Ok((self.indexed_head(&indexed, span)?, span))
            }
            Token::Symbol("as") => self.qualified_head(open),
            _ => Err(unexpected(token, span, "'_' or 'as'")
                .with_help("a term cannot stand in front of arguments, only a function symbol can")),
        }
    }

    // ---- qualified identifiers

    /// Reads the rest of `(as f S)` in front of arguments.
    fn qualified_head(&mut self, open: Span) -> Result<(Head, Span), Diagnostic> {
        let (token, span) = self.cursor.next()?;
        if token == Token::Open {
            return Err(unsupported(span, "an indexed identifier with a sort", "qualified identifiers"));
        }
        let (Token::Symbol(name) | Token::QuotedSymbol(name)) = token else {
            return Err(unexpected(token, span, "an identifier"));
        };
        let sort = self.sort()?;
        let whole = open.to(self.cursor.expect_close("the identifier")?);
        if name == "const" && self.reads(TheoryName::Arrays) {
            return Ok((Head::Operator(Op::ConstArray(sort)), whole));
        }
        let head = self.head(name, span)?;
        let result = match head {
            Head::Operator(Op::Apply(symbol)) => self.store.symbol(symbol).result,
            Head::Macro(index) => self.scope.macros[index].sort,
            Head::Constant(term) => self.store.sort_of(term),
            Head::Constructor(constructor) => {
                return Ok((
                    Head::Operator(Op::Datatype(DatatypeOp::Construct { constructor, sort })),
                    whole,
                ));
            }
            Head::Operator(_) | Head::FormerLoop | Head::Iff => sort,
        };
        self.check_qualification(name, whole, result, sort)?;
        Ok((head, whole))
    }

    /// Reads the rest of `(as f S)` that is a whole term.
    pub(crate) fn qualified_term(&mut self, open: Span) -> Result<SpannedTerm, Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("an identifier")?;
        let sort = self.sort()?;
        let whole = open.to(self.cursor.expect_close("the identifier")?);
        if name == "seq.empty" && self.reads(TheoryName::Sequences) {
            let op = Op::Sequence(SequenceOp::Empty(sort));
            let term = self.store.term(op, &[]).map_err(|error| sort_error(whole, &error))?;
            return Ok(SpannedTerm { term, span: whole });
        }
        let id = self.scope.name(name);
        if let (None, Some(model_terms)) = (self.scope.symbol(id), self.model_terms.as_mut()) {
            let term = model_terms.element(self.store, name, sort, whole)?;
            return Ok(SpannedTerm { term, span: whole });
        }
        if name == "const" {
            return Err(syntax(whole, "'const' needs the element that the array holds everywhere")
                .with_expected("((as const S) element)"));
        }
        let binding = self.binding(name, span)?;
        if let Binding::Constructor(constructor) = binding {
            let op = Op::Datatype(DatatypeOp::Construct { constructor, sort });
            let term = self.store.term(op, &[]).map_err(|error| sort_error(whole, &error))?;
            return Ok(SpannedTerm { term, span: whole });
        }
        let term = self.constant(name, binding, span)?;
        self.check_qualification(name, whole, self.store.sort_of(term), sort)?;
        Ok(SpannedTerm { term, span: whole })
    }

    fn check_qualification(
        &self,
        name: &str,
        span: Span,
        found: SortId,
        stated: SortId,
    ) -> Result<(), Diagnostic> {
        if found == stated {
            return Ok(());
        }
        let (found, stated) = (self.show_sort(found), self.show_sort(stated));
        Err(sort_mismatch(span, format!("'{}' has sort {found}, not {stated}", shorten(name))))
    }

    // ---- names

    /// The id of a name that will be bound and must be free.
    pub(crate) fn unbound_name(&mut self, name: &str, span: Span) -> Result<NameId, Diagnostic> {
        let id = self.scope.name(name);
        let message = match self.scope.symbol(id) {
            None => return Ok(id),
            // Later additions to the standard, and names that are free in logics without the theory.
            Some(Binding::Operator(op))
                if is_recent(op)
                    || !TheorySet::DECIDED.contains(op.theory())
                    || !op.is_common()
                    || op.name() != name =>
            {
                return Ok(id);
            }
            Some(Binding::Operator(_)) => {
                format!("'{name}' is an operator of a theory and cannot be declared")
            }
            Some(_) if matches!(name, "true" | "false") => format!("'{name}' cannot be declared"),
            Some(_) => {
                let message = format!("'{}' is declared already", shorten(name));
                return Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message));
            }
        };
        Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message).with_help("choose another name"))
    }

    fn unknown_symbol(&self, name: &str, span: Span) -> Diagnostic {
        if name == "seq.empty" && self.reads(TheoryName::Sequences) {
            return syntax(span, "'seq.empty' needs its sort").with_expected("(as seq.empty (Seq ...))");
        }
        if let Some(theory) = unsupported_operator(self.scope.theories, name) {
            return unsupported(span, &format!("the operator '{name}'"), theory);
        }
        if is_indexed(name) {
            return syntax(span, format!("'{name}' needs an index")).with_expected(format!("(_ {name} ...)"));
        }
        if crate::commands::is_command(name) {
            let message = format!("the command '{name}' cannot stand inside a term");
            return syntax(span, message).with_help("a ')' is missing further up");
        }
        unknown_name(span, "symbol", name, self.scope.bound_names().chain(near_operators()))
    }
}

/// Operators that version 2.7 of the standard has added.
fn is_recent(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        BvRedAnd | BvRedOr | BvNego | BvUaddo | BvSaddo | BvUmulo | BvSmulo | BvUsubo | BvSsubo | BvSdivo
    )
}

pub(crate) fn unknown_name<'a>(
    span: Span,
    what: &str,
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let message = format!("unknown {what} '{}'", shorten(name));
    let diagnostic = Diagnostic::new(DiagnosticKind::Unknown, span, message);
    match near_name(name, candidates) {
        Some(near) => diagnostic.with_help(format!("did you mean '{near}'?")),
        None => diagnostic,
    }
}
