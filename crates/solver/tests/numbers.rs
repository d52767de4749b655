//! Integers and reals: every operator of the theories, combinations, sessions with levels and cores, and what stays open.

mod common;

use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking, UnknownReason};
use sundry_term::{TermId, TermStore};

const DECLARATIONS: &str =
    "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const r Real)
    (declare-const s Real) (declare-const p Bool) (declare-const b (_ BitVec 8)) (declare-fun f (Int) Int)
    (declare-fun g (Real) Bool) (declare-const a (Array Int Int)) (declare-const c (Array Int Real))
    (declare-const o (Array Int Int)) (declare-const d (Array Int Real)) (declare-fun h ((Array Int Int)) Int)";

fn parsed(text: &str) -> (TermStore, Vec<TermId>) {
    common::parsed(&format!("{DECLARATIONS} {text}"))
}

/// The answer to a formula: a session judges its models.
fn answer(text: &str) -> Answer {
    let (mut store, assertions) = parsed(text);
    let mut session = Session::new(EngineOptions::default());
    assertions.iter().for_each(|&assertion| session.assert(assertion, Tracking::Silent));
    session.check(&mut store, &[], &Limits::default())
}

fn word(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

#[test]
fn operators_have_their_meaning() {
    for (text, expected) in [
        ("(assert (and (< x y) (< y z) (< z (+ x 2))))", "unsat"),
        ("(assert (and (< r s) (< s (+ r 0.001))))", "sat"),
        ("(assert (= (* 6 x) (+ (* 9 y) 1)))", "unsat"),
        ("(assert (= (+ (* 6 x) (* 10 y) (* 15 z)) 1)) (assert (< 100 x))", "sat"),
        ("(assert (= (* 4294967296 x) (+ (* 3123612579 y) 24))) (assert (< x (- 1000000)))", "sat"),
        ("(assert (= (div x 7) 3)) (assert (= (mod x 7) 6)) (assert (distinct x 27))", "unsat"),
        ("(assert (= (div x (- 7)) 3)) (assert (= (mod x (- 7)) 6))", "sat"),
        ("(assert (= (mod (- 7) 3) 1))", "unsat"),
        ("(assert (= (abs x) 3)) (assert (< x y 0)) (assert (distinct x (- 3)))", "unsat"),
        ("(assert ((_ divisible 6) x)) (assert (not ((_ divisible 3) x)))", "unsat"),
        ("(assert (is_int r)) (assert (< 2.0 r 3.0))", "unsat"),
        ("(assert (= (to_int r) (- 3))) (assert (< (- 2.5) r))", "sat"),
        ("(assert (= (to_int r) (- 3))) (assert (<= (- 2.0) r))", "unsat"),
        ("(assert (= (to_real x) (* 2.0 r))) (assert (= r 1.25))", "unsat"),
        ("(assert (= (ite p x y) 3)) (assert (not (= x 3))) (assert (not (= y 3)))", "unsat"),
        ("(assert (distinct x y z)) (assert (<= 0 x 1)) (assert (<= 0 y 1)) (assert (<= 0 z 1))", "unsat"),
    ] {
        let answer = answer(text);
        assert_eq!(word(&answer), expected, "{text}: {answer:?}");
    }
}

/// A chain of disjunctions, each of which implies an equality, is no search through all of its cases.
#[test]
fn equalities_that_follow_from_each_case_hold() {
    for sort in ["Int", "Real"] {
        let chain = |most: u32| -> String {
            let link = |number: u32| {
                let next = number + 1;
                format!(
                    "(declare-const t{next} {sort}) (declare-const u{next} {sort}) (declare-const v{next} {sort})
                    (assert (or (and (= t{number} u{next}) (= u{next} t{next}))
                        (and (= t{next} v{next} (+ t{number} 0)) (< 0 v{next}) (= v{next} u{next}))))"
                )
            };
            format!("(declare-const t0 {sort}) {}", (0..most).map(link).collect::<String>())
        };
        let long = chain(40);
        let answers =
            ["(< t0 t40)", "(= u40 t0)"].map(|goal| word(&answer(&format!("{long} (assert {goal})"))));
        assert_eq!(answers, ["unsat", "sat"], "{sort}");
    }
}

#[test]
fn divisions_by_zero_are_functions_of_the_dividend() {
    for (text, expected) in [
        ("(assert (< 5 (mod 2 0)))", "sat"),
        ("(assert (= (div 2 0) 7)) (assert (= (div x y) 8)) (assert (= y 0)) (assert (= x 2))", "unsat"),
        ("(assert (= (div 2 0) 7)) (assert (= (div x y) 8)) (assert (= y 0))", "sat"),
        ("(assert (distinct (/ r 0.0) (/ s 0.0))) (assert (= r s))", "unsat"),
        ("(assert (= (div x 0 2) 3)) (assert (= (div x 0) 9))", "unsat"),
    ] {
        let answer = answer(text);
        assert_eq!(word(&answer), expected, "{text}: {answer:?}");
    }
}

#[test]
fn words_alone_are_divided_by_zero_too() {
    // Without any declared number.
    for (text, expected) in [
        ("(assert (< 5 (div 1 (ubv_to_int w))))", "sat"),
        ("(assert (< 5 (mod 2 0)))", "sat"),
        ("(assert (< 5 (div 1 (ubv_to_int w)))) (assert (not (= w #x0)))", "unsat"),
    ] {
        let (mut store, assertions) = common::parsed(&format!("(declare-const w (_ BitVec 4)) {text}"));
        let mut session = Session::new(EngineOptions::default());
        for assertion in assertions {
            session.assert(assertion, Tracking::Silent);
        }
        let answer = session.check(&mut store, &[], &Limits::default());
        assert_eq!(word(&answer), expected, "{text}: {answer:?}");
    }
}

#[test]
fn numbers_go_together_with_words_arrays_and_functions() {
    for (text, expected) in [
        ("(assert (= x (ubv_to_int b))) (assert (= y (sbv_to_int b))) (assert (= (- x y) 256))", "sat"),
        ("(assert (= x (ubv_to_int b))) (assert (< 255 x))", "unsat"),
        ("(assert (= b ((_ int_to_bv 8) x))) (assert (= b #xff)) (assert (<= 0 x 254))", "unsat"),
        ("(assert (= b ((_ int_to_bv 8) x))) (assert (= (bvmul b b) #x31)) (assert (< 1000 x))", "sat"),
        ("(assert (= (+ x 1) (+ y 1))) (assert (distinct (f x) (f y)))", "unsat"),
        ("(assert (= (f x) (+ x 1))) (assert (= (f (f x)) x))", "sat"),
        ("(assert (= (f x) (+ x 1))) (assert (= (f (f x)) x)) (assert (= (f x) x))", "unsat"),
        ("(assert (g r)) (assert (not (g (/ s 2.0)))) (assert (= (* 2.0 r) s))", "unsat"),
        ("(assert (< (select a x) (select a y))) (assert (= x y))", "unsat"),
        ("(assert (= (select (store a x 5) y) 6)) (assert (= (select a y) 6)) (assert (= y (+ x 1)))", "sat"),
        ("(assert (= c (store c x (+ (select c x) 1.0))))", "unsat"),
        ("(assert (distinct (store a x 1) (store a y 1))) (assert (= (+ x x) (* 2 y)))", "unsat"),
        ("(assert (distinct a (store a x (select a y)))) (assert (= x y))", "unsat"),
        ("(assert (distinct a (store a x (select a y)))) (assert (< x y))", "sat"),
        ("(assert (distinct a o (store a x 0) (store o y 0)))", "sat"),
        ("(assert (= a (store o x 1))) (assert (= o (store a x 1))) (assert (distinct a o))", "unsat"),
        ("(assert (distinct a ((as const (Array Int Int)) 0))) (assert (= (select a x) 0))", "sat"),
        ("(assert (distinct (h a) (h (store a x y)))) (assert (= (select a x) y))", "unsat"),
        ("(assert (distinct (h a) (h o))) (assert (= (= a o) (= x x)))", "unsat"),
        ("(assert (not (= (= a o) (= c d)))) (assert (=> (= a o) (= (select a 1) 2)))", "sat"),
    ] {
        let answer = answer(text);
        assert_eq!(word(&answer), expected, "{text}: {answer:?}");
    }
}

#[test]
fn floating_point_values_are_reals() {
    let declarations = "(declare-const u (_ FloatingPoint 3 4)) (declare-const v (_ FloatingPoint 3 4))";
    for (text, expected) in [
        ("(assert (< 1.0 (fp.to_real u) 1.2))", "sat"),
        ("(assert (= (fp.to_real (fp #b0 #b011 #b100)) r)) (assert (distinct r 1.5))", "unsat"),
        ("(assert (fp.eq u v)) (assert (distinct (fp.to_real u) (fp.to_real v)))", "unsat"),
        ("(assert (fp.isInfinite u)) (assert (= (fp.to_real u) 7.0))", "sat"),
        (
            "(assert (fp.isNaN u)) (assert (= (fp.to_real u) 7.0)) (assert (= (fp.to_real (_ NaN 3 4)) 6.0))",
            "unsat",
        ),
        (
            "(assert (= (fp.to_real u) (/ 1.0 3.0))) (assert (not (fp.isNaN u))) (assert (not (fp.isInfinite u)))",
            "unsat",
        ),
    ] {
        let answer = answer(&format!("{declarations} {text}"));
        assert_eq!(word(&answer), expected, "{text}: {answer:?}");
    }
}

#[test]
fn products_have_models_and_small_refutations() {
    for (text, expected) in [
        ("(assert (= (* x y) 391)) (assert (< 1 x y))", "sat"),
        ("(assert (= (* x x) 2))", "unsat"),
        ("(assert (= (* 4.0 r r) (- (* 4.0 s s) 1.0))) (assert (< 0.0 s))", "sat"),
        ("(assert (= (* r s) (* r r r))) (assert (< 1.0 s)) (assert (not (= s 4.0)))", "sat"),
        ("(assert (= (/ 1.0 r) s)) (assert (< (* r s) (+ r s) 3.0)) (assert (< 1.0 r))", "sat"),
        // At the corners of the bounds.
        ("(assert (<= r (- 1.0))) (assert (<= 2.0 s)) (assert (< (- 2.0) (* r s)))", "unsat"),
        ("(assert (<= 0.0 r 1.0)) (assert (< r (* r r)))", "unsat"),
        ("(assert (= (* x y) 7)) (assert (<= 2 x 6)) (assert (<= 2 y 6))", "unsat"),
        ("(assert (= (div x y) 3)) (assert (= (mod x y) 2)) (assert (< 10 y))", "sat"),
        // Facts about the values of candidates do not come near these.
        ("(assert (= (+ (* x x x) (* y y y) (* z z z)) 855)) (assert (< 0 x y z))", "sat"),
        ("(assert (= (* x y) (* 1009 2003))) (assert (< 1 x y)) (assert (= (mod x 4) (mod z 7)))", "sat"),
    ] {
        let answer = answer(text);
        assert_eq!(word(&answer), expected, "{text}: {answer:?}");
    }
    // An irrational number is no value of the simplex.
    let answer = answer("(assert (= (* r r) 2.0))");
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Undecided("numbers"))), "{answer:?}");
}

#[test]
fn levels_and_cores_work_as_for_words() {
    let (mut store, assertions) =
        parsed("(assert (< x y)) (assert (< y z)) (assert (< z x)) (assert (< r s)) (assert (= x 3))");
    let mut session = Session::new(EngineOptions::default());
    for &assertion in &assertions {
        session.push();
        session.assert(assertion, Tracking::Named);
    }
    let answer = session.check(&mut store, &[], &Limits::default());
    let Answer::Unsat(core) = answer else { panic!("{answer:?}") };
    assert_eq!(core.assertions, [0, 1, 2]);
    for height in (1..assertions.len()).rev() {
        session.pop();
        let answer = session.check(&mut store, &[], &Limits::default());
        assert_eq!(word(&answer), if height >= 3 { "unsat" } else { "sat" }, "at height {height}");
    }
    let answer = session.check(&mut store, &[assertions[4], assertions[3]], &Limits::default());
    assert_eq!(word(&answer), "sat");
}

#[test]
fn reals_are_rounded_to_floating_point_values() {
    let declarations = "(declare-const m RoundingMode) (declare-const e Float32) (declare-const t Float32)
        (define-fun half ((u Real)) Float16 ((_ to_fp 5 11) RNE u))";
    for (text, expected) in [
        // 1/3 is between two values, to which it is rounded by mode.
        ("(assert (= r (/ 1.0 3.0))) (assert (fp.eq (half r) ((_ to_fp 5 11) RTP r)))", "unsat"),
        ("(assert (= r (/ 1.0 3.0))) (assert (fp.lt (half r) ((_ to_fp 5 11) m r)))", "sat"),
        ("(assert (fp.isInfinite (half r))) (assert (< (- 65520.0) r 65520.0))", "unsat"),
        ("(assert (fp.isInfinite (half r))) (assert (< r 65520.0))", "sat"),
        ("(assert (fp.isInfinite (half r))) (assert (< 0.0 r 65521.0))", "sat"),
        // A negative real may become minus zero, and zero does not.
        ("(assert (= (half r) (_ -zero 5 11))) (assert (<= 0.0 r))", "unsat"),
        ("(assert (= (half r) (_ -zero 5 11)))", "sat"),
        ("(assert (fp.isNaN ((_ to_fp 8 24) m r)))", "unsat"),
        ("(assert (= e ((_ to_fp 8 24) m (+ r s)))) (assert (< 1.0 r 2.0)) (assert (< 0.0 s 0.1))", "sat"),
    ] {
        let answer = answer(&format!("{declarations} {text}"));
        assert_eq!(word(&answer), expected, "{text}: {answer:?}");
    }
    // The lemmas are about one real each, and about one direction at a time.
    let answer = answer(&format!("{declarations} (assert (< r s)) (assert (fp.lt (half s) (half r)))"));
    assert!(matches!(answer, Answer::Unknown(UnknownReason::Undecided("numbers"))), "{answer:?}");
}
