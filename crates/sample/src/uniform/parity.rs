//! Random linear equations over bits: the hash whose cells are looked into.
//!
//! Each bit is in each equation with probability one half, and so is the right side. That makes the cells of any three
//! different assignments independent (Gomes, Sabharwal & Selman, *Near-uniform sampling of combinatorial spaces using
//! XOR constraints*, NIPS 2006). Equations are solved for as many bits, their *pivots*, before anybody sees them: they
//! have the same solutions and are shorter (Meel, Shrotri & Vardi, *On hashing-based approaches to approximate
//! DNF-counting*, FSTTCS 2017, hash with equations drawn in that form). Sparse equations would be shorter still, but
//! are not independent.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The sum of some bits, modulo 2, is this value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Equation {
    /// Numbers of the bits, ascending.
    pub(crate) bits: Vec<usize>,
    pub(crate) value: bool,
}

/// Equations that have a solution, each solved for a bit that is in no other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct System {
    pub(crate) equations: Vec<Equation>,
    /// The bits that the equations are not solved for, ascending: they determine all others.
    pub(crate) independent: Vec<usize>,
}

/// An equation as words: the bits, and behind them the right side.
type Row = Vec<u64>;

fn has(row: &[u64], bit: usize) -> bool {
    row[bit / 64] >> (bit % 64) & 1 == 1
}

impl System {
    /// Draws this number of random equations over this number of bits; `None` if they contradict each other.
    pub(crate) fn random(equations: usize, bits: usize, random: &mut ChaCha8Rng) -> Option<System> {
        let row = |_| (0..=bits / 64).map(|_| random.random()).collect();
        System::solve((0..equations).map(row).collect(), bits)
    }

    /// Solves equations by Gauss and Jordan. Words behind the right side mean nothing.
    fn solve(mut rows: Vec<Row>, bits: usize) -> Option<System> {
        let mut solved = 0;
        let mut independent = Vec::new();
        for bit in 0..bits {
            let Some(pivot) = (solved..rows.len()).find(|&row| has(&rows[row], bit)) else {
                independent.push(bit);
                continue;
            };
            rows.swap(solved, pivot);
            let equation = rows[solved].clone();
            for (number, row) in rows.iter_mut().enumerate() {
                if number != solved && has(row, bit) {
                    row.iter_mut().zip(&equation).for_each(|(word, other)| *word ^= other);
                }
            }
            solved += 1;
        }
        if rows[solved..].iter().any(|row| has(row, bits)) {
            return None;
        }
        let equation = |row: &Row| Equation {
            bits: (0..bits).filter(|&bit| has(row, bit)).collect(),
            value: has(row, bits),
        };
        Some(System { equations: rows[..solved].iter().map(equation).collect(), independent })
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    fn solutions(equations: &[Equation], bits: usize) -> Vec<u32> {
        let holds = |point: u32, equation: &Equation| {
            equation.bits.iter().fold(equation.value, |sum, &bit| sum ^ (point >> bit & 1 == 1))
        };
        (0..1 << bits).filter(|&point| !equations.iter().any(|equation| holds(point, equation))).collect()
    }

    /// Solved equations have the solutions of those that were drawn.
    #[test]
    fn solving_keeps_the_solutions() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut contradictions, bits) = (0, 7);
        for count in (0..=9).cycle().take(500) {
            let rows: Vec<Row> = (0..count).map(|_| vec![random.random()]).collect();
            let drawn: Vec<Equation> = rows
                .iter()
                .map(|row| Equation {
                    bits: (0..bits).filter(|&bit| has(row, bit)).collect(),
                    value: has(row, bits),
                })
                .collect();
            let expected = solutions(&drawn, bits);
            match System::solve(rows, bits) {
                None => {
                    assert!(expected.is_empty());
                    contradictions += 1;
                }
                Some(system) => {
                    assert_eq!(solutions(&system.equations, bits), expected);
                    assert_eq!(expected.len(), 1 << system.independent.len());
                    assert_eq!(system.equations.len() + system.independent.len(), bits);
                }
            }
        }
        assert!((1..500).contains(&contradictions));
    }

    /// Any two assignments are in the cell together as often as chance has it.
    #[test]
    fn pairs_are_independent() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut together = 0;
        for _ in 0..4000 {
            if let Some(system) = System::random(2, 5, &mut random) {
                let cell = solutions(&system.equations, 5);
                together += usize::from(cell.contains(&3) && cell.contains(&17));
            }
        }
        // A sixteenth of 4000, give or take four standard deviations.
        assert!((189..=311).contains(&together), "{together}");
    }
}
