//! Explorations with several threads: the same tests and questions in the same order.

use sundry_explore::{
    ExploreEnd, ExploreOptions, Explorer, Input, KnownAnswer, Observer, Origin, Program, Question, Runner,
    SolveOptions, SourceKind, StrategyKind, Terms, Test, Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;

/// A program with errors and some hundred paths.
const LABELS: &[u8] = include_bytes!("../../../examples/explore/labels.wasm");

/// Everything that an exploration reports, but for times.
#[derive(PartialEq, Debug, Default)]
struct Reported {
    tests: Vec<(Origin, u64, Input, bool, u64)>,
    shortened: Vec<Input>,
    answers: Vec<(u64, KnownAnswer)>,
    counters: String,
}

impl Observer for Reported {
    fn test(&mut self, test: &Test<'_>) {
        let Test { origin, run, is_new_path, questions, .. } = *test;
        self.tests.push((origin, run.path, test.input.clone(), is_new_path, questions));
    }

    fn shortened(&mut self, test: &Test<'_>) {
        self.shortened.push(test.input.clone());
    }

    fn question(&mut self, question: &Question<'_>) {
        self.answers.push((question.branch, question.known()));
    }
}

/// An exploration of up to this many bytes.
fn explore(options: ExploreOptions, bytes: u32, known: &[(u64, KnownAnswer)]) -> (Reported, ExploreEnd) {
    let program = Program::read(LABELS, MachineLimits::default()).expect("a program");
    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    variables.source(&mut terms.store, SourceKind::Stdin, bytes, &[]);
    let control = Control::default();
    let runner = Runner::new(&program, WorldOptions::default(), 1_000_000, &control);
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    explorer.remember(known.iter().cloned());
    let mut reported = Reported::default();
    let end = explorer.explore(&mut reported);
    let counted = explorer.statistics();
    reported.counters = format!("{:?}", (counted.solve, counted.replays, counted.dropped, counted.overtaken));
    (reported, end)
}

fn options(strategy: StrategyKind, partials: usize, threads: usize) -> ExploreOptions {
    let solve = SolveOptions { partials, ..SolveOptions::default() };
    ExploreOptions { strategy, solve, lanes: 3, threads, seed: 5, ..ExploreOptions::default() }
}

#[test]
fn tests_do_not_depend_on_the_number_of_threads() {
    for strategy in StrategyKind::ALL {
        for partials in [0, 16] {
            let (alone, end) = explore(options(strategy, partials, 1), 5, &[]);
            assert_eq!(end, ExploreEnd::Complete);
            assert!(alone.tests.len() > 50, "{}", alone.tests.len());
            for threads in [2, 3, 4] {
                let (together, _) = explore(options(strategy, partials, threads), 5, &[]);
                assert_eq!(together, alone, "{} with {partials} partial solutions", strategy.name());
            }
        }
    }
}

#[test]
fn tests_do_not_depend_on_the_threads_that_got_the_known_answers() {
    for strategy in StrategyKind::ALL {
        let [first, second] = [1, 2].map(|threads| explore(options(strategy, 16, threads), 5, &[]).0.answers);
        assert_eq!(first, second);
        let known = &first[..first.len() / 2];
        let [alone, together] = [1, 4].map(|threads| explore(options(strategy, 16, threads), 5, known).0);
        assert_eq!(alone, together, "{}", strategy.name());
    }
}

#[test]
fn one_lane_works_alone() {
    let options = ExploreOptions { lanes: 1, threads: 8, ..ExploreOptions::default() };
    assert_eq!(explore(options, 4, &[]).1, ExploreEnd::Complete);
}
