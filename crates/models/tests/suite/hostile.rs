//! Texts that no person would write: huge, deep, cut, changed at random, binary.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_models::{Format, print_model_as_script, read};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Control, TermStore};

use crate::common::{message, model};

const FORMATS: [Format; 3] = [Format::Dimacs, Format::Uvl, Format::Pict];

const TEXTS: [&str; 3] = [
    "c 1 a\nc 2$ b\nc ind 1 0\np cnf 3 2\n1 -2 0\n3 0\n",
    "features\n\tR {abstract, n 1.5, s 'x', v [1, 2], w {n 2}}\n\t\tor\n\t\t\t\"A b\" {n 2}\n\t\t\tB\n\t\t[1..2]\n\t\t\tC\n\t\t\tD\nconstraints\n\t\"A b\" => !B & (sum(n) < 3)\n",
    "A: a, ~b, c | d (3)\nB: 1, 2.5\n{A, B} @ 2\nIF [A] = \"a\" AND NOT [B] IN {1, 2} THEN [A] LIKE \"*\" ELSE ([B] <> 2);\n",
];

/// Every text is read, or refused with a place in the text.
fn try_all(text: &str) {
    for format in FORMATS {
        let source = SourceText::new("x", text);
        if let Err(error) = read(format, &source, &Control::default()) {
            let rendered = error.render(&source);
            assert!(rendered.starts_with("x:") && error.span.start <= text.len(), "{rendered}");
            assert!(error.span.start <= error.span.end, "{rendered}");
        }
    }
}

#[test]
fn changed_and_cut_texts_are_read_or_refused() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let pieces =
        ["(", ")", "[", "]", "{", "}", "\"", "'", "\n", "\t", "#", "-", "..", "IF", "=>", "0", "é", ",", ":"];
    for text in TEXTS {
        let ends: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
        ends.iter().for_each(|&end| try_all(&text[..end]));
        for _ in 0..400 {
            let mut changed = text.to_string();
            for _ in 0..random.random_range(1..4) {
                let place = ends[random.random_range(0..ends.len())].min(changed.len());
                if !changed.is_char_boundary(place) {
                    continue;
                }
                if random.random() {
                    changed.insert_str(place, pieces[random.random_range(0..pieces.len())]);
                } else if place < changed.len() {
                    changed.remove(place);
                }
            }
            try_all(&changed);
        }
    }
}

#[test]
fn noise_is_refused() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..200 {
        let noise: String = (0..200).map(|_| char::from(random.random::<u8>())).collect();
        try_all(&noise);
    }
    try_all("");
    try_all("\0");
}

#[test]
fn depth_takes_no_stack() {
    const DEPTH: usize = 200_000;
    let deep = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    let uvl = |constraint: &str| format!("features\n\tA\nconstraints\n\t{constraint}\n");
    for constraint in
        [deep("(", "A", ")"), deep("!", "A", ""), deep("!(", "A", ")"), deep("A => (", "A", ")")]
    {
        assert_eq!(model(Format::Uvl, &uvl(&constraint)).assertions.len(), 2);
    }
    for constraint in [deep("(", "A", ""), deep("A & (", "", "")] {
        assert!(message(Format::Uvl, &uvl(&constraint)).starts_with("model:4:"));
    }
    let nested = format!("features\n\tA {}\n", deep("{a ", "1", "}"));
    assert!(message(Format::Uvl, &nested).contains("nested more than"));
    let pict = |constraint: &str| format!("A: 1, 2\n{constraint};\n");
    for constraint in
        [deep("(", "[A] = 1", ")"), deep("NOT ", "[A] = 1", ""), deep("[A] = 1 AND (", "[A] = 2", ")")]
    {
        // A line that begins with a parenthesis is not a parameter.
        assert_eq!(model(Format::Pict, &pict(&format!("IF [A] = 1 THEN {constraint}"))).assertions.len(), 1);
    }
}

#[test]
fn size_is_no_obstacle_and_has_limits() {
    let mut text = String::from("features\n\tR\n\t\talternative\n");
    for number in 0..20_000 {
        text += &format!("\t\t\tF{number} {{cost {number}.25}}\n");
    }
    text += "constraints\n\tsum(cost) < 100\n";
    assert_eq!(model(Format::Uvl, &text).columns.len(), 20_001);
    let values: Vec<String> = (0..70_000).map(|number| number.to_string()).collect();
    assert!(message(Format::Pict, &format!("A: {}\n", values.join(","))).contains("more than 65536 values"));
    let few = values[..1500].join(",");
    let pairs = message(Format::Pict, &format!("A: {few}\nB: {few}\n[A] < [B];\n"));
    assert!(pairs.contains("too many values to be compared"), "{pairs}");
}

/// A printed model is read back as a formula with as many constants and assertions.
#[test]
fn printed_models_are_scripts() {
    for (format, text) in FORMATS.into_iter().zip(TEXTS) {
        let model = model(format, text);
        let script = print_model_as_script(&model, "a\nb");
        let mut store = TermStore::new();
        let source = SourceText::new("script", &script);
        let read = parse_script(&mut store, &source, TheorySet::DECIDED)
            .unwrap_or_else(|error| panic!("{}\n{script}", error.render(&source)));
        let formula = read.formula();
        assert_eq!(formula.symbols.len(), model.symbols.len(), "{script}");
        assert_eq!(formula.assertions.len(), model.assertions.len(), "{script}");
    }
}
