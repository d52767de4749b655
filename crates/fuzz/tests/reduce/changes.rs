//! Changes that made a script a mutant are undone before anything else is tried.

use std::convert::Infallible;

use sundry_fuzz::{Check, Subject, reduce_changed};
use sundry_smtlib::{ScriptText, SourceText, TheorySet, parse_script};
use sundry_term::{TermId, TermStore};

use crate::{Contains, read};

/// Two literals in place of others, the second inside the replacement of the first.
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
    // The newest two only, and the oldest only: the term that it introduced is found in its present form.
    let kept = first_script(&mut store, &start, &changes, &["(or"]);
    assert!(kept.contains("(or") && !kept.contains("<="), "{kept}");
    let kept = first_script(&mut store, &start, &changes, &["<="]);
    assert!(kept.contains("<="), "{kept}");
}

/// The script that is left when as many changes as possible have been undone, before anything else.
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
