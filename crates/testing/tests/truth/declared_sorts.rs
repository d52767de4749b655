//! Formulas with declared sorts and constant arrays, where it matters how many elements there are.
//!
//! z3 is asked about each formula with its sorts declared as enumerations of a few elements, in all sizes: a formula
//! is satisfiable where one of them is. (About the formula as it is, z3 3 of 400 times says `unsat` where it accepts a model
//! of an enumeration.) All strategies have to agree, and what they call possible and impossible is compared with the
//! list of all models over up to four elements.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_coverage::Predicate;
use sundry_sample::{
    Control, Event, Granularity, Guidance, Problem, Request, SampleError, StopReason, Summary, VolumeOptions,
    VolumeStrategy, sample,
};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking};
use sundry_term::{Model, Sort, SortId, SymbolId, TermStore, Universes};
use sundry_testing::oracle::{self, Oracle};

use crate::campaign;
use crate::enumerate::for_each_model_within;
use crate::oracle_answers::ask;

/// How many elements a sort is given: as many as formulas of this size can tell apart, and more.
const SIZES: [u32; 5] = [1, 2, 3, 4, 6];

/// Most elements for which all models are listed.
const LISTED: u32 = 4;

/// A random formula as text: a sort or two, constants, arrays over them, and equalities of chains of stores.
struct Writer {
    random: ChaCha8Rng,
    sorts: Vec<String>,
    constants: BTreeMap<String, Vec<String>>,
    /// Array sorts with their parts.
    arrays: Vec<(String, String, String)>,
}

impl Writer {
    /// `nested` says whether arrays may be indices and elements of arrays.
    fn write(seed: u64, nested: bool) -> String {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(3 + u64::from(nested));
        let count = if random.random_range(0..4) == 0 { 2 } else { 1 };
        let sorts: Vec<String> = (0..count).map(|number| format!("U{number}")).collect();
        let mut writer = Writer { random, sorts, constants: BTreeMap::new(), arrays: Vec::new() };
        let mut text = String::new();
        for sort in &writer.sorts {
            text += &format!("(declare-sort {sort} 0)\n");
        }
        for _ in 0..writer.random.random_range(1..=2) {
            let index = writer.part(nested, 10);
            let element = writer.part(nested, 60);
            let sort = format!("(Array {index} {element})");
            if !writer.arrays.iter().any(|(known, _, _)| *known == sort) {
                writer.arrays.push((sort, index, element));
            }
        }
        let arrays: Vec<String> = writer.arrays.iter().map(|(sort, _, _)| sort.clone()).collect();
        let plain = ["Bool", "(_ BitVec 1)"].map(String::from);
        let mut number = 0;
        for sort in plain.into_iter().chain(writer.sorts.clone()).chain(arrays) {
            let most = if sort.starts_with('U') { 3 } else { 1 };
            let names: Vec<String> = (0..writer.random.random_range(1..=most))
                .map(|_| {
                    number += 1;
                    format!("c{number}")
                })
                .collect();
            for name in &names {
                text += &format!("(declare-const {name} {sort})\n");
            }
            writer.constants.insert(sort, names);
        }
        for _ in 0..writer.random.random_range(1..=3) {
            let assertion = writer.assertion();
            text += &format!("(assert {assertion})\n");
        }
        text
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn one_of(&mut self, choices: &[String]) -> String {
        choices.choose(&mut self.random).expect("there is a choice").clone()
    }

    /// The sort of indices or elements, in so many of 100 cases a plain one.
    fn part(&mut self, nested: bool, plain: u32) -> String {
        let arrays: Vec<String> = self.arrays.iter().map(|(sort, _, _)| sort.clone()).collect();
        if nested && !arrays.is_empty() && self.chance(50) {
            return self.one_of(&arrays);
        }
        if self.chance(plain) {
            return self.one_of(&["Bool", "(_ BitVec 1)"].map(String::from));
        }
        let sorts = self.sorts.clone();
        self.one_of(&sorts)
    }

    /// A term of a sort.
    fn term(&mut self, sort: &str, depth: u32) -> String {
        if let Some((_, index, element)) = self.arrays.iter().find(|(known, _, _)| known == sort).cloned() {
            return match self.random.random_range(0..4) {
                0 => format!("((as const {sort}) {})", self.term(&element, 0)),
                1.. if depth > 0 => {
                    let (below, index) = (self.term(sort, depth - 1), self.term(&index, 0));
                    format!("(store {below} {index} {})", self.term(&element, 0))
                }
                _ => {
                    let names = self.constants[sort].clone();
                    self.one_of(&names)
                }
            };
        }
        if depth > 0 && self.chance(40) {
            let readable: Vec<_> =
                self.arrays.iter().filter(|(_, _, element)| element == sort).cloned().collect();
            if let Some((array, index, _)) = readable.choose(&mut self.random) {
                let below = self.term(array, depth - 1);
                return format!("(select {below} {})", self.term(index, 0));
            }
        }
        if sort == "(_ BitVec 1)" && self.chance(60) {
            return format!("#b{}", self.random.random_range(0..2));
        }
        if sort == "Bool" && self.chance(40) {
            return self.chance(50).to_string();
        }
        let names = self.constants[sort].clone();
        self.one_of(&names)
    }

    /// Mostly that two chains of stores over constant arrays are equal.
    fn assertion(&mut self) -> String {
        let arrays: Vec<String> = self.arrays.iter().map(|(sort, _, _)| sort.clone()).collect();
        let sort = if self.chance(80) {
            self.one_of(&arrays)
        } else {
            let all: Vec<String> = self.constants.keys().cloned().collect();
            self.one_of(&all)
        };
        let (left, right) = (self.chain(&sort), self.chain(&sort));
        let equality = format!("(= {left} {right})");
        match self.random.random_range(0..10) {
            0 => format!("(not {equality})"),
            1 => format!("(or {equality} {})", self.term("Bool", 2)),
            _ => equality,
        }
    }

    fn chain(&mut self, sort: &str) -> String {
        let Some((_, index, element)) = self.arrays.iter().find(|(known, _, _)| known == sort).cloned()
        else {
            return self.term(sort, 2);
        };
        let mut chain = match self.chance(75) {
            true => format!("((as const {sort}) {})", self.term(&element, 0)),
            false => self.term(sort, 0),
        };
        for _ in 0..self.random.random_range(0..=3) {
            let index = self.term(&index, 1);
            chain = format!("(store {chain} {index} {})", self.term(&element, 0));
        }
        chain
    }
}

/// The formula as something to sample, and its declared sorts.
fn problem(text: &str) -> (Problem, Vec<SortId>) {
    let mut store = TermStore::new();
    let script = parse_script(&mut store, &SourceText::new("formula", text), TheorySet::DECIDED);
    let formula = script.expect("a formula").formula();
    let declared = |sort: &SortId| matches!(store.sort(*sort), Sort::Uninterpreted { .. });
    let sorts = formula.symbols.iter().map(|&symbol| store.symbol(symbol).result).filter(declared);
    let sorts: BTreeSet<SortId> = sorts.collect();
    (Problem::new(store, formula.assertions, formula.symbols), sorts.into_iter().collect())
}

/// The formula with its sorts as enumerations, in all sizes.
fn enumerations(text: &str) -> Vec<String> {
    let mut variants = vec![text.to_string()];
    for sort in ["U0", "U1"] {
        let declaration = format!("(declare-sort {sort} 0)");
        if !text.contains(&declaration) {
            continue;
        }
        variants = variants
            .iter()
            .flat_map(|variant| {
                SIZES.map(|size| {
                    let elements: Vec<String> =
                        (0..size).map(|number| format!("({sort}_{number})")).collect();
                    let datatype = format!("(declare-datatype {sort} ({}))", elements.join(" "));
                    variant.replace(&declaration, &datatype)
                })
            })
            .collect();
    }
    variants.iter().map(|variant| format!("{variant}(check-sat)\n")).collect()
}

/// Whether formulas are satisfiable, according to z3; `None` where it does not know.
fn oracle_verdicts(texts: &[String]) -> Vec<Option<bool>> {
    let variants: Vec<Vec<String>> = texts.iter().map(|text| enumerations(text)).collect();
    let mut replies = ask(Oracle::Z3, &variants.concat()).into_iter();
    let verdicts = variants.iter().map(|variants| {
        let answers: Vec<oracle::Answer> =
            replies.by_ref().take(variants.len()).map(|reply| reply.answer).collect();
        match answers.contains(&oracle::Answer::Sat) {
            true => Some(true),
            false => answers.iter().all(|&answer| answer == oracle::Answer::Unsat).then_some(false),
        }
    });
    verdicts.collect()
}

/// What holds of these formulas was worked out by hand.
#[test]
fn sizes_of_sorts_follow() {
    let formulas = [
        // One element is all there is.
        ("(assert (= (store (k #b0) x #b1) (k #b1)))", Some(1)),
        ("(assert (= (store (k #b0) x #b1) (k #b1))) (assert (distinct x y))", None),
        ("(assert (= (store (store (k #b0) x #b1) y #b1) (k #b1))) (assert (distinct x y))", Some(2)),
        ("(assert (= (store (store (k #b0) x #b1) y #b1) (k #b1))) (assert (distinct x y z))", None),
        (
            "(assert (= (store (store (k #b0) x #b1) y #b1) (k #b1))) (assert (distinct x y)) (assert (= z w))",
            Some(2),
        ),
        // Through an array that has both.
        (
            "(assert (= a (store (k #b0) x #b1))) (assert (= a (k #b1))) (assert (= (select b y) #b0))",
            Some(1),
        ),
        ("(assert (= a (store (k #b0) x #b1))) (assert (= a (k #b1))) (assert (distinct b c (k #b0)))", None),
        // Over a sort of two elements there are four arrays.
        (
            "(assert (= (store (store (k #b0) x #b1) y #b1) (k #b1))) (assert (distinct x y))
             (assert (distinct a b c (k #b0) (k #b1)))",
            None,
        ),
        (
            "(assert (= (store (store (k #b0) x #b1) y #b1) (k #b1))) (assert (distinct x y))
             (assert (distinct a b c (k #b0)))",
            Some(2),
        ),
        // Indices that are arrays: two elements make four of them.
        (
            "(define-sort I () (Array U (_ BitVec 1)))
             (define-fun m ((e Bool)) (Array I Bool) ((as const (Array I Bool)) e))
             (declare-const d I)
             (assert (= (store (store (store (store (m false) a true) b true) c true) d true) (m true)))
             (assert (distinct x y))",
            Some(2),
        ),
        (
            "(define-sort I () (Array U (_ BitVec 1)))
             (define-fun m ((e Bool)) (Array I Bool) ((as const (Array I Bool)) e))
             (assert (= (store (store (store (m false) a true) b true) c true) (m true)))
             (assert (distinct x y))",
            None,
        ),
    ];
    for (assertions, size) in formulas {
        let text = format!(
            "(declare-sort U 0)
             (declare-const x U) (declare-const y U) (declare-const z U) (declare-const w U)
             (declare-const a (Array U (_ BitVec 1))) (declare-const b (Array U (_ BitVec 1)))
             (declare-const c (Array U (_ BitVec 1)))
             (define-fun k ((e (_ BitVec 1))) (Array U (_ BitVec 1)) ((as const (Array U (_ BitVec 1))) e))
             {assertions}"
        );
        let (mut problem, sorts) = problem(&text);
        let mut session = Session::new(EngineOptions::default());
        problem.assertions.iter().for_each(|&term| session.assert(term, Tracking::Silent));
        match (session.check(&mut problem.store, &[], &Limits::default()), size) {
            (Answer::Sat(model), Some(size)) => {
                assert_eq!(model.universes().count(sorts[0]), Some(size), "{assertions}");
            }
            (Answer::Unsat(_), None) => {}
            (answer, _) => panic!("{answer:?}: {assertions}"),
        }
    }
}

/// Of Boolean arrays over Booleans there are four, whether or not a sort is declared.
#[test]
fn arrays_that_are_indices_may_be_few() {
    for (stored, expected) in [(3, false), (4, true), (5, true)] {
        let mut chain = String::from("((as const (Array I Bool)) false)");
        let mut text = String::from("(define-sort I () (Array Bool Bool))");
        for number in 0..stored {
            text += &format!("(declare-const i{number} I)");
            chain = format!("(store {chain} i{number} true)");
        }
        text += &format!("(assert (= {chain} ((as const (Array I Bool)) true)))");
        let (mut problem, _) = problem(&text);
        let mut session = Session::new(EngineOptions::default());
        problem.assertions.iter().for_each(|&term| session.assert(term, Tracking::Silent));
        let answer = session.check(&mut problem.store, &[], &Limits::default());
        assert_eq!(matches!(answer, Answer::Sat(_)), expected, "{stored}: {answer:?}");
        assert_eq!(matches!(answer, Answer::Unsat(_)), !expected, "{stored}: {answer:?}");
    }
}

#[test]
fn verdicts_are_those_over_enumerations() {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    let seeds: Vec<u64> = campaign::seeds(60, 4).collect();
    for nested in [false, true] {
        for batch in seeds.chunks(20) {
            let texts: Vec<String> = batch.iter().map(|&seed| Writer::write(seed, nested)).collect();
            for ((seed, text), expected) in batch.iter().zip(&texts).zip(oracle_verdicts(&texts)) {
                let (mut problem, _) = problem(text);
                let mut session = Session::new(EngineOptions::default());
                problem.assertions.iter().for_each(|&term| session.assert(term, Tracking::Silent));
                // As nested arrays may be hard.
                let limits = Limits { conflicts: Some(20_000), ..Limits::default() };
                let own = match session.check(&mut problem.store, &[], &limits) {
                    Answer::Sat(model) => {
                        let finite = if model.universes().is_empty() { "" } else { " with a bound" };
                        *counts.entry(format!("satisfiable{finite}")).or_default() += 1;
                        Some(true)
                    }
                    Answer::Unsat(_) => {
                        *counts.entry("unsatisfiable".into()).or_default() += 1;
                        Some(false)
                    }
                    Answer::Unknown(reason) => {
                        *counts.entry(format!("{reason:?}")).or_default() += 1;
                        None
                    }
                };
                if own.is_some() && expected.is_some() && own != expected {
                    wrong.push(format!("seed {seed}: {own:?} instead of {expected:?}\n{text}"));
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count = |what: &str| counts.get(what).copied().unwrap_or(0);
    let answers = count("satisfiable") + count("satisfiable with a bound") + count("unsatisfiable");
    assert!(count("satisfiable with a bound") * 20 > answers, "sizes seldom matter: {counts:?}");
    assert!(count("unsatisfiable") * 20 > answers, "{counts:?}");
    assert!(answers * 100 >= 2 * 99 * seeds.len() as u64, "too much is unknown: {counts:?}");
}

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

/// The strategies that end by themselves, against the list of all models over few elements.
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
    // Nothing here takes as long, but a defect may.
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
    // The others cannot tell when they have found everything.
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
