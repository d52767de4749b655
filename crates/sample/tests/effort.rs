//! Runs end by themselves: after completeness within the effort asked for, and where AST-bits are too hard.

mod common;

use std::time::{Duration, Instant};

use sundry_sample::{Control, Effort, Outcome, Problem, Purpose, SampleOptions, StopReason, sample};

use common::problem;

/// `x + y < z` and `y * z != x` over 6 bits.
fn easy() -> Problem {
    problem(
        "(declare-const x (_ BitVec 6)) (declare-const y (_ BitVec 6)) (declare-const z (_ BitVec 6))
         (assert (bvult (bvadd x y) z)) (assert (distinct (bvmul y z) x))",
    )
}

/// The easy part beside a factorisation of a product of two primes of 40 bits, which may hold or not.
fn with_a_hard_part() -> Problem {
    problem(
        "(declare-const p (_ BitVec 80)) (declare-const q (_ BitVec 80))
         (declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const z (_ BitVec 8))
         (assert (bvult (bvadd x y) z)) (assert (distinct x #x00 #x01))
         (assert (bvult p #x00000000010000000000)) (assert (bvult q #x00000000010000000000))
         (assert (bvugt p #x00000000000000000001)) (assert (bvugt q #x00000000000000000001))
         (assert (or (= (bvmul p q) (_ bv173468841995566052156141 80)) (bvult x #xf0)))",
    )
}

fn run(problem: &Problem, effort: Effort, seed: u64) -> Outcome {
    let options = SampleOptions { effort, seed, ..SampleOptions::default() };
    sample(problem, &options, &mut |_| {}).expect("a small circuit")
}

fn gains(outcome: &Outcome) -> Vec<u64> {
    outcome.solutions.iter().map(|rated| rated.gain).collect()
}

#[test]
fn every_effort_is_complete_where_everything_is_easy() {
    let problem = easy();
    let most = run(&problem, Effort::Max, 0);
    assert!(most.is_complete() && most.stopped_by == StopReason::Complete);
    for effort in Effort::ALL {
        let outcome = run(&problem, effort, 0);
        assert!(outcome.is_complete(), "{effort:?}");
        assert_eq!(outcome.covered, most.covered, "{effort:?}");
        assert!(outcome.solutions.len() >= most.lower_bound, "{effort:?}");
    }
}

#[test]
fn the_same_effort_brings_the_same_for_any_number_of_threads() {
    let problem = easy();
    for (effort, seed) in Effort::ALL.into_iter().flat_map(|effort| [(effort, 1), (effort, 2)]) {
        let of = |threads: usize| {
            let options = SampleOptions { effort, seed, threads, ..SampleOptions::default() };
            let outcome = sample(&problem, &options, &mut |_| {}).expect("a small circuit");
            let bits = outcome.solutions.iter().map(|rated| format!("{:?}", rated.solution.bits));
            (bits.collect::<Vec<_>>(), outcome.lower_bound)
        };
        assert_eq!(of(1), of(2), "{effort:?} {seed}");
    }
}

#[test]
fn what_is_too_hard_is_set_aside_and_the_run_ends() {
    let problem = with_a_hard_part();
    let mut improved_before_the_end = false;
    let options = SampleOptions { effort: Effort::Low, ..SampleOptions::default() };
    let outcome = sample(&problem, &options, &mut |progress| {
        improved_before_the_end |= progress.purpose == Purpose::Improving && progress.validity.unknown > 0;
    })
    .expect("a small circuit");
    assert_eq!(outcome.stopped_by, StopReason::Effort);
    assert!(improved_before_the_end, "nothing was improved while something was undecided");
    assert!(outcome.validity.unknown > 0 && !outcome.is_complete());
    assert!(outcome.lower_bound >= 2, "{}", outcome.lower_bound);
    assert!(outcome.coverage() > 0.9, "{}", outcome.coverage());
    assert!(gains(&outcome).iter().all(|&gain| gain > 0), "{:?}", gains(&outcome));
    assert!(outcome.milestones.complete.is_none() && outcome.milestones.minimal.is_none());
}

#[test]
fn milestones_come_in_their_order() {
    let outcome = run(&easy(), Effort::Max, 3);
    let [target, complete] = [outcome.milestones.target, outcome.milestones.complete]
        .map(|milestone| milestone.expect("a complete run has it"));
    assert!(target <= complete && complete <= outcome.seconds);
    let proved = outcome.solutions.len() <= outcome.lower_bound;
    assert_eq!(outcome.milestones.minimal.is_some(), proved);
}

#[test]
fn a_stopped_run_has_no_solution_that_adds_nothing() {
    let problem = with_a_hard_part();
    for milliseconds in [30, 100, 300] {
        let deadline = Instant::now() + Duration::from_millis(milliseconds);
        let control = Control::default().with_deadline(Some(deadline));
        let options = SampleOptions { control, ..SampleOptions::default() };
        let outcome = sample(&problem, &options, &mut |_| {}).expect("a small circuit");
        let gains = gains(&outcome);
        assert!(gains.iter().all(|&gain| gain > 0), "{gains:?}");
        assert_eq!(gains.iter().sum::<u64>(), outcome.covered);
    }
}
