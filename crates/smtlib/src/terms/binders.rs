//! The binders of variables: `let`, quantifiers, bodies of definitions and `lambda`.
//!
//! Variables of `let` denote terms and leave no node; the others denote fresh symbols.

use sundry_term::{SortId, SymbolId, TermId, TermStore};

use super::{Frame, SpannedTerm, Stacks};
use crate::cursor::{syntax, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, shorten};
use crate::names::NameId;
use crate::reader::{Reader, unsupported};
use crate::scope::Binding;
use crate::source::Span;

/// Deepest nesting of quantifiers that is accepted: printing recurses that deep.
const MAX_QUANTIFIER_DEPTH: usize = 500;

impl Reader<'_, '_> {
    /// Reads one term in which these variables stand for new parameters.
    pub(crate) fn body(
        &mut self,
        variables: Vec<(NameId, SortId)>,
    ) -> Result<(Vec<SymbolId>, SpannedTerm), Diagnostic> {
        let mut stacks = Stacks::default();
        let parameters = self.bind(variables, TermStore::parameter, &mut stacks);
        self.open_bodies += usize::from(!parameters.is_empty());
        let body = self.term();
        self.open_bodies -= usize::from(!parameters.is_empty());
        stacks.restore_hidden(self.scope, 0);
        Ok((parameters, body?))
    }

    /// Binds names to fresh symbols until the hidden meanings are restored.
    fn bind(
        &mut self,
        variables: Vec<(NameId, SortId)>,
        fresh: fn(&mut TermStore, &str, SortId) -> SymbolId,
        stacks: &mut Stacks,
    ) -> Vec<SymbolId> {
        let mut symbols = Vec::with_capacity(variables.len());
        for (name, sort) in variables {
            let symbol = fresh(self.store, self.scope.text(name), sort);
            let term = self.store.symbol_term(symbol);
            stacks.hide(self.scope, name, Binding::Term(term));
            symbols.push(symbol);
        }
        symbols
    }

    /// Reads the start of the next binding of the innermost `let`, or the end of its bindings.
    pub(super) fn next_binding(&mut self, stacks: &mut Stacks) -> Result<(), Diagnostic> {
        match self.cursor.next()? {
            (Token::Open, _) => {
                let (name, span) = self.cursor.expect_symbol("the name of a variable")?;
                stacks.names.push((self.scope.name(name), span));
                Ok(())
            }
            (Token::Close, _) => self.bind_variables(stacks),
            (token, span) => Err(unexpected(token, span, "a binding '(variable term)' or ')'")),
        }
    }

    fn bind_variables(&mut self, stacks: &mut Stacks) -> Result<(), Diagnostic> {
        let Some(Frame::Bindings { open, first_name, first_value }) = stacks.frames.pop() else {
            unreachable!("bindings end in their own frame")
        };
        self.check_distinct(&stacks.names[first_name..])?;
        let first_hidden = stacks.hidden.len();
        let names: Vec<NameId> = stacks.names.drain(first_name..).map(|(name, _)| name).collect();
        let values: Vec<TermId> = stacks.values.drain(first_value..).map(|value| value.term).collect();
        for (name, term) in names.into_iter().zip(values) {
            stacks.hide(self.scope, name, Binding::Term(term));
        }
        stacks.frames.push(Frame::LetBody { open, first_hidden });
        Ok(())
    }

    /// Reports a name that one binder binds twice.
    pub(crate) fn check_distinct(&self, names: &[(NameId, Span)]) -> Result<(), Diagnostic> {
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            None => Ok(()),
            Some(pair) => {
                let message = format!("'{}' is bound twice here", shorten(self.scope.text(pair[1].0)));
                Err(Diagnostic::new(DiagnosticKind::Redeclared, pair[1].1, message))
            }
        }
    }

    pub(super) fn open_quantifier(
        &mut self,
        open: Span,
        for_all: bool,
        stacks: &mut Stacks,
    ) -> Result<(), Diagnostic> {
        let depth = stacks.frames.iter().filter(|frame| matches!(frame, Frame::Quantifier { .. })).count();
        if depth >= MAX_QUANTIFIER_DEPTH {
            let message = format!("quantifiers are nested deeper than the limit of {MAX_QUANTIFIER_DEPTH}");
            return Err(Diagnostic::new(DiagnosticKind::Limit, open, message));
        }
        let sorted = self.sorted_variables()?;
        if sorted.is_empty() {
            return Err(syntax(open, "a quantifier binds at least one variable"));
        }
        let first_hidden = stacks.hidden.len();
        let variables = self.bind(sorted, TermStore::variable, stacks);
        self.open_bodies += 1;
        stacks.frames.push(Frame::Quantifier { open, first_hidden, variables, for_all });
        Ok(())
    }

    pub(super) fn open_lambda(&mut self, open: Span, stacks: &mut Stacks) -> Result<(), Diagnostic> {
        let variables = self.sorted_variables()?;
        let first_hidden = stacks.hidden.len();
        let parameters = self.bind(variables, TermStore::parameter, stacks);
        stacks.frames.push(Frame::Lambda { open, first_hidden, parameters });
        Ok(())
    }

    pub(super) fn lambda_value(
        &mut self,
        body: SpannedTerm,
        parameters: &[SymbolId],
    ) -> Result<TermId, Diagnostic> {
        let Some(model_terms) = self.model_terms.as_mut() else {
            return Err(unsupported(body.span, "'lambda'", "higher-order logic"));
        };
        model_terms.lambda(self.store, body, parameters)
    }
}
