//! Models in other languages than SMT-LIB: which one a text is in, and the formula that it stands for.

use std::path::Path;

use sundry_models::{Format, Model};
use sundry_sample::{Group, Level, Problem, Roles};
use sundry_smtlib::{Language, Parser, SourceText};
use sundry_term::{Control, TermId, TermStore};

use crate::arguments::{Begun, InputFormat};
use crate::console::Console;
use crate::failure::Failure;
use crate::formula::{LoadedFormula, NUMBERED};
use crate::input::Input;

/// The format of a text; none for SMT-LIB. What is said goes before the name of the file, and that before the first
/// words.
pub fn format_of(said: Option<InputFormat>, input: &Input, source: &SourceText) -> Option<Format> {
    match said {
        Some(InputFormat::Smt2) => None,
        Some(InputFormat::Dimacs) => Some(Format::Dimacs),
        Some(InputFormat::Uvl) => Some(Format::Uvl),
        Some(InputFormat::Pict) => Some(Format::Pict),
        None => {
            input.path().and_then(Format::of_name).or_else(|| match input.path().and_then(Path::extension) {
                Some(extension) if extension == "smt2" => None,
                _ => Format::of_text(source.text()),
            })
        }
    }
}

/// Reads a model, and tells what is worth knowing about it.
///
/// # Errors
/// There is something wrong with it, or there was no time to read it.
pub fn parse(
    format: Format,
    source: &SourceText,
    control: &Control,
    console: &Console,
) -> Result<Model, Failure> {
    let model = sundry_models::read(format, source, control)
        .map_err(|diagnostic| Failure::at(&diagnostic, source))?;
    for note in &model.notes {
        let position = source.position(note.span.start);
        console.note(
            format_args!("{}:{}:{}", source.name(), position.line, position.column),
            format_args!("{}", note.message),
        );
    }
    Ok(model)
}

/// The formula of a model, and something read with its constants in scope.
///
/// # Errors
/// There is something wrong with the model, or with what else is read.
pub fn read_model<T>(
    format: Format,
    begun: Begun,
    source: SourceText,
    console: &Console,
    read: impl FnOnce(&mut Parser, &mut TermStore) -> Result<T, Failure>,
) -> Result<(LoadedFormula, T), Failure> {
    let model = parse(format, &source, &begun.control, console)?;
    let roles = roles_of(&model);
    let Model { mut store, assertions, symbols, columns, groups, .. } = model;
    let mut parser = Parser::new(&mut store, Language::BitVectors).with_control(&begun.control);
    for &symbol in &symbols {
        parser.declare(&mut store, symbol);
    }
    let read = read(&mut parser, &mut store)?;
    let terms: Vec<TermId> = assertions.iter().map(|assertion| assertion.term).collect();
    let places = assertions.iter().rev().map(|assertion| (assertion.term, assertion.span)).collect();
    let problem = Problem::within(store, terms, symbols, &begun.control)
        .map_err(|reason| Failure::stopped(&source.name(), reason, NUMBERED))?
        .with_roles(roles);
    Ok((LoadedFormula { begun, source, places, problem, columns: Some(columns), groups }, read))
}

/// Tells what of a model makes no difference where its values are not combined with a strength.
pub fn tell_unused(formula: &LoadedFormula, console: &Console) {
    if let Some(group) = formula.groups.first() {
        let position = formula.source.position(group.span.start);
        console.note(
            format_args!("{}:{}:{}", formula.name(), position.line, position.column),
            "orders of sub-models make a difference with --strength only",
        );
    }
    let mut levels = formula.columns.iter().flatten().flat_map(|column| &column.levels);
    if levels.any(|level| level.weight != 1) {
        console.note(formula.name(), "weights of values make a difference with --strength only");
    }
}

/// What the constants of a model stand for.
fn roles_of(model: &Model) -> Roles {
    let level = |level: &sundry_models::Level| Level { is_negative: level.is_negative, weight: level.weight };
    let with_levels = model.columns.iter().filter(|column| !column.levels.is_empty());
    let levels = with_levels.map(|column| (column.symbol, column.levels.iter().map(level).collect()));
    let mut auxiliary: rustc_hash::FxHashSet<_> = model.symbols.iter().copied().collect();
    for column in &model.columns {
        auxiliary.remove(&column.symbol);
    }
    let group =
        |group: &sundry_models::Group| Group { symbols: group.symbols.clone(), strength: group.strength };
    Roles { levels: levels.collect(), auxiliary, groups: model.groups.iter().map(group).collect() }
}
