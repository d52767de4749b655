//! Values of variables: rationals, with an infinitesimal part for strict bounds.
//!
//! "Less than 3" is "at most 3 − δ" for a positive δ below every number that matters (Dutertre & de Moura, *A fast linear-arithmetic
//! solver for DPLL(T)*, CAV 2006, section 3.2). What δ is, is chosen last.

use std::fmt;
use std::ops::{Add, Sub};

use crate::rational::Rational;

/// A rational number plus a multiple of the infinitesimal δ. The order is that for every small δ.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Value {
    /// The rational part.
    pub rational: Rational,
    /// The factor of δ.
    pub infinitesimal: Rational,
}

impl Value {
    /// Zero.
    pub const ZERO: Value = Value { rational: Rational::ZERO, infinitesimal: Rational::ZERO };

    /// The greatest value below a number.
    pub fn below(number: Rational) -> Value {
        Value { rational: number, infinitesimal: Rational::MINUS_ONE }
    }

    /// The least value above a number.
    pub fn above(number: Rational) -> Value {
        Value { rational: number, infinitesimal: Rational::ONE }
    }

    /// Whether the value is an integer.
    pub fn is_integer(&self) -> bool {
        self.infinitesimal.is_zero() && self.rational.is_integer()
    }

    /// The greatest integer that is not greater than the value.
    pub fn floor(&self) -> Rational {
        let floor = self.rational.floor();
        if floor == self.rational && self.infinitesimal.is_negative() {
            &floor - &Rational::ONE
        } else {
            floor
        }
    }

    /// Whether the value is zero.
    pub fn is_zero(&self) -> bool {
        self.rational.is_zero() && self.infinitesimal.is_zero()
    }

    /// The number for a certain δ.
    pub fn at(&self, delta: &Rational) -> Rational {
        let mut number = self.rational.clone();
        number.add_product(&self.infinitesimal, delta);
        number
    }

    /// Adds the product of a value and a number.
    #[inline]
    pub fn add_product(&mut self, value: &Value, factor: &Rational) {
        self.rational.add_product(&value.rational, factor);
        if !value.infinitesimal.is_zero() {
            self.infinitesimal.add_product(&value.infinitesimal, factor);
        }
    }

    /// The value times a number.
    pub fn scaled(&self, factor: &Rational) -> Value {
        Value { rational: &self.rational * factor, infinitesimal: &self.infinitesimal * factor }
    }
}

impl From<Rational> for Value {
    fn from(rational: Rational) -> Self {
        Value { rational, infinitesimal: Rational::ZERO }
    }
}

impl Add for &Value {
    type Output = Value;

    fn add(self, other: &Value) -> Value {
        Value {
            rational: &self.rational + &other.rational,
            infinitesimal: &self.infinitesimal + &other.infinitesimal,
        }
    }
}

impl Sub for &Value {
    type Output = Value;

    fn sub(self, other: &Value) -> Value {
        Value {
            rational: &self.rational - &other.rational,
            infinitesimal: &self.infinitesimal - &other.infinitesimal,
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rational)?;
        if self.infinitesimal.is_zero() { Ok(()) } else { write!(f, " + {}δ", self.infinitesimal) }
    }
}

/// A positive δ for which each of these values keeps its order to the others.
pub fn choose_delta<'v>(values: impl Iterator<Item = &'v Value>) -> Rational {
    let mut sorted: Vec<&Value> = values.collect();
    sorted.sort_unstable();
    let mut delta = Rational::ONE;
    for pair in sorted.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        // low + a δ < high + b δ, where only δ below the quotient keeps them apart.
        if low.rational < high.rational && low.infinitesimal > high.infinitesimal {
            let gap = &high.rational - &low.rational;
            let quotient = &gap / &(&low.infinitesimal - &high.infinitesimal);
            if quotient <= delta {
                delta = &quotient / &Rational::from(2);
            }
        }
    }
    delta
}
