//! The effect of each command, and the response to commands that were not understood.

use sundry_smtlib::{Attribute, Command, Diagnostic, DiagnosticKind, Lexer, SourceText, Span, Token};
use sundry_solver::Tracking;
use sundry_term::TermId;

use super::channels::Channels;
use super::interpreter::{Interpreter, Mode, Written, session};
use super::options::ScriptOptions;
use super::response::{Response, string_literal};
use crate::error::Place;

impl<C: Channels> Interpreter<C> {
    /// The response to a command that was not understood.
    pub(super) fn refuse(&mut self, diagnostic: &Diagnostic, start: usize, source: &SourceText) -> Response {
        self.channels.detail(diagnostic.render(source).trim_end());
        if diagnostic.kind == DiagnosticKind::Unsupported
            && is_name_of_command(diagnostic.span, start, source)
        {
            self.channels.note(&Place::new(source, diagnostic.span), &diagnostic.message);
            return Response::Unsupported;
        }
        let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let message = format!("{}: {diagnostic}{help}", Place::new(source, diagnostic.span));
        match diagnostic.kind {
            DiagnosticKind::Stopped(_) => Response::Stopped(message),
            _ => Response::Error(message),
        }
    }

    pub(super) fn carry_out(
        &mut self,
        command: Command,
        span: Span,
        names: usize,
        source: &SourceText,
    ) -> Response {
        let response = self.carry_out_anywhere(command, span, names, source);
        match response {
            Response::Error(message) => Response::Error(format!("{}: {message}", Place::new(source, span))),
            Response::Stopped(message) => {
                Response::Stopped(format!("{}: {message}", Place::new(source, span)))
            }
            response => response,
        }
    }

    fn carry_out_anywhere(
        &mut self,
        command: Command,
        span: Span,
        names: usize,
        source: &SourceText,
    ) -> Response {
        match command {
            Command::SetLogic(_)
            | Command::SetInfo(_)
            | Command::DeclareSort(_)
            | Command::DefineSort(_)
            | Command::DeclareSymbol(_)
            | Command::Define(_) => Response::Success,
            Command::SetOption(attribute) => self.set_option(&attribute),
            Command::Assert(term) => self.assert(term, span, names),
            Command::Push(count) => self.push(count),
            Command::Pop(count) => self.pop(count),
            Command::CheckSat => self.check(&[], span, source),
            Command::CheckSatAssuming(assumptions) => self.check(&assumptions, span, source),
            Command::GetModel => self.model(),
            Command::GetValue(terms) => self.values(&terms),
            Command::GetAssignment => self.assignment(),
            Command::GetUnsatAssumptions => self.unsat_assumptions(),
            Command::GetUnsatCore => self.unsat_core(),
            Command::GetAssertions => self.assertions(source),
            Command::GetInfo(keyword) => self.information(&keyword),
            Command::GetOption(keyword) => self.options.get(&keyword),
            Command::Echo(text) => Response::Text(string_literal(&text)),
            Command::Reset => self.reset(),
            Command::ResetAssertions => self.reset_assertions(),
            Command::Exit => {
                self.finished = true;
                Response::Success
            }
            Command::DeclareDatatypes(_) | Command::DefineRecursive(_) | Command::Other { .. } => {
                unreachable!("the language of the solver has none")
            }
        }
    }

    fn set_option(&mut self, attribute: &Attribute) -> Response {
        let before = self.options.clone();
        let response = self.options.set(attribute, !self.written.is_empty());
        if let Err(message) = self.set_channels(&before) {
            self.options = before;
            return Response::Error(message);
        }
        let seed = before.random_seed;
        if self.options.random_seed != seed {
            self.session = session(self.options.random_seed, self.conditions.floats);
            (0..self.parser.level()).for_each(|_| self.session.push());
        }
        response
    }

    /// Writes elsewhere where the options say so now.
    fn set_channels(&mut self, before: &ScriptOptions) -> Result<(), String> {
        let now = &self.options;
        if now.regular_channel != before.regular_channel {
            self.channels.set_regular(&now.regular_channel)?;
        }
        if now.diagnostic_channel != before.diagnostic_channel {
            self.channels.set_diagnostic(&now.diagnostic_channel)?;
        }
        self.channels.set_verbosity(now.verbosity);
        Ok(())
    }

    // ---- the stack of assertions

    fn assert(&mut self, term: TermId, span: Span, names: usize) -> Response {
        let all_names = self.parser.named_terms();
        let new = all_names.len().saturating_sub(names);
        let name =
            all_names.rev().take(new).find(|&(_, named)| named == term).map(|(name, _)| name.to_string());
        let is_named = self.options.produce_unsat_cores && name.is_some();
        self.session.assert(term, if is_named { Tracking::Named } else { Tracking::Silent });
        self.written.push(Written { span, name });
        self.mode = Mode::Assert;
        Response::Success
    }

    fn push(&mut self, count: u32) -> Response {
        (0..count).for_each(|_| self.session.push());
        self.mode = Mode::Assert;
        Response::Success
    }

    fn pop(&mut self, count: u32) -> Response {
        (0..count).for_each(|_| self.session.pop());
        self.written.truncate(self.session.assertions().len());
        self.mode = Mode::Assert;
        Response::Success
    }

    fn reset_assertions(&mut self) -> Response {
        self.session.reset();
        self.written.clear();
        self.mode = Mode::Assert;
        Response::Success
    }

    fn reset(&mut self) -> Response {
        self.parser.forget(&mut self.store);
        self.session = session(self.conditions.seed, self.conditions.floats);
        self.options = ScriptOptions::new(self.conditions.seed);
        self.channels.reset();
        self.written.clear();
        self.mode = Mode::Assert;
        Response::Success
    }
}

/// Whether a place is the name of the command that starts at an offset.
fn is_name_of_command(span: Span, start: usize, source: &SourceText) -> bool {
    let mut lexer = Lexer::new(source.text(), start);
    let open = lexer.next_token();
    matches!(open, Ok((Token::Open, _))) && lexer.next_token().is_ok_and(|(_, name)| name == span)
}
