//! Scripts are made smaller: what is left shows what it did, and is a legal script.

use std::convert::Infallible;

use sundry_fuzz::{Check, Reduced, Subject, reduce};
use sundry_smtlib::{Language, SourceText, parse_script};
use sundry_term::TermStore;

/// Shows that a script is legal, and contains these words.
struct Contains<'a> {
    words: &'a [&'a str],
    /// Checks after which it does not go on.
    patience: usize,
}

impl Check for Contains<'_> {
    type Error = Infallible;

    fn shows(&mut self, _: &mut TermStore, _: &Subject, text: &str) -> Result<bool, Infallible> {
        self.patience -= 1;
        let mut store = TermStore::new();
        let read = parse_script(&mut store, &SourceText::new("candidate", text), Language::All);
        Ok(read.is_ok() && self.words.iter().all(|word| text.contains(word)))
    }

    fn goes_on(&self) -> bool {
        self.patience > 0
    }
}

fn reduced_within(text: &str, words: &[&str], patience: usize) -> Option<Reduced> {
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &SourceText::new("script", text), Language::All);
    let subject = Subject::of_script(&script.expect("a legal script"));
    let Ok(reduced) = reduce(&mut store, subject, &mut Contains { words, patience });
    reduced
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
    let datatype = reduced(SCRIPT, &["head"]);
    assert!(datatype.starts_with("(declare-datatypes") && !datatype.contains("(= u"), "{datatype}");
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
        "(declare-fun x () Int)\n(assert (< x 3))\n(reset)\n(declare-fun x () Real)\n(assert (< x 2.5))\n"
    );
}
