//! The shares of the mutants of a seed that its generators and its styles of asking get, and of the turns that seeds get, by what
//! mutants have brought so far, and what they have cost: a bandit with several arms.
//!
//! Shares of a seed change only between blocks of mutants, so that they depend on the replies to the blocks before and on nothing
//! else: a campaign that repeats these replies, or reads in its journal which mutants brought something and on which a limit ended a solver,
//! makes the same mutants again.

use rand::Rng;

/// Mutants between two changes of the shares.
const BLOCK: usize = 10;
/// The weight of a generator all of whose mutants bring something, beside one none of whose mutants does.
const STRONGEST: u64 = 10;
/// Weights are multiples of the reciprocal of this number.
const SCALE: u64 = 1000;
/// The number of other mutants whose solver time goes into one on which a limit ends a solver, roughly.
const MUTANTS_OF_A_LIMIT: u64 = 10;

/// The outcome of a mutant for the arms that made it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Outcome {
    /// Whether the mutant brought something new.
    pub(crate) is_new: bool,
    /// Whether a limit ended a solver on the mutant.
    pub(crate) is_limited: bool,
}

/// The mutants of one arm: a generator, a style of asking or a seed.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Record {
    /// The mutants that were made; one on which a limit ended a solver counts as several.
    pub(crate) tried: u64,
    /// The mutants that brought something new.
    pub(crate) brought: u64,
}

impl Record {
    /// The weight of the arm in thousandths: 1,000 if it brought nothing, and up to [`STRONGEST`] times as much more.
    pub(crate) fn weight(self) -> u64 {
        SCALE + STRONGEST * SCALE * self.brought / (self.tried + 1)
    }

    /// The weight as a multiple of that of an arm that brought nothing.
    pub(crate) fn factor(self) -> f64 {
        self.weight() as f64 / SCALE as f64
    }

    fn note(&mut self, outcome: Outcome) {
        self.tried += if outcome.is_limited { MUTANTS_OF_A_LIMIT } else { 1 };
        self.brought += u64::from(outcome.is_new);
    }
}

/// The weights of the styles of asking, by their positions.
#[derive(Debug)]
pub(crate) struct Weights {
    records: Vec<Record>,
    /// The weights in the present block of mutants.
    block: Vec<u64>,
}

impl Weights {
    /// Equal weights for this many styles.
    pub(crate) fn new(styles: usize) -> Weights {
        Weights { records: vec![Record::default(); styles], block: Vec::new() }
    }

    /// Draws a style for the mutant with this number, from 0. Mutants are asked for in their order.
    pub(crate) fn draw(&mut self, number: usize, random: &mut impl Rng) -> usize {
        if number.is_multiple_of(BLOCK) || self.block.is_empty() {
            self.block = self.records.iter().map(|record| record.weight()).collect();
        }
        let mut left = random.random_range(0..self.block.iter().sum::<u64>().max(1));
        let mut is_drawn = |weight: u64| {
            let is_drawn = left < weight;
            left = left.saturating_sub(weight);
            is_drawn
        };
        self.block.iter().position(|&weight| is_drawn(weight)).unwrap_or(0)
    }

    /// Notes the outcome of a mutant in a style.
    pub(crate) fn note(&mut self, style: usize, outcome: Outcome) {
        self.records.iter_mut().skip(style).take(1).for_each(|record| record.note(outcome));
    }
}

/// The shares of some generators, by their positions.
#[derive(Debug)]
pub(crate) struct Shares {
    /// The time that solvers spend on a mutant of each generator, in any unit.
    costs: Vec<u64>,
    records: Vec<Record>,
    /// The generators of the mutants of the present block.
    block: Vec<usize>,
}

impl Shares {
    /// Shares for generators of whose mutants each costs solvers a time, in any unit: they get equal parts of the time.
    pub(crate) fn new(costs: Vec<u64>) -> Shares {
        Shares { records: vec![Record::default(); costs.len()], costs, block: Vec::new() }
    }

    /// The generator of the mutant with this number, from 0. Mutants are asked for in their order.
    pub(crate) fn generator_of(&mut self, number: usize) -> usize {
        if number.is_multiple_of(BLOCK) || self.block.is_empty() {
            self.block = self.plan();
        }
        self.block[number % BLOCK]
    }

    /// Notes the outcome of a mutant of a generator.
    pub(crate) fn note(&mut self, generator: usize, outcome: Outcome) {
        self.records[generator].note(outcome);
    }

    /// The generators of a block: each by its weight, and spread evenly (smooth weighted round robin).
    fn plan(&self) -> Vec<usize> {
        let weight = |(record, &cost): (&Record, &u64)| (record.weight() * SCALE / cost.max(1)) as i64;
        let weights: Vec<i64> = self.records.iter().zip(&self.costs).map(weight).collect();
        let total: i64 = weights.iter().sum();
        let mut credits = vec![0; weights.len()];
        let mut next = || {
            credits.iter_mut().zip(&weights).for_each(|(credit, weight)| *credit += weight);
            // The first of equals.
            let best = (0..credits.len()).rev().max_by_key(|&position| credits[position]).unwrap_or(0);
            credits[best] -= total;
            best
        };
        (0..BLOCK).map(|_| next()).collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The outcome of a mutant on which no limit ended a solver.
    fn brought(is_new: bool) -> Outcome {
        Outcome { is_new, is_limited: false }
    }

    fn count(block: &[usize], generator: usize) -> usize {
        block.iter().filter(|&&it| it == generator).count()
    }

    fn block(shares: &mut Shares, number: usize) -> Vec<usize> {
        (number..number + BLOCK).map(|number| shares.generator_of(number)).collect()
    }

    #[test]
    fn generators_that_bring_something_get_more_mutants() {
        let mut shares = Shares::new(vec![1; 3]);
        let first = block(&mut shares, 0);
        assert_eq!(first[..6], [0, 1, 2, 0, 1, 2]);
        for generator in first {
            shares.note(generator, brought(generator == 1));
        }
        let second = block(&mut shares, BLOCK);
        assert!(count(&second, 1) >= 7 && count(&second, 0) >= 1 && count(&second, 2) >= 1, "{second:?}");
        // The block stays as it is, whatever its mutants bring.
        shares.note(0, brought(true));
        assert_eq!(shares.generator_of(BLOCK + 3), second[3]);
    }

    #[test]
    fn generators_that_cost_more_get_fewer_mutants() {
        let mut shares = Shares::new(vec![10, 20, 10]);
        let first = block(&mut shares, 0);
        assert_eq!([0, 1, 2].map(|generator| count(&first, generator)), [4, 2, 4]);
        for generator in first {
            shares.note(generator, Outcome { is_new: true, is_limited: generator == 2 });
        }
        let second = block(&mut shares, BLOCK);
        assert_eq!([0, 1, 2].map(|generator| count(&second, generator)), [6, 3, 1]);
    }

    #[test]
    fn styles_that_bring_something_are_drawn_more_often() {
        let mut weights = Weights::new(3);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [[0; 3]; 2];
        for number in 0..600 {
            let style = weights.draw(number, &mut random);
            counts[usize::from(number >= 300)][style] += 1;
            weights.note(style, brought(number >= 100 && style == 2));
        }
        let [before, after] = counts;
        assert!(before.iter().all(|&count| count > 20), "{counts:?}");
        assert!(after[2] > 2 * after[0] && after[0] > 10 && after[1] > 10, "{counts:?}");
        assert_eq!(Weights::new(0).draw(0, &mut random), 0);
    }

    #[test]
    fn one_generator_gets_all() {
        assert_eq!(block(&mut Shares::new(vec![7]), 0), [0; BLOCK]);
    }
}
