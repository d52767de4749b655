//! Floats by optimisation beside circuits: who answers, limits, assumptions, partial solutions, and formulas that are none of its business.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sundry_solver::{
    Answer, EngineOptions, FloatMethod, FloatOptions, FloatStrategy, Limits, PartialOrigin, SatOptions,
    Session, Tracking, UnknownReason, Waypoint,
};
use sundry_term::{Control, Model, TermId, TermStore, Value, evaluate};

const DECLARATIONS: &str = "(declare-const x Float64) (declare-const y Float64) (declare-const z Float64)
    (declare-const s Float32) (declare-const b (_ BitVec 32)) (declare-const c (_ BitVec 32)) (declare-const p Bool)
    (declare-const r Real) (declare-const q (_ FloatingPoint 3 4)) (declare-const m RoundingMode)
    (declare-const a (Array (_ BitVec 32) Float64))
    (define-fun n ((v Real)) Float64 ((_ to_fp 11 53) RNE v))";

/// A formula whose circuits keep a SAT solver busy for minutes.
const HARD: &str = "
    (declare-const u Float64)
    (define-fun near ((t Float64) (v Float64)) Bool
        (and (fp.lt (fp.mul RNE v ((_ to_fp 11 53) RNE 0.999)) t) (fp.lt t (fp.mul RNE v ((_ to_fp 11 53) RNE 1.001)))))
    (define-fun square ((t Float64)) Float64 (fp.mul RNE t t))
    (assert (near (fp.add RNE (square x) (square y)) ((_ to_fp 11 53) RNE 1000.0)))
    (assert (near (fp.add RNE (square y) (square z)) ((_ to_fp 11 53) RNE 900.0)))
    (assert (near (fp.div RNE (square z) (square u)) ((_ to_fp 11 53) RNE 17.0)))
    (assert (fp.lt ((_ to_fp 11 53) RNE 1.0) u z)) (assert (fp.lt ((_ to_fp 11 53) RNE 1.0) x y))";

fn parsed(text: &str) -> (TermStore, Vec<TermId>) {
    common::parsed(&format!("{DECLARATIONS} {text}"))
}

fn session(method: FloatMethod, strategy: FloatStrategy, seed: u32) -> Session {
    let sat = SatOptions { seed, ..SatOptions::default() };
    let options = EngineOptions { sat, ..EngineOptions::for_single_questions() };
    Session::new(options).with_floats(FloatOptions { method, strategy, ..FloatOptions::default() })
}

/// The answer to a formula, with the number of evaluations.
fn asked(text: &str, method: FloatMethod, strategy: FloatStrategy, limits: &Limits) -> (Answer, u64) {
    let (mut store, assertions) = parsed(text);
    let mut session = session(method, strategy, 0);
    assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
    let answer = session.check(&mut store, &[], limits);
    if let Answer::Sat(model) = &answer {
        for &assertion in &assertions {
            assert_eq!(evaluate(&store, model, assertion), Ok(Value::Bool(true)), "{text}");
        }
    }
    (answer, session.statistics().evaluations)
}

fn within(ticks: u64) -> Limits {
    Limits { ticks: Some(ticks), ..Limits::default() }
}

#[test]
fn the_search_answers_what_circuits_do_not() {
    for strategy in [FloatStrategy::BasinHopping, FloatStrategy::Annealing, FloatStrategy::Swarm] {
        for method in [FloatMethod::Both, FloatMethod::Search] {
            let (answer, evaluations) = asked(HARD, method, strategy, &Limits::default());
            assert!(matches!(answer, Answer::Sat(_)), "{strategy:?} {method:?}: {answer:?}");
            assert!(evaluations > 0);
        }
    }
    let (answer, evaluations) =
        asked(HARD, FloatMethod::Circuit, FloatStrategy::default(), &within(2_000_000));
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Budget)), "{answer:?}");
    assert_eq!(evaluations, 0);
}

#[test]
fn all_that_feeds_floats_is_searched() {
    for text in [
        // Every kind of variable, and modes that the processor does not round by.
        "(assert (fp.lt (n 1000.5) ((_ to_fp 11 53) RNE b) (n 1003.5))) (assert (= ((_ extract 0 0) b) #b1))",
        "(assert (fp.eq x ((_ to_fp_unsigned 11 53) RNE (bvmul b c)))) (assert (fp.lt (n 70.0) x (n 72.0)))",
        "(assert (= ((_ fp.to_sbv 32) RTZ x) (bvadd b #x00000005))) (assert (= b #xfffffff0))",
        "(assert (fp.lt (fp.add RTP x x) (n 7.0))) (assert (fp.gt (fp.add m x x) (n 6.9))) (assert (= m RTN))",
        "(assert (xor p (fp.isNaN x))) (assert (=> p (fp.isInfinite x))) (assert (ite p (fp.isNegative x) (= x y)))",
        "(assert (= ((_ to_fp 8 24) RNE x) s)) (assert (not (= ((_ to_fp 11 53) RNE s) x))) (assert (fp.leq (n 1.0) x))",
        "(assert (fp.isSubnormal q)) (assert (fp.lt (fp.mul RNE q q) q))",
        "(assert (< 2.0 (fp.to_real x) 2.0000001))",
        // Circuits do not have this one.
        "(assert (fp.lt (n 3.0) ((_ to_fp 11 53) RTZ r) (n 3.00001))) (assert (> r 3.000001))",
    ] {
        let (answer, evaluations) =
            asked(text, FloatMethod::Search, FloatStrategy::default(), &within(200_000_000));
        assert!(matches!(answer, Answer::Sat(_)) && evaluations > 0, "{text}: {answer:?}");
    }
}

#[test]
fn refutations_come_from_circuits() {
    for text in [
        "(assert (fp.lt s ((_ to_fp 8 24) RNE 1.5))) (assert (fp.lt (fp.neg s) ((_ to_fp 8 24) RNE (- 2.5))))",
        "(assert (fp.lt (fp.mul RNE q q) (_ -zero 3 4)))",
        "(assert (not (= (fp.add RNE s s) (fp.mul RNE s ((_ to_fp 8 24) RNE 2.0)))))",
    ] {
        for method in [FloatMethod::Circuit, FloatMethod::Both] {
            let (answer, _) = asked(text, method, FloatStrategy::default(), &Limits::default());
            assert!(matches!(answer, Answer::Unsat(_)), "{text}: {answer:?}");
        }
        // The search alone ends by its limits.
        let (answer, evaluations) =
            asked(text, FloatMethod::Search, FloatStrategy::default(), &within(2_000_000));
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Budget)), "{text}: {answer:?}");
        assert!(evaluations > 1000, "{text}");
    }
}

#[test]
fn what_circuits_refuse_stays_refused() {
    let text = "(declare-const wide Float128) (declare-const other Float128)
        (assert (fp.lt (fp.rem wide other) wide)) (assert (fp.lt wide (fp.rem wide other)))";
    let (answer, evaluations) = asked(text, FloatMethod::Both, FloatStrategy::default(), &Limits::default());
    assert!(matches!(answer, Answer::Unknown(UnknownReason::TooLarge(_))), "{answer:?}");
    assert!(evaluations > 1000);
}

#[test]
fn equal_seeds_give_equal_models() {
    let solved = |seed: u32| -> Model {
        let (mut store, assertions) = parsed(HARD);
        let mut session = session(FloatMethod::Both, FloatStrategy::default(), seed);
        assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        match session.check(&mut store, &[], &Limits::default()) {
            Answer::Sat(model) => model,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(solved(3), solved(3));
    assert_ne!(solved(3), solved(4));
}

#[test]
fn formulas_without_floats_take_no_change() {
    for text in [
        "(assert (= (bvmul b c) #x00010001)) (assert (bvult #x00000001 b)) (assert (bvult b c))",
        "(assert (fp.lt (select a b) (select a c)))",
    ] {
        let (both, evaluations) =
            asked(text, FloatMethod::Both, FloatStrategy::default(), &Limits::default());
        let (circuit, _) = asked(text, FloatMethod::Circuit, FloatStrategy::default(), &Limits::default());
        let (Answer::Sat(both), Answer::Sat(circuit)) = (both, circuit) else {
            panic!("{text} has solutions")
        };
        assert_eq!(both, circuit, "{text}");
        assert_eq!(evaluations, 0, "{text}");
    }
}

#[test]
fn assumptions_levels_and_cores_are_respected() {
    let (mut store, assertions) = parsed(
        "(assert (fp.lt (n 1.0) (fp.mul RNE s64 s64) (n 2.0)))
         (assert (fp.lt s64 (n 0.0))) (assert (fp.lt (n 1.5) s64)) (assert (fp.lt (n 1.2) s64))"
            .replace("s64", "x")
            .as_str(),
    );
    let [square, negative, great, moderate] = assertions[..] else { panic!("four assertions") };
    let mut session = session(FloatMethod::Both, FloatStrategy::default(), 0);
    session.assert(square, Tracking::Named);
    let holds = |store: &TermStore, answer: &Answer, terms: &[TermId]| match answer {
        Answer::Sat(model) => terms.iter().all(|&term| evaluate(store, model, term) == Ok(Value::Bool(true))),
        _ => false,
    };
    let limits = Limits::default();
    let answer = session.check(&mut store, &[negative], &limits);
    assert!(holds(&store, &answer, &[square, negative]), "{answer:?}");
    let answer = session.check(&mut store, &[great], &limits);
    let Answer::Unsat(core) = answer else { panic!("{answer:?}") };
    assert_eq!((core.assertions, core.assumptions), (vec![0], vec![0]));
    session.push();
    session.assert(moderate, Tracking::Silent);
    let answer = session.check(&mut store, &[], &limits);
    assert!(holds(&store, &answer, &[square, moderate]), "{answer:?}");
    session.assert(negative, Tracking::Silent);
    assert!(matches!(session.check(&mut store, &[], &limits), Answer::Unsat(_)));
    session.pop();
    let answer = session.check(&mut store, &[negative], &limits);
    assert!(holds(&store, &answer, &[square, negative]), "{answer:?}");
}

#[test]
fn a_flag_stops_the_search() {
    let control = Control::default().with_stop(Arc::new(AtomicBool::new(true)));
    for method in [FloatMethod::Both, FloatMethod::Search] {
        let limits = Limits::new(&control, None);
        let (answer, _) = asked(HARD, method, FloatStrategy::default(), &limits);
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Interrupted)), "{answer:?}");
    }
}

#[test]
fn the_search_shows_partial_solutions() {
    let mut counts = Vec::new();
    for partial in [Waypoint::LocalMinimum, Waypoint::Accepted] {
        let (mut store, assertions) = parsed(HARD);
        let options = FloatOptions { method: FloatMethod::Search, partial, ..FloatOptions::default() };
        let mut session = Session::new(EngineOptions::default()).with_floats(options);
        assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
        let mut seen = 0;
        let answer =
            session.check_and_report(&mut store, &[], &Limits::default(), 1000, &mut |store, partial| {
                assert_eq!(partial.origin, PartialOrigin::Optimisation);
                let holds =
                    |&assertion: &TermId| evaluate(store, &partial.model, assertion) == Ok(Value::Bool(true));
                assert!(!assertions.iter().all(holds), "it is partial");
                seen += 1;
            });
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
        counts.push(seen);
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}
