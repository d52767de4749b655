//! Models of configurable systems in the languages that people write them in, as formulas: DIMACS CNF, the
//! Universal Variability Language (UVL), and the models of PICT.
//!
//! [`read`] turns a text into assertions over Booleans and bit-vectors, and gives the names and values under which
//! solutions are shown: a parameter of three values is a bit-vector of two bits in the formula and stays a column
//! with three texts for people ([`Column`]). All constants have names in the text, so each solution of the formula is
//! one of the model. Features that cannot be expressed exactly are refused with their place; features that only steer
//! the choice between solutions (weights, orders of sub-models) are kept beside the formula ([`SystemModel`]).
//!
//! ```
//! use sundry_models::{Format, read};
//! use sundry_smtlib::SourceText;
//! use sundry_term::Control;
//!
//! let source = SourceText::new("disk.pict", "Disk: FAT, NTFS, ext4\nSize: 1, 9\nIF [Disk] = \"FAT\" THEN [Size] < 5;\n");
//! let model = read(Format::Pict, &source, &Control::default()).expect("a model");
//! assert_eq!(model.columns[0].name, "Disk");
//! assert_eq!(model.columns[0].levels[1].name(), "NTFS");
//! assert_eq!(model.assertions.len(), 2, "three of four codes, and the constraint");
//! ```

mod builder;
mod dimacs;
mod expression;
mod format;
mod lines;
mod model;
mod pict;
mod print;
mod uvl;

use sundry_smtlib::{Diagnostic, SourceText};
use sundry_term::Control;

pub use format::Format;
pub use model::{Assertion, Column, Group, Level, Note, SystemModel};
pub use print::print_model_as_script;

/// The work of a word and of the terms made of it, in the units of [`Control::spend`].
const WORK_OF_WORD: u32 = 16;

/// Reads a text of a format.
///
/// # Errors
/// The first thing that is wrong with the text, or that cannot be expressed; or the control has stopped the reader.
pub fn read(format: Format, source: &SourceText, control: &Control) -> Result<SystemModel, Diagnostic> {
    match format {
        Format::Dimacs => dimacs::read(source, control),
        Format::Uvl => uvl::read(source, control),
        Format::Pict => pict::read(source, control),
    }
}
