//! Random formulas: rewriting keeps the value of every term, ends in normal forms, and does not
//! make formulas larger.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_smtlib::print_term;
use sundry_term::{Evaluator, TermId, TermStore};
use sundry_testing::generate::{Generator, Options, random_model};

use super::{Rewriter, rewrite_all};
use crate::rewrite::Rule;

/// Formulas and models for each of them.
const FORMULAS: u64 = 4000;
const MODELS: u64 = 12;

/// A store with a random formula, and everything that was made on the way to it.
fn random_terms(seed: u64, options: Options) -> (TermStore, Vec<TermId>) {
    let mut store = TermStore::new();
    Generator::new(&mut store, seed, options).formula(&mut store);
    let terms = (0..store.term_count()).map(TermId::from_index).collect();
    (store, terms)
}

#[test]
fn random_terms_keep_their_values() {
    let mut counts: BTreeMap<Rule, u64> = BTreeMap::new();
    for seed in 0..FORMULAS {
        let (mut store, terms) = random_terms(seed, Options::default());
        let mut rewriter = Rewriter::default();
        let normal = rewrite_all(&mut store, &mut rewriter, &terms);
        for &rule in Rule::ALL {
            *counts.entry(rule).or_default() += rewriter.count(rule);
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..MODELS {
            let model = random_model(&store, &terms, &mut random);
            let mut evaluator = Evaluator::new(&store, &model);
            evaluator.evaluate(&terms).unwrap();
            evaluator.evaluate(&normal).unwrap();
            for (&before, &after) in terms.iter().zip(&normal) {
                assert_eq!(store.sort_of(before), store.sort_of(after), "seed {seed}: {before:?}");
                assert_eq!(
                    evaluator.value(before),
                    evaluator.value(after),
                    "seed {seed}: {}\nbecame {}",
                    print_term(&store, before),
                    print_term(&store, after),
                );
            }
        }
    }
    let never: Vec<Rule> = Rule::ALL.iter().copied().filter(|rule| counts[rule] == 0).collect();
    assert!(never.len() <= 3, "rules that random formulas never need: {never:?}");
}

/// What comes out is left alone the second time, but for a few terms: rules bound how far they
/// look, so a chain of them may end early.
#[test]
fn results_are_normal() {
    let (mut all, mut changed) = (0, 0);
    for seed in 0..FORMULAS {
        let (mut store, terms) = random_terms(seed, Options::default());
        let normal = rewrite_all(&mut store, &mut Rewriter::default(), &terms);
        let results = store.reachable(&normal);
        let again = rewrite_all(&mut store, &mut Rewriter::default(), &results);
        all += results.len();
        changed += results.iter().zip(&again).filter(|(before, after)| before != after).count();
    }
    assert!(changed * 1000 <= all, "{changed} of {all} terms change when rewritten again");
}

/// Rewriting makes no formula much larger, and most of them smaller.
#[test]
fn results_are_not_larger() {
    let (mut all_before, mut all_after) = (0, 0);
    for seed in 0..FORMULAS {
        let (mut store, terms) = random_terms(seed, Options { operations: 100, ..Options::default() });
        let root = *terms.last().expect("a formula");
        let before = store.reachable(&[root]).len();
        let normal = rewrite_all(&mut store, &mut Rewriter::default(), &[root]);
        let after = store.reachable(&normal).len();
        assert!(after <= 3 * before + 20, "seed {seed}: {before} terms became {after}");
        all_before += before;
        all_after += after;
    }
    assert!(all_after < all_before, "{all_before} terms became {all_after}");
}
