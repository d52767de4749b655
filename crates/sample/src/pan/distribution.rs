//! The 0–1 distribution of each variable bit over the set of solutions so far (Algorithm 2, lines 7–9): what
//! steers the search away from the set, and what distances to the set are made of.

use std::ops::Range;

use rand::Rng;
use sundry_coverage::BitSet;

/// The number of solutions in which each bit is true.
pub(super) struct Distribution {
    ones: Vec<u32>,
    solutions: u32,
}

impl Distribution {
    /// The distribution over no solution.
    pub(super) fn new(bits: usize) -> Self {
        Distribution { ones: vec![0; bits], solutions: 0 }
    }

    /// Counts a solution, given by its true bits.
    pub(super) fn add(&mut self, solution: &BitSet) {
        self.solutions += 1;
        for bit in solution.iter() {
            self.ones[bit] += 1;
        }
    }

    /// The value to try first: each with the probability with which the set has the other one.
    /// Where the two are equally frequent, either is as likely.
    pub(super) fn first_value(&self, bit: usize, random: &mut impl Rng) -> bool {
        if self.solutions == 0 {
            return random.random();
        }
        let zeros = self.solutions - self.ones[bit];
        random.random_range(0..self.solutions) < zeros
    }

    /// The sum of the Manhattan distances, over these bits, between a solution and every counted one.
    pub(super) fn distance(&self, bits: Range<usize>, solution: &BitSet) -> u64 {
        bits.map(|bit| {
            let ones = self.ones[bit];
            u64::from(if solution.contains(bit) { self.solutions - ones } else { ones })
        })
        .sum()
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn solution(bits: &[bool]) -> BitSet {
        let mut ones = BitSet::new(bits.len());
        bits.iter().enumerate().filter(|(_, bit)| **bit).for_each(|(number, _)| ones.insert(number));
        ones
    }

    fn ones_drawn(distribution: &Distribution, bit: usize) -> usize {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        (0..1000).filter(|_| distribution.first_value(bit, &mut random)).count()
    }

    #[test]
    fn the_rarer_value_is_tried_more_often() {
        let mut distribution = Distribution::new(3);
        assert!((400..600).contains(&ones_drawn(&distribution, 0)), "no preference over the empty set");
        for bits in [[true, false, true], [true, false, false], [true, true, false], [true, true, false]] {
            distribution.add(&solution(&bits));
        }
        assert_eq!(ones_drawn(&distribution, 0), 0, "always true so far");
        assert!((400..600).contains(&ones_drawn(&distribution, 1)), "a tie");
        assert!((680..820).contains(&ones_drawn(&distribution, 2)), "true in one of four");
    }

    #[test]
    fn distances_are_sums_over_the_set() {
        let set = [[true, false, true], [true, true, false], [false, true, false]];
        let mut distribution = Distribution::new(3);
        set.iter().for_each(|bits| distribution.add(&solution(bits)));
        for number in 0..8 {
            let bits = [0, 1, 2].map(|bit| number >> bit & 1 == 1);
            let differing = |other: &[bool; 3]| (0..2).filter(|&bit| bits[bit] != other[bit]).count() as u64;
            let expected: u64 = set.iter().map(differing).sum();
            assert_eq!(distribution.distance(0..2, &solution(&bits)), expected);
        }
    }
}
