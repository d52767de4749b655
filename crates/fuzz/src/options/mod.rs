//! Options of solvers vary: some mutants run with a random few of the options that a solver takes.
//!
//! Many defects are in code that runs only with other options than the usual ones. Murxla sets random options through the
//! interfaces of solvers (Niemetz, Preiner & Barrett, "Murxla: a modular and highly extensible API fuzzer for SMT solvers",
//! CAV 2022). Here they are arguments of commands, drawn by the number of the mutant, so that a campaign that continues, or a
//! mutant that is made again, has the same ones.

pub(crate) mod configured;
pub(crate) mod culprit;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxBuildHasher;
use sundry_external::{OptionPool, SolverOption, Standing};

/// The weights of options by their standing: those that more people use are tried more often.
const WEIGHTS: [(Standing, u32); 3] =
    [(Standing::Regular, 60), (Standing::Experimental, 25), (Standing::Unknown, 15)];
/// Options that a solver gets for one mutant, at most.
const MAXIMAL_COUNT: usize = 3;

/// The share of mutants that run with options, and the options.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// The share of mutants, in percent.
    pub percent: u8,
    /// The options that each solver takes, by its command.
    pub pools: BTreeMap<String, OptionPool>,
}

impl Variation {
    /// The options of the solvers for a mutant, in the order of the solvers: none for most mutants, and otherwise one to three
    /// for each solver that takes any. They depend on the seed of all random choices, on the text of the seed formula, which
    /// `formula` is a hash of, on the number of the mutant, and on the command of the solver.
    pub(crate) fn draw<'n>(
        &self,
        (seed, formula, mutant): (u64, u64, usize),
        solvers: impl Iterator<Item = &'n str>,
    ) -> Vec<Vec<SolverOption>> {
        let random =
            |what: &str| ChaCha8Rng::seed_from_u64(FxBuildHasher.hash_one((seed, formula, mutant, what)));
        let varies = random("").random_range(0..100) < self.percent;
        let drawn = |solver| match self.pools.get(solver) {
            Some(pool) if varies => some_of(pool, &mut random(solver)),
            _ => Vec::new(),
        };
        solvers.map(drawn).collect()
    }
}

/// One to three options of a pool with different names, in alphabetic order.
fn some_of(pool: &OptionPool, random: &mut ChaCha8Rng) -> Vec<SolverOption> {
    let of = |standing| pool.options.iter().filter(move |option| option.standing == standing);
    let present: Vec<(Standing, u32)> =
        WEIGHTS.into_iter().filter(|&(standing, _)| of(standing).next().is_some()).collect();
    let mut drawn: BTreeMap<&str, &SolverOption> = BTreeMap::new();
    for _ in 0..random.random_range(1..=MAXIMAL_COUNT) {
        let Ok(&(standing, _)) = present.choose_weighted(random, |&(_, weight)| weight) else { break };
        // An option with many values is not drawn more often than another.
        let names: BTreeSet<&str> = of(standing).map(|option| option.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let Some(&name) = names.choose(random) else { break };
        let values: Vec<&SolverOption> = of(standing).filter(|option| option.name == name).collect();
        if let Some(&option) = values.choose(random) {
            drawn.insert(name, option);
        }
    }
    drawn.into_values().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, value: &str, standing: Standing) -> SolverOption {
        SolverOption { name: name.into(), argument: format!("{name}={value}"), standing }
    }

    fn variation(percent: u8) -> Variation {
        let options = vec![
            option("a", "1", Standing::Regular),
            option("a", "2", Standing::Regular),
            option("b", "1", Standing::Experimental),
            option("c", "1", Standing::Unknown),
        ];
        let pool = OptionPool { options, ..OptionPool::default() };
        Variation { percent, pools: BTreeMap::from([("one".into(), pool.clone()), ("two".into(), pool)]) }
    }

    fn draws(percent: u8) -> Vec<Vec<Vec<SolverOption>>> {
        let variation = variation(percent);
        (0..1000).map(|mutant| variation.draw((7, 8, mutant), ["one", "two", "three"].into_iter())).collect()
    }

    #[test]
    fn a_share_of_the_mutants_gets_a_few_options() {
        let drawn = draws(25);
        let varied = drawn.iter().filter(|of_mutant| !of_mutant[0].is_empty());
        let count = varied.clone().count();
        assert!((200..300).contains(&count), "{count}");
        for of_mutant in varied {
            assert!(!of_mutant[1].is_empty() && of_mutant[2].is_empty(), "{of_mutant:?}");
            assert!(of_mutant[0].len() <= MAXIMAL_COUNT, "{of_mutant:?}");
            let names: BTreeSet<&str> = of_mutant[0].iter().map(|option| option.name.as_str()).collect();
            assert_eq!(names.len(), of_mutant[0].len(), "{of_mutant:?}");
        }
        assert!(drawn.iter().any(|of_mutant| of_mutant[0] != of_mutant[1]), "each solver has its own draw");
        assert!(draws(0).iter().flatten().all(Vec::is_empty));
        assert!(draws(100).iter().all(|of_mutant| !of_mutant[0].is_empty()));
    }

    #[test]
    fn the_same_mutant_gets_the_same_options() {
        assert_eq!(draws(25), draws(25));
        let times = |standing| {
            draws(100).iter().flatten().flatten().filter(|option| option.standing == standing).count()
        };
        assert!(times(Standing::Regular) > times(Standing::Experimental));
        assert!(times(Standing::Experimental) > times(Standing::Unknown) && times(Standing::Unknown) > 0);
    }
}
