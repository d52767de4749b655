//! Printing in SMT-LIB syntax. The parser reads printed text back as the same terms.
//!
//! All printing appends to a string, so nothing here can fail; callers write the files.

use sundry_term::{SortId, TermStore};

mod brief;
mod formula;
mod free_variables;
mod head;
mod model;
mod script;
mod term;
mod text;
mod value;

pub use brief::print_term_briefly;
pub use formula::{print_formula, print_formula_with_model};
pub use model::{print_model, print_model_within};
pub use script::{print_command, print_script, print_script_text};
pub use term::{Sharing, print_term};
pub use text::{ScriptText, Word};
pub use value::print_value;

/// Appends items with a space between each and the next.
fn append_spaced<T>(
    out: &mut ScriptText,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut ScriptText, T),
) {
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            out.push(' ');
        }
        write(out, item);
    }
}

/// Appends names with their sorts: `(x S) ...`.
fn append_sorted_names(
    out: &mut ScriptText,
    store: &TermStore,
    names: &[String],
    sorts: impl IntoIterator<Item = SortId>,
) {
    append_spaced(out, names.iter().zip(sorts), |out, (name, sort)| {
        out.append(format_args!("({name} "));
        out.push_sort(store, sort);
        out.push(')');
    });
}
