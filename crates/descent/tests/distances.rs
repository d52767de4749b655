//! Distances against the evaluator: the distance to a truth value is zero exactly if a formula has it. Random formulas over all operators, at the points that
//! a search passes, where many relations are nearly true.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_descent::{Program, Search, StrategyKind, Waypoint};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Control, TermStore, Value, evaluate};

/// Writes random terms over one format.
struct Writer {
    random: ChaCha8Rng,
    format: (u32, u32),
}

impl Writer {
    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices.choose(&mut self.random).expect("there are some")
    }

    fn sort(&self) -> String {
        format!("(_ FloatingPoint {} {})", self.format.0, self.format.1)
    }

    fn declarations(&self) -> String {
        format!(
            "(declare-const x {0})(declare-const y {0})(declare-const b (_ BitVec 5))(declare-const w (_ BitVec 70))\
             (declare-const p Bool)(declare-const m RoundingMode)(declare-const n Int)(declare-const r Real)\
             (declare-const s (_ FloatingPoint 8 24))(declare-const d (_ FloatingPoint 11 53))",
            self.sort(),
        )
    }

    /// Mostly the mode of processors.
    fn mode(&mut self) -> &'static str {
        self.one_of(&["RNE", "RNE", "RNE", "RNE", "RNA", "RTP", "RTN", "RTZ", "m"])
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.random_range(0..5) < 2 {
            let [a, b, c] = [0; 3].map(|_| self.formula(depth - 1));
            return match self.random.random_range(0..8) {
                0 => format!("(not {a})"),
                1 => format!("(ite {a} {b} {c})"),
                2 => format!("(= {a} {b} {c})"),
                3 => format!("(distinct {a} {b})"),
                _ => format!("({} {a} {b} {c})", self.one_of(&["and", "or", "xor", "=>"])),
            };
        }
        match self.random.random_range(0..12) {
            0 => "p".into(),
            1 | 2 => {
                let class =
                    self.one_of(&["Normal", "Subnormal", "Zero", "Infinite", "NaN", "Negative", "Positive"]);
                format!("(fp.is{class} {})", self.value(depth))
            }
            3 => {
                let op = self.one_of(&["bvult", "bvsle", "bvsgt", "bvuge", "=", "distinct", "bvsaddo"]);
                format!("({op} {} {})", self.word(depth), self.word(depth))
            }
            4 => format!("({} w (bvadd w #x{:018x}) )", self.one_of(&["bvult", "bvslt", "="]), 0)
                .replace("#x", "#b00")
                .replace(&"0".repeat(18), &"0".repeat(68)),
            5 => format!("({} (+ n 3) (* 2 n))", self.one_of(&["<", "<=", ">", "=", "distinct"])),
            6 => format!("({} r (+ (to_real n) (/ 1.0 3.0)))", self.one_of(&["<", ">=", "="])),
            7 => format!("(= m {})", self.one_of(&["RNE", "RTZ"])),
            _ => {
                let relation = self.one_of(&["=", "distinct", "fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq"]);
                let third =
                    if self.random.random_range(0..4) == 0 { self.value(depth) } else { String::new() };
                format!("({relation} {} {} {third})", self.value(depth), self.value(depth))
            }
        }
    }

    fn value(&mut self, depth: u32) -> String {
        let (exponent, significand) = self.format;
        if depth == 0 {
            let special = self.one_of(&["+zero", "-zero", "+oo", "-oo", "NaN"]);
            return match self.random.random_range(0..6) {
                0 => format!("(_ {special} {exponent} {significand})"),
                1 => format!("((_ to_fp {exponent} {significand}) RNE {}.5)", self.random.random_range(0..9)),
                _ => self.one_of(&["x", "y"]).to_string(),
            };
        }
        let depth = depth - 1;
        let a = self.value(depth);
        match self.random.random_range(0..18) {
            0 => format!("(fp.abs {a})"),
            1 => format!("(fp.neg {a})"),
            2 => format!("(fp.add {} {a} {})", self.mode(), self.value(depth)),
            3 => format!("(fp.sub {} {a} {})", self.mode(), self.value(depth)),
            4 => format!("(fp.mul {} {a} {})", self.mode(), self.value(depth)),
            5 => format!("(fp.div {} {a} {})", self.mode(), self.value(depth)),
            6 => format!("(fp.fma {} {a} {} {})", self.mode(), self.value(depth), self.value(depth)),
            7 => format!("(fp.sqrt {} {a})", self.mode()),
            8 | 9 => format!("(fp.rem {a} {})", self.value(depth)),
            10 => format!("(fp.roundToIntegral {} {a})", self.mode()),
            11 => format!("({} {a} {})", self.one_of(&["fp.min", "fp.max"]), self.value(depth)),
            12 => format!("((_ to_fp {exponent} {significand}) {} {})", self.mode(), self.word(depth)),
            13 => {
                format!("((_ to_fp_unsigned {exponent} {significand}) {} {})", self.mode(), self.word(depth))
            }
            14 => {
                format!("((_ to_fp {exponent} {significand}) {} {})", self.mode(), self.one_of(&["s", "d"]))
            }
            15 => format!("(ite {} {a} {})", self.formula(depth), self.value(depth)),
            16 => format!(
                "((_ to_fp {exponent} {significand}) (concat {} (_ bv0 {})))",
                self.word(depth),
                exponent + significand - 5
            ),
            _ => format!(
                "(fp #b0 (_ bv{} {exponent}) (concat {} (_ bv0 {})))",
                self.random.random_range(0..3),
                self.word(depth),
                significand - 6
            ),
        }
    }

    fn word(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one_of(&["b", "#b00011", "#b10000"]).to_string();
        }
        let depth = depth - 1;
        let a = self.word(depth);
        match self.random.random_range(0..7) {
            0 => format!("((_ fp.to_ubv 5) {} {})", self.mode(), self.value(depth)),
            1 => format!("((_ fp.to_sbv 5) {} {})", self.mode(), self.value(depth)),
            2 => {
                let op = self.one_of(&[
                    "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvshl", "bvlshr", "bvashr", "bvand",
                    "bvor", "bvxor", "bvsdiv", "bvsmod", "bvnand",
                ]);
                format!("({op} {a} {})", self.word(depth))
            }
            3 => format!("({} {a})", self.one_of(&["bvnot", "bvneg"])),
            4 => format!("((_ extract 4 0) (concat {a} {}))", self.word(depth)),
            5 => format!("((_ extract 6 2) ((_ {} 3) {a}))", self.one_of(&["sign_extend", "zero_extend"])),
            _ => format!("(ite {} {a} b)", self.formula(depth)),
        }
    }
}

/// Compares distances with the evaluator at points that a search passes.
fn compare(format: (u32, u32), seeds: std::ops::Range<u64>) -> [u64; 2] {
    let mut counts = [0; 2];
    for seed in seeds {
        let mut writer = Writer { random: ChaCha8Rng::seed_from_u64(seed), format };
        let formula = writer.formula(3);
        let text = format!("{}(assert {formula})(assert (not {formula}))", writer.declarations());
        let source = SourceText::new("formula", text);
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &source, TheorySet::SOLVED);
        let script = script.unwrap_or_else(|error| panic!("{}", error.render(&source)));
        let [assertion, negation] = script.formula().assertions[..] else { panic!("two assertions") };
        let control = Control::default();
        let programs = [assertion, negation].map(|term| Program::new(&store, &[term], &control).unwrap());
        for (program, term) in programs.iter().zip([assertion, negation]) {
            let variables = program.variables().to_vec();
            let mut points = Vec::new();
            let mut spectator = |_: Waypoint, point: &[u64]| points.push(point.to_vec());
            let mut search = Search::new(program.clone(), StrategyKind::Annealing, seed);
            search.turn(&store, 300 * program.work(), &control, Some(&mut spectator));
            if let sundry_descent::Turn::Found(point) = search.turn(&store, program.work(), &control, None) {
                points.push(point);
            }
            for point in points.iter().rev().step_by(1 + points.len() / 20) {
                let model = Search::model_of(&variables, point);
                let holds = evaluate(&store, &model, term);
                let distances = program.distances(&store, point, &control).unwrap();
                let to_true: f64 = distances.iter().map(|distance| distance.to_true).sum();
                let all_hold = distances.iter().all(|distance| distance.to_false > 0.0);
                assert_eq!(holds, Ok(Value::Bool(to_true == 0.0)), "{seed} {model:?}: {formula}");
                assert_eq!(all_hold, to_true == 0.0, "{seed}: {formula}");
                assert!(to_true.is_finite(), "{seed}: {formula}");
                counts[usize::from(to_true == 0.0)] += 1;
            }
        }
    }
    counts
}

#[test]
fn distances_agree_with_the_evaluator() {
    // The formats of processors, small ones, one of 64 bits that no processor has, and one that fits no word.
    for (format, seeds) in [
        ((11, 53), 0..150),
        ((8, 24), 150..300),
        ((5, 11), 300..350),
        ((15, 49), 350..380),
        ((15, 113), 380..420),
    ] {
        let [far, solved] = compare(format, seeds);
        assert!(far > 50 && solved > 5, "{format:?}: {far} points are no solutions, {solved} are");
    }
}
