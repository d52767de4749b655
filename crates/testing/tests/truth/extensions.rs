//! Operators that solvers have beyond the standard, and integers computed from bit-vectors: random formulas over
//! three of them against the list of all assignments, and against z3 (and Bitwuzla for the operators that only it
//! has).

use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script};
use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking};
use sundry_term::{BitVector, Model, TermStore, Value, evaluate};
use sundry_testing::oracle::{self, Oracle};

const DECLARATIONS: &str =
    "(declare-const x (_ BitVec 3))\n(declare-const y (_ BitVec 3))\n(declare-const z (_ BitVec 3))\n";

const FORMULAS: u64 = 300;

/// Writes random terms.
struct Writer {
    random: ChaCha8Rng,
}

impl Writer {
    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices.choose(&mut self.random).expect("there are some")
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random_range(0..5) < 3 {
            let (a, b) = (self.integer(depth), self.integer(depth));
            return match self.random.random_range(0..8) {
                0 => format!("((_ divisible {}) {a})", self.random.random_range(1..6)),
                1 => format!("(= {} {})", self.vector(depth), self.vector(depth)),
                2 => format!("({} {a} {b} {})", self.one_of(&["<", "distinct", ">="]), self.integer(depth)),
                _ => format!("({} {a} {b})", self.one_of(&["<", "<=", ">", ">=", "=", "distinct"])),
            };
        }
        let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.random.random_range(0..4) {
            0 => format!("(not {a})"),
            _ => format!("({} {a} {b})", self.one_of(&["and", "or", "iff", "implies", "xor"])),
        }
    }

    fn vector(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one_of(&["x", "y", "z", "#b101"]).to_string();
        }
        let (a, b) = (self.vector(depth - 1), self.vector(depth - 1));
        match self.random.random_range(0..4) {
            0 => format!("((_ int_to_bv 3) {})", self.integer(depth - 1)),
            1 => format!("(if {} {a} {b})", self.formula(depth - 1)),
            _ => format!("({} {a} {b})", self.one_of(&["ext_rotate_left", "ext_rotate_right", "bvadd"])),
        }
    }

    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.random_range(0..4) {
                0 => self.random.random_range(0..9).to_string(),
                _ => format!(
                    "({} {})",
                    self.one_of(&["ubv_to_int", "sbv_to_int"]),
                    self.one_of(&["x", "y", "z"])
                ),
            };
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.random.random_range(0..8) {
            0 => format!("(- {a})"),
            1 => format!("(abs {a})"),
            2 => format!(
                "({} {a} {})",
                self.one_of(&["div", "mod"]),
                self.one_of(&["1", "3", "4", "(- 2)", "(- 5)"])
            ),
            3 => format!("(ite {} {a} {b})", self.formula(depth - 1)),
            4 => format!("({} {})", self.one_of(&["ubv_to_int", "sbv_to_int"]), self.vector(depth - 1)),
            _ => format!("({} {a} {b})", self.one_of(&["+", "-", "*"])),
        }
    }
}

/// z3 reads `divisible` only in some logics, so a function with another name replaces it.
fn without_divisible(text: String) -> String {
    (1..6).fold(text, |text, divisor| {
        text.replace(&format!("((_ divisible {divisor}) "), &format!("(divisible-by-{divisor} "))
    })
}

/// Whether some assignment satisfies the formula, by trying all.
fn has_model(store: &TermStore, formula: &Formula) -> bool {
    (0..512u64).any(|number| {
        let mut model = Model::new();
        for (position, &symbol) in formula.symbols.iter().enumerate() {
            let value = BitVector::from_u64(3, number >> (3 * position) & 7);
            model.set_constant(symbol, Value::BitVec(value));
        }
        let holds = |&assertion| evaluate(store, &model, assertion) == Ok(Value::Bool(true));
        formula.assertions.iter().all(holds)
    })
}

#[test]
fn integers_of_bit_vectors_are_decided() {
    let (mut questions, mut expected) = (Vec::new(), Vec::new());
    for seed in 0..FORMULAS {
        let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed) };
        let assertions: Vec<String> = (0..3).map(|_| format!("(assert {})", writer.formula(2))).collect();
        let text = assertions.join("\n");
        let source = SourceText::new("formula", format!("{DECLARATIONS}{text}"));
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &source, TheorySet::DECIDED);
        let formula = script.unwrap_or_else(|error| panic!("{}", error.render(&source))).formula();
        let mut session = Session::new(EngineOptions::default());
        formula.assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        let answer = session.check(&mut store, &[], &Limits::default());
        let is_sat = has_model(&store, &formula);
        match answer {
            Answer::Sat(model) => {
                assert!(is_sat, "sat, but there is no model: {text}");
                for &assertion in &formula.assertions {
                    assert_eq!(evaluate(&store, &model, assertion), Ok(Value::Bool(true)), "{text}");
                }
            }
            Answer::Unsat(_) => assert!(!is_sat, "unsat, but there is a model: {text}"),
            Answer::Unknown(reason) => panic!("{reason}: {text}"),
        }
        questions.push(without_divisible(text));
        expected.push(if is_sat { oracle::Answer::Sat } else { oracle::Answer::Unsat });
    }
    let divisible = (1..6).map(|divisor| {
        format!("(define-fun divisible-by-{divisor} ((n Int)) Bool (= 0 (mod n {divisor})))\n")
    });
    let common: String = [DECLARATIONS.to_string()].into_iter().chain(divisible).collect();
    let answers = Oracle::Z3.ask(&common, &questions, Duration::from_secs(120));
    for ((answer, expected), question) in answers.iter().zip(&expected).zip(&questions) {
        assert!(answer == expected || *answer == oracle::Answer::Unknown, "z3 says {answer:?} to {question}");
    }
    let count = |wanted| expected.iter().filter(|&&answer| answer == wanted).count();
    assert!(count(oracle::Answer::Sat) > 30 && count(oracle::Answer::Unsat) > 30, "both answers are usual");
}

/// The values of the evaluator for operators on all values of four bits, confirmed by solvers that have them.
#[test]
fn operators_beyond_the_standard_mean_the_same_elsewhere() {
    let mut facts = [(Oracle::Bitwuzla, Vec::new()), (Oracle::Z3, Vec::new())];
    for number in 0..256u32 {
        let (a, b) = (format!("#b{:04b}", number % 16), format!("#b{:04b}", number / 16));
        for op in ["ext_rotate_left", "ext_rotate_right"] {
            facts[1].1.push(format!("({op} {a} {b})"));
        }
        if number < 16 {
            facts[0].1.extend(["bvinc", "bvdec", "bvredxor"].map(|op| format!("({op} {a})")));
        }
    }
    for (oracle, terms) in facts {
        let logic = if oracle == Oracle::Bitwuzla { "(set-logic QF_BV)\n" } else { "" };
        let mut script = String::from(logic);
        for term in terms {
            let mut store = TermStore::new();
            let source = SourceText::new("term", format!("(assert (= {term} {term}))"));
            let formula = parse_script(&mut store, &source, TheorySet::DECIDED).expect("legal").formula();
            let term_id = store.args(formula.assertions[0])[0];
            let Ok(Value::BitVec(value)) = evaluate(&store, &Model::new(), term_id) else {
                panic!("{term} has no value")
            };
            let digits: String =
                (0..value.width()).rev().map(|bit| if value.bit(bit) { '1' } else { '0' }).collect();
            script.push_str(&format!("(assert (= {term} #b{digits}))\n"));
        }
        let answers = oracle.run(&format!("{script}(check-sat)\n"), Duration::from_secs(60));
        assert_eq!((answers.answers, answers.other), (vec![oracle::Answer::Sat], vec![]), "{oracle}");
    }
}
