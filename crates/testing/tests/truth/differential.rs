//! The solver against z3, Bitwuzla and the evaluator.
//!
//! Each formula gives three questions (see [`engine_answers`](crate::engine_answers)). Verdicts must agree with both
//! solvers; every model of ours must satisfy the evaluator and z3; every model of theirs must be readable and satisfy
//! the evaluator. `unknown` agrees with every answer, so it must be rare.

use std::collections::BTreeMap;

use sundry_smtlib::{Formula, print_formula};
use sundry_solver::Verdict;
use sundry_term::{Sort, TermId, TermStore};
use sundry_testing::oracle::{Answer, Oracle};

use crate::campaign;
use crate::case::{Case, any_sort};
use crate::engine_answers::{Question, answers};
use crate::finding::{Finding, Kind};
use crate::oracle_answers::{ask, confirmation, judge_foreign, supports};
use crate::shrink::shrink;

/// Formulas whose questions go into one process.
const BATCH: usize = 100;
/// Findings after which a campaign ends.
const ENOUGH: usize = 5;

/// The figures of a campaign, for its summary.
#[derive(Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }
}

#[test]
fn the_solver_agrees_with_other_solvers() {
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    let seeds: Vec<u64> = campaign::seeds(1_000, 1).collect();
    for batch in seeds.chunks(BATCH) {
        let cases = batch.iter().map(|&seed| Case::new(seed)).collect();
        for (case, finding) in findings(cases, &mut tally) {
            failures.push(describe(case, &finding));
            println!("{}", failures[failures.len() - 1]);
        }
        if failures.len() >= ENOUGH {
            break;
        }
    }
    for (what, count) in &tally.0 {
        println!("{count:>8} {what}");
    }
    assert!(failures.is_empty(), "{} defects, printed above", failures.len());
    let count = |what: &str| tally.0.get(what).copied().unwrap_or(0);
    let (sat, unsat, unknown) = (count("ours: Sat"), count("ours: Unsat"), count("ours: Unknown"));
    assert!(sat > seeds.len() as u64 / 4 && unsat > seeds.len() as u64 / 40, "one-sided formulas");
    assert!(unknown * 100 <= sat + unsat, "the solver gives up too often");
}

/// The finding on the smallest formula that still shows it.
fn describe(case: Case, finding: &Finding) -> String {
    let again = |candidate: &Case| {
        let found: Vec<Finding> = if finding.kind.needs_oracles() {
            findings(vec![candidate.clone()], &mut Tally::default())
                .into_iter()
                .map(|found| found.1)
                .collect()
        } else {
            answers(&mut candidate.clone()).findings
        };
        found.into_iter().find(|other| other.kind == finding.kind)
    };
    let shrunk = shrink(&case, &mut |candidate| again(candidate).is_some());
    let details = again(&shrunk).map(|finding| finding.to_string()).unwrap_or_default();
    format!("seed {}: {finding}\nshrunk to\n{}{details}\n", case.seed, shrunk.script())
}

/// Everything that is wrong with the answers to these formulas.
fn findings(mut cases: Vec<Case>, tally: &mut Tally) -> Vec<(Case, Finding)> {
    let mut found: Vec<(usize, Finding)> = Vec::new();
    // Questions with the number of their case.
    let mut questions: Vec<(usize, Question)> = Vec::new();
    for (number, case) in cases.iter_mut().enumerate() {
        let answers = answers(case);
        found.extend(answers.findings.into_iter().map(|finding| (number, finding)));
        questions.extend(answers.questions.into_iter().map(|question| (number, question)));
        tally.count("formulas");
    }
    for (_, question) in &questions {
        tally.count(format!("ours: {:?}", question.verdict));
    }
    for oracle in Oracle::FOR_BIT_VECTORS {
        found.extend(compare(oracle, &cases, &questions, tally));
    }
    found.extend(confirm(&cases, &questions, tally));
    found.sort_by_key(|(number, _)| *number);
    found.dedup_by_key(|(number, _)| *number);
    found.into_iter().map(|(number, finding)| (cases[number].clone(), finding)).collect()
}

/// Verdicts and models of another solver.
fn compare(
    oracle: Oracle,
    cases: &[Case],
    questions: &[(usize, Question)],
    tally: &mut Tally,
) -> Vec<(usize, Finding)> {
    let asked: Vec<&(usize, Question)> = questions
        .iter()
        .filter(|(number, question)| supports(oracle, &cases[*number].store, &question.assertions))
        .collect();
    let scripts: Vec<String> = asked
        .iter()
        .map(|(number, question)| {
            let store = &cases[*number].store;
            let script = print_formula(store, &Formula::of_assertions(store, question.assertions.clone()));
            if question.verdict == Verdict::Sat { script + "(get-model)\n" } else { script }
        })
        .collect();
    let mut found = Vec::new();
    for ((number, question), reply) in asked.into_iter().zip(ask(oracle, &scripts)) {
        tally.count(format!("{oracle}: {:?}", reply.answer));
        match (question.verdict, reply.answer) {
            // The evaluator has accepted our model; `declared_sorts` asks z3 about enumerations instead.
            (Verdict::Sat, Answer::Unsat)
                if depends_on_cardinality(&cases[*number].store, &question.assertions) =>
            {
                tally.count(format!("{oracle}: overlooks finite declared sorts"));
            }
            (Verdict::Sat, Answer::Unsat) | (Verdict::Unsat, Answer::Sat) => {
                let details = format!("{:?} instead of {:?}", question.verdict, reply.answer);
                found.push((*number, Finding::new(Kind::Disagreement(oracle), details)));
            }
            (Verdict::Sat, Answer::Sat) => {
                let store = &cases[*number].store;
                match judge_foreign(store, &question.assertions, &reply) {
                    Ok(()) => tally.count(format!("{oracle}: models accepted")),
                    // z3 names elements that it does not declare when a model leaves a symbol open.
                    Err(why) if oracle == Oracle::Z3 && why.contains("unknown symbol 'Element!val!") => {
                        tally.count(format!("{oracle}: models with undeclared elements"));
                    }
                    Err(why) => found.push((*number, Finding::new(Kind::ForeignModel(oracle), why))),
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether the size of a declared sort may matter, which z3 does not always see.
fn depends_on_cardinality(store: &TermStore, assertions: &[TermId]) -> bool {
    any_sort(store, assertions, |sort| match sort {
        Sort::Array { index, .. } => matches!(store.sort(*index), Sort::Uninterpreted { .. }),
        _ => false,
    })
}

/// Models of ours that z3 does not accept.
fn confirm(cases: &[Case], questions: &[(usize, Question)], tally: &mut Tally) -> Vec<(usize, Finding)> {
    let mut scripts = Vec::new();
    let mut numbers = Vec::new();
    for (number, question) in questions {
        for (position, model) in question.models.iter().enumerate() {
            if !question.models[..position].contains(model) {
                scripts.push(confirmation(&cases[*number].store, &question.assertions, model));
                numbers.push(*number);
            }
        }
    }
    let mut found = Vec::new();
    for ((number, script), reply) in numbers.into_iter().zip(&scripts).zip(ask(Oracle::Z3, &scripts)) {
        tally.count(format!("our models according to z3: {:?}", reply.answer));
        if reply.answer == Answer::Unsat || reply.text.contains("error") {
            let details = format!("{:?} {}\n{script}", reply.answer, reply.text);
            found.push((number, Finding::new(Kind::Unconfirmed, details)));
        }
    }
    found
}
