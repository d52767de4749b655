//! Mistakes: each has a kind, a place and a message, and some have a suggestion.

use sundry_smtlib::{DiagnosticKind, SourceText, TheorySet, parse_script, print_term};
use sundry_term::TermStore;

use crate::{assertions, error, pointed_at, script};

#[test]
fn mistakes_have_kinds_and_places() {
    use DiagnosticKind::*;
    let cases = [
        ("(assert (and true", Syntax, "("),
        ("(assert true", Syntax, "("),
        ("(assert true false)", Syntax, "false"),
        ("(assert)", Syntax, ")"),
        ("assert", Syntax, "assert"),
        (")", Syntax, ")"),
        ("(asser true)", Syntax, "asser"),
        ("(assert (let ((x true)) ))", Syntax, ")"),
        ("(assert (let (x true) x))", Syntax, "x"),
        ("(assert (! true))", Syntax, ")"),
        ("(assert (and))", Syntax, "(and)"),
        ("(assert (true))", Syntax, "(true)"),
        ("(assert (true true))", Sort, "true"),
        ("(assert ((and true) true))", Syntax, "and"),
        ("(assert and)", Sort, "and"),
        ("(assert x)", Unknown, "x"),
        ("(assert (foo true))", Unknown, "foo"),
        ("(assert ((_ foo 1) true))", Unknown, "foo"),
        ("(declare-const x Foo)", Unknown, "Foo"),
        ("(declare-const x (Array Bool))", Sort, "(Array Bool)"),
        ("(declare-const x Bool)(declare-const x Bool)", Redeclared, "x"),
        ("(declare-const and Bool)", Redeclared, "and"),
        ("(declare-const true Bool)", Redeclared, "true"),
        ("(declare-sort Bool 0)", Redeclared, "Bool"),
        ("(declare-const let Bool)", Syntax, "let"),
        ("(assert (let ((x true) (x false)) x))", Redeclared, "x"),
        ("(define-fun f ((x Bool) (x Bool)) Bool x)", Redeclared, "x"),
        ("(define-fun f () Bool #b1)", Sort, "#b1"),
        ("(define-fun f ((x Bool)) Bool x)(assert (f #b0))", Sort, "#b0"),
        ("(define-fun f ((x Bool)) Bool x)(assert (f true true))", Sort, "f"),
        ("(assert (and true #b1))", Sort, "#b1"),
        ("(assert (bvult #b1 #b11))", Sort, "#b11"),
        ("(assert #b1)", Sort, "#b1"),
        ("(assert (= #b1 (_ bv2 1)))", Sort, "bv2"),
        ("(assert (= #b1 (_ bv2 0)))", Sort, "0"),
        ("(assert (= #b1 ((_ extract 1 0) #b1)))", Sort, "(_ extract 1 0)"),
        ("(assert (= #b1 ((_ extract 1) #b1)))", Sort, "(_ extract 1)"),
        ("(assert (= #b1 (_ extract 1 0)))", Sort, "(_ extract 1 0)"),
        ("(assert (= #b1 (extract #b1)))", Syntax, "extract"),
        ("(assert (as true (_ BitVec 1)))", Sort, "(as true (_ BitVec 1))"),
        ("(declare-const x (_ BitVec 0))", Sort, "(_ BitVec 0)"),
        ("(declare-const x (_ BitVec 99999999))", Limit, "(_ BitVec 99999999)"),
        ("(declare-const x (_ BitVec 99999999999))", Limit, "99999999999"),
        ("(declare-const x BitVec)", Syntax, "BitVec"),
        ("(define-fun f ((x Bool)) Bool (! (not x) :named n))", Syntax, "n"),
        ("(pop 1)", Mode, "pop 1"),
        ("(push 99999999)", Limit, "99999999"),
        ("(get-value ())", Syntax, "()"),
        ("(assert (and true\n(check-sat)", Syntax, "check-sat"),
    ];
    for (text, kind, place) in cases {
        let diagnostic = error(text);
        assert_eq!(diagnostic.kind, kind, "{text}: {diagnostic}");
        assert_eq!(pointed_at(text), place, "{text}: {diagnostic}");
    }
}

#[test]
fn other_theories_are_unsupported_not_wrong() {
    let cases = [
        ("(declare-const x Int)", "Int", "integers"),
        ("(declare-const x (_ FloatingPoint 8 24))", "FloatingPoint", "floating point"),
        ("(declare-fun f (Real) Bool)", "Real", "reals"),
        ("(declare-const x (Seq Bool))", "Seq", "sequences"),
        ("(assert (forall ((x Bool)) x))", "forall", "quantifiers"),
        ("(declare-fun f ((Array Int Bool)) Bool)", "(Array Int Bool)", "integers"),
        (
            "(declare-const x (_ BitVec 4))(assert (= 1 (mod 7 (ubv_to_int x))))",
            "(= 1 (mod 7 (ubv_to_int x)))",
            "(mod 7 (ubv_to_int x))",
        ),
        (
            "(define-fun d ((a Int) (b Int)) Int (div a b))(assert (= 1 (d 7 (- 2 2))))",
            "(= 1 (d 7 (- 2 2)))",
            "(div 7 (- 2 2))",
        ),
        ("(assert (= 1.5 2.0))", "1.5", "reals"),
        ("(assert (= \"a\" \"b\"))", "\"a\"", "strings"),
        ("(assert (str.prefixof true))", "str.prefixof", "strings"),
        ("(assert (> (/ 1 2) 0))", "/", "reals"),
        ("(assert ((_ to_fp 8 24) true))", "to_fp", "floating point"),
        ("(assert (match true ((x x))))", "match", "datatypes"),
        ("(declare-datatypes ((T 0)) (((c))))", "declare-datatypes", "datatypes"),
        ("(define-fun-rec f () Bool f)", "define-fun-rec", "recursive definitions"),
    ];
    for (text, place, theory) in cases {
        let diagnostic = error(text);
        assert_eq!(diagnostic.kind, DiagnosticKind::Unsupported, "{text}: {diagnostic}");
        assert!(!diagnostic.kind.is_input_at_fault());
        assert_eq!(pointed_at(text), place, "{text}: {diagnostic}");
        assert!(diagnostic.message.contains(theory), "{text}: {diagnostic}");
    }
}

#[test]
fn names_of_other_theories_may_be_declared() {
    assert_eq!(
        {
            let mut store = TermStore::new();
            let text =
                "(declare-fun abs ((_ BitVec 2)) Bool) (declare-const RNE (_ BitVec 2)) (assert (abs RNE))";
            let read = script(&mut store, text);
            print_term(&store, assertions(&read)[0])
        },
        "(abs RNE)"
    );
    // Operators that the standard gained later may be defined by older scripts.
    let mut store = TermStore::new();
    script(
        &mut store,
        "(define-fun bvredor ((x (_ BitVec 2))) Bool (distinct x #b00)) (assert (bvredor #b01))",
    );
}

#[test]
fn mistakes_suggest_what_was_meant() {
    let help = |text: &str| error(text).help.unwrap_or_default();
    assert_eq!(help("(asert true)"), "did you mean 'assert'?");
    assert_eq!(help("(declare-const count Bool)(assert cuont)"), "did you mean 'count'?");
    assert_eq!(help("(assert (bvaddd #b1 #b1))"), "did you mean 'bvadd'?");
    assert_eq!(help("(declare-const x Boool)"), "did you mean 'Bool'?");
    assert_eq!(help("(assert ((_ extarct 0 0) #b1))"), "did you mean 'extract'?");
}

#[test]
fn errors_render_with_line_and_caret() {
    let source =
        SourceText::new("dir/f.smt2", "(set-logic QF_BV)\n(assert (bvult #b1\n  (concat #b1 #b1)))\n");
    let diagnostic =
        parse_script(&mut TermStore::new(), &source, TheorySet::DECIDED).expect_err("sorts differ");
    assert_eq!(
        diagnostic.render(&source),
        "dir/f.smt2:3:3: error: argument 2 of 'bvult' has sort (_ BitVec 2), expected (_ BitVec 1)\n\
         3 |   (concat #b1 #b1)))\n  \
           |   ^^^^^^^^^^^^^^^^\n"
    );
}
