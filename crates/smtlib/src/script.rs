//! Scripts: the commands of a text in order, with names resolved and terms built.

use sundry_term::{Control, DatatypeId, SortDeclarationId, SortId, SymbolId, TermId, TermStore, TheorySet};

use crate::diagnostic::Diagnostic;
use crate::lexer::unescape_string;
use crate::parser::Parser;
use crate::source::{SourceText, Span};

/// A keyword with its value, as `set-info` and `set-option` take it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attribute {
    /// The keyword with its colon.
    pub keyword: String,
    /// The s-expression after it as written, if any.
    pub value: Option<String>,
}

impl Attribute {
    /// Whether the attribute has this keyword and, as written, this value.
    pub fn is(&self, keyword: &str, value: &str) -> bool {
        self.keyword == keyword && self.value.as_deref() == Some(value)
    }

    /// The value as text: the content of a string or a quoted symbol, any other value as written.
    pub fn text(&self) -> Option<String> {
        let value = self.value.as_deref()?;
        let inside = |mark: char| value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        Some(match (inside('"'), inside('|')) {
            (Some(raw), _) => unescape_string(raw),
            (None, Some(symbol)) => symbol.to_string(),
            (None, None) => value.to_string(),
        })
    }
}

/// A definition of a constant or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name without quotes.
    pub name: String,
    /// The parameters in the body; none for a constant.
    pub parameters: Vec<SymbolId>,
    /// The sort of the body.
    pub sort: SortId,
    /// The term that the name denotes.
    pub body: TermId,
}

/// A command of a script.
///
/// Definitions are expanded where they are used: of a [`Define`](Command::Define) only later
/// printing has need. Recursive ones are kept in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `(set-logic NAME)`
    SetLogic(String),
    /// `(set-info :keyword value)`
    SetInfo(Attribute),
    /// `(set-option :keyword value)`
    SetOption(Attribute),
    /// `(declare-sort NAME n)`
    DeclareSort(SortDeclarationId),
    /// `(define-sort NAME (...) S)`: the name; its uses are expanded.
    DefineSort(String),
    /// `(declare-datatypes (...) (...))` or `(declare-datatype D ...)`
    DeclareDatatypes(Vec<DatatypeId>),
    /// `(declare-fun f (S ...) S)` or `(declare-const f S)`
    DeclareSymbol(SymbolId),
    /// `(define-fun f ((x S) ...) S t)` or `(define-const f S t)`
    Define(Definition),
    /// `(define-fun-rec f ((x S) ...) S t)`, or `define-funs-rec` with several.
    DefineRecursive(Vec<SymbolId>),
    /// `(assert t)`
    Assert(TermId),
    /// `(push n)`
    Push(u32),
    /// `(pop n)`
    Pop(u32),
    /// `(check-sat)`
    CheckSat,
    /// `(check-sat-assuming (t ...))`
    CheckSatAssuming(Vec<TermId>),
    /// `(get-model)`
    GetModel,
    /// `(get-value (t ...))`, each term with its text as written.
    GetValue(Vec<(TermId, String)>),
    /// `(get-unsat-assumptions)`
    GetUnsatAssumptions,
    /// `(get-assertions)`
    GetAssertions,
    /// `(get-assignment)`
    GetAssignment,
    /// `(get-unsat-core)`
    GetUnsatCore,
    /// `(get-info :keyword)`
    GetInfo(String),
    /// `(get-option :keyword)`
    GetOption(String),
    /// `(echo "text")`
    Echo(String),
    /// `(reset)`
    Reset,
    /// `(reset-assertions)`
    ResetAssertions,
    /// `(exit)`
    Exit,
    /// A command of some solvers that is kept as text, such as `assert-soft`.
    Other {
        /// The name of the command.
        name: String,
        /// The whole command as written.
        text: String,
        /// The term of an objective or a soft assertion.
        terms: Vec<TermId>,
    },
}

impl Command {
    /// The command that switches an option on.
    pub fn switch_on(keyword: &str) -> Command {
        Command::SetOption(Attribute { keyword: keyword.to_string(), value: Some("true".to_string()) })
    }

    /// The terms of the command.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            Command::Assert(term) => vec![*term],
            Command::Define(definition) => vec![definition.body],
            Command::CheckSatAssuming(terms) | Command::Other { terms, .. } => terms.clone(),
            Command::GetValue(terms) => terms.iter().map(|&(term, _)| term).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether the command asks for a model, or sets whether solvers make models.
    pub fn is_about_models(&self) -> bool {
        match self {
            Command::GetModel => true,
            Command::SetOption(attribute) => attribute.keyword == ":produce-models",
            _ => false,
        }
    }

    /// Whether the command asks for satisfiability.
    pub fn is_question(&self) -> bool {
        matches!(self, Command::CheckSat | Command::CheckSatAssuming(_))
    }
}

/// A name that an annotation `(! t :named n)` gives to a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedTerm {
    /// The name without quotes.
    pub name: String,
    /// The term.
    pub term: TermId,
    /// The position, among the commands of its script, of the command that contains it.
    pub command: usize,
}

/// The commands of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// The commands in order, each with its place in the text.
    pub commands: Vec<(Command, Span)>,
    /// The names that annotations give, in order.
    pub named_terms: Vec<NamedTerm>,
}

impl Script {
    /// A script that was made rather than read: its commands have no places.
    pub fn of_commands(commands: impl IntoIterator<Item = Command>) -> Script {
        let commands = commands.into_iter().map(|command| (command, Span::default())).collect();
        Script { commands, named_terms: Vec::new() }
    }

    /// The verdict that `(set-info :status ...)` states last, if any.
    pub fn status(&self) -> Option<String> {
        self.commands.iter().rev().find_map(|(command, _)| match command {
            Command::SetInfo(attribute) if attribute.keyword == ":status" => attribute.text(),
            _ => None,
        })
    }
}

/// Reads a whole script, which may use these theories, up to its end or an `exit`.
///
/// # Errors
/// The first mistake, or the first feature that is not supported. To continue after it, use a [`Parser`].
pub fn parse_script(
    store: &mut TermStore,
    source: &SourceText,
    theories: TheorySet,
) -> Result<Script, Diagnostic> {
    parse_script_within(store, source, theories, &Control::default())
}

/// Reads a whole script like [`parse_script`], until a control stops it.
///
/// # Errors
/// The errors of [`parse_script`]; or the control stopped the work.
pub fn parse_script_within(
    store: &mut TermStore,
    source: &SourceText,
    theories: TheorySet,
    control: &Control,
) -> Result<Script, Diagnostic> {
    let (script, ()) = parse_script_with(store, source, theories, control, |_, _| ())?;
    Ok(script)
}

/// Reads a whole script like [`parse_script_within`], and something else with the names that are in force at the
/// first question (`check-sat` or `check-sat-assuming`), or at the end of a script without a question.
///
/// # Errors
/// The errors of [`parse_script_within`].
pub fn parse_script_with<T>(
    store: &mut TermStore,
    source: &SourceText,
    theories: TheorySet,
    control: &Control,
    at_question: impl FnOnce(&mut Parser, &mut TermStore) -> T,
) -> Result<(Script, T), Diagnostic> {
    let mut parser = Parser::new(store, theories).with_control(control);
    let mut script = Script::default();
    let mut at_question = Some(at_question);
    let mut read = None;
    while let Some((command, span)) = parser.next_command(store, source)? {
        let command_index = script.commands.len();
        let new_names = parser.named_in_last_command();
        script.named_terms.extend(new_names.map(|(name, term)| NamedTerm {
            name: name.to_string(),
            term,
            command: command_index,
        }));
        let is_question = command.is_question();
        script.commands.push((command, span));
        if is_question && let Some(ask) = at_question.take() {
            read = Some(ask(&mut parser, store));
        }
    }
    let read = read.or_else(|| at_question.map(|ask| ask(&mut parser, store)));
    Ok((script, read.expect("it was read at a question or is read at the end")))
}
