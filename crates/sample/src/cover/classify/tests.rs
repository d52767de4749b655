//! Classification beside growing, with any number of threads.

use sundry_coverage::BitSet;
use sundry_term::{Control, Op, TermStore};

use super::super::grow::Growth;
use super::super::member::covered_by_all;
use super::super::tests::{cover, entangled, grown, reads};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::effort::Effort;
use crate::problem::{Problem, Solution};
use crate::strategy::Goal;
use crate::strategy::Strategy;

/// Works until something else than classification is next. What was reported by then.
fn classified(cover: &mut Cover<'_>) -> Vec<Solution> {
    let mut reported = Vec::new();
    while matches!(cover.phase, Phase::First | Phase::Glance | Phase::Classify | Phase::Explore) {
        match cover.step(&mut |_| {}) {
            Step::Found(solution) => reported.push(solution),
            Step::Replaced(solutions) => reported = solutions,
            Step::Learned => {}
            Step::Failed(failure) => panic!("{failure}"),
            Step::Stopped(reason) => panic!("{reason:?}"),
        }
    }
    reported
}

#[test]
fn classification_finds_what_growing_finds() {
    for problem in [entangled(), reads()] {
        let expected = grown(&problem, 0, &Control::default());
        for seed in 0..5 {
            let mut cover = cover(&problem, Goal::default(), seed);
            let reported = classified(&mut cover);
            assert!(!cover.is_classifying(), "seed {seed}: something is left");
            assert_eq!(cover.known.possible, expected.covered, "seed {seed}");
            assert_eq!(cover.known.impossible, expected.known.impossible, "seed {seed}");
            // What was reported is complete, though nothing has grown yet.
            let together = covered_by_all(&cover.harvest.reserve, cover.known.possible.length());
            assert_eq!(
                (together, reported.len()),
                (cover.known.possible.clone(), cover.harvest.reserve.len())
            );
        }
    }
}

/// All that is reported where turns are as short as can be, from the beginning. Reports of classification may be overheard where `overhears` says so.
fn reported_side_by_side(
    problem: &Problem,
    seed: u64,
    threads: usize,
    mut overhears: impl FnMut() -> bool,
) -> (Vec<Vec<Solution>>, BitSet) {
    let (goal, effort) = (Goal::default(), Effort::Normal);
    let control = Control::default();
    let Ok(mut cover) = Cover::new(problem, goal, effort, seed, threads, &control, &mut |_| {}) else {
        panic!("the formula is small")
    };
    cover.classification = Classification::Ahead(Pace { alone: 0, turn: 1, waiting: 1 });
    let (mut reported, mut is_beside) = (Vec::new(), false);
    loop {
        is_beside |= cover.is_classifying() && matches!(cover.phase, Phase::Explore | Phase::Grow);
        let step = match cover.phase {
            Phase::Explore if !overhears() => cover.explore_beside(),
            _ => cover.advance(&mut |_| {}),
        };
        match step {
            Some(Step::Found(solution)) => reported.push(vec![solution]),
            Some(Step::Replaced(solutions)) => reported.push(solutions),
            Some(Step::Learned) | None => {}
            Some(Step::Failed(failure)) => panic!("{failure}"),
            Some(Step::Stopped(reason)) => {
                assert_eq!(reason, crate::StopReason::Complete);
                break;
            }
        }
    }
    assert!(is_beside, "there was nothing beside classification");
    assert_eq!(cover.validity().unknown, 0);
    (reported, cover.known.impossible.clone())
}

#[test]
fn side_by_side_everything_is_the_same_however_fast_threads_are() {
    for problem in [entangled(), reads()] {
        let expected = grown(&problem, 0, &Control::default());
        for seed in 0..5 {
            let (reported, impossible) = reported_side_by_side(&problem, seed, 1, || true);
            assert_eq!(impossible, expected.known.impossible, "seed {seed}");
            let bits = |reported: &[Vec<Solution>]| -> Vec<Vec<_>> {
                let of_set = |set: &Vec<Solution>| set.iter().map(|solution| solution.bits.clone()).collect();
                reported.iter().map(of_set).collect()
            };
            for schedule in 0..20 {
                let mut random = ChaCha8Rng::seed_from_u64(schedule);
                let share = random.random_range(0.0..=1.0);
                let threads = if schedule % 4 == 0 { 2 } else { 1 };
                let overhears = || random.random_bool(share);
                let (other, _) = reported_side_by_side(&problem, seed, threads, overhears);
                assert_eq!(bits(&reported), bits(&other), "seed {seed}, schedule {schedule}");
            }
        }
    }
}

#[test]
fn exploring_does_not_delay_reports() {
    let problem = entangled();
    let expected = grown(&problem, 0, &Control::default());
    let mut cover = cover(&problem, Goal::default(), 0);
    while cover.phase != Phase::Explore {
        let _ = cover.advance(&mut |_| {});
    }
    assert!(matches!(cover.advance(&mut |_| {}), Some(Step::Found(_) | Step::Learned)));
    assert!(!cover.exploration.is_over() && cover.is_classifying());
    assert_eq!(cover.known.impossible, expected.known.impossible);
    assert_eq!(cover.known.possible, expected.covered);
}

fn member(growth: Growth) -> Member {
    match growth {
        Growth::Member(member) => member,
        _ => panic!("there are solutions that cover more"),
    }
}

#[test]
fn where_next_to_nothing_is_known_growing_goes_beyond_it() {
    let mut store = TermStore::new();
    let sort = store.bit_vec_sort(256).expect("a width");
    let symbols = ["x", "y"].map(|name| store.declare(name, &[], sort));
    let [x, y] = symbols.map(|symbol| store.symbol_term(symbol));
    let less = store.make(Op::BvUlt, &[x, y]);
    let problem = Problem::new(store, vec![less], symbols.to_vec());
    let mut cover = cover(&problem, Goal::default(), 0);
    let first = member(cover.grow_next());
    cover.covered = first.covered.clone();
    cover.members.push(first);
    cover.begin_classification(Pace { alone: 1, turn: 1, waiting: 1 });
    let other = cover.open().iter().next().expect("bits of symbols have both values");
    cover.known.possible = cover.covered.clone();
    cover.known.possible.insert(other);
    let second = member(cover.grow_next());
    assert!(second.covered.contains(other));
    let new = second.covered.count_without(&cover.covered);
    assert!(new > 400, "{new} new of 512");
}

#[test]
fn growing_takes_the_place_of_the_reserve() {
    let problem = entangled();
    let mut cover = cover(&problem, Goal::default(), 1);
    classified(&mut cover);
    let reserved = cover.harvest.reserve.len();
    while matches!(cover.phase, Phase::Explore | Phase::Grow) {
        if let Step::Replaced(solutions) = cover.step(&mut |_| {}) {
            let mut covered = BitSet::new(cover.known.possible.length());
            for solution in &solutions {
                covered.union_with(&cover.steering.targets.covered_by(&solution.bits));
            }
            assert_eq!(covered, cover.known.possible, "an intermediate set is not complete");
        }
    }
    assert!(cover.harvest.reserve.is_empty() && cover.members.len() < reserved);
}

#[test]
fn a_lower_target_needs_no_complete_classification() {
    let problem = entangled();
    let mut cover = cover(&problem, Goal { target: 0.6, max_solutions: None }, 1);
    classified(&mut cover);
    assert!(cover.is_classifying());
    let mut reason = None;
    while reason.is_none() {
        if let Step::Stopped(stopped) = cover.step(&mut |_| {}) {
            reason = Some(stopped);
        }
    }
    assert_eq!(reason, Some(crate::StopReason::Target));
    assert!(cover.has_reached_target());
}
