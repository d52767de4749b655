//! Reduced scripts are legal and show the same as the whole script.
//!
//! * [`left`]: the terms, sorts, declarations and commands that are left.
//! * [`changes`]: changes of a mutant are undone first.
//! * [`control`]: the number of scripts that are checked together, and the end of reducing.

mod changes;
mod control;
mod left;

use std::convert::Infallible;

use sundry_fuzz::{Candidate, Check, Reduced, Subject, reduce};
use sundry_smtlib::{ScriptText, SourceText, TheorySet, parse_script};
use sundry_term::TermStore;

/// Shows that a script is legal, and contains these words.
struct Contains<'a> {
    words: &'a [&'a str],
    /// The number of checks after which it does not continue.
    patience: usize,
    /// The number of scripts that it checks together.
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
