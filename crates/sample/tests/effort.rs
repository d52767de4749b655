//! Runs end by themselves: after completeness within the effort asked for, and where AST-bits are too hard.

mod common;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_sample::{
    Control, Covered, Effort, Event, Method, Problem, Purpose, Request, SetSummary, StopReason, Summary,
    sample,
};

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

fn request(effort: Effort, seed: u64) -> Request {
    Request { method: Method::Cover { target: 1.0, effort }, seed, ..Request::cover() }
}

fn run(problem: &Problem, request: &Request) -> Summary {
    sample(problem, request, &mut |_| ControlFlow::Continue(())).expect("a small circuit")
}

fn set(summary: &Summary) -> &SetSummary {
    summary.set().expect("a set that covers AST-bits")
}

fn gains(summary: &Summary) -> Vec<u64> {
    summary.solutions().iter().map(|rated| rated.gain).collect()
}

#[test]
fn every_effort_is_complete_where_everything_is_easy() {
    let problem = easy();
    let summary = run(&problem, &request(Effort::Max, 0));
    let most = set(&summary);
    assert!(most.is_complete() && summary.stopped_by == StopReason::Complete);
    for effort in Effort::ALL {
        let summary = run(&problem, &request(effort, 0));
        let set = set(&summary);
        assert!(set.is_complete(), "{effort:?}");
        assert_eq!(set.covered(), most.covered(), "{effort:?}");
        assert!(set.solutions.len() >= most.lower_bound, "{effort:?}");
    }
}

#[test]
fn the_same_effort_brings_the_same_for_any_number_of_threads() {
    let problem = easy();
    for (effort, seed) in Effort::ALL.into_iter().flat_map(|effort| [(effort, 1), (effort, 2)]) {
        let of = |threads: usize| {
            let summary = run(&problem, &Request { threads, ..request(effort, seed) });
            let models = summary.solutions().iter().map(|rated| format!("{:?}", rated.model));
            (models.collect::<Vec<_>>(), set(&summary).lower_bound)
        };
        assert_eq!(of(1), of(2), "{effort:?} {seed}");
    }
}

#[test]
fn what_is_too_hard_is_set_aside_and_the_run_ends() {
    let problem = with_a_hard_part();
    let mut improved_before_the_end = false;
    let summary = sample(&problem, &request(Effort::Low, 0), &mut |event| {
        if let Event::Set(progress) = event
            && let Covered::AstBits { validity, .. } = progress.covered
        {
            improved_before_the_end |= progress.purpose == Purpose::Improving && validity.unknown > 0;
        }
        ControlFlow::Continue(())
    })
    .expect("a small circuit");
    let set = set(&summary);
    assert_eq!(summary.stopped_by, StopReason::Effort);
    assert!(improved_before_the_end, "nothing was improved while something was undecided");
    assert!(set.validity.unknown > 0 && !set.is_complete());
    assert!(set.lower_bound >= 2, "{}", set.lower_bound);
    assert!(set.share() > 0.9, "{}", set.share());
    assert!(gains(&summary).iter().all(|&gain| gain > 0), "{:?}", gains(&summary));
    assert!(set.milestones.complete.is_none() && set.milestones.minimal.is_none());
}

#[test]
fn milestones_come_in_their_order() {
    let summary = run(&easy(), &request(Effort::Max, 3));
    let set = set(&summary);
    let [target, complete] = [set.milestones.target, set.milestones.complete]
        .map(|milestone| milestone.expect("a complete run has it"));
    assert!(target <= complete && complete <= summary.seconds);
    assert_eq!(set.milestones.minimal.is_some(), set.is_proved_minimal());
}

#[test]
fn a_stopped_run_has_no_solution_that_adds_nothing() {
    let problem = with_a_hard_part();
    for milliseconds in [30, 100, 300] {
        let deadline = Instant::now() + Duration::from_millis(milliseconds);
        let control = Control::default().with_deadline(Some(deadline));
        let summary = run(&problem, &Request { control, ..Request::cover() });
        let gains = gains(&summary);
        assert!(gains.iter().all(|&gain| gain > 0), "{gains:?}");
        assert_eq!(gains.iter().sum::<u64>(), set(&summary).covered());
    }
}

/// A receiver that has enough ends the run, which keeps what it has.
#[test]
fn a_receiver_may_have_enough() {
    let problem = easy();
    let summary = sample(&problem, &Request::cover(), &mut |event| match event {
        Event::Set(progress) if !progress.solutions.is_empty() => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    })
    .expect("a small circuit");
    assert_eq!(summary.stopped_by, StopReason::MaximalSolutions);
    assert!(!summary.solutions().is_empty() && !set(&summary).is_complete());
}
