//! Formulas of other theories are refused by every entry, with the term at fault and its theory.

use std::ops::ControlFlow;

use sundry_coverage::Predicate;
use sundry_sample::{
    Control, Granularity, Guidance, PredicateError, Problem, Request, SampleError, decide_predicates, sample,
};
use sundry_smtlib::{SourceText, parse_script};
use sundry_solver::{
    Answer, BuildError, Engine, EngineOptions, Limits, Refusal, Session, Tracking, UnknownReason, Unsupported,
};
use sundry_term::{SortId, TermId, TermStore, TheoryName, TheorySet};

/// Formulas with the first term in each that belongs to another theory.
fn problems() -> Vec<(Problem, Unsupported)> {
    let texts = [
        (
            "(declare-const s String) (declare-const p Bool) (assert (or p (str.is_digit s)))",
            TheoryName::Strings,
        ),
        ("(declare-const p Bool) (declare-const q (Seq Bool)) (assert (= p (= q q)))", TheoryName::Sequences),
        (
            "(declare-const p Bool) (declare-const a (Array (_ BitVec 2) String)) (assert (or p (= a a)))",
            TheoryName::Strings,
        ),
        ("(declare-const p Bool) (assert (or p (forall ((x Bool)) (= x p))))", TheoryName::Quantifiers),
    ];
    let problem = |(text, theory): (&str, TheoryName)| {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("formula", text), TheorySet::ALL);
        let formula = script.expect("a script").formula();
        let is_other = |&term: &TermId| {
            let is_plain = store.sort_of(term) == SortId::BOOL;
            !TheorySet::DECIDED.contains(store.op(term).theory()) || !is_plain
        };
        let term = store.reachable(&formula.assertions).into_iter().find(is_other).expect("another theory");
        (Problem::new(store, formula.assertions, formula.symbols), Unsupported { term, theory })
    };
    texts.into_iter().map(problem).collect()
}

#[test]
fn the_solver_refuses_other_theories() {
    for (problem, expected) in problems() {
        let refused = Err(BuildError::Refused(Refusal::Unsupported(expected)));
        let engine = || Engine::new(&EngineOptions::default(), &Control::default());
        let assertions = &problem.assertions;
        let mut store = problem.store.clone();
        assert_eq!(engine().assert_initial(&mut store, assertions), refused);
        assert_eq!(engine().assert(&mut store, assertions[0]), refused);
        assert_eq!(engine().bits(&mut store, assertions[0]).map(|_| ()), refused);
        assert_eq!(engine().bits_of_all(&mut store, assertions).map(|_| ()), refused);
        let mut session = Session::new(EngineOptions::default());
        session.assert(assertions[0], Tracking::Silent);
        let answer = session.check(&mut store, &[], &Limits::default());
        assert!(matches!(answer, Answer::Unknown(UnknownReason::Unsupported(error)) if error == expected));
    }
}

#[test]
fn every_strategy_refuses_other_theories() {
    for (problem, expected) in problems() {
        let expected = Refusal::Unsupported(expected);
        let requests = [
            Request::cover(),
            Request::pan(),
            Request::twise(2),
            Request::all(None),
            Request::smtsampler(Granularity::Bit),
            Request::guided(Vec::new(), Guidance::Bases),
            Request::classes(Vec::new(), true),
            Request::uniform(1.0),
        ];
        for request in requests {
            let refused = sample(&problem, &request, &mut |_| ControlFlow::Break(()));
            let is_refused = match &refused {
                Err(SampleError::Refused(error)) => *error == expected,
                Err(SampleError::NotEnumerable(_)) => true,
                _ => false,
            };
            assert!(is_refused, "{request:?}: {refused:?}");
        }
        let predicate = Predicate { name: "p".into(), term: problem.assertions[0] };
        let refused = decide_predicates(&problem, &[predicate], 0, &Control::default());
        assert!(matches!(refused, Err(PredicateError::Refused(error)) if error == expected));
    }
}
