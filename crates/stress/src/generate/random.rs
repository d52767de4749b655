//! Random formulas of a logic.

use rand::Rng;
use sundry_term::TermStore;

use crate::generate::material::Material;
use crate::individual::Individual;

/// Assertions of a random formula, at most.
const ASSERTIONS: usize = 4;

/// One to four random statements over some material.
pub fn random_input(store: &mut TermStore, material: &Material, random: &mut impl Rng) -> Individual {
    let mut snippets = material.snippets(store);
    let count = random.random_range(1..=ASSERTIONS);
    Individual { assertions: (0..count).map(|_| snippets.formula(store, random)).collect() }
}
