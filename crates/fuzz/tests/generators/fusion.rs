//! Fusion functions are proved by two solvers; fused formulas have the status of their seeds, asked of both and
//! evaluated with models of the seeds.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustc_hash::FxHashMap;
use sundry_external::Verdict;
use sundry_fuzz::{Fused, Fusion, fusion_functions, read_model, renamed_apart};
use sundry_smtlib::{Formula, print_formula, print_term};
use sundry_term::{FloatFormat, Op, Sort, SortId, TermStore, substitute};
use sundry_testing::oracle::Answer;

use crate::shared::{LIMIT, SATISFIABLE, SOLVERS, assert_satisfied, assert_status, parse, text_of};

/// Formulas fused of each pair.
const MUTANTS: u64 = 15;

/// Asks about all functions for a sort whether their inversions are the variables for all values.
fn functions_over(sort: impl Fn(&mut TermStore) -> SortId) {
    let mut store = TermStore::new();
    let sort = sort(&mut store);
    let functions = fusion_functions(&mut store, sort);
    assert!(functions.iter().filter(|function| function.is_exact).count() >= 2);
    for function in functions {
        let formula = Formula::of_assertions(&store, vec![function.value, function.inversions[0]]);
        let by_name = |store: &mut TermStore, name: &str| {
            let symbol = formula.symbols.iter().find(|&&symbol| *store.symbol(symbol).name == *name);
            store.symbol_term(*symbol.unwrap_or_else(|| panic!("{name} occurs")))
        };
        let [x, y, z] = ["x", "y", "z"].map(|name| by_name(&mut store, name));
        let fused = FxHashMap::from_iter([(z, function.value)]);
        let mut equations = Vec::new();
        for (variable, inversion) in [x, y].into_iter().zip(function.inversions) {
            let inversion = substitute(&mut store, inversion, &fused).expect("z is of its sort");
            equations.push(store.make(Op::Equal, &[variable, inversion]));
        }
        let exact = store.make(Op::And, &equations);
        let mut assertions = vec![store.make(Op::Not, &[exact])];
        assertions.extend(function.condition);
        let text = print_formula(&store, &Formula::of_assertions(&store, assertions));
        let expected = if function.is_exact { Answer::Unsat } else { Answer::Sat };
        for solver in SOLVERS {
            let answers = solver.run(&text, LIMIT);
            assert_eq!(answers.answers, [expected], "{solver}: {:?}\n{text}", answers.other);
        }
    }
}

#[test]
fn numbers() {
    functions_over(|_| SortId::INT);
    functions_over(|_| SortId::REAL);
}

#[test]
fn truth_values() {
    functions_over(|_| SortId::BOOL);
}

#[test]
fn bit_vectors() {
    for width in [8, 13, 32] {
        functions_over(|store| store.bit_vec_sort(width).expect("a width"));
    }
    functions_over(|store| store.bit_vec_sort(1).expect("a width"));
}

#[test]
fn strings() {
    functions_over(|_| SortId::STRING);
}

#[test]
fn sequences() {
    functions_over(|store| store.intern_sort(Sort::Sequence(SortId::INT)).expect("a sort"));
}

#[test]
fn floating_point() {
    for (exponent_bits, significand_bits) in [(3, 5), (5, 11)] {
        let format = FloatFormat::new(exponent_bits, significand_bits).expect("a format");
        functions_over(|store| store.intern_sort(Sort::Float(format)).expect("a sort"));
    }
}

#[test]
fn arrays() {
    functions_over(|store| store.array_sort(SortId::INT, SortId::STRING));
    functions_over(|store| {
        let index = store.bit_vec_sort(2).expect("a width");
        store.array_sort(index, SortId::BOOL)
    });
}

const UNSATISFIABLE: [&str; 6] = [
    "(declare-fun x () Int) (declare-fun y () Int) (declare-fun p () Bool)
     (assert (or p (< x y))) (assert (or (not p) (< x y))) (assert (< y x))",
    "(declare-fun x () Int) (assert (< (* 2 x) 5)) (assert (> (* 3 x) 6))",
    "(declare-fun a () (_ BitVec 4)) (declare-fun b () (_ BitVec 4)) (assert (bvult a b)) (assert (= b #x0))",
    "(declare-fun s () String) (declare-fun t () String)
     (assert (str.prefixof s t)) (assert (> (str.len s) 2)) (assert (= (str.len t) 1))",
    "(declare-fun x () Real) (declare-fun y () Real) (assert (= (* x x) (- 1.0))) (assert (> y x))",
    "(declare-fun p () Bool) (declare-fun q () Bool) (assert p) (assert (xor p q)) (assert (or q (not p)))",
];

#[test]
fn models_of_satisfiable_seeds_are_models_of_the_fused() {
    let mut texts = Vec::new();
    let mut pairs = 0;
    for (seed, model_of_seed) in SATISFIABLE {
        for (partner, model_of_partner) in SATISFIABLE {
            let mut store = TermStore::new();
            let seed = parse(&mut store, seed);
            let partner = parse(&mut store, partner);
            let apart = renamed_apart(&mut store, &seed.assertions, &partner.assertions).expect("no sorts");
            let Some(mut fusion) = Fusion::new(&store, &seed.assertions, &apart, Verdict::Sat) else {
                continue;
            };
            pairs += 1;
            let mut model = read_model(&mut store, &seed, model_of_seed).expect("a model");
            let other = read_model(&mut store, &partner, model_of_partner).expect("a model");
            // The renamed symbols are in the order of those that they stand for.
            let renamed = Formula::of_assertions(&store, apart.clone()).symbols;
            for &symbol in &partner.symbols {
                let name = store.symbol(symbol).name.to_string();
                let fits = |&&new: &&_| store.symbol(new).name.trim_end_matches('_') == name;
                let Some(&new) = renamed.iter().find(fits) else { continue };
                match (other.constant(symbol), other.function(symbol)) {
                    (Some(value), _) => model.set_constant(new, value.clone()),
                    (None, Some(function)) => model.set_function(new, function.clone()),
                    (None, None) => panic!("{name} has a value"),
                }
            }
            for number in 0..MUTANTS {
                let mut random = ChaCha8Rng::seed_from_u64(number);
                let Some(fused) = fusion.mutate(&mut store, 2, &mut random) else { continue };
                assert!(!fused.changes.is_empty());
                assert_satisfied(&store, &model, &fused.definitions, &fused.assertions);
                if number == 0 {
                    texts.push(text_of(&store, &fused.assertions));
                }
            }
        }
    }
    assert!(pairs >= 20, "{pairs} pairs have variables of common sorts");
    assert_status(&texts, Answer::Sat);
}

#[test]
fn fused_unsatisfiable_seeds_stay_so() {
    let mut texts = Vec::new();
    for seed in UNSATISFIABLE {
        for partner in UNSATISFIABLE {
            let mut store = TermStore::new();
            let [seed, partner] = [seed, partner].map(|text| parse(&mut store, text).assertions);
            let apart = renamed_apart(&mut store, &seed, &partner).expect("no sorts");
            let Some(mut fusion) = Fusion::new(&store, &seed, &apart, Verdict::Unsat) else { continue };
            for number in 0..3 {
                let mut random = ChaCha8Rng::seed_from_u64(number);
                let fused = fusion.mutate(&mut store, 2, &mut random);
                texts.extend(fused.map(|fused| text_of(&store, &fused.assertions)));
            }
        }
    }
    assert!(texts.len() > 20);
    assert_status(&texts, Answer::Unsat);
}

#[test]
fn the_same_random_numbers_give_the_same_formula() {
    let texts = [(); 2].map(|()| {
        let mut store = TermStore::new();
        let seed = parse(&mut store, SATISFIABLE[0].0).assertions;
        let partner = parse(&mut store, SATISFIABLE[1].0).assertions;
        let apart = renamed_apart(&mut store, &seed, &partner).expect("no sorts");
        let mut fusion = Fusion::new(&store, &seed, &apart, Verdict::Sat).expect("common sorts");
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let fused: Vec<Fused> = (0..5).filter_map(|_| fusion.mutate(&mut store, 3, &mut random)).collect();
        fused.iter().map(|fused| text_of(&store, &fused.assertions)).collect::<Vec<_>>()
    });
    assert_eq!(texts[0].len(), 5);
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn formulas_are_renamed_apart() {
    let seed = "(declare-sort U 0) (declare-sort V 0) (declare-fun x () U) (declare-fun g (U) V)
        (declare-fun y () Int) (assert (= (g x) (g x))) (assert (forall ((w Int)) (> y w)))";
    let partner =
        "(declare-sort U 0) (declare-fun x () U) (declare-fun a () (Array Int U)) (declare-fun w () Int)
        (declare-fun x_ () Int)
        (assert (exists ((y U)) (and (= y x (select a w)) (= a ((as const (Array Int U)) y)) (> x_ 0))))";
    let mut store = TermStore::new();
    let seed = parse(&mut store, seed).assertions;
    let partner = parse(&mut store, partner).assertions;
    let apart = renamed_apart(&mut store, &seed, &partner).expect("sorts without parameters");
    let text: Vec<String> = apart.iter().map(|&term| print_term(&store, term)).collect();
    assert_eq!(
        text,
        ["(exists ((y_ U_)) (and (= y_ x__ (select a w_)) (= a ((as const (Array Int U_)) y_)) (> x_ 0)))"]
    );
    let both = print_formula(&store, &Formula::of_assertions(&store, [&seed[..], &apart].concat()));
    // To the others, constant arrays hold literals only.
    assert_eq!(SOLVERS[0].run(&both, LIMIT).other, Vec::<String>::new(), "{both}");
    // The formulas have no common symbols, so nothing is renamed.
    let other = parse(&mut store, "(declare-fun k () Int) (assert (forall ((l Int)) (> k l)))").assertions;
    assert_eq!(renamed_apart(&mut store, &seed, &other), Some(other.clone()));
    // Names of datatypes stay.
    let list =
        "(declare-datatypes ((L 0)) (((nil) (y (head Int))))) (declare-fun list () L) (assert (= list nil))";
    let list = parse(&mut store, list).assertions;
    assert_eq!(renamed_apart(&mut store, &seed, &list), None);
    assert_eq!(renamed_apart(&mut store, &other, &list), Some(list));
}

#[test]
fn what_cannot_be_fused_is_none() {
    let mut store = TermStore::new();
    let numbers = parse(&mut store, "(declare-fun n () Int) (assert (> n 0))").assertions;
    let strings = parse(&mut store, "(declare-fun s () String) (assert (distinct s \"\"))").assertions;
    let other = parse(&mut store, "(declare-fun m () Int) (assert (> m 0))").assertions;
    assert!(Fusion::new(&store, &numbers, &strings, Verdict::Sat).is_none());
    assert!(Fusion::new(&store, &numbers, &numbers, Verdict::Sat).is_none());
    assert!(Fusion::new(&store, &numbers, &other, Verdict::Unknown).is_none());
    assert!(Fusion::new(&store, &numbers, &other, Verdict::Sat).is_some());
}
