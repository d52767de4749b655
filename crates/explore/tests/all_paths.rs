//! Explorations of random programs against runs with all inputs: the same paths, whatever the strategy.

use std::collections::BTreeSet;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_explore::{
    ExploreEnd, ExploreOptions, ExploreStatistics, Explorer, Input, KnownAnswer, Observer, Origin, Program,
    Question, Runner, SolveOptions, SourceKind, StrategyKind, Terms, Test, Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;
use wast::parser::{ParseBuffer, parse};

/// Programs that are made of each seed.
const PROGRAMS: u64 = 40;

/// A program that reads up to two bytes and then does something random with them.
struct Generator {
    random: ChaCha8Rng,
    text: String,
    labels: u32,
}

impl Generator {
    /// An expression over the locals; `depth` limits its size.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.random.random_ratio(1, 4) {
            return match self.random.random_range(0..4) {
                0 => format!("(i32.const {})", self.random.random_range(-4..300)),
                1 => "(local.get $a)".to_string(),
                2 => "(local.get $b)".to_string(),
                _ => "(local.get $n)".to_string(),
            };
        }
        let left = self.expression(depth - 1);
        let right = self.expression(depth - 1);
        match self.random.random_range(0..18) {
            9 => format!("(i32.load offset=2290 (i32.and {left} (i32.const 31)))"),
            // Some of these addresses are outside of the memory.
            10 => format!("(i32.load16_u (i32.or {left} (i32.const 65520)))"),
            0 => format!("(i32.load8_u (i32.add (i32.const 2048) (i32.and {left} (i32.const 31))))"),
            1 => format!("(i32.load (i32.add (i32.const 2048) (i32.and {left} (i32.const 28))))"),
            2 => format!("(i32.div_u {left} {right})"),
            3 => format!("(select {left} {right} {})", self.condition(depth - 1)),
            4 => format!("(i32.mul {left} (i32.const {}))", self.random.random_range(-3..9)),
            5 => format!("(i32.wrap_i64 (i64.shr_u (i64.extend_i32_s {left}) (i64.const 3)))"),
            _ => {
                let op = ["add", "sub", "and", "or", "xor", "shl", "shr_s", "rotl"]
                    [self.random.random_range(0..8)];
                format!("(i32.{op} {left} {right})")
            }
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let op = ["eq", "ne", "lt_s", "lt_u", "gt_u", "le_s", "ge_u"][self.random.random_range(0..7)];
        let left = self.expression(depth);
        let right = match self.random.random_ratio(2, 3) {
            true => format!("(i32.const {})", self.random.random_range(0..256)),
            false => self.expression(depth),
        };
        format!("(i32.{op} {left} {right})")
    }

    fn statements(&mut self, depth: u32) {
        for _ in 0..self.random.random_range(1..4) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let choice = self.random.random_range(0..if depth == 0 { 4 } else { 8 });
        match choice {
            0 | 1 => {
                let (local, value) = (["$a", "$b"][self.random.random_range(0..2)], self.expression(2));
                self.text += &format!("(local.set {local} {value})\n");
            }
            2 => {
                let (address, value) = (self.expression(1), self.expression(1));
                let store = ["i32.store8", "i32.store16"][self.random.random_range(0..2)];
                self.text += &format!(
                    "({store} (i32.add (i32.const 2048) (i32.and {address} (i32.const 30))) {value})\n"
                );
            }
            3 => {
                let (address, value) = (self.expression(1), self.expression(1));
                self.text += &format!("(i32.store offset=2290 (i32.and {address} (i32.const 31)) {value})\n");
            }
            4 | 5 => {
                let condition = self.condition(1);
                self.text += &format!("(if {condition} (then\n");
                self.statements(depth - 1);
                self.text += ") (else\n";
                self.statements(depth - 1);
                self.text += "))\n";
            }
            6 => {
                let label = self.labels;
                self.labels += 1;
                let index = self.expression(1);
                self.text += &format!("(block $o{label} (block $x{label} (block $y{label}\n");
                self.text += &format!(
                    "(br_table $x{label} $y{label} $x{label} $o{label} (i32.and {index} (i32.const 7))))\n"
                );
                self.statements(depth - 1);
                self.text += ")\n";
                self.statements(depth - 1);
                self.text += ")\n";
            }
            _ => {
                let label = self.labels;
                self.labels += 1;
                let (counter, condition) = (format!("$c{}", label % 8), self.condition(1));
                self.text += &format!("(local.set {counter} (i32.const 3)) (loop $l{label}\n");
                self.statement(0);
                self.text += &format!(
                    "(local.set {counter} (i32.sub (local.get {counter}) (i32.const 1)))
                     (br_if $l{label} (i32.and (i32.ne (local.get {counter}) (i32.const 0)) {condition})))\n"
                );
            }
        }
    }
}

/// A random program in the text format.
fn program(seed: u64) -> String {
    let mut generator = Generator { random: ChaCha8Rng::seed_from_u64(seed), text: String::new(), labels: 0 };
    for _ in 0..3 {
        let condition = generator.condition(1);
        generator.text += &format!("(if {condition} (then\n");
        generator.statements(2);
        generator.text += ") (else\n";
        generator.statements(1);
        generator.text += "))\n";
    }
    let locals: String = (0..8).map(|number| format!("(local $c{number} i32)")).collect();
    format!(
        "(module
          (import \"wasi_snapshot_preview1\" \"fd_read\" (func $read (param i32 i32 i32 i32) (result i32)))
          (memory (export \"memory\") 1)
          (data (i32.const 2048) \"\\05\\40abc\\ff\\00\\10xyz\\01\\02\\03\\04\\05\\80\\90\\a0\\b0\\c0\\d0\\e0\\f0\\00\\01\\07\\09\\20\\21\\22\\23\")
          (func (export \"_start\") (local $a i32) (local $b i32) (local $n i32) {locals}
            (i32.store (i32.const 1100) (i32.const 1200))
            (i32.store (i32.const 1104) (i32.const 2))
            (drop (call $read (i32.const 0) (i32.const 1100) (i32.const 1) (i32.const 1108)))
            (local.set $n (i32.load (i32.const 1108)))
            (local.set $a (i32.load8_u (i32.const 1200)))
            (local.set $b (i32.load8_s (i32.const 1201)))
            {}))",
        generator.text
    )
}

fn bytes_of(text: &str) -> Vec<u8> {
    parse::<wast::Wat<'_>>(&ParseBuffer::new(text).unwrap()).expect(text).encode().unwrap()
}

/// The paths of runs with all inputs.
fn paths_of_all_inputs(program: &Program) -> BTreeSet<u64> {
    let mut terms = Terms::default();
    let mut variables = Variables::default();
    let stdin = variables.source(&mut terms.store, SourceKind::Stdin, 2, &[]);
    let mut runner = Runner::new(program, WorldOptions::default(), 1_000_000, &Control::default());
    let mut paths = BTreeSet::new();
    let mut run = |bytes: &[u8]| {
        let mut input = Input::default();
        variables.set_bytes(&mut input, stdin, bytes);
        paths.insert(runner.replay(&input, &variables, false).path);
    };
    run(&[]);
    for first in 0..=255 {
        run(&[first]);
        for second in 0..=255 {
            run(&[first, second]);
        }
    }
    paths
}

/// Everything that an exploration reports.
#[derive(Default)]
struct Reported {
    /// The paths of the tests, in their order.
    paths: Vec<u64>,
    answers: Vec<(u64, KnownAnswer)>,
}

impl Observer for Reported {
    fn test(&mut self, test: &Test<'_>) {
        self.paths.push(test.run.path);
    }

    fn question(&mut self, question: &Question<'_>) {
        self.answers.push((question.branch, question.known()));
    }
}

/// The greatest share of mutants.
const MUTANTS: f64 = 0.5;

/// An exploration with answers that are known: the reports, the end, and the counters.
fn explore(
    program: &Program,
    options: ExploreOptions,
    known: &[(u64, KnownAnswer)],
) -> (Reported, ExploreEnd, ExploreStatistics) {
    let mut terms = Terms::default();
    let mut variables = Variables::default();
    variables.source(&mut terms.store, SourceKind::Stdin, 2, &[]);
    let control = Control::default();
    let runner = Runner::new(program, WorldOptions::default(), 1_000_000, &control);
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    explorer.remember(known.iter().cloned());
    let mut reported = Reported::default();
    let end = explorer.explore(&mut reported);
    (reported, end, explorer.statistics())
}

fn options((strategy, mutants): (StrategyKind, f64), solve: SolveOptions) -> ExploreOptions {
    ExploreOptions { strategy, mutants, solve, seed: 3, ..ExploreOptions::default() }
}

/// The paths that an exploration finds.
fn explored(
    program: &Program,
    search: (StrategyKind, f64),
    solve: SolveOptions,
) -> (BTreeSet<u64>, ExploreEnd, u64) {
    let (reported, end, statistics) = explore(program, options(search, solve), &[]);
    (reported.paths.into_iter().collect(), end, statistics.diverged)
}

#[test]
fn explorations_find_the_paths_of_all_inputs() {
    let solve = SolveOptions { partials: 8, ticks: u64::MAX, ..SolveOptions::default() };
    let mut several = 0;
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let program = Program::read(&bytes_of(&text), MachineLimits::default()).expect(&text);
        let expected = paths_of_all_inputs(&program);
        several += usize::from(expected.len() > 5);
        let strategy = StrategyKind::ALL[seed as usize % StrategyKind::ALL.len()];
        let solve = SolveOptions { reads_integers: seed % 2 == 1, ..solve };
        let mutants = if seed % 3 == 0 { MUTANTS } else { 0.0 };
        let (paths, end, diverged) = explored(&program, (strategy, mutants), solve);
        assert_eq!(end, ExploreEnd::Complete, "seed {seed}:\n{text}");
        assert_eq!(diverged, 0, "runs go where the solver says, seed {seed}:\n{text}");
        assert_eq!(paths, expected, "seed {seed}, {}:\n{text}", strategy.name());
        let often = ExploreOptions { first_collection: 0, ..options((strategy, mutants), solve) };
        let (reported, end, counted) = explore(&program, often, &[]);
        assert_eq!(end, ExploreEnd::Complete, "seed {seed}:\n{text}");
        let collected: BTreeSet<u64> = reported.paths.into_iter().collect();
        assert_eq!(collected, expected, "seed {seed}, {} with collections:\n{text}", strategy.name());
        assert_eq!((counted.diverged, counted.given_up), (0, 0), "seed {seed}");
        assert_eq!(counted.collections, counted.tests, "seed {seed}");
    }
    assert!(several > PROGRAMS as usize / 2, "only {several} programs have more than five paths");
}

#[test]
fn the_solver_as_a_black_box_finds_the_same_paths() {
    let solve =
        SolveOptions { partials: 0, ticks: u64::MAX, is_incremental: false, ..SolveOptions::default() };
    for seed in 0..PROGRAMS / 5 {
        let text = program(seed);
        let program = Program::read(&bytes_of(&text), MachineLimits::default()).expect(&text);
        let (paths, end, _) = explored(&program, (StrategyKind::DepthFirst, 0.0), solve);
        assert_eq!(end, ExploreEnd::Complete, "seed {seed}");
        assert_eq!(paths, paths_of_all_inputs(&program), "seed {seed}:\n{text}");
    }
}

#[test]
fn known_answers_lead_along_the_same_way() {
    let solve = SolveOptions { partials: 8, ticks: u64::MAX, ..SolveOptions::default() };
    for seed in (0..PROGRAMS).step_by(4) {
        let text = program(seed);
        let program = Program::read(&bytes_of(&text), MachineLimits::default()).expect(&text);
        let strategy = StrategyKind::ALL[seed as usize % StrategyKind::ALL.len()];
        let search = (strategy, if seed % 8 == 0 { MUTANTS } else { 0.0 });
        let (whole, _, counted) = explore(&program, options(search, solve), &[]);
        // With all answers, nothing is asked, and everything is as before.
        let (again, end, counted_again) = explore(&program, options(search, solve), &whole.answers);
        assert!(again.answers.is_empty(), "seed {seed}");
        assert_eq!((again.paths, end), (whole.paths.clone(), ExploreEnd::Complete), "seed {seed}");
        assert_eq!(counted_again.solve.questions, counted.solve.questions, "seed {seed}");
        assert_eq!(counted_again.solve.partials, counted.solve.partials, "seed {seed}");
        // With some, the others are asked for, and may lead to other inputs.
        let some = &whole.answers[..whole.answers.len() / 2];
        let (resumed, end, counted) = explore(&program, options(search, solve), some);
        assert_eq!((end, counted.diverged), (ExploreEnd::Complete, 0), "seed {seed}");
        let sets = [resumed.paths, whole.paths].map(|paths| paths.into_iter().collect::<BTreeSet<u64>>());
        assert_eq!(sets[0], sets[1], "seed {seed}:\n{text}");
        let branches: BTreeSet<u64> = some.iter().map(|&(branch, _)| branch).collect();
        assert!(resumed.answers.iter().all(|(branch, _)| !branches.contains(branch)), "seed {seed}");
    }
}
