//! Explorations with little memory: nothing is left out silently.

use std::collections::BTreeSet;

use sundry_explore::{
    ExploreEnd, ExploreOptions, ExploreStatistics, Explorer, Input, Origin, Program, Runner, SourceKind,
    StrategyKind, Terms, Test, Variables, WorldOptions,
};
use sundry_term::Control;
use sundry_wasm::MachineLimits;

/// A program with errors and some hundred paths.
const LABELS: &[u8] = include_bytes!("../../../examples/explore/labels.wasm");

/// The paths of an exploration, its end, and its counters.
fn explore(options: ExploreOptions) -> (BTreeSet<u64>, ExploreEnd, ExploreStatistics) {
    let program = Program::read(LABELS, MachineLimits::default()).expect("a program");
    let (mut terms, mut variables) = (Terms::default(), Variables::default());
    variables.source(&mut terms.store, SourceKind::Stdin, 6, &[]);
    let control = Control::default();
    let runner = Runner::new(&program, WorldOptions::default(), 1_000_000, &control);
    let mut explorer = Explorer::new(runner, variables, terms, options, &control);
    explorer.add(Input::default(), Origin::Seed);
    let mut paths = BTreeSet::new();
    let end = explorer.explore(&mut |test: &Test<'_>| {
        paths.insert(test.run.path);
    });
    (paths, end, explorer.statistics())
}

fn options(strategy: StrategyKind) -> ExploreOptions {
    ExploreOptions { strategy, first_collection: 1 << 12, ..ExploreOptions::default() }
}

#[test]
fn branches_that_are_given_up_are_counted() {
    for strategy in StrategyKind::ALL {
        let (all, end, counted) = explore(options(strategy));
        assert_eq!((end, counted.given_up), (ExploreEnd::Complete, 0), "{}", strategy.name());
        for part in [2, 8] {
            let bounded = ExploreOptions { most_bytes: counted.most_bytes / part, ..options(strategy) };
            let (some, end, bounded) = explore(bounded);
            assert_eq!(end, ExploreEnd::Exhausted, "{}", strategy.name());
            assert!(bounded.given_up > 0 && some.len() < all.len(), "{}", strategy.name());
            assert!(some.is_subset(&all), "{}", strategy.name());
        }
    }
}

#[test]
fn memory_that_is_too_small_for_any_branch_ends_the_exploration() {
    let little = ExploreOptions { most_bytes: 1, mutants: 0.0, ..options(StrategyKind::default()) };
    let (paths, end, counted) = explore(little);
    assert_eq!((paths.len(), end), (1, ExploreEnd::Exhausted));
    assert!(counted.given_up > 0);
}

#[test]
fn collections_bound_the_memory_and_change_no_path() {
    for strategy in StrategyKind::ALL {
        let all = ExploreOptions { first_collection: u64::MAX, ..options(strategy) };
        let (paths, _, whole) = explore(all);
        assert_eq!(whole.collections, 0);
        for first_collection in [0, 1 << 12, 1 << 14] {
            let collected = ExploreOptions { first_collection, ..options(strategy) };
            let (found, end, counted) = explore(collected);
            assert_eq!((&found, end), (&paths, ExploreEnd::Complete), "{}", strategy.name());
            assert!(counted.collections > 0 && counted.most_bytes < whole.most_bytes, "{}", strategy.name());
        }
    }
}
