//! Two solvers prove every rule, over sorts of different sizes, and refute formulas that must not be rules.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_fuzz::{Direction, RuleBook};
use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script, print_term};
use sundry_term::{
    FloatFormat, Model, Op, Sort, SortDisplay, SortId, TermId, TermStore, Text, Value, evaluate,
};
use sundry_testing::oracle::{Answer, Oracle};

/// Longest for all rules of a sort.
const LIMIT: Duration = Duration::from_secs(240);

/// The claim of each rule over a sort, with its literal and formula as text.
fn claims(store: &mut TermStore, sort: SortId) -> Vec<(TermId, String)> {
    let mut book = RuleBook::default();
    let rules = book.of_sort(store, sort).expect("there are rules").all().to_vec();
    let claim = |rule: sundry_fuzz::Rule| {
        let (from, to) = match rule.direction {
            Some(Direction::Over) => (rule.literal, rule.formula),
            Some(Direction::Under) => (rule.formula, rule.literal),
            None => (rule.literal, rule.formula),
        };
        let op = if rule.direction.is_some() { Op::Implies } else { Op::Equal };
        let claim = store.make(op, &[from, to]);
        let claim = match rule.condition {
            Some(condition) => store.make(Op::Implies, &[condition, claim]),
            None => claim,
        };
        (
            claim,
            format!(
                "{:?} {} {}",
                rule.direction,
                print_term(store, rule.literal),
                print_term(store, rule.formula)
            ),
        )
    };
    rules.into_iter().map(claim).collect()
}

const VARIABLES: [&str; 3] = ["x", "y", "a"];

fn declarations(sort: &str) -> String {
    VARIABLES.map(|name| format!("(declare-fun {name} () {sort})\n")).concat()
}

/// The rules over a sort that a solver does not prove within a number of milliseconds for each; a refuted rule is a
/// failure.
fn unproved(
    oracle: Oracle,
    sort: &str,
    claims: &[(TermId, String)],
    store: &TermStore,
    milliseconds: u128,
) -> Vec<usize> {
    let option = match oracle {
        Oracle::Z3 => "timeout",
        _ => "tlimit-per",
    };
    let common = format!("(set-option :{option} {milliseconds})\n(set-logic ALL)\n{}", declarations(sort));
    let questions: Vec<String> =
        claims.iter().map(|(claim, _)| format!("(assert (not {}))", print_term(store, *claim))).collect();
    let answers = oracle.ask(&common, &questions, LIMIT);
    for ((_, rule), answer) in claims.iter().zip(&answers) {
        assert_ne!(*answer, Answer::Sat, "{oracle} refutes over {sort}: {rule}");
    }
    (0..answers.len()).filter(|&number| answers[number] == Answer::Unknown).collect()
}

fn proved_by_both(sort: impl Fn(&mut TermStore) -> SortId) {
    let mut store = TermStore::new();
    let sort = sort(&mut store);
    let claims = claims(&mut store, sort);
    let sort = SortDisplay::new(&store, sort).to_string();
    for oracle in [Oracle::Z3, Oracle::Cvc5] {
        let open = unproved(oracle, &sort, &claims, &store, LIMIT.as_millis());
        let open: Vec<&str> = open.into_iter().map(|number| claims[number].1.as_str()).collect();
        assert!(open.is_empty(), "over {sort}, {oracle} does not prove:\n{}", open.join("\n"));
    }
}

#[test]
fn numbers() {
    proved_by_both(|_| SortId::INT);
    proved_by_both(|_| SortId::REAL);
}

#[test]
fn bit_vectors() {
    for width in [1, 8, 13, 32] {
        proved_by_both(|store| store.bit_vec_sort(width).expect("a width"));
    }
}

#[test]
fn floating_point() {
    for (exponent_bits, significand_bits) in [(3, 5), (5, 11)] {
        let format = FloatFormat::new(exponent_bits, significand_bits).expect("a format");
        proved_by_both(|store| store.intern_sort(Sort::Float(format)).expect("a sort"));
    }
}

/// Rules on strings hold for all strings if a solver proves it, and otherwise for those with up to three characters.
#[test]
fn strings() {
    let mut store = TermStore::new();
    let claims = claims(&mut store, SortId::STRING);
    let bound = VARIABLES.map(|name| format!("(assert (<= (str.len {name}) 3))\n")).concat();
    for oracle in [Oracle::Z3, Oracle::Cvc5] {
        let open = unproved(oracle, "String", &claims, &store, 1_500);
        assert!(open.len() < claims.len() / 2, "{oracle} proves only few of all strings");
        for number in open {
            let (claim, rule) = &claims[number];
            // Solvers are better at a single question.
            let claim = print_term(&store, *claim);
            let script = format!(
                "(set-logic ALL)\n{}{bound}(assert (not {claim}))(check-sat)",
                declarations("String")
            );
            let answers = oracle.run(&script, LIMIT).answers;
            assert_eq!(answers, [Answer::Unsat], "{oracle} does not prove of short strings: {rule}");
        }
    }
}

/// Values of x, y and a: all words of two letters up to length 3, and random ones with other characters.
fn texts() -> Vec<[Text; 3]> {
    let words = |length: u32| {
        (0..1u32 << length).map(move |bits| (0..length).map(|place| 0x61 + (bits >> place & 1)).collect())
    };
    let words: Vec<Vec<u32>> = (0..=3).flat_map(words).collect();
    let text = |characters: &[u32]| Text::new(characters).expect("characters of the theory");
    let mut triples = Vec::new();
    for x in &words {
        for y in &words {
            triples.extend(words.iter().map(|a| [x, y, a].map(|word| text(word))));
        }
    }
    assert_eq!(triples.len(), 15 * 15 * 15);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    triples.extend((0..4_000).map(|_| {
        [(); 3].map(|()| {
            let length = random.random_range(0..5);
            let characters: Vec<u32> = (0..length)
                .map(|_| *[0x61, 0x62, 0x1f600, 0x2ffff, 0].choose(&mut random).expect("there are some"))
                .collect();
            text(&characters)
        })
    }));
    triples
}

/// Whether a claim about x, y and a holds for all these values.
fn holds_for(store: &mut TermStore, claim: TermId, triples: &[[Text; 3]]) -> bool {
    let symbols = Formula::of_assertions(store, vec![claim]).symbols;
    triples.iter().all(|triple| {
        let mut model = Model::new();
        for &symbol in &symbols {
            let position = VARIABLES.iter().position(|name| **name == *store.symbol(symbol).name);
            let text = triple[position.expect("no other variables")].clone();
            model.set_constant(symbol, Value::String(text));
        }
        evaluate(store, &model, claim) == Ok(Value::Bool(true))
    })
}

#[test]
fn rules_over_strings_are_evaluated() {
    let mut store = TermStore::new();
    let triples = texts();
    for (claim, rule) in claims(&mut store, SortId::STRING) {
        assert!(holds_for(&mut store, claim, &triples), "{rule}");
    }
}

/// Formulas that look like rules and are none, each with its sort and claim.
const REJECTED: &[(&str, &str, &str)] = &[
    ("U1", "String", "(=> (str.suffixof x y) (str.<= x y))"),
    ("U2", "String", "(=> (str.contains x y) (str.<= y x))"),
    (
        "U3",
        "String",
        "(=> (and (str.suffixof x a) (str.prefixof x a) (str.suffixof y a) (str.prefixof y a)) (= x y))",
    ),
    (
        "U3",
        "String",
        "(=> (and (> (str.len x) 0) (str.suffixof x a) (str.prefixof x a) (str.suffixof y a) (str.prefixof y a))
             (= x y))",
    ),
    ("U4", "Float", "(=> (= x y) (fp.leq x y))"),
    ("U4", "Float", "(=> (= x y) (fp.geq x y))"),
    ("U5", "Float", "(=> (and (fp.leq a x) (fp.leq x a) (fp.leq a y) (fp.leq y a)) (= x y))"),
    ("U6", "Float", "(=> (not (= x y)) (or (not (fp.eq x a)) (not (fp.eq y a))))"),
    ("U7", "Float", "(=> (not (fp.lt x y)) (fp.geq x y))"),
    ("U7", "Float", "(=> (not (fp.leq x y)) (fp.gt x y))"),
    ("U8", "Float", "(=> (= x y) (fp.eq x y))"),
    ("U9", "Float", "(=> (fp.eq x y) (= x y))"),
    ("U10", "Float", "(=> (and (fp.isNaN a) (fp.lt x y)) (or (fp.lt x a) (fp.lt a y)))"),
    ("U11", "(_ BitVec 8)", "(=> (and (bvule x y) (bvugt a #x00)) (bvult x (bvadd y a)))"),
    ("U11", "(_ BitVec 8)", "(=> (and (bvule (bvadd x a) y) (bvugt a #x00)) (bvult x y))"),
    ("U12", "(_ BitVec 8)", "(=> (and (bvslt x y) (bvslt a #x00)) (bvslt x (bvor y a)))"),
    ("U13", "Int", "(=> (and (<= (+ x a) y) (>= a 0)) (< x y))"),
    ("U13", "Real", "(=> (and (< x (+ y a)) (> a 0.0)) (< x y))"),
    ("U14", "Int", "(=> (not (= x y)) (and (not (= x a)) (not (= y a))))"),
];

#[test]
fn what_must_not_be_a_rule_is_refuted() {
    let ids: BTreeSet<&str> = REJECTED.iter().map(|&(id, ..)| id).collect();
    assert_eq!(ids.len(), 14);
    let triples = texts();
    for (id, sort, claim) in REJECTED {
        let sorts: &[&str] = match *sort {
            "Float" => &["(_ FloatingPoint 3 5)", "(_ FloatingPoint 5 11)"],
            ref other => std::slice::from_ref(other),
        };
        for sort in sorts {
            let declarations = declarations(sort);
            for oracle in [Oracle::Z3, Oracle::Cvc5] {
                let question = format!("(assert (not {claim}))");
                let common = format!("(set-logic ALL)\n{declarations}");
                assert_eq!(oracle.ask(&common, &[question], LIMIT), [Answer::Sat], "{oracle}: {id} {claim}");
            }
            if *sort == "String" {
                let mut store = TermStore::new();
                let source = SourceText::new(*id, format!("{declarations}(assert {claim})"));
                let script = parse_script(&mut store, &source, TheorySet::ALL).expect("a legal script");
                let claim = script.formula().assertions[0];
                assert!(!holds_for(&mut store, claim, &triples), "{id}");
            }
        }
    }
}

/// The numbers of rules for each literal: over, under, and other forms of it.
#[test]
fn no_rule_is_lost() {
    let mut store = TermStore::new();
    let bits = store.bit_vec_sort(8).expect("a width");
    let float = store.intern_sort(Sort::Float(FloatFormat::new(3, 5).expect("a format"))).expect("a sort");
    let mut book = RuleBook::default();
    let mut found = String::new();
    for sort in [SortId::INT, bits, float, SortId::STRING] {
        let rules = book.of_sort(&mut store, sort).expect("there are rules").all().to_vec();
        let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
        for rule in rules {
            let position = match rule.direction {
                Some(Direction::Over) => 0,
                Some(Direction::Under) => 1,
                None => 2,
            };
            counts.entry(print_term(&store, rule.literal)).or_default()[position] += 1;
        }
        found.push_str(&format!("{}\n", SortDisplay::new(&store, sort)));
        for (literal, [over, under, same]) in counts {
            found.push_str(&format!("  {literal}: {over} {under} {same}\n"));
        }
    }
    assert_eq!(found, RULES);
}

const RULES: &str = "\
Int
  (< x y): 4 4 0
  (<= x y): 3 4 0
  (= x y): 5 1 0
  (> x y): 4 4 0
  (>= x y): 4 4 0
  (not (< x y)): 0 0 1
  (not (<= x y)): 0 0 1
  (not (= x y)): 1 3 0
  (not (> x y)): 0 0 1
  (not (>= x y)): 0 0 1
(_ BitVec 8)
  (= x y): 5 2 0
  (bvsge x y): 3 5 0
  (bvsgt x y): 5 4 0
  (bvsle x y): 3 5 0
  (bvslt x y): 5 4 0
  (bvuge x y): 4 5 0
  (bvugt x y): 6 4 0
  (bvule x y): 4 5 0
  (bvult x y): 6 4 0
  (not (= x y)): 1 5 0
  (not (bvsge x y)): 0 0 1
  (not (bvsgt x y)): 0 0 1
  (not (bvsle x y)): 0 0 1
  (not (bvslt x y)): 0 0 1
  (not (bvuge x y)): 0 0 1
  (not (bvugt x y)): 0 0 1
  (not (bvule x y)): 0 0 1
  (not (bvult x y)): 0 0 1
(_ FloatingPoint 3 5)
  (= x y): 3 2 0
  (fp.eq x y): 3 2 0
  (fp.geq x y): 3 4 0
  (fp.gt x y): 5 2 0
  (fp.leq x y): 3 4 0
  (fp.lt x y): 5 2 0
  (not (= x y)): 2 2 0
  (not (fp.eq x y)): 1 3 0
  (not (fp.geq x y)): 0 1 0
  (not (fp.gt x y)): 1 1 0
  (not (fp.leq x y)): 0 1 0
  (not (fp.lt x y)): 1 1 0
String
  (= x y): 6 5 0
  (not (= x y)): 1 3 0
  (not (str.< x y)): 0 0 1
  (not (str.<= x y)): 0 0 1
  (str.< x y): 5 6 0
  (str.<= x y): 3 5 0
  (str.contains x y): 3 5 0
  (str.prefixof x y): 4 3 0
  (str.suffixof x y): 3 3 0
";
