//! Annotated terms: `(! t :named n)`. Names are bound; attributes without a meaning here are skipped.

use sundry_term::{SymbolKind, TermId};

use crate::cursor::{syntax, unexpected};
use crate::diagnostic::Diagnostic;
use crate::lexer::Token;
use crate::reader::Reader;
use crate::source::Span;
use crate::walk::applications_of_symbols;

impl Reader<'_, '_> {
    /// Reads the attributes after an annotated term, and the closing parenthesis.
    pub(super) fn attributes(&mut self, term: TermId) -> Result<Span, Diagnostic> {
        let (first, span) = self.cursor.peek()?;
        if !matches!(first, Token::Keyword(_)) {
            return Err(unexpected(first, span, "an attribute such as :named"));
        }
        loop {
            match self.cursor.next()? {
                (Token::Close, span) => return Ok(span),
                (Token::Keyword(":named"), _) => {
                    let (name, span) = self.cursor.expect_symbol("a name for the term")?;
                    let id = self.unbound_name(name, span)?;
                    self.check_closed(term, span)?;
                    self.scope.bind_named(id, term);
                }
                (Token::Keyword(_), _) => {
                    if !matches!(self.cursor.peek()?.0, Token::Keyword(_) | Token::Close) {
                        self.cursor.skip_expression("the value of the attribute")?;
                    }
                }
                (token, span) => return Err(unexpected(token, span, "an attribute or ')'")),
            }
        }
    }

    /// Reports a named term that contains a parameter or variable, which has no meaning elsewhere.
    fn check_closed(&self, term: TermId, span: Span) -> Result<(), Diagnostic> {
        let is_parameter =
            |symbol| matches!(self.store.symbol(symbol).kind, SymbolKind::Parameter | SymbolKind::Variable);
        let mut symbols = match self.open_bodies {
            0 => Vec::new(),
            _ => applications_of_symbols(self.store, term),
        }
        .into_iter();
        if symbols.any(|(_, symbol)| is_parameter(symbol)) {
            return Err(syntax(span, "a term that contains a parameter cannot have a name"));
        }
        Ok(())
    }
}
