//! The original formula implies each mutant, or each mutant implies it: asked of a solver, for random mutants.

use std::collections::BTreeSet;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_fuzz::{
    Approximator, Direction, Naming, Snippets, Technique, Vocabulary, conjunctive_normal_form, logic_of,
    split_chains,
};
use sundry_smtlib::{Formula, SourceText, TheorySet, parse_script, print_formula};
use sundry_term::{Op, TermId, TermStore};
use sundry_testing::oracle::{Answer, Oracle};

/// Mutants of each formula, in each direction.
const MUTANTS: u64 = 12;

/// Small formulas with every kind of place that a literal can have.
const SEEDS: [&str; 8] = [
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
    "(declare-datatypes ((List 0) (Pair 1)) (((nil) (cons (head Int) (tail List)))
       (par (T) ((pair (first T) (second T))))))
     (declare-fun l () List) (declare-fun q () (Pair Bool)) (declare-fun k0 () Int)
     (assert (or (= l (cons k0 (tail l))) (not (first q)))) (assert (=> (second q) (> (head l) k0)))",
    "(declare-fun x () Int) (declare-fun r () Real) (declare-fun b () (_ BitVec 8)) (declare-fun c () (_ BitVec 16))
     (declare-fun f () (_ FloatingPoint 3 5)) (declare-fun g () (_ FloatingPoint 5 11)) (declare-fun s () String)
     (assert (or (< (to_real x) r) (bvult b ((_ extract 7 0) c)) (fp.lt f ((_ to_fp 3 5) RNE g))))
     (assert (str.in_re s (re.* (re.range \"a\" \"c\"))))",
    "(declare-fun l () (Seq Int)) (declare-fun m () (Seq Int)) (declare-fun x () Int)
     (assert (or (= (seq.len l) x) (seq.contains l m))) (assert (=> (< x 2) (= (seq.nth l x) 3)))",
];

fn mutants_of(seed: &str, strategy: Technique, with_clauses: bool) {
    let mut store = TermStore::new();
    let source = SourceText::new("seed", seed);
    let script = parse_script(&mut store, &source, TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{}", error.render(&source)));
    let assertions = script.formula().assertions;
    let assertions = match with_clauses {
        true => conjunctive_normal_form(&mut store, &assertions, Naming::Equivalent).clauses,
        false => split_chains(&mut store, &assertions),
    };
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
    SEEDS.iter().for_each(|seed| mutants_of(seed, Technique::PredicateTransformation, false));
}

#[test]
fn injected_formulas() {
    SEEDS.iter().for_each(|seed| mutants_of(seed, Technique::PredicateInjection, false));
}

#[test]
fn approximated_clauses() {
    SEEDS.iter().for_each(|seed| mutants_of(seed, Technique::Both, true));
}

/// A formula to make snippets from.
fn vocabulary(store: &mut TermStore, seed: &str) -> (Vocabulary, Vec<TermId>) {
    let script = parse_script(store, &SourceText::new("seed", seed), TheorySet::ALL).expect("a legal script");
    let assertions = script.formula().assertions;
    (Vocabulary::of(store, &assertions), assertions)
}

#[test]
fn snippets_have_all_operators_that_fit() {
    use sundry_term::{ArithmeticOp, DatatypeOp, FloatOp, StringOp};
    let mut seen = BTreeSet::new();
    let mut fresh = 0;
    for seed in SEEDS {
        let mut store = TermStore::new();
        let (vocabulary, _) = vocabulary(&mut store, seed);
        let mut snippets = Snippets::new(&mut store, vocabulary);
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let symbols = store.symbol_count();
        let formulas: Vec<TermId> = (0..4_000).map(|_| snippets.formula(&mut store, &mut random)).collect();
        assert_eq!(store.symbol_count(), symbols, "new constants are used again");
        for term in store.reachable(&formulas) {
            seen.insert(match store.op(term) {
                Op::Datatype(DatatypeOp::Construct { .. }) => "construct",
                Op::Datatype(DatatypeOp::Select { .. }) => "select a field",
                Op::Datatype(DatatypeOp::Test(_)) => "test",
                Op::Apply(symbol) => {
                    fresh += usize::from(store.symbol(symbol).name.starts_with("k"));
                    "apply"
                }
                op => op.name(),
            });
        }
        let has_quantifiers = |&term: &TermId| matches!(store.op(term), Op::Forall(_) | Op::Exists(_));
        assert_eq!(store.reachable(&formulas).iter().any(has_quantifiers), seed.contains("forall"), "{seed}");
    }
    assert!(fresh >= SEEDS.len(), "{fresh} new constants");
    let arithmetic =
        [ArithmeticOp::ToInt, ArithmeticOp::IsInt, ArithmeticOp::IntToBits(8), ArithmeticOp::Abs];
    let floats = [FloatOp::Fma, FloatOp::ToReal, FloatOp::ToUbv(8), FloatOp::IsSubnormal, FloatOp::Min];
    let strings =
        [StringOp::InRe, StringOp::ReComp, StringOp::ReLoop(1, 3), StringOp::ToCode, StringOp::Replace];
    let expected = arithmetic
        .map(Op::Arithmetic)
        .into_iter()
        .chain(floats.map(Op::Float))
        .chain(strings.map(Op::String))
        .chain([
            Op::BvSmod,
            Op::SignExtend(8),
            Op::Extract { high: 0, low: 0 },
            Op::Ite,
            Op::Select,
            Op::Store,
        ])
        .map(Op::name)
        .chain(["construct", "select a field", "test", "apply", "forall", "exists"]);
    let missing: Vec<&str> = expected.filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn snippets_are_read_by_others() {
    for seed in SEEDS {
        let mut store = TermStore::new();
        let (vocabulary, assertions) = vocabulary(&mut store, seed);
        let mut snippets = Snippets::new(&mut store, vocabulary);
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let mut all: Vec<TermId> = (0..150).map(|_| snippets.formula(&mut store, &mut random)).collect();
        // The seed is added to see that no name has two meanings; nothing needs to be solved.
        all.extend(&assertions);
        let no = store.bool(false);
        all.insert(0, no);
        let text = print_formula(&store, &Formula::of_assertions(&store, all));
        let answers = Oracle::Z3.run(&text, Duration::from_secs(60));
        assert_eq!((answers.answers, answers.other), (vec![Answer::Unsat], vec![]), "{text}");
    }
}

#[test]
fn snippets_over_linear_arithmetic_are_linear() {
    let seed = "(declare-fun x () Int) (declare-fun y () Int) (assert (< (* 2 x) y))";
    let mut store = TermStore::new();
    let (vocabulary, _) = vocabulary(&mut store, seed);
    let mut snippets = Snippets::new(&mut store, vocabulary);
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let formulas: Vec<TermId> = (0..2_000).map(|_| snippets.formula(&mut store, &mut random)).collect();
    assert_eq!(logic_of(&store, &formulas), "QF_LIA");
}
