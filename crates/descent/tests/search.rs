//! Searches: equal seeds, turns, stops, and formulas that cannot be read.

use std::time::Instant;

use sundry_descent::{CompileError, Program, Search, StrategyKind, Turn};
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_term::{Control, Stopped, TermId, TermStore};

const CIRCLES: &str = "(declare-const x Float64) (declare-const y Float64) (declare-const z Float32)
    (define-fun n ((v Real)) Float64 ((_ to_fp 11 53) RNE v))
    (assert (fp.lt (n 999.0) (fp.add RNE (fp.mul RNE x x) (fp.mul RNE y y)) (n 1001.0)))
    (assert (fp.lt (n 1.9) (fp.div RNE x y) (n 2.1)))
    (assert (fp.lt (n 100.0) ((_ to_fp 11 53) RNE z) (fp.mul RNE x y)))";

fn parsed(text: &str) -> (TermStore, Vec<TermId>) {
    let mut store = TermStore::new();
    let source = SourceText::new("formula", text.to_string());
    let script = parse_script(&mut store, &source, TheorySet::SOLVED);
    let script = script.unwrap_or_else(|error| panic!("{}", error.render(&source)));
    (store, script.formula().assertions)
}

#[test]
fn a_search_is_the_same_however_it_is_divided_into_turns() {
    let (store, assertions) = parsed(CIRCLES);
    let control = Control::default();
    let program = Program::new(&store, &assertions, &control).unwrap();
    for kind in [StrategyKind::BasinHopping, StrategyKind::Annealing, StrategyKind::Swarm] {
        let mut points = Vec::new();
        for work in [u64::MAX, 1, 100_000] {
            let mut search = Search::new(program.clone(), kind, 7);
            let point = loop {
                match search.turn(&store, work, &control, None) {
                    Turn::Found(point) => break point,
                    Turn::Over => assert!(work < u64::MAX),
                    Turn::Stopped(_) => unreachable!("nothing stops this control"),
                }
            };
            points.push((point, search.counts()));
        }
        assert!(points.iter().all(|other| *other == points[0]), "{kind:?}");
        let mut other = Search::new(program.clone(), kind, 8);
        let Turn::Found(point) = other.turn(&store, u64::MAX, &control, None) else { panic!("it is easy") };
        assert_ne!(point, points[0].0, "{kind:?}: another seed");
        // The search goes on behind a solution.
        let Turn::Found(next) = other.turn(&store, u64::MAX, &control, None) else { panic!("it is easy") };
        assert_ne!(point, next, "{kind:?}");
    }
}

#[test]
fn a_control_stops_a_search() {
    let (store, assertions) =
        parsed("(declare-const x Float64) (assert (fp.lt (fp.mul RNE x x) (_ -zero 11 53)))");
    let program = Program::new(&store, &assertions, &Control::default()).unwrap();
    for kind in [StrategyKind::BasinHopping, StrategyKind::Annealing, StrategyKind::Swarm] {
        let control = Control::default().with_deadline(Some(Instant::now()));
        let mut search = Search::new(program.clone(), kind, 0);
        assert_eq!(search.turn(&store, u64::MAX, &control, None), Turn::Stopped(Stopped::Deadline));
        assert_eq!(search.turn(&store, 1_000_000, &Control::default(), None), Turn::Over);
    }
}

#[test]
fn arrays_functions_and_declared_sorts_are_refused() {
    for text in [
        "(declare-const a (Array Float32 Float32)) (declare-const x Float32) (assert (= (select a x) x))",
        "(declare-fun f (Float32) Float32) (declare-const x Float32) (assert (= (f x) x))",
        "(declare-sort S 0) (declare-const s S) (declare-const t S) (assert (distinct s t))",
    ] {
        let (store, assertions) = parsed(text);
        let program = Program::new(&store, &assertions, &Control::default());
        assert!(matches!(program, Err(CompileError::Unsupported(_))), "{text}");
    }
}
