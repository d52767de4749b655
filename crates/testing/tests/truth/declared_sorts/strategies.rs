//! All ways to sample, on formulas in which the sizes of sorts matter.
//!
//! Every way has to find the verdict of z3. The AST-bits that sets cover and call impossible are compared with the
//! list of all models over up to four elements.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sundry_coverage::Predicate;
use sundry_sample::{
    Control, Event, Granularity, Guidance, Problem, Request, SampleError, StopReason, Summary, VolumeOptions,
    VolumeStrategy, sample,
};
use sundry_term::{Model, Sort, SortId, SymbolId, Universes};

use super::enumerations::oracle_verdicts;
use super::problem;
use super::writer::Writer;
use crate::campaign;
use crate::enumerate::for_each_model_within;

/// Most elements for which all models are listed.
const LISTED: u32 = 4;

#[test]
fn every_strategy_decides_them() {
    let mut satisfiable = 0;
    let seeds: Vec<u64> = campaign::seeds(20, 100).map(|seed| 10_000 + seed).collect();
    let texts: Vec<String> = seeds.iter().map(|&seed| Writer::write(seed, false)).collect();
    for ((seed, text), expected) in seeds.iter().zip(&texts).zip(oracle_verdicts(&texts)) {
        let expected = expected.unwrap_or_else(|| panic!("z3 does not decide seed {seed}:\n{text}"));
        satisfiable += u32::from(expected);
        let (problem, sorts) = problem(text);
        let context = format!("seed {seed}:\n{text}");
        check_sets(&problem, &sorts, expected, *seed, &context);
        for strategy in [
            VolumeStrategy::Combine,
            VolumeStrategy::Guide(Guidance::Bases),
            VolumeStrategy::ClassesHard,
            VolumeStrategy::ClassesSoft,
            VolumeStrategy::All,
        ] {
            check_volume(&problem, strategy, expected, *seed, &context);
        }
        check_twise(&problem, expected, *seed, &context);
        check_uniform(&problem, expected, *seed, &context);
    }
    let all = seeds.len() as u32;
    assert!(satisfiable > all / 4 && satisfiable < all, "one-sided: {satisfiable} of {all}");
}

/// The strategies that end by themselves, against the list of all models over a small number of elements.
fn check_sets(problem: &Problem, sorts: &[SortId], expected: bool, seed: u64, context: &str) {
    let mut possible = BTreeSet::new();
    let mut sizes = vec![Universes::default()];
    for &sort in sorts {
        let with = |universes: &Universes, count| {
            let mut universes = universes.clone();
            universes.set(sort, count);
            universes
        };
        sizes = sizes.iter().flat_map(|sizes| (1..=LISTED).map(move |count| with(sizes, count))).collect();
    }
    // Arrays from elements to elements have too many values.
    let few = |symbol: &SymbolId| match problem.store.array_parts(problem.store.symbol(*symbol).result) {
        Some((index, element)) => !(sorts.contains(&index) && sorts.contains(&element)),
        None => true,
    };
    let is_listed = sorts.len() == 1 && problem.symbols.iter().all(few);
    if is_listed {
        for universes in &sizes {
            for_each_model_within(problem, universes, &mut |_, bits| {
                possible.extend((0..problem.ast_bits.total()).filter(|&ast_bit| bits.covers(ast_bit)));
            });
        }
        assert_eq!(!possible.is_empty(), expected, "the list of all models, {context}");
    }
    for (name, request) in [("cover", Request::cover()), ("pan", Request::pan())] {
        let request = Request { seed, ..request };
        let summary = sample(problem, &request, &mut |_| ControlFlow::Continue(())).expect("small circuits");
        let outcome = summary.set().expect("a set");
        let context = format!("{name}, {context}");
        assert_eq!(summary.rejected, 0, "wrong models: {context}");
        if !expected {
            assert_eq!(summary.stopped_by, StopReason::Unsatisfiable, "{context}");
            continue;
        }
        assert!(outcome.is_complete(), "{outcome:?} {context}");
        let models: Vec<Model> = outcome.solutions.iter().map(|rated| (*rated.model).clone()).collect();
        check_models(problem, &models, true, &context);
        if is_listed {
            let wrong: Vec<usize> =
                outcome.impossible.iter().filter(|ast_bit| possible.contains(ast_bit)).collect();
            assert!(wrong.is_empty(), "{wrong:?} are possible: {context}");
            let found = problem.ast_bits.total() - outcome.impossible.count();
            assert_eq!(found, possible.len(), "{context}");
        }
    }
}

/// Models satisfy the formula, and if wanted no two are the same up to the names of elements.
fn check_models(problem: &Problem, models: &[Model], different: bool, context: &str) {
    let mut seen = BTreeSet::new();
    for model in models {
        let judged = problem.judge(model.clone(), &Control::default());
        let judged = judged.unwrap_or_else(|error| panic!("{error}: {context}"));
        let text = sundry_smtlib::print_model(&problem.store, &judged.model, &problem.symbols);
        // How many elements there are beyond those in values does not count.
        let values =
            text.lines().filter(|line| !line.starts_with("  (forall ")).collect::<Vec<_>>().join("\n");
        assert!(seen.insert(values) || !different, "twice: {text} {context}");
    }
}

/// There are five ways in which three elements are equal or not, and four values of a word.
#[test]
fn solutions_with_other_names_are_not_told_again() {
    let text = "(declare-sort U 0) (declare-const x U) (declare-const y U) (declare-const z U)
        (declare-const p (_ BitVec 2)) (declare-const a (Array U Bool))
        (assert (= (store (store ((as const (Array U Bool)) (= p #b00)) x true) y (distinct x z)) a))";
    let (problem, _) = problem(text);
    let request = Request {
        max_solutions: Some(20),
        seed: 1,
        control: control(),
        ..Request::smtsampler(Granularity::Bit)
    };
    let (models, summary) = collect(&problem, &request).expect("a small circuit");
    assert_eq!(summary.stopped_by, StopReason::MaximalSolutions);
    assert_eq!(models.len(), 20);
    check_models(&problem, &models, true, "");
}

/// The solutions that a run hands out, and its summary.
fn collect(problem: &Problem, request: &Request) -> Result<(Vec<Model>, Summary), SampleError> {
    let mut models = Vec::new();
    let summary = sample(problem, request, &mut |event| {
        if let Event::Solutions(solutions) = event {
            models.extend(solutions.models());
        }
        ControlFlow::Continue(())
    })?;
    Ok((models, summary))
}

/// Boolean subterms as predicates.
fn predicates(problem: &Problem) -> Vec<Predicate> {
    let terms = problem.store.reachable(&problem.assertions).into_iter();
    let boolean = terms.filter(|&term| problem.store.sort_of(term) == SortId::BOOL).take(5);
    boolean.map(|term| Predicate { name: format!("p{}", term.index()), term }).collect()
}

fn control() -> Control {
    // The run ends sooner, but a bug might prevent that.
    Control::default().with_deadline(Some(Instant::now() + Duration::from_secs(120)))
}

fn check_volume(problem: &Problem, strategy: VolumeStrategy, expected: bool, seed: u64, context: &str) {
    let is_plain = |symbol: &SymbolId| {
        let sort = problem.store.symbol(*symbol).result;
        matches!(problem.store.sort(sort), Sort::Bool | Sort::BitVec(_))
    };
    let listed: Vec<SymbolId> = problem.symbols.iter().copied().filter(is_plain).collect();
    let options = VolumeOptions {
        predicates: predicates(problem),
        project: Some(listed.clone()),
        memory: 1 << 20,
        ..VolumeOptions::new(strategy)
    };
    // The other strategies do not notice that they have found everything.
    let max_solutions = (strategy != VolumeStrategy::All).then_some(20);
    let request = Request { seed, max_solutions, control: control(), ..Request::volume(options) };
    let context = format!("{strategy:?}, {context}");
    match collect(problem, &request) {
        Ok((models, summary)) => {
            let reason = summary.stopped_by;
            assert_eq!(summary.rejected, 0, "{context}");
            assert_eq!(reason == StopReason::Unsatisfiable, !expected, "{context}");
            assert_ne!(reason, StopReason::Deadline, "{context}");
            assert_eq!(models.is_empty(), !expected, "{context}");
            if strategy == VolumeStrategy::All {
                let values = |model: &Model| -> Vec<_> {
                    listed.iter().map(|&symbol| model.constant(symbol).cloned()).collect()
                };
                let different: BTreeSet<_> = models.iter().map(values).collect();
                assert_eq!(different.len(), models.len(), "{context}");
            }
            check_models(problem, &models, strategy != VolumeStrategy::All, &context);
        }
        Err(SampleError::Unsupported(_)) => {}
        Err(error) => panic!("{error:?}: {context}"),
    }
}

fn check_twise(problem: &Problem, expected: bool, seed: u64, context: &str) {
    let request = Request { seed, control: control(), ..Request::twise(2) };
    match sample(problem, &request, &mut |_| ControlFlow::Continue(())) {
        Ok(summary) => {
            let outcome = summary.tuples().expect("tuples");
            assert_eq!(summary.rejected, 0, "{context}");
            assert_eq!(summary.stopped_by == StopReason::Unsatisfiable, !expected, "{summary:?} {context}");
            assert!(outcome.tuples.open() == 0 || !expected, "{context}");
            let models: Vec<Model> = outcome.solutions.iter().map(|rated| (*rated.model).clone()).collect();
            check_models(problem, &models, true, context);
        }
        Err(SampleError::Unsupported(_) | SampleError::NoFactors) => {}
        Err(error) => panic!("{error:?}: {context}"),
    }
}

fn check_uniform(problem: &Problem, expected: bool, seed: u64, context: &str) {
    let request = Request { max_solutions: Some(20), seed, control: control(), ..Request::uniform(6.0) };
    match collect(problem, &request) {
        Ok((models, summary)) => {
            assert_eq!(summary.rejected, 0, "{context}");
            assert_eq!(summary.stopped_by == StopReason::Unsatisfiable, !expected, "{context}");
            assert_eq!(models.len(), if expected { 20 } else { 0 }, "{context}");
            check_models(problem, &models, false, context);
        }
        Err(SampleError::Unsupported(_)) => {}
        Err(error) => panic!("{error:?}: {context}"),
    }
}
