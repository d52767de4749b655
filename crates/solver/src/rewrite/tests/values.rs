//! Random formulas: rewriting keeps the value of every term, ends in normal forms, and does not
//! make formulas larger.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use sundry_term::{Evaluator, TermId, TermStore};
use sundry_testing::generate::{Generator, Options, random_model};

use super::{Rewriter, rewrite_all};
use crate::rewrite::Rule;

/// Formulas and models for each of them.
const FORMULAS: u64 = 4000;
const MODELS: u64 = 12;

#[test]
fn random_terms_keep_their_values() {
    let mut counts: BTreeMap<Rule, u64> = BTreeMap::new();
    for seed in 0..FORMULAS {
        let mut store = TermStore::new();
        let mut generator = Generator::new(&mut store, seed, Options::default());
        generator.formula(&mut store);
        // Also what the formula does not use.
        let terms: Vec<TermId> = (0..store.term_count()).map(TermId::from_index).collect();
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
                    sundry_smtlib::print_term(&store, before),
                    sundry_smtlib::print_term(&store, after),
                );
            }
        }
    }
    let never: Vec<Rule> = Rule::ALL.iter().copied().filter(|rule| counts[rule] == 0).collect();
    println!("{counts:#?}\nnever: {never:?}");
}
