//! Logic, arithmetic, shifts, comparisons and overflow predicates of bit-vectors, as the SMT-LIB
//! theory FixedSizeBitVectors (version 2.7) defines them, division by zero included.
//!
//! Each operation computes inside one machine word up to 64 bits and falls back on limbs above.

use std::cmp::Ordering;

use super::{Big, BitVector, Small, limbs, mask};

/// The number of a vector of `width` (up to 64) bits, read as signed.
fn signed(width: u32, bits: u64) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}

/// Whether a number is outside the signed range of `width` (up to 64) bits.
fn leaves_signed_range(width: u32, number: i128) -> bool {
    let limit = 1i128 << (width - 1);
    number < -limit || number >= limit
}

impl BitVector {
    #[inline]
    fn check_width(&self, other: &BitVector) {
        assert_eq!(self.width, other.width, "operation on bit-vectors of different widths");
    }

    #[inline]
    fn zip(&self, other: &BitVector, operation: impl Fn(u64, u64) -> u64) -> BitVector {
        self.check_width(other);
        match (&self.limbs, &other.limbs) {
            (Small(a), Small(b)) => Self::small(self.width, operation(*a, *b)),
            _ => {
                let pairs = self.limbs().iter().zip(other.limbs());
                Self::from_vec(self.width, pairs.map(|(&a, &b)| operation(a, b)).collect())
            }
        }
    }

    // ---- bitwise

    /// Bitwise complement.
    pub fn not(&self) -> BitVector {
        match &self.limbs {
            Small(bits) => Self::small(self.width, !bits),
            Big(limbs) => Self::from_vec(self.width, limbs.iter().map(|limb| !limb).collect()),
        }
    }

    /// Bitwise and.
    pub fn and(&self, other: &BitVector) -> BitVector {
        self.zip(other, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &BitVector) -> BitVector {
        self.zip(other, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &BitVector) -> BitVector {
        self.zip(other, |a, b| a ^ b)
    }

    // ---- arithmetic modulo 2^width

    /// Two's complement negation.
    pub fn neg(&self) -> BitVector {
        match &self.limbs {
            Small(bits) => Self::small(self.width, bits.wrapping_neg()),
            Big(_) => self.not().add(&Self::one(self.width)),
        }
    }

    /// The number without its sign, as an unsigned one.
    fn magnitude(&self) -> BitVector {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// Sum.
    pub fn add(&self, other: &BitVector) -> BitVector {
        self.check_width(other);
        match (&self.limbs, &other.limbs) {
            (Small(a), Small(b)) => Self::small(self.width, a.wrapping_add(*b)),
            _ => Self::from_vec(self.width, limbs::add(self.limbs(), other.limbs(), false).0),
        }
    }

    /// Difference.
    pub fn sub(&self, other: &BitVector) -> BitVector {
        self.check_width(other);
        match (&self.limbs, &other.limbs) {
            (Small(a), Small(b)) => Self::small(self.width, a.wrapping_sub(*b)),
            _ => Self::from_vec(self.width, limbs::add(self.limbs(), other.not().limbs(), true).0),
        }
    }

    /// Product.
    pub fn mul(&self, other: &BitVector) -> BitVector {
        self.check_width(other);
        match (&self.limbs, &other.limbs) {
            (Small(a), Small(b)) => Self::small(self.width, a.wrapping_mul(*b)),
            _ => {
                let count = limbs::count(self.width);
                Self::from_vec(self.width, limbs::multiply(self.limbs(), other.limbs(), count))
            }
        }
    }

    // ---- division

    /// Unsigned quotient; all ones when the divisor is zero.
    pub fn udiv(&self, other: &BitVector) -> BitVector {
        self.divide(other).0
    }

    /// Unsigned remainder; the dividend when the divisor is zero.
    pub fn urem(&self, other: &BitVector) -> BitVector {
        self.divide(other).1
    }

    fn divide(&self, other: &BitVector) -> (BitVector, BitVector) {
        self.check_width(other);
        if other.is_zero() {
            return (Self::ones(self.width), self.clone());
        }
        match (&self.limbs, &other.limbs) {
            (Small(a), Small(b)) => (Self::small(self.width, a / b), Self::small(self.width, a % b)),
            _ => {
                let (quotient, remainder) = limbs::divide(self.limbs(), other.limbs());
                (Self::from_vec(self.width, quotient), Self::from_vec(self.width, remainder))
            }
        }
    }

    /// Signed quotient, rounded towards zero. By zero: −1 for a dividend from zero on, else 1.
    pub fn sdiv(&self, other: &BitVector) -> BitVector {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// Signed remainder with the sign of the dividend; the dividend when the divisor is zero.
    pub fn srem(&self, other: &BitVector) -> BitVector {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }

    /// Signed remainder with the sign of the divisor; the dividend when the divisor is zero.
    pub fn smod(&self, other: &BitVector) -> BitVector {
        let remainder = self.srem(other);
        if remainder.is_zero() || remainder.is_negative() == other.is_negative() {
            remainder
        } else {
            remainder.add(other)
        }
    }

    // ---- shifts

    /// The distance by which a shift moves bits; `None` if it moves every bit out of the vector.
    fn shift_distance(&self, amount: &BitVector) -> Option<u32> {
        self.check_width(amount);
        amount.to_u64().filter(|&by| by < u64::from(self.width)).map(|by| by as u32)
    }

    /// Shift towards the most significant; zero from the width on.
    pub fn shl(&self, amount: &BitVector) -> BitVector {
        match (self.shift_distance(amount), &self.limbs) {
            (None, _) => Self::zero(self.width),
            (Some(by), Small(bits)) => Self::small(self.width, bits << by),
            (Some(by), Big(own)) => Self::from_vec(self.width, limbs::shifted_left(own, by)),
        }
    }

    /// Shift towards the least significant, zeros coming in; zero from the width on.
    pub fn lshr(&self, amount: &BitVector) -> BitVector {
        match (self.shift_distance(amount), &self.limbs) {
            (None, _) => Self::zero(self.width),
            (Some(by), Small(bits)) => Self::small(self.width, bits >> by),
            (Some(by), Big(own)) => Self::from_vec(self.width, limbs::shifted_right(own, by, own.len())),
        }
    }

    /// Shift towards the least significant, sign bits coming in; all sign bits from the width on.
    pub fn ashr(&self, amount: &BitVector) -> BitVector {
        // The complement of a negative vector takes in zeros, as the logical shift does.
        if self.is_negative() { self.not().lshr(amount).not() } else { self.lshr(amount) }
    }

    // ---- comparisons

    /// Unsigned less than.
    pub fn ult(&self, other: &BitVector) -> bool {
        self.unsigned_order(other) == Ordering::Less
    }

    /// Unsigned less or equal.
    pub fn ule(&self, other: &BitVector) -> bool {
        self.unsigned_order(other) != Ordering::Greater
    }

    /// Signed less than.
    pub fn slt(&self, other: &BitVector) -> bool {
        self.signed_order(other) == Ordering::Less
    }

    /// Signed less or equal.
    pub fn sle(&self, other: &BitVector) -> bool {
        self.signed_order(other) != Ordering::Greater
    }

    fn unsigned_order(&self, other: &BitVector) -> Ordering {
        self.check_width(other);
        match (&self.limbs, &other.limbs) {
            (Small(a), Small(b)) => a.cmp(b),
            _ => limbs::compare(self.limbs(), other.limbs()),
        }
    }

    fn signed_order(&self, other: &BitVector) -> Ordering {
        // A negative number is below the others; of equal signs, two's complement keeps the order.
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.unsigned_order(other))
    }

    // ---- overflow

    /// Whether the negation overflows: the least signed value.
    pub fn nego(&self) -> bool {
        *self == Self::min_signed(self.width)
    }

    /// Whether the unsigned sum overflows.
    pub fn uaddo(&self, other: &BitVector) -> bool {
        self.add(other).ult(self)
    }

    /// Whether the signed sum overflows.
    pub fn saddo(&self, other: &BitVector) -> bool {
        let sign = self.is_negative();
        sign == other.is_negative() && sign != self.add(other).is_negative()
    }

    /// Whether the unsigned product overflows.
    pub fn umulo(&self, other: &BitVector) -> bool {
        self.check_width(other);
        match (&self.limbs, &other.limbs) {
            (Small(a), Small(b)) => u128::from(*a) * u128::from(*b) > u128::from(mask(self.width)),
            _ => limbs::bit_length(&self.full_product(other)) > self.width,
        }
    }

    /// Whether the signed product overflows.
    pub fn smulo(&self, other: &BitVector) -> bool {
        self.check_width(other);
        if let (Small(a), Small(b)) = (&self.limbs, &other.limbs) {
            let product = i128::from(signed(self.width, *a)) * i128::from(signed(self.width, *b));
            return leaves_signed_range(self.width, product);
        }
        let product = self.magnitude().full_product(&other.magnitude());
        let least = self.is_negative() != other.is_negative()
            && limbs::bit_length(&product) == self.width
            && BitVector::from_limbs(self.width, &product).nego();
        limbs::bit_length(&product) >= self.width && !least
    }

    fn full_product(&self, other: &BitVector) -> Vec<u64> {
        limbs::multiply(self.limbs(), other.limbs(), 2 * limbs::count(self.width))
    }

    /// Whether the unsigned difference is below zero.
    pub fn usubo(&self, other: &BitVector) -> bool {
        self.ult(other)
    }

    /// Whether the signed difference overflows.
    pub fn ssubo(&self, other: &BitVector) -> bool {
        let sign = self.is_negative();
        sign != other.is_negative() && sign != self.sub(other).is_negative()
    }

    /// Whether the signed quotient overflows: the least signed value by −1.
    pub fn sdivo(&self, other: &BitVector) -> bool {
        self.check_width(other);
        self.nego() && other.is_ones()
    }
}
