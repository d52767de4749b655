//! Formulas that tests of all phases share, and the strategy as a whole.

use sundry_term::{Op, Sort, TermStore};

use super::member::those_needed;
use super::*;
use crate::problem::Solution;

/// `x < y * z` and `x + z < y` over 6 bits.
pub(super) fn entangled() -> Problem {
    let mut store = TermStore::new();
    let sort = store.bit_vec_sort(6).expect("a width");
    let symbols = ["x", "y", "z"].map(|name| store.declare(name, &[], sort));
    let [x, y, z] = symbols.map(|symbol| store.symbol_term(symbol));
    let product = store.make(Op::BvMul, &[y, z]);
    let sum = store.make(Op::BvAdd, &[x, z]);
    let assertions = vec![store.make(Op::BvUlt, &[x, product]), store.make(Op::BvUlt, &[sum, y])];
    Problem::new(store, assertions, symbols.to_vec())
}

/// Reads at two places of an array, which has been written at a third.
pub(super) fn reads() -> Problem {
    let mut store = TermStore::new();
    let place = store.bit_vec_sort(4).expect("a width");
    let array = store.intern_sort(Sort::Array { index: place, element: place }).expect("a sort");
    let symbols = [("a", array), ("i", place), ("j", place), ("k", place)]
        .map(|(name, sort)| store.declare(name, &[], sort));
    let [a, i, j, k] = symbols.map(|symbol| store.symbol_term(symbol));
    let written = store.make(Op::Store, &[a, i, j]);
    let [left, right] = [j, k].map(|index| store.make(Op::Select, &[written, index]));
    let assertions = vec![store.make(Op::BvUlt, &[left, right]), store.make(Op::BvUle, &[i, j])];
    Problem::new(store, assertions, symbols.to_vec())
}

/// The strategy before its first step.
pub(super) fn cover<'a>(problem: &'a Problem, goal: Goal, seed: u64) -> Cover<'a> {
    let Ok(cover) = Cover::new(problem, goal, Effort::Normal, seed, 1, &Control::default(), &mut |_| {})
    else {
        panic!("the formula is small")
    };
    cover
}

/// The strategy with a complete set, grown without exploring.
pub(super) fn grown<'a>(problem: &'a Problem, seed: u64, control: &Control) -> Cover<'a> {
    let Ok(mut cover) = Cover::new(problem, Goal::default(), Effort::Max, seed, 1, control, &mut |_| {})
    else {
        panic!("the formula is small")
    };
    loop {
        match cover.grow_next() {
            grow::Growth::Member(member) => cover.add(member),
            grow::Growth::Complete => return cover,
            _ => panic!("the formula is easy"),
        }
    }
}

#[test]
fn sets_that_add_nothing_are_not_needed() {
    let problem = entangled();
    let cover = grown(&problem, 0, &Control::default());
    let count = cover.steering.targets.count();
    let set = |members: &[usize]| {
        let mut set = BitSet::new(count);
        members.iter().for_each(|&member| set.insert(member));
        set
    };
    let sets = [set(&[0]), set(&[0, 2, 4]), set(&[2, 6]), set(&[4, 8])];
    assert_eq!(those_needed(sets.iter().collect(), set(&[8]), &cover.steering.targets), [1, 2]);
}

#[test]
fn what_was_reported_last_is_the_set() {
    let problem = entangled();
    for (target, seed) in
        [1.0, 0.97, 0.95, 0.9].into_iter().flat_map(|target| (0..10).map(move |seed| (target, seed)))
    {
        let goal = Goal { target, max_solutions: None };
        let Ok(mut cover) =
            Cover::new(&problem, goal, Effort::Max, seed, 1, &Control::default(), &mut |_| {})
        else {
            panic!("the formula is small")
        };
        let mut reported: Vec<Solution> = Vec::new();
        loop {
            match cover.step(&mut |_| {}) {
                Step::Found(solution) => reported.push(solution),
                Step::Replaced(solutions) => reported = solutions,
                Step::Learned => {}
                Step::Failed(failure) => panic!("{failure}"),
                Step::Stopped(_) => break,
            }
        }
        assert_eq!(reported.len(), cover.members.len());
        for solution in reported {
            let covered = cover.steering.targets.covered_by(&solution.bits);
            assert!(
                cover.members.iter().any(|member| member.covered == covered),
                "target {target}, seed {seed}"
            );
        }
    }
}
