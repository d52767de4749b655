//! Scripts are made smaller: what is left shows what it did, and is a legal script.

use std::convert::Infallible;

use sundry_fuzz::{Candidate, Check, Reduced, Subject, reduce, reduce_changed};
use sundry_smtlib::{ScriptText, SourceText, TheorySet, parse_script};
use sundry_term::{Model, Op, SortId, TermId, TermStore, Value, evaluate};

/// Shows that a script is legal, and contains these words.
struct Contains<'a> {
    words: &'a [&'a str],
    /// Checks after which it does not go on.
    patience: usize,
    /// How many scripts it is asked about at once.
    width: usize,
}

impl Check for Contains<'_> {
    type Error = Infallible;

    fn shows(&mut self, _: &mut TermStore, _: &Subject, text: &ScriptText) -> Result<bool, Infallible> {
        self.patience -= 1;
        let mut store = TermStore::new();
        let read = parse_script(&mut store, &SourceText::new("candidate", &**text), TheorySet::ALL);
        Ok(read.is_ok() && self.words.iter().all(|word| text.contains(word)))
    }

    fn goes_on(&self) -> bool {
        self.patience > 0
    }

    fn width(&self) -> usize {
        self.width
    }

    fn first_that_shows(
        &mut self,
        store: &mut TermStore,
        candidates: &[Candidate],
    ) -> Result<Option<usize>, Infallible> {
        assert!(candidates.len() <= self.width, "more scripts at once than wanted");
        for (position, Candidate { subject, text }) in candidates.iter().enumerate() {
            if self.shows(store, subject, text)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}

fn reduced_within(text: &str, words: &[&str], patience: usize) -> Option<Reduced> {
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &SourceText::new("script", text), TheorySet::ALL);
    let subject = Subject::of_script(&script.expect("a legal script"));
    let Ok(reduced) = reduce(&mut store, subject, &mut Contains { words, patience, width: 1 });
    reduced
}

fn read(store: &mut TermStore, text: &str) -> Subject {
    let script = parse_script(store, &SourceText::new("script", text), TheorySet::ALL);
    Subject::of_script(&script.expect("a legal script"))
}

fn reduced(text: &str, words: &[&str]) -> String {
    reduced_within(text, words, usize::MAX).expect("it shows that").text
}

const SCRIPT: &str = "
    (set-logic ALL) (set-option :produce-models true) (set-info :status sat)
    (declare-sort U 0) (declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))
    (declare-fun u () U) (declare-fun g (U Int) U) (declare-fun l () List)
    (declare-fun x () Int) (declare-fun r () Real) (declare-fun s () String) (declare-fun f () Float32)
    (declare-fun b () (_ BitVec 32)) (declare-fun a () (Array Int (_ BitVec 32)))
    (define-fun half ((n Int)) Int (div n 2))
    (assert (! (and (= u (g u (half x))) (< x (head l)) (fp.leq f (fp.mul RNE f ((_ to_fp 8 24) RNE r)))) :named first))
    (push 1)
    (assert (or (str.contains s (str.++ \"abcdef\" s)) (= (select a x) (bvadd b #x0000ffff) (bvneg b))))
    (assert (forall ((y Int) (z Int)) (=> (> y x) (exists ((w Real)) (< (to_real y) (* 2.0 w))))))
    (check-sat)
    (pop 1)
    (check-sat-assuming ((> x 7)))
    (get-unsat-core)
    (exit)";

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
fn as_many_at_once_make_no_difference() {
    for words in
        [&["fp.mul"][..], &["exists", "to_real"], &["select", "bvneg"], &["head"], &["assuming", "push"]]
    {
        let results = [1, 2, 7].map(|width| {
            let mut store = TermStore::new();
            let subject = read(&mut store, SCRIPT);
            let mut check = Contains { words, patience: usize::MAX, width };
            let Ok(reduced) = reduce(&mut store, subject, &mut check);
            reduced.map(|reduced| (reduced.text, reduced.checks))
        });
        assert!(results[0].is_some() && results[0] == results[1] && results[0] == results[2], "{results:?}");
    }
}

/// Two literals in place of others, the second inside what came with the first.
const CHANGED: &str = "(declare-fun x () Int) (declare-fun y () Int) (declare-fun p () Bool)
    (assert (< x y)) (assert (or (< x y) (and p (<= y x)))) (assert (and p (< y x))) (assert (<= x (+ x y)))
    (assert (or (< x y) (and p (< y x)))) (assert (< (+ x y) x))";

#[test]
fn changes_are_undone_first_even_if_that_makes_it_larger() {
    let mut store = TermStore::new();
    let subject = read(&mut store, CHANGED);
    let script =
        parse_script(&mut store, &SourceText::new("script", CHANGED), TheorySet::ALL).expect("legal");
    let terms: Vec<TermId> = script.formula().assertions;
    // The script below has `or` in place of `(< x y)`, and in it `(<= y x)` in place of `(< y x)`; and
    // `(<= x (+ x y))` in place of `(< (+ x y) x)`.
    let changes = [
        (terms[0], terms[4]),
        (store.args(terms[2])[1], store.args(store.args(terms[1])[1])[1]),
        (terms[5], terms[3]),
    ];
    let start = subject;
    let undo_all = first_script(&mut store, &start, &changes, &["<"]);
    assert!(!undo_all.contains("<=") && !undo_all.contains("(or"), "{undo_all}");
    // The newest two only, and the oldest only: what it brought in is found as it looks now.
    let kept = first_script(&mut store, &start, &changes, &["(or"]);
    assert!(kept.contains("(or") && !kept.contains("<="), "{kept}");
    let kept = first_script(&mut store, &start, &changes, &["<="]);
    assert!(kept.contains("<="), "{kept}");
}

/// What is left when as many changes as possible have been undone, before anything else.
fn first_script(
    store: &mut TermStore,
    subject: &Subject,
    changes: &[(TermId, TermId)],
    words: &[&str],
) -> String {
    /// Shows that a script has all its assertions, and contains the words.
    struct Whole<'a>(Contains<'a>);
    impl Check for Whole<'_> {
        type Error = Infallible;
        fn shows(
            &mut self,
            store: &mut TermStore,
            subject: &Subject,
            text: &ScriptText,
        ) -> Result<bool, Infallible> {
            Ok(text.matches("assert").count() == 6
                && text.contains("(and p")
                && self.0.shows(store, subject, text)?)
        }
        fn goes_on(&self) -> bool {
            self.0.goes_on()
        }
    }
    let mut check = Whole(Contains { words, patience: usize::MAX, width: 1 });
    let Ok(reduced) = reduce_changed(store, subject.clone(), changes, &mut check);
    reduced.expect("it shows that").text
}

#[test]
fn what_is_not_shown_is_not_reduced() {
    assert!(reduced_within(SCRIPT, &["bvmul"], usize::MAX).is_none());
}

#[test]
fn reducing_stops_when_it_is_told_to() {
    let all = reduced_within(SCRIPT, &["fp.mul"], usize::MAX).expect("it shows that");
    let part = reduced_within(SCRIPT, &["fp.mul"], 12).expect("it shows that");
    assert!(all.is_finished && !part.is_finished);
    assert!(part.text.contains("fp.mul") && part.checks <= 12 && part.size > all.size);
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

/// Whoever is told to stop makes nothing any more: of a large script, every kind of change takes long to look for.
#[test]
fn nothing_is_made_once_it_is_to_stop() {
    struct First {
        left: usize,
        /// How often it was asked whether to go on after it had said no.
        asked: std::cell::Cell<usize>,
    }
    impl Check for First {
        type Error = Infallible;

        fn shows(&mut self, _: &mut TermStore, _: &Subject, _: &ScriptText) -> Result<bool, Self::Error> {
            self.left -= 1;
            Ok(true)
        }

        fn goes_on(&self) -> bool {
            let goes_on = self.left > 0;
            self.asked.set(self.asked.get() + usize::from(!goes_on));
            goes_on
        }
    }
    let mut store = TermStore::new();
    let many: String = (0..50)
        .map(|i| {
            format!("(declare-const a-long-name-{i} Int) (assert (! (< a-long-name-{i} {i}) :named n{i}))")
        })
        .collect();
    let script = parse_script(&mut store, &SourceText::new("script", many), TheorySet::ALL).expect("legal");
    let subject = Subject::of_script(&script);
    // Made by names that are shorter, among others.
    let short = store.declare("probe", &[], SortId::BOOL);
    let mut check = First { left: 1, asked: std::cell::Cell::new(0) };
    let reduced = reduce(&mut store, subject.clone(), &mut check).expect("no error").expect("it shows");
    assert_eq!((reduced.subject, reduced.checks, reduced.is_finished), (subject, 1, false));
    let next = store.declare("probe2", &[], SortId::BOOL);
    assert_eq!(next.index(), short.index() + 1, "no symbol was declared meanwhile");
    assert!(check.asked.get() < 20, "{}", check.asked.get());
}
