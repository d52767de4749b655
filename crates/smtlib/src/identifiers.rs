//! What a symbol, an indexed or a qualified identifier stands for, alone or in front of arguments.

use sundry_term::{
    BitVector, ConstructorId, DatatypeOp, Float, MAX_WIDTH, Op, SequenceOp, SortError, SortId, TermId, Text,
    TheoryName, TheorySet, Value,
};

use crate::cursor::{parse_numeral, syntax, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, shorten, unescape_string};
use crate::names::NameId;
use crate::operators::{indexed_names, indexed_operator, indices_of, is_indexed, near_operators};
use crate::reader::{Reader, sort_error, sort_mismatch, unsupported};
use crate::scope::{Binding, MAX_LITERAL_BITS};
use crate::sorts::float_format;
use crate::source::Span;
use crate::terms::SpannedTerm;
use crate::theories::{near_name, unsupported_operator};

/// Bit-vectors wider than this take much more memory than the few characters in which they may be written.
const WIDE: u32 = 4096;

/// What stands in front of arguments.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Head {
    /// An operator of a theory or a declared function.
    Operator(Op),
    /// A definition with parameters.
    Macro(usize),
    /// A constructor of a datatype, whose sort the fields tell.
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
                let binding = self.binding(name, span)?;
                self.constant(name, binding, span)
            }
            Token::Binary(_) | Token::Hexadecimal(_) if !self.reads(TheoryName::BitVectors) => {
                Err(unsupported(span, &token.describe(), TheoryName::BitVectors))
            }
            Token::Binary(digits) => self.literal(digits, 1, BitVector::from_binary, span),
            Token::Hexadecimal(digits) => self.literal(digits, 4, BitVector::from_hexadecimal, span),
            Token::Numeral(digits) => {
                let number = self.number(digits);
                self.note_integer(number);
                Ok(number)
            }
            Token::Decimal(digits) if self.reads(TheoryName::Reals) => Ok(self.store.decimal(digits)),
            Token::String(raw) if self.reads(TheoryName::Strings) => self.string(raw, span),
            Token::Decimal(_) => Err(unsupported(span, &token.describe(), TheoryName::Reals)),
            Token::String(_) => Err(unsupported(span, "a string literal", TheoryName::Strings)),
            _ => Err(unexpected(token, span, "a term")),
        }
    }

    /// The literal of a numeral.
    fn number(&mut self, digits: &str) -> TermId {
        if self.scope.numerals_are_real && self.reads(TheoryName::Reals) {
            self.store.decimal(digits)
        } else {
            self.store.numeral(digits)
        }
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

    /// What a symbol stands for here.
    fn binding(&mut self, name: &str, span: Span) -> Result<Binding, Diagnostic> {
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
        let value = parse(digits).ok_or_else(|| syntax(span, "this is no bit-vector literal"))?;
        Ok(self.store.bit_vector(value))
    }

    /// What a symbol in front of arguments stands for.
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

    // ---- indexed identifiers

    /// Reads the rest of `(_ name index ...)`.
    fn indexed(&mut self, open: Span) -> Result<(Indexed<'a>, Span), Diagnostic> {
        let (name, name_span) = self.cursor.expect_symbol("the name of an indexed identifier")?;
        let mut indices = Vec::new();
        loop {
            let (token, span) = self.cursor.next()?;
            match token {
                Token::Close if indices.is_empty() => return Err(unexpected(token, span, "an index")),
                Token::Close => return Ok((Indexed { name, name_span, indices }, open.to(span))),
                Token::Numeral(_) | Token::Symbol(_) | Token::QuotedSymbol(_) | Token::Hexadecimal(_) => {
                    indices.push((token, span));
                }
                _ => return Err(unexpected(token, span, "an index: a numeral or a symbol")),
            }
        }
    }

    /// Reads the rest of `(_ name index ...)` that is a whole term.
    pub(crate) fn indexed_term(&mut self, open: Span) -> Result<SpannedTerm, Diagnostic> {
        if self.model_terms.is_some()
            && matches!(self.cursor.peek()?.0, Token::Symbol("real_algebraic_number"))
        {
            return self.algebraic_number(open);
        }
        let (indexed, span) = self.indexed(open)?;
        if let Some(digits) = indexed.literal_digits()
            && self.reads(TheoryName::BitVectors)
        {
            return Ok(SpannedTerm { term: self.decimal_literal(digits, &indexed, span)?, span });
        }
        if let (Some(model_terms), "as-array") = (self.model_terms.as_mut(), indexed.name) {
            let [(Token::Symbol(name) | Token::QuotedSymbol(name), name_span)] = indexed.indices[..] else {
                return Err(syntax(span, "'as-array' takes the name of a function"));
            };
            let id = self.scope.name(name);
            let binding = self.scope.symbol(id);
            let term = model_terms.as_array(self.store, name, binding, name_span)?;
            return Ok(SpannedTerm { term, span });
        }
        if let Some(term) = self.indexed_constant(&indexed, span)? {
            return Ok(SpannedTerm { term, span });
        }
        self.indexed_head(&indexed, span)?;
        let message = format!("'{}' is a function and needs arguments", indexed.name);
        Err(sort_mismatch(span, message).with_expected(format!("((_ {} ...) ...)", indexed.name)))
    }

    /// The literal that an indexed identifier stands for, if it is one: a special floating-point value, or a
    /// string of one character.
    fn indexed_constant(&mut self, indexed: &Indexed<'_>, span: Span) -> Result<Option<TermId>, Diagnostic> {
        let special = match (indexed.name, &indexed.indices[..]) {
            ("+oo" | "-oo" | "+zero" | "-zero" | "NaN", _) if self.reads(TheoryName::FloatingPoint) => {
                indexed.name
            }
            ("char" | "Char", &[(Token::Hexadecimal(digits), digits_span)])
                if self.reads(TheoryName::Strings) =>
            {
                let text = u32::from_str_radix(digits, 16).ok().and_then(|code| Text::new(&[code]));
                let text =
                    text.ok_or_else(|| syntax(digits_span, "this is no character: the last is #x2FFFF"))?;
                return Ok(Some(self.store.constant(Value::String(text))));
            }
            _ => return Ok(None),
        };
        let [(Token::Numeral(exponent_bits), first), (Token::Numeral(significand_bits), second)] =
            indexed.indices[..]
        else {
            let message =
                format!("'{special}' takes two indices, the numbers of exponent and significand bits");
            return Err(syntax(span, message));
        };
        let exponent_bits = parse_numeral(exponent_bits, first)?;
        let format = float_format(exponent_bits, parse_numeral(significand_bits, second)?, span)?;
        let value = match special {
            "+oo" => Float::infinity(format, false),
            "-oo" => Float::infinity(format, true),
            "+zero" => Float::zero(format, false),
            "-zero" => Float::zero(format, true),
            _ => Float::nan(format),
        };
        Ok(Some(self.store.constant(Value::Float(value.into()))))
    }

    fn decimal_literal(
        &mut self,
        digits: &str,
        indexed: &Indexed<'_>,
        span: Span,
    ) -> Result<TermId, Diagnostic> {
        let [(Token::Numeral(width), width_span)] = indexed.indices[..] else {
            let message = format!("'{}' takes one index, the width in bits", shorten(indexed.name));
            return Err(syntax(span, message));
        };
        let width = parse_numeral(width, width_span)?;
        self.store.bit_vec_sort(width).map_err(|error| sort_error(width_span, &error))?;
        if width > WIDE {
            self.scope.literal_bits += u64::from(width);
            if self.scope.literal_bits > MAX_LITERAL_BITS {
                let message = format!("more than {MAX_LITERAL_BITS} bits in wide literals");
                return Err(Diagnostic::new(DiagnosticKind::Limit, span, message));
            }
        }
        let value = BitVector::from_decimal(width, digits).ok_or_else(|| {
            let message = format!("the number {} does not fit {width} bits", shorten(digits));
            sort_mismatch(indexed.name_span, message)
        })?;
        Ok(self.store.bit_vector(value))
    }

    fn indexed_head(&mut self, indexed: &Indexed<'_>, span: Span) -> Result<Head, Diagnostic> {
        let (name, theories) = (indexed.name, self.scope.theories);
        if self.reads(TheoryName::Datatypes) && name == "is" {
            return self.tester(indexed, span);
        }
        let Some(arity) = indices_of(theories, name) else {
            return Err(match unsupported_operator(self.scope.theories, name) {
                Some(theory) => unsupported(indexed.name_span, &format!("the operator '{name}'"), theory),
                None => unknown_name(indexed.name_span, "indexed operator", name, indexed_names(theories)),
            });
        };
        let mut numbers = Vec::new();
        for &(token, index_span) in &indexed.indices {
            let Token::Numeral(digits) = token else {
                return Err(unexpected(token, index_span, "a numeral"));
            };
            numbers.push(parse_numeral(digits, index_span)?);
        }
        if let ("to_fp" | "to_fp_unsigned", &[exponent_bits, significand_bits]) = (name, &numbers[..]) {
            float_format(exponent_bits, significand_bits, span)?;
        }
        indexed_operator(theories, name, &numbers).map(Head::Operator).ok_or_else(|| {
            let plural = if arity == 1 { "index" } else { "indices" };
            let found = numbers.len();
            sort_mismatch(span, format!("'{name}' takes {arity} {plural}, found {found}"))
        })
    }

    /// The tester that `(_ is constructor)` stands for.
    fn tester(&mut self, indexed: &Indexed<'_>, span: Span) -> Result<Head, Diagnostic> {
        let [(Token::Symbol(name) | Token::QuotedSymbol(name), name_span)] = indexed.indices[..] else {
            return Err(syntax(span, "'is' takes one index, the name of a constructor"));
        };
        self.constructor_tester(name, name_span)
    }

    /// The tester of the constructor with this name.
    fn constructor_tester(&mut self, name: &str, span: Span) -> Result<Head, Diagnostic> {
        match self.binding(name, span)? {
            Binding::Constructor(constructor) => {
                Ok(Head::Operator(Op::Datatype(DatatypeOp::Test(constructor))))
            }
            _ => Err(sort_mismatch(span, format!("'{}' is no constructor", shorten(name)))),
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

    /// The id of a name that is to be bound and must be free.
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
            Some(_) => format!("'{}' is declared already", shorten(name)),
        };
        Err(Diagnostic::new(DiagnosticKind::Redeclared, span, message))
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

/// An identifier with indices, as written.
struct Indexed<'a> {
    name: &'a str,
    name_span: Span,
    indices: Vec<(Token<'a>, Span)>,
}

impl<'a> Indexed<'a> {
    /// The digits of `bvN`.
    fn literal_digits(&self) -> Option<&'a str> {
        let digits = self.name.strip_prefix("bv")?;
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
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

fn unknown_name<'a>(
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
