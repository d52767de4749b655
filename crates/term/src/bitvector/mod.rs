//! Bit-vector values of any width: construction, single bits, and rearrangement of bits.
//!
//! The evaluator needs values that are exact at every width and that cost nothing at the usual ones, so up to 64 bits
//! live in the value itself and wider ones in a boxed slice of limbs. Operations follow the SMT-LIB theory
//! FixedSizeBitVectors. A general big-integer type was rejected: it knows no width, allocates by its own rules, and
//! needs masking after every step.

mod arithmetic;
mod limbs;
mod text;

use std::cmp::Ordering;

/// A bit-vector value: a width of at least one bit and that many bits.
///
/// Bits above the width are always zero, so that equality, hashing and unsigned order are those
/// of the number. The order compares widths first, then unsigned numbers.
///
/// Operations of two vectors need equal widths and panic otherwise.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVector {
    width: u32,
    limbs: Limbs,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Limbs {
    /// Width up to 64.
    Small(u64),
    /// Least significant limb first; width above 64.
    Big(Box<[u64]>),
}

use Limbs::{Big, Small};

/// The lowest `width` bits set, for widths of 1 to 64.
#[inline]
fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

impl BitVector {
    // ---- construction

    /// The `width` (1 to 64) lowest bits of a number.
    #[inline]
    fn small(width: u32, bits: u64) -> Self {
        BitVector { width, limbs: Small(bits & mask(width)) }
    }

    /// The lowest bits of exactly as many limbs as the width needs.
    fn from_vec(width: u32, mut limbs: Vec<u64>) -> Self {
        debug_assert_eq!(limbs.len(), limbs::count(width));
        if width <= 64 {
            return Self::small(width, limbs[0]);
        }
        limbs::truncate(&mut limbs, width);
        BitVector { width, limbs: Big(limbs.into_boxed_slice()) }
    }

    fn filled(width: u32, limb: u64) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 64 {
            Self::small(width, limb)
        } else {
            Self::from_vec(width, vec![limb; limbs::count(width)])
        }
    }

    /// The number 0.
    ///
    /// # Panics
    /// When the width is zero, as in all constructors.
    pub fn zero(width: u32) -> Self {
        Self::filled(width, 0)
    }

    /// The number 1.
    pub fn one(width: u32) -> Self {
        Self::from_u64(width, 1)
    }

    /// Every bit set: the greatest unsigned number, and the signed number −1.
    pub fn ones(width: u32) -> Self {
        Self::filled(width, u64::MAX)
    }

    /// The least signed number: only the sign bit is set.
    pub fn min_signed(width: u32) -> Self {
        Self::zero(width).with_bit(width - 1, true)
    }

    /// The lowest `width` bits of a number, zero-extended where the width is above 64.
    pub fn from_u64(width: u32, value: u64) -> Self {
        Self::from_limbs(width, &[value])
    }

    /// The lowest `width` bits of the limbs (least significant first), zero-extended.
    pub fn from_limbs(width: u32, limbs: &[u64]) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 64 {
            return Self::small(width, limbs.first().copied().unwrap_or(0));
        }
        let mut own = vec![0; limbs::count(width)];
        let kept = limbs.len().min(own.len());
        own[..kept].copy_from_slice(&limbs[..kept]);
        Self::from_vec(width, own)
    }

    /// A vector of one bit.
    pub fn from_bool(bit: bool) -> Self {
        Self::small(1, u64::from(bit))
    }

    /// The vector whose bit `i` is `bit(i)`; asked once per bit, ascending from 0.
    pub fn from_bits(width: u32, mut bit: impl FnMut(u32) -> bool) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        let mut limbs = vec![0; limbs::count(width)];
        for i in 0..width {
            limbs[(i / 64) as usize] |= u64::from(bit(i)) << (i % 64);
        }
        Self::from_vec(width, limbs)
    }

    // ---- reading

    /// The number of bits.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Bit `i`, counted from the least significant.
    ///
    /// # Panics
    /// When there is no such bit.
    pub fn bit(&self, i: u32) -> bool {
        assert!(i < self.width, "bit {i} of a vector of {} bits", self.width);
        self.limbs()[(i / 64) as usize] >> (i % 64) & 1 == 1
    }

    /// The most significant bit: whether the signed number is below zero.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Whether every bit is 0.
    pub fn is_zero(&self) -> bool {
        self.limbs().iter().all(|&limb| limb == 0)
    }

    /// Whether every bit is 1.
    pub fn is_ones(&self) -> bool {
        let (top, lower) = self.limbs().split_last().expect("at least one limb");
        *top == limbs::top_mask(self.width) && lower.iter().all(|&limb| limb == u64::MAX)
    }

    /// The bits in limbs of 64, least significant first, zero above the width.
    #[inline]
    pub fn limbs(&self) -> &[u64] {
        match &self.limbs {
            Small(bits) => std::slice::from_ref(bits),
            Big(limbs) => limbs,
        }
    }

    /// The unsigned number, where it fits.
    pub fn to_u64(&self) -> Option<u64> {
        let (low, high) = self.limbs().split_first().expect("at least one limb");
        high.iter().all(|&limb| limb == 0).then_some(*low)
    }

    // ---- rearrangement

    /// The same vector with bit `i` set to `bit`.
    ///
    /// # Panics
    /// When there is no such bit.
    pub fn with_bit(&self, i: u32, bit: bool) -> Self {
        assert!(i < self.width, "bit {i} of a vector of {} bits", self.width);
        let mut result = self.clone();
        let limb = match &mut result.limbs {
            Small(bits) => bits,
            Big(limbs) => &mut limbs[(i / 64) as usize],
        };
        *limb = *limb & !(1 << (i % 64)) | u64::from(bit) << (i % 64);
        result
    }

    /// `high` in front of `low`.
    pub fn concat(high: &BitVector, low: &BitVector) -> BitVector {
        let width = high.width + low.width;
        match (&high.limbs, &low.limbs) {
            (Small(h), Small(l)) if width <= 64 => Self::small(width, h << low.width | l),
            _ => Self::concat_all(width, [high, low]),
        }
    }

    /// The parts side by side, the first most significant; `width` is the sum of their widths.
    ///
    /// Linear in the width, however many parts there are.
    pub(crate) fn concat_all<'a>(width: u32, parts: impl IntoIterator<Item = &'a BitVector>) -> BitVector {
        let mut result = vec![0; limbs::count(width)];
        let mut offset = width;
        for part in parts {
            offset -= part.width;
            limbs::or_at(&mut result, part.limbs(), offset);
        }
        debug_assert_eq!(offset, 0);
        Self::from_vec(width, result)
    }

    /// Bits `high` down to `low`.
    ///
    /// # Panics
    /// Unless `low <= high < width`.
    pub fn extract(&self, high: u32, low: u32) -> BitVector {
        assert!(low <= high && high < self.width, "bits {high} to {low} of a vector of {} bits", self.width);
        let width = high - low + 1;
        match &self.limbs {
            Small(bits) => Self::small(width, bits >> low),
            Big(own) => Self::from_vec(width, limbs::shifted_right(own, low, limbs::count(width))),
        }
    }

    /// The vector with this many zero bits in front.
    pub fn zero_extend(&self, by: u32) -> BitVector {
        Self::from_limbs(self.width + by, self.limbs())
    }

    /// The vector with this many copies of the sign bit in front.
    pub fn sign_extend(&self, by: u32) -> BitVector {
        if !self.is_negative() || by == 0 {
            return self.zero_extend(by);
        }
        // The complement has a zero in front: extend that, and complement again.
        self.not().zero_extend(by).not()
    }

    /// Whether an odd number of bits is 1.
    pub fn parity(&self) -> bool {
        self.limbs().iter().fold(0, |parity, limb| parity ^ limb).count_ones() % 2 == 1
    }

    /// The remainder of the value without sign by the width.
    pub(crate) fn modulo_width(&self) -> u32 {
        let width = u128::from(self.width());
        let step = |remainder: u128, &limb: &u64| (remainder << 64 | u128::from(limb)) % width;
        self.limbs().iter().rev().fold(0, step) as u32
    }

    /// The bits moved towards the most significant, those that fall out coming in below.
    pub fn rotate_left(&self, by: u32) -> BitVector {
        let by = by % self.width;
        if by == 0 {
            return self.clone();
        }
        let split = self.width - by;
        Self::concat(&self.extract(split - 1, 0), &self.extract(self.width - 1, split))
    }

    /// The bits moved towards the least significant, those that fall out coming in above.
    pub fn rotate_right(&self, by: u32) -> BitVector {
        self.rotate_left(self.width - by % self.width)
    }

    /// The concatenation of this many copies.
    ///
    /// # Panics
    /// When the number is zero.
    pub fn repeat(&self, times: u32) -> BitVector {
        assert!(times > 0, "a repetition of no times has no bits");
        Self::concat_all(self.width * times, std::iter::repeat_n(self, times as usize))
    }
}

impl PartialOrd for BitVector {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BitVector {
    fn cmp(&self, other: &Self) -> Ordering {
        self.width.cmp(&other.width).then_with(|| limbs::compare(self.limbs(), other.limbs()))
    }
}
