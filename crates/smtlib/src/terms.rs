//! Terms, read in one pass with explicit stacks: depth costs memory, never the call stack.
//!
//! Arguments wait on one stack of values and open parentheses on one of frames. `let` binds its
//! variables in the scope's table and restores what they hid at its end, so that a chain of a
//! hundred thousand takes linear time. `let` and `!` leave no node behind.
//!
//! This file is one machine, whose kinds of frames know one another, so it is longer than others.

use sundry_term::{Op, SortError, SortId, SymbolId, SymbolKind, TermId, TermStore, TheoryName};

use crate::cursor::{syntax, unclosed, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::identifiers::Head;
use crate::lexer::{Token, shorten};
use crate::macros::Macro;
use crate::matching::Match;
use crate::names::NameId;
use crate::reader::{Reader, sort_error, sort_mismatch, unsupported};
use crate::scope::{Binding, Scope};
use crate::sorts::show_sort;
use crate::source::Span;
use crate::walk::applications_of_symbols;

/// Deepest nesting of quantifiers that is accepted: printing recurses that deep.
const MAX_QUANTIFIER_DEPTH: usize = 500;

/// What rebuilding an operator of a definition takes, in the units of [`sundry_term::Control::spend`].
const WORK_OF_OPERATOR: usize = 16;

/// A term and where it was written.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SpannedTerm {
    pub(crate) term: TermId,
    pub(crate) span: Span,
}

/// An open parenthesis and what is expected inside.
enum Frame {
    /// Arguments of an application, on the value stack from `first_value` on.
    Application { head: Head, head_span: Span, open: Span, first_value: usize },
    /// The bindings of a `let`: names and values so far on their stacks.
    Bindings { open: Span, first_name: usize, first_value: usize },
    /// The body of a `let`, behind which what its variables hid comes back.
    LetBody { open: Span, first_hidden: usize },
    /// The term of an annotation.
    Annotated { open: Span },
    /// The body of a quantifier.
    Quantifier { open: Span, first_hidden: usize, variables: Vec<SymbolId>, for_all: bool },
    /// The value that a `match` takes apart.
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

/// What is being read, innermost last.
#[derive(Default)]
pub(crate) struct Stacks {
    frames: Vec<Frame>,
    values: Vec<SpannedTerm>,
    /// Variables of the `let`s whose bindings are being read.
    names: Vec<(NameId, Span)>,
    /// What the variables in force hide, innermost last.
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

    /// Gives a name a meaning until that is taken back.
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

    /// Lets names stand for fresh symbols until what they hide is restored.
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

    /// Reads what follows an opening parenthesis: up to the first argument, or a whole identifier.
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

    /// Gives a complete term to the innermost frame, which may complete it in turn. The answer is
    /// the term when no frame is left.
    fn deliver(
        &mut self,
        mut value: SpannedTerm,
        stacks: &mut Stacks,
    ) -> Result<Option<SpannedTerm>, Diagnostic> {
        loop {
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

    /// Goes on to the next case of a `match`, in place of the innermost frame; the whole term where there is
    /// none.
    fn enter_case(&mut self, open: Span, stacks: &mut Stacks) -> Result<Option<SpannedTerm>, Diagnostic> {
        stacks.frames.pop();
        let first_hidden = stacks.hidden.len();
        let whole = self.next_case(open, stacks)?;
        if whole.is_none() {
            stacks.frames.push(Frame::Case { open, first_hidden });
        }
        Ok(whole)
    }

    // ---- let

    /// Reads the start of the next binding of the innermost `let`, or the end of its bindings.
    fn next_binding(&mut self, stacks: &mut Stacks) -> Result<(), Diagnostic> {
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

    // ---- annotations

    /// Reads the attributes behind an annotated term, and the closing parenthesis.
    fn attributes(&mut self, term: TermId) -> Result<Span, Diagnostic> {
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

    /// Reports a term that gets a name but has a parameter or variable in it, which means nothing elsewhere.
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

    // ---- quantifiers

    fn open_quantifier(&mut self, open: Span, for_all: bool, stacks: &mut Stacks) -> Result<(), Diagnostic> {
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

    // ---- array values of models

    fn open_lambda(&mut self, open: Span, stacks: &mut Stacks) -> Result<(), Diagnostic> {
        let variables = self.sorted_variables()?;
        let first_hidden = stacks.hidden.len();
        let parameters = self.bind(variables, TermStore::parameter, stacks);
        stacks.frames.push(Frame::Lambda { open, first_hidden, parameters });
        Ok(())
    }

    fn lambda_value(&mut self, body: SpannedTerm, parameters: &[SymbolId]) -> Result<TermId, Diagnostic> {
        let Some(model_terms) = self.model_terms.as_mut() else {
            return Err(unsupported(body.span, "'lambda'", "higher-order logic"));
        };
        model_terms.lambda(self.store, body, parameters)
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

    // ---- applications

    fn close_application(&mut self, close: Span, stacks: &mut Stacks) -> Result<SpannedTerm, Diagnostic> {
        let Some(Frame::Application { .. }) = stacks.frames.last() else {
            return Err(unexpected(Token::Close, close, "a term"));
        };
        let Some(Frame::Application { head, head_span, open, first_value }) = stacks.frames.pop() else {
            unreachable!("looked at above")
        };
        let arguments: Vec<TermId> = stacks.values[first_value..].iter().map(|value| value.term).collect();
        if arguments.is_empty() {
            let message = "an application needs at least one argument";
            let help = "a constant is written without parentheses";
            return Err(syntax(open.to(close), message).with_help(help));
        }
        let spans = |position: usize| {
            stacks.values.get(first_value + position).map_or(head_span, |value: &SpannedTerm| value.span)
        };
        let term = self.apply(head, head_span, &arguments).map_err(|fault| fault.locate(head_span, spans))?;
        stacks.values.truncate(first_value);
        Ok(SpannedTerm { term, span: open.to(close) })
    }

    fn apply(&mut self, head: Head, head_span: Span, arguments: &[TermId]) -> Result<TermId, Fault> {
        match head {
            Head::Operator(op) => {
                let term = if self.reads(TheoryName::Reals) {
                    let arguments = self.with_reals(op, arguments);
                    self.store.term(op, &arguments)?
                } else {
                    self.store.term(op, arguments)?
                };
                self.note_integer(term);
                Ok(term)
            }
            Head::Iff if arguments.len() == 2 && self.store.is_bool(arguments[0]) => {
                Ok(self.store.term(Op::Equal, arguments)?)
            }
            Head::Iff => Err(sort_mismatch(head_span, "'iff' takes two arguments of sort Bool").into()),
            Head::Macro(index) if self.reads(TheoryName::Reals) => {
                let parameters = self.scope.macros[index].parameters.clone();
                let sorts: Vec<SortId> = parameters.iter().map(|&it| self.store.symbol(it).result).collect();
                let arguments = self.as_reals(arguments, &sorts);
                self.call_macro(index, head_span, &arguments)
            }
            Head::Macro(index) => self.call_macro(index, head_span, arguments),
            Head::Constructor(constructor) => Ok(self.construct(constructor, arguments)?),
            Head::FormerLoop => self.former_loop(head_span, arguments),
            Head::Constant(term) => {
                let sort = self.show_sort(self.store.sort_of(term));
                let message = format!("this is a constant of sort {sort}, it takes no arguments");
                Err(Diagnostic::new(DiagnosticKind::Sort, head_span, message).into())
            }
        }
    }

    fn call_macro(&mut self, index: usize, head_span: Span, arguments: &[TermId]) -> Result<TermId, Fault> {
        let definition = &mut self.scope.macros[index];
        if let Some(known) = definition.known_call(arguments) {
            return Ok(known);
        }
        check_call(self.store, definition, arguments)?;
        self.scope.expanded += definition.size();
        if self.scope.expanded > self.scope.max_expanded {
            let limit = self.scope.max_expanded;
            let message = format!("more than {limit} operators come from expanding definitions");
            return Err(Diagnostic::new(DiagnosticKind::Limit, head_span, message).into());
        }
        self.cursor.spend((definition.size() * WORK_OF_OPERATOR) as u32, head_span)?;
        Ok(definition.expand(self.store, arguments)?)
    }
}

fn check_call(store: &TermStore, definition: &Macro, arguments: &[TermId]) -> Result<(), SortError> {
    let parameters = &definition.parameters;
    if arguments.len() != parameters.len() {
        let plural = if parameters.len() == 1 { "argument" } else { "arguments" };
        return Err(SortError::Arity {
            operator: definition.name.to_string(),
            expected: format!("{} {plural}", parameters.len()),
            found: arguments.len(),
        });
    }
    for (position, (&argument, &parameter)) in arguments.iter().zip(parameters).enumerate() {
        let (expected, found) = (store.symbol(parameter).result, store.sort_of(argument));
        if expected != found {
            return Err(SortError::Argument {
                operator: definition.name.to_string(),
                position: position + 1,
                expected: show_sort(store, expected),
                found: show_sort(store, found),
            });
        }
    }
    Ok(())
}

/// Why an application failed: with a place already, or still to be placed.
pub(crate) enum Fault {
    Sort(SortError),
    Placed(Diagnostic),
}

impl From<SortError> for Fault {
    fn from(error: SortError) -> Self {
        Fault::Sort(error)
    }
}

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Self {
        Fault::Placed(diagnostic)
    }
}

impl Fault {
    /// The message: at the argument that is wrong where one is, else at the head.
    pub(crate) fn locate(self, head_span: Span, argument_span: impl Fn(usize) -> Span) -> Diagnostic {
        match self {
            Fault::Placed(diagnostic) => diagnostic,
            Fault::Sort(error) => {
                let span = match &error {
                    SortError::Argument { position, .. } => argument_span(position - 1),
                    _ => head_span,
                };
                sort_error(span, &error)
            }
        }
    }
}
