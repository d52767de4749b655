//! Sums, products, quotients and the order of rational numbers.
//!
//! A number beyond words is most often an integer, such as 2^256 in a formula about contracts, and meets small ones: zero, one, or a word. None of these cases needs a
//! fraction in lowest terms, nor a copy of the number in which it becomes an operand.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{Number, ONE, Rational};

/// An integer as an operand: a word, or the numerator of a number of any size.
enum Integer<'r> {
    Word(i64),
    Big(&'r IBig),
}

impl Rational {
    fn as_integer(&self) -> Option<Integer<'_>> {
        match &self.0 {
            Number::Words(numerator, ONE) => Some(Integer::Word(*numerator)),
            Number::Big(big) if big.is_int() => Some(Integer::Big(big.numerator())),
            _ => None,
        }
    }

    fn as_big(&self) -> Cow<'_, RBig> {
        match &self.0 {
            Number::Words(..) => Cow::Owned(self.to_big()),
            Number::Big(big) => Cow::Borrowed(big),
        }
    }

    fn is_minus_one(&self) -> bool {
        matches!(self.0, Number::Words(-1, ONE))
    }

    /// The sum where one number does not fit into words.
    fn add_big(&self, other: &Rational) -> Rational {
        if other.is_zero() {
            return self.clone();
        }
        if self.is_zero() {
            return other.clone();
        }
        match (self.as_integer(), other.as_integer()) {
            (Some(Integer::Big(a)), Some(Integer::Big(b))) => Rational::from(a + b),
            (Some(Integer::Big(big)), Some(Integer::Word(word)))
            | (Some(Integer::Word(word)), Some(Integer::Big(big))) => Rational::from(big + word),
            _ => Rational::from_big(&*self.as_big() + &*other.as_big()),
        }
    }

    /// The difference where one number does not fit into words.
    fn subtract_big(&self, other: &Rational) -> Rational {
        if other.is_zero() {
            return self.clone();
        }
        match (self.as_integer(), other.as_integer()) {
            (Some(Integer::Big(a)), Some(Integer::Big(b))) => Rational::from(a - b),
            (Some(Integer::Big(big)), Some(Integer::Word(word))) => Rational::from(big - word),
            (Some(Integer::Word(word)), Some(Integer::Big(big))) => Rational::from(word - big),
            _ => Rational::from_big(&*self.as_big() - &*other.as_big()),
        }
    }

    /// The product where one number does not fit into words.
    fn multiply_big(&self, other: &Rational) -> Rational {
        for (factor, number) in [(self, other), (other, self)] {
            if factor.is_zero() {
                return Rational::ZERO;
            }
            if factor.is_one() {
                return number.clone();
            }
            if factor.is_minus_one() {
                return -number;
            }
        }
        match (self.as_integer(), other.as_integer()) {
            (Some(Integer::Big(a)), Some(Integer::Big(b))) => Rational::from(a * b),
            (Some(Integer::Big(big)), Some(Integer::Word(word)))
            | (Some(Integer::Word(word)), Some(Integer::Big(big))) => Rational::from(big * word),
            _ => Rational::from_big(&*self.as_big() * &*other.as_big()),
        }
    }

    /// The order where one number does not fit into words.
    fn compare_big(&self, other: &Rational) -> Ordering {
        match (self.as_integer(), other.as_integer()) {
            (Some(Integer::Big(a)), Some(Integer::Big(b))) => a.cmp(b),
            // An integer that does not fit into a word is further from zero than all numbers of words.
            (Some(Integer::Big(_)), _) if matches!(other.0, Number::Words(..)) => {
                if self.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (_, Some(Integer::Big(_))) if matches!(self.0, Number::Words(..)) => {
                if other.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            _ => self.as_big().cmp(&other.as_big()),
        }
    }
}

impl Add for &Rational {
    type Output = Rational;

    #[inline]
    fn add(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Number::Words(a, b), Number::Words(c, d)) => {
                let (a, b, c, d) = (i128::from(*a), i128::from(b.get()), i128::from(*c), i128::from(d.get()));
                if b == d {
                    return Rational::reduced(a + c, b);
                }
                // Below 2^127: each product is below 2^126.
                Rational::reduced(a * d + c * b, b * d)
            }
            _ => self.add_big(other),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;

    #[inline]
    fn sub(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Number::Words(..), Number::Words(..)) => self + &-other,
            _ => self.subtract_big(other),
        }
    }
}

impl Mul for &Rational {
    type Output = Rational;

    #[inline]
    fn mul(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Number::Words(a, b), Number::Words(c, d)) => {
                Rational::reduced(i128::from(*a) * i128::from(*c), i128::from(b.get()) * i128::from(d.get()))
            }
            _ => self.multiply_big(other),
        }
    }
}

impl Div for &Rational {
    type Output = Rational;

    fn div(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Number::Words(a, b), Number::Words(c, d)) => {
                assert_ne!(*c, 0, "zero has no reciprocal");
                let sign = i128::from(c.signum());
                let numerator = i128::from(*a) * i128::from(d.get()) * sign;
                Rational::reduced(numerator, i128::from(b.get()) * i128::from(*c) * sign)
            }
            _ => Rational::from_big(&*self.as_big() / &*other.as_big()),
        }
    }
}

impl Neg for &Rational {
    type Output = Rational;

    #[inline]
    fn neg(self) -> Rational {
        match &self.0 {
            Number::Words(numerator, denominator) => Rational(Number::Words(-numerator, *denominator)),
            Number::Big(big) => Rational::from_big(-(**big).clone()),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;

    fn neg(self) -> Rational {
        -&self
    }
}

impl AddAssign<&Rational> for Rational {
    #[inline]
    fn add_assign(&mut self, other: &Rational) {
        *self = &*self + other;
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Number::Words(a, b), Number::Words(c, d)) if b == d => a.cmp(c),
            (Number::Words(a, b), Number::Words(c, d)) => {
                (i128::from(*a) * i128::from(d.get())).cmp(&(i128::from(*c) * i128::from(b.get())))
            }
            _ => self.compare_big(other),
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
