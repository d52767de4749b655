//! Recursive definitions: read, printed, and unrolled as far as an application needs.

use sundry_smtlib::{
    Command, DiagnosticKind, Formula, SourceText, TheorySet, parse_script, print_formula, print_script,
    print_value,
};
use sundry_term::{EvaluationError, Model, TermStore, evaluate};

const DEFINITIONS: &str = "(set-logic ALL)
(declare-datatype List ((nil) (cons (head Int) (tail List))))
(declare-fun bound () Int)
(define-fun-rec factorial ((n Int)) Int (ite (<= n 0) 1 (* n (factorial (- n 1)))))
(define-fun-rec sum ((l List)) Int (ite ((_ is nil) l) 0 (+ (head l) (sum (tail l)))))
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
    ((or (= n 0) (and (> n 0) (odd (- n 1)))) (and (> n 0) (even (- n 1)))))
(define-fun-rec fibonacci ((n Int)) Int (ite (< n 2) n (+ (fibonacci (- n 1)) (fibonacci (- n 2)))))
(define-fun-rec any ((n Int)) Int (any n))
(define-fun-rec up ((n Int)) Int (up (+ n 1)))
(define-fun-rec none ((n Int)) Int (+ 1 (none n)))
(define-fun-rec least ((n Int)) Int (ite (>= n bound) n (least (+ n 1))))
";

fn value(text: &str) -> String {
    let mut store = TermStore::new();
    let source = SourceText::new("term", format!("{DEFINITIONS}(get-value ({text}))"));
    let script = parse_script(&mut store, &source, TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let Some((Command::GetValue(terms), _)) = script.commands.last() else { panic!("the last command") };
    let term = terms[0].0;
    match evaluate(&store, &Model::new(), term) {
        Ok(value) => print_value(&store, store.sort_of(term), &value),
        Err(EvaluationError::Open { reason }) => format!("open: {reason}"),
        Err(error) => panic!("{text}: {error}"),
    }
}

#[test]
fn applications_are_unrolled() {
    let endless = "open: a recursive function that is not unrolled to an end";
    for (text, expected) in [
        ("(factorial 20)", "2432902008176640000"),
        ("(factorial (- 3))", "1"),
        ("(sum (cons 1 (cons 20 (cons 300 nil))))", "321"),
        ("(even 10001)", "false"),
        ("(odd 10001)", "true"),
        ("(even (- 1))", "false"),
        // Results are remembered, so the work is not exponential.
        ("(fibonacci 80)", "23416728348467685"),
        ("(least (- 9))", "0"),
        ("(any 1)", endless),
        ("(= (any 1) (any 1))", "true"),
        ("(= (any 1) (any 2))", endless),
        ("(up 1)", endless),
        ("(+ (none 1) 0)", endless),
        ("(or (= (up 1) 0) (= (factorial 3) 6))", "true"),
        ("(and (= (up 1) 0) (= (factorial 3) 7))", "false"),
        ("(exists ((n Int)) (= (factorial n) 6))", "open: a quantifier"),
        ("(factorial (head nil))", "open: a selector of another constructor"),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn deep_recursion_needs_no_call_stack() {
    assert_eq!(value("(even 20000)"), "true");
    let endless = "open: a recursive function that is not unrolled to an end";
    assert_eq!(value("(even 1000000)"), endless);
}

fn read(text: &str) -> (TermStore, Formula, String) {
    let mut store = TermStore::new();
    let source = SourceText::new("script", text);
    let script = parse_script(&mut store, &source, TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let printed = print_script(&store, &script);
    (store, script.formula(), printed)
}

#[test]
fn definitions_are_printed_as_they_are_read() {
    let (_, _, printed) = read(&format!("{DEFINITIONS}(assert (= (factorial bound) 6))(check-sat)"));
    assert!(
        printed
            .contains("(define-fun-rec factorial ((n Int)) Int (ite (<= n 0) 1 (* n (factorial (- n 1)))))")
    );
    assert!(printed.contains("(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool)) ("), "{printed}");
    let (_, _, again) = read(&printed);
    assert_eq!(again, printed);
}

#[test]
fn formulas_come_with_the_definitions_that_they_use() {
    let text = format!(
        "{DEFINITIONS}(define-fun-rec twice ((n Int)) Int (+ (least n) (least (+ n 1))))
         (assert (odd (twice 1)))(check-sat)"
    );
    let (store, formula, _) = read(&text);
    let own = Formula::of_assertions(&store, formula.assertions.clone());
    let names = |formula: &Formula| -> Vec<String> {
        let symbols = formula.symbols.iter().chain(formula.definitions.iter().flatten());
        symbols.map(|&symbol| store.symbol(symbol).name.to_string()).collect()
    };
    assert_eq!(names(&own), ["bound", "even", "odd", "least", "twice"]);
    let printed = print_formula(&store, &own);
    let (other, again, _) = read(&printed);
    assert_eq!(print_formula(&other, &Formula { check_sats: 0, ..again }), printed);

    // Definitions end with their level.
    let levels = "(push 1)(define-fun-rec f ((n Int)) Int (f n))(pop 1)(assert true)(check-sat)";
    assert!(read(levels).1.definitions.is_empty());
}

#[test]
fn faulty_definitions_are_errors() {
    for (text, message) in [
        ("(define-fun-rec f ((n Int)) Bool (+ n 1))", "the definition of 'f' has sort Int"),
        ("(define-fun-rec f ((n Int)) Int (f n n))", "'f' takes 1 argument, found 2"),
        ("(define-funs-rec ((f () Int) (f () Int)) (1 2))", "'f' is declared already"),
        ("(define-funs-rec () ())", "at least one function is defined"),
        ("(define-funs-rec ((f () Int) (g () Int)) (g))", "unexpected ')'"),
    ] {
        let mut store = TermStore::new();
        let error = parse_script(&mut store, &SourceText::new("text", text), TheorySet::ALL).expect_err(text);
        assert_eq!(error.message, message, "{text}");
    }
    let mut store = TermStore::new();
    let source = SourceText::new("text", "(define-fun-rec f ((b Bool)) Bool (f b))");
    let error = parse_script(&mut store, &source, TheorySet::DECIDED).expect_err("the solver has none");
    assert_eq!(error.kind, DiagnosticKind::Unsupported);
    assert_eq!(error.message, "the command 'define-fun-rec' is not supported yet (recursive definitions)");
}
