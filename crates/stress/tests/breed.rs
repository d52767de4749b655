//! Offspring of inputs of many theories is well-sorted, reads back as it is, and declares each name once.

use std::collections::BTreeSet;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxHashMap, FxHashSet};
use sundry_external::Inquiry;
use sundry_fuzz::inquiry;
use sundry_smtlib::{SourceText, TheorySet, parse_script};
use sundry_stress::{Individual, Material, Mutator, cross, mutate, random_input};
use sundry_term::{ArithmeticOp, Op, SortId, TermId, TermStore};

/// The logic of what mutators make up.
const LOGIC: Option<&str> = Some("QF_SLIA");

const INPUTS: &[&str] = &[
    "(declare-fun i () Int) (declare-fun v () String) (declare-fun w () String)
     (assert (< (str.to_int \"8b8\") 9)) (assert (> (str.indexof \"+]YAPKJ8b8\" v i) (str.to_int w)))
     (assert (str.in_re v (re.* (re.range \"a\" \"c\"))))",
    "(declare-fun v () Int) (declare-fun i () Int) (assert (= (* v v) (+ i 3))) (assert (< i 100))",
    "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8)) (declare-const i Bool)
     (assert (bvult (bvmul x y) #x11)) (assert (or i (= x y))) (assert (distinct x #x00)) (assert (not (= y #x00)))
     (assert (bvslt x (bvadd y #x01)))",
    "(declare-const x (_ FloatingPoint 5 11)) (declare-const r Real) (declare-fun f (Real) Real)
     (assert (fp.lt x (fp.add RNE x x))) (assert (< (f r) (f 0.5)))",
    "(declare-fun f (Int) Int) (declare-const a (Array Int Int)) (declare-const i Int)
     (assert (= (select a i) (f (f i)))) (assert (forall ((j Int)) (< (f j) 3)))",
];

fn individual(store: &mut TermStore, text: &str) -> Individual {
    Individual::read(store, &SourceText::new("input", text)).expect("a legal script")
}

fn asked(store: &TermStore, individual: &Individual) -> Inquiry {
    inquiry(store, &individual.formula(store, None), true)
}

/// Reads what is printed, and finds the same again.
fn check(store: &TermStore, individual: &Individual) {
    let printed = asked(store, individual);
    let mut other = TermStore::new();
    let source = SourceText::new("printed", &*printed.text);
    let script = parse_script(&mut other, &source, TheorySet::ALL)
        .unwrap_or_else(|error| panic!("{error}: {}", &*printed.text));
    let again = Individual { assertions: script.formula().assertions };
    assert_eq!(&*asked(&other, &again).text, &*printed.text);
    let formula = individual.formula(store, None);
    let names: BTreeSet<&str> = formula.symbols.iter().map(|&symbol| &*store.symbol(symbol).name).collect();
    assert_eq!(names.len(), formula.symbols.len(), "{}", &*printed.text);
}

#[test]
fn generations_of_many_theories_stay_inputs() {
    let mut store = TermStore::new();
    let mut population: Vec<Individual> = INPUTS.iter().map(|text| individual(&mut store, text)).collect();
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut applied = BTreeSet::new();
    for _ in 0..60 {
        let (one, other) =
            (random.random_range(0..population.len()), random.random_range(0..population.len()));
        let (left, right) =
            cross(&mut store, &population[one].clone(), &population[other].clone(), &mut random);
        check(&store, &left);
        check(&store, &right);
        let (mutator, changed) = mutate(&mut store, &left, LOGIC, &mut random);
        check(&store, &changed);
        applied.extend(mutator);
        (population[one], population[other]) = (right, changed);
        // Inputs that only grow would say little.
        population.iter_mut().for_each(|it| it.assertions.truncate(8));
    }
    assert_eq!(applied.len(), Mutator::ALL.len(), "{applied:?}");
}

#[test]
fn each_mutator_keeps_inputs_of_every_logic_well_sorted() {
    let logics = [
        "QF_SLIA", "QF_BV", "QF_ABV", "QF_AUFBV", "QF_LIA", "QF_NIA", "QF_LRA", "QF_NRA", "QF_LIRA", "QF_FP",
        "QF_BVFP", "QF_UF", "QF_AX", "QF_UFLIA", "QF_IDL", "QF_RDL",
    ];
    for logic in logics {
        let mut store = TermStore::new();
        let material = Material::of_logic(&mut store, logic).expect(logic);
        let mut random = ChaCha8Rng::seed_from_u64(13);
        let mut applied = BTreeSet::new();
        for _ in 0..4 {
            let input = random_input(&mut store, &material, &mut random);
            for mutator in Mutator::ALL {
                let Some(changed) = mutator.apply(&mut store, &input, Some(logic), &mut random) else {
                    continue;
                };
                assert!(changed.assertions.iter().all(|&assertion| store.is_bool(assertion)));
                check(&store, &changed);
                applied.insert(mutator);
            }
        }
        // Formulas without a literal, or with one assertion, are not changed by each.
        assert!(applied.len() >= 6, "{logic}: {applied:?}");
    }
}

#[test]
fn a_fifth_of_all_assertions_changes_sides() {
    let mut store = TermStore::new();
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let declared: String = (0..20).map(|number| format!("(declare-const p{number} Bool)")).collect();
    let mut parent = |first: usize, count: usize| {
        let asserted: String = (first..first + count).map(|number| format!("(assert p{number})")).collect();
        individual(&mut store, &format!("{declared}{asserted}"))
    };
    let (one, other, small) = (parent(0, 9), parent(9, 6), parent(15, 1));
    let stayed = |child: &Individual, parent: &Individual| {
        child.assertions.iter().filter(|assertion| parent.assertions.contains(assertion)).count()
    };
    let (left, right) = cross(&mut store, &one, &other, &mut random);
    assert_eq!((left.assertions.len(), right.assertions.len()), (9, 6));
    assert_eq!((stayed(&left, &one), stayed(&right, &other)), (6, 3));
    // Where a parent has fewer than that, one changes sides.
    let (left, right) = cross(&mut store, &one, &small, &mut random);
    assert_eq!((stayed(&left, &one), stayed(&right, &small)), (8, 0));
    let nothing = Individual::default();
    assert_eq!(cross(&mut store, &one, &nothing, &mut random), (one.clone(), nothing));
}

#[test]
fn equal_names_of_other_sorts_are_renamed_and_of_functions_stay() {
    let mut store = TermStore::new();
    let one = individual(&mut store, "(declare-const n Int) (assert (< n 1)) (assert (< 2 n))");
    let other = individual(
        &mut store,
        "(declare-const n String) (assert (= n \"\")) (assert (= (str.len n) 1)) (assert (= n n))",
    );
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (left, right) = cross(&mut store, &one, &other, &mut random);
    for child in [&left, &right] {
        check(&store, child);
        assert_eq!(child.formula(&store, None).symbols.len(), 2, "{}", &*asked(&store, child).text);
    }
    let function = individual(&mut store, "(declare-fun n (Int) Bool) (assert (n 1))");
    let (left, right) = cross(&mut store, &one, &function, &mut random);
    assert_eq!((&left, &right.assertions.len()), (&one, &1));
    check(&store, &right);
}

#[test]
fn each_mutator_does_what_it_is_called() {
    let mut store = TermStore::new();
    let text = "(declare-const x Int) (declare-const y Int) (assert (< (+ x 3) y)) (assert (= x (* 2 y)))";
    let before = individual(&mut store, text);
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let symbols = |store: &TermStore, it: &Individual| it.formula(store, None).symbols.len();
    for _ in 0..20 {
        let mut apply = |mutator: Mutator| {
            let changed = mutator.apply(&mut store, &before, LOGIC, &mut random);
            changed.unwrap_or_else(|| panic!("{mutator} finds nothing to change"))
        };
        let added = apply(Mutator::NewVariable);
        let replaced = apply(Mutator::DeleteVariable);
        let more = apply(Mutator::AddAssertion);
        let fewer = apply(Mutator::DeleteAssertion);
        // The statement may have further new constants.
        assert_eq!((added.assertions.len(), symbols(&store, &added) > 2), (3, true));
        assert_eq!(symbols(&store, &replaced), 1);
        assert_eq!((more.assertions.len(), &more.assertions[..2]), (3, &before.assertions[..]));
        assert_eq!(fewer.assertions.len(), 1);
    }
    // What is left to chance may find nothing to change now and then.
    for mutator in [Mutator::FuzzLiterals, Mutator::ReplaceType, Mutator::ExchangeNodes] {
        let changed: Vec<Individual> =
            (0..40).filter_map(|_| mutator.apply(&mut store, &before, LOGIC, &mut random)).collect();
        assert!(changed.len() > 10, "{mutator}: {}", changed.len());
        let different =
            |it: &Individual| it.assertions.iter().zip(&before.assertions).filter(|(a, b)| a != b).count();
        assert!(changed.iter().all(|it| different(it) == 1), "{mutator} changes one assertion");
    }
    let empty = Individual::default();
    assert_eq!(Mutator::ExchangeNodes.apply(&mut store, &empty, LOGIC, &mut random), None);
    assert_eq!(Mutator::DeleteAssertion.apply(&mut store, &fewest(&before), LOGIC, &mut random), None);
}

fn fewest(individual: &Individual) -> Individual {
    Individual { assertions: individual.assertions[..1].to_vec() }
}

/// The number of nodes of all assertions, without sharing.
fn nodes(store: &TermStore, individual: &Individual) -> u64 {
    let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
    for term in store.reachable(&individual.assertions) {
        let below: u64 = store.args(term).iter().map(|argument| sizes[argument]).sum();
        sizes.insert(term, 1 + below);
    }
    individual.assertions.iter().map(|root| sizes[root]).sum()
}

#[test]
fn an_exchange_keeps_the_size_although_terms_are_shared() {
    let mut store = TermStore::new();
    let text = "(declare-const x Int) (declare-const y Int)
        (assert (let ((s (+ x x x x))) (< (* s s) (- s (mod (div y 3) (abs (- y)))))))";
    let mut now = individual(&mut store, text);
    let size = nodes(&store, &now);
    let mut random = ChaCha8Rng::seed_from_u64(12);
    let mut seen = FxHashSet::from_iter([now.clone()]);
    for _ in 0..200 {
        if let Some(changed) = Mutator::ExchangeNodes.apply(&mut store, &now, LOGIC, &mut random) {
            check(&store, &changed);
            assert_eq!(nodes(&store, &changed), size);
            seen.insert(changed.clone());
            now = changed;
        }
    }
    assert!(seen.len() > 100, "{} different inputs", seen.len());
}

#[test]
fn places_in_deep_and_in_exponentially_large_terms_are_exchanged() {
    let mut store = TermStore::new();
    let mut random = ChaCha8Rng::seed_from_u64(13);
    let [x, y] = ["x", "y"].map(|name| {
        let symbol = store.declare(name, &[], SortId::INT);
        store.symbol_term(symbol)
    });
    let (mut deep, mut large) = (x, x);
    for _ in 0..100_000 {
        deep = store.make(Op::Arithmetic(ArithmeticOp::Add), &[deep, y]);
    }
    for _ in 0..1_000 {
        large = store.make(Op::Arithmetic(ArithmeticOp::Add), &[large, large, y]);
    }
    for term in [deep, large] {
        let before = Individual {
            assertions: vec![store.make(Op::Arithmetic(ArithmeticOp::LessOrEqual), &[term, x])],
        };
        let changed =
            (0..40).filter_map(|_| Mutator::ExchangeNodes.apply(&mut store, &before, LOGIC, &mut random));
        assert!(changed.count() > 0);
    }
}

#[test]
fn new_assertions_are_small_and_some_bring_what_an_input_lacks() {
    let mut store = TermStore::new();
    let mut large = String::from("(+ x y)");
    for _ in 0..9 {
        large = format!("(let ((z {large})) (mod z (- z y)))");
    }
    let text = format!("(declare-const x Int) (declare-const y Int) (assert (< x {large}))");
    let before = individual(&mut store, &text);
    let mut random = ChaCha8Rng::seed_from_u64(14);
    let [alone, with_others] = [None, LOGIC].map(|logic| {
        let mut with_strings = 0;
        for _ in 0..40 {
            let added = Mutator::AddAssertion.apply(&mut store, &before, logic, &mut random);
            let added = Individual { assertions: added.expect("an assertion more").assertions.split_off(1) };
            assert!(nodes(&store, &added) < 1000, "{}", &*asked(&store, &added).text);
            with_strings += u32::from(asked(&store, &added).text.contains("String"));
        }
        with_strings
    });
    assert!(alone == 0 && (5..35).contains(&with_others), "{alone} and {with_others}");
}
