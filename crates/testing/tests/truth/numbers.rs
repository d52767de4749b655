//! Integers and reals: random formulas with arrays, functions, words of bits and products, against z3, cvc5 and the evaluator.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_sample::{Control, Effort, Event, Granularity, Method, Part, Problem, Request, Summary, sample};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Model, TermStore, Value};

use crate::campaign;
use crate::comparison::Comparison;

/// The time that a solver has for one formula.
const LIMIT: Duration = Duration::from_secs(3);

const DECLARATIONS: &str = "(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(declare-const u Real)
(declare-const v Real)
(declare-const p Bool)
(declare-const b (_ BitVec 4))
(declare-const e (_ FloatingPoint 3 4))
(declare-const m RoundingMode)
(declare-fun f (Int) Int)
(declare-fun g (Real Int) Bool)
(declare-fun h ((_ BitVec 4)) Real)
(declare-const a (Array Int Int))
(declare-const i (Array Int Int))
(declare-fun k ((Array Int Int)) Int)
(declare-const c (Array Real Bool))
(declare-const d (Array Int (Array Int Real)))
";

/// Writes random terms.
struct Writer {
    random: ChaCha8Rng,
    /// Whether there are arrays, functions and words.
    has_others: bool,
    /// Whether unknowns are multiplied and divided.
    has_products: bool,
}

impl Writer {
    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices.choose(&mut self.random).expect("there are some")
    }

    fn number(&mut self) -> String {
        match self.random.random_range(-9i64..=9) {
            number if number < 0 => format!("(- {})", -number),
            number => number.to_string(),
        }
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.random_range(0..5) < 2 {
            let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
            return match self.random.random_range(0..5) {
                0 => format!("(not {a})"),
                1 => format!("(ite {} {a} {b})", self.formula(depth - 1)),
                _ => format!("({} {a} {b})", self.one_of(&["and", "or", "xor", "=>"])),
            };
        }
        let relation = self.one_of(&["=", "<", "<=", ">", ">=", "distinct", "="]);
        match self.random.random_range(0..15) {
            14 if self.has_others => {
                let mode = self.one_of(&["RNE", "RNA", "RTP", "RTN", "RTZ", "m"]);
                let relation = self.one_of(&["fp.lt", "fp.leq", "fp.eq", "="]);
                format!("({relation} e ((_ to_fp 3 4) {mode} {}))", self.real(depth))
            }
            0 => self.one_of(&["p", "(not p)"]).to_string(),
            1 => format!("(is_int {})", self.real(depth)),
            2 => format!("(= (mod {} {}) 0)", self.integer(depth), self.random.random_range(1..6)),
            3 => format!(
                "({relation} {} {} {})",
                self.integer(depth),
                self.integer(depth),
                self.integer(depth)
            ),
            4 if self.has_others => format!("(g {} {})", self.real(depth), self.integer(depth)),
            5 if self.has_others => format!("(select c {})", self.real(depth)),
            6 if self.has_others => {
                let relation = self.one_of(&["=", "distinct"]);
                format!("({relation} {} {})", self.array(depth), self.array(depth))
            }
            7 if self.has_others => format!("(bvult {} b)", self.word(depth)),
            8 if self.has_others => {
                let arrays = ["(select d x)", "(select d y)", "((as const (Array Int Real)) 0.5)"];
                format!("(= {} {})", self.one_of(&arrays), self.one_of(&arrays))
            }
            9..11 => format!("({relation} {} {})", self.real(depth), self.real(depth)),
            _ => format!("({relation} {} {})", self.integer(depth), self.integer(depth)),
        }
    }

    /// A comparison of two integers, or what two comparisons say together.
    fn integer_comparison(&mut self) -> String {
        let sum = format!("(+ (* {} x) (* {} y) (* {} z))", self.number(), self.number(), self.number());
        let relation = self.one_of(&["<", "<=", "distinct", ">"]);
        let comparison = match self.random.random_range(0..3) {
            0 => format!("({relation} (mod {sum} {}) {})", self.random.random_range(2..6), self.number()),
            _ => format!("({relation} {sum} {})", self.number()),
        };
        match self.random.random_range(0..3) {
            0 => format!("(or {comparison} {})", self.integer_comparison()),
            _ => comparison,
        }
    }

    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random_range(0..5) == 0 {
            return match self.random.random_range(0..4) {
                0 => self.number(),
                _ => self.one_of(&["x", "y", "z"]).to_string(),
            };
        }
        let depth = depth - 1;
        let a = self.integer(depth);
        match self.random.random_range(0..16) {
            0..4 => format!("(+ {a} {})", self.integer(depth)),
            4 | 5 => format!("(- {a} {})", self.integer(depth)),
            6 | 7 => format!("(* {} {a})", self.number()),
            8 => format!("({} {a} {})", self.one_of(&["div", "mod"]), self.number()),
            9 => format!("(abs {a})"),
            10 => format!("(ite {} {a} {})", self.formula(depth), self.integer(depth)),
            11 => format!("(to_int {})", self.real(depth)),
            12 if self.has_products => {
                let operator = self.one_of(&["*", "*", "div", "mod"]);
                format!("({operator} {a} {})", self.integer(depth))
            }
            13 if self.has_others => format!("(f {a})"),
            14 if self.has_others => match self.random.random_range(0..4) {
                3 => format!("(k {})", self.array(depth)),
                0 => format!("(select (store a {} {}) {a})", self.integer(depth), self.integer(depth)),
                _ => format!("(select a {a})"),
            },
            15 if self.has_others => {
                format!("({} {})", self.one_of(&["ubv_to_int", "sbv_to_int"]), self.word(depth))
            }
            _ => format!("(- {a})"),
        }
    }

    /// An array of integers.
    fn array(&mut self, depth: u32) -> String {
        match self.random.random_range(0..8) {
            0..2 => format!("(store a {} {})", self.integer(depth), self.integer(depth)),
            2 => format!("(store i {} {})", self.integer(depth), self.integer(depth)),
            3 => format!("(ite {} a i)", self.one_of(&["p", "(< x y)"])),
            4 => format!("((as const (Array Int Int)) {})", self.number()),
            _ => self.one_of(&["a", "i"]).to_string(),
        }
    }

    fn real(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random_range(0..5) == 0 {
            return match self.random.random_range(0..5) {
                0 => format!("{}.5", self.random.random_range(0..4)),
                1 => format!("(/ {}.0 {}.0)", self.random.random_range(0..9), self.random.random_range(1..5)),
                _ => self.one_of(&["u", "v"]).to_string(),
            };
        }
        let depth = depth - 1;
        let a = self.real(depth);
        match self.random.random_range(0..12) {
            0..3 => format!("(+ {a} {})", self.real(depth)),
            3 | 4 => format!("(- {a} {})", self.real(depth)),
            5 => format!("(* {}.0 {a})", self.random.random_range(0..5)),
            6 => format!("(/ {a} {}.0)", self.random.random_range(0..4)),
            7 => format!("(to_real {})", self.integer(depth)),
            8 => format!("(ite {} {a} {})", self.formula(depth), self.real(depth)),
            9 if self.has_products => {
                let operator = self.one_of(&["*", "/"]);
                format!("({operator} {a} {})", self.real(depth))
            }
            10 if self.has_others => format!("(h {})", self.word(depth)),
            11 if self.has_others => {
                format!("(select (select d {}) {})", self.integer(depth), self.integer(depth))
            }
            _ => format!("(- {a})"),
        }
    }

    /// A polynomial of two reals.
    fn polynomial(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random_range(0..4) == 0 {
            return self.one_of(&["u", "u", "v", "v", "0.5", "2.0", "(- 3.0)"]).to_string();
        }
        let operator = self.one_of(&["+", "-", "*", "*", "*"]);
        format!("({operator} {} {})", self.polynomial(depth - 1), self.polynomial(depth - 1))
    }

    fn word(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random() {
            return self.one_of(&["b", "#b0011"]).to_string();
        }
        format!("((_ int_to_bv 4) {})", self.integer(depth - 1))
    }
}

fn compare(first_seed: u64, has_others: bool, has_products: bool, leaves_open: usize) {
    let comparison = Comparison { declarations: DECLARATIONS, limit: LIMIT, leaves_open };
    comparison.run(campaign::seeds(120, first_seed), |seed| {
        let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed), has_others, has_products };
        (0..4).map(|_| format!("(assert {})", writer.formula(3))).collect()
    });
}

#[test]
fn linear_arithmetic_is_decided() {
    compare(6, false, false, 0);
}

#[test]
fn numbers_are_indices_elements_arguments_and_words() {
    compare(7, true, false, 0);
}

#[test]
fn products_are_mostly_decided() {
    compare(8, true, true, 3);
}

#[test]
fn polynomials_of_reals_are_mostly_decided() {
    let comparison = Comparison { declarations: DECLARATIONS, limit: LIMIT, leaves_open: 10 };
    comparison.run(campaign::seeds(120, 36), |seed| {
        let random = ChaCha8Rng::seed_from_u64(seed);
        let mut writer = Writer { random, has_others: false, has_products: true };
        let mut assertion = || {
            let operator = writer.one_of(&["<", "<", "<=", ">", ">", ">=", "="]);
            format!("(assert ({operator} {} {}))", writer.polynomial(3), writer.polynomial(2))
        };
        (0..4).map(|_| assertion()).collect()
    });
}

/// The formula of a seed.
fn problem(seed: u64) -> Problem {
    let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed), has_others: true, has_products: true };
    let assertions: String = (0..3).map(|_| format!("(assert {})", writer.formula(3))).collect();
    let source = SourceText::new("formula", format!("{DECLARATIONS} {assertions}"));
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source, TheorySet::SOLVED);
    let formula = script.unwrap_or_else(|error| panic!("{}", error.render(&source))).formula();
    Problem::new(store, formula.assertions, formula.symbols)
}

/// The summary of a run and the number of its solutions; `None` where there is no first solution within the limit.
fn sampled(problem: &Problem, seed: u64, request: Request) -> Option<(Summary, usize)> {
    let control = Control::default().with_deadline(Some(Instant::now() + LIMIT));
    let mut count = 0;
    let request = Request { seed, control, ..request };
    let summary = sample(problem, &request, &mut |event| {
        if let Event::Solutions(solutions) = event {
            count += solutions.count();
        }
        ControlFlow::Continue(())
    });
    Some((summary.ok()?, count))
}

#[test]
fn walks_find_nothing_but_solutions() {
    let (mut formulas, mut solutions) = (0, 0);
    for seed in campaign::seeds(60, 12) {
        let request = Request { max_solutions: Some(300), ..Request::smtsampler(Granularity::Bit) };
        let Some((summary, count)) = sampled(&problem(seed), seed, request) else { continue };
        assert_eq!(summary.rejected, 0, "seed {seed}");
        formulas += usize::from(count > 1);
        solutions += count;
    }
    println!("{solutions} solutions of {formulas} formulas");
    assert!(formulas >= 20, "{formulas} formulas have several solutions");
}

#[test]
fn sets_count_each_ast_bit_of_a_number_once() {
    let mut complete = 0;
    for seed in campaign::seeds(20, 24) {
        let problem = problem(seed);
        let mut request = Request::cover();
        if let Method::Cover { effort, .. } = &mut request.method {
            *effort = Effort::Low;
        }
        let Some((summary, _)) = sampled(&problem, seed, request) else { continue };
        assert_eq!(summary.rejected, 0, "seed {seed}");
        let Part::Set(set) = summary.part else { panic!("sets are asked for") };
        let total = set.validity.valid + set.validity.impossible + set.validity.unknown;
        assert_eq!(total, problem.ast_bits.total() as u64, "seed {seed}");
        complete += usize::from(set.validity.unknown == 0 && set.validity.valid > 0);
    }
    println!("{complete} sets are complete");
    assert!(complete > 0, "no set is complete");
}

/// A formula over integers between -6 and 6, whose differences and sums have narrow ranges.
fn bounded_problem(seed: u64) -> Problem {
    let mut writer =
        Writer { random: ChaCha8Rng::seed_from_u64(seed), has_others: false, has_products: false };
    let assertions: String = (0..3).map(|_| format!("(assert {})", writer.integer_comparison())).collect();
    let text = format!(
        "(declare-const x Int) (declare-const y Int) (declare-const z Int)
         (assert (<= (- 6) x 6)) (assert (<= (- 2) (- y x) 2)) (assert (<= 0 (+ y z) 3)) {assertions}"
    );
    let source = SourceText::new("formula", text);
    let mut store = TermStore::new();
    let formula = parse_script(&mut store, &source, TheorySet::SOLVED).expect("a script").formula();
    Problem::new(store, formula.assertions, formula.symbols)
}

/// The possible AST-bits of integers are those that some of all solutions have.
#[test]
fn bits_of_bounded_integers_are_those_of_all_solutions() {
    let mut compared = 0;
    for seed in campaign::seeds(24, 30) {
        let problem = bounded_problem(seed);
        let mut seen = vec![false; problem.ast_bits.total()];
        for values in (-6..=6).flat_map(|x| (-8..=8).flat_map(move |y| (-8..=11).map(move |z| [x, y, z]))) {
            let mut model = Model::new();
            for (&symbol, value) in problem.symbols.iter().zip(values) {
                model.set_constant(symbol, Value::Int(value.into()));
            }
            let Ok(solution) = problem.judge(model, &Control::default()) else { continue };
            for (number, seen) in seen.iter_mut().enumerate() {
                *seen |= solution.bits.covers(number);
            }
        }
        let possible = seen.iter().filter(|&&seen| seen).count() as u64;
        let Some((summary, _)) = sampled(&problem, seed, Request::cover()) else { continue };
        let Part::Set(set) = summary.part else { panic!("sets are asked for") };
        if possible == 0 {
            assert!(set.solutions.is_empty(), "seed {seed}");
            continue;
        }
        assert!(set.validity.valid <= possible, "seed {seed}: {:?}, {possible} possible", set.validity);
        if set.validity.unknown == 0 {
            assert_eq!(set.validity.valid, possible, "seed {seed}");
            compared += 1;
        }
    }
    println!("{compared} sets are complete");
    assert!(compared >= 8, "{compared} sets are complete");
}
