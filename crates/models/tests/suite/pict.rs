//! Models of PICT.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_models::Format;

use crate::common::{message, model, solutions};

#[test]
fn parameters_have_values_with_names_signs_and_weights() {
    let text = "\u{feff}# A disk\nType: Single (10), Span|Spanned, ~None\n\nCopy: <Type>, More\nSize : ~-1, 0, 2.5\n\
                { Type, Size } @ 2\n{Copy,Size}\n";
    let model = model(Format::Pict, text);
    let [of_type, copy, size] = &model.columns[..] else { panic!("three parameters") };
    let names = |column: &sundry_models::Column| -> Vec<Vec<String>> {
        column.levels.iter().map(|level| level.names.clone()).collect()
    };
    assert_eq!((of_type.name.as_str(), copy.name.as_str(), size.name.as_str()), ("Type", "Copy", "Size"));
    assert_eq!(names(of_type), [vec!["Single"], vec!["Span", "Spanned"], vec!["~None"]]);
    assert_eq!(of_type.levels.iter().map(|level| level.weight).collect::<Vec<_>>(), [10, 1, 1]);
    assert_eq!(copy.levels.len(), 4);
    assert_eq!(size.levels.iter().map(|level| level.is_negative).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(model.groups.len(), 1);
    assert_eq!((model.groups[0].symbols.len(), model.groups[0].strength), (2, 2));
    assert_eq!(model.notes.len(), 1, "a sub-model without an order is told: {:?}", model.notes);
    // Of three negative values, one for each parameter, at most one.
    let negative = |row: &Vec<String>| row.iter().filter(|cell| cell.starts_with('~')).count();
    let rows = solutions(&model);
    assert!(rows.iter().all(|row| negative(row) <= 1));
    assert_eq!(rows.len(), 2 * 3 * 2 + 3 * 2 + 2 * 2 + 2 * 3);
}

#[test]
fn constraints_choose() {
    let count = |constraint: &str| {
        let text = format!("A: a, B, Cc\nN: 1, 2, 10\nM: 2, 10\n{constraint}\n");
        solutions(&model(Format::Pict, &text)).len()
    };
    assert_eq!(count(""), 18);
    assert_eq!(count("[A] = \"b\";"), 6);
    assert_eq!(count("[A] <> \"b\";"), 12);
    assert_eq!(count("[A] > \"a\";"), 12);
    assert_eq!(count("[A] LIKE \"?C\" OR [A] LIKE \"A*\";"), 12);
    assert_eq!(count("[A] not like \"?c\";"), 12);
    assert_eq!(count("[N] IN {1, 10};"), 12);
    assert_eq!(count("[N] NOT IN {1, 10};"), 6);
    assert_eq!(count("[N] = [M];"), 6);
    assert_eq!(count("[N] < [M];"), 9);
    assert_eq!(count("[N] >= 2;"), 12);
    assert_eq!(count("IF [N] > 1 THEN [M] = 2 ELSE [M] = 10;"), 9);
    assert_eq!(count("IF [N] = 1\n# a remark\nTHEN [M] = 2;\n[A] = \"a\";"), 5);
    // NOT binds tighter than AND, and AND tighter than OR.
    assert_eq!(count("NOT [A] = \"a\" AND [N] = 1;"), 4);
    assert_eq!(count("[A] = \"a\" OR [A] = \"b\" AND [N] = 1;"), 8);
    assert_eq!(count("([A] = \"a\" OR [A] = \"b\") AND [N] = 1;"), 4);
    assert_eq!(count("NOT ([A] = \"a\" OR NOT [N] = 1);"), 4);
    let negative = "A: ~x, y\nB: ~x, y, z\nIF IsNegative(A) THEN [B] = \"y\";\nIsPositive(B);";
    assert_eq!(solutions(&model(Format::Pict, negative)).len(), 3);
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_place() {
    let parameters = "Size: 1, 2\nDisk: FAT, NTFS\n";
    for (line, place, words) in [
        ("[Sise] = 1;", "3:1", "there is no parameter 'Sise'"),
        ("[Size] = \"1\";", "3:10", "'Size' is compared with a text"),
        ("[Disk] = 1;", "3:10", "'Disk' is compared with a number"),
        ("[Disk] = [Size];", "3:10", "cannot be compared"),
        ("[Size] LIKE \"1*\";", "3:13", "which have no likeness"),
        ("[Size] = 1", "3:11", "the text ends too early"),
        ("IF [Size] = 1;", "3:14", "does not fit here"),
        ("([Size] = 1;", "3:12", "does not fit here"),
        ("[Size] = 1);", "3:11", "does not fit here"),
        ("[Size = 1;", "3:1", "a name begins here that does not end"),
        ("[Disk] = \"FAT;", "3:10", "a text begins here that does not end"),
        ("[Size] ? 1;", "3:8", "has no meaning"),
        ("disk: a", "3:1", "there is a parameter 'Disk' already"),
        ("{ Size, Disk } @ 3", "3:16", "has no order 3"),
        ("{ Size, Dusk } @ 2", "3:9", "there is no parameter 'Dusk'"),
        ("$Result: a", "3:1", "not supported"),
        ("nothing", "3:1", "this is no parameter"),
        (": a, b", "3:1", "the parameter has no name"),
    ] {
        let message = message(Format::Pict, &format!("{parameters}{line}\n"));
        assert!(message.starts_with(&format!("model:{place}: error: ")), "{line}\n{message}");
        assert!(message.contains(words), "{line}\n{message}");
    }
    assert!(message(Format::Pict, "# nothing\n").contains("there is no parameter in it"));
}

/// A predicate as data, with a meaning of its own.
enum Predicate {
    Compare(usize, &'static str, i32),
    Both(usize, &'static str, usize),
    In(usize, Vec<i32>),
    Not(Box<Predicate>),
    And(Box<Predicate>, Box<Predicate>),
    Or(Box<Predicate>, Box<Predicate>),
}

const RELATIONS: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];

fn compares(left: i32, relation: &str, right: i32) -> bool {
    match relation {
        "=" => left == right,
        "<>" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        _ => left.cmp(&right) != Ordering::Less,
    }
}

impl Predicate {
    fn random(random: &mut ChaCha8Rng, parameters: usize, depth: u32) -> Predicate {
        let parameter = random.random_range(0..parameters);
        let relation = RELATIONS.choose(random).expect("some");
        if depth == 0 {
            return match random.random_range(0..3) {
                0 => Predicate::Compare(parameter, relation, random.random_range(-2..6)),
                1 => Predicate::Both(parameter, relation, random.random_range(0..parameters)),
                _ => Predicate::In(parameter, (0..3).map(|_| random.random_range(-2..6)).collect()),
            };
        }
        let mut deeper = || Box::new(Predicate::random(random, parameters, depth - 1));
        let (left, right) = (deeper(), deeper());
        match random.random_range(0..3) {
            0 => Predicate::Not(left),
            1 => Predicate::And(left, right),
            _ => Predicate::Or(left, right),
        }
    }

    fn holds(&self, row: &[i32]) -> bool {
        match self {
            Predicate::Compare(parameter, relation, value) => compares(row[*parameter], relation, *value),
            Predicate::Both(left, relation, right) => compares(row[*left], relation, row[*right]),
            Predicate::In(parameter, values) => values.contains(&row[*parameter]),
            Predicate::Not(inner) => !inner.holds(row),
            Predicate::And(left, right) => left.holds(row) && right.holds(row),
            Predicate::Or(left, right) => left.holds(row) || right.holds(row),
        }
    }

    /// The text, with parentheses only where they are needed: `outer` is the binding strength of the context.
    fn text(&self, outer: u8) -> String {
        let (text, own) = match self {
            Predicate::Compare(parameter, relation, value) => {
                (format!("[P{parameter}] {relation} {value}"), 4)
            }
            Predicate::Both(left, relation, right) => (format!("[P{left}] {relation} [p{right}]"), 4),
            Predicate::In(parameter, values) => {
                let values: Vec<String> = values.iter().map(i32::to_string).collect();
                (format!("[P{parameter}] in {{{}}}", values.join(", ")), 4)
            }
            Predicate::Not(inner) => (format!("NOT {}", inner.text(3)), 3),
            Predicate::And(left, right) => (format!("{} AND {}", left.text(2), right.text(2)), 2),
            Predicate::Or(left, right) => (format!("{} or {}", left.text(1), right.text(1)), 1),
        };
        if own < outer { format!("({text})") } else { text }
    }
}

#[test]
fn random_constraints_mean_what_they_say() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..200 {
        let parameters: Vec<Vec<i32>> = (0..random.random_range(1..=4))
            .map(|_| (0..random.random_range(1..=5)).map(|value| value - 1).collect())
            .collect();
        let count = parameters.len();
        let constraints: Vec<[Predicate; 3]> = (0..random.random_range(0..3))
            .map(|_| std::array::from_fn(|_| Predicate::random(&mut random, count, 2)))
            .collect();
        let kinds: Vec<u8> = constraints.iter().map(|_| random.random_range(0..3)).collect();
        let mut text = String::new();
        for (number, values) in parameters.iter().enumerate() {
            let values: Vec<String> = values.iter().map(i32::to_string).collect();
            text += &format!("P{number}: {}\n", values.join(", "));
        }
        for ([first, second, third], kind) in constraints.iter().zip(&kinds) {
            let (first, second, third) = (first.text(0), second.text(0), third.text(0));
            text += &match kind {
                0 => format!("{first};\n"),
                1 => format!("IF {first} THEN {second};\n"),
                _ => format!("if {first}\nthen {second}\nelse {third};\n"),
            };
        }
        let mut rows: Vec<Vec<i32>> = vec![Vec::new()];
        for values in &parameters {
            rows = rows
                .iter()
                .flat_map(|row| values.iter().map(|&value| [&row[..], &[value]].concat()))
                .collect();
        }
        rows.retain(|row| {
            constraints.iter().zip(&kinds).all(|([first, second, third], kind)| match kind {
                0 => first.holds(row),
                1 => !first.holds(row) || second.holds(row),
                _ => {
                    if first.holds(row) {
                        second.holds(row)
                    } else {
                        third.holds(row)
                    }
                }
            })
        });
        let expected: BTreeSet<Vec<String>> =
            rows.iter().map(|row| row.iter().map(i32::to_string).collect()).collect();
        assert_eq!(solutions(&model(Format::Pict, &text)), expected, "{text}");
    }
}
