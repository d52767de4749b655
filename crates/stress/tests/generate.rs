//! First generations: of every logic that has a name, and every shape.

use std::collections::BTreeSet;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_fuzz::inquiry;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_stress::{Individual, Material, StringShape, random_input};
use sundry_term::TermStore;

fn printed(store: &TermStore, input: &Individual) -> String {
    inquiry(store, &input.formula(store, None), true).text.to_string()
}

fn parse(text: &str) {
    let source = SourceText::new("input", text);
    let script = parse_script(&mut TermStore::new(), &source, TheorySet::ALL);
    assert!(script.is_ok(), "{text}");
}

#[test]
fn random_inputs_stay_within_their_logic() {
    for (logic, inside) in [
        ("QF_S", vec!["QF_S", "QF_SLIA", "QF_LIA", "QF_UF"]),
        ("QF_BV", vec!["QF_BV", "QF_UF"]),
        ("QF_ABV", vec!["QF_ABV", "QF_BV", "QF_AX", "QF_UF"]),
        ("QF_LIA", vec!["QF_LIA", "QF_UF"]),
        ("QF_NIA", vec!["QF_NIA", "QF_LIA", "QF_UF"]),
        ("QF_LRA", vec!["QF_LRA", "QF_UF"]),
        ("QF_NRA", vec!["QF_NRA", "QF_LRA", "QF_UF"]),
        // A float can be made of bit-vectors.
        ("QF_FP", vec!["QF_FP", "QF_BVFP", "QF_UF"]),
        ("QF_UFLIA", vec!["QF_UFLIA", "QF_LIA", "QF_UF"]),
    ] {
        let mut store = TermStore::new();
        let material = Material::of_logic(&mut store, logic).expect(logic);
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut seen = BTreeSet::new();
        for _ in 0..60 {
            let input = random_input(&mut store, &material, &mut random);
            parse(&printed(&store, &input));
            seen.insert(input.formula(&store, None).logic.expect("a logic"));
        }
        assert!(seen.contains(inside[0]), "{logic}: {seen:?}");
        // Conversions between sorts have no name.
        let known = |name: &String| inside.contains(&name.as_str()) || name == "ALL";
        assert!(seen.iter().all(known), "{logic}: {seen:?}");
    }
}

#[test]
fn a_logic_that_is_not_known_is_refused() {
    for name in ["QF_XYZ", "BV", "", "qf_bv", "QF_BVX"] {
        let error = Material::of_logic(&mut TermStore::new(), name).expect_err(name);
        assert!(error.to_string().contains(&format!("'{name}'")) && error.to_string().contains("QF_SLIA"));
    }
}

#[test]
fn each_shape_has_its_operators() {
    let mut store = TermStore::new();
    let material = Material::of_logic(&mut store, "QF_S").expect("a logic");
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for (shape, operators) in [
        (StringShape::Concatenations, ["(= ", "str.++"]),
        (StringShape::Lengths, ["str.len", "str.++"]),
        (StringShape::Overlaps, ["(= ", "str.++"]),
        (StringShape::Equalities, ["(= ", "str.++"]),
        (StringShape::RegularExpressions, ["str.in_re", "re.union"]),
    ] {
        let mut texts = BTreeSet::new();
        for _ in 0..30 {
            let input = shape.input(&mut store, &material, &mut random).expect("there are strings");
            let text = printed(&store, &input);
            parse(&text);
            texts.insert(text);
        }
        assert!(texts.len() > 25, "{shape:?}: {} different", texts.len());
        let has = |operator: &&str| texts.iter().any(|text| text.contains(*operator));
        assert!(operators.iter().all(has), "{shape:?}");
    }
    let numbers = Material::of_logic(&mut store, "QF_LIA").expect("a logic");
    assert_eq!(StringShape::Overlaps.input(&mut store, &numbers, &mut random), None);
}
