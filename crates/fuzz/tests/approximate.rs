//! Mutants are implied by what they were made of, or imply it: asked of a solver, for random mutants.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_fuzz::{Approximator, Direction, Strategy, Vocabulary, split_chains};
use sundry_smtlib::{Formula, Language, SourceText, parse_script, print_formula};
use sundry_term::{Op, TermId, TermStore};
use sundry_testing::oracle::{Answer, Oracle};

/// Mutants of each formula, in each direction.
const MUTANTS: u64 = 12;

/// Small formulas with every kind of place that a literal can have.
const SEEDS: [&str; 5] = [
    "(declare-fun x () Int) (declare-fun y () Int) (declare-fun p () Bool)
     (assert (=> (or (< x y 7) (not p)) (and (not (<= x 3)) (ite p (> x y) (distinct x y 2)))))
     (assert (= (> x 2) (or p (< y 5))))",
    "(declare-fun x () (_ BitVec 6)) (declare-fun y () (_ BitVec 6))
     (assert (not (and (bvult x y) (not (bvsle y x)))))
     (assert (xor (bvuge x #b000111) (= x y)))
     (assert (or (bvsgt (bvadd x y) x) (not (= x #b000000))))",
    "(declare-fun x () (_ FloatingPoint 3 5)) (declare-fun y () (_ FloatingPoint 3 5))
     (assert (not (fp.lt x y))) (assert (or (fp.leq x y) (not (fp.eq x y))))
     (assert (=> (= x y) (not (fp.isNaN (fp.add RNE x y)))))",
    "(declare-fun s () String) (declare-fun t () String)
     (assert (not (str.prefixof s t))) (assert (or (str.< s t) (= (str.++ s \"a\") t) (str.contains s t)))",
    "(declare-fun x () Real) (declare-fun f (Real) Real) (declare-fun a () (Array Int Real))
     (assert (forall ((z Real)) (=> (> z x) (> (f z) x))))
     (assert (or (= (f x) (select a 2)) (<= (/ x 2) 1) (not (>= x 0))))",
];

fn mutants_of(seed: &str, strategy: Strategy) {
    let mut store = TermStore::new();
    let source = SourceText::new("seed", seed);
    let script = parse_script(&mut store, &source, Language::All)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let assertions: Vec<TermId> = script
        .formula()
        .assertions
        .into_iter()
        .map(|assertion| split_chains(&mut store, assertion))
        .collect();
    let vocabulary = Vocabulary::of(&store, &assertions);
    let mut approximator = Approximator::new(vocabulary, strategy);
    let before = store.make(Op::And, &assertions);
    let mut changed = 0;
    for number in 0..2 * MUTANTS {
        let direction = if number % 2 == 0 { Direction::Over } else { Direction::Under };
        let mut random = ChaCha8Rng::seed_from_u64(number);
        let mut mutant = assertions.clone();
        let changes = approximator.mutate(&mut store, &mut mutant, direction, 3, &mut random);
        changed += usize::from(!changes.is_empty());
        let after = store.make(Op::And, &mutant);
        let (from, to) = if direction == Direction::Over { (before, after) } else { (after, before) };
        let implied = store.make(Op::Implies, &[from, to]);
        let refuted = store.make(Op::Not, &[implied]);
        let text = print_formula(&store, &Formula::of_assertions(&store, vec![refuted]));
        let script = text.replace("(check-sat)", "(set-option :timeout 2000)\n(check-sat)");
        let answers = Oracle::Z3.run(&script, Duration::from_secs(20));
        assert!(answers.other.is_empty(), "{:?}\n{script}", answers.other);
        assert!(!answers.answers.contains(&Answer::Sat), "{direction:?} is wrong:\n{script}");
    }
    assert!(changed > MUTANTS as usize, "only {changed} mutants differ from their seed");
}

#[test]
fn transformed_predicates() {
    SEEDS.iter().for_each(|seed| mutants_of(seed, Strategy::Transform));
}

#[test]
fn injected_formulas() {
    SEEDS.iter().for_each(|seed| mutants_of(seed, Strategy::Inject));
}
