//! DIMACS CNF.

use std::collections::BTreeSet;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_models::Format;

use crate::common::{message, model, solutions};

#[test]
fn variables_have_their_names_and_auxiliary_ones_are_no_columns() {
    let text =
        "c 1 root\nc 2 left side\nc 3$ generated\nc 2024 was a year\nc no name\np cnf 4 2\n1 0\n-2\n3 0\n";
    let model = model(Format::Dimacs, text);
    let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["root", "left side", "4"]);
    assert_eq!(model.symbols.len(), 4);
    assert_eq!(model.assertions.len(), 2);
    assert_eq!(solutions(&model).len(), 4);
    assert!(model.notes.is_empty());
}

#[test]
fn lists_say_what_is_shown() {
    let independent = "c ind 1 3 0\nc ind 4 0\np cnf 4 1\n1 2 3 4 0\n";
    let names = |text| -> Vec<String> {
        model(Format::Dimacs, text).columns.into_iter().map(|column| column.name).collect()
    };
    assert_eq!(names(independent), ["1", "3", "4"]);
    let shown = format!("c p show 2 0\n{independent}");
    assert_eq!(names(&shown), ["2"]);
}

#[test]
fn wrong_numbers_are_told_or_refused() {
    let more = model(Format::Dimacs, "p cnf 2 1\n1 2 0\n-3 0\n");
    assert_eq!((more.symbols.len(), more.assertions.len(), more.notes.len()), (3, 2, 2));
    let without = model(Format::Dimacs, "p cnf\n1 2 0\n");
    assert_eq!((without.symbols.len(), without.notes.len()), (2, 1));
    let fewer = message(Format::Dimacs, "p cnf 2 3\n1 2 0\n");
    assert!(fewer.starts_with("model:1:1: error: 3 clauses are announced and 1 are there"), "{fewer}");
    let cut = message(Format::Dimacs, "p cnf 2 1\n1 2\n");
    assert!(cut.starts_with("model:2:1: error: the last clause has no end"), "{cut}");
    let headless = message(Format::Dimacs, "c a\n1 2 0\n");
    assert!(headless.starts_with("model:2:1: error: a clause stands before"), "{headless}");
    let word = message(Format::Dimacs, "p cnf 2 1\n1 x 0\n");
    assert!(word.starts_with("model:2:3: error: 'x' is no literal"), "{word}");
    let kind = message(Format::Dimacs, "p wcnf 2 1 4\n");
    assert!(kind.contains("'p wcnf' is another kind of problem"), "{kind}");
    let many = message(Format::Dimacs, "p cnf 999999999999 0\n");
    assert!(many.starts_with("model:1:7: error: there are more variables"), "{many}");
}

#[test]
fn random_clauses_mean_what_they_say() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..300 {
        let variables = random.random_range(1..=8_usize);
        let clauses: Vec<Vec<i64>> = (0..random.random_range(0..12))
            .map(|_| {
                let literal = |random: &mut ChaCha8Rng| {
                    let variable = random.random_range(1..=variables) as i64;
                    if random.random() { variable } else { -variable }
                };
                (0..random.random_range(0..4)).map(|_| literal(&mut random)).collect()
            })
            .collect();
        let mut text = format!("p cnf {variables} {}\n", clauses.len());
        for literal in clauses.iter().flat_map(|clause| clause.iter().chain(&[0])) {
            text += &literal.to_string();
            text.push(if random.random() { ' ' } else { '\n' });
        }
        let expected: BTreeSet<Vec<String>> = (0..1_u32 << variables)
            .map(|number| (0..variables).map(|bit| number >> bit & 1 == 1).collect::<Vec<bool>>())
            .filter(|values| {
                let holds = |literal: &i64| values[literal.unsigned_abs() as usize - 1] == (*literal > 0);
                clauses.iter().all(|clause| clause.iter().any(holds))
            })
            .map(|values| values.iter().map(bool::to_string).collect())
            .collect();
        assert_eq!(solutions(&model(Format::Dimacs, &text)), expected, "{text}");
    }
}
