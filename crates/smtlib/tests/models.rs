//! Models in the forms that z3, cvc5, Bitwuzla and older solvers print them in.
//!
//! The formulas are small and our own; the answers are what those solvers print for them, cut to
//! what matters. Each is judged by the evaluator.

use sundry_smtlib::{
    Diagnostic, DiagnosticKind, Formula, ModelReader, ReadModel, SourceText, TheorySet, parse_script,
    print_model, read_models,
};
use sundry_term::{EvaluationError, FunctionValue, Model, Open, SymbolId, TermStore, Value, evaluate};

struct Case {
    store: TermStore,
    formula: Formula,
}

fn formula(text: &str) -> Case {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text);
    let script = parse_script(&mut store, &source, TheorySet::DECIDED)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    Case { formula: script.formula(), store }
}

impl Case {
    fn read(&mut self, text: &str) -> Vec<ReadModel> {
        let source = SourceText::new("models", text);
        let models = read_models(&mut self.store, &source, &self.formula.symbols);
        models.unwrap_or_else(|error| panic!("{}", error.render(&source)))
    }

    fn error(&mut self, text: &str) -> Diagnostic {
        let source = SourceText::new("models", text);
        read_models(&mut self.store, &source, &self.formula.symbols).expect_err(text)
    }

    fn satisfies(&self, model: &Model) -> bool {
        let holds = |&assertion: &_| evaluate(&self.store, model, assertion) == Ok(Value::Bool(true));
        self.formula.assertions.iter().all(holds)
    }

    /// Reads one model, checks it on the formula, and that printing keeps it.
    fn accept(&mut self, text: &str) -> ReadModel {
        let models = self.read(text);
        assert_eq!(models.len(), 1, "{text}");
        let read = models.into_iter().next().expect("one model");
        assert!(self.satisfies(&read.model), "{text}");
        let printed = print_model(&self.store, &read.model, &self.formula.symbols);
        let again = self.read(&printed).remove(0);
        assert!(self.satisfies(&again.model), "{printed}");
        assert_eq!(print_model(&self.store, &again.model, &self.formula.symbols), printed);
        read
    }

    fn symbol(&self, name: &str) -> SymbolId {
        let named = |&&symbol: &&SymbolId| &*self.store.symbol(symbol).name == name;
        *self.formula.symbols.iter().find(named).expect("a symbol of the formula")
    }
}

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

/// The formula of a text of any theory.
fn formula_of_any_theory(text: &str) -> Case {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text);
    let script = parse_script(&mut store, &source, TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    Case { formula: script.formula(), store }
}

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

/// Which elements a declared sort has is part of a model, as z3 prints it; elements may have any numbers.
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

/// Each value as a text of its own, as rows of a table have them.
#[test]
fn models_are_read_value_by_value() {
    let mut case = formula(
        "(declare-sort S 0)(declare-const p Bool)(declare-const x (_ BitVec 8))(declare-const y (_ BitVec 3))\
         (declare-const s S)(declare-const t S)(declare-const m (Array (_ BitVec 3) S))\
         (declare-fun f (Bool (_ BitVec 3)) (_ BitVec 8))\
         (assert (and p (= x #x0a) (= y #b101) (distinct s t) (= (select m y) t) (= (f true y) x) (= (f p #b000) #x01)))",
    );
    let mut reader = ModelReader::new(&mut case.store, &case.formula.symbols);
    let texts = [
        ("p", "true"),
        ("x", "(_ bv10 8)"),
        ("y", "#b101"),
        ("s", "(as @S!0 S)"),
        ("t", "(as @S!1 S)"),
        ("m", "(store ((as const (Array (_ BitVec 3) S)) (as @S!0 S)) #b101 (as @S!1 S))"),
        ("f", "(lambda ((a Bool) (b (_ BitVec 3))) (ite (and (= a true) (= b #b101)) #x0a #x01))"),
    ];
    let values: Vec<(SymbolId, &str)> = texts.iter().map(|&(name, text)| (case.symbol(name), text)).collect();
    for _ in 0..2 {
        let model = reader.values(&mut case.store, &values).expect("values");
        assert!(case.satisfies(&model), "{model:?}");
        let printed = print_model(&case.store, &model, &case.formula.symbols);
        let read = case.accept(&printed).model;
        assert_eq!(print_model(&case.store, &read, &case.formula.symbols), printed);
    }
    for (name, text, words) in [
        ("p", "1", "sort"),
        ("x", "#x0", "sort (_ BitVec 4)"),
        ("x", "#x00 #x01", "expected the end of the value"),
        ("x", "#x0g", "hexadecimal digits"),
        ("x", "", "ends too early"),
        ("x", "(bvadd #x00", "not closed"),
        ("x", "z", "unknown symbol"),
        ("f", "#x00", "expected '('"),
        ("f", "(lambda ((a Bool)) #x00)", "gives 'f' the sorts"),
        ("f", "(lambda ((a Bool) (b (_ BitVec 3))) #x00", "not closed"),
        ("f", "(lambda ((a Bool) (b (_ BitVec 3))) #x00) x", "behind the value"),
    ] {
        let wrong = [values[0], (case.symbol(name), text)];
        let error = reader.values(&mut case.store, &wrong).expect_err(text);
        assert_eq!(error.position, Some(1));
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}
