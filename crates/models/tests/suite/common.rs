//! Readings of texts, and their solutions by trying all assignments.

use std::collections::BTreeSet;

use sundry_models::{Format, SystemModel, read};
use sundry_smtlib::SourceText;
use sundry_term::{BitVector, Control, Model as Assignment, SortId, Value, evaluate};

/// The model of a text that is right.
#[track_caller]
pub fn model(format: Format, text: &str) -> SystemModel {
    let source = SourceText::new("model", text);
    read(format, &source, &Control::default())
        .unwrap_or_else(|error| panic!("{}\n{text}", error.render(&source)))
}

/// The message about a text that is wrong.
#[track_caller]
pub fn message(format: Format, text: &str) -> String {
    let source = SourceText::new("model", text);
    match read(format, &source, &Control::default()) {
        Ok(_) => panic!("nothing is wrong with\n{text}"),
        Err(error) => error.render(&source),
    }
}

/// The solutions as rows of the columns, found by evaluating all assertions for all values of all bits.
pub fn solutions(model: &SystemModel) -> BTreeSet<Vec<String>> {
    let widths: Vec<u32> = model
        .symbols
        .iter()
        .map(|&symbol| model.store.bit_vec_width(model.store.symbol(symbol).result).unwrap_or(1))
        .collect();
    let bits: u32 = widths.iter().sum();
    assert!(bits <= 20, "too many assignments to be tried");
    let mut rows = BTreeSet::new();
    for number in 0..1_u64 << bits {
        let mut rest = number;
        let mut assignment = Assignment::new();
        for (&symbol, width) in model.symbols.iter().zip(&widths) {
            let value = match model.store.symbol(symbol).result {
                SortId::BOOL => Value::Bool(rest & 1 == 1),
                _ => Value::BitVec(BitVector::from_u64(*width, rest & ((1 << width) - 1))),
            };
            rest >>= width;
            assignment.set_constant(symbol, value);
        }
        let holds = |term| evaluate(&model.store, &assignment, term).expect("a value") == Value::Bool(true);
        if model.assertions.iter().all(|assertion| holds(assertion.term)) {
            let cell = |column: &sundry_models::Column| {
                let value = assignment.constant(column.symbol).expect("every constant has a value");
                column.name_of(value).expect("every value of a solution has a name").to_string()
            };
            rows.insert(model.columns.iter().map(cell).collect());
        }
    }
    rows
}
