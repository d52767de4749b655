//! The shares of the mutants of a seed that its generators get, by what their mutants have brought so far: a bandit with
//! several arms.
//!
//! Shares change only between blocks of mutants, so that they depend on the replies to the blocks before and on nothing
//! else: a campaign that repeats these replies, or reads in its journal which mutants brought something, makes the same
//! mutants again.

/// Mutants between two changes of the shares.
const BLOCK: usize = 20;
/// The weight of a generator all of whose mutants bring something, beside one none of whose mutants does.
const STRONGEST: u64 = 10;
/// Weights are multiples of the reciprocal of this number.
const SCALE: u64 = 1000;

/// The mutants of one generator.
#[derive(Copy, Clone, Debug, Default)]
struct Record {
    tried: u64,
    /// The mutants that brought something new.
    brought: u64,
}

impl Record {
    fn weight(self) -> u64 {
        SCALE + STRONGEST * SCALE * self.brought / (self.tried + 1)
    }
}

/// The shares of some generators, by their positions.
#[derive(Debug)]
pub(crate) struct Shares {
    records: Vec<Record>,
    /// The generators of the mutants of the present block.
    block: Vec<usize>,
}

impl Shares {
    /// Equal shares for this many generators.
    pub(crate) fn new(generators: usize) -> Shares {
        Shares { records: vec![Record::default(); generators], block: Vec::new() }
    }

    /// The generator of the mutant with this number, from 0. Mutants are asked for in their order.
    pub(crate) fn generator_of(&mut self, number: usize) -> usize {
        if number.is_multiple_of(BLOCK) || self.block.is_empty() {
            self.block = self.plan();
        }
        self.block[number % BLOCK]
    }

    /// Notes whether a mutant of a generator brought something new.
    pub(crate) fn note(&mut self, generator: usize, is_new: bool) {
        let record = &mut self.records[generator];
        record.tried += 1;
        record.brought += u64::from(is_new);
    }

    /// The generators of a block: each by its weight, and spread evenly (smooth weighted round robin).
    fn plan(&self) -> Vec<usize> {
        let weights: Vec<i64> = self.records.iter().map(|record| record.weight() as i64).collect();
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
    use super::*;

    fn block(shares: &mut Shares, number: usize) -> Vec<usize> {
        (number..number + BLOCK).map(|number| shares.generator_of(number)).collect()
    }

    #[test]
    fn generators_that_bring_something_get_more_mutants() {
        let mut shares = Shares::new(3);
        let first = block(&mut shares, 0);
        assert_eq!(first[..6], [0, 1, 2, 0, 1, 2]);
        for generator in first {
            shares.note(generator, generator == 1);
        }
        let second = block(&mut shares, BLOCK);
        let count = |wanted| second.iter().filter(|&&it| it == wanted).count();
        assert!(count(1) >= 14 && count(0) >= 1 && count(2) >= 1, "{second:?}");
        // The block stays as it is, whatever its mutants bring.
        shares.note(0, true);
        assert_eq!(shares.generator_of(BLOCK + 3), second[3]);
    }

    #[test]
    fn one_generator_gets_all() {
        assert_eq!(block(&mut Shares::new(1), 0), [0; BLOCK]);
    }
}
