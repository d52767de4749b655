//! The parser: commands of a text one at a time, with the state that they share.
//!
//! The parser keeps names and its position but no text: every call gets the source as an argument. So a driver that
//! reads a stream can let the source grow between calls, and after an error the next call continues after the bad
//! command.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{Control, SortDeclarationId, SymbolId, TermId, TermStore, TheorySet};

use crate::boundary::ExpressionScanner;
use crate::cursor::unexpected;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lexer::Token;
use crate::model_reader::bind_declarations;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::script::{Command, Definition};
use crate::source::{SourceText, Span};

/// Reads the commands of a script one at a time.
///
/// ```
/// use sundry_smtlib::{Command, Parser, SourceText};
/// use sundry_term::{TermStore, TheorySet};
///
/// let mut store = TermStore::new();
/// let mut parser = Parser::new(&mut store, TheorySet::DECIDED);
/// let source = SourceText::new("example", "(assert) (check-sat)");
/// let error = parser.next_command(&mut store, &source).unwrap_err();
/// assert!(error.render(&source).starts_with("example:1:8: error: "));
/// let next = parser.next_command(&mut store, &source).unwrap();
/// assert!(matches!(next, Some((Command::CheckSat, _))));
/// ```
pub struct Parser {
    scope: Scope,
    position: usize,
    finished: bool,
    named_before: usize,
    control: Control,
}

impl Parser {
    /// Creates a parser at the start of a text that may use these theories, with nothing declared.
    pub fn new(store: &mut TermStore, theories: TheorySet) -> Self {
        let scope = Scope::new(store, theories);
        Parser { scope, position: 0, finished: false, named_before: 0, control: Control::default() }
    }

    /// The same parser with a control that may stop it.
    #[must_use]
    pub fn with_control(self, control: &Control) -> Self {
        Parser { control: control.clone(), ..self }
    }

    /// The same parser, which also notes where the text has each term for the first time.
    #[must_use]
    pub fn with_places(mut self) -> Self {
        self.scope.places = Some(FxHashMap::default());
        self
    }

    /// The first place of each term that a text has had, for a parser [`with_places`](Self::with_places). Terms in the body of
    /// a function with parameters have none: a call has a place as a whole.
    pub fn places(&self) -> impl Iterator<Item = (TermId, Span)> {
        self.scope.places.iter().flatten().map(|(&term, &span)| (term, span))
    }

    /// Sets the control of the parser from now on.
    pub fn set_control(&mut self, control: &Control) {
        self.control = control.clone();
    }

    /// Reads the next command and returns it with its place; `None` at the end of the text and after an `exit`. The
    /// text may have grown since the last call, but the part that was read must be unchanged.
    ///
    /// # Errors
    /// A mistake in the command, or a feature that is not supported. The command then has no effect, and the next
    /// call continues after it; if reading was stopped, the next call begins with the command again.
    pub fn next_command(
        &mut self,
        store: &mut TermStore,
        source: &SourceText,
    ) -> Result<Option<(Command, Span)>, Diagnostic> {
        if self.finished {
            return Ok(None);
        }
        let start = self.position.min(source.text().len());
        let mark = self.scope.mark();
        self.named_before = self.scope.named_terms().len();
        let mut reader = Reader::new(source.text(), start, store, &mut self.scope, &self.control);
        match read_command(&mut reader) {
            Ok(command) => {
                self.position = reader.cursor.offset();
                self.finished = matches!(command, Some((Command::Exit, _)));
                self.named_before = self.named_before.min(self.scope.named_terms().len());
                Ok(command)
            }
            Err(diagnostic) => {
                self.scope.rewind(mark);
                if !matches!(diagnostic.kind, DiagnosticKind::Stopped(_)) {
                    self.position = end_of_expression(source.text(), start);
                }
                Err(diagnostic)
            }
        }
    }

    /// Reads the term that is the whole of a text, with the names in force now.
    ///
    /// # Errors
    /// A mistake in the text, or a second term after the first.
    pub fn parse_term(&mut self, store: &mut TermStore, source: &SourceText) -> Result<TermId, Diagnostic> {
        let mark = self.scope.mark();
        let mut reader = Reader::new(source.text(), 0, store, &mut self.scope, &self.control);
        let result = reader.term().and_then(|value| match reader.cursor.next()? {
            (Token::End, _) => Ok(value.term),
            (token, span) => Err(unexpected(token, span, "the end of the term")),
        });
        if result.is_err() {
            self.scope.rewind(mark);
        }
        result
    }

    /// Makes a symbol of the store visible under its name.
    pub fn declare(&mut self, store: &mut TermStore, symbol: SymbolId) {
        let name = self.scope.name(&store.symbol(symbol).name.clone());
        self.scope.bind_declared(name, store, symbol);
    }

    /// Makes these symbols of the store visible under their names, with the sorts that they are declared with.
    pub fn declare_all(&mut self, store: &mut TermStore, symbols: &[SymbolId]) {
        bind_declarations(&mut self.scope, store, symbols);
    }

    /// Reads a text of definitions, each with its place, with the names in force now. Later definitions can use
    /// earlier ones; none of them is in force afterwards. A definition with the name of another in the text hides it
    /// from the rest.
    ///
    /// # Errors
    /// The first thing that is wrong with the text, or no definition.
    pub fn read_definitions(
        &mut self,
        store: &mut TermStore,
        source: &SourceText,
    ) -> Result<Vec<(Definition, Span)>, Diagnostic> {
        let mark = self.scope.mark();
        let outer = (self.position, self.finished);
        self.restart();
        self.scope.only_definitions = Some(FxHashSet::default());
        let definitions = self.definitions(store, source);
        self.scope.only_definitions = None;
        (self.position, self.finished) = outer;
        self.scope.rewind(mark);
        definitions
    }

    fn definitions(
        &mut self,
        store: &mut TermStore,
        source: &SourceText,
    ) -> Result<Vec<(Definition, Span)>, Diagnostic> {
        let mut definitions = Vec::new();
        while let Some((command, span)) = self.next_command(store, source)? {
            if let Command::Define(definition) = command {
                definitions.push((definition, span));
            }
        }
        Ok(definitions)
    }

    /// Skips the next command of the text without reading it.
    pub fn skip_command(&mut self, source: &SourceText) {
        self.position = end_of_expression(source.text(), self.position.min(source.text().len()));
    }

    /// The byte offset after the last command that was read or skipped.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Starts again at the beginning of another text, keeping all that is declared.
    pub fn restart(&mut self) {
        self.position = 0;
        self.finished = false;
    }

    /// Forgets all that is declared and all terms, which no command from here on can mean: reading goes on in an empty store. Without
    /// that, a text of thousands of scripts with `reset` between them would have a store with the terms of all.
    pub fn forget(&mut self, store: &mut TermStore) {
        *store = TermStore::new();
        self.scope = Scope::new(store, self.scope.theories);
        self.named_before = 0;
    }

    /// The number of levels that `push` has opened.
    pub fn level(&self) -> usize {
        self.scope.level()
    }

    /// The declared constants and functions in scope, in order of declaration.
    pub fn declared_symbols(&self) -> &[SymbolId] {
        self.scope.declared_symbols()
    }

    /// The declared sorts in scope, in order of declaration.
    pub fn declared_sorts(&self) -> &[SortDeclarationId] {
        self.scope.declared_sorts()
    }

    /// The names in scope that annotations `(! t :named n)` gave, in order.
    pub fn named_terms(&self) -> impl ExactSizeIterator<Item = (&str, TermId)> + DoubleEndedIterator {
        self.scope.named_terms()
    }

    /// The names that annotations in the last command gave.
    pub(crate) fn named_in_last_command(&self) -> impl Iterator<Item = (&str, TermId)> {
        self.scope.named_terms().skip(self.named_before)
    }
}

fn read_command(reader: &mut Reader<'_, '_>) -> Result<Option<(Command, Span)>, Diagnostic> {
    match reader.cursor.next()? {
        (Token::End, _) => Ok(None),
        (Token::Open, open) => reader.command(open).map(Some),
        (token, span) => Err(unexpected(token, span, "'(' of a command")),
    }
}

/// The end of the first expression after `start`: at least one byte is passed, unless at the end.
fn end_of_expression(text: &str, start: usize) -> usize {
    let rest = &text.as_bytes()[start..];
    let length = ExpressionScanner::new().advance(rest).unwrap_or(rest.len());
    start + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_that_double_hit_a_limit() {
        let mut text = String::from("(define-fun f0 ((x (_ BitVec 64))) (_ BitVec 64) (bvadd x x))");
        for i in 1..40 {
            let call = format!("(f{} x)", i - 1);
            let twice = call.replace('x', &format!("(bvneg {call})"));
            text.push_str(&format!("(define-fun f{i} ((x (_ BitVec 64))) (_ BitVec 64) {twice})"));
        }
        let mut store = TermStore::new();
        let mut parser = Parser::new(&mut store, TheorySet::DECIDED);
        parser.scope.max_expanded = 10_000;
        let source = SourceText::new("t", text);
        let error = loop {
            match parser.next_command(&mut store, &source) {
                Ok(Some(_)) => {}
                Ok(None) => panic!("no limit was hit"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind, DiagnosticKind::Limit);
        assert!(store.term_count() < 50_000);
    }
}
