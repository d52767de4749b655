//! Printing in SMT-LIB syntax. What is printed is read back as the same terms.
//!
//! All printing appends to a string: nothing here can fail, and files are the caller's.

use std::fmt::{self, Write};

mod formula;
mod model;
mod script;
mod term;
mod value;

pub use formula::print_formula;
pub use model::print_model;
pub use script::{print_command, print_script};
pub use term::print_term;
pub use value::print_value;

/// Appends formatted text.
fn append(out: &mut String, text: fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(text);
}
