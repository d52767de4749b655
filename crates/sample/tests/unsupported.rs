//! Formulas of other theories are refused by every entry, with the term at fault.

use std::ops::ControlFlow;

use sundry_coverage::Predicate;
use sundry_sample::{
    Control, Granularity, Over, PanOptions, PredicateError, Problem, SampleError, SampleOptions,
    StrategyKind, TWiseOptions, UniformMethod, UniformOptions, VolumeOptions, VolumeStrategy,
    decide_predicates, sample, sample_twise, sample_uniform, sample_volume,
};
use sundry_smtlib::{Language, SourceText, parse_script};
use sundry_solver::{
    Answer, BuildError, Engine, EngineOptions, Limits, Refusal, Session, Tracking, UnknownReason, Unsupported,
};
use sundry_term::{SortId, TermId, TermStore};

/// Formulas with the first term in each that belongs to another theory.
fn problems() -> Vec<(Problem, Unsupported)> {
    let texts = [
        "(declare-const n Int) (declare-const p Bool) (assert (or p (> n 3)))",
        "(declare-const p Bool) (declare-const r Real) (assert (= p (= r r)))",
        "(declare-const p Bool) (declare-const a (Array (_ BitVec 2) String)) (assert (or p (= a a)))",
        "(declare-const p Bool) (assert (or p (forall ((x Bool)) (= x p))))",
    ];
    let problem = |text: &str| {
        let mut store = TermStore::new();
        let script = parse_script(&mut store, &SourceText::new("formula", text), Language::All);
        let formula = script.expect("a script").formula();
        let is_other = |&term: &TermId| {
            let is_plain = store.sort_of(term) == SortId::BOOL;
            !store.op(term).is_of_bit_vectors() || !is_plain
        };
        let term = store.reachable(&formula.assertions).into_iter().find(is_other).expect("another theory");
        (Problem::new(store, formula.assertions, formula.symbols), Unsupported { term })
    };
    texts.into_iter().map(problem).collect()
}

#[test]
fn the_solver_refuses_other_theories() {
    for (problem, expected) in problems() {
        let refused = Err(BuildError::Refused(Refusal::Unsupported(expected)));
        let engine = || Engine::new(&EngineOptions::default());
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
        for strategy in [StrategyKind::Cover, StrategyKind::Pan(PanOptions::default())] {
            let options = SampleOptions { strategy, ..SampleOptions::default() };
            assert_eq!(sample(&problem, &options, &mut |_| {}).err(), Some(expected));
        }
        let options = VolumeOptions {
            strategy: VolumeStrategy::Combine,
            granularity: Granularity::Bit,
            predicates: Vec::new(),
            project: None,
            seed: 0,
            stream: 0,
            memory: 1 << 20,
            control: Control::default(),
        };
        let refused = sample_volume(&problem, &options, &mut |_| ControlFlow::Break(()));
        assert!(matches!(refused, Err(SampleError::Refused(error)) if error == expected));
        let options = UniformOptions {
            method: UniformMethod::Hashing,
            tolerance: 1.0,
            samples: Some(1),
            seed: 0,
            control: Control::default(),
        };
        let refused = sample_uniform(&problem, &options, &mut |_| ControlFlow::Break(()));
        assert!(matches!(refused, Err(SampleError::Refused(error)) if error == expected));
        let options = TWiseOptions {
            strength: 2,
            over: Over::Values,
            predicates: Vec::new(),
            max_solutions: None,
            fill: false,
            obligations: false,
            seed: 0,
            control: Control::default(),
        };
        let refused = sample_twise(&problem, &options, &mut |_| {});
        assert!(matches!(refused, Err(SampleError::Refused(error)) if error == expected));
        let predicate = Predicate { name: "p".into(), term: problem.assertions[0] };
        let refused = decide_predicates(&problem, &[predicate], 0, &Control::default());
        assert!(matches!(refused, Err(PredicateError::Refused(error)) if error == expected));
    }
}
