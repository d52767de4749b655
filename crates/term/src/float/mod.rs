//! Floating-point values of any format, exact in every operation.
//!
//! The theory FloatingPoint of SMT-LIB is IEEE 754-2008 with one NaN, and with formats of any number of exponent and
//! significand bits. A finite value other than zero is an integer times a power of two, in a form that makes equal
//! values equal. Every operation computes its result exactly, or exactly except for a fraction known to be there, and
//! rounds once ([`round`]). Existing soft-float libraries were rejected: none has formats chosen at run time and all
//! of the operations.

mod arithmetic;
mod convert;
mod format;
mod machine;
mod round;

use std::cmp::Ordering;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

use crate::bitvector::BitVector;
pub use format::{FloatFormat, MAX_EXPONENT_BITS, RoundingMode};

/// A floating-point value.
///
/// Equality, like `=` of SMT-LIB, is identity: NaN equals itself, and the two zeros differ. The order of
/// IEEE 754 is [`compare`](Float::compare); `Ord` is some total order.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Float {
    format: FloatFormat,
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Kind {
    Nan,
    Infinity {
        negative: bool,
    },
    Zero {
        negative: bool,
    },
    /// The value `significand` times two to the `exponent`. The significand has all bits of the format, or the
    /// exponent is the least and it has fewer: a subnormal value.
    Finite {
        negative: bool,
        exponent: i64,
        significand: UBig,
    },
}

impl Float {
    /// The value that is not a number.
    pub fn nan(format: FloatFormat) -> Float {
        Float { format, kind: Kind::Nan }
    }

    /// The infinity of a sign.
    pub fn infinity(format: FloatFormat, negative: bool) -> Float {
        Float { format, kind: Kind::Infinity { negative } }
    }

    /// The zero of a sign.
    pub fn zero(format: FloatFormat, negative: bool) -> Float {
        Float { format, kind: Kind::Zero { negative } }
    }

    /// The finite value furthest from zero.
    fn greatest(format: FloatFormat, negative: bool) -> Float {
        let significand = UBig::ones(format.significand_bits as usize);
        Float { format, kind: Kind::Finite { negative, exponent: format.greatest_exponent(), significand } }
    }

    /// The value with a number, from 0, in some numbering of the values of a format.
    ///
    /// # Panics
    /// If the format has more than 63 bits, or at most `number` values.
    pub fn numbered(format: FloatFormat, number: u64) -> Float {
        let count = format.cardinality();
        assert!(number < count && count < u64::MAX, "the format has fewer values, or more than have numbers");
        if number == count - 1 {
            return Float::nan(format);
        }
        // Below infinity, and infinity, with either sign.
        let negative = number >= count / 2;
        let bits = if negative { number - count / 2 } else { number };
        let bits = BitVector::from_u64(format.width(), bits).with_bit(format.width() - 1, negative);
        Float::from_bits(format, &bits)
    }

    /// The format.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Whether the value is not a number.
    pub fn is_nan(&self) -> bool {
        self.kind == Kind::Nan
    }

    /// Whether the value is one of the infinities.
    pub fn is_infinite(&self) -> bool {
        matches!(self.kind, Kind::Infinity { .. })
    }

    /// Whether the value is one of the zeros.
    pub fn is_zero(&self) -> bool {
        matches!(self.kind, Kind::Zero { .. })
    }

    /// Whether the value is finite, not zero, and has a leading hidden bit.
    pub fn is_normal(&self) -> bool {
        matches!(&self.kind, Kind::Finite { significand, .. } if self.is_full(significand))
    }

    /// Whether the value is finite, not zero, and closer to zero than any normal value.
    pub fn is_subnormal(&self) -> bool {
        matches!(&self.kind, Kind::Finite { significand, .. } if !self.is_full(significand))
    }

    fn is_full(&self, significand: &UBig) -> bool {
        significand.bit_len() == self.format.significand_bits as usize
    }

    /// Whether the value has a minus sign; NaN has no sign.
    pub fn is_negative(&self) -> bool {
        self.sign().unwrap_or(false)
    }

    /// Whether the value has a plus sign; NaN has no sign.
    pub fn is_positive(&self) -> bool {
        !self.sign().unwrap_or(true)
    }

    /// Whether there is a minus sign, `None` for NaN.
    fn sign(&self) -> Option<bool> {
        match self.kind {
            Kind::Nan => None,
            Kind::Infinity { negative } | Kind::Zero { negative } | Kind::Finite { negative, .. } => {
                Some(negative)
            }
        }
    }

    /// The value with the given sign; NaN is unchanged.
    fn with_sign(&self, negative: bool) -> Float {
        let kind = match &self.kind {
            Kind::Nan => Kind::Nan,
            Kind::Infinity { .. } => Kind::Infinity { negative },
            Kind::Zero { .. } => Kind::Zero { negative },
            Kind::Finite { exponent, significand, .. } => {
                Kind::Finite { negative, exponent: *exponent, significand: significand.clone() }
            }
        };
        Float { format: self.format, kind }
    }

    /// The absolute value.
    pub fn abs(&self) -> Float {
        self.with_sign(false)
    }

    /// The value with the other sign.
    pub fn neg(&self) -> Float {
        self.with_sign(!self.is_negative())
    }

    /// The order of IEEE 754: the zeros are equal, and NaN is incomparable to every value.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        let (left, right) = (self.sign()?, other.sign()?);
        if self.is_zero() && other.is_zero() {
            return Some(Ordering::Equal);
        }
        let order = match (left, right) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
        };
        Some(order)
    }

    /// The order of the absolute values of numbers.
    fn compare_magnitude(&self, other: &Float) -> Ordering {
        let rank = |kind: &Kind| match kind {
            Kind::Zero { .. } => 0,
            Kind::Finite { .. } => 1,
            Kind::Infinity { .. } | Kind::Nan => 2,
        };
        match (&self.kind, &other.kind) {
            (
                Kind::Finite { exponent: left_exponent, significand: left, .. },
                Kind::Finite { exponent: right_exponent, significand: right, .. },
            ) => left_exponent.cmp(right_exponent).then_with(|| left.cmp(right)),
            (left, right) => rank(left).cmp(&rank(right)),
        }
    }

    /// `fp.eq`: equal numbers, the zeros among them.
    pub fn ieee_equal(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Equal)
    }

    /// `fp.lt`.
    pub fn less(&self, other: &Float) -> bool {
        self.compare(other) == Some(Ordering::Less)
    }

    /// `fp.leq`.
    pub fn less_or_equal(&self, other: &Float) -> bool {
        matches!(self.compare(other), Some(Ordering::Less | Ordering::Equal))
    }

    /// `fp.min`, or `None` for zeros of different signs: the standard allows either.
    pub fn min(&self, other: &Float) -> Option<Float> {
        self.choose(other, Ordering::Less)
    }

    /// `fp.max`, or `None` for zeros of different signs: the standard allows either.
    pub fn max(&self, other: &Float) -> Option<Float> {
        self.choose(other, Ordering::Greater)
    }

    /// The one that compares so to the other; the other where one is NaN.
    fn choose(&self, other: &Float, wanted: Ordering) -> Option<Float> {
        if self.is_nan() {
            return Some(other.clone());
        }
        if other.is_nan() {
            return Some(self.clone());
        }
        if self.is_zero() && other.is_zero() && self.sign() != other.sign() {
            return None;
        }
        Some(if self.compare(other) == Some(wanted) { self.clone() } else { other.clone() })
    }

    /// The value with these bits: sign, exponent, significand without its hidden bit. Any pattern of
    /// a NaN is the NaN.
    ///
    /// # Panics
    /// When there are not as many bits as the format has.
    pub fn from_bits(format: FloatFormat, bits: &BitVector) -> Float {
        assert_eq!(bits.width(), format.width(), "a float has the width of its format");
        let trailing = format.significand_bits - 1;
        let negative = bits.bit(format.width() - 1);
        let stored = bits.extract(format.width() - 2, trailing);
        let fraction = bits.extract(trailing - 1, 0);
        let significand = unsigned_integer(&fraction);
        let kind = if stored.is_ones() {
            if fraction.is_zero() { Kind::Infinity { negative } } else { Kind::Nan }
        } else if stored.is_zero() {
            if fraction.is_zero() {
                Kind::Zero { negative }
            } else {
                Kind::Finite { negative, exponent: format.least_exponent(), significand }
            }
        } else {
            let stored = stored.to_u64().expect("exponents fit 60 bits") as i64;
            let exponent = format.least_exponent() + (stored - 1);
            Kind::Finite { negative, exponent, significand: significand | (UBig::ONE << trailing as usize) }
        };
        Float { format, kind }
    }

    /// The bits of the value, of which NaN has one pattern: a plus sign, and the first digit of the fraction alone.
    pub fn canonical_bits(&self) -> BitVector {
        self.to_bits().unwrap_or_else(|| {
            let quiet = self.format.significand_bits - 2;
            let exponent =
                BitVector::concat(&BitVector::zero(1), &BitVector::ones(self.format.exponent_bits));
            BitVector::concat(&exponent, &BitVector::zero(quiet + 1)).with_bit(quiet, true)
        })
    }

    /// The bits of the value; `None` for NaN, which has several.
    pub fn to_bits(&self) -> Option<BitVector> {
        let format = self.format;
        let trailing = format.significand_bits - 1;
        let fields = |negative: bool, stored: BitVector, fraction: BitVector| {
            let rest = BitVector::concat(&stored, &fraction);
            BitVector::concat(&BitVector::from_bool(negative), &rest)
        };
        let no_fraction = BitVector::zero(trailing);
        Some(match &self.kind {
            Kind::Nan => return None,
            Kind::Infinity { negative } => {
                fields(*negative, BitVector::ones(format.exponent_bits), no_fraction)
            }
            Kind::Zero { negative } => fields(*negative, BitVector::zero(format.exponent_bits), no_fraction),
            Kind::Finite { negative, exponent, significand } => {
                let stored =
                    if self.is_full(significand) { exponent - format.least_exponent() + 1 } else { 0 };
                let stored = BitVector::from_u64(format.exponent_bits, stored as u64);
                fields(*negative, stored, bit_vector_of(trailing, significand))
            }
        })
    }

    /// The bits of the value as three fields, as the operator `fp` takes them; NaN with a quiet pattern.
    pub fn to_fields(&self) -> [BitVector; 3] {
        let format = self.format;
        let trailing = format.significand_bits - 1;
        let bits = self.to_bits().unwrap_or_else(|| {
            let fraction = BitVector::zero(trailing).with_bit(trailing - 1, true);
            let rest = BitVector::concat(&BitVector::ones(format.exponent_bits), &fraction);
            BitVector::concat(&BitVector::from_bool(false), &rest)
        });
        let top = format.width() - 1;
        [bits.extract(top, top), bits.extract(top - 1, trailing), bits.extract(trailing - 1, 0)]
    }
}

/// A bit-vector as a number without sign.
pub(crate) fn unsigned_integer(bits: &BitVector) -> UBig {
    let bytes: Vec<u8> = bits.limbs().iter().flat_map(|limb| limb.to_le_bytes()).collect();
    UBig::from_le_bytes(&bytes)
}

/// A bit-vector as a number with sign.
pub(crate) fn signed_integer(bits: &BitVector) -> IBig {
    let unsigned = IBig::from(unsigned_integer(bits));
    if bits.is_negative() { unsigned - (IBig::ONE << bits.width() as usize) } else { unsigned }
}

/// The lowest bits of a number.
pub(crate) fn bit_vector_of(width: u32, number: &UBig) -> BitVector {
    let mut limbs: Vec<u64> = number
        .to_le_bytes()
        .chunks(8)
        .map(|chunk| {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(bytes)
        })
        .collect();
    limbs.resize((width as usize).div_ceil(64), 0);
    BitVector::from_limbs(width, &limbs)
}
