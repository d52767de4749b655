//! Terms, read in one pass with explicit stacks: depth costs memory, never the call stack.
//!
//! Arguments wait on one stack of values and open parentheses on one of frames. `let` binds its variables in the
//! scope's table and restores the hidden meanings at its end, so that a chain of a hundred thousand takes linear
//! time. `let` and `!` leave no node.
//!
//! This file is the machine itself: its frames, and the effect of a finished term on the innermost one. [`binders`],
//! [`annotations`] and [`apply`] handle the frames of one kind.

mod annotations;
mod apply;
mod binders;

use sundry_term::{Op, SymbolId, TermId, TheoryName};

use crate::cursor::{unclosed, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::identifiers::Head;
use crate::lexer::Token;
use crate::matching::Match;
use crate::names::NameId;
use crate::reader::{Reader, sort_error, unsupported};
use crate::scope::{Binding, Scope};
use crate::source::Span;

pub(crate) use apply::Fault;

/// A term and where it was written.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SpannedTerm {
    pub(crate) term: TermId,
    pub(crate) span: Span,
}

/// An open parenthesis with the expected content.
enum Frame {
    /// Arguments of an application, on the value stack from `first_value` on.
    Application { head: Head, head_span: Span, open: Span, first_value: usize },
    /// The bindings of a `let`: names and values so far on their stacks.
    Bindings { open: Span, first_name: usize, first_value: usize },
    /// The body of a `let`, at whose end the hidden meanings are restored.
    LetBody { open: Span, first_hidden: usize },
    /// The term of an annotation.
    Annotated { open: Span },
    /// The body of a quantifier.
    Quantifier { open: Span, first_hidden: usize, variables: Vec<SymbolId>, for_all: bool },
    /// The value that a `match` decomposes.
    Match { open: Span },
    /// The body of a case of a `match`.
    Case { open: Span, first_hidden: usize },
    /// The body of an array value given as a function of its index.
    Lambda { open: Span, first_hidden: usize, parameters: Vec<SymbolId> },
}

impl Frame {
    fn open(&self) -> Span {
        match self {
            Frame::Application { open, .. }
            | Frame::Bindings { open, .. }
            | Frame::LetBody { open, .. }
            | Frame::Annotated { open }
            | Frame::Match { open }
            | Frame::Case { open, .. }
            | Frame::Quantifier { open, .. }
            | Frame::Lambda { open, .. } => *open,
        }
    }
}

/// The frames, values and variables of the terms being read, innermost last.
#[derive(Default)]
pub(crate) struct Stacks {
    frames: Vec<Frame>,
    values: Vec<SpannedTerm>,
    /// Variables of the `let`s whose bindings are being read.
    names: Vec<(NameId, Span)>,
    /// The meanings that the variables in force hide, innermost last.
    hidden: Vec<(NameId, Option<Binding>)>,
    /// The `match`es whose cases are being read.
    pub(crate) matches: Vec<Match>,
}

impl Stacks {
    fn restore_hidden(&mut self, scope: &mut Scope, first: usize) {
        for (name, binding) in self.hidden.drain(first..).rev() {
            scope.replace_symbol(name, binding);
        }
    }

    /// Binds a name until its hidden meaning is restored.
    pub(crate) fn hide(&mut self, scope: &mut Scope, name: NameId, binding: Binding) {
        let old = scope.replace_symbol(name, Some(binding));
        self.hidden.push((name, old));
    }
}

impl<'a> Reader<'a, '_> {
    /// Reads one term.
    pub(crate) fn term(&mut self) -> Result<SpannedTerm, Diagnostic> {
        let mut stacks = Stacks::default();
        let open_bodies = self.open_bodies;
        let result = self.term_on(&mut stacks);
        self.open_bodies = open_bodies;
        stacks.restore_hidden(self.scope, 0);
        result
    }

    /// Reads one term of sort `Bool`.
    pub(crate) fn formula(&mut self) -> Result<SpannedTerm, Diagnostic> {
        let value = self.term()?;
        if self.store.is_bool(value.term) {
            return Ok(value);
        }
        let found = self.show_sort(self.store.sort_of(value.term));
        let message = format!("this term has sort {found}");
        Err(Diagnostic::new(DiagnosticKind::Sort, value.span, message).with_expected("a term of sort Bool"))
    }

    fn term_on(&mut self, stacks: &mut Stacks) -> Result<SpannedTerm, Diagnostic> {
        loop {
            let (token, span) = self.cursor.next()?;
            let value = match token {
                Token::Open => match self.open_term(span, stacks)? {
                    Some(value) => value,
                    None => continue,
                },
                Token::Close => self.close_application(span, stacks)?,
                Token::End => {
                    return Err(match stacks.frames.last() {
                        Some(frame) => unclosed(frame.open()),
                        None => unexpected(token, span, "a term"),
                    });
                }
                _ => SpannedTerm { term: self.atom(token, span)?, span },
            };
            if let Some(result) = self.deliver(value, stacks)? {
                return Ok(result);
            }
        }
    }

    /// Reads the text after an opening parenthesis: up to the first argument, or a whole identifier.
    fn open_term(&mut self, open: Span, stacks: &mut Stacks) -> Result<Option<SpannedTerm>, Diagnostic> {
        let (token, span) = self.cursor.next()?;
        let (head, head_span) = match token {
            Token::Symbol("let") => {
                self.cursor.expect_open("the bindings")?;
                let (first_name, first_value) = (stacks.names.len(), stacks.values.len());
                stacks.frames.push(Frame::Bindings { open, first_name, first_value });
                self.next_binding(stacks)?;
                return Ok(None);
            }
            Token::Symbol("!") => {
                stacks.frames.push(Frame::Annotated { open });
                return Ok(None);
            }
            Token::Symbol("_") => return self.indexed_term(open).map(Some),
            Token::Symbol("as") => return self.qualified_term(open).map(Some),
            Token::Symbol("root-obj") if self.model_terms.is_some() => {
                return self.algebraic_number(open).map(Some);
            }
            Token::Symbol(name @ ("forall" | "exists")) if self.reads(TheoryName::Quantifiers) => {
                self.open_quantifier(open, name == "forall", stacks)?;
                return Ok(None);
            }
            Token::Symbol("match") if self.reads(TheoryName::Datatypes) => {
                stacks.frames.push(Frame::Match { open });
                return Ok(None);
            }
            Token::Symbol("lambda") if self.model_terms.is_some() => {
                self.open_lambda(open, stacks)?;
                return Ok(None);
            }
            Token::Symbol(name) | Token::QuotedSymbol(name) => (self.head(name, span)?, span),
            Token::Open => self.compound_head(span)?,
            Token::End => return Err(unclosed(open)),
            _ => return Err(unexpected(token, span, "a function symbol")),
        };
        let first_value = stacks.values.len();
        stacks.frames.push(Frame::Application { head, head_span, open, first_value });
        Ok(None)
    }

    /// Gives a complete term to the innermost frame, which may complete it in turn. Returns the term if no frame is
    /// left.
    fn deliver(
        &mut self,
        mut value: SpannedTerm,
        stacks: &mut Stacks,
    ) -> Result<Option<SpannedTerm>, Diagnostic> {
        loop {
            if let Some(places) = &mut self.scope.places {
                places.entry(value.term).or_insert(value.span);
            }
            match stacks.frames.last() {
                None => return Ok(Some(value)),
                Some(Frame::Application { .. }) => {
                    stacks.values.push(value);
                    return Ok(None);
                }
                Some(Frame::Bindings { .. }) => {
                    self.cursor.expect_close("the binding")?;
                    stacks.values.push(value);
                    self.next_binding(stacks)?;
                    return Ok(None);
                }
                Some(&Frame::LetBody { open, first_hidden }) => {
                    value.span = open.to(self.cursor.expect_close("'let'")?);
                    stacks.restore_hidden(self.scope, first_hidden);
                }
                Some(&Frame::Annotated { open }) => value.span = open.to(self.attributes(value.term)?),
                Some(Frame::Quantifier { open, first_hidden, variables, for_all }) => {
                    let (first_hidden, for_all) = (*first_hidden, *for_all);
                    let binder = self.store.binder(variables);
                    let op = if for_all { Op::Forall(binder) } else { Op::Exists(binder) };
                    value.span = open.to(self.cursor.expect_close("the quantifier")?);
                    value.term =
                        self.store.term(op, &[value.term]).map_err(|error| sort_error(value.span, &error))?;
                    stacks.restore_hidden(self.scope, first_hidden);
                    self.open_bodies -= 1;
                }
                Some(&Frame::Match { open }) => {
                    self.cursor.expect_open("the cases")?;
                    let taken_apart = self.match_value(value)?;
                    stacks.matches.push(taken_apart);
                    match self.enter_case(open, stacks)? {
                        Some(whole) => value = whole,
                        None => return Ok(None),
                    }
                    continue;
                }
                Some(&Frame::Case { open, first_hidden }) => {
                    self.cursor.expect_close("the case")?;
                    stacks.restore_hidden(self.scope, first_hidden);
                    stacks.matches.last_mut().expect("a case belongs to a match").end_case(value);
                    match self.enter_case(open, stacks)? {
                        Some(whole) => value = whole,
                        None => return Ok(None),
                    }
                    continue;
                }
                Some(Frame::Lambda { open, first_hidden, parameters }) => {
                    value.span = open.to(self.cursor.expect_close("'lambda'")?);
                    value.term = self.lambda_value(value, parameters)?;
                    let first_hidden = *first_hidden;
                    stacks.restore_hidden(self.scope, first_hidden);
                }
            }
            stacks.frames.pop();
        }
    }

    /// Starts the next case of a `match`, in place of the innermost frame; returns the whole term if there is no
    /// further case.
    fn enter_case(&mut self, open: Span, stacks: &mut Stacks) -> Result<Option<SpannedTerm>, Diagnostic> {
        stacks.frames.pop();
        let first_hidden = stacks.hidden.len();
        let whole = self.next_case(open, stacks)?;
        if whole.is_none() {
            stacks.frames.push(Frame::Case { open, first_hidden });
        }
        Ok(whole)
    }

    /// Reads the rest of `(root-obj polynomial n)` or `(_ real_algebraic_number <polynomial, interval>)`.
    pub(crate) fn algebraic_number(&mut self, open: Span) -> Result<SpannedTerm, Diagnostic> {
        let span = open.to(self.cursor.skip_to_close(open)?);
        let text = self.cursor.slice(span);
        let Some(model_terms) = self.model_terms.as_mut() else {
            return Err(unsupported(span, "an algebraic number", "values of models"));
        };
        Ok(SpannedTerm { term: model_terms.algebraic_number(self.store, text), span })
    }
}
