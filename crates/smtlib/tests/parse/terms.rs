//! Terms are read and printed as written.

use sundry_smtlib::{DiagnosticKind, SourceText, TheorySet, parse_script, print_script, print_term};
use sundry_term::{Op, TermStore, TheoryName};

use crate::{assertions, error, reprinted, script};

#[test]
fn every_operator_is_read_and_printed_as_written() {
    let terms = [
        "p",
        "true",
        "(not p)",
        "(and p)",
        "(and p q p)",
        "(or p q)",
        "(xor p q p)",
        "(=> p q p)",
        "(= p q p)",
        "(distinct x y #x00)",
        "(ite p q true)",
        "(= ((_ extract 7 0) x) x)",
        "(= ((_ extract 0 0) x) b)",
        "(= (concat b b b) #b101)",
        "(= ((_ repeat 2) b) #b11)",
        "(= ((_ zero_extend 0) x) x)",
        "(= ((_ sign_extend 7) b) x)",
        "(= ((_ rotate_left 9) x) x)",
        "(= ((_ rotate_right 1) x) x)",
        "(= (bvnot x) (bvneg x))",
        "(= (bvand x y x) (bvor x y x))",
        "(= (bvxor x y x) (bvxnor x y x))",
        "(= (bvnand x y) (bvnor x y))",
        "(= (bvadd x y x) (bvmul x y x))",
        "(= (bvsub x y x) x)",
        "(= (bvudiv x y) (bvurem x y))",
        "(= (bvsdiv x y) (bvsrem x y))",
        "(= (bvsmod x y) x)",
        "(= (bvshl x y) (bvlshr x y))",
        "(= (bvashr x y) x)",
        "(= (bvcomp x y) b)",
        "(= (bvredand x) (bvredor x))",
        "(= (bvredxor x) b)",
        "(= (bvinc x) (bvdec y))",
        "(= (ext_rotate_left x y) (ext_rotate_right x y))",
        "(< (+ (ubv_to_int x) 1) (* 2 (sbv_to_int y)) 7)",
        "(= (abs (- (mod 7 3))) (div (- 7 1) (- 2)))",
        "(and (<= (ubv_to_int x) 2) (> 3 2) (>= 2 2))",
        "((_ divisible 3) (ite p 1 2))",
        "(distinct ((_ int_to_bv 8) (ubv_to_int x)) x)",
        "(bvult x y)",
        "(bvule x y)",
        "(bvugt x y)",
        "(bvuge x y)",
        "(bvslt x y)",
        "(bvsle x y)",
        "(bvsgt x y)",
        "(bvsge x y)",
        "(bvnego x)",
        "(bvuaddo x y)",
        "(bvsaddo x y)",
        "(bvumulo x y)",
        "(bvsmulo x y)",
        "(bvusubo x y)",
        "(bvssubo x y)",
        "(bvsdivo x y)",
        "(= (select m x) (f x p))",
        "(= (store m x y) m)",
        "(= ((as const (Array (_ BitVec 8) (_ BitVec 8))) x) m)",
        "(= (g (g u)) u)",
        "(= x #x0f)",
        "(= b #b1)",
    ];
    for term in terms {
        assert_eq!(reprinted(term), term);
    }
    let operators = [Op::plain(), Op::indexed()].concat();
    let integers = |op: &Op| op.theory() == TheoryName::Integers;
    let decided = |op: &Op| TheorySet::DECIDED.contains(op.theory());
    for op in operators.into_iter().filter(|op| decided(op) || integers(op)) {
        let name = op.name();
        let starts = [format!("({name} "), format!("(_ {name} ")];
        let is_read = terms.iter().any(|term| starts.iter().any(|start| term.contains(start)));
        assert!(is_read, "no term here has '{name}'");
    }
}

#[test]
fn literals_and_qualified_identifiers() {
    assert_eq!(reprinted("(= x (_ bv255 8))"), "(= x #xff)");
    assert_eq!(reprinted("(= x #b00001111)"), "(= x #x0f)");
    assert_eq!(reprinted("(= (as x (_ BitVec 8)) ((as f (_ BitVec 8)) y p))"), "(= x (f y p))");
    assert_eq!(reprinted("(= u (as u S))"), "(= u u)");
    assert_eq!(reprinted("|p|"), "p");
}

#[test]
fn names_of_other_solvers_are_read() {
    assert_eq!(reprinted("(implies p (iff p (if p p false)))"), "(=> p (= p (ite p p false)))");
    assert_eq!(reprinted("(= x ((_ nat2bv 8) (bv2nat x)))"), "(= x ((_ int_to_bv 8) (ubv_to_int x)))");
    let mut store = TermStore::new();
    script(
        &mut store,
        "(declare-fun iff (Bool Bool Bool) Bool) (declare-const if Bool) (assert (iff if if if))",
    );
    for wrong in ["(assert (iff true))", "(assert (iff true true true))", "(assert (iff #b1 #b1))"] {
        assert_eq!(error(wrong).kind, DiagnosticKind::Sort, "{wrong}");
    }
}

#[test]
fn negative_numbers_of_other_solvers_are_read() {
    assert_eq!(reprinted("(< -2 (ubv_to_int x))"), "(< (- 2) (ubv_to_int x))");
    let mut store = TermStore::new();
    let source = SourceText::new(
        "test.smt2",
        "(declare-const r Real) (assert (< -0.5 r -2)) (declare-const -3 Int) (assert (< -3 -4)) (assert (< |-3| 0))",
    );
    let read = parse_script(&mut store, &source, TheorySet::ALL).expect("all of this is read");
    let printed: Vec<String> =
        assertions(&read).into_iter().map(|assertion| print_term(&store, assertion)).collect();
    assert_eq!(printed, ["(< (- 0.5) r (- 2.0))", "(< -3 (- 4))", "(< -3 0)"]);
    for wrong in ["-", "-2.", "-.5", "-2a", "|-2|"] {
        error(&format!("(declare-const i Int) (assert (< {wrong} i))"));
    }
}

#[test]
fn integers_have_a_bound() {
    let mut deep = String::from("(ubv_to_int x)");
    for _ in 0..18 {
        deep = format!("(let ((n {deep})) (* n n))");
    }
    let text = format!("(declare-const x (_ BitVec 8)) (assert (< 0 {deep}))");
    let diagnostic = error(&text);
    assert_eq!(diagnostic.kind, DiagnosticKind::Limit, "{diagnostic}");
    assert!(diagnostic.message.contains("may need more than 1048576 bits"), "{diagnostic}");
    let diagnostic = error("(declare-const x (_ BitVec 8)) (assert (= (bvadd x 1) x))");
    assert_eq!(diagnostic.kind, DiagnosticKind::Sort);
    assert!(diagnostic.help.is_some_and(|help| help.contains("#b0101")));
}

#[test]
fn let_binds_in_parallel_and_leaves_no_node() {
    assert_eq!(reprinted("(let ((x y) (y x)) (bvult x y))"), "(bvult y x)");
    assert_eq!(reprinted("(let ((z x)) (let ((z (bvnot z))) (= z x)))"), "(= (bvnot x) x)");
    assert_eq!(reprinted("(let ((p q)) p)"), "q");
    assert_eq!(reprinted("(and (let ((p q)) p) p)"), "(and q p)");
    assert_eq!(reprinted("(let ((|and| p)) |and|)"), "p");
}

#[test]
fn annotations_leave_no_node() {
    assert_eq!(reprinted("(! p :weight 3 :pattern ((f x p) (\"(\")) :flag :other (a b))"), "p");
    assert_eq!(reprinted("(and (! (not p) :named np) np)"), "(let ((_let_0 (not p))) (and _let_0 _let_0))");
    let mut store = TermStore::new();
    let text = "(declare-const p Bool)(assert (! p :named a1))(assert (or (! (not p) :named |n 2|) p))";
    let script = script(&mut store, text);
    let names: Vec<(&str, usize)> =
        script.named_terms.iter().map(|named| (named.name.as_str(), named.command)).collect();
    assert_eq!(names, [("a1", 1), ("n 2", 2)]);
    assert!(print_script(&store, &script).contains("(assert (! p :named a1))"));
}

#[test]
fn quoted_and_simple_names_are_one() {
    let mut store = TermStore::new();
    let read = script(
        &mut store,
        "(declare-const |x y| Bool)(declare-const |let| Bool)(declare-const |z| Bool)\
        (assert (and |x y| |let| z))",
    );
    assert_eq!(print_term(&store, assertions(&read)[0]), "(and |x y| |let| z)");
}
