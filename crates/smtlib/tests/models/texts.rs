//! Texts of several models, large models, and texts that are not models.

use sundry_smtlib::{DiagnosticKind, print_model};
use sundry_term::{Model, Value};

use crate::formula;

#[test]
fn several_models_and_what_they_leave_out() {
    let mut case =
        formula("(declare-const x (_ BitVec 4)) (declare-fun f (Bool) Bool) (declare-const y Bool)");
    let models = case.read(
        "unsat
        sat ((define-fun x () (_ BitVec 4) (_ bv5 4)))
        ; a comment
        (model (define-fun y () Bool true) (define-fun zzz () Bool true)) ()",
    );
    assert_eq!(models.len(), 3);
    assert_eq!(models[0].missing, [case.symbol("f"), case.symbol("y")]);
    assert_eq!(models[1].missing, [case.symbol("x"), case.symbol("f")]);
    assert_eq!(models[1].unused[0].name, "zzz");
    assert_eq!(models[2].missing.len(), 3);
    assert_eq!(models[2].model, Model::new());
    let text = print_model(&case.store, &models[2].model, &case.formula.symbols);
    assert_eq!(
        text,
        "(\n  (define-fun x () (_ BitVec 4) #x0)\n  (define-fun f ((x!0 Bool)) Bool false)\n  \
         (define-fun y () Bool false)\n)\n"
    );
}

#[test]
fn elements_of_one_model_say_nothing_about_the_next() {
    let mut case = formula("(declare-sort S 0) (declare-const s S) (declare-const t S)");
    let models = case.read(
        "((declare-fun e () S) (declare-fun d () S) (define-fun s () S e) (define-fun t () S d))
         ((declare-fun d () S) (define-fun s () S d) (define-fun t () S d))",
    );
    let value = |model: usize, name: &str| models[model].model.constant(case.symbol(name)).cloned();
    assert_ne!(value(0, "s"), value(0, "t"));
    assert_eq!(value(1, "s"), value(1, "t"));
}

#[test]
fn what_cannot_be_a_value_is_an_error() {
    use DiagnosticKind::*;
    let mut case = formula(
        "(declare-const x (_ BitVec 4)) (declare-fun f (Bool) Bool) (declare-sort S 0) (declare-const s S)
         (declare-const m (Array (_ BitVec 32) Bool))",
    );
    let cases = [
        ("((define-fun x () (_ BitVec 5) #b00000))", Sort, "'x'"),
        ("((define-fun x ((y Bool)) (_ BitVec 4) #b0000))", Sort, "'x'"),
        ("((define-fun x () (_ BitVec 4) #b00000))", Sort, "'x'"),
        ("((define-fun f () Bool true))", Sort, "'f'"),
        ("((define-fun x () Int 5))", Sort, "'x'"),
        ("((define-fun x () (Set Bool) y))", Unsupported, "'Set'"),
        ("((define-fun x () (_ BitVec 4) #x0) (define-fun x () (_ BitVec 4) #x0))", Redeclared, "'x'"),
        ("((define-fun x () (_ BitVec 4) y))", Unknown, "'y'"),
        ("((define-fun x () (_ BitVec 4) x))", Syntax, "'x'"),
        ("((define-fun s () S (as @a Bool)))", Sort, "'@a'"),
        ("((define-fun m () (Array (_ BitVec 32) Bool) (_ as-array q)))", Unknown, "'q'"),
        (
            "((define-fun m () (Array (_ BitVec 32) Bool) (lambda ((i (_ BitVec 32))) (bvult i #x00001000))))",
            Unsupported,
            "tabulated",
        ),
        (
            "((define-fun m () (Array (_ BitVec 32) Bool) (lambda ((i (_ BitVec 32))) (select m i))))",
            Syntax,
            "itself",
        ),
        (
            "((define-fun m () (Array (_ BitVec 32) Bool) (_ as-array k)) (define-fun k ((i (_ BitVec 32))) Bool (select m i)))",
            Syntax,
            "itself",
        ),
        ("(error \"line 3: model is not available\")", Syntax, "model is not available"),
        ("((define-fun x () (_ BitVec 4) #x0)", Syntax, "not closed"),
        ("(assert true)", Syntax, "unexpected"),
        ("satisfiable", Syntax, "unexpected"),
    ];
    for (text, kind, words) in cases {
        let diagnostic = case.error(text);
        assert_eq!(diagnostic.kind, kind, "{text}: {diagnostic}");
        assert!(diagnostic.message.contains(words), "{text}: {diagnostic}");
    }
}

#[test]
fn large_models_take_linear_time() {
    let mut text = String::new();
    let mut model = String::from("(");
    for i in 0..3000 {
        text.push_str(&format!("(declare-const x{i} (_ BitVec 32))"));
        model.push_str(&format!("(define-fun x{i} () (_ BitVec 32) #x{i:08x})"));
    }
    text.push_str("(declare-const m (Array (_ BitVec 32) (_ BitVec 32)))");
    model.push_str("(define-fun m () (Array (_ BitVec 32) (_ BitVec 32)) ");
    let chain: String = (0..5_000).map(|i| format!("(ite (= i #x{:08x}) #x{i:08x} ", i * 7)).collect();
    model.push_str(&format!("(lambda ((i (_ BitVec 32))) {chain} #xffffffff{})))", ")".repeat(5_000)));
    let mut case = formula(&text);
    let models = case.read(&model.repeat(10));
    assert_eq!(models.len(), 10);
    let m = models[9].model.constant(case.symbol("m")).and_then(Value::as_array).expect("an array");
    assert_eq!(m.entries().count(), 5_000);
}
