//! The first generation: generators, random formulas and seeds in the shares of a mix.

use std::fmt;

use rand::Rng;
use rand::seq::SliceRandom;
use sundry_term::TermStore;

use crate::generate::material::{Material, UnknownLogic};
use crate::generate::mix::Mix;
use crate::generate::random::random_input;
use crate::generate::strings::StringShape;
use crate::individual::Individual;
use crate::objective::complexity::complexity;

/// The largest complexity with which a seed is taken as a whole. Four times that of the larger inputs that are made up: crossover with
/// greater ones would swamp the others.
pub const SEED_COMPLEXITY: u64 = 2_000;

/// A first generation cannot be made as it is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FirstGenerationError {
    /// The logic is not known.
    Logic(UnknownLogic),
    /// The mix has a share of generators, and the logic has no strings.
    NoGenerators {
        /// The name of the logic.
        logic: String,
    },
    /// The mix has a share of seeds, and there is none that is small enough.
    NoSeeds {
        /// The number of seeds that are too complex.
        too_complex: usize,
    },
}

impl fmt::Display for FirstGenerationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FirstGenerationError::Logic(error) => error.fmt(f),
            FirstGenerationError::NoGenerators { logic } => {
                write!(f, "the mix has a share of generators, which make strings, and {logic} has none")
            }
            FirstGenerationError::NoSeeds { too_complex: 0 } => {
                f.write_str("the mix has a share of seeds, and there are none")
            }
            FirstGenerationError::NoSeeds { too_complex } => write!(
                f,
                "the mix has a share of seeds, and each assertion of all {too_complex} is more complex than {SEED_COMPLEXITY}"
            ),
        }
    }
}

impl std::error::Error for FirstGenerationError {}

impl From<UnknownLogic> for FirstGenerationError {
    fn from(error: UnknownLogic) -> Self {
        FirstGenerationError::Logic(error)
    }
}

/// The inputs to begin with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstGeneration {
    /// The inputs: those of generators, then random formulas, then seeds.
    pub individuals: Vec<Individual>,
    /// The numbers of the seeds that no input comes from, since all their assertions are too complex.
    pub too_complex: Vec<usize>,
}

impl FirstGeneration {
    /// Makes the inputs to begin with, which depend on the arguments alone. Without a mix, the [usual](Mix::usual) one is
    /// taken.
    ///
    /// A seed is an input as a whole if its complexity is at most [`SEED_COMPLEXITY`], and otherwise a random choice of its
    /// assertions up to that. Seeds are taken in a random order. If there are fewer than the mix wants, they are taken again, as
    /// random choices of about half of their assertions.
    ///
    /// # Errors
    /// The logic is not known, or the mix wants what there is not.
    pub fn make(
        store: &mut TermStore,
        logic: &str,
        mix: Option<Mix>,
        seeds: &[Individual],
        size: usize,
        random: &mut impl Rng,
    ) -> Result<FirstGeneration, FirstGenerationError> {
        let material = Material::of_logic(store, logic)?;
        let mut usable = Vec::new();
        let mut too_complex = Vec::new();
        for (number, seed) in seeds.iter().enumerate() {
            let small = small_assertions(store, seed);
            if small.assertions.is_empty() { too_complex.push(number) } else { usable.push(small) }
        }
        let mix = mix.unwrap_or_else(|| Mix::usual(material.has_strings(), !usable.is_empty()));
        if mix.generators > 0 && !material.has_strings() {
            return Err(FirstGenerationError::NoGenerators { logic: logic.to_string() });
        }
        if mix.seeds > 0 && usable.is_empty() {
            return Err(FirstGenerationError::NoSeeds { too_complex: too_complex.len() });
        }
        let [generators, randoms, from_seeds] = mix.counts(size);
        let shapes = StringShape::ALL.iter().cycle().take(generators);
        let mut individuals: Vec<Individual> =
            shapes.filter_map(|shape| shape.input(store, &material, random)).collect();
        individuals.extend((0..randoms).map(|_| random_input(store, &material, random)));
        usable.shuffle(random);
        for number in 0..from_seeds {
            let seed = &usable[number % usable.len()];
            let is_again = number >= usable.len();
            individuals.push(part_of_seed(store, seed, is_again, random));
        }
        Ok(FirstGeneration { individuals, too_complex })
    }
}

/// The assertions of a seed that are small enough by themselves.
fn small_assertions(store: &TermStore, seed: &Individual) -> Individual {
    let is_small = |&assertion: &_| complexity(store, &[assertion]) <= SEED_COMPLEXITY;
    Individual { assertions: seed.assertions.iter().copied().filter(is_small).collect() }
}

/// The assertions that an input takes from a seed, in their order.
fn part_of_seed(store: &TermStore, seed: &Individual, is_again: bool, random: &mut impl Rng) -> Individual {
    if !is_again && complexity(store, &seed.assertions) <= SEED_COMPLEXITY {
        return seed.clone();
    }
    let mut order: Vec<usize> = (0..seed.assertions.len()).collect();
    order.shuffle(random);
    let wanted = if is_again { order.len().div_ceil(2) } else { order.len() };
    let (mut chosen, mut sum) = (Vec::new(), 0_u64);
    for place in order {
        let own = complexity(store, &[seed.assertions[place]]);
        if chosen.len() < wanted && sum.saturating_add(own) <= SEED_COMPLEXITY {
            sum += own;
            chosen.push(place);
        }
    }
    chosen.sort_unstable();
    Individual { assertions: chosen.into_iter().map(|place| seed.assertions[place]).collect() }
}
