//! The genetic fuzzer of StringFuzz (`stringfuzz/fuzzers/genetic.py` in its repository; Blotsky et al., *StringFuzz: A Fuzzer for
//! String Solvers*, CAV 2018), as the baseline that MulStringFuzz is compared with: one objective, no crossover, and nobody outlives
//! a generation. This is a reimplementation of its loop.

use rand::Rng;

use crate::evolution::{Member, Problem};

/// The individuals that are left after a generation was culled.
const PARENTS: usize = 3;
/// The mutations of a child.
const MUTATIONS: usize = 4;

/// As many children as the population has members: each is a copy of one of the best three, which is drawn, after four mutations.
pub(crate) fn offspring<P: Problem>(
    problem: &mut P,
    population: &[Member<P::Individual>],
    random: &mut impl Rng,
) -> Vec<P::Individual> {
    let mut best: Vec<&Member<P::Individual>> = population.iter().collect();
    best.sort_by_key(|member| member.front);
    best.truncate(PARENTS);
    let child = |_| {
        let parent = best[random.random_range(0..best.len())].individual.clone();
        (0..MUTATIONS).fold(parent, |child, _| problem.mutate(&child, random))
    };
    (0..population.len()).map(child).collect()
}
