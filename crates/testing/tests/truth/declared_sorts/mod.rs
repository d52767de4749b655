//! Formulas with declared sorts and constant arrays, where it matters how many elements there are.
//!
//! z3 is asked about each formula with its sorts declared as enumerations of a small number of elements, in all
//! sizes: a formula is satisfiable if one of them is ([`enumerations`]). (On the original formula, z3 answers `unsat`
//! 3 of 400 times although it accepts a model of an enumeration.) The solver has to agree, and so has every strategy
//! ([`strategies`]). The formulas come from a special generator ([`writer`]).

mod enumerations;
mod strategies;
mod writer;

use std::collections::{BTreeMap, BTreeSet};

use sundry_sample::Problem;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_solver::{Answer, EngineOptions, Limits, Session, Tracking};
use sundry_term::{Sort, SortId, TermStore};

use crate::campaign;
use enumerations::oracle_verdicts;
use writer::Writer;

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

/// The facts about these formulas were worked out by hand.
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

/// There are four Boolean arrays over Booleans, whether or not a sort is declared.
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
