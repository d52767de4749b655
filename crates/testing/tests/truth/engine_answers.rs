//! The engine's answers to the questions of one formula, asked in every way that a caller may ask.
//!
//! The assertions are split: a first part is asserted initially, the rest (as during a run) asserted later, assumed,
//! or demanded as a clause. Ways that ask the same must agree, and every satisfiable answer has a model that the
//! evaluator accepts.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sundry_external::panic_text;
use sundry_solver::{Checked, Engine, EngineOptions, Lit, Observer, Query, Verdict};
use sundry_term::{Control, Evaluator, Model, Op, TermId, TermStore, Value};

use crate::case::Case;
use crate::finding::{Finding, Kind};

/// Conflicts after which the engine may give up. Small formulas need a few hundred.
const CONFLICTS: u64 = 20_000;

/// A satisfiability question, and how it was answered.
pub struct Question {
    pub assertions: Vec<TermId>,
    /// `Unknown` where the engine gave up in all ways of asking.
    pub verdict: Verdict,
    /// A model for each way of asking that gave one.
    pub models: Vec<Model>,
}

/// All questions of a formula. The case's store gains the disjunction that one of them asserts.
pub struct Answers {
    pub questions: Vec<Question>,
    pub findings: Vec<Finding>,
}

/// Asks everything about a formula.
pub fn answers(case: &mut Case) -> Answers {
    let split = case.assertions.len() / 2;
    let (first, rest) = case.assertions.split_at(split);
    let (first, rest) = (first.to_vec(), rest.to_vec());
    let either = case.store.make(Op::Or, &rest);
    let mut some = first.clone();
    some.push(either);
    let mut answers = Answers { questions: Vec::new(), findings: Vec::new() };
    let [all, half, some] = [case.assertions.clone(), first.clone(), some].map(|assertions| {
        answers.questions.push(Question { assertions, verdict: Verdict::Unknown, models: Vec::new() });
        answers.questions.len() - 1
    });
    let store = &case.store;
    let usual = EngineOptions::default();
    let open = EngineOptions { open_products: Some(1), ..EngineOptions::default() };
    let ways: [&dyn Fn(&mut Answers); 6] = [
        &|answers| at_once(store, answers, &usual, all),
        &|answers| one_after_the_other(store, answers, [half, all], &rest),
        &|answers| assumed(store, answers, &usual, [half, some, all], &rest),
        &|answers| at_once(store, answers, &open, all),
        &|answers| assumed(store, answers, &open, [half, some, all], &rest),
        &|answers| observed(store, answers, [half, all], &rest),
    ];
    for way in ways {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| way(&mut answers))) {
            answers.findings.push(Finding::new(Kind::Panic, panic_text(&*panic).to_string()));
        }
    }
    answers
}

impl Answers {
    /// Enters the answer of one way of asking.
    fn enter(&mut self, store: &TermStore, number: usize, way: &str, checked: Checked<'_>, own: &TermStore) {
        let verdict = checked.verdict();
        let question = &mut self.questions[number];
        let known = question.verdict;
        if verdict == Verdict::Unknown {
            return;
        }
        question.verdict = verdict;
        if known != Verdict::Unknown && known != verdict {
            let details = format!("question {number}: {verdict:?} {way}, but {known:?} before");
            self.findings.push(Finding::new(Kind::Inconsistent, details));
        }
        if let Ok(found) = checked.model() {
            let model = found.model(own);
            if let Some(false_one) = first_false(store, &model, &question.assertions) {
                let details = format!("question {number} {way}: assertion {false_one} is false");
                self.findings.push(Finding::new(Kind::WrongModel, details));
            }
            question.models.push(model);
        }
    }
}

/// The position of the first assertion that a model does not satisfy.
pub fn first_false(store: &TermStore, model: &Model, assertions: &[TermId]) -> Option<usize> {
    let mut evaluator = Evaluator::new(store, model);
    if evaluator.evaluate(assertions).is_err() {
        return Some(0);
    }
    assertions.iter().position(|&assertion| evaluator.value(assertion) != Some(&Value::Bool(true)))
}

fn new_engine(options: &EngineOptions) -> Engine {
    Engine::new(options, &Control::default())
}

/// Asks about the assertions alone.
fn nothing_more() -> Query<'static> {
    Query { conflicts: Some(CONFLICTS), ..Query::default() }
}

/// All assertions initially; then again with the circuits of all nodes, as a sampler needs them.
fn at_once(store: &TermStore, answers: &mut Answers, options: &EngineOptions, all: usize) {
    let mut own = store.clone();
    let mut engine = new_engine(options);
    let assertions = answers.questions[all].assertions.clone();
    engine.assert_initial(&mut own, &assertions).expect("small circuits");
    let checked = engine.check(nothing_more());
    answers.enter(store, all, "initially", checked, &own);

    let nodes: Vec<TermId> =
        store.reachable(&assertions).into_iter().filter(|&term| store.bits(term) > 0).collect();
    let bits = engine.bits_of_all(&mut own, &nodes).expect("small circuits");
    let checked = engine.check(nothing_more());
    answers.enter(store, all, "with all nodes", checked, &own);
    let Ok(found) = checked.model() else { return };
    let model = found.model(&own);
    let mut evaluator = Evaluator::new(store, &model);
    evaluator.evaluate(&nodes).expect("tables only");
    for (&node, edges) in nodes.iter().zip(&bits) {
        let value = evaluator.value(node).expect("evaluated");
        let differs = (0..).zip(edges.iter()).any(|(bit, &edge)| found.value(edge) != value.bit(bit));
        if differs {
            let text = sundry_smtlib::print_term(store, node);
            answers.findings.push(Finding::new(Kind::WrongBits, format!("{text} is {value:?}")));
        }
    }
}

/// The first part initially, the others by and by.
fn one_after_the_other(store: &TermStore, answers: &mut Answers, [half, all]: [usize; 2], rest: &[TermId]) {
    let mut own = store.clone();
    let mut engine = new_engine(&EngineOptions::default());
    engine.assert_initial(&mut own, &answers.questions[half].assertions.clone()).expect("small circuits");
    let checked = engine.check(nothing_more());
    answers.enter(store, half, "before the rest is asserted", checked, &own);
    for &assertion in rest {
        engine.assert(&mut own, assertion).expect("small circuits");
    }
    let checked = engine.check(nothing_more());
    answers.enter(store, all, "asserted later", checked, &own);
}

/// The first part initially, then the rest, while somebody looks at the search; last, nobody looks any more.
fn observed(store: &TermStore, answers: &mut Answers, [half, all]: [usize; 2], rest: &[TermId]) {
    let mut own = store.clone();
    let mut engine = new_engine(&EngineOptions::for_single_questions());
    engine.assert_initial(&mut own, &answers.questions[half].assertions.clone()).expect("small circuits");
    let mut receive = |_| ControlFlow::Continue(());
    let observer = Observer { store: &own, most: 50, receive: &mut receive };
    let checked = engine.check_and_report(nothing_more(), observer);
    answers.enter(store, half, "observed", checked, &own);
    for &assertion in rest {
        engine.assert(&mut own, assertion).expect("small circuits");
    }
    let observer = Observer { store: &own, most: 50, receive: &mut receive };
    let checked = engine.check_and_report(nothing_more(), observer);
    answers.enter(store, all, "observed once more", checked, &own);
    let checked = engine.check(nothing_more());
    answers.enter(store, all, "after an observation", checked, &own);
}

/// The first part initially, the others as assumptions and as a clause, in one engine.
fn assumed(
    store: &TermStore,
    answers: &mut Answers,
    options: &EngineOptions,
    [half, some, all]: [usize; 3],
    rest: &[TermId],
) {
    let mut own = store.clone();
    let mut engine = new_engine(options);
    engine.assert_initial(&mut own, &answers.questions[half].assertions.clone()).expect("small circuits");
    let literals: Vec<Lit> = rest
        .iter()
        .map(|&term| {
            let edge = engine.bits(&mut own, term).expect("small circuits")[0];
            engine.literal(edge)
        })
        .collect();
    let checked = engine.check(Query { assumptions: &literals, ..nothing_more() });
    answers.enter(store, all, "assumed", checked, &own);
    if let Checked::Unsat(refutation) = checked {
        let core: Vec<Lit> = literals.iter().copied().filter(|&literal| refutation.needs(literal)).collect();
        if engine.check(Query { assumptions: &core, ..nothing_more() }).verdict() == Verdict::Sat {
            answers.findings.push(Finding::new(Kind::WrongCore, format!("{core:?} of {literals:?}")));
        }
    }
    let checked = engine.check(Query { at_least_one: &literals, ..nothing_more() });
    answers.enter(store, some, "as a clause", checked, &own);
    let checked = engine.check(nothing_more());
    answers.enter(store, half, "after assumptions", checked, &own);
    let checked = engine.check(Query { assumptions: &literals, at_least_one: &literals, ..nothing_more() });
    answers.enter(store, all, "assumed again", checked, &own);
}
