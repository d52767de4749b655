//! Values as text: literals, arrays as chains of stores on a constant array, and elements of
//! declared sorts as the abstract values of the standard, `(as @S!0 S)`.

use sundry_term::{SortDisplay, SortId, TermStore, Value, quote_symbol};

use super::append;
use crate::model_values::element_name;

/// A value of this sort in SMT-LIB syntax.
pub fn print_value(store: &TermStore, sort: SortId, value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, store, sort, value);
    out
}

/// Appends a value of this sort.
pub(super) fn write_value(out: &mut String, store: &TermStore, sort: SortId, value: &Value) {
    enum Step<'a> {
        Value(SortId, &'a Value),
        Text(&'static str),
    }
    let mut stack = vec![Step::Value(sort, value)];
    while let Some(step) = stack.pop() {
        let (sort, value) = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Value(sort, value) => (sort, value),
        };
        match value {
            Value::Bool(value) => append(out, format_args!("{value}")),
            Value::BitVec(value) => append(out, format_args!("{value}")),
            Value::Uninterpreted { index, .. } => {
                let name = element_name(store, sort, *index);
                append(out, format_args!("(as {} {})", quote_symbol(&name), SortDisplay::new(store, sort)));
            }
            Value::Array(array) => {
                let (index_sort, element_sort) = store.array_parts(sort).unwrap_or((sort, sort));
                let entries: Vec<_> = array.entries().collect();
                for &(index, element) in entries.iter().rev() {
                    stack.extend([Step::Text(")"), Step::Value(element_sort, element), Step::Text(" ")]);
                    stack.extend([Step::Value(index_sort, index), Step::Text(" ")]);
                }
                stack.extend([Step::Text(")"), Step::Value(element_sort, array.default())]);
                out.extend(std::iter::repeat_n("(store ", entries.len()));
                append(out, format_args!("((as const {}) ", SortDisplay::new(store, sort)));
            }
        }
    }
}
