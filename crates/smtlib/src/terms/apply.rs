//! Applications: a head and arguments become a term of an operator, constructor or function, or the body of a
//! definition with its arguments in place.

use sundry_term::{Op, SortError, SortId, TermId, TermStore};

use super::{Frame, SpannedTerm, Stacks};
use crate::cursor::{syntax, unexpected};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::identifiers::Head;
use crate::lexer::Token;
use crate::macros::Macro;
use crate::reader::{Reader, sort_error, sort_mismatch};
use crate::sorts::show_sort;
use crate::source::Span;

/// The work of rebuilding an operator of a definition, in the units of [`sundry_term::Control::spend`].
const WORK_OF_OPERATOR: usize = 16;

impl Reader<'_, '_> {
    pub(super) fn close_application(
        &mut self,
        close: Span,
        stacks: &mut Stacks,
    ) -> Result<SpannedTerm, Diagnostic> {
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
                let term = if self.reads_numbers_of_reals() {
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
            Head::Macro(index) if self.reads_numbers_of_reals() => {
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

/// The reason for which an application failed: with a place already, or still without one.
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
