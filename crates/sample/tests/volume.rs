//! Sampling at volume: every sample satisfies the formula by the evaluator, no sample comes twice, and small sets of
//! solutions are found completely.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_coverage::{Class, random_predicates};
use sundry_sample::{
    Control, Event, Granularity, Guidance, Method, Problem, Request, SampleError, Solutions, StopReason,
    Summary, VolumeOptions, VolumeStatistics, VolumeStrategy,
};
use sundry_smtlib::print_model;
use sundry_term::Evaluator;

use common::problem;

fn example(name: &str) -> Problem {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    problem(&std::fs::read_to_string(path).expect("an example"))
}

/// A run for at most this number of seconds.
fn request(strategy: VolumeStrategy, seconds: f64) -> Request {
    let deadline = Some(Instant::now() + Duration::from_secs_f64(seconds));
    let control = Control::default().with_deadline(deadline);
    Request { seed: 1, control, ..Request::volume(options(strategy)) }
}

fn options(strategy: VolumeStrategy) -> VolumeOptions {
    VolumeOptions { memory: 1 << 24, ..VolumeOptions::new(strategy) }
}

/// Samples with a receiver of solutions.
fn sample(
    problem: &Problem,
    request: &Request,
    receive: &mut dyn FnMut(Solutions<'_>) -> ControlFlow<()>,
) -> Result<Summary, SampleError> {
    sundry_sample::sample(problem, request, &mut |event| match event {
        Event::Solutions(solutions) => receive(solutions),
        _ => ControlFlow::Continue(()),
    })
}

/// Up to this number of samples, or all that are found within the seconds, checked and printed, in their order.
fn samples(
    problem: &Problem,
    seed: u64,
    most: usize,
    seconds: f64,
) -> (Vec<String>, StopReason, VolumeStatistics) {
    let request = Request { seed, ..request(VolumeStrategy::Combine, seconds) };
    let mut printed = Vec::new();
    let summary = sample(problem, &request, &mut |samples| {
        for model in samples.models() {
            let solution = problem.judge(model, &Control::default()).expect("a solution");
            printed.push(print_model(&problem.store, &solution.model, &problem.symbols));
        }
        if printed.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
    .expect("samples");
    assert_eq!(summary.rejected, 0);
    let different: BTreeSet<&String> = printed.iter().collect();
    assert_eq!(different.len(), printed.len(), "a sample came twice");
    (printed, summary.stopped_by, summary.volume().expect("a run at volume").clone())
}

#[test]
fn as_many_come_as_are_asked_for() {
    let problem = example("options.smt2");
    for most in [0, 1, 63, 64, 65, 1000] {
        let request = Request { max_solutions: Some(most), ..request(VolumeStrategy::Combine, 60.0) };
        let mut count = 0;
        let summary = sample(&problem, &request, &mut |samples| {
            assert_eq!(samples.models().count(), samples.count());
            count += samples.count() as u64;
            ControlFlow::Continue(())
        });
        assert_eq!((summary.expect("samples").stopped_by, count), (StopReason::MaximalSolutions, most));
    }
}

/// All solutions of small formulas are found, in which constants are defined, determined, or free.
#[test]
fn few_solutions_are_all_found() {
    for (text, count) in [
        ("(declare-const x (_ BitVec 3)) (assert (bvult x #b101))", 5),
        ("(declare-const x (_ BitVec 3)) (declare-const y (_ BitVec 3)) (assert (= y (bvmul x #b011)))", 8),
        ("(declare-const p Bool) (declare-const q Bool) (assert (or p q))", 3),
        ("(declare-const p Bool) (declare-const unused (_ BitVec 2)) (assert p)", 4),
        ("(declare-const x (_ BitVec 70)) (assert (= (bvand x (bvneg (_ bv8 70))) (_ bv16 70)))", 8),
        ("(declare-const x (_ BitVec 4)) (assert (= x #x7))", 1),
        (
            "(declare-const a (Array (_ BitVec 1) (_ BitVec 2))) (assert (bvult (select a #b0) (select a #b1)))",
            6,
        ),
        ("(declare-fun f (Bool) (_ BitVec 2)) (assert (distinct (f true) (f false) #b00))", 6),
        (
            "(declare-sort S 0) (declare-const a S) (declare-const b S) (declare-const p Bool) (assert (=> p (= a b)))",
            3,
        ),
    ] {
        let (found, reason, _) = samples(&problem(text), 1, count, 20.0);
        assert_eq!((found.len(), reason), (count, StopReason::MaximalSolutions), "{text}");
        // No more are there to be found. That it was all is known where there are constants only.
        let (found, reason, _) = samples(&problem(text), 2, count + 1, 60.0);
        let is_known = !["Array", "declare-fun", "declare-sort"].iter().any(|word| text.contains(word));
        let expected = if is_known { StopReason::Complete } else { StopReason::NothingNew };
        assert_eq!((found.len(), reason), (count, expected), "{text}");
    }
}

#[test]
fn every_sample_is_a_solution_and_none_comes_twice() {
    for name in ["memory.smt2", "options.smt2", "scheduler.smt2"] {
        let (found, reason, statistics) = samples(&example(name), 1, 5000, 60.0);
        assert!(found.len() >= 5000 && reason == StopReason::MaximalSolutions, "{name}: {statistics:?}");
        assert!(statistics.valid * 2 > statistics.candidates, "{name}: {statistics:?}");
    }
}

/// Each way to sample towards predicates reports solutions with the class that the evaluator finds, and steps that drop
/// classes the epoch has seen meet more of them in as many samples.
#[test]
fn samples_have_the_class_of_their_model() {
    let mut problem = example("options.smt2");
    let predicates = random_predicates(&mut problem.store, &problem.symbols, 70, 1, &Control::default());
    let mut classes_of = std::collections::BTreeMap::new();
    for (name, strategy) in [
        ("BH", VolumeStrategy::ClassesHard),
        ("BS", VolumeStrategy::ClassesSoft),
        ("S0", VolumeStrategy::Combine),
        ("S1", VolumeStrategy::Guide(Guidance::Neighbours)),
        ("S2", VolumeStrategy::Guide(Guidance::Classes)),
        ("S3", VolumeStrategy::Guide(Guidance::Bases)),
    ] {
        // Random classes of this number of predicates are empty: the run waits only briefly for solutions.
        let seconds = if name == "BH" { 0.5 } else { 60.0 };
        let predicates_of_run = predicates.clone();
        let options = VolumeOptions { predicates: predicates_of_run, ..options(strategy) };
        let request = Request { method: Method::Volume(options), ..request(strategy, seconds) };
        let mut printed = BTreeSet::new();
        let mut classes = std::collections::HashSet::new();
        let mut count = 0;
        let summary = sample(&problem, &request, &mut |samples| {
            for (model, class) in samples.models().zip(samples.classes()) {
                let solution = problem.judge(model, &Control::default()).expect("a solution");
                let mut evaluator = Evaluator::new(&problem.store, &solution.model);
                let expected = Class::evaluate(&mut evaluator, &predicates).expect("a class");
                let holds = |number: usize| class.holding().contains(number);
                assert!((0..70).all(|number| holds(number) == expected.holding().contains(number)), "{name}");
                printed.insert(print_model(&problem.store, &solution.model, &problem.symbols));
                classes.insert(class);
                count += 1;
            }
            if count < 200 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .expect("samples");
        assert_eq!((printed.len(), summary.rejected), (count, 0), "{name}");
        assert!(name == "BH" || summary.stopped_by == StopReason::MaximalSolutions, "{name}: {summary:?}");
        classes_of.insert(name, classes.len());
    }
    assert!(classes_of["S3"] > classes_of["S0"], "{classes_of:?}");
}

/// Whatever neighbours differ in, samples are solutions and different, and so are the first ones of each way.
#[test]
fn neighbours_may_differ_in_bits_values_or_nodes() {
    for name in ["memory.smt2", "options.smt2", "scheduler.smt2"] {
        let problem = example(name);
        let mut first = BTreeSet::new();
        for granularity in [Granularity::Bit, Granularity::Value, Granularity::Gate] {
            let strategy = VolumeStrategy::Combine;
            let options = VolumeOptions { granularity, ..options(strategy) };
            let request = Request { method: Method::Volume(options), ..request(strategy, 60.0) };
            let mut printed = BTreeSet::new();
            let mut count = 0;
            let summary = sample(&problem, &request, &mut |samples| {
                for model in samples.models() {
                    let solution = problem.judge(model, &Control::default()).expect("a solution");
                    printed.insert(print_model(&problem.store, &solution.model, &problem.symbols));
                    count += 1;
                }
                if count < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
            .expect("samples");
            assert_eq!((summary.stopped_by, summary.rejected), (StopReason::MaximalSolutions, 0), "{name}");
            assert_eq!(printed.len(), count, "{name} {granularity:?}: a sample came twice");
            first.insert(printed);
        }
        assert_eq!(first.len(), 3, "{name}: the granularity makes no difference");
    }
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    let problem = example("memory.smt2");
    let of_seed = |seed| samples(&problem, seed, 3000, 60.0).0;
    assert_eq!(of_seed(7), of_seed(7));
    assert_ne!(of_seed(7), of_seed(8));
}

#[test]
fn without_solutions_there_are_no_samples() {
    let (found, reason, _) =
        samples(&problem("(declare-const p Bool) (assert p) (assert (not p))"), 1, 1, 20.0);
    assert_eq!((found.len(), reason), (0, StopReason::Unsatisfiable));
}

/// A run that continues an interrupted one finds other solutions than that one, and the same whenever it is repeated.
#[test]
fn each_stream_has_solutions_of_its_own() {
    let problem = example("memory.smt2");
    let first = |stream| {
        let strategy = VolumeStrategy::Combine;
        let method = Method::Volume(VolumeOptions { stream, ..options(strategy) });
        let request = Request { method, seed: 0, ..request(strategy, 60.0) };
        let mut printed = BTreeSet::new();
        sample(&problem, &request, &mut |samples| {
            let models = samples.models();
            printed.extend(models.map(|model| print_model(&problem.store, &model, &problem.symbols)));
            if printed.len() < 1000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .expect("samples");
        printed
    };
    let streams = [first(0), first(1), first(1000)];
    assert_eq!(streams[1], first(1));
    for (left, right) in [(0, 1), (0, 2), (1, 2)] {
        let common = streams[left].intersection(&streams[right]).count();
        assert!(common < 100, "{common} solutions in common");
    }
}
