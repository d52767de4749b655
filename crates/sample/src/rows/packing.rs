//! Values of constants as words of bits, one for one.
//!
//! Bit-vectors and floating-point values are their bits, rounding modes their number, and an integer within a range that
//! was proved is its distance from the least value. Some patterns are no value: the other bits of NaN, say. Giving
//! those a value was rejected: two rows would be the same solution.

use dashu_int::IBig;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_term::{BitVector, Float, FloatFormat, RoundingMode, Sort, SortId, TermStore, Value};

/// The number of bits of a rounding mode.
const MODE_BITS: u32 = 3;

/// The number of bits of an element of a declared sort: the lowest are enough for everything a formula can tell apart.
const ELEMENT_BITS: u32 = 8;

/// The values that an integer can have in solutions, which was proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    /// The least value.
    pub(crate) least: IBig,
    /// The difference between the greatest value and the least.
    pub(crate) span: u64,
}

impl Range {
    /// The number of bits of a distance from the least value.
    pub(crate) fn bits(&self) -> u32 {
        (64 - self.span.leading_zeros()).max(1)
    }
}

/// The way in which values of a sort are words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Packing {
    BitVector(u32),
    Element(SortId),
    Float(FloatFormat),
    RoundingMode,
    Integer(Range),
}

impl Packing {
    /// The packing of values of a sort, for integers within a range; none for truth values, which have masks, and for values
    /// without words.
    pub(crate) fn of(store: &TermStore, sort: SortId, range: Option<&Range>) -> Option<Packing> {
        Some(match store.sort(sort) {
            Sort::BitVec(width) => Packing::BitVector(*width),
            Sort::Uninterpreted { .. } => Packing::Element(sort),
            Sort::Float(format) => Packing::Float(*format),
            Sort::RoundingMode => Packing::RoundingMode,
            Sort::Int => Packing::Integer(range?.clone()),
            _ => return None,
        })
    }

    /// The number of bits.
    pub(crate) fn width(&self) -> u32 {
        match self {
            Packing::BitVector(width) => *width,
            Packing::Element(_) => ELEMENT_BITS,
            Packing::Float(format) => format.width(),
            Packing::RoundingMode => MODE_BITS,
            Packing::Integer(range) => range.bits(),
        }
    }

    /// The number of words.
    pub(crate) fn limbs(&self) -> usize {
        self.width().div_ceil(64) as usize
    }

    /// The words of a value. A value of another sort, or outside the range, has the words of some other value, which is
    /// judged like any candidate.
    pub(crate) fn words(&self, value: &Value) -> Vec<u64> {
        match (self, value) {
            (_, Value::BitVec(value)) => value.limbs().to_vec(),
            (_, Value::Uninterpreted { index, .. }) => vec![u64::from(*index)],
            (_, Value::Float(value)) => value.canonical_bits().limbs().to_vec(),
            (_, Value::RoundingMode(mode)) => {
                let number = RoundingMode::ALL.iter().position(|other| other == mode);
                vec![number.map_or(0, |number| number as u64)]
            }
            (Packing::Integer(range), Value::Int(value)) => {
                vec![u64::try_from(value - &range.least).map_or(0, |distance| distance.min(range.span))]
            }
            _ => vec![0; self.limbs()],
        }
    }

    /// The value with these words; none where there is no such value.
    pub(crate) fn value(&self, words: &[u64]) -> Option<Value> {
        Some(match self {
            Packing::BitVector(width) => Value::BitVec(BitVector::from_limbs(*width, words)),
            Packing::Element(sort) => Value::Uninterpreted { sort: *sort, index: words[0] as u32 },
            Packing::Float(format) => {
                let bits = BitVector::from_limbs(format.width(), words);
                let value = Float::from_bits(*format, &bits);
                (value.canonical_bits() == bits).then(|| Value::Float(value.into()))?
            }
            Packing::RoundingMode => Value::RoundingMode(*RoundingMode::ALL.get(words[0] as usize)?),
            Packing::Integer(range) => {
                (words[0] <= range.span).then(|| Value::Int(&range.least + IBig::from(words[0])))?
            }
        })
    }

    /// A random value; none for elements of declared sorts, which are no better than one another.
    pub(crate) fn random(&self, random: &mut ChaCha8Rng) -> Option<Value> {
        Some(match self {
            Packing::BitVector(width) => Value::BitVec(BitVector::from_bits(*width, |_| random.random())),
            Packing::Element(_) => return None,
            Packing::Float(format) => {
                let bits = BitVector::from_bits(format.width(), |_| random.random());
                Value::Float(Float::from_bits(*format, &bits).into())
            }
            Packing::RoundingMode => {
                Value::RoundingMode(RoundingMode::ALL[random.random_range(0..RoundingMode::ALL.len())])
            }
            Packing::Integer(range) => {
                Value::Int(&range.least + IBig::from(random.random_range(0..=range.span)))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;

    /// The values of all patterns of a packing, whose words are the patterns.
    fn values(packing: &Packing) -> FxHashSet<Value> {
        let mut values = FxHashSet::default();
        for pattern in 0..1u64 << packing.width() {
            if let Some(value) = packing.value(&[pattern]) {
                assert_eq!(packing.words(&value), [pattern]);
                assert!(values.insert(value));
            }
        }
        values
    }

    #[test]
    fn each_value_has_one_pattern() {
        let format = FloatFormat::new(3, 4).expect("a format");
        // Of the 2 · 8 patterns with the greatest exponent, two are infinities, and all others NaN.
        assert_eq!(values(&Packing::Float(format)).len(), 128 - 14 + 1);
        assert_eq!(values(&Packing::RoundingMode).len(), 5);
        assert_eq!(values(&Packing::BitVector(3)).len(), 8);
        let range = Range { least: IBig::from(-3), span: 9 };
        assert_eq!(range.bits(), 4);
        let expected: FxHashSet<Value> = (-3..=6).map(|value| Value::Int(IBig::from(value))).collect();
        assert_eq!(values(&Packing::Integer(range)), expected);
    }
}
