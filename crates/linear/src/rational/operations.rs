//! Sums, products, quotients and the order of rational numbers.
//!
//! A number beyond words is most often an integer, such as 2^256 in a formula about contracts, and meets integers. These need no fraction in lowest terms, and
//! no number is copied to become an operand.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::{Number, ONE, Rational};

impl Rational {
    fn as_integer(&self) -> Option<Cow<'_, IBig>> {
        match &self.0 {
            Number::Words(numerator, ONE) => Some(Cow::Owned(IBig::from(*numerator))),
            Number::Big(big) if big.is_int() => Some(Cow::Borrowed(big.numerator())),
            _ => None,
        }
    }

    fn as_big(&self) -> Cow<'_, RBig> {
        match &self.0 {
            Number::Words(..) => Cow::Owned(self.to_big()),
            Number::Big(big) => Cow::Borrowed(big),
        }
    }

    /// The result of an operation on two integers, or else on two fractions, where one number does not fit into words.
    fn combine(
        &self,
        other: &Rational,
        of_integers: impl Fn(&IBig, &IBig) -> IBig,
        of_fractions: impl Fn(&RBig, &RBig) -> RBig,
    ) -> Rational {
        match (self.as_integer(), other.as_integer()) {
            (Some(a), Some(b)) => Rational::from(of_integers(&a, &b)),
            _ => Rational::from_big(of_fractions(&self.as_big(), &other.as_big())),
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
            _ => self.combine(other, |a, b| a + b, |a, b| a + b),
        }
    }
}

impl Sub for &Rational {
    type Output = Rational;

    #[inline]
    fn sub(self, other: &Rational) -> Rational {
        match (&self.0, &other.0) {
            (Number::Words(..), Number::Words(..)) => self + &-other,
            _ => self.combine(other, |a, b| a - b, |a, b| a - b),
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
            _ => self.combine(other, |a, b| a * b, |a, b| a * b),
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
            _ => match (self.as_integer(), other.as_integer()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => self.as_big().cmp(&other.as_big()),
            },
        }
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
