//! Tokens with one token of look-ahead, and the small readings that every parser here needs: required tokens, and
//! s-expressions that are skipped or kept as text.

use sundry_term::Control;

use crate::diagnostic::{Diagnostic, DiagnosticKind, spend};
use crate::lexer::{Lexer, Token, shorten, unescape_string};
use crate::source::Span;

/// A token and its place.
pub(crate) type Spanned<'a> = (Token<'a>, Span);

/// The work of reading a token and making its term, in the units of [`Control::spend`].
const WORK_OF_TOKEN: u32 = 16;

pub(crate) struct Cursor<'a> {
    text: &'a str,
    control: &'a Control,
    lexer: Lexer<'a>,
    peeked: Option<Spanned<'a>>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, offset: usize, control: &'a Control) -> Self {
        Cursor { text, control, lexer: Lexer::new(text, offset), peeked: None }
    }

    /// The offset after the last token taken; blanks in front of the next token may follow it.
    pub(crate) fn offset(&self) -> usize {
        self.peeked.map_or(self.lexer.offset(), |(_, span)| span.start)
    }

    /// Continues at another offset.
    pub(crate) fn restart(&mut self, offset: usize) {
        self.lexer = Lexer::new(self.text, offset);
        self.peeked = None;
    }

    /// The text of a span.
    pub(crate) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.range()]
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Result<Spanned<'a>, Diagnostic> {
        match self.peeked.take() {
            Some(spanned) => Ok(spanned),
            None => self.read(),
        }
    }

    /// Reads a token that nobody has looked at.
    fn read(&mut self) -> Result<Spanned<'a>, Diagnostic> {
        let spanned = self.lexer.next_token()?;
        self.spend(WORK_OF_TOKEN + (spanned.1.len() / 8) as u32, spanned.1)?;
        Ok(spanned)
    }

    /// Counts work that was done for the text at a place.
    pub(crate) fn spend(&self, work: u32, span: Span) -> Result<(), Diagnostic> {
        spend(self.control, work, span)
    }

    pub(crate) fn peek(&mut self) -> Result<Spanned<'a>, Diagnostic> {
        if let Some(spanned) = self.peeked {
            return Ok(spanned);
        }
        let spanned = self.read()?;
        self.peeked = Some(spanned);
        Ok(spanned)
    }

    pub(crate) fn expect_open(&mut self, what: &str) -> Result<Span, Diagnostic> {
        match self.next()? {
            (Token::Open, span) => Ok(span),
            (token, span) => Err(unexpected(token, span, &format!("'(' of {what}"))),
        }
    }

    pub(crate) fn expect_close(&mut self, what: &str) -> Result<Span, Diagnostic> {
        match self.next()? {
            (Token::Close, span) => Ok(span),
            (token, span) => Err(unexpected(token, span, &format!("')' at the end of {what}"))),
        }
    }

    /// A symbol, quoted or not; reserved words are none.
    pub(crate) fn expect_symbol(&mut self, what: &str) -> Result<(&'a str, Span), Diagnostic> {
        match self.next()? {
            (Token::Symbol(name), span) if is_reserved(name) => {
                Err(syntax(span, format!("'{name}' is a reserved word and cannot stand as {what}"))
                    .with_help(format!("as a name it stands between bars: |{name}|")))
            }
            (Token::Symbol(name) | Token::QuotedSymbol(name), span) => Ok((name, span)),
            (token, span) => Err(unexpected(token, span, what)),
        }
    }

    /// A numeral that fits 32 bits.
    pub(crate) fn expect_numeral(&mut self, what: &str) -> Result<(u32, Span), Diagnostic> {
        match self.next()? {
            (Token::Numeral(digits), span) => parse_numeral(digits, span).map(|number| (number, span)),
            (token, span) => Err(unexpected(token, span, what)),
        }
    }

    pub(crate) fn expect_keyword(&mut self, what: &str) -> Result<(&'a str, Span), Diagnostic> {
        match self.next()? {
            (Token::Keyword(keyword), span) => Ok((keyword, span)),
            (token, span) => Err(unexpected(token, span, what)),
        }
    }

    pub(crate) fn expect_string(&mut self, what: &str) -> Result<(String, Span), Diagnostic> {
        match self.next()? {
            (Token::String(raw), span) => Ok((unescape_string(raw), span)),
            (token, span) => Err(unexpected(token, span, what)),
        }
    }

    /// Whether a closing parenthesis or the end stands next.
    pub(crate) fn at_close(&mut self) -> Result<bool, Diagnostic> {
        Ok(matches!(self.peek()?.0, Token::Close | Token::End))
    }

    /// Skips one s-expression of any form and answers where it stood.
    pub(crate) fn skip_expression(&mut self, what: &str) -> Result<Span, Diagnostic> {
        let (token, first) = self.next()?;
        match token {
            Token::Open => Ok(first.to(self.skip_to_close(first)?)),
            Token::Close | Token::End => Err(unexpected(token, first, what)),
            _ => Ok(first),
        }
    }

    /// Skips the rest of a list whose opening parenthesis was taken, and its closing one.
    pub(crate) fn skip_to_close(&mut self, open: Span) -> Result<Span, Diagnostic> {
        let mut depth = 1usize;
        loop {
            let (token, span) = self.next()?;
            match token {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::End => return Err(unclosed(open)),
                _ => {}
            }
            if depth == 0 {
                return Ok(span);
            }
        }
    }
}

/// Words that cannot be symbols unless quoted (standard, section 3.1, without the names of
/// commands, which other solvers accept as symbols too).
pub(crate) fn is_reserved(name: &str) -> bool {
    const RESERVED: [&str; 14] = [
        "!",
        "_",
        "as",
        "let",
        "exists",
        "forall",
        "match",
        "par",
        "lambda",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
        "STRING",
    ];
    RESERVED.contains(&name)
}

pub(crate) fn parse_numeral(digits: &str, span: Span) -> Result<u32, Diagnostic> {
    digits.parse().map_err(|_| {
        let message = format!("the number {} is too large", shorten(digits));
        Diagnostic::new(DiagnosticKind::Limit, span, message).with_expected(format!("at most {}", u32::MAX))
    })
}

pub(crate) fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Syntax, span, message)
}

pub(crate) fn unexpected(token: Token<'_>, span: Span, expected: &str) -> Diagnostic {
    match token {
        Token::End => syntax(span, "the input ends too early")
            .with_expected(expected)
            .with_help("a closing parenthesis is missing before the end"),
        _ => syntax(span, format!("unexpected {}", token.describe())).with_expected(expected),
    }
}

/// The list that opened at `open` is still open at the end of the input.
pub(crate) fn unclosed(open: Span) -> Diagnostic {
    syntax(open, "this '(' is not closed before the end of the input")
        .with_help("add the missing ')'; it may belong further up")
}
