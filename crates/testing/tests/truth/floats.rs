//! Floating point: random formulas over all operators and two small formats, against z3, cvc5 and the evaluator.

use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_solver::{Answer as Ours, EngineOptions, Limits, Session, Tracking};
use sundry_term::{Model, TermStore, Value, evaluate};
use sundry_testing::oracle::{Answer, Oracle};

use crate::campaign;

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

/// Whether a model satisfies the assertions whatever results the standard leaves open.
fn holds_in_any_case(store: &TermStore, model: &Model, assertions: &[sundry_term::TermId]) -> bool {
    let mut without = Model::new();
    model.constants().for_each(|(symbol, value)| without.set_constant(symbol, value.clone()));
    model.functions().for_each(|(symbol, value)| without.set_function(symbol, value.clone()));
    assertions.iter().all(|&assertion| evaluate(store, &without, assertion) == Ok(Value::Bool(true)))
}

#[test]
fn floating_point_is_decided() {
    let (mut questions, mut ours) = (Vec::new(), Vec::new());
    for seed in campaign::seeds(150, 5) {
        let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed) };
        let assertions: Vec<String> = (0..2).map(|_| format!("(assert {})", writer.formula(2))).collect();
        let text = assertions.join("\n");
        let source = SourceText::new("formula", format!("{DECLARATIONS}{text}"));
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &source, TheorySet::SOLVED);
        let formula = script.unwrap_or_else(|error| panic!("{}", error.render(&source))).formula();
        let mut session = Session::new(EngineOptions::default());
        formula.assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        let answer = session.check(&mut store, &[], &Limits::default());
        let (answer, certain) = match answer {
            Ours::Sat(model) => {
                for &assertion in &formula.assertions {
                    assert_eq!(evaluate(&store, &model, assertion), Ok(Value::Bool(true)), "{seed}: {text}");
                }
                (Answer::Sat, holds_in_any_case(&store, &model, &formula.assertions))
            }
            Ours::Unsat(_) => (Answer::Unsat, true),
            Ours::Unknown(reason) => panic!("{reason}: {text}"),
        };
        ours.push((answer, certain));
        questions.push(format!("(set-logic ALL)\n{DECLARATIONS}{text}\n(check-sat)\n"));
    }
    for oracle in [Oracle::Z3, Oracle::Cvc5] {
        let mut compared = 0;
        for (question, &(answer, certain)) in questions.iter().zip(&ours) {
            let reply = oracle.run(question, LIMIT);
            let theirs = reply.answers.first().copied().unwrap_or(Answer::Unknown);
            // Solvers may fix what the standard leaves open.
            let excused = answer == Answer::Sat && !certain;
            let agrees = theirs == answer || theirs == Answer::Unknown || excused;
            assert!(agrees, "{oracle} says {theirs:?} to\n{question}");
            compared += usize::from(theirs == answer);
        }
        assert!(compared * 2 > questions.len(), "{oracle} decides {compared} of {}", questions.len());
    }
    let count = |wanted| ours.iter().filter(|(answer, _)| *answer == wanted).count();
    assert!(count(Answer::Sat) > 30 && count(Answer::Unsat) > 10, "both answers are usual");
}
