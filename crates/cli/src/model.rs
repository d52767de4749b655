//! Models in other languages than SMT-LIB: which one a text is in, and the formula that it stands for.

use std::path::Path;

use sundry::Control;
use sundry::Format;
use sundry::read::{SourceText, script_of_model};

use crate::arguments::InputFormat;
use crate::console::Console;
use crate::failure::Failure;
use crate::formula::{LoadedFormula, place, tell_notes};
use crate::input::Input;

/// The format of a text; none for SMT-LIB. What is said goes before the name of the file, and that before the first
/// words.
pub fn format_of(said: Option<InputFormat>, input: &Input, source: &SourceText) -> Option<Format> {
    match said {
        Some(InputFormat::Smt2) => None,
        Some(InputFormat::Dimacs) => Some(Format::Dimacs),
        Some(InputFormat::Uvl) => Some(Format::Uvl),
        Some(InputFormat::Pict) => Some(Format::Pict),
        None => Format::recognise(input.path().unwrap_or(Path::new("")), source.text()),
    }
}

/// The script that asks whether a model has a solution. What is worth knowing about the model is reported.
///
/// # Errors
/// There is something wrong with the model, or there was no time to read it.
pub fn script_of(
    format: Format,
    source: &SourceText,
    control: &Control,
    console: &Console,
) -> Result<String, Failure> {
    let (script, notes) = script_of_model(source, format, control).map_err(|error| Failure::from(&error))?;
    tell_notes(source.name(), &notes, console);
    Ok(script)
}

/// Tells what of a model makes no difference where its values are not combined with a strength.
pub fn tell_unused(formula: &LoadedFormula, console: &Console) {
    if let Some(group) = formula.formula.parts().groups.first() {
        console.note(
            place(formula.source(), group.span.start),
            "orders of sub-models have an effect only with --strength",
        );
    }
    let mut levels = formula.formula.parts().columns.iter().flatten().flat_map(|column| &column.levels);
    if levels.any(|level| level.weight != 1) {
        console.note(formula.name(), "weights of values have an effect only with --strength");
    }
}
