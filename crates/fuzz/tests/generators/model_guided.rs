//! The model of a seed satisfies its mutants, for the evaluator and for two solvers.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sundry_external::Verdict;
use sundry_fuzz::{Generator, ModelGuided, Mutant, Vocabulary, read_model};
use sundry_smtlib::{Formula, print_term};
use sundry_term::{Op, TermStore};
use sundry_testing::oracle::Answer;

use crate::shared::{SATISFIABLE, assert_satisfied, assert_status, parse, text_of};

/// Mutants of each seed.
const MUTANTS: usize = 60;

#[test]
fn the_model_of_a_seed_is_one_of_its_mutants() {
    let mut texts = Vec::new();
    let (mut left_out, mut replaced, mut fresh) = (0, 0, 0);
    for (text, model) in SATISFIABLE {
        let mut store = TermStore::new();
        let seed = parse(&mut store, text);
        let model = read_model(&mut store, &seed, model).expect("a model");
        let vocabulary = Vocabulary::of(&store, &seed.assertions);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut guided = ModelGuided::new(&mut store, vocabulary, &model, &mut random);
        let mut base = Mutant { assertions: seed.assertions.clone(), ..Mutant::default() };
        for number in 0..MUTANTS {
            let Some(mutant) = guided.mutate(&mut store, &base, Verdict::Sat, 3, &mut random) else {
                continue;
            };
            assert!(!mutant.changes.is_empty());
            assert_satisfied(&store, &model, &mutant.definitions, &mutant.assertions);
            left_out += usize::from(!base.assertions.iter().all(|it| mutant.assertions.contains(it)));
            replaced += mutant.changes.iter().filter(|&&(from, _)| from != store.bool(true)).count();
            let formula = Formula::of_assertions(&store, mutant.assertions.clone());
            fresh += usize::from(mutant.definitions.iter().any(|(it, _)| formula.symbols.contains(it)));
            if number % 4 == 0 {
                texts.push(text_of(&store, &mutant.assertions));
            }
            // Every tenth begins with the seed again.
            base = match number % 10 {
                9 => Mutant { assertions: seed.assertions.clone(), ..Mutant::default() },
                _ => mutant,
            };
        }
    }
    assert!(left_out > 50 && replaced > 100 && fresh > 20, "{left_out} {replaced} {fresh}");
    assert_status(&texts, Answer::Sat);
}

#[test]
fn terms_get_the_values_that_they_have() {
    let mut store = TermStore::new();
    let seed = parse(&mut store, "(declare-fun x () Int) (assert (> (* x x) 8))");
    let model = read_model(&mut store, &seed, "((define-fun x () Int (- 3)))").expect("a model");
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let vocabulary = Vocabulary::of(&store, &seed.assertions);
    let mut guided = ModelGuided::new(&mut store, vocabulary, &model, &mut random);
    let base = Mutant { assertions: seed.assertions, ..Mutant::default() };
    let mut texts = String::new();
    for _ in 0..40 {
        let mutant = guided.mutate(&mut store, &base, Verdict::Sat, 2, &mut random);
        let changes = mutant.map(|mutant| mutant.changes).unwrap_or_default();
        for (_, to) in changes.into_iter().filter(|&(_, to)| store.op(to) == Op::Equal) {
            texts += &print_term(&store, to);
        }
    }
    assert!(texts.contains("(= x (- 3))") && texts.contains("(= (* x x) 9)"), "{texts}");
}
