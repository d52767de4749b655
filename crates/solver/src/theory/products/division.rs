//! Divisions: by what defines them, and by facts about quotients that an assignment violates.

use sundry_circuit::{Aig, Edge, words};
use sundry_term::BitVector;

use super::BITS_FOR_VALUE;
use super::word::{Word, constant, equal_where, is, is_false, length, value_of};

/// An unsigned division that is left open, as far as the product of quotient and divisor is.
#[derive(Clone)]
pub(super) struct Division {
    pub(super) dividend: Word,
    pub(super) divisor: Word,
    pub(super) quotient: Word,
    pub(super) remainder: Word,
    /// The number of the product of quotient and divisor.
    pub(super) product: usize,
    /// The number of pairs of values that have become lemmas.
    pub(super) values: usize,
}

/// A fact about quotients, with the values for which it was chosen.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Fact {
    /// Dividing by this power of two moves bits.
    Power(BitVector),
    /// A dividend of at most the first number of bits, divided by a divisor of at least the second, has a quotient as
    /// short as the difference allows.
    Short(u32, u32),
    /// The quotient of these two values.
    Values(BitVector, BitVector),
}

impl Division {
    /// The definition of quotient and remainder, given the product of quotient and divisor, one bit wider than they
    /// are.
    pub(super) fn definition(&self, aig: &mut Aig, product: &[Edge]) -> Vec<Vec<Edge>> {
        let Division { dividend, divisor, quotient, remainder, .. } = self;
        let width = dividend.len();
        let by_zero = words::is_zero(aig, divisor);
        let (sum, carry) = words::add_with_carry(aig, &product[..width], remainder, Edge::FALSE);
        let too_far = words::magnitudes_exceed(aig, quotient, divisor, width);
        let mut clauses = equal_where(Edge::TRUE, &sum, dividend);
        clauses.extend([product[width], carry, too_far].map(|edge| vec![!edge]));
        clauses.push(vec![by_zero, words::unsigned_less(aig, remainder, divisor, false)]);
        clauses.extend(quotient.iter().map(|&bit| vec![!by_zero, bit]));
        // This fact follows as well, but from the whole product only.
        let is_below = words::unsigned_less(aig, dividend, divisor, false);
        clauses.extend(quotient.iter().map(|&bit| vec![!is_below, !bit]));
        clauses
    }

    /// A lemma that this assignment violates; none, where it gives the quotient its value, or where enough was said of
    /// single values: then the product says the rest.
    pub(super) fn refine(&mut self, aig: &mut Aig, value: &dyn Fn(Edge) -> bool) -> Vec<Vec<Edge>> {
        let (dividend, divisor) = (value_of(&self.dividend, value), value_of(&self.divisor, value));
        let quotient = value_of(&self.quotient, value);
        if dividend.udiv(&divisor) == quotient {
            return Vec::new();
        }
        let fact = match Fact::violated(aig, &dividend, &divisor, &quotient) {
            Some(fact) => fact,
            None if self.values < self.dividend.len() / BITS_FOR_VALUE => {
                self.values += 1;
                Fact::Values(dividend, divisor)
            }
            None => return Vec::new(),
        };
        fact.clauses(aig, &self.dividend, &self.divisor, &self.quotient)
    }
}

impl Fact {
    /// The first fact that these values violate, where the last is not the quotient of the others. Facts about these
    /// two operands only do not count.
    fn violated(
        aig: &mut Aig,
        dividend: &BitVector,
        divisor: &BitVector,
        quotient: &BitVector,
    ) -> Option<Fact> {
        let constants = [dividend, divisor, quotient].map(constant);
        let facts = Fact::about(dividend, divisor);
        facts
            .into_iter()
            .find(|fact| is_false(&fact.clauses(aig, &constants[0], &constants[1], &constants[2])))
    }

    /// Facts that a wrong quotient of these values might violate. The definition has all about divisors that are zero
    /// or above the dividend.
    fn about(dividend: &BitVector, divisor: &BitVector) -> Vec<Fact> {
        let mut facts = Vec::new();
        if (0..divisor.width()).filter(|&position| divisor.bit(position)).count() == 1 {
            facts.push(Fact::Power(divisor.clone()));
        }
        if !divisor.is_zero() && length(dividend) >= length(divisor) {
            facts.push(Fact::Short(length(dividend), length(divisor)));
        }
        facts
    }

    /// The fact as clauses about dividend, divisor and quotient.
    fn clauses(
        &self,
        aig: &mut Aig,
        dividend: &[Edge],
        divisor: &[Edge],
        quotient: &[Edge],
    ) -> Vec<Vec<Edge>> {
        match self {
            Fact::Power(power) => {
                let exponent = length(power) as usize - 1;
                let mut moved = dividend[exponent..].to_vec();
                moved.resize(dividend.len(), Edge::FALSE);
                let condition = is(aig, divisor, power);
                equal_where(condition, quotient, &moved)
            }
            &Fact::Short(of_dividend, of_divisor) => {
                let longer = aig.or_many(&dividend[of_dividend as usize..]);
                let long_enough = aig.or_many(&divisor[of_divisor as usize - 1..]);
                let zeros = &quotient[(of_dividend - of_divisor + 1) as usize..];
                zeros.iter().map(|&bit| vec![longer, !long_enough, !bit]).collect()
            }
            Fact::Values(of_dividend, of_divisor) => {
                let same = [is(aig, dividend, of_dividend), is(aig, divisor, of_divisor)];
                let same = aig.and_many(&same);
                equal_where(same, quotient, &constant(&of_dividend.udiv(of_divisor)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;
    use crate::theory::products::word::all;

    /// With the true product, the definition holds for quotient and remainder only, for all operands.
    #[test]
    fn the_definition_is_that_of_divisions() {
        let mut aig = Aig::new();
        for width in 1..=3 {
            for (dividend, divisor) in pairs(width) {
                for (quotient, remainder) in pairs(width) {
                    let product = quotient.zero_extend(1).mul(&divisor.zero_extend(1));
                    let division = Division {
                        dividend: constant(&dividend).into(),
                        divisor: constant(&divisor).into(),
                        quotient: constant(&quotient).into(),
                        remainder: constant(&remainder).into(),
                        product: 0,
                        values: 0,
                    };
                    let holds = !is_false(&division.definition(&mut aig, &constant(&product)));
                    let is_right =
                        quotient == dividend.udiv(&divisor) && remainder == dividend.urem(&divisor);
                    assert_eq!(holds, is_right, "{dividend} by {divisor}: {quotient}, {remainder}");
                }
            }
        }
    }

    /// Judges every fact that arises from any operands under all operands: each is true.
    #[test]
    fn facts_are_true() {
        let mut aig = Aig::new();
        for width in 1..=5 {
            let mut facts: FxHashSet<Fact> = FxHashSet::default();
            for (dividend, divisor) in pairs(width) {
                facts.extend(Fact::about(&dividend, &divisor));
                facts.insert(Fact::Values(dividend, divisor));
            }
            for fact in facts {
                for (dividend, divisor) in pairs(width) {
                    let [of_dividend, of_divisor, quotient] =
                        [&dividend, &divisor, &dividend.udiv(&divisor)].map(constant);
                    let clauses = fact.clauses(&mut aig, &of_dividend, &of_divisor, &quotient);
                    assert!(!is_false(&clauses), "{fact:?} of {dividend} by {divisor}");
                }
            }
        }
    }

    #[test]
    fn facts_are_violated() {
        let word = |value| BitVector::from_u64(8, value);
        let mut aig = Aig::new();
        for (dividend, divisor, quotient, expected) in [
            (0x55, 4, 0x14, Some(Fact::Power(word(4)))),
            (0x55, 0x15, 8, Some(Fact::Short(7, 5))),
            (0x55, 0x15, 5, None),
        ] {
            let violated = Fact::violated(&mut aig, &word(dividend), &word(divisor), &word(quotient));
            assert_eq!(violated, expected, "{dividend} by {divisor} is not {quotient}");
        }
    }

    fn pairs(width: u32) -> impl Iterator<Item = (BitVector, BitVector)> {
        all(width).flat_map(move |left| all(width).map(move |right| (left.clone(), right)))
    }
}
