//! The number of scripts that are checked together, and the end of reducing.

use std::convert::Infallible;

use sundry_fuzz::{Check, Subject, reduce};
use sundry_smtlib::{ScriptText, SourceText, TheorySet, parse_script};
use sundry_term::{SortId, TermStore};

use crate::{Contains, SCRIPT, read, reduced_within};

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

/// A reduction that has to stop makes no more terms: on a large script, the search for every kind of change takes
/// long.
#[test]
fn nothing_is_made_once_it_is_to_stop() {
    struct First {
        left: usize,
        /// The number of questions whether to continue after the first answer no.
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
