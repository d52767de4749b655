//! Uniform sampling: numbers of solutions are right, samples are solutions, and as uniform as promised. One file, since all
//! of that is tested on the same formulas with the same way to draw.

#[path = "../examples/formula/uniformity.rs"]
mod uniformity;

mod common;

use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_sample::{
    Control, Event, Method, Problem, Request, SolutionCount, StopReason, Summary, UniformMethod,
    UniformOptions, UniformStatistics, sample,
};
use sundry_smtlib::print_model;
use sundry_term::{BitVector, Evaluator, Model, Value};
use uniformity::{ChiSquare, Tally};

use common::problem;

/// Formulas with the number of values that their Boolean and bit-vector constants can have.
const FORMULAS: [(&str, &str, u64); 13] = [
    (
        "a configuration",
        "(declare-const tls Bool) (declare-const http2 Bool) (declare-const compress Bool) (declare-const cache Bool)
         (declare-const log Bool) (declare-const verbose Bool) (declare-const proxy Bool) (declare-const static Bool)
         (assert (=> http2 tls)) (assert (=> verbose log)) (assert (not (and proxy static)))
         (assert (or cache compress static))",
        3 * 3 * (2 * 4 - 2 + 4),
    ),
    (
        "a long clause",
        "(declare-const a Bool) (declare-const b Bool) (declare-const c Bool) (declare-const d Bool)
         (declare-const e Bool) (declare-const f Bool) (declare-const g Bool) (assert (or a b c d e f g))",
        127,
    ),
    ("a range", "(declare-const x (_ BitVec 8)) (assert (bvult x #xc8)) (assert (bvuge x #x07))", 193),
    (
        "a sum",
        "(declare-const x (_ BitVec 6)) (declare-const y (_ BitVec 6)) (assert (= (bvadd x y) #b101010))",
        64,
    ),
    (
        "a product",
        "(declare-const x (_ BitVec 5)) (declare-const y (_ BitVec 5))
         (assert (= ((_ extract 2 0) (bvmul x y)) #b110)) (assert (bvult x y))",
        // Half of the pairs that are 1 and 6, 2 and 3, 2 and 7, or 5 and 6, in some order, modulo 8.
        8 * 4 * 4 / 2,
    ),
    (
        "a remainder",
        "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 3))
         (assert (= (bvurem x (concat #b00000 y)) #x02)) (assert (distinct y #b000))",
        // x mod y = 2 for y from 3 to 7.
        85 + 64 + 51 + 43 + 37,
    ),
    (
        "a parity",
        "(declare-const x (_ BitVec 4)) (declare-const y (_ BitVec 4))
         (define-fun z () (_ BitVec 4) (bvxor x y))
         (assert (= (bvxor ((_ extract 3 3) z) ((_ extract 2 2) z) ((_ extract 1 1) z) ((_ extract 0 0) z)) #b1))",
        128,
    ),
    (
        "unused constants",
        "(declare-const p Bool) (declare-const q Bool) (declare-const unused (_ BitVec 3)) (declare-const free Bool)
         (declare-const half (_ BitVec 4)) (assert (or p q)) (assert (= ((_ extract 1 0) half) #b01))",
        3 * 8 * 2 * 4,
    ),
    (
        "parts that are zero",
        "(declare-const x (_ BitVec 16)) (declare-const y (_ BitVec 16)) (assert (bvult x #x0020))
         (assert (= (bvand y #xfff8) #x0000)) (assert (bvule x (bvadd y #x0018)))",
        24 * 8 + 36,
    ),
    (
        "a condition",
        "(declare-const p Bool) (declare-const x (_ BitVec 5)) (declare-const y (_ BitVec 5))
         (assert (= y (ite p (bvmul x #b00110) (bvlshr x #b00001))))",
        64,
    ),
    (
        "an array",
        "(declare-const m (Array (_ BitVec 3) (_ BitVec 2))) (declare-const i (_ BitVec 3))
         (declare-const j (_ BitVec 3)) (declare-const p Bool)
         (assert (= p (= (select m i) (bvadd (select m j) #b01)))) (assert (bvult i #b110))",
        // p is false where i and j are equal.
        6 * 7 * 2 + 6,
    ),
    (
        "a constant that is read",
        "(declare-const m (Array (_ BitVec 3) (_ BitVec 3))) (declare-const i (_ BitVec 3))
         (declare-const x (_ BitVec 3)) (assert (= x (select m i))) (assert (bvult x #b101))",
        40,
    ),
    (
        "a function",
        "(declare-sort S 0) (declare-fun f ((_ BitVec 3)) S) (declare-const s S)
         (declare-const x (_ BitVec 3)) (declare-const y (_ BitVec 3))
         (assert (distinct (f x) (f y))) (assert (distinct (f #b000) s)) (assert (= (f y) s))",
        // y is not 0, and x is not y.
        49,
    ),
];

fn request(method: UniformMethod, max_solutions: Option<u64>, seed: u64) -> Request {
    Request { max_solutions, seed, ..Request::draws(UniformOptions::new(method, 0.1)) }
}

/// The same request, with up to `listed` solutions listed.
fn listing(request: Request, listed: u64) -> Request {
    let Method::Uniform(options) = request.method else { panic!("no draws") };
    Request { method: Method::Uniform(UniformOptions { listed, ..options }), ..request }
}

/// Draws samples for a receiver of some at a time.
fn draw_each(
    problem: &Problem,
    request: &Request,
    receive: &mut dyn FnMut(Vec<Model>) -> ControlFlow<()>,
) -> (Summary, UniformStatistics) {
    let summary = sample(problem, request, &mut |event| match event {
        Event::Solutions(solutions) => receive(solutions.models().collect()),
        _ => ControlFlow::Continue(()),
    })
    .expect("a small circuit");
    let statistics = summary.uniform().expect("draws").clone();
    (summary, statistics)
}

/// Draws a number of samples as models, where up to `listed` solutions are listed.
fn draw(
    problem: &Problem,
    request: &Request,
    listed: u64,
    mut each: impl FnMut(&Model),
) -> UniformStatistics {
    let request = listing(request.clone(), listed);
    let (summary, statistics) = draw_each(problem, &request, &mut |models| {
        models.iter().for_each(&mut each);
        ControlFlow::Continue(())
    });
    assert_eq!(summary.stopped_by, StopReason::MaximalSolutions);
    assert_eq!((Some(statistics.samples), summary.rejected), (request.max_solutions, 0));
    statistics
}

/// Draws 20 samples for each solution and tests whether they are uniform.
fn test_uniformity(name: &str, text: &str, solutions: u64, listed: u64) -> (ChiSquare, UniformStatistics) {
    let problem = problem(text);
    let mut tally = Tally::default();
    let request = request(UniformMethod::Hashing, Some(20 * solutions), 1);
    let statistics = draw(&problem, &request, listed, |model| tally.add(&problem, model));
    assert_eq!(tally.0.len() as u64, solutions, "{name}");
    (ChiSquare::new(tally.0.values().copied(), solutions), statistics)
}

#[test]
fn lists_are_drawn_from_uniformly() {
    for (name, text, solutions) in FORMULAS {
        let (test, statistics) = test_uniformity(name, text, solutions, 1 << 14);
        assert!(statistics.exact, "{name}");
        assert_eq!(
            statistics.solutions,
            Some(SolutionCount::Exact(solutions >> statistics.free_bits)),
            "{name}"
        );
        assert!(test.statistic < test.quantile, "{name}: {test:?}");
    }
}

#[test]
fn cells_are_drawn_from_uniformly() {
    for (name, text, solutions) in FORMULAS {
        let (test, statistics) = test_uniformity(name, text, solutions, 0);
        assert!(!statistics.exact && statistics.threshold.is_some(), "{name}");
        assert!(test.statistic < test.quantile, "{name}: {test:?}");
        let Some(SolutionCount::AboutLog2(about)) = statistics.solutions else {
            panic!("{name}: {statistics:?}")
        };
        let log2 = (solutions as f64).log2() - statistics.free_bits as f64;
        assert!((about - log2).abs() < 1.0, "{name}: {about} {log2}");
    }
}

/// The test that accepts lists and cells as uniform rejects samples that are not.
#[test]
fn the_test_of_uniformity_has_power() {
    let counts =
        |biased: u64| (0..100).map(move |number| if number < 50 { 20 + biased } else { 20 - biased });
    assert!(ChiSquare::new(counts(0), 100).statistic == 0.0);
    let ChiSquare { statistic, degrees, quantile } = ChiSquare::new(counts(6), 100);
    assert!(statistic > quantile && degrees == 99.0);
    // The quantile by tables is 148.23.
    assert!((quantile - 148.23).abs() < 0.1, "{quantile}");
    assert!(ChiSquare::new((0..90).map(|_| 20), 100).statistic > quantile);
}

/// A random term of a sort: `b` for truth values, a number for bit-vectors of that width.
fn random_term(text: &mut String, is_bool: bool, depth: u32, random: &mut ChaCha8Rng) {
    let (leaves, operators): (&[&str], &[(&str, &str)]) = match is_bool {
        true => (
            &["p", "q"],
            &[
                ("and", "bb"),
                ("xor", "bb"),
                ("not", "b"),
                ("=>", "bb"),
                ("=", "vv"),
                ("bvult", "vv"),
                ("bvsle", "vv"),
            ],
        ),
        false => (
            &["x", "y", "z", "#b01", "#b10"],
            &[
                ("bvadd", "vv"),
                ("bvmul", "vv"),
                ("bvudiv", "vv"),
                ("bvor", "vv"),
                ("ite", "bvv"),
                ("bvshl", "vv"),
            ],
        ),
    };
    if depth == 0 {
        text.push_str(leaves.choose(random).expect("a leaf"));
        return;
    }
    let (name, arguments) = operators.choose(random).expect("an operator");
    write!(text, "({name}").expect("text");
    for argument in arguments.chars() {
        text.push(' ');
        random_term(text, argument == 'b', depth - 1, random);
    }
    text.push(')');
}

/// The number of solutions by trying all values of two Booleans and three bit-vectors of two bits.
fn count_by_brute_force(problem: &Problem) -> u64 {
    let value = |number: usize, bits: u32| match number {
        0 | 1 => Value::Bool(bits >> number & 1 == 1),
        _ => {
            let first = 2 * number as u32 - 2;
            Value::BitVec(BitVector::from_bits(2, |bit| bits >> (first + bit) & 1 == 1))
        }
    };
    let holds = |bits: &u32| {
        let mut model = Model::new();
        for (number, &symbol) in problem.symbols.iter().enumerate() {
            model.set_constant(symbol, value(number, *bits));
        }
        let mut evaluator = Evaluator::new(&problem.store, &model);
        evaluator.evaluate(&problem.assertions).expect("values");
        problem.assertions.iter().all(|&assertion| evaluator.value(assertion) == Some(&Value::Bool(true)))
    };
    (0..1 << 8).filter(holds).count() as u64
}

#[test]
fn counts_are_those_of_brute_force() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut satisfiable = 0;
    for _ in 0..150 {
        let mut text = "(declare-const p Bool) (declare-const q Bool) (declare-const x (_ BitVec 2))
            (declare-const y (_ BitVec 2)) (declare-const z (_ BitVec 2))"
            .to_string();
        for _ in 0..2 {
            text.push_str("(assert ");
            random_term(&mut text, true, 3, &mut random);
            text.push(')');
        }
        let problem = problem(&text);
        let expected = count_by_brute_force(&problem);
        let request = request(UniformMethod::Hashing, Some(30), 1);
        let mut check = |models: Vec<Model>| {
            for model in models {
                problem.judge(model, &Control::default()).expect("a solution");
            }
            ControlFlow::Continue(())
        };
        let (summary, statistics) = draw_each(&problem, &request, &mut check);
        match statistics.solutions {
            Some(SolutionCount::Exact(count)) => {
                assert_eq!(count << statistics.free_bits, expected, "{text}");
                assert_eq!((statistics.samples, summary.rejected), (30, 0), "{text}");
                satisfiable += 1;
            }
            None => assert_eq!((summary.stopped_by, expected), (StopReason::Unsatisfiable, 0), "{text}"),
            about => panic!("{about:?}: {text}"),
        }
    }
    assert!((30..150).contains(&satisfiable), "{satisfiable}");
}

/// Many solutions: nothing comes twice, the estimate is near, and a bit that most solutions have is set in as many
/// samples.
#[test]
fn many_solutions_are_cut_into_cells() {
    let problem = problem(
        "(declare-const x (_ BitVec 12)) (declare-const y (_ BitVec 12)) (declare-const p Bool)
         (assert (= p (bvult x #x300))) (assert (bvule x y))",
    );
    let mut holding = 0;
    let p = problem.symbols[2];
    let request = request(UniformMethod::Hashing, Some(1000), 1);
    let statistics = draw(&problem, &request, 1 << 14, |model| {
        problem.judge(model.clone(), &Control::default()).expect("a solution");
        holding += i32::from(model.constant(p) == Some(&Value::Bool(true)));
    });
    let expected = (4096.0 * 4097.0 / 2.0f64).log2();
    let Some(SolutionCount::AboutLog2(about)) = statistics.solutions else { panic!("{statistics:?}") };
    let log2 = about + statistics.free_bits as f64;
    assert!(!statistics.exact && (log2 - expected).abs() < 0.5, "{log2} {expected}");
    // 34 percent of 1000, give or take four standard deviations.
    assert!((280..=400).contains(&holding), "{holding}");
}

#[test]
fn quick_samples_are_solutions_and_differ() {
    for (name, text, solutions) in FORMULAS {
        let problem = problem(text);
        let mut tally = Tally::default();
        let request = request(UniformMethod::Quick, Some(10 * solutions), 1);
        draw(&problem, &request, 0, |model| {
            problem.judge(model.clone(), &Control::default()).expect("a solution");
            tally.add(&problem, model);
        });
        assert!(tally.0.len() as u64 * 10 >= solutions * 8, "{name}: {} of {solutions}", tally.0.len());
    }
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    for (method, listed) in
        [(UniformMethod::Hashing, 1 << 14), (UniformMethod::Hashing, 0), (UniformMethod::Quick, 0)]
    {
        for (name, text, _) in [FORMULAS[0], FORMULAS[7], FORMULAS[10]] {
            let problem = problem(text);
            let of_seed = |seed| {
                let mut printed = Vec::new();
                let request = request(method, Some(300), seed);
                draw(&problem, &request, listed, |model| {
                    printed.push(print_model(&problem.store, model, &problem.symbols));
                });
                printed
            };
            assert_eq!(of_seed(7), of_seed(7), "{name}");
            assert_ne!(of_seed(7), of_seed(8), "{name}");
        }
    }
}

#[test]
fn sampling_ends_when_it_has_to() {
    let problem = problem(FORMULAS[0].1);
    for method in [UniformMethod::Hashing, UniformMethod::Quick] {
        // The receiver has enough.
        let mut received = 0;
        let (summary, statistics) = draw_each(&problem, &request(method, None, 1), &mut |models| {
            received += models.len() as u64;
            if received < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((summary.stopped_by, statistics.samples), (StopReason::MaximalSolutions, received));
        assert!(received >= 100);

        // No samples are asked for.
        let (none, _) = draw_each(&problem, &request(method, Some(0), 1), &mut |_| panic!("a sample"));
        assert_eq!(none.stopped_by, StopReason::MaximalSolutions);

        // Time is up. How much is enough for the first sample depends on the machine.
        let mut allowance = Duration::from_millis(50);
        loop {
            let control = Control::default().with_deadline(Some(Instant::now() + allowance));
            let limited = Request { control, ..request(method, None, 1) };
            let (summary, statistics) = draw_each(&problem, &limited, &mut |_| ControlFlow::Continue(()));
            assert_eq!(summary.stopped_by, StopReason::Deadline);
            if statistics.samples > 0 {
                break;
            }
            allowance *= 2;
        }

        // Somebody stops it.
        let stop = Arc::new(AtomicBool::new(false));
        let control = Control::default().with_stop(stop.clone());
        let stoppable = Request { control, ..request(method, None, 1) };
        let (summary, _) = draw_each(&problem, &stoppable, &mut |_| {
            stop.store(true, Ordering::Relaxed);
            ControlFlow::Continue(())
        });
        assert_eq!(summary.stopped_by, StopReason::Interrupted);

        // Time was up before.
        let control = Control::default().with_deadline(Some(Instant::now()));
        let late = Request { control, ..request(method, None, 1) };
        let (summary, _) = draw_each(&problem, &late, &mut |_| ControlFlow::Continue(()));
        assert_eq!(summary.stopped_by, StopReason::Deadline);
    }
}

#[test]
fn without_solutions_there_are_no_samples() {
    let problem = problem("(declare-const p Bool) (assert p) (assert (not p))");
    for method in [UniformMethod::Hashing, UniformMethod::Quick] {
        let (summary, statistics) =
            draw_each(&problem, &request(method, None, 1), &mut |_| panic!("a sample"));
        assert_eq!((summary.stopped_by, statistics.samples), (StopReason::Unsatisfiable, 0));
    }
}

/// Few solutions and none of them a matter of choice.
#[test]
fn a_single_solution_is_drawn_again_and_again() {
    for text in ["(declare-const x (_ BitVec 4)) (assert (= x #x7))", "(assert true)"] {
        for listed in [0, 1 << 14] {
            let problem = problem(text);
            let mut tally = Tally::default();
            let request = request(UniformMethod::Hashing, Some(50), 1);
            draw(&problem, &request, listed, |model| tally.add(&problem, model));
            assert_eq!(tally.0.into_values().collect::<Vec<u64>>(), [50], "{text}");
        }
    }
}
