//! Exact rational numbers: two machine words first, numbers of any size behind them.
//!
//! Almost all numbers of a tableau are small, and most of them are integers, so the operations on words come first and are
//! inlined. A number that fits into words is always in words, so that equal numbers have equal representations.

mod operations;

use std::fmt;
use std::num::NonZeroI64;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Number);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Number {
    /// Numerator and denominator without a common factor. The denominator is positive; the numerator is not the least word, whose
    /// opposite is no word.
    Words(i64, NonZeroI64),
    /// A number that does not fit into words.
    Big(Box<RBig>),
}

const ONE: NonZeroI64 = NonZeroI64::new(1).expect("one is not zero");

fn divisor_of_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        // Words divide much faster than pairs of them.
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(divisor_of_words(a, b));
        }
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational(Number::Words(0, ONE));
    /// One.
    pub const ONE: Rational = Rational(Number::Words(1, ONE));
    /// Minus one.
    pub const MINUS_ONE: Rational = Rational(Number::Words(-1, ONE));

    /// The number with this numerator and this positive denominator, which may have common factors.
    #[inline]
    fn reduced(numerator: i128, denominator: i128) -> Rational {
        if denominator == 1 {
            return Rational::from_wide(numerator);
        }
        if let (Ok(numerator), Ok(denominator)) = (i64::try_from(numerator), i64::try_from(denominator)) {
            return Rational::reduced_words(numerator, denominator);
        }
        let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator as u128) as i128;
        Rational::from_coprime(numerator / divisor, denominator / divisor)
    }

    /// [`reduced`](Self::reduced) of words, which divide much faster than pairs of them.
    #[inline]
    fn reduced_words(numerator: i64, denominator: i64) -> Rational {
        let divisor = divisor_of_words(numerator.unsigned_abs(), denominator.unsigned_abs()) as i64;
        if numerator == i64::MIN && divisor == 1 {
            return Rational::from_coprime(i128::from(numerator), i128::from(denominator));
        }
        let denominator = NonZeroI64::new(denominator / divisor).expect("denominators are positive");
        Rational(Number::Words(numerator / divisor, denominator))
    }

    #[inline]
    fn from_wide(integer: i128) -> Rational {
        match i64::try_from(integer) {
            Ok(word) if word != i64::MIN => Rational(Number::Words(word, ONE)),
            _ => Rational(Number::Big(Box::new(RBig::from(IBig::from(integer))))),
        }
    }

    fn from_coprime(numerator: i128, denominator: i128) -> Rational {
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) if numerator != i64::MIN => {
                let denominator = NonZeroI64::new(denominator).expect("denominators are positive");
                Rational(Number::Words(numerator, denominator))
            }
            _ => {
                let big = RBig::from_parts(IBig::from(numerator), UBig::from(denominator.unsigned_abs()));
                Rational(Number::Big(Box::new(big)))
            }
        }
    }

    fn from_big(big: RBig) -> Rational {
        let words = (i64::try_from(big.numerator()), i64::try_from(big.denominator()));
        match words {
            (Ok(numerator), Ok(denominator)) if numerator != i64::MIN => {
                let denominator = NonZeroI64::new(denominator).expect("denominators are positive");
                Rational(Number::Words(numerator, denominator))
            }
            _ => Rational(Number::Big(Box::new(big))),
        }
    }

    /// The number as one of the library for numbers of any size.
    pub fn to_big(&self) -> RBig {
        match &self.0 {
            Number::Words(numerator, denominator) => {
                RBig::from_parts(IBig::from(*numerator), UBig::from(denominator.get().unsigned_abs()))
            }
            Number::Big(big) => (**big).clone(),
        }
    }

    /// Whether the number is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Number::Words(0, _))
    }

    /// Whether the number is one.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Number::Words(1, ONE))
    }

    /// Whether the number is below zero.
    #[inline]
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Number::Words(numerator, _) => *numerator < 0,
            Number::Big(big) => **big < RBig::ZERO,
        }
    }

    /// Whether the number is above zero.
    #[inline]
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// Whether the number is an integer.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Number::Words(_, denominator) => *denominator == ONE,
            Number::Big(big) => big.is_int(),
        }
    }

    /// The greatest integer that is not greater than the number.
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Number::Words(numerator, denominator) => {
                Rational::from_wide(i128::from(numerator.div_euclid(denominator.get())))
            }
            Number::Big(big) => Rational::from(big.floor()),
        }
    }

    /// The least integer that is not less than the number.
    pub fn ceiling(&self) -> Rational {
        -(-self).floor()
    }

    /// The number without its integer part: at least zero, less than one.
    pub fn fraction(&self) -> Rational {
        self - &self.floor()
    }

    /// The absolute value.
    pub fn magnitude(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// One divided by the number.
    ///
    /// # Panics
    /// When the number is zero.
    pub fn reciprocal(&self) -> Rational {
        match &self.0 {
            Number::Words(numerator, denominator) => {
                let sign = if *numerator < 0 { -1 } else { 1 };
                let denominator = denominator.get() * sign;
                let numerator = NonZeroI64::new(numerator * sign).expect("zero has no reciprocal");
                Rational(Number::Words(denominator, numerator))
            }
            Number::Big(big) => Rational::from_big(RBig::ONE / &**big),
        }
    }

    /// The numerator of the number in lowest terms.
    pub fn numerator(&self) -> Rational {
        match &self.0 {
            Number::Words(numerator, _) => Rational(Number::Words(*numerator, ONE)),
            Number::Big(big) => Rational::from(big.numerator().clone()),
        }
    }

    /// The number, if it is an integer that fits into a word.
    pub fn as_word(&self) -> Option<i64> {
        match self.0 {
            Number::Words(numerator, ONE) => Some(numerator),
            _ => None,
        }
    }

    /// The denominator of the number in lowest terms.
    pub fn denominator(&self) -> Rational {
        match &self.0 {
            Number::Words(_, denominator) => Rational(Number::Words(denominator.get(), ONE)),
            Number::Big(big) => Rational::from(IBig::from(big.denominator().clone())),
        }
    }

    /// The greatest common divisor of two integers; the other one's magnitude where one is zero.
    pub fn common_divisor(&self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Number::Words(a, _), Number::Words(b, _)) => {
                let divisor =
                    greatest_common_divisor(u128::from(a.unsigned_abs()), u128::from(b.unsigned_abs()));
                Rational::from_wide(divisor as i128)
            }
            _ => {
                use dashu_int::ops::Gcd;
                let (a, b) = (self.to_big(), other.to_big());
                if self.is_zero() {
                    return other.magnitude();
                }
                if other.is_zero() {
                    return self.magnitude();
                }
                Rational::from(IBig::from(a.numerator().gcd(b.numerator())))
            }
        }
    }

    /// The number of bits of numerator and denominator together: a measure of the work that the number makes.
    pub fn bit_length(&self) -> usize {
        match &self.0 {
            Number::Words(..) => 128,
            Number::Big(big) => big.numerator().bit_len() + big.denominator().bit_len(),
        }
    }

    /// Adds the product of two numbers.
    #[inline]
    pub fn add_product(&mut self, a: &Rational, b: &Rational) {
        if let (Number::Words(sum, ONE), Number::Words(a, ONE), Number::Words(b, ONE)) = (&self.0, &a.0, &b.0)
            && let Some(product) = a.checked_mul(*b)
            && let Some(result) = sum.checked_add(product)
            && result != i64::MIN
        {
            self.0 = Number::Words(result, ONE);
            return;
        }
        *self = &*self + &(a * b);
    }
}

/// The positive number by which these have to be multiplied so that they are integers without a common divisor; `None` if all are zero.
pub fn scale_to_coprime_integers<'r>(
    numbers: impl Iterator<Item = &'r Rational> + Clone,
) -> Option<Rational> {
    let denominator = numbers.clone().fold(Rational::ONE, |so_far, number| {
        let theirs = number.denominator();
        &(&so_far * &theirs) / &so_far.common_divisor(&theirs)
    });
    let divisor =
        numbers.fold(Rational::ZERO, |so_far, number| so_far.common_divisor(&(number * &denominator)));
    (!divisor.is_zero()).then(|| &denominator / &divisor)
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl From<i64> for Rational {
    fn from(integer: i64) -> Self {
        Rational::from_wide(i128::from(integer))
    }
}

impl From<IBig> for Rational {
    fn from(integer: IBig) -> Self {
        match i64::try_from(&integer) {
            Ok(word) if word != i64::MIN => Rational(Number::Words(word, ONE)),
            _ => Rational(Number::Big(Box::new(RBig::from(integer)))),
        }
    }
}

impl From<&RBig> for Rational {
    fn from(number: &RBig) -> Self {
        Rational::from_big(number.clone())
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Number::Words(numerator, ONE) => write!(f, "{numerator}"),
            Number::Words(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Number::Big(big) => big.fmt(f),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rational() -> impl Strategy<Value = (Rational, RBig)> {
        let word = || prop_oneof![-20i64..20, Just(i64::MAX), Just(i64::MIN), any::<i64>()];
        let small = (word(), word()).prop_map(|(numerator, denominator)| {
            let denominator = if denominator == 0 { 1 } else { denominator };
            RBig::from_parts_signed(IBig::from(numerator), IBig::from(denominator))
        });
        let shifted = (word(), 0usize..70).prop_map(|(word, places)| RBig::from(IBig::from(word) << places));
        let large = (shifted, small.clone(), 0u8..3).prop_map(|(integer, small, kind)| match kind {
            0 => integer,
            1 => integer + small,
            _ => integer * small,
        });
        prop_oneof![small, large].prop_map(|big| (Rational::from(&big), big))
    }

    proptest! {
        /// The operations are those of the library for numbers of any size, and each number has one representation.
        #[test]
        fn operations_are_exact((a, big_a) in rational(), (b, big_b) in rational(), (c, big_c) in rational()) {
            prop_assert_eq!(&a + &b, Rational::from(&(&big_a + &big_b)));
            prop_assert_eq!(&a - &b, Rational::from(&(&big_a - &big_b)));
            prop_assert_eq!(&a * &b, Rational::from(&(&big_a * &big_b)));
            prop_assert_eq!(a.cmp(&b), big_a.cmp(&big_b));
            prop_assert_eq!(a.floor(), Rational::from(big_a.floor()));
            prop_assert_eq!(a.ceiling(), Rational::from(big_a.ceil()));
            prop_assert_eq!(a.is_integer(), big_a.is_int());
            prop_assert_eq!(a.is_negative(), big_a < RBig::ZERO);
            if !b.is_zero() {
                prop_assert_eq!(&a / &b, Rational::from(&(&big_a / &big_b)));
            }
            let mut sum = c.clone();
            sum.add_product(&a, &b);
            prop_assert_eq!(&sum, &Rational::from(&(&big_c + &big_a * &big_b)));
            prop_assert_eq!(sum.to_big(), big_c + big_a * big_b);
        }
    }

    #[test]
    fn numbers_take_two_words() {
        assert_eq!(size_of::<Rational>(), 16);
        assert_eq!(ONE.get(), 1);
    }

    #[test]
    fn common_divisors_are_positive() {
        let divisor = |a: i64, b: i64| Rational::from(a).common_divisor(&Rational::from(b));
        assert_eq!(divisor(-12, 18), Rational::from(6));
        assert_eq!(divisor(0, -5), Rational::from(5));
        let big = Rational::from(IBig::ONE << 100);
        assert_eq!(big.common_divisor(&Rational::from(48)), Rational::from(16));
        assert_eq!(Rational::ZERO.common_divisor(&big), big);
    }
}
