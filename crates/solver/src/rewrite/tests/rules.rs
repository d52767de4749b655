//! Each rule on its examples: it fires, it stays silent on a near miss, and two solvers prove it.

use std::collections::BTreeSet;
use std::time::Duration;

use sundry_smtlib::print_term;
use sundry_term::{Op, TermId, TermStore};
use sundry_testing::oracle::{Answer, Oracle, portable};

use super::examples::{self, Example};
use super::notation::{declarations, terms};
use super::{Rewriter, rewrite_all};
use crate::rewrite::Rule;

/// The application with rewritten arguments, rewritten by a rewriter that has seen nothing else.
fn apply_at_top(store: &mut TermStore, term: TermId) -> (TermId, Rewriter) {
    let arguments = store.args(term).to_vec();
    let arguments = rewrite_all(store, &mut Rewriter::default(), &arguments);
    let mut rewriter = Rewriter::default();
    let result = rewriter.apply(store, store.op(term), &arguments);
    (result, rewriter)
}

#[test]
fn every_rule_has_examples() {
    let mut fires = BTreeSet::new();
    let mut silent = BTreeSet::new();
    for example in examples::all() {
        if !example.fires.is_empty() {
            fires.insert(example.rule);
        }
        if !example.silent.is_empty() {
            silent.insert(example.rule);
        }
    }
    let all: BTreeSet<Rule> = Rule::ALL.iter().copied().collect();
    let missing: Vec<_> = all.difference(&fires).collect();
    assert!(missing.is_empty(), "without an example that fires: {missing:?}");
    let missing: Vec<_> = all.difference(&silent).collect();
    assert!(missing.is_empty(), "without a near miss: {missing:?}");
}

#[test]
fn every_rule_fires() {
    let mut failures = Vec::new();
    for example in examples::all() {
        for &(before, after) in example.fires {
            for &width in example.widths {
                let (mut store, terms) = terms(&[before, after], width);
                let (result, rewriter) = apply_at_top(&mut store, terms[0]);
                let expected = rewrite_all(&mut store, &mut Rewriter::default(), &terms[1..])[0];
                if rewriter.count(example.rule) == 0 || result != expected {
                    let applied: Vec<Rule> =
                        Rule::ALL.iter().copied().filter(|&rule| rewriter.count(rule) > 0).collect();
                    let (result, expected) = (print_term(&store, result), print_term(&store, expected));
                    failures.push(format!(
                        "{:?} on {before}, width {width}: {result}, expected {expected}, applied {applied:?}",
                        example.rule
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_rule_stays_silent_on_near_misses() {
    let mut failures = Vec::new();
    for example in examples::all() {
        for before in example.silent {
            for &width in example.widths {
                let (mut store, terms) = terms(&[before], width);
                let (result, rewriter) = apply_at_top(&mut store, terms[0]);
                if rewriter.count(example.rule) > 0 {
                    let result = print_term(&store, result);
                    failures.push(format!("{:?} on {before}, width {width}: {result}", example.rule));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Proves that the results of all examples, near misses included, equal the terms that were rewritten.
#[test]
fn every_rule_is_proved() {
    let examples: Vec<Example> = examples::all().collect();
    let mut widths: Vec<u32> = examples.iter().flat_map(|example| example.widths).copied().collect();
    widths.sort_unstable();
    widths.dedup();
    let of_width = |width: u32| {
        let examples = examples.iter().filter(move |example| example.widths.contains(&width));
        examples.flat_map(|example| {
            let befores = example.fires.iter().map(|(before, _)| before).chain(example.silent);
            befores.map(|before| (example.rule, before))
        })
    };
    for width in widths {
        let common = format!("(set-logic ALL)\n{}", declarations(width));
        for oracle in Oracle::FOR_BIT_VECTORS {
            let mut subjects = Vec::new();
            let mut questions = Vec::new();
            for (rule, before) in of_width(width) {
                let (mut store, terms) = terms(&[before], width);
                let (result, _) = apply_at_top(&mut store, terms[0]);
                let before = portable(&mut store, terms[0]);
                let differ = store.make(Op::Distinct, &[before, result]);
                if before != result && oracle.supports(&store, differ) {
                    let (before, after) = (print_term(&store, before), print_term(&store, result));
                    subjects.push(format!("{rule:?}, width {width}: {before} became {after}"));
                    questions.push(format!("(assert {})", print_term(&store, differ)));
                }
            }
            let answers = oracle.ask(&common, &questions, Duration::from_secs(60));
            let refuted = answers.iter().zip(&subjects).filter(|(answer, _)| **answer != Answer::Unsat);
            let refuted: Vec<String> =
                refuted.map(|(answer, subject)| format!("{oracle} says {answer:?}: {subject}")).collect();
            assert!(refuted.is_empty(), "{}", refuted.join("\n"));
        }
    }
}
