//! Deep and large inputs: the call stack stays small and the time linear.

use std::fmt::Write;
use std::time::{Duration, Instant};

use sundry_smtlib::{ExpressionScanner, SourceText, TheorySet, parse_script, print_formula, print_script};
use sundry_term::TermStore;

const DEPTH: usize = 100_000;

/// Runs on a thread with a stack that no recursion over the input would fit.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(test).expect("a thread");
    thread.join().expect("the test passes");
}

/// Reads a script, prints it in both ways and reads it again.
fn survives(text: String) {
    on_small_stack(move || {
        let start = Instant::now();
        let mut store = TermStore::new();
        let source = SourceText::new("deep", text);
        let script = parse_script(&mut store, &source, TheorySet::DECIDED)
            .unwrap_or_else(|error| panic!("{}", error.render(&source)));
        let printed = print_script(&store, &script);
        let formula = print_formula(&store, &script.formula());
        for text in [printed, formula] {
            let source = SourceText::new("printed", text);
            let mut other = TermStore::new();
            let again = parse_script(&mut other, &source, TheorySet::DECIDED)
                .unwrap_or_else(|error| panic!("{}", error.render(&source)));
            assert_eq!(again.formula().assertions.len(), script.formula().assertions.len());
        }
        assert_eq!(count_expressions(source.text().as_bytes()), script.commands.len());
        assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    });
}

fn count_expressions(mut bytes: &[u8]) -> usize {
    let mut scanner = ExpressionScanner::new();
    let mut count = 0;
    while let Some(end) = scanner.advance(bytes) {
        bytes = &bytes[end..];
        count += 1;
    }
    count
}

/// `(declare-const a SORT) (assert BEFORE...a AFTER...)`
fn nested(sort: &str, before: &str, inner: &str, after: &str) -> String {
    format!("(declare-const a {sort}) (assert (= a {}{inner}{}))", before.repeat(DEPTH), after.repeat(DEPTH))
}

#[test]
fn nested_conjunctions() {
    survives(nested("Bool", "(and a ", "a", ")"));
}

#[test]
fn arguments_nested_to_the_left() {
    survives(nested("(_ BitVec 8)", "(bvadd ", "a", " a)"));
}

#[test]
fn chains_of_stores() {
    survives(nested("(Array (_ BitVec 32) Bool)", "(store ", "a", " #x00000001 true)"));
}

#[test]
fn annotations() {
    survives(nested("Bool", "(! ", "a", " :weight 1)"));
}

#[test]
fn chains_of_let_with_one_name() {
    survives(nested("(_ BitVec 8)", "(let ((a (bvadd a a))) ", "a", ")"));
}

#[test]
fn chains_of_let_with_many_names() {
    let mut text = String::from("(declare-const x0 (_ BitVec 8)) (assert (= x0 ");
    for i in 1..=DEPTH {
        write!(text, "(let ((x{i} (bvmul x{0} x{0}))) ", i - 1).expect("a string");
    }
    write!(text, "x{DEPTH}{}))", ")".repeat(DEPTH)).expect("a string");
    survives(text);
}

#[test]
fn let_nested_in_its_own_binding() {
    survives(nested("(_ BitVec 8)", "(let ((b ", "a", ")) (bvnot b))"));
}

#[test]
fn calls_of_definitions() {
    let text = nested("(_ BitVec 8)", "(f ", "a", ")");
    survives(format!("(define-fun f ((x (_ BitVec 8))) (_ BitVec 8) (bvadd x #x01)) {text}"));
}

#[test]
fn one_wide_let() {
    let mut text = String::from("(declare-const a Bool) (assert (let (");
    (0..DEPTH).for_each(|i| write!(text, "(x{i} (not a))").expect("a string"));
    text.push_str(") (and");
    (0..DEPTH).for_each(|i| write!(text, " x{i}").expect("a string"));
    text.push_str(")))");
    survives(text);
}

#[test]
fn many_definitions_and_assertions() {
    let mut text = String::from("(declare-const a (_ BitVec 32)) (define-fun d0 () (_ BitVec 32) (bvnot a))");
    for i in 1..20_000 {
        write!(text, "(define-fun d{i} () (_ BitVec 32) (bvadd d{0} a))(assert (bvult d{0} d{i}))", i - 1)
            .expect("a string");
    }
    survives(text);
}

#[test]
fn unclosed_and_deep_garbage() {
    on_small_stack(|| {
        for text in [
            "(".repeat(DEPTH),
            format!("(assert {}", "(not ".repeat(DEPTH)),
            format!("(assert {}", "(let ((x ".repeat(DEPTH)),
            format!("(declare-const x {}", "(Array Bool ".repeat(DEPTH)),
            format!("(set-info :x {}", "(".repeat(DEPTH)),
        ] {
            let source = SourceText::new("deep", text);
            let error =
                parse_script(&mut TermStore::new(), &source, TheorySet::DECIDED).expect_err("incomplete");
            assert!(error.render(&source).len() < 1000);
        }
    });
}
