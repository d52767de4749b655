//! The terms, sorts, declarations and commands that are left.

use std::convert::Infallible;

use sundry_fuzz::{Check, Subject, reduce};
use sundry_smtlib::{ScriptText, SourceText, TheorySet, parse_script};
use sundry_term::{Model, Op, TermStore, Value, evaluate};

use crate::{SCRIPT, read, reduced, reduced_within};

#[test]
fn only_what_is_needed_is_left() {
    assert_eq!(
        reduced(SCRIPT, &["fp.mul"]),
        "(assert (fp.leq (_ +zero 2 2) (fp.mul RNE (_ +zero 2 2) (_ +zero 2 2))))\n"
    );
    assert_eq!(reduced(SCRIPT, &["(push", "(pop"]), "(push 1)\n(pop 1)\n");
    assert_eq!(reduced(SCRIPT, &["check-sat-assuming"]), "(check-sat-assuming (true))\n");
    assert_eq!(reduced(SCRIPT, &[":named first"]), "(assert (! true :named first))\n");
    assert_eq!(reduced(SCRIPT, &["str.contains", "abc"]), "(assert (str.contains \"\" \"abc\"))\n");
    let quantified = reduced(SCRIPT, &["exists", "to_real"]);
    assert!(!quantified.contains("forall") && quantified.len() < 60, "{quantified}");
    let array = reduced(SCRIPT, &["select", "bvneg"]);
    assert!(array.contains("(_ BitVec 1)") && !array.contains("bvadd"), "{array}");
    assert_eq!(
        reduced(SCRIPT, &["head"]),
        "(declare-datatypes ((List 0)) (((cons (head Int)))))\n(declare-const l List)\n(assert (< 0 (head l)))\n"
    );
}

#[test]
fn what_nothing_needs_goes_from_datatypes_functions_and_quantifiers() {
    let tree = "(declare-datatypes ((Tree 0) (Forest 0)) (((leaf (val (_ BitVec 32)) (weight Real)) (node (kids Forest)))
            ((none) (more (first Tree) (rest Forest)))))
        (declare-fun t () Tree) (declare-fun forest () Forest)
        (assert (and (= (val t) #x00000007) ((_ is node) t) (= forest (more t (rest forest)))))";
    // Each in its own way: a field, a tester, and datatypes that need each other.
    let field = reduced(tree, &["(val "]);
    assert!(
        !field.contains("Forest") && !field.contains("weight") && field.contains("(_ BitVec 1)"),
        "{field}"
    );
    let tester = reduced(tree, &["(_ is node)"]);
    assert!(!tester.contains("Forest") && !tester.contains("leaf"), "{tester}");
    let forest = reduced(tree, &["(rest forest)", "(more "]);
    assert!(forest.contains("(declare-datatypes ((Forest 0))") && !forest.contains("Tree"), "{forest}");

    let function = "(declare-fun f (Int Bool String) Int) (declare-fun long_name () String)
        (assert (> (f 1 true long_name) (f 2 false \"abc\")))";
    assert_eq!(
        reduced(function, &["declare-fun", "long_name"]),
        "(declare-const long_name String)\n(declare-fun f (String) Int)\n(assert (> (f long_name) 1))\n"
    );

    let quantifier = "(declare-fun p (Int) Bool) (assert (forall ((x Int) (y Int) (z Real)) (=> (p y) (exists ((w Int)) (p y)))))";
    assert_eq!(
        reduced(quantifier, &["forall", "(p y)"]),
        "(declare-fun p (Int) Bool)\n(assert (forall ((y Int)) (p y)))\n"
    );
    // A part with a variable does not get out of its quantifier.
    let free = reduced(quantifier, &["(p "]);
    assert!(!free.contains("forall") && !free.contains("exists"), "{free}");
}

/// Shows that a formula holds if `p` does not, and does not hold if `p` does.
struct Denies;

impl Check for Denies {
    type Error = Infallible;

    fn shows(&mut self, _: &mut TermStore, _: &Subject, text: &ScriptText) -> Result<bool, Infallible> {
        let mut store = TermStore::new();
        let read = parse_script(&mut store, &SourceText::new("candidate", &**text), TheorySet::ALL);
        let Ok(formula) = read.map(|script| script.formula()) else { return Ok(false) };
        let [p] = formula.symbols[..] else { return Ok(false) };
        let conjunction = store.make(Op::And, &formula.assertions);
        let holds = |value| {
            let mut model = Model::new();
            model.set_constant(p, Value::Bool(value));
            evaluate(&store, &model, conjunction)
        };
        Ok(holds(false) == Ok(Value::Bool(true)) && holds(true) == Ok(Value::Bool(false)))
    }

    fn goes_on(&self) -> bool {
        true
    }
}

#[test]
fn what_means_not_is_written_so() {
    for formula in ["(xor p true)", "(= false p)", "(distinct (and p p) (or p true))", "(=> p (xor p p))"] {
        let mut store = TermStore::new();
        let subject = read(&mut store, &format!("(declare-const p Bool) (assert {formula})"));
        let Ok(reduced) = reduce(&mut store, subject, &mut Denies);
        let text = reduced.expect("it shows that").text;
        assert_eq!(text, "(declare-const p Bool)\n(assert (not p))\n", "{formula}");
    }
}

#[test]
fn arrays_and_declared_sorts_give_way() {
    let text = "(declare-sort U 0) (declare-fun u () U) (declare-fun a () (Array U (Array Int (_ BitVec 8))))
        (declare-fun b () (Array U (Array Int (_ BitVec 8)))) (declare-fun i () Int)
        (assert (bvult (select (select a u) i) (select (select (store b u (select a u)) u) 3)))";
    assert_eq!(reduced(text, &["bvult"]), "(assert (bvult #b0 #b0))\n");
    let array = reduced(text, &["(select ", "(store "]);
    assert!(!array.contains("U") && !array.contains("(Array Int (Array"), "{array}");
}

#[test]
fn numbers_and_texts_lose_what_they_can() {
    let text = "(declare-fun i () Int) (declare-fun r () Real)
        (assert (and (= i 1234567890123) (= r 98765.4321) (= (str.len \"abcdefghijklmnop\") i)))";
    assert!(reduced(text, &["45"]).len() <= "(assert (= 0 45))\n".len());
    assert_eq!(reduced(text, &["\"", "hi"]), "(assert (= (str.len \"hi\") 0))\n");
}

#[test]
fn arguments_that_nothing_needs_go_one_by_one() {
    let names: Vec<String> = (0..10).map(|number| format!("k{number}")).collect();
    let declared: String = names.iter().map(|name| format!("(declare-fun {name} () Int)")).collect();
    for kept in [&[1, 2, 3][..], &[0, 2, 4, 6, 8], &[0, 9], &[1, 3, 5, 7]] {
        let text = format!("{declared} (assert (distinct {}))", names.join(" "));
        let kept: Vec<&str> = kept.iter().map(|&number: &usize| names[number].as_str()).collect();
        let words: Vec<&str> = kept.iter().copied().chain(["distinct"]).collect();
        let expected = format!("(assert (distinct {}))\n", kept.join(" "));
        let reduced = reduced(&text, &words);
        assert!(reduced.ends_with(&expected), "{kept:?}: {reduced}");
    }
}

#[test]
fn widths_and_indices_get_as_small_as_they_can() {
    let declared =
        "(declare-fun x () (_ BitVec 8)) (declare-fun y () (_ BitVec 24)) (declare-fun t () String)";
    let cases = [
        (
            "(bvult ((_ zero_extend 24) x) (concat y x))",
            "zero_extend concat",
            "(bvult ((_ zero_extend 1) #b0) (concat #b0 #b0))",
        ),
        (
            "(= ((_ extract 17 10) (bvmul y y)) ((_ rotate_left 5) x))",
            "extract bvmul rotate_left",
            "(= ((_ extract 0 0) (bvmul #b0 #b0)) ((_ rotate_left 0) #b0))",
        ),
        (
            "(= ((_ sign_extend 16) x) (bvadd y ((_ int_to_bv 24) (str.len t))))",
            "sign_extend int_to_bv",
            "(= ((_ sign_extend 0) #b0) ((_ int_to_bv 1) 0))",
        ),
        ("(= y ((_ repeat 3) (bvneg x)))", "repeat bvneg", "(= #b0 ((_ repeat 1) (bvneg #b0)))"),
        (
            "(str.in_re t ((_ re.^ 7) ((_ re.loop 4 9) (str.to_re t))))",
            "re.^ re.loop",
            "(str.in_re \"\" ((_ re.^ 0) ((_ re.loop 0 0) re.all)))",
        ),
        ("((_ divisible 12) (str.len t))", "divisible", "((_ divisible 1) 0)"),
    ];
    for (formula, words, expected) in cases {
        let words: Vec<&str> = words.split(' ').collect();
        let reduced = reduced(&format!("{declared} (assert {formula})"), &words);
        assert_eq!(reduced, format!("(assert {expected})\n"));
    }
}

#[test]
fn formats_with_a_name_win_over_narrower_ones() {
    for (format, words, expected) in [
        ("Float64", "fp.add f", "Float16"),
        ("(_ FloatingPoint 9 30)", "fp.add f", "Float16"),
        ("(_ FloatingPoint 3 5)", "fp.add f", "Float16"),
        ("(_ FloatingPoint 9 30)", "fp.add f FloatingPoint", "(_ FloatingPoint 2 2)"),
    ] {
        let text = format!("(declare-fun f () {format}) (assert (fp.isNaN (fp.add RNE f f)))");
        let words: Vec<&str> = words.split(' ').chain(["declare"]).collect();
        let reduced = reduced(&text, &words);
        assert!(reduced.starts_with(&format!("(declare-const f {expected})\n")), "{format}: {reduced}");
    }
}

#[test]
fn names_get_short_and_what_is_shared_is_written_out_where_that_is_shorter() {
    let text = "(declare-fun some_constant () Int) (declare-fun x () Int) (declare-fun another () Int)
        (assert (distinct (abs some_constant) (abs (abs some_constant)) x another))";
    let kept = reduced(text, &["abs (abs ", "distinct"]);
    assert!(kept.contains("(abs (abs ") && !kept.contains("let") && !kept.contains("constant"), "{kept}");
    // A term that would be 2^40 long is not written out.
    let mut doubled = String::from("(declare-fun v () Int) (assert (= 0 ");
    let mut term = String::from("v");
    for number in 0..40 {
        doubled.push_str(&format!("(let ((l{number} (+ {term} (* {term} {term})))) "));
        term = format!("l{number}");
    }
    doubled.push_str(&term);
    doubled.push_str(&")".repeat(42));
    let stopped = reduced_within(&doubled, &["+", "*", "v"], 1).expect("it shows that");
    assert!(stopped.text.len() < 3000 && stopped.text.contains("let"), "{}", stopped.text.len());
}

#[test]
fn levels_and_assumptions_go_by_themselves() {
    let text =
        "(declare-fun p () Bool) (declare-fun q () Bool) (push 1) (assert p) (push 1) (assert q) (check-sat)
        (pop 1) (check-sat-assuming (p (not q) (or p q))) (pop 1) (check-sat)";
    assert_eq!(reduced(text, &["assuming", "q"]).matches("assuming").count(), 1);
    assert_eq!(
        reduced(text, &["(assert q)", "(check-sat)"]),
        "(declare-const q Bool)\n(assert q)\n(check-sat)\n"
    );
    assert_eq!(
        reduced(text, &["assuming", "(not q)"]),
        "(declare-const q Bool)\n(check-sat-assuming ((not q)))\n"
    );
}

#[test]
fn commands_behind_a_reset_have_declarations_of_their_own() {
    let text = "(declare-fun x () Int) (assert (< x 3)) (reset) (declare-fun x () Real) (assert (< x 2.5)) (check-sat)";
    let kept = reduced(text, &["(reset)", "Int", "Real"]);
    assert_eq!(
        kept,
        "(declare-const x Int)\n(assert (< x 3))\n(reset)\n(declare-const x Real)\n(assert (< x 2.5))\n"
    );
}
