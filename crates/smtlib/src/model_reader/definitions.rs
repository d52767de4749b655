//! The definitions of a model, read in two passes.
//!
//! A definition may use names that are defined after it. So the reader reads the headers first, which makes every
//! name known with its sorts, and then the bodies. It reads entries that define nothing with the headers: elements of
//! declared sorts, and the numbers of elements.

use rustc_hash::FxHashSet;
use sundry_term::{Sort, SortId, SymbolId, TermId};

use crate::cursor::{syntax, unclosed, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::{Token, shorten};
use crate::names::NameId;
use crate::reader::{Reader, sort_mismatch};
use crate::scope::{Binding, SortBinding};
use crate::source::Span;

/// A definition of a model.
pub(super) struct Definition {
    pub(super) symbol: SymbolId,
    /// The name and where it stands.
    pub(super) name: Box<str>,
    pub(super) span: Span,
    pub(super) parameters: Vec<SymbolId>,
    pub(super) body: TermId,
    /// Whether the formula declares the symbol.
    pub(super) is_declared: bool,
}

/// A definition whose body is still to be read.
pub(super) struct Header {
    pub(super) symbol: SymbolId,
    pub(super) name: Box<str>,
    pub(super) span: Span,
    pub(super) parameters: Vec<(NameId, SortId)>,
    pub(super) result: SortId,
    pub(super) is_declared: bool,
    pub(super) body_start: usize,
}

impl Reader<'_, '_> {
    /// Skips verdicts up to the parenthesis that opens the next model; `None` at the end.
    pub(super) fn next_model(&mut self) -> Result<Option<Span>, Diagnostic> {
        loop {
            match self.cursor.next()? {
                (Token::End, _) => return Ok(None),
                (Token::Open, span) => return Ok(Some(span)),
                (Token::Symbol("sat" | "unsat" | "unknown" | "timeout" | "success"), _) => {}
                (token, span) => return Err(unexpected(token, span, "'(' of a model")),
            }
        }
    }

    /// Reads the definitions of a model up to its closing parenthesis.
    pub(super) fn definitions(
        &mut self,
        open: Span,
        symbols: &FxHashSet<SymbolId>,
    ) -> Result<(Vec<Definition>, Span), Diagnostic> {
        if let Some(model_terms) = self.model_terms.as_mut() {
            model_terms.start_model();
        }
        match self.cursor.peek()? {
            (Token::Symbol("model"), _) => {
                self.cursor.next()?;
            }
            (Token::Symbol("error"), span) => {
                let whole = open.to(self.cursor.skip_to_close(open)?);
                let text = shorten(self.cursor.slice(whole));
                let message = format!("a solver's error message instead of a model: {text}");
                return Err(syntax(span, message));
            }
            _ => {}
        }
        let mut headers: Vec<Header> = Vec::new();
        let close = loop {
            match self.cursor.next()? {
                (Token::Close, span) => break span,
                (Token::Open, span) => headers.extend(self.header(span, symbols)?),
                (Token::End, _) => return Err(unclosed(open)),
                (token, span) => return Err(unexpected(token, span, "a definition or ')'")),
            }
        };
        check_unique(&headers)?;
        let definitions =
            headers.into_iter().map(|header| self.definition(header)).collect::<Result<_, _>>()?;
        Ok((definitions, open.to(close)))
    }

    /// Reads one entry of a model except for the body; entries without a body give `None`.
    fn header(&mut self, open: Span, symbols: &FxHashSet<SymbolId>) -> Result<Option<Header>, Diagnostic> {
        let (token, span) = self.cursor.next()?;
        match token {
            Token::Symbol("define-fun" | "define-fun-rec") => {
                self.definition_header(open, true, symbols).map(Some)
            }
            Token::Symbol("define-const") => self.definition_header(open, false, symbols).map(Some),
            Token::Symbol("declare-fun" | "declare-const") => {
                self.element_declaration(token == Token::Symbol("declare-fun")).map(|()| None)
            }
            Token::Symbol("declare-sort") => self.sort_declaration().map(|()| None),
            Token::Symbol("forall") => self.universe(open).map(|()| None),
            _ => Err(unexpected(token, span, "'define-fun'")),
        }
    }

    /// Reads the rest of `(forall ((x S)) (or (= x e0) (= x e1)))`: the sort has these elements and no others.
    fn universe(&mut self, open: Span) -> Result<(), Diagnostic> {
        let variables = self.sorted_variables()?;
        let (mut count, mut depth) = (0, 1usize);
        while depth > 0 {
            match self.cursor.next()? {
                (Token::Open, _) => depth += 1,
                (Token::Close, _) => depth -= 1,
                // Each element is compared with the variable once.
                (Token::Symbol("="), _) => count += 1,
                (Token::End, _) => return Err(unclosed(open)),
                _ => {}
            }
        }
        if let [(_, sort)] = variables[..]
            && matches!(self.store.sort(sort), Sort::Uninterpreted { .. })
            && count > 0
            && let Some(model_terms) = self.model_terms.as_mut()
        {
            for (name, term) in model_terms.set_universe(self.store, sort, count) {
                let id = self.scope.name(&name);
                self.scope.bind_symbol(id, Binding::Term(term));
            }
        }
        Ok(())
    }

    fn definition_header(
        &mut self,
        open: Span,
        with_parameters: bool,
        symbols: &FxHashSet<SymbolId>,
    ) -> Result<Header, Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of a constant or function")?;
        let parameters = if with_parameters { self.sorted_variables()? } else { Vec::new() };
        let result = self.sort()?;
        let body_start = self.cursor.peek()?.1.start;
        self.cursor.skip_expression("the value")?;
        match self.cursor.next()? {
            (Token::Close, _) => {}
            (Token::End, _) => return Err(unclosed(open)),
            (token, span) => return Err(unexpected(token, span, "')' at the end of the definition")),
        }
        let id = self.scope.name(name);
        let (symbol, is_declared) = match self.declared_symbol(id, symbols) {
            Some(symbol) => {
                self.check_signature(name, span, symbol, &parameters, result)?;
                (symbol, true)
            }
            None => {
                let sorts: Vec<SortId> = parameters.iter().map(|&(_, sort)| sort).collect();
                let symbol = self.store.declare(name, &sorts, result);
                self.scope.bind_declared(id, self.store, symbol);
                (symbol, false)
            }
        };
        Ok(Header { symbol, name: name.into(), span, parameters, result, is_declared, body_start })
    }

    /// The symbol of the formula that a name stands for.
    fn declared_symbol(&self, name: NameId, symbols: &FxHashSet<SymbolId>) -> Option<SymbolId> {
        let symbol = match self.scope.symbol(name)? {
            Binding::Function(symbol) => symbol,
            Binding::Term(term) => self.store.constant_symbol(term)?,
            Binding::Macro(_) | Binding::Operator(_) | Binding::Constructor(_) | Binding::Selector(..) => {
                return None;
            }
        };
        symbols.contains(&symbol).then_some(symbol)
    }

    pub(super) fn check_signature(
        &self,
        name: &str,
        span: Span,
        symbol: SymbolId,
        parameters: &[(NameId, SortId)],
        result: SortId,
    ) -> Result<(), Diagnostic> {
        let declared = self.store.symbol(symbol);
        let found = parameters.iter().map(|&(_, sort)| sort);
        if found.clone().eq(declared.arguments.iter().copied()) && declared.result == result {
            return Ok(());
        }
        let found: Vec<SortId> = found.collect();
        let message = format!(
            "the model gives '{}' the sorts {}, it is declared with {}",
            shorten(name),
            self.show_signature(&found, result),
            self.show_signature(&declared.arguments, declared.result),
        );
        Err(sort_mismatch(span, message))
    }

    fn show_signature(&self, arguments: &[SortId], result: SortId) -> String {
        let arguments: Vec<String> = arguments.iter().map(|&sort| self.show_sort(sort)).collect();
        format!("({}) {}", arguments.join(" "), self.show_sort(result))
    }

    /// Reads the rest of `(declare-fun e () S)`, which introduces an element of a declared sort.
    fn element_declaration(&mut self, with_arguments: bool) -> Result<(), Diagnostic> {
        let (name, span) = self.cursor.expect_symbol("the name of an element")?;
        if with_arguments {
            self.cursor.expect_open("the sorts of the arguments")?;
            self.cursor.expect_close("the sorts of the arguments of an element, which has none")?;
        }
        let sort = self.sort()?;
        self.cursor.expect_close("the declaration")?;
        let Some(model_terms) = self.model_terms.as_mut() else { return Ok(()) };
        let term = model_terms.element(self.store, name, sort, span)?;
        let id = self.scope.name(name);
        self.scope.bind_symbol(id, Binding::Term(term));
        Ok(())
    }

    /// Reads the rest of `(declare-sort S n)`: new only where the formula does not use the sort.
    fn sort_declaration(&mut self) -> Result<(), Diagnostic> {
        let (name, _) = self.cursor.expect_symbol("the name of a sort")?;
        let (arity, _) = self.cursor.expect_numeral("the number of sorts that it takes")?;
        self.cursor.expect_close("the declaration")?;
        let id = self.scope.name(name);
        if self.scope.sort(id).is_none() {
            let declaration = self.store.declare_sort(name, arity as usize);
            self.scope.bind_sort(id, SortBinding::Declared(declaration));
        }
        Ok(())
    }

    /// Reads the body of a definition.
    pub(super) fn definition(&mut self, header: Header) -> Result<Definition, Diagnostic> {
        let Header { symbol, name, span, parameters, result, is_declared, body_start } = header;
        self.cursor.restart(body_start);
        let (parameters, body) = self.body(parameters)?;
        let found = self.store.sort_of(body.term);
        if found != result {
            let (found, expected) = (self.show_sort(found), self.show_sort(result));
            let message = format!("the value of '{}' has sort {found}", shorten(&name));
            return Err(
                sort_mismatch(body.span, message).with_expected(format!("a value of sort {expected}"))
            );
        }
        Ok(Definition { symbol, name, span, parameters, body: body.term, is_declared })
    }
}

fn check_unique(headers: &[Header]) -> Result<(), Diagnostic> {
    let mut seen = FxHashSet::default();
    match headers.iter().find(|header| !seen.insert(header.symbol)) {
        None => Ok(()),
        Some(header) => {
            let message = format!("the model defines '{}' twice", shorten(&header.name));
            Err(Diagnostic::new(DiagnosticKind::Redeclared, header.span, message))
        }
    }
}
