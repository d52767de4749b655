//! Floats, rounding modes and bounded integers at volume and in tuples: random formulas against the list of all their solutions.
//!
//! All solutions have to be found where that is claimed, every solution has to be one, and t-wise runs have to cover exactly the
//! pairs of values that some solution has.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_coverage::Predicate;
use sundry_sample::{
    Control, Event, Granularity, Guidance, Part, Problem, Request, StopReason, Summary, sample,
};
use sundry_smtlib::{SourceText, TheorySet, parse_script, print_model};
use sundry_term::{BitVector, Float, FloatFormat, Model, RoundingMode, SymbolId, TermStore, Value};

use crate::campaign;

/// Bounds of the integers follow from two assertions together.
const INTEGERS: &str = "(declare-const n Int) (declare-const k Int)
    (assert (<= 0 n (- 4 k))) (assert (<= n (+ n k)))";

/// Writes random formulas over one float, one rounding mode, one truth value and perhaps two integers.
struct Writer {
    random: ChaCha8Rng,
    has_integers: bool,
}

impl Writer {
    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices.choose(&mut self.random).expect("there are some")
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random_range(0..4) == 0 {
            return match self.random.random_range(0..4) {
                0 => format!("((_ to_fp 2 3) RNE {}.5)", self.random.random_range(0..4)),
                _ => "e".to_string(),
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        match self.random.random_range(0..5) {
            0 => format!("(fp.neg {a})"),
            1 => format!("(fp.sqrt m {a})"),
            2 => format!("(ite {} {a} {b})", self.formula(depth - 1)),
            _ => format!("({} m {a} {b})", self.one_of(&["fp.add", "fp.mul", "fp.div", "fp.sub"])),
        }
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.random_range(0..3) > 0 {
            let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
            return format!("({} {a} {b})", self.one_of(&["or", "or", "xor", "=>", "and"]));
        }
        match self.random.random_range(0..5) {
            0 => "p".to_string(),
            1 => format!("(= m {})", self.one_of(&["RNE", "RTP", "RTZ"])),
            2 if self.has_integers => {
                let relation = self.one_of(&["<", "=", "distinct"]);
                format!("({relation} (+ n (* 2 k)) {})", self.random.random_range(0..6))
            }
            _ => format!(
                "({} {} {})",
                self.one_of(&["fp.lt", "fp.leq", "fp.eq", "="]),
                self.value(2),
                self.value(1)
            ),
        }
    }
}

/// A formula with predicates for its solutions.
struct Case {
    problem: Problem,
    predicates: Vec<Predicate>,
    /// The values that each constant may have.
    domains: Vec<Vec<Value>>,
}

fn case(seed: u64, has_integers: bool) -> Case {
    let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed), has_integers };
    let assertions: String = (0..2).map(|_| format!("(assert {})", writer.formula(2))).collect();
    let integers = if has_integers { INTEGERS } else { "" };
    let text = format!(
        "(declare-const e (_ FloatingPoint 2 3)) (declare-const m RoundingMode) (declare-const p Bool)
         {integers} {assertions}
         (assert (or p (not p) (fp.isNaN e) (fp.isZero e) (fp.lt e ((_ to_fp 2 3) RNE 1.0))))"
    );
    let source = SourceText::new("formula", text);
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source, TheorySet::SOLVED);
    let formula = script.unwrap_or_else(|error| panic!("{}", error.render(&source))).formula();
    // The last assertion is a tautology of the predicates.
    let all = *formula.assertions.last().expect("assertions");
    let terms = store.args(all).iter().copied().skip(2);
    let predicates = terms.map(|term| Predicate { name: String::new(), term }).collect();
    let format = FloatFormat::new(2, 3).expect("a format");
    let floats: BTreeSet<BitVector> = (0..32)
        .map(|bits| Float::from_bits(format, &BitVector::from_u64(5, bits)).canonical_bits())
        .collect();
    let floats = floats.iter().map(|bits| Value::Float(Float::from_bits(format, bits).into()));
    let integers = || (0..=4).map(|number| Value::Int(number.into())).collect::<Vec<Value>>();
    let mut domains = vec![
        floats.collect(),
        RoundingMode::ALL.map(Value::RoundingMode).to_vec(),
        [false, true].map(Value::Bool).to_vec(),
    ];
    domains.extend(has_integers.then(|| [integers(), integers()]).into_iter().flatten());
    Case { problem: Problem::new(store, formula.assertions, formula.symbols), predicates, domains }
}

impl Case {
    /// All solutions, by trying all values.
    fn solutions(&self) -> Vec<Model> {
        let mut models = vec![Model::new()];
        for (&symbol, domain) in self.problem.symbols.iter().zip(&self.domains) {
            let with = |model: &Model, value: &Value| {
                let mut model = model.clone();
                model.set_constant(symbol, value.clone());
                model
            };
            models =
                models.iter().flat_map(|model| domain.iter().map(move |value| with(model, value))).collect();
        }
        models.retain(|model| self.problem.judge(model.clone(), &Control::default()).is_ok());
        models
    }

    fn print(&self, model: &Model) -> String {
        print_model(&self.problem.store, model, &self.problem.symbols)
    }

    /// The solutions of a run, which are all different and judged once more, with the classes of their predicates.
    fn run(&self, seed: u64, request: Request) -> (BTreeSet<String>, BTreeSet<String>, Summary) {
        let (mut found, mut classes) = (BTreeSet::new(), BTreeSet::new());
        let request = Request { seed, ..request };
        let summary = sample(&self.problem, &request, &mut |event| {
            if let Event::Solutions(solutions) = event {
                classes.extend(solutions.classes().map(|class| class.digits()));
                for model in solutions.models() {
                    let text = self.print(&model);
                    assert!(self.problem.judge(model, &Control::default()).is_ok(), "seed {seed}: {text}");
                    assert!(found.insert(text), "seed {seed}: a solution comes twice");
                }
            }
            ControlFlow::Continue(())
        });
        let summary = summary.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(summary.rejected, 0, "seed {seed}");
        (found, classes, summary)
    }
}

/// The pairs of values of different constants that some solution has.
fn pairs(symbols: &[SymbolId], solutions: &[Model]) -> usize {
    let mut pairs: BTreeMap<(usize, usize), BTreeSet<(Value, Value)>> = BTreeMap::new();
    for model in solutions {
        let values: Vec<&Value> =
            symbols.iter().map(|&symbol| model.constant(symbol).expect("a value")).collect();
        for right in 0..values.len() {
            for left in 0..right {
                let pair = (values[left].clone(), values[right].clone());
                pairs.entry((left, right)).or_default().insert(pair);
            }
        }
    }
    pairs.values().map(BTreeSet::len).sum()
}

#[test]
fn floats_and_bounded_integers_are_listed() {
    let mut solutions = 0;
    for seed in campaign::seeds(50, 40) {
        let case = case(seed, seed % 2 == 0);
        let expected: BTreeSet<String> = case.solutions().iter().map(|model| case.print(model)).collect();
        let reason = if expected.is_empty() { StopReason::Unsatisfiable } else { StopReason::Complete };
        let (found, _, summary) = case.run(seed, Request::all(None));
        assert_eq!((&found, summary.stopped_by), (&expected, reason), "seed {seed}");
        let guided = Request::guided(case.predicates.clone(), Guidance::Neighbours);
        let (found, _, summary) = case.run(seed, guided);
        assert_eq!((&found, summary.stopped_by), (&expected, reason), "seed {seed}");
        if seed % 2 == 1 {
            let (found, _, summary) = case.run(seed, Request::smtsampler(Granularity::Bit));
            assert_eq!((&found, summary.stopped_by), (&expected, reason), "seed {seed}");
        }
        solutions += expected.len();
    }
    println!("{solutions} solutions");
    assert!(solutions > 1_000, "{solutions} solutions");
}

#[test]
fn projections_are_listed() {
    for seed in campaign::seeds(20, 40) {
        let case = case(seed, true);
        let projected = [case.problem.symbols[0], case.problem.symbols[3]];
        let values = |model: &Model| projected.map(|symbol| model.constant(symbol).expect("a value").clone());
        let expected: BTreeSet<[Value; 2]> = case.solutions().iter().map(values).collect();
        let mut found = BTreeSet::new();
        let request = Request { seed, ..Request::all(Some(projected.to_vec())) };
        let summary = sample(&case.problem, &request, &mut |event| {
            if let Event::Solutions(solutions) = event {
                solutions.models().for_each(|model| assert!(found.insert(values(&model)), "seed {seed}"));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(summary.expect("a run").rejected, 0, "seed {seed}");
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn all_classes_of_predicates_over_floats_and_integers_are_found() {
    for seed in campaign::seeds(20, 40) {
        let case = case(seed, seed % 2 == 0);
        let solutions = case.solutions();
        let guided = Request::guided(case.predicates.clone(), Guidance::Neighbours);
        let (_, expected, _) = case.run(seed, guided);
        assert_eq!(expected.is_empty(), solutions.is_empty(), "seed {seed}");
        let bases = Request::guided(case.predicates.clone(), Guidance::Bases);
        let (found, classes, _) = case.run(seed, bases);
        assert_eq!(classes, expected, "seed {seed}");
        assert!(found.len() <= solutions.len(), "seed {seed}");
        for hard in [false, true] {
            let request = Request::classes(case.predicates.clone(), hard);
            let (_, classes, _) = case.run(seed, Request { max_solutions: Some(20), ..request });
            assert!(classes.is_subset(&expected), "seed {seed}");
        }
    }
}

#[test]
fn pairs_of_values_of_floats_and_integers_are_covered() {
    let mut pairs_of_all = 0;
    for seed in campaign::seeds(30, 40) {
        let case = case(seed, seed % 2 == 0);
        let expected = pairs(&case.problem.symbols, &case.solutions());
        let (_, _, summary) = case.run(seed, Request::twise(2));
        let Part::Tuples(tuples) = summary.part else { panic!("tuples are asked for") };
        if expected > 0 {
            assert_eq!((tuples.tuples.open(), tuples.tuples.covered), (0, expected as u64), "seed {seed}");
            let models: Vec<Model> = tuples.solutions.iter().map(|it| (*it.model).clone()).collect();
            assert_eq!(pairs(&case.problem.symbols, &models), expected, "seed {seed}");
        }
        pairs_of_all += expected;
    }
    println!("{pairs_of_all} pairs");
    assert!(pairs_of_all > 1_000, "{pairs_of_all} pairs");
}
