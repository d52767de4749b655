//! Satisfiable seeds with models, and the answers of solvers to their mutants.

use std::time::Duration;

use sundry_fuzz::logic_of;
use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script, print_formula, print_term};
use sundry_term::{Model, Op, SymbolId, TermId, TermStore, Value, evaluate};
use sundry_testing::oracle::{Answer, Oracle};

pub const SOLVERS: [Oracle; 2] = [Oracle::Z3, Oracle::Cvc5];
/// Longest for one question.
pub const LIMIT: Duration = Duration::from_secs(60);

/// Satisfiable formulas, each with a model.
pub const SATISFIABLE: [(&str, &str); 8] = [
    (
        "(declare-fun x () Int) (declare-fun p () Bool) (assert (or p (< x 3))) (assert (> (* 2 x) 7))",
        "((define-fun x () Int 9) (define-fun p () Bool true))",
    ),
    (
        "(declare-fun y () Int) (declare-fun p () Bool) (declare-fun f (Int) Int)
         (assert (not p)) (assert (= (f y) (+ y 1))) (assert (forall ((x Int)) (=> (> x x) (< x y))))",
        "((define-fun y () Int (- 4)) (define-fun p () Bool false) (define-fun f ((i Int)) Int (+ i 1)))",
    ),
    (
        "(declare-fun a () (_ BitVec 5)) (declare-fun b () (_ BitVec 5)) (declare-fun z () (_ BitVec 5))
         (assert (bvult a b)) (assert (= (bvmul a b) #b00110)) (assert (bvslt z b))",
        "((define-fun a () (_ BitVec 5) #b00010) (define-fun b () (_ BitVec 5) #b00011)
          (define-fun z () (_ BitVec 5) #b11111))",
    ),
    (
        "(declare-fun s () String) (declare-fun t () String)
         (assert (str.prefixof s t)) (assert (= (str.len t) 3)) (assert (distinct s \"\"))",
        "((define-fun s () String \"ab\") (define-fun t () String \"aba\"))",
    ),
    (
        "(declare-fun x () Real) (declare-fun p () Bool) (assert (=> p (< x 0.5))) (assert p)",
        "((define-fun x () Real (- 2.0)) (define-fun p () Bool true))",
    ),
    (
        "(declare-fun u () Real) (declare-fun v () Real) (assert (= (* u v) 6.0)) (assert (< u v))",
        "((define-fun u () Real 2.0) (define-fun v () Real 3.0))",
    ),
    (
        "(declare-fun f () (_ FloatingPoint 3 5)) (declare-fun g () (_ FloatingPoint 3 5))
         (assert (fp.lt f g)) (assert (not (fp.isNaN (fp.add RNE f g))))",
        "((define-fun f () (_ FloatingPoint 3 5) (fp #b1 #b011 #x0))
          (define-fun g () (_ FloatingPoint 3 5) (fp #b0 #b011 #x4)))",
    ),
    (
        "(declare-fun m () (Array Int Bool)) (declare-fun x () Int) (assert (select m x)) (assert (> x 0))",
        "((define-fun x () Int 2) (define-fun m () (Array Int Bool) (store ((as const (Array Int Bool)) false) 2 true)))",
    ),
];

pub fn parse(store: &mut TermStore, text: &str) -> Formula {
    let source = SourceText::new("seed", text);
    let script = parse_script(store, &source, TheorySet::ALL);
    script.unwrap_or_else(|error| panic!("{}", error.render(&source))).formula()
}

/// No solver contradicts the expected status, and in most cases solvers confirm it.
pub fn assert_status(texts: &[String], expected: Answer) {
    let other = if expected == Answer::Sat { Answer::Unsat } else { Answer::Sat };
    let mut decided = 0;
    for text in texts {
        for solver in SOLVERS {
            let answers = solver.run(text, Duration::from_secs(4));
            assert!(
                answers.other.iter().all(|line| line.contains("interrupted")),
                "{:?}\n{text}",
                answers.other
            );
            assert!(!answers.answers.contains(&other), "{solver} says {other:?}:\n{text}");
            decided += usize::from(answers.answers == [expected]);
        }
    }
    assert!(decided >= texts.len(), "only {decided} answers to {} formulas", texts.len());
}

/// The formula, in a logic that fits.
pub fn text_of(store: &TermStore, assertions: &[TermId]) -> String {
    let logic = Some(logic_of(store, assertions));
    print_formula(store, &Formula { logic, ..Formula::of_assertions(store, assertions.to_vec()) })
}

/// A model satisfies all assertions, in which some constants stand for terms.
pub fn assert_satisfied(
    store: &TermStore,
    model: &Model,
    definitions: &[(SymbolId, TermId)],
    assertions: &[TermId],
) {
    let mut model = model.clone();
    for &(symbol, meaning) in definitions {
        let value = evaluate(store, &model, meaning).expect("a value");
        model.set_constant(symbol, value);
    }
    for &assertion in assertions {
        // The evaluator knows no value of a quantified formula.
        if !has_quantifier(store, assertion) {
            let value = evaluate(store, &model, assertion);
            assert_eq!(value, Ok(Value::Bool(true)), "{}", print_term(store, assertion));
        }
    }
}

fn has_quantifier(store: &TermStore, term: TermId) -> bool {
    store.reachable(&[term]).into_iter().any(|term| matches!(store.op(term), Op::Forall(_) | Op::Exists(_)))
}
