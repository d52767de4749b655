//! Elements of declared sorts, arrays and functions in the spelling of solvers.

use sundry_smtlib::print_model;
use sundry_term::{FunctionValue, Value};

use crate::{formula, formula_of_any_theory};

const SORTS: &str = "
    (declare-sort S 0) (declare-const a S) (declare-const b S)
    (declare-fun f (S (_ BitVec 8)) (_ BitVec 8)) (declare-fun g (S) S)
    (declare-const n (Array S Bool)) (declare-const |x y| (_ BitVec 5))
    (assert (distinct a b (g a))) (assert (= (f a #x01) #x03)) (assert (= (f b #x02) #x04))
    (assert (not (= (select n a) (select n b)))) (assert (= |x y| (_ bv7 5)))";

#[test]
fn elements_declared_with_a_cardinality() {
    let mut case = formula(SORTS);
    let read = case.accept(
        "sat
        (
          ;; universe for S:
          ;;   S!val!1 S!val!2 S!val!0
          (declare-fun S!val!1 () S)
          (declare-fun S!val!2 () S)
          (declare-fun S!val!0 () S)
          ;; cardinality constraint:
          (forall ((x S)) (or (= x S!val!1) (= x S!val!2) (= x S!val!0)))
          (define-fun n () (Array S Bool) (store ((as const (Array S Bool)) true) S!val!1 false))
          (define-fun b () S S!val!1)
          (define-fun a () S S!val!0)
          (define-fun |x y| () (_ BitVec 5) #b00111)
          (define-fun g ((x!0 S)) S S!val!2)
          (define-fun f ((x!0 S) (x!1 (_ BitVec 8))) (_ BitVec 8)
            (ite (and (= x!0 S!val!1) (= x!1 #x02)) #x04 #x03))
        )",
    );
    let sort = case.store.symbol(case.symbol("a")).result;
    assert_eq!(read.model.constant(case.symbol("b")), Some(&Value::Uninterpreted { sort, index: 1 }));
    assert!(matches!(read.model.function(case.symbol("f")), Some(FunctionValue::Table { .. })));
    assert!(read.missing.is_empty() && read.unused.is_empty());
}

#[test]
fn elements_as_abstract_values() {
    formula(SORTS).accept(
        "sat
        (
        ; cardinality of S is 3
        ; rep: (as @S_0 S)
        (define-fun a () S (as @S_0 S))
        (define-fun b () S (as @S_1 S))
        (define-fun f ((_arg_1 S) (_arg_2 (_ BitVec 8))) (_ BitVec 8)
          (ite (= (as @S_0 S) _arg_1) (ite (= #b00000001 _arg_2) #b00000011 #b00000100) #b00000100))
        (define-fun g ((_arg_1 S)) S (as @S_2 S))
        (define-fun n () (Array S Bool) (store ((as const (Array S Bool)) false) (as @S_0 S) true))
        (define-fun |x y| () (_ BitVec 5) #b00111)
        )",
    );
}

const ARRAYS: &str = "
    (declare-const a (Array (_ BitVec 32) (_ BitVec 8))) (declare-const b (Array (_ BitVec 32) (_ BitVec 8)))
    (declare-const c (Array (_ BitVec 2) (Array (_ BitVec 2) Bool)))
    (assert (= (select a #x00000080) #x88)) (assert (= (select a #x5fff0000) #x01))
    (assert (= (select b #x00000080) #x47)) (assert (= (select a #x00000000) (select b #x12345678) #x01))
    (assert (not (= (select c #b00) (select c #b01)))) (assert (select (select c #b00) #b11))";

#[test]
fn arrays_as_functions_defined_later() {
    let mut case = formula(ARRAYS);
    let read = case.accept(
        "(model
          (define-fun b () (Array (_ BitVec 32) (_ BitVec 8)) (_ as-array k!10))
          (define-fun a () (Array (_ BitVec 32) (_ BitVec 8)) (_ as-array k!9))
          (define-fun c () (Array (_ BitVec 2) (Array (_ BitVec 2) Bool))
            (store ((as const (Array (_ BitVec 2) (Array (_ BitVec 2) Bool))) (_ as-array k!11))
               #b01 (_ as-array k!12)))
          (define-fun k!9 ((x!0 (_ BitVec 32))) (_ BitVec 8)
            (ite (= x!0 #x5fff0000) #x01 (ite (= x!0 #x00000080) #x88 (ite (= x!0 #x00000000) #x01 #x01))))
          (define-fun k!12 ((x!0 (_ BitVec 2))) Bool (ite (= x!0 #b00) false false))
          (define-fun k!10 ((x!0 (_ BitVec 32))) (_ BitVec 8) (k!20 (k!21 x!0)))
          (define-fun k!20 ((x!0 (_ BitVec 32))) (_ BitVec 8) (ite (= x!0 #x00000080) #x47 #x01))
          (define-fun k!21 ((x!0 (_ BitVec 32))) (_ BitVec 32) (ite (= x!0 #x00000080) #x00000080 #x00000000))
          (define-fun k!11 ((x!0 (_ BitVec 2))) Bool (ite (= x!0 #b00) true true))
          (define-fun k!99 ((x!0 (_ BitVec 2))) Bool (k!11 x!0))
        )",
    );
    let unused: Vec<&str> = read.unused.iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(unused, ["k!99"]);
    let a = read.model.constant(case.symbol("a")).and_then(Value::as_array).expect("an array");
    assert_eq!(a.entries().count(), 1);
    assert_eq!(read.model.functions().count(), 0, "auxiliary functions are tabulated away");
}

#[test]
fn arrays_as_lambda() {
    formula(ARRAYS).accept(
        "(
          (define-fun b () (Array (_ BitVec 32) (_ BitVec 8))
            (lambda ((x (_ BitVec 32))) (let ((p (= x #x00000080))) (ite (and p (not (= #x00000001 x))) #x47 #x01))))
          (define-fun a () (Array (_ BitVec 32) (_ BitVec 8))
            (store (lambda ((x!1 (_ BitVec 32))) (ite (= x!1 #x00000080) #x88 (ite (= x!1 #x00000080) #x00 #x02)))
              #x5fff0000 (select b #x00000000)))
          (define-fun c () (Array (_ BitVec 2) (Array (_ BitVec 2) Bool))
            (lambda ((x (_ BitVec 2)))
              (store (ite (bvult x #b01) ((as const (Array (_ BitVec 2) Bool)) true) other) x (= x #b10))))
          (define-fun other () (Array (_ BitVec 2) Bool) (lambda ((x (_ BitVec 2))) (not (bvule x #b10))))
        )"
        .replace("#x00 #x02)))", "#x00 #x01)))")
        .as_str(),
    );
}

#[test]
fn functions_of_truth_values() {
    let text = "(declare-fun f (Bool (_ BitVec 8)) (_ BitVec 8)) (declare-const p Bool)
        (assert (= (f p #x01) #x03)) (assert (= (f (not p) #x02) #x04))";
    let mut case = formula(text);
    case.accept(
        "sat (
          (define-fun f ((@bzla.var_19 Bool)  (@bzla.var_20 (_ BitVec 8))) (_ BitVec 8)
            (ite (and (= @bzla.var_19 false) (= @bzla.var_20 #b00000001)) #b00000011
            (ite (and (= @bzla.var_19 true) (= @bzla.var_20 #b00000010)) #b00000100 #b00000000)))
          (define-fun p () Bool false)
        )",
    );
    let read = case.accept(
        "((define-fun f ((x Bool) (y (_ BitVec 8))) (_ BitVec 8) (ite (and x (= y #x01)) #x03
            (ite (or (and (not x) (= y #x02)) (and (= #x03 y) x)) #x04 #x00)))
          (define-fun p () Bool true))",
    );
    let Some(FunctionValue::Table { entries, .. }) = read.model.function(case.symbol("f")) else {
        panic!("{:?}", read.model)
    };
    assert_eq!(entries.len(), 3);
}

#[test]
fn functions_that_are_no_tables_keep_their_bodies() {
    let mut case = formula(
        "(declare-sort S 0) (declare-const s S) (declare-fun f ((_ BitVec 8)) (_ BitVec 8))
         (declare-fun g (S) (Array S Bool)) (declare-const c (_ BitVec 8))
         (assert (= (f #x10) #x31)) (assert (= c #x20)) (assert (select (g s) s))",
    );
    let read = case.accept(
        "((define-fun aux ((y (_ BitVec 8))) (_ BitVec 8) (bvadd y c))
          (define-fun f ((y (_ BitVec 8))) (_ BitVec 8) (bvadd #x01 (aux y)))
          (define-fun c () (_ BitVec 8) (bvadd #x10 #x10))
          (define-fun g ((y S)) (Array S Bool)
            (store (lambda ((z S)) (= z (as @e_4 S))) y (not (= y (as @e_3 S)))))
          (define-fun s () S (as @e_4 S)))",
    );
    assert!(matches!(read.model.function(case.symbol("f")), Some(FunctionValue::Body { .. })));
    assert!(read.unused.is_empty());
}

#[test]
fn abstract_elements_are_told_apart_by_their_numbers() {
    let mut case = formula_of_any_theory(
        "(declare-sort U 0) (declare-const a U) (declare-const b U) (declare-fun f (U) U)
         (assert (distinct a b (f a))) (assert (distinct (f b) b)) (assert (= (f (f a)) a))",
    );
    case.accept(
        "(
        ; cardinality of U is 3
        ; rep: (as @U_0 U)
        (define-fun a () U (as @U_1 U))
        (define-fun b () U (as @U_0 U))
        (define-fun f (($x1 U)) U (ite (= (as @U_2 U) $x1) (as @U_1 U) (ite (= (as @U_0 U) $x1) (as @U_1 U) (as @U_2 U))))
        )",
    );
    case.accept(
        "(model (declare-fun U!val!2 () U) (declare-fun U!val!1 () U) (declare-fun U!val!0 () U)
          (define-fun a () U U!val!0) (define-fun b () U U!val!1)
          (define-fun f ((x!0 U)) U (ite (= x!0 U!val!2) U!val!0 U!val!2)))",
    );
}

/// The elements of a declared sort are part of a model, as in the output of z3; they may have any numbers.
#[test]
fn universes_are_read_and_printed() {
    let text = "(declare-sort U 0) (declare-const x U) (declare-const y U) (declare-const a (Array U Bool))
        (assert (= (store (store ((as const (Array U Bool)) false) x true) y true) a))
        (assert (= a ((as const (Array U Bool)) true)))";
    let mut case = formula(text);
    let universe = "(declare-fun U!val!1 () U) (declare-fun U!val!5 () U)
        (forall ((x U)) (or (= x U!val!1) (= x U!val!5)))";
    let values = "(define-fun x () U U!val!5) (define-fun y () U U!val!1)
        (define-fun a () (Array U Bool) ((as const (Array U Bool)) true))";
    let read = case.accept(&format!("({universe} {values})"));
    let printed = print_model(&case.store, &read.model, &case.formula.symbols);
    assert!(
        printed.starts_with("(\n  (forall ((x U)) (or (= x (as @U!0 U)) (= x (as @U!1 U))))\n"),
        "{printed}"
    );
    // Without that there are more elements, at which the arrays differ; and one is not enough for two.
    let declared = "(declare-fun U!val!1 () U) (declare-fun U!val!5 () U)";
    let unbounded = case.read(&format!("({declared} {values})")).remove(0);
    assert!(!case.satisfies(&unbounded.model));
    let one = "(forall ((x U)) (= x (as @U!0 U)))";
    let values = "(define-fun x () U (as @U!0 U)) (define-fun y () U (as @U!1 U))
        (define-fun a () (Array U Bool) ((as const (Array U Bool)) true))";
    let beyond = case.read(&format!("({one} {values})")).remove(0);
    assert!(!case.satisfies(&beyond.model));
    let values = values.replace("@U!1", "@U!0");
    let alone = case.accept(&format!("({one} {values})"));
    let printed = print_model(&case.store, &alone.model, &case.formula.symbols);
    assert!(printed.starts_with("(\n  (forall ((x U)) (= x (as @U!0 U)))\n"), "{printed}");
}
