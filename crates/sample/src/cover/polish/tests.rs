//! Polishing of a set whose coverage is scattered over many solutions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rand_chacha::rand_core::SeedableRng;
use sundry_term::{BitVector, Control, Model, Op, TermStore, Value};

use super::*;
use crate::problem::Problem;
use crate::steering::Steering;
use crate::targets::{Target, Targets};

/// `x < y` over 8 bits, with a solution for each bit of each that is set.
fn scattered() -> (Problem, Vec<(u64, u64)>) {
    let mut store = TermStore::new();
    let sort = store.bit_vec_sort(8).expect("a width");
    let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], sort));
    let [left, right] = [x, y].map(|symbol| store.symbol_term(symbol));
    let less = store.make(Op::BvUlt, &[left, right]);
    let solutions = (0..8).flat_map(|bit| [(0, 1 << bit), (1 << bit, 255)]).collect();
    (Problem::new(store, vec![less], vec![x, y]), solutions)
}

/// A set of these solutions.
struct Fixture<'a> {
    problem: &'a Problem,
    targets: Arc<Targets>,
    control: Control,
    members: Vec<Member>,
    covered: BitSet,
    gates: usize,
}

impl<'a> Fixture<'a> {
    fn new(problem: &'a Problem, solutions: &[(u64, u64)]) -> Self {
        let control = Control::default();
        let Ok(steering) = Steering::new(problem, 0, 0, &control) else { panic!("the formula is small") };
        let targets = steering.targets.clone();
        let member = |&(x, y): &(u64, u64)| {
            let mut model = Model::new();
            for (&symbol, value) in problem.symbols.iter().zip([x, y]) {
                model.set_constant(symbol, Value::BitVec(BitVector::from_u64(8, value)));
            }
            let solution = problem.judge(model, &Control::default()).expect("a solution");
            Member { covered: targets.covered_by(&solution.bits), solution }
        };
        let members: Vec<Member> = solutions.iter().map(member).collect();
        let covered = covered_by_all(&members, targets.count());
        Fixture { problem, targets, control, members, covered, gates: steering.gates() }
    }

    fn polishing(&self) -> Polishing<'_> {
        let Fixture { problem, targets, control, members, covered, gates } = self;
        let set = PresentSet { problem, targets, control, members, covered, exclusive: &[], gates: *gates };
        Polishing::new(set, ChaCha8Rng::seed_from_u64(0), 0, u64::MAX)
    }
}

#[test]
fn few_solutions_take_over_what_is_scattered() {
    let (problem, solutions) = scattered();
    let fixture = Fixture::new(&problem, &solutions);
    let mut polished = fixture.polishing();
    assert!(polished.lengths()[5] > 3);
    let members = fixture.polishing().polish().expect("models are right").members;
    polished.members = members.expect("there is something to gain");
    // In a set of two, the second solution cannot be the complement of the first, which has x > y. So 98 % of the 33
    // AST-bits take a third.
    assert_eq!(polished.lengths(), [2, 2, 2, 3, 3, 3]);
    assert_eq!(polished.members.len(), solutions.len());
    let still_covered = covered_by_all(&polished.members, fixture.covered.length());
    assert_eq!(still_covered, fixture.covered);
}

#[test]
fn to_count_less_proves_the_same() {
    let (problem, solutions) = scattered();
    let fixture = Fixture::new(&problem, &solutions);
    let polishing = fixture.polishing();
    let all: Vec<usize> = (0..solutions.len()).collect();
    let prefix = &polishing.order()[..2];
    let everything = fixture.targets.weight_of(&fixture.covered);
    // What two solutions are proved not to cover, and what they cover then.
    let descend = |wanted: u64, affordable: usize| {
        let mut copies = polishing.set.copies(all.len()).expect("a small circuit");
        let unknown: Vec<usize> =
            prefix.iter().chain(all.iter().filter(|it| !prefix.contains(it))).copied().collect();
        let mut joint = polishing.joint(&mut copies, &unknown, prefix);
        let unreachable = joint.descend_counting(wanted, affordable);
        (unreachable, joint.weight())
    };
    let (unreachable, most) = descend(everything, usize::MAX);
    assert_eq!(unreachable, Some(most + 1));
    assert_eq!(descend(most + 1, 0).0, Some(most + 1));
    assert_eq!(descend(most, 0), (None, most));
}

#[test]
fn a_solution_covers_one_exclusive_target_at_most() {
    let (problem, solutions) = scattered();
    let fixture = Fixture::new(&problem, &solutions);
    let Polishing { mut set, .. } = fixture.polishing();
    let exclusive: Vec<Target> = fixture.covered.iter().step_by(2).take(5).map(Target::from_index).collect();
    set.exclusive = &exclusive;
    let lightest = exclusive.iter().map(|&target| fixture.targets.weight(target)).min();
    let lightest = lightest.expect("there are targets");
    let all = fixture.targets.weight_of(&fixture.covered);
    assert_eq!(least_count(&set, all), 5);
    assert_eq!(least_count(&set, all - lightest + 1), 5);
    assert_eq!(least_count(&set, all - lightest), 4);
    assert_eq!(least_count(&set, 0), 2);
}

#[test]
fn what_nobody_waits_for_is_left() {
    let (problem, solutions) = scattered();
    let mut fixture = Fixture::new(&problem, &solutions);
    fixture.control = fixture.control.with_superseded(Arc::new(AtomicBool::new(true)));
    let members = fixture.polishing().polish().expect("models are right").members;
    assert!(members.is_none());
}
