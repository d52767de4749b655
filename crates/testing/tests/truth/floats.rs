//! Floating point: random formulas over all operators and two small formats, against z3, cvc5 and the evaluator.

use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_solver::{
    Answer, EngineOptions, FloatMethod, FloatOptions, Limits, Session, Tracking, UnknownReason,
};
use sundry_term::{Control, TermStore};

use crate::campaign;
use crate::comparison::Comparison;

/// The time that a solver has for one formula.
const LIMIT: Duration = Duration::from_secs(3);

const DECLARATIONS: &str = "(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(declare-const s (_ FloatingPoint 2 5))
(declare-const b (_ BitVec 5))
(declare-const m RoundingMode)
(declare-fun f ((_ FloatingPoint 3 4)) (_ FloatingPoint 3 4))
(declare-const a (Array (_ BitVec 5) (_ FloatingPoint 3 4)))
";

/// Writes random terms.
struct Writer {
    random: ChaCha8Rng,
    /// Whether there are arrays and functions.
    has_arrays: bool,
}

impl Writer {
    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices.choose(&mut self.random).expect("there are some")
    }

    fn mode(&mut self) -> &'static str {
        self.one_of(&["m", "m", "RNE", "RNA", "RTP", "RTN", "RTZ"])
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.random_range(0..5) < 2 {
            let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
            return match self.random.random_range(0..4) {
                0 => format!("(not {a})"),
                _ => format!("({} {a} {b})", self.one_of(&["and", "or", "xor", "=>"])),
            };
        }
        match self.random.random_range(0..8) {
            0 => {
                let class =
                    self.one_of(&["Normal", "Subnormal", "Zero", "Infinite", "NaN", "Negative", "Positive"]);
                format!("(fp.is{class} {})", self.value(depth))
            }
            1 => format!("(bvult {} {})", self.word(depth), self.word(depth)),
            2 => format!("(fp.leq {} {})", self.short(depth), self.short(depth)),
            3 => format!("(fp.lt {} {} {})", self.value(depth), self.value(depth), self.value(depth)),
            _ => {
                let relation = self.one_of(&["=", "distinct", "fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq"]);
                format!("({relation} {} {})", self.value(depth), self.value(depth))
            }
        }
    }

    /// A term of the format of `x`.
    fn value(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.random_range(0..8) {
                0 => {
                    self.one_of(&["(_ +zero 3 4)", "(_ -zero 3 4)", "(_ +oo 3 4)", "(_ NaN 3 4)"]).to_string()
                }
                1 => format!(
                    "(fp #b0 #b{:03b} #b{:03b})",
                    self.random.random_range(0..8),
                    self.random.random_range(0..8)
                ),
                _ => self.one_of(&["x", "y"]).to_string(),
            };
        }
        let depth = depth - 1;
        let a = self.value(depth);
        match self.random.random_range(0..16) {
            0 => format!("(fp.abs {a})"),
            1 => format!("(fp.neg {a})"),
            2 | 3 => format!("(fp.add {} {a} {})", self.mode(), self.value(depth)),
            4 => format!("(fp.sub {} {a} {})", self.mode(), self.value(depth)),
            5 | 6 => format!("(fp.mul {} {a} {})", self.mode(), self.value(depth)),
            7 => format!("(fp.div {} {a} {})", self.mode(), self.value(depth)),
            8 => format!("(fp.fma {} {a} {} {})", self.mode(), self.value(depth), self.value(depth)),
            9 => format!("(fp.sqrt {} {a})", self.mode()),
            10 => format!("(fp.rem {a} {})", self.value(depth)),
            11 => format!("(fp.roundToIntegral {} {a})", self.mode()),
            12 => format!("({} {a} {})", self.one_of(&["fp.min", "fp.max"]), self.value(depth)),
            13 => match self.random.random_range(0..4) {
                0 => format!(
                    "((_ to_fp 3 4) {} {})",
                    self.mode(),
                    self.one_of(&["0.7", "(- 2.25)", "(/ 1.0 3.0)"])
                ),
                1 => format!("((_ to_fp 3 4) {} {})", self.mode(), self.word(depth)),
                2 => format!("((_ to_fp_unsigned 3 4) {} {})", self.mode(), self.word(depth)),
                _ => format!("((_ to_fp 3 4) {} {})", self.mode(), self.short(depth)),
            },
            14 => format!("(ite {} {a} {})", self.formula(depth), self.value(depth)),
            _ if !self.has_arrays => a,
            _ => match self.random.random_range(0..3) {
                0 => format!("(select a {})", self.word(depth)),
                _ => format!("(f {a})"),
            },
        }
    }

    /// A term of the format of `s`.
    fn short(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random() {
            return "s".to_string();
        }
        match self.random.random_range(0..3) {
            0 => format!("((_ to_fp 2 5) (concat #b00 {}))", self.word(depth - 1)),
            1 => format!("(fp.mul {} s {})", self.mode(), self.short(depth - 1)),
            _ => format!("((_ to_fp 2 5) {} {})", self.mode(), self.value(depth - 1)),
        }
    }

    fn word(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random() {
            return self.one_of(&["b", "#b00011"]).to_string();
        }
        let convert = self.one_of(&["to_ubv", "to_sbv"]);
        format!("((_ fp.{convert} 5) {} {})", self.mode(), self.value(depth - 1))
    }
}

#[test]
fn floating_point_is_decided() {
    let comparison = Comparison { declarations: DECLARATIONS, limit: LIMIT, leaves_open: 0 };
    comparison.run(campaign::seeds(150, 5), |seed| {
        let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed), has_arrays: true };
        (0..2).map(|_| format!("(assert {})", writer.formula(2))).collect()
    });
}

/// The answer of a session that decides formulas over floats in this way, and whether it has searched. The session has judged its models.
fn answer(text: &str, method: FloatMethod) -> (&'static str, bool) {
    let source = SourceText::new("formula", format!("{DECLARATIONS}{text}"));
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &source, TheorySet::SOLVED);
    let formula = script.unwrap_or_else(|error| panic!("{}", error.render(&source))).formula();
    let options = FloatOptions { method, ..FloatOptions::default() };
    let mut session = Session::new(EngineOptions::default()).with_floats(options);
    formula.assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
    // The search ends by its limits, circuits without.
    let ticks = (method == FloatMethod::Search).then_some(30_000);
    let word = match session.check(&mut store, &[], &Limits::new(&Control::default(), ticks)) {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(UnknownReason::Budget) => "unknown",
        Answer::Unknown(reason) => panic!("{reason}: {text}"),
    };
    (word, session.statistics().evaluations > 0)
}

#[test]
fn optimisation_agrees_with_circuits() {
    let (mut found, mut satisfiable, mut searched) = (0, 0, 0);
    for seed in campaign::seeds(200, 5) {
        let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed), has_arrays: false };
        let text: String = (0..2).map(|_| format!("(assert {})", writer.formula(2))).collect();
        let (circuit, _) = answer(&text, FloatMethod::Circuit);
        let (both, _) = answer(&text, FloatMethod::Both);
        let (search, has_searched) = answer(&text, FloatMethod::Search);
        assert_eq!(both, circuit, "{seed}: {text}");
        assert!(search == circuit || search == "unknown", "{seed}: {text}: {search} {circuit}");
        satisfiable += usize::from(circuit == "sat");
        found += usize::from(search == "sat");
        searched += usize::from(has_searched);
    }
    // Few formulas are decided by rewriting alone, or have nothing to search.
    assert!(searched > satisfiable / 2, "{searched} are searched");
    assert!(10 * found > 9 * satisfiable && satisfiable > 50, "{found} of {satisfiable} are found");
}
