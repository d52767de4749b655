//! Reading formulas with everything that their text says, for those who work on the terms themselves.
//!
//! [`Formula`](crate::Formula) is the same for those who do not.
//!
//! ```
//! use sundry::Control;
//! use sundry::read::{SourceText, read_formula};
//!
//! let source = SourceText::new("door.smt2", "(declare-const door Bool) (assert door) (check-sat)");
//! let formula = read_formula(source, None, &Control::default())?;
//! assert_eq!(formula.problem.symbols.len(), 1);
//! # Ok::<(), sundry::Error>(())
//! ```

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_coverage::Predicate;
use sundry_models::Format;
use sundry_sample::{Group, Level, Problem, Roles};
use sundry_smtlib::{Command, Parser, Script, Span, TheorySet, parse_script_with};
use sundry_term::{Control, SortId, Stopped, SymbolId, TermId, TermStore};
use tracing::info_span;

use crate::error::{Error, ErrorKind, Place};

pub use crate::below::texts::{Column, ColumnGroup, ColumnLevel, Diagnostic, DiagnosticKind, SourceText};

/// A formula with the text it was read from.
///
/// ```
/// use sundry::Control;
/// use sundry::read::{SourceText, read_formula};
///
/// let source = SourceText::new("door.smt2", "(declare-const door Bool) (assert door)");
/// let formula = read_formula(source, None, &Control::default())?;
/// let assertion = formula.problem.assertions[0];
/// assert_eq!(formula.source.slice(formula.places[&assertion]), "(assert door)");
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone)]
pub struct ReadFormula {
    /// The text.
    pub source: SourceText,
    /// The problem to be sampled or measured.
    pub problem: Problem,
    /// The place of each assertion in the text.
    pub places: FxHashMap<TermId, Span>,
    /// The columns in which the text shows constants; `None` for SMT-LIB, where constants are shown as they are
    /// declared.
    pub columns: Option<Vec<Column>>,
    /// Parameters that the text wants combined with a strength of their own.
    pub groups: Vec<sundry_models::Group>,
    /// The notes on the text.
    pub notes: Vec<Note>,
}

/// A remark on a text that is not an error.
///
/// ```
/// let formula = sundry::Formula::parse("(declare-const p Bool)")?;
/// assert_eq!(formula.notes()[0].message, "nothing is asserted, so every assignment is a solution");
/// # Ok::<(), sundry::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The place of the remark, if it is about one.
    pub place: Option<Place>,
    /// The text of the remark.
    pub message: String,
}

impl ReadFormula {
    /// The visible part of a solution, in order of declaration: the name and the constant or function, and the names of
    /// its values, where these have any.
    pub(crate) fn shown(&self) -> impl DoubleEndedIterator<Item = (&str, SymbolId, &[sundry_models::Level])> {
        let ReadFormula { problem, columns, .. } = self;
        let symbols = if columns.is_some() { &[][..] } else { &problem.symbols[..] };
        let as_declared =
            symbols.iter().map(|&symbol| (&*problem.store.symbol(symbol).name, symbol, &[][..]));
        let of_columns =
            columns.iter().flatten().map(|column| (&*column.name, column.symbol, &column.levels[..]));
        of_columns.chain(as_declared)
    }
}

/// Reads a formula in a language, SMT-LIB where none is given: the assertions at the first `check-sat`, or at the end
/// of a script without one.
///
/// # Errors
/// The text is not a formula or uses an unsupported feature, or the control has stopped the reader.
///
/// ```
/// use sundry::read::{SourceText, read_formula};
/// use sundry::{Control, Format};
///
/// let source = SourceText::new("disk.pict", "Disk: FAT, NTFS\nSize: 1, 9\n");
/// let formula = read_formula(source, Some(Format::Pict), &Control::default())?;
/// assert_eq!(formula.columns.expect("a table has columns").len(), 2);
/// # Ok::<(), sundry::Error>(())
/// ```
pub fn read_formula(
    source: SourceText,
    format: Option<Format>,
    control: &Control,
) -> Result<ReadFormula, Error> {
    let (formula, ()) = read_formula_with(source, format, control, |_, _| ())?;
    Ok(formula)
}

/// [`read_formula`], and whatever `at_question` reads with the declarations and definitions of the formula in scope.
///
/// # Errors
/// The errors are those of [`read_formula`].
///
/// ```
/// use sundry::Control;
/// use sundry::read::{SourceText, read_formula_with};
///
/// let source = SourceText::new("door.smt2", "(declare-const door Bool) (assert door)");
/// let shut = SourceText::new("term", "(not door)");
/// let (formula, term) =
///     read_formula_with(source, None, &Control::default(), |parser, store| parser.parse_term(store, &shut))?;
/// assert!(formula.problem.store.is_bool(term.unwrap()));
/// # Ok::<(), sundry::Error>(())
/// ```
pub fn read_formula_with<T>(
    source: SourceText,
    format: Option<Format>,
    control: &Control,
    at_question: impl FnOnce(&mut Parser, &mut TermStore) -> T,
) -> Result<(ReadFormula, T), Error> {
    let _span = info_span!("read", name = source.name()).entered();
    match format {
        None => read_script(source, control, at_question),
        Some(format) => read_model(source, format, control, at_question),
    }
}

/// Converts a text in DIMACS, UVL or PICT to a script in SMT-LIB that asks whether it has a solution, with notes on the
/// text.
///
/// # Errors
/// The text is not such a model, or the control has stopped the reader.
///
/// ```
/// use sundry::Format;
/// use sundry::coverage::Control;
/// use sundry::read::{SourceText, script_of_model};
///
/// let source = SourceText::new("disk.pict", "Disk: FAT, NTFS\n");
/// let (script, notes) = script_of_model(&source, Format::Pict, &Control::default())?;
/// assert!(script.contains("(declare-fun Disk () (_ BitVec 1))") && notes.is_empty());
/// # Ok::<(), sundry::Error>(())
/// ```
pub fn script_of_model(
    source: &SourceText,
    format: Format,
    control: &Control,
) -> Result<(String, Vec<Note>), Error> {
    let _span = info_span!("read", name = source.name()).entered();
    let model =
        sundry_models::read(format, source, control).map_err(|diagnostic| Error::at(&diagnostic, source))?;
    let notes = notes_of(&model, source);
    Ok((sundry_models::print_model_as_script(&model, source.name()), notes))
}

/// The notes on a model of a configurable system.
fn notes_of(model: &sundry_models::SystemModel, source: &SourceText) -> Vec<Note> {
    let note = |note: &sundry_models::Note| Note {
        place: Some(Place::new(source, note.span)),
        message: note.message.to_string(),
    };
    model.notes.iter().map(note).collect()
}

fn read_script<T>(
    source: SourceText,
    control: &Control,
    at_question: impl FnOnce(&mut Parser, &mut TermStore) -> T,
) -> Result<(ReadFormula, T), Error> {
    let mut store = TermStore::new();
    let (script, read) = parse_script_with(&mut store, &source, TheorySet::SOLVED, control, at_question)
        .map_err(|diagnostic| Error::at(&diagnostic, &source))?;
    if script.commands.is_empty() {
        let message = format!("{}: there is no SMT-LIB command in it", source.name());
        let help = "a formula needs at least declarations and one (assert ...)";
        return Err(Error::new(ErrorKind::Empty, message).with_help(help));
    }
    let formula = script.formula();
    let mut notes: Vec<Note> = note_of_questions(&script, formula.check_sats, &source).into_iter().collect();
    notes.extend(note_of_bytes(&source));
    if formula.assertions.is_empty() {
        let message = "nothing is asserted, so every assignment is a solution".to_string();
        notes.push(Note { place: None, message });
    }
    let problem = Problem::within(store, formula.assertions, formula.symbols, control)
        .map_err(|reason| stopped(&source, reason))?;
    let mut places = FxHashMap::default();
    for (command, span) in &script.commands {
        if let Command::Assert(term) = command {
            places.entry(*term).or_insert(*span);
        }
    }
    Ok((ReadFormula { source, problem, places, columns: None, groups: Vec::new(), notes }, read))
}

fn read_model<T>(
    source: SourceText,
    format: Format,
    control: &Control,
    at_question: impl FnOnce(&mut Parser, &mut TermStore) -> T,
) -> Result<(ReadFormula, T), Error> {
    let model = sundry_models::read(format, &source, control)
        .map_err(|diagnostic| Error::at(&diagnostic, &source))?;
    let (roles, notes) = (roles_of(&model), notes_of(&model, &source));
    let sundry_models::SystemModel { mut store, assertions, symbols, columns, groups, .. } = model;
    let mut parser = Parser::new(&mut store, TheorySet::SOLVED).with_control(control);
    symbols.iter().for_each(|&symbol| parser.declare(&mut store, symbol));
    let read = at_question(&mut parser, &mut store);
    let terms: Vec<TermId> = assertions.iter().map(|assertion| assertion.term).collect();
    let places = assertions.iter().rev().map(|assertion| (assertion.term, assertion.span)).collect();
    let problem = Problem::within(store, terms, symbols, control)
        .map_err(|reason| stopped(&source, reason))?
        .with_roles(roles);
    Ok((ReadFormula { source, problem, places, columns: Some(columns), groups, notes }, read))
}

/// Reads predicates: the Boolean definitions without parameters of a text, over what a parser has in scope. Of definitions with
/// the same name, all but the first get a number.
///
/// # Errors
/// The text has something else than definitions, or no predicate.
///
/// ```
/// use sundry::read::{SourceText, read_formula_with, read_predicates};
/// use sundry::{Control, Formula};
///
/// let source = SourceText::new("door.smt2", "(declare-const door Bool) (assert door)");
/// let definitions = SourceText::new("predicates", "(define-fun shut () Bool (not door))");
/// let (formula, read) = read_formula_with(source, None, &Control::default(), |parser, store| {
///     read_predicates(parser, store, &definitions)
/// })?;
/// let (predicates, _) = read?;
/// assert_eq!(Formula::new(formula, predicates).predicate_names().collect::<Vec<_>>(), ["shut"]);
/// # Ok::<(), sundry::Error>(())
/// ```
pub fn read_predicates(
    parser: &mut Parser,
    store: &mut TermStore,
    source: &SourceText,
) -> Result<(Vec<Predicate>, Vec<Note>), Error> {
    let definitions =
        parser.read_definitions(store, source).map_err(|diagnostic| Error::at(&diagnostic, source))?;
    let (mut predicates, mut notes) = (Vec::new(), Vec::new());
    let mut uses: FxHashMap<String, usize> = FxHashMap::default();
    for (definition, span) in definitions {
        if !definition.parameters.is_empty() || definition.sort != SortId::BOOL {
            continue;
        }
        let mut name = definition.name;
        let count = uses.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
        if *count > 1 {
            let numbered = format!("{name}#{count}");
            let message = format!("'{name}' is defined once more; as a predicate this one is '{numbered}'");
            notes.push(Note { place: Some(Place::new(source, span)), message });
            name = numbered;
        }
        predicates.push(Predicate { name, term: definition.body });
    }
    if predicates.is_empty() {
        let message = format!("{}: there is no predicate in it", source.name());
        let help = "a predicate is a Boolean definition without parameters: (define-fun NAME () Bool TERM)";
        return Err(Error::new(ErrorKind::Input, message).with_help(help));
    }
    Ok((predicates, notes))
}

/// The error of a text that was read completely when the control stopped the work.
pub(crate) fn stopped(source: &SourceText, reason: Stopped) -> Error {
    let message = format!("{}: {reason} before its AST-bits were numbered", source.name());
    Error::new(ErrorKind::Limit, message)
}

fn note_of_questions(script: &Script, questions: usize, source: &SourceText) -> Option<Note> {
    let (_, span) = script.commands.iter().find(|(command, _)| command.is_question())?;
    let message =
        format!("the script asks {questions} questions; this first one is taken, with what is asserted here");
    (questions > 1).then(|| Note { place: Some(Place::new(source, *span)), message })
}

fn note_of_bytes(source: &SourceText) -> Option<Note> {
    let offset = source.first_latin1()?;
    let message = "this byte is not UTF-8, so the text is read as Latin-1; results are written as UTF-8";
    Some(Note { place: Some(Place::new(source, Span::new(offset, offset))), message: message.to_string() })
}

/// The roles of the constants of a model.
fn roles_of(model: &sundry_models::SystemModel) -> Roles {
    let level = |level: &sundry_models::Level| Level { is_negative: level.is_negative, weight: level.weight };
    let with_levels = model.columns.iter().filter(|column| !column.levels.is_empty());
    let levels = with_levels.map(|column| (column.symbol, column.levels.iter().map(level).collect()));
    let mut auxiliary: FxHashSet<SymbolId> = model.symbols.iter().copied().collect();
    for column in &model.columns {
        auxiliary.remove(&column.symbol);
    }
    let group =
        |group: &sundry_models::Group| Group { symbols: group.symbols.clone(), strength: group.strength };
    Roles { levels: levels.collect(), auxiliary, groups: model.groups.iter().map(group).collect() }
}
