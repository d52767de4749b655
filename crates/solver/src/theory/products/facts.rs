//! Facts that are true of every product of words, modulo two to their width.
//!
//! A fact is chosen by the values that violate it, and says something about many others as well. Each is written down
//! once, as clauses over edges. Where the edges are constants, the circuit folds them: so a fact is evaluated.

use sundry_circuit::{Aig, Edge, words};
use sundry_term::BitVector;

use super::word::{constant, equal_where, is, is_false, length, powers};

/// Low bits that are multiplied by a circuit of their own at most, where a candidate is wrong there.
const LOW_BITS: usize = 32;

/// The largest number of powers of two of which a factor is a sum or difference where it is multiplied with.
const POWERS: u32 = 2;

/// A fact about products, with the values for which it was chosen.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fact {
    /// Where a factor, the first or else the second, has this value, the product is a sum of a small number of shifted
    /// copies.
    Factor { is_first: bool, value: BitVector },
    /// Below the lowest one of a factor, the product has zeros.
    LowZeros,
    /// This number of low bits of the product depends on as many low bits of the factors.
    LowBits(usize),
    /// Factors of at most these numbers of bits have a product of at most as many bits as both together.
    Short(u32, u32),
    /// The product is not below its factors, unless one is zero. True of products that fit into the word.
    NotBelow,
    /// The product of these two values.
    Values(BitVector, BitVector),
}

impl Fact {
    /// The first fact that these values violate, where the last is not the product of the others. Facts about these two
    /// factors only do not count.
    pub(super) fn violated(
        aig: &mut Aig,
        a: &BitVector,
        b: &BitVector,
        result: &BitVector,
        fits: bool,
    ) -> Option<Fact> {
        let constants = [a, b, result].map(constant);
        let facts = Fact::about(a, b, result, fits);
        facts
            .into_iter()
            .find(|fact| is_false(&fact.clauses(aig, &constants[0], &constants[1], &constants[2])))
    }

    /// Facts that such values might violate, those first that say the most.
    fn about(a: &BitVector, b: &BitVector, result: &BitVector, fits: bool) -> Vec<Fact> {
        let width = a.width();
        let mut facts = Vec::new();
        for (is_first, value) in [(true, a), (false, b)] {
            if powers(value) <= POWERS {
                facts.push(Fact::Factor { is_first, value: value.clone() });
            }
        }
        facts.push(Fact::LowZeros);
        let product = a.mul(b);
        if let Some(wrong) = (0..width).find(|&position| product.bit(position) != result.bit(position)) {
            let count = (wrong as usize + 1).next_power_of_two();
            if count <= LOW_BITS.min(width as usize) {
                facts.push(Fact::LowBits(count));
            }
        }
        if length(a) + length(b) < width {
            facts.push(Fact::Short(length(a), length(b)));
        }
        if fits {
            facts.push(Fact::NotBelow);
        }
        facts
    }

    /// The fact as clauses about two factors and their product.
    pub(super) fn clauses(&self, aig: &mut Aig, a: &[Edge], b: &[Edge], product: &[Edge]) -> Vec<Vec<Edge>> {
        match self {
            Fact::Factor { is_first, value } => {
                let (factor, other) = if *is_first { (a, b) } else { (b, a) };
                let sum = words::multiply(aig, &constant(value), other);
                let condition = is(aig, factor, value);
                equal_where(condition, product, &sum)
            }
            Fact::LowZeros => [a, b].into_iter().flat_map(|factor| low_zeros(aig, factor, product)).collect(),
            &Fact::LowBits(count) => {
                let low = words::multiply(aig, &a[..count], &b[..count]);
                equal_where(Edge::TRUE, &product[..count], &low)
            }
            &Fact::Short(of_a, of_b) => {
                let above = [&a[of_a as usize..], &b[of_b as usize..]].concat();
                let longer = aig.or_many(&above);
                product[(of_a + of_b) as usize..].iter().map(|&bit| vec![longer, !bit]).collect()
            }
            Fact::NotBelow => [(a, b), (b, a)]
                .into_iter()
                .map(|(factor, other)| {
                    vec![words::is_zero(aig, other), words::unsigned_less(aig, factor, product, true)]
                })
                .collect(),
            Fact::Values(of_a, of_b) => {
                let same = [is(aig, a, of_a), is(aig, b, of_b)];
                let same = aig.and_many(&same);
                equal_where(same, product, &constant(&of_a.mul(of_b)))
            }
        }
    }
}

fn low_zeros(aig: &mut Aig, factor: &[Edge], product: &[Edge]) -> Vec<Vec<Edge>> {
    let mut one_so_far = Edge::FALSE;
    let mut clauses = Vec::with_capacity(product.len());
    for (&of_factor, &of_product) in factor.iter().zip(product) {
        one_so_far = aig.or(one_so_far, of_factor);
        clauses.push(vec![!of_product, one_so_far]);
    }
    clauses
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::theory::products::word::all;

    /// Judges every fact that arises from any wrong result of a product under all factors: each is true.
    #[test]
    fn facts_are_true() {
        let mut aig = Aig::new();
        for width in 1..=5 {
            let mut facts: FxHashSet<(Fact, bool)> = FxHashSet::default();
            for a in all(width) {
                for b in all(width) {
                    let fits = !a.umulo(&b);
                    for result in all(width).filter(|result| *result != a.mul(&b)) {
                        facts.extend(Fact::about(&a, &b, &result, fits).into_iter().map(|fact| (fact, fits)));
                    }
                    facts.insert((Fact::Values(a.clone(), b), fits));
                }
            }
            for (fact, fits) in facts {
                for a in all(width) {
                    for b in all(width).filter(|b| !fits || !a.umulo(b)) {
                        let [of_a, of_b, product] = [&a, &b, &a.mul(&b)].map(constant);
                        let clauses = fact.clauses(&mut aig, &of_a, &of_b, &product);
                        assert!(!is_false(&clauses), "{fact:?} of {a} and {b}");
                    }
                }
            }
        }
        assert_eq!(aig.and_count(), 0, "constants are folded");
    }

    /// Each kind of fact finds wrong results.
    #[test]
    fn facts_are_violated() {
        let word = |value| BitVector::from_u64(8, value);
        let mut aig = Aig::new();
        for (a, b, result, fits, expected) in [
            (3, 0x55, 0x12, false, Some(Fact::Factor { is_first: true, value: word(3) })),
            (0x55, 0xfe, 0x12, false, Some(Fact::Factor { is_first: false, value: word(0xfe) })),
            (0x54, 0x15, 0xe5, false, Some(Fact::LowZeros)),
            (0x55, 0x15, 0xf8, false, Some(Fact::LowBits(1))),
            (0x0b, 0x0b, 0xf9, false, Some(Fact::LowBits(8))),
            (0x55, 0x15, 0xf9, false, None),
        ] {
            let violated = Fact::violated(&mut aig, &word(a), &word(b), &word(result), fits);
            assert_eq!(violated, expected, "{a} by {b} is not {result}");
        }
        let word = |value| BitVector::from_u64(80, value);
        let low = u64::from(u32::MAX);
        let (a, b) = (0x1_0055_5555, 0x1_0033_3333);
        let right = word(a).mul(&word(b));
        let mut violated = |result: BitVector| Fact::violated(&mut aig, &word(a), &word(b), &result, true);
        assert_eq!(violated(right.with_bit(79, true)), Some(Fact::Short(33, 33)));
        assert_eq!(violated(right.and(&word(low))), Some(Fact::NotBelow));
        assert_eq!(violated(right.with_bit(50, !right.bit(50))), None);
    }
}
