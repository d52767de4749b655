//! A control that stops at any look: every run ends, says so, keeps its reports, and claims nothing false.

mod common;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use sundry_coverage::{Predicate, random_predicates};
use sundry_sample::{
    Control, Event, Guidance, Possibility, Problem, Request, StopReason, Summary, UniformMethod,
    UniformOptions, VolumeOptions, VolumeStrategy, decide_predicates, internal_predicates, sample,
};
use sundry_smtlib::print_model;
use sundry_term::LookObserver;

use common::problem;

/// A formula with a few hundred solutions, AST-bits that are impossible, and a smallest set that takes some search.
const PLAIN: &str = "
    (declare-const x (_ BitVec 5)) (declare-const y (_ BitVec 5)) (declare-const p Bool)
    (assert (bvult (bvadd x y) #b11000))
    (assert (= p (bvult (bvmul x y) (bvor x #b00011))))
    (assert (distinct x y))";

/// A formula with an array and a function, for which there are lemmas.
const THEORIES: &str = "
    (declare-const a (Array (_ BitVec 3) (_ BitVec 3))) (declare-fun f ((_ BitVec 3)) (_ BitVec 3))
    (declare-const i (_ BitVec 3)) (declare-const j (_ BitVec 3))
    (assert (bvult (select a i) (f (select (store a j i) i))))
    (assert (bvult (f j) (select a (f i))))";

const UNSATISFIABLE: &str = "
    (declare-const x (_ BitVec 6)) (declare-const y (_ BitVec 6))
    (assert (= (bvadd (bvmul x x) (bvmul y y)) #b000011))";

/// Easy to solve, and so long that judging a model takes several looks. Its solutions are not listed, because of the
/// array.
fn long() -> Problem {
    let same: String = (0..256)
        .map(|number| {
            let (factor, mask) = (number / 16, number % 16);
            let [left, right] = [format!("x #x{factor:x}"), format!("#x{factor:x} x")];
            format!("(assert (= (bvxor (bvmul {left}) #x{mask:x}) (bvxor #x{mask:x} (bvmul {right}))))")
        })
        .collect();
    problem(&format!(
        "(declare-const x (_ BitVec 4)) (declare-const p Bool) (declare-const q Bool)
         (declare-const a (Array Bool Bool)) (assert (= p (bvult x #x7))) (assert (or q (select a p))) {same}"
    ))
}

/// A control that is stopped at its look with this number, and the number of looks. Where it `lingers`, the next look
/// takes longer than any run waits for results.
fn stopping_at(number: usize, lingers: bool) -> (Control, Arc<AtomicUsize>) {
    let (looks, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (counter, flag) = (Arc::clone(&looks), Arc::clone(&stop));
    let observer: LookObserver = Arc::new(move || {
        let look = counter.fetch_add(1, Ordering::Relaxed);
        if look == number {
            flag.store(true, Ordering::Relaxed);
        } else if lingers && look == number + 1 {
            std::thread::sleep(Duration::from_millis(300));
        }
    });
    (Control::default().with_stop(stop).with_observer(observer), looks)
}

/// Runs something without limits, and then stopped at some of its looks: at all of the first and at some of the
/// later ones. The result is that of the whole run.
fn at_every_look<T>(name: &str, mut run: impl FnMut(&Control) -> T, mut check: impl FnMut(&T, &T)) -> T {
    let (control, looks) = stopping_at(usize::MAX, false);
    let whole = run(&control);
    let looks = looks.load(Ordering::Relaxed);
    assert!(looks > 0, "{name}: nobody looks at the control");
    let mut number = 0;
    while number < looks {
        let (control, _) = stopping_at(number, false);
        check(&whole, &run(&control));
        number += 1 + number / 6;
    }
    whole
}

/// A run that stops with a control, and the most that it has reported to be covered.
fn run_set(problem: &Problem, request: &Request, control: &Control) -> (Summary, u64) {
    let request = Request { control: control.clone(), ..request.clone() };
    let mut reported = 0;
    let summary = sample(problem, &request, &mut |event| {
        if let Event::Set(progress) = event {
            reported = reported.max(progress.covered.count());
        }
        ControlFlow::Continue(())
    });
    (summary.expect("a small circuit"), reported)
}

#[test]
fn sets_of_solutions() {
    for text in [PLAIN, THEORIES, UNSATISFIABLE] {
        let problem = problem(text);
        for (name, request) in [("cover", Request::cover()), ("pan", Request::pan())] {
            let name = format!("{name} on {text}");
            let run = |control: &Control| {
                let (summary, reported) = run_set(&problem, &request, control);
                let covered = summary.set().expect("a set").covered();
                assert!(covered >= reported, "{name}: what was reported is lost");
                summary
            };
            at_every_look(&name, run, |whole_run: &Summary, stopped_run: &Summary| {
                let (whole, stopped) = (whole_run.set().expect("a set"), stopped_run.set().expect("a set"));
                assert_eq!(stopped_run.rejected, 0, "{name}");
                for rated in &stopped.solutions {
                    problem.judge((*rated.model).clone(), &Control::default()).expect("a solution");
                }
                if stopped_run.stopped_by == StopReason::Unsatisfiable {
                    assert_eq!(whole_run.stopped_by, StopReason::Unsatisfiable, "{name}");
                }
                let all = whole.validity.valid;
                assert!(stopped.validity.valid <= all && stopped.covered() <= all, "{name}");
                assert!(stopped.impossible.is_subset(&whole.impossible), "{name}");
                if !whole.solutions.is_empty() && stopped.covered() == all {
                    assert!(stopped.lower_bound <= whole.solutions.len(), "{name}");
                }
                if stopped.is_complete() {
                    assert_eq!((stopped.covered(), whole.is_complete()), (whole.covered(), true), "{name}");
                }
                let is_told = [StopReason::Interrupted, whole_run.stopped_by, StopReason::Complete];
                let reason = stopped_run.stopped_by;
                assert!(is_told.contains(&reason), "{name}: {reason:?}");
            });
        }
    }
}

/// The solutions that a run has handed out, judged and printed, and how it ended.
type Told = (Vec<String>, StopReason, u64);

fn told(problem: &Problem, request: &Request, control: &Control) -> Told {
    let request = Request { control: control.clone(), seed: 1, ..request.clone() };
    let mut told = Vec::new();
    let summary = sample(problem, &request, &mut |event| {
        if let Event::Solutions(solutions) = event {
            for model in solutions.models() {
                let solution = problem.judge(model, &Control::default()).expect("a solution");
                told.push(print_model(&problem.store, &solution.model, &problem.symbols));
            }
        }
        ControlFlow::Continue(())
    });
    let summary = summary.expect("a small circuit");
    (told, summary.stopped_by, summary.rejected)
}

fn check_told(name: &str, number: usize, (_, whole, _): &Told, (stopped, reason, rejected): &Told) {
    assert_eq!(*rejected, 0, "{name}");
    assert!(stopped.len() <= number, "{name}");
    match reason {
        StopReason::Complete | StopReason::Unsatisfiable => assert_eq!(reason, whole, "{name}"),
        StopReason::MaximalSolutions => assert_eq!(stopped.len(), number, "{name}"),
        other => assert_eq!(*other, StopReason::Interrupted, "{name}"),
    }
}

#[test]
fn solutions_at_volume() {
    const WANTED: usize = 100;
    use VolumeStrategy::{All, ClassesHard, ClassesSoft, Combine, Guide};
    for text in [PLAIN, THEORIES, UNSATISFIABLE] {
        let mut problem = problem(text);
        let (mut store, symbols) = (problem.store.clone(), problem.symbols.clone());
        let predicates = random_predicates(&mut store, &symbols, 6, 1, &Control::default());
        problem.store = store;
        for strategy in [Combine, Guide(Guidance::Classes), ClassesHard, ClassesSoft, All] {
            if strategy == All && text == THEORIES {
                continue;
            }
            // An empty class is not a reason to end.
            if matches!(strategy, ClassesHard | ClassesSoft) && text == UNSATISFIABLE {
                continue;
            }
            let name = format!("{strategy:?} on {text}");
            let predicates = predicates.clone();
            let options = VolumeOptions { predicates, memory: 1 << 20, ..VolumeOptions::new(strategy) };
            let request = Request { max_solutions: Some(WANTED as u64), ..Request::volume(options) };
            let run = |control: &Control| told(&problem, &request, control);
            at_every_look(&name, run, |whole, stopped| check_told(&name, WANTED, whole, stopped));
        }
    }
}

#[test]
fn draws() {
    const WANTED: usize = 30;
    for text in [PLAIN, THEORIES, UNSATISFIABLE] {
        let problem = problem(text);
        for method in [UniformMethod::Hashing, UniformMethod::Quick] {
            let name = format!("{method:?} on {text}");
            let max_solutions = Some(WANTED as u64);
            let request = Request { max_solutions, ..Request::draws(UniformOptions::new(method, 0.8)) };
            let run = |control: &Control| told(&problem, &request, control);
            at_every_look(&name, run, |whole, stopped| check_told(&name, WANTED, whole, stopped));
        }
    }
}

fn tuples(problem: &Problem, strength: usize, control: &Control) -> Summary {
    let request = Request { obligations: true, seed: 1, ..Request::twise(strength) };
    let (summary, reported) = run_set(problem, &request, control);
    assert!(summary.tuples().expect("tuples").tuples.covered >= reported, "what was reported is lost");
    summary
}

#[test]
fn combinations_of_values() {
    for text in [PLAIN, THEORIES, UNSATISFIABLE] {
        let problem = problem(text);
        for strength in [1, 2, 3] {
            let name = format!("strength {strength} on {text}");
            let run = |control: &Control| tuples(&problem, strength, control);
            at_every_look(&name, run, |whole_run, stopped_run| {
                let parts = whole_run.tuples().zip(stopped_run.tuples());
                let (whole, stopped) = parts.expect("tuples");
                assert_eq!(stopped_run.rejected, 0, "{name}");
                assert!(stopped.tuples.covered <= whole.tuples.covered, "{name}");
                assert!(stopped.tuples.impossible <= whole.tuples.impossible, "{name}");
                if stopped.is_all {
                    assert_eq!(stopped.solutions.len(), whole.solutions.len(), "{name}");
                }
                match stopped_run.stopped_by {
                    StopReason::Interrupted => {}
                    StopReason::Complete => assert_eq!(stopped.tuples, whole.tuples, "{name}"),
                    other => assert_eq!(other, whole_run.stopped_by, "{name}"),
                }
            });
        }
    }
}

/// A model that there was no time to judge is neither right nor wrong.
#[test]
fn what_was_not_judged_is_not_rejected() {
    let problem = long();
    let (control, looks) = stopping_at(usize::MAX, false);
    let whole = tuples(&problem, 1, &control);
    assert_eq!((whole.rejected, whole.stopped_by), (0, StopReason::Complete));
    let looks = looks.load(Ordering::Relaxed);
    for part in 1..20 {
        let (control, _) = stopping_at(looks * part / 20, true);
        let stopped = tuples(&problem, 1, &control);
        assert_eq!(stopped.rejected, 0, "stopped at look {} of {looks}", looks * part / 20);
    }
}

#[test]
fn what_predicates_can_be() {
    let mut problem = problem(PLAIN);
    let (mut store, symbols) = (problem.store.clone(), problem.symbols.clone());
    let predicates = random_predicates(&mut store, &symbols, 40, 3, &Control::default());
    problem.store = store;
    let decide = |control: &Control| {
        decide_predicates(&problem, &predicates, 1, control).expect("nothing is refused or wrong")
    };
    at_every_look("decided", decide, |whole, stopped| {
        for (whole, stopped) in whole.iter().zip(stopped) {
            for (whole, stopped) in [(whole.holds, stopped.holds), (whole.fails, stopped.fails)] {
                assert!(stopped == Possibility::Unknown || stopped == whole);
            }
        }
    });
    let internal = |control: &Control| -> Vec<Predicate> {
        internal_predicates(&mut problem.clone(), 10, 1, control).expect("nothing is refused or wrong")
    };
    let whole = at_every_look("internal", internal, |whole, stopped| assert!(stopped.len() <= whole.len()));
    assert_eq!(whole.len(), 10);
}
