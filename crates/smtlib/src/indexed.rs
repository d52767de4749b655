//! Identifiers with indices: `(_ extract 3 0)`, `(_ bv5 8)`, `(_ +oo 8 24)`, `(_ is cons)`.

use sundry_term::{BitVector, DatatypeOp, Float, Op, TermId, Text, TheoryName, Value};

use crate::cursor::{parse_numeral, syntax, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::identifiers::{Head, unknown_name};
use crate::lexer::{Token, shorten};
use crate::operators::{indexed_names, indexed_operator};
use crate::reader::{Reader, sort_error, sort_mismatch, unsupported};
use crate::scope::{Binding, MAX_LITERAL_BITS};
use crate::sorts::float_format;
use crate::source::Span;
use crate::terms::SpannedTerm;
use crate::theories::unsupported_operator;

/// Bit-vectors wider than this take much more memory than the characters in which they may be written.
const WIDE: u32 = 4096;

/// An identifier with indices, as written.
pub(crate) struct Indexed<'a> {
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

impl<'a> Reader<'a, '_> {
    /// Reads the rest of `(_ name index ...)`.
    pub(crate) fn indexed(&mut self, open: Span) -> Result<(Indexed<'a>, Span), Diagnostic> {
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
                let text = text
                    .ok_or_else(|| syntax(digits_span, "this is not a character: the last one is #x2FFFF"))?;
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

    pub(crate) fn indexed_head(&mut self, indexed: &Indexed<'_>, span: Span) -> Result<Head, Diagnostic> {
        let (name, theories) = (indexed.name, self.scope.theories);
        if self.reads(TheoryName::Datatypes) && name == "is" {
            return self.tester(indexed, span);
        }
        let Some(operator) = indexed_operator(theories, name) else {
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
        operator.with_indices(&numbers).map(Head::Operator).ok_or_else(|| {
            let arity = operator.indices().count();
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
    pub(crate) fn constructor_tester(&mut self, name: &str, span: Span) -> Result<Head, Diagnostic> {
        match self.binding(name, span)? {
            Binding::Constructor(constructor) => {
                Ok(Head::Operator(Op::Datatype(DatatypeOp::Test(constructor))))
            }
            _ => Err(sort_mismatch(span, format!("'{}' is no constructor", shorten(name)))),
        }
    }
}
