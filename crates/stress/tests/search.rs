//! The search with a solver that is some lines of this file: products take it long, and the reference not.

use std::convert::Infallible;
use std::sync::Arc;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_counters::{Counter, FileCounters};
use sundry_evolve::{Evolution, Parameters, Problem as _};
use sundry_external::{Inquiry, Verdict};
use sundry_stress::{
    CoverageRules, Effort, Individual, Material, Measured, Outcome, Runner, Scoring, Search, Variant,
    random_input,
};
use sundry_term::TermStore;

/// Takes a second for each product, up to five; its lines are the operators that it meets.
#[derive(Debug, Default)]
struct Slow {
    runs: usize,
}

impl Runner for Slow {
    type Stop = Infallible;

    fn run(&mut self, inputs: &[Inquiry]) -> Result<Vec<Measured>, Infallible> {
        self.runs += inputs.len();
        let measured = |inquiry: &Inquiry| {
            let count = |word: &str| inquiry.text.matches(word).count() as u64;
            let words = ["(bvmul ", "(bvadd ", "(bvudiv ", "(bvult ", "(= ", "(ite ", "(concat "];
            let lines = (1..).zip(words).map(|(line, word)| Counter { line, count: count(word) });
            let lines: Vec<Counter> = lines.filter(|counter| counter.count > 0).collect();
            let target = (0.01 + count("(bvmul ") as f64).min(5.0);
            let effort = |amount| Effort { amount, outcome: Outcome::Decided(Verdict::Unsat) };
            Measured {
                targets: vec![effort(target)],
                references: vec![effort(0.01)],
                counters: vec![FileCounters { file: 1, lines }],
                ..Measured::default()
            }
        };
        Ok(inputs.iter().map(measured).collect())
    }
}

fn evolution(variant: Variant, seed: u64) -> Evolution<Search<Slow>> {
    let mut store = TermStore::new();
    let material = Material::of_logic(&mut store, "QF_BV").expect("a logic");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let first: Vec<Individual> = (0..20).map(|_| random_input(&mut store, &material, &mut random)).collect();
    let scoring = Scoring { variant, has_counters: true, noise: 0.25, ..Scoring::default() };
    let (scheme, crowding) = (variant.scheme(), variant.crowding(true));
    let parameters =
        Parameters { scheme, crossover: 0.75, mutation: 0.25, mutations: 16, crowding, keeps_copies: false };
    let search = Search::new(store, Slow::default(), scoring, Arc::default());
    Evolution::new(search, first, parameters, seed).unwrap_or_else(|never| match never {})
}

fn advance(evolution: &mut Evolution<Search<Slow>>, generations: usize) {
    (0..generations).for_each(|_| evolution.advance().unwrap_or_else(|never| match never {}));
}

#[test]
fn every_variant_finds_small_inputs_that_are_slow_here_only() {
    use Variant::{
        Default, DefaultCrowding, NoComplexity, NoCoverage, OnlyTime, StringFuzz, StringFuzzDifference,
    };
    for (variant, objectives, best) in [
        (Default, 3, 9.99),
        (OnlyTime, 3, 5.0),
        (NoCoverage, 2, 9.99),
        (NoComplexity, 2, 9.99),
        (DefaultCrowding, 3, 9.99),
        (StringFuzz, 1, 5.0),
        (StringFuzzDifference, 1, 9.99),
    ] {
        let mut evolution = evolution(variant, 3);
        // Crowding by traces gives up the best of an objective where others are alike, so all that lived counts.
        let mut scores: Vec<Vec<f64>> = Vec::new();
        for _ in 0..60 {
            advance(&mut evolution, 1);
            scores.extend(evolution.population().iter().map(|member| member.scores.clone()));
        }
        assert!(scores.iter().all(|scores| scores.len() == objectives), "{variant:?}");
        let slowest = scores.iter().map(|scores| scores[0]).fold(0.0, f64::max);
        assert!(slowest > 0.75 * best && slowest < best + 1e-9, "{variant:?}: {slowest}");
        if !matches!(variant, NoComplexity | StringFuzz | StringFuzzDifference) {
            let slow = scores.iter().filter(|scores| scores[0] == slowest);
            let simplest =
                slow.map(|scores| *scores.last().expect("it is complexity")).fold(f64::MIN, f64::max);
            // Four products need some thirty; without this objective inputs have hundreds.
            assert!(simplest > -120.0, "{variant:?}: {simplest}");
        }
        assert!(evolution.problem().coverage().lines() >= 5, "{variant:?}");
    }
}

#[test]
fn nothing_alive_runs_twice_and_the_same_seed_gives_the_same() {
    let (mut one, mut other) = (evolution(Variant::Default, 5), evolution(Variant::Default, 5));
    advance(&mut one, 12);
    advance(&mut other, 12);
    assert_eq!(one.population(), other.population());
    let alive: Vec<Individual> = one.population().iter().map(|member| member.individual.clone()).collect();
    let search = one.problem();
    assert!(alive.iter().all(|individual| search.measured(individual).is_some()));
    let text = search.inquiry(&alive[0]).text.to_string();
    assert!(text.starts_with("(set-logic QF_") && text.ends_with("(check-sat)\n"), "{text}");
}

fn with_switches(exact_times: bool, slow: Option<f64>) -> Search<Slow> {
    let scoring = Scoring { noise: 0.25, exact_times, slow, ..Scoring::default() };
    Search::new(TermStore::new(), Slow::default(), scoring, Arc::default())
}

fn is_worse(search: &Search<Slow>, one: [f64; 3], other: [f64; 3]) -> bool {
    search.standing(&other).dominates(&search.standing(&one))
}

#[test]
fn efforts_that_hardly_differ_are_equal_and_all_else_is_exact() {
    let (classes, exact) = (with_switches(false, None), with_switches(true, None));
    // A trivial input with more lines and nodes, and two that reach the limit.
    for (one, other) in
        [([0.107, 8000.0, -7.0], [0.061, 9000.0, -2.0]), ([9.99013, 8000.0, -7.0], [9.98269, 9000.0, -2.0])]
    {
        assert_eq!([&classes, &exact].map(|search| is_worse(search, one, other)), [true, false]);
    }
    assert!(!is_worse(&classes, [2.0, 8000.0, -7.0], [1.0, 9000.0, -2.0]));
    assert!(!is_worse(&classes, [0.1, 9001.0, -2.0], [0.1, 9000.0, -2.0]));
}

#[test]
fn whatever_is_slow_is_better_than_all_that_is_not_unless_fast_inputs_are_kept() {
    let (slow, trivial) = ([2.6, 8000.0, -700.0], [2.4, 9000.0, -2.0]);
    let (default, paper) = (with_switches(false, Some(2.5)), with_switches(false, None));
    assert_eq!([&default, &paper].map(|search| is_worse(search, trivial, slow)), [true, false]);
    assert!(!is_worse(&default, slow, trivial));
    // Where nothing is slow yet, lines and nodes lead on.
    assert!(is_worse(&default, [0.4, 8000.0, -7.0], [0.6, 9000.0, -2.0]));
}

#[test]
fn parents_are_scored_again_unless_they_keep_their_first_score() {
    use sundry_evolve::Problem;
    for (keeps_first_coverage, second) in [(false, 1.0), (true, 1100.0)] {
        let mut store = TermStore::new();
        let symbol = store.declare("x", &[], sundry_term::SortId::BOOL);
        let variable = store.symbol_term(symbol);
        let equal = store.make(sundry_term::Op::Equal, &[variable, variable]);
        let input = Individual { assertions: vec![equal] };
        let scoring = Scoring {
            has_counters: true,
            keeps_first_coverage,
            coverage: CoverageRules::Text,
            ..Scoring::default()
        };
        let mut search = Search::new(store, Slow::default(), scoring, Arc::default());
        let mut coverage = || search.score(std::slice::from_ref(&input)).map(|scores| scores[0][1]);
        assert_eq!((coverage(), coverage()), (Ok(1100.0), Ok(second)));
    }
}
