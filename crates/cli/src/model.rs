//! Models in other languages than SMT-LIB: which one a text is in, and the formula that it stands for.

use std::path::Path;

use sundry_models::{Format, Model};
use sundry_smtlib::SourceText;
use sundry_term::Control;

use crate::arguments::InputFormat;
use crate::console::Console;
use crate::failure::Failure;
use crate::formula::LoadedFormula;
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
