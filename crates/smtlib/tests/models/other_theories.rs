//! Values of theories that the solver does not decide: irrational numbers and sequences.

use sundry_smtlib::DiagnosticKind;
use sundry_term::{EvaluationError, Open, Value, evaluate};

use crate::formula_of_any_theory;

#[test]
fn irrational_numbers_are_not_comparable() {
    let mut case = formula_of_any_theory(
        "(declare-const x Real) (declare-const y Real) (declare-const z Real) (declare-fun f (Real) Real)
         (assert (= (* x x) 2.0)) (assert (= y (f (+ x 1.0)))) (assert (= z 0.5)) (assert (< z 0.0))",
    );
    for text in [
        "((define-fun y () Real (root-obj (+ (^ x 2) (* (- 2) x) (- 1)) 1))
          (define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 1))
          (define-fun z () Real 0.5)
          (define-fun f ((x!0 Real)) Real (ite (= x!0 (root-obj (+ (^ x 2) (* (- 2) x) (- 1)) 1)) 2.0 3.0)))",
        "((define-fun x () Real (_ real_algebraic_number <1*x^2 + (-2), (-3/2, -5/4)>))
          (define-fun y () Real (- (_ real_algebraic_number <7*x^3 + 2*x + (-1), (1/4, 1/2)>) 1.0))
          (define-fun z () Real (/ 1 2))
          (define-fun f ((a Real)) Real a))",
    ] {
        let read = case.read(text).remove(0);
        for name in ["x", "y"] {
            let reason = read.model.open(case.symbol(name));
            assert_eq!(reason, Some(Open::AlgebraicNumber), "{name} in {text}");
        }
        let judge = |number: usize| evaluate(&case.store, &read.model, case.formula.assertions[number]);
        let open = Err(EvaluationError::Open { reason: Open::AlgebraicNumber });
        assert_eq!(judge(0), open, "{text}");
        assert_eq!(judge(1), open, "{text}");
        // The rest of the model is judged as ever.
        assert_eq!(judge(2), Ok(Value::Bool(true)), "{text}");
        assert_eq!(judge(3), Ok(Value::Bool(false)), "{text}");
    }
    let error = case.error("((define-fun x () Real (_ real_algebraic_number <1*x^2");
    assert_eq!(error.kind, DiagnosticKind::Syntax);
}

#[test]
fn arrays_with_irrational_elements_are_not_taken_for_others() {
    let mut case = formula_of_any_theory(
        "(declare-const a (Array Int Real)) (assert (= (* (select a 0) (select a 0)) 2.0))",
    );
    let elements = "(ite (= i 0) (root-obj (+ (^ x 2) (- 2)) 2) (ite (= i 1) 3.0 0.0))";
    for text in [
        format!(
            "((define-fun a () (Array Int Real) (_ as-array k)) (define-fun k ((i Int)) Real {elements}))"
        ),
        format!("((define-fun a () (Array Int Real) (lambda ((i Int)) {elements})))"),
    ] {
        let error = case.error(&text);
        assert_eq!(error.kind, DiagnosticKind::Unsupported, "{text}");
        assert!(error.message.contains("does not give the values"), "{}", error.message);
    }
}

#[test]
fn sequences_as_solvers_print_them() {
    let mut case = formula_of_any_theory(
        "(declare-const x (Seq Int)) (declare-const e (Seq (Seq Real))) (declare-fun f ((Seq Int)) Int)
         (assert (= (seq.len x) 3)) (assert (= (seq.nth x 0) 4)) (assert (= (seq.len e) 2))
         (assert (= (seq.nth e 0) (as seq.empty (Seq Real)))) (assert (= (f x) 1))
         (assert (= (f (seq.unit 4)) 2))",
    );
    for text in [
        "((define-fun x () (Seq Int) (seq.++ (seq.unit 4) (seq.unit 10) (seq.unit 9)))
          (define-fun e () (Seq (Seq Real)) (seq.++ (seq.unit (as seq.empty (Seq Real))) (seq.unit (seq.unit 2.0))))
          (define-fun f ((x!0 (Seq Int))) Int (ite (= x!0 (seq.unit 4)) 2 1))
          (define-fun seq.nth_u ((x!0 (Seq Real)) (x!1 Int)) Real (/ 1.0 2.0)))",
        "((define-fun x () (Seq Int) (seq.++ (seq.unit 4) (seq.unit (- 1)) (seq.unit (- 1))))
          (define-fun e () (Seq (Seq Real)) (seq.++ (seq.unit (as seq.empty (Seq Real))) (seq.unit (seq.unit 0.0))))
          (define-fun f (($x1 (Seq Int))) Int (ite (= (seq.unit 4) $x1) 2 1)))",
    ] {
        case.accept(text);
    }
}
