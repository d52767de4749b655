//! Constant arrays whose indices are of a sort with a handful of values: stores that write all of them leave nothing of the constant.

mod common;

use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking};
use sundry_term::{Value, evaluate};

/// Whether a formula is satisfiable; its model satisfies it.
fn is_satisfiable(text: &str) -> bool {
    let (mut store, assertions) = common::parsed(text);
    let mut session = Session::new(EngineOptions::for_single_questions());
    assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
    match session.check(&mut store, &[], &Limits::default()) {
        Answer::Sat(model) => {
            for &assertion in &assertions {
                assert_eq!(evaluate(&store, &model, assertion), Ok(Value::Bool(true)), "{text}");
            }
            true
        }
        Answer::Unsat(_) => false,
        Answer::Unknown(reason) => panic!("{text}: {reason:?}"),
    }
}

/// That an array with one element everywhere, after stores of the other at these indices, is (or is not) the array with the other everywhere.
fn overwritten(sort: &str, declarations: &str, indices: &[String], is_equal: bool) -> String {
    let array = format!("(Array {sort} Bool)");
    let written = indices
        .iter()
        .fold(format!("((as const {array}) x)"), |below, index| format!("(store {below} {index} (not x))"));
    let equal = format!("(= {written} ((as const {array}) (not x)))");
    let equal = if is_equal { equal } else { format!("(not {equal})") };
    format!("(declare-const x Bool) {declarations} (assert {equal})")
}

/// The sorts, and all values of each.
fn sorts() -> Vec<(&'static str, Vec<String>)> {
    let words = |width: usize| (0..1 << width).map(move |number| format!("{number:0width$b}"));
    let mode = ["RNE", "RNA", "RTP", "RTN", "RTZ"].map(String::from).to_vec();
    let finite = words(4).map(|bits| format!("(fp #b{} #b{} #b{})", &bits[..1], &bits[1..3], &bits[3..]));
    let mut floats: Vec<String> = finite.filter(|value| !value.contains("#b11 #b1")).collect();
    floats.push("(_ NaN 2 2)".into());
    vec![
        ("Bool", vec!["true".into(), "false".into()]),
        ("(_ BitVec 2)", words(2).map(|bits| format!("#b{bits}")).collect()),
        ("RoundingMode", mode),
        ("(_ FloatingPoint 2 2)", floats),
    ]
}

#[test]
fn stores_at_all_values_leave_nothing_of_a_constant_array() {
    for (sort, values) in sorts() {
        for count in [values.len() - 1, values.len()] {
            let covers_all = count == values.len();
            let equal = overwritten(sort, "", &values[..count], true);
            assert_eq!(is_satisfiable(&equal), covers_all, "{equal}");
            let different = overwritten(sort, "", &values[..count], false);
            assert_eq!(is_satisfiable(&different), !covers_all, "{different}");
        }
    }
}

#[test]
fn as_many_different_indices_as_there_are_values_are_all_of_them() {
    for (sort, values) in sorts().into_iter().filter(|(_, values)| values.len() <= 5) {
        for count in [values.len() - 1, values.len()] {
            let names: Vec<String> = (0..count).map(|index| format!("i{index}")).collect();
            let declared: String =
                names.iter().map(|name| format!("(declare-const {name} {sort}) ")).collect();
            let distinct =
                if count > 1 { format!("(assert (distinct {}))", names.join(" ")) } else { String::new() };
            let declarations = format!("{declared} {distinct}");
            let equal = overwritten(sort, &declarations, &names, true);
            assert_eq!(is_satisfiable(&equal), count == values.len(), "{equal}");
            let different = overwritten(sort, &declarations, &names, false);
            assert_eq!(is_satisfiable(&different), count < values.len(), "{different}");
        }
    }
}

#[test]
fn there_are_no_more_different_values_than_a_sort_has() {
    for (sort, values) in sorts().into_iter().filter(|(_, values)| values.len() <= 5) {
        for count in [values.len(), values.len() + 1] {
            // As elements of arrays, which are words for the theory.
            let reads: Vec<String> = (0..count).map(|index| format!("(select a {index})")).collect();
            let text =
                format!("(declare-const a (Array Int {sort})) (assert (distinct {}))", reads.join(" "));
            assert_eq!(is_satisfiable(&text), count == values.len(), "{text}");
        }
    }
}
