//! Formulas with open products and divisions, answered as without.

use sundry_sat::Verdict;

use crate::engine::EngineOptions;
use crate::theory::lemma::LemmaKind;
use crate::theory::testing::judged_answer;

/// The verdict on assertions about `a`, `b`, `c` and `d`, words of a width, and a function `f`, and the number of
/// lemmas about products. The evaluator judges the model.
fn answer(width: u32, assertions: &str, open_products: Option<usize>) -> (Verdict, u64) {
    let mut text = String::from("(define-sort W () (_ BitVec WIDTH))(declare-fun f (W) W)");
    for name in ["a", "b", "c", "d"] {
        text += &format!("(declare-const {name} W)");
    }
    text += assertions;
    let text = text.replace("WIDTH", &width.to_string());
    let (verdict, statistics) =
        judged_answer(&text, &EngineOptions { open_products, ..EngineOptions::default() });
    let lemmas = statistics.lemmas.get(&LemmaKind::Product).copied().unwrap_or(0);
    (verdict, lemmas)
}

#[test]
fn small_words_have_the_same_answers() {
    for operation in ["bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"] {
        for value in 0..16 {
            for condition in [
                format!("(= ({operation} a b) (_ bv{value} WIDTH))(bvugt a #x2)(bvugt b a)"),
                format!(
                    "(= ({operation} a b) ({operation} c a))(= (bvadd a c) (_ bv{value} WIDTH))(bvult b a)(bvult a c)"
                ),
                format!(
                    "(= ({operation} a a) (bvadd (bvmul b b) (_ bv{value} WIDTH)))(= (f a) (bvmul b c))(= (f b) #x7)"
                ),
            ] {
                let assertion = format!("(assert (and {condition}))");
                let (expected, none) = answer(4, &assertion, None);
                assert_eq!(none, 0);
                assert_eq!(answer(4, &assertion, Some(1)).0, expected, "{assertion}");
            }
        }
    }
}

#[test]
fn small_words_overflow_as_with_circuits() {
    for overflows in ["bvumulo", "bvsmulo"] {
        for value in 0..16 {
            for condition in [
                format!("({overflows} a (_ bv{value} WIDTH))(bvult a b)(= (bvmul a b) #x6)"),
                format!(
                    "(not ({overflows} a b))(= (bvadd a b) (_ bv{value} WIDTH))(bvult #x3 a)(bvult #x3 b)"
                ),
                format!(
                    "(distinct ({overflows} a b) ({overflows} c d))(= (bvmul a b) (bvmul c d) (_ bv{value} WIDTH))"
                ),
            ] {
                let assertion = format!("(assert (and {condition}))");
                let (expected, none) = answer(4, &assertion, None);
                assert_eq!(none, 0);
                assert_eq!(answer(4, &assertion, Some(1)).0, expected, "{assertion}");
            }
        }
    }
}

#[test]
fn wide_words_are_multiplied_and_divided() {
    for (assertions, expected) in [
        (
            "(assert (= (bvmul a b) c))(assert (bvugt a c))(assert (bvugt b c))(assert (not (= c (_ bv0 WIDTH))))",
            Verdict::Sat,
        ),
        ("(assert (= (bvudiv a b) c))(assert (bvugt c b))(assert (bvugt b (_ bv1000 WIDTH)))", Verdict::Sat),
        ("(assert (= (bvmul a a) (_ bv2 WIDTH)))", Verdict::Unsat),
        ("(assert (bvuge (bvurem a b) b))(assert (not (= b (_ bv0 WIDTH))))", Verdict::Unsat),
        ("(assert (bvugt (bvudiv a b) a))(assert (not (= b (_ bv0 WIDTH))))", Verdict::Unsat),
        (
            "(assert (not (= (bvmul a b c) (bvmul c b a))))(assert (= a (_ bv5 WIDTH)))(assert (= b (_ bv9 WIDTH)))",
            Verdict::Unsat,
        ),
        (
            "(assert (= (bvmul a b) (_ bv1 WIDTH)))(assert (= (bvand a (_ bv1 WIDTH)) (_ bv0 WIDTH)))",
            Verdict::Unsat,
        ),
        ("(assert (bvumulo a b))(assert (= (bvmul a b) (_ bv7 WIDTH)))", Verdict::Sat),
        ("(assert (bvsmulo a b))(assert (bvslt (bvmul a b) a))(assert (bvslt a b))", Verdict::Sat),
        (
            "(assert (bvumulo a b))(assert (bvult a (bvshl (_ bv1 WIDTH) (_ bv90 WIDTH))))
            (assert (bvult b (bvshl (_ bv1 WIDTH) (_ bv90 WIDTH))))",
            Verdict::Unsat,
        ),
    ] {
        let (verdict, _) = answer(256, assertions, Some(EngineOptions::WIDE_PRODUCT));
        assert_eq!(verdict, expected, "{assertions}");
    }
}

/// A product whose factors are looked for gets its circuit in the end: 62615533 is 7907 by 7919, both prime.
#[test]
fn factors_are_found_or_refuted() {
    for (bound, expected) in [(7908, Verdict::Sat), (7907, Verdict::Unsat)] {
        let factors = format!(
            "(assert (= (bvmul a b) (_ bv62615533 WIDTH)))(assert (bvult b (_ bv65536 WIDTH)))
            (assert (bvult a (_ bv{bound} WIDTH)))(assert (bvugt a (_ bv1 WIDTH)))"
        );
        assert_eq!(answer(40, &factors, Some(8)).0, expected, "below {bound}");
    }
}
