//! Declarations and definitions, and the levels in which they hold.

use sundry_smtlib::{DiagnosticKind, SourceText, TheorySet, parse_script, print_formula, print_term};
use sundry_term::TermStore;

use crate::{DECLARATIONS, assertions, error, script};

#[test]
fn definitions_are_expanded() {
    let definitions = "(define-fun zero () (_ BitVec 8) #x00)
        (define-const one (_ BitVec 8) (bvnot zero))
        (define-fun add ((x (_ BitVec 8)) (z (_ BitVec 8))) (_ BitVec 8) (bvadd z x y))
        (define-fun twice ((y (_ BitVec 8))) (_ BitVec 8) (add y y))
        (define-fun constant ((y (_ BitVec 8))) (_ BitVec 8) x)
        (define-fun same ((y (_ BitVec 8))) (_ BitVec 8) y)";
    let mut store = TermStore::new();
    let script = script(
        &mut store,
        &format!(
            "{DECLARATIONS} {definitions}
            (assert (= one (add x zero))) (assert (= (twice x) (constant y) (same (same x))))
            (assert (= (twice x) (bvadd x x y)))"
        ),
    );
    let asserted = assertions(&script);
    assert_eq!(print_term(&store, asserted[0]), "(= (bvnot #x00) (bvadd #x00 x y))");
    assert_eq!(print_term(&store, asserted[1]), "(= (bvadd x x y) x x)");
    let &[left, right] = store.args(asserted[2]) else { panic!("an equality") };
    assert_eq!(left, right, "expanded and written are one term");
}

#[test]
fn sorts_are_declared_defined_and_applied() {
    let mut store = TermStore::new();
    let text = "(declare-sort Pair 2) (declare-sort T)
        (define-sort Byte () (_ BitVec 8))
        (define-sort Map (K V) (Array K (Pair V K)))
        (declare-const a (Map Byte T)) (declare-const i (Pair T Byte))
        (assert (= (select a #x00) i))";
    let script = script(&mut store, text);
    let printed = print_formula(&store, &script.formula());
    assert!(printed.contains("(declare-fun a () (Array (_ BitVec 8) (Pair T (_ BitVec 8))))"), "{printed}");
    assert!(printed.contains("(declare-sort Pair 2)\n(declare-sort T 0)\n"), "{printed}");
}

#[test]
fn levels_scope_names() {
    let mut store = TermStore::new();
    let text = "(declare-const p Bool) (push 2)
        (declare-const x Bool) (declare-sort S 0) (define-fun d () Bool (not x)) (define-fun h ((z Bool)) Bool z)
        (assert (! (and x d) :named n)) (pop 1) (push) (declare-const x (_ BitVec 4)) (pop 2)
        (declare-const x p2) ";
    let text = text.replace("(declare-const x p2) ", "(declare-const x S)");
    let source = SourceText::new("t", text);
    let diagnostic = parse_script(&mut store, &source, TheorySet::DECIDED).expect_err("S is out of scope");
    assert_eq!((diagnostic.kind, diagnostic.message.as_str()), (DiagnosticKind::Unknown, "unknown sort 'S'"));
    for name in ["x", "d", "n", "(h p)"] {
        let text = format!("{} (assert {name})", source.text().replace("(declare-const x S)", ""));
        let diagnostic = error(&text);
        assert_eq!(diagnostic.kind, DiagnosticKind::Unknown, "{name}: {diagnostic}");
    }
}

#[test]
fn global_declarations_survive() {
    let mut store = TermStore::new();
    let text = "(set-option :global-declarations true) (push 1) (declare-const x Bool)
        (define-fun d () Bool (not x)) (declare-sort S 0) (assert d) (pop 1)
        (declare-const s S) (assert (or x d)) (reset-assertions) (assert (not d)) (check-sat)";
    let formula = script(&mut store, text).formula();
    assert_eq!(formula.assertions.len(), 1);
    assert_eq!((formula.symbols.len(), formula.sorts.len()), (2, 1));
    let late = error("(declare-const x Bool) (set-option :global-declarations true)");
    assert_eq!(late.kind, DiagnosticKind::Mode);
}

#[test]
fn resets_forget() {
    assert_eq!(error("(declare-const x Bool)(reset)(assert x)").kind, DiagnosticKind::Unknown);
    assert_eq!(error("(declare-const x Bool)(reset-assertions)(assert x)").kind, DiagnosticKind::Unknown);
    let mut store = TermStore::new();
    let text =
        "(declare-const x Bool)(assert x)(push)(reset)(declare-const x (_ BitVec 2))(assert (= x #b01))";
    let formula = script(&mut store, text).formula();
    assert_eq!((formula.assertions.len(), formula.symbols.len()), (1, 1));
}

#[test]
fn sorts_that_double_with_every_definition_give_short_messages() {
    let doubled = |count: usize| {
        let mut text = String::from("(define-sort A0 () Bool)");
        for i in 1..=count {
            text.push_str(&format!("(define-sort A{i} () (Array A{} A{}))", i - 1, i - 1));
        }
        text + &format!("(declare-const a A{count})")
    };
    let text = doubled(15);
    script(&mut TermStore::new(), &text);
    assert!(error(&format!("{text}(assert a)")).message.len() < 200);
    let refused = error(&doubled(200));
    let expected = "written out, this sort would have more than 65536 parts";
    assert_eq!((refused.kind, &*refused.message), (DiagnosticKind::Limit, expected));
}
