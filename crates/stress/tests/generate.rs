//! First generations: of every logic that has a name, and every shape.

use std::collections::BTreeSet;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_fuzz::inquiry;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_stress::{
    FirstGeneration, FirstGenerationError, Individual, Material, SEED_COMPLEXITY, StringShape, complexity,
    random_input,
};
use sundry_term::TermStore;
use sundry_testing::oracle::Oracle;
use sundry_testing::skipped::skip;

fn printed(store: &TermStore, input: &Individual) -> String {
    inquiry(store, &input.formula(store, None), true).text.to_string()
}

fn parse(text: &str) {
    let source = SourceText::new("input", text);
    let script = parse_script(&mut TermStore::new(), &source, TheorySet::ALL);
    assert!(script.is_ok(), "{text}");
}

/// Every logic that inputs are made of, with those that contain all of them.
const LOGICS: &[(&str, &[&str])] = &[
    ("QF_S", &["QF_S", "QF_SLIA", "QF_LIA", "QF_UF"]),
    ("QF_SLIA", &["QF_S", "QF_SLIA", "QF_LIA", "QF_UF"]),
    ("QF_BV", &["QF_BV", "QF_UF"]),
    ("QF_ABV", &["QF_ABV", "QF_BV", "QF_UF"]),
    ("QF_UFBV", &["QF_UFBV", "QF_BV", "QF_UF"]),
    ("QF_AUFBV", &["QF_AUFBV", "QF_UFBV", "QF_ABV", "QF_BV", "QF_UF"]),
    ("QF_LIA", &["QF_LIA", "QF_UF"]),
    ("QF_IDL", &["QF_LIA", "QF_UF"]),
    ("QF_RDL", &["QF_LRA", "QF_UF"]),
    ("QF_NIA", &["QF_NIA", "QF_LIA", "QF_UF"]),
    ("QF_LRA", &["QF_LRA", "QF_UF"]),
    ("QF_NRA", &["QF_NRA", "QF_LRA", "QF_UF"]),
    ("QF_LIRA", &["QF_LIRA", "QF_LIA", "QF_LRA", "QF_UF"]),
    ("QF_FP", &["QF_FP", "QF_BVFP", "QF_UF"]),
    ("QF_BVFP", &["QF_BVFP", "QF_FP", "QF_BV", "QF_UF"]),
    ("QF_ABVFP", &["QF_ABVFP", "QF_BVFP", "QF_FP", "QF_BV", "QF_ABV", "QF_UF"]),
    ("QF_UF", &["QF_UF"]),
    // Arrays and equalities over a declared sort together have no name of their own.
    ("QF_AX", &["QF_AX", "QF_UF", "ALL"]),
    ("QF_UFLIA", &["QF_UFLIA", "QF_LIA", "QF_UF"]),
    ("QF_ALIA", &["QF_ALIA", "QF_LIA", "QF_UF"]),
    ("QF_AUFLIA", &["QF_AUFLIA", "QF_UFLIA", "QF_ALIA", "QF_LIA", "QF_UF"]),
    ("QF_DT", &["QF_UFDT", "QF_DT", "QF_UF"]),
    ("QF_UFDT", &["QF_UFDT", "QF_DT", "QF_UF"]),
    ("QF_DTLIA", &["ALL", "QF_LIA", "QF_UF"]),
    ("QF_UFDTLIA", &["QF_UFDTLIA", "QF_UFLIA", "ALL", "QF_LIA", "QF_UF"]),
    ("QF_UFNRA", &["QF_UFNRA", "QF_UFLRA", "QF_NRA", "QF_LRA", "QF_UF"]),
];

#[test]
fn random_inputs_stay_within_their_logic() {
    for &(logic, inside) in LOGICS {
        let mut store = TermStore::new();
        let material = Material::of_logic(&mut store, logic).expect(logic);
        let mut random = ChaCha8Rng::seed_from_u64(4);
        for _ in 0..40 {
            let input = random_input(&mut store, &material, &mut random);
            parse(&printed(&store, &input));
            let own = input.formula(&store, None).logic.expect("a logic");
            assert!(inside.contains(&own.as_str()), "{logic}: {own}");
        }
    }
}

/// Asks z3, cvc5 and, where it knows the theory, Bitwuzla about inputs of each logic; none reports an error.
#[test]
fn solvers_read_inputs_of_every_logic() {
    let installed = std::env::var_os("SUNDRY_ORACLES").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv"),
        std::path::PathBuf::from,
    );
    if !installed.join("bin/z3").is_file() {
        skip(
            "solvers_read_inputs_of_every_logic",
            format_args!("there are no solvers in {}", installed.display()),
        );
        return;
    }
    for &(logic, _) in LOGICS {
        let mut store = TermStore::new();
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let first = FirstGeneration::make(&mut store, logic, None, &[], 2, &mut random).expect(logic);
        for input in &first.individuals {
            let script = input.inquiry(&store, None).text.to_string();
            let is_of_bits = ["LIA", "LRA", "NIA", "NRA", "LIRA", "IDL", "RDL", "S", "UF", "AX", "DT"]
                .iter()
                .all(|number| !logic.ends_with(number));
            let oracles = [Oracle::Z3, Oracle::Cvc5, Oracle::Bitwuzla];
            for oracle in oracles.into_iter().filter(|&oracle| oracle != Oracle::Bitwuzla || is_of_bits) {
                let answers = oracle.run(&script, Duration::from_millis(300));
                assert!(answers.other.is_empty(), "{oracle}: {:?}\n{script}", answers.other);
            }
        }
    }
}

#[test]
fn first_generations_have_the_shares_of_their_mix() {
    let make = |mix: Option<&str>, logic: &str, seeds: &[&str]| {
        let mut store = TermStore::new();
        let seeds: Vec<Individual> = seeds
            .iter()
            .map(|text| {
                Individual::read(&mut store, &SourceText::new("seed", *text)).expect("a legal script")
            })
            .collect();
        let mix = mix.map(|mix| mix.parse().expect(mix));
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let first = FirstGeneration::make(&mut store, logic, mix, &seeds, 20, &mut random)?;
        let from_seeds =
            first.individuals.iter().filter(|input| printed(&store, input).contains("seed")).count();
        Ok::<_, FirstGenerationError>((first, from_seeds))
    };
    let seeds = ["(declare-const seed Int) (assert (< seed 3)) (assert (= (* seed seed) 4))"];
    let (first, from_seeds) = make(None, "QF_NIA", &seeds).expect("a generation");
    assert_eq!((first.individuals.len(), from_seeds), (20, 10));
    assert_eq!(make(None, "QF_NIA", &seeds).expect("a generation").0, first);
    let (first, from_seeds) = make(Some("generators=1,random=3"), "QF_S", &seeds).expect("a generation");
    assert_eq!((first.individuals.len(), from_seeds), (20, 0));
    let error = |mix, logic, seeds| make(Some(mix), logic, seeds).expect_err("no generation");
    let no_generators = FirstGenerationError::NoGenerators { logic: "QF_BV".to_string() };
    assert_eq!(error("generators=1", "QF_BV", &[]), no_generators);
    assert_eq!(error("seeds=1", "QF_BV", &[]), FirstGenerationError::NoSeeds { too_complex: 0 });
    assert!(matches!(error("random=1", "QF_XYZ", &[]), FirstGenerationError::Logic(_)));
}

#[test]
fn large_seeds_are_cut_to_random_assertions() {
    let mut store = TermStore::new();
    let sum = |terms: usize| format!("(+{})", " seed".repeat(terms));
    let assertions: String = (0..10).map(|number| format!("(assert (< {} {number}))", sum(150))).collect();
    let huge = format!("(assert (= {} 3))", sum(1_000));
    let mut read = |text: String| {
        let text = format!("(declare-const seed Int) {text}");
        Individual::read(&mut store, &SourceText::new("seed", text)).expect("a legal script")
    };
    let seeds = [read(huge.clone()), read(format!("{huge}{assertions}"))];
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mix = "seeds=1".parse().ok();
    let first =
        FirstGeneration::make(&mut store, "QF_LIA", mix, &seeds, 6, &mut random).expect("a generation");
    assert_eq!(first.too_complex, [0]);
    for input in &first.individuals {
        assert!(complexity(&store, &input.assertions) <= SEED_COMPLEXITY);
        assert!((2..10).contains(&input.assertions.len()), "{}", input.assertions.len());
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
        (StringShape::RandomAst, ["str.replace", "str.indexof"]),
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
