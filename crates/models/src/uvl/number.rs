//! Exact numbers: fractions of bit-vectors that are as wide as the values need them to be.
//!
//! A number is an integer between two bounds, divided by a positive constant. Sums, differences and products get the
//! bounds that follow from those of their parts, and enough bits that nothing overflows; so the result is exact for
//! all configurations.

use sundry_term::{BitVector, Op, TermId, TermStore};

/// A number that depends on which features there are.
#[derive(Copy, Clone, Debug)]
pub(super) struct Number {
    /// Bounds of the integer.
    low: i128,
    high: i128,
    /// The divisor of the integer; positive.
    divisor: i128,
    /// The integer as a bit-vector with a sign; none if the bounds are equal.
    term: Option<TermId>,
}

/// The relation of two numbers in a comparison.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Bounds are kept below this, so that they can be added.
const MOST: i128 = 1 << 100;

fn checked(value: Option<i128>) -> Option<i128> {
    value.filter(|value| value.abs() < MOST)
}

impl Number {
    /// A constant.
    pub(super) fn constant(value: i128) -> Number {
        Number { low: value, high: value, divisor: 1, term: None }
    }

    /// A decimal number; none if it has too many digits.
    pub(super) fn decimal(text: &str) -> Option<Number> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let value = checked(format!("{whole}{fraction}").parse().ok())?;
        let divisor = checked(10_i128.checked_pow(u32::try_from(fraction.len()).ok()?))?;
        Some(Number { low: value, high: value, divisor, term: None })
    }

    /// The value of a constant, rounded down or up.
    pub(super) fn rounded(self, up: bool) -> Number {
        let down = self.low.div_euclid(self.divisor);
        let is_whole = self.low.rem_euclid(self.divisor) == 0;
        Number::constant(if up && !is_whole { down + 1 } else { down })
    }

    /// The number where a condition holds, which has to be a constant, and else zero.
    pub(super) fn given(self, condition: TermId, store: &mut TermStore) -> Number {
        let (low, high) = (self.low.min(0), self.high.max(0));
        if low == high {
            return self;
        }
        let width = width_of(low, high);
        let (value, zero) = (literal(store, width, self.low), literal(store, width, 0));
        let term = store.make(Op::Ite, &[condition, value, zero]);
        Number { low, high, divisor: self.divisor, term: Some(term) }
    }

    /// Whether the number is the same for all configurations.
    pub(super) fn is_constant(&self) -> bool {
        self.term.is_none()
    }

    /// The negation.
    pub(super) fn negated(self, store: &mut TermStore) -> Option<Number> {
        Number::constant(0).minus(self, store)
    }

    /// The sum; none if its bounds are too large.
    pub(super) fn plus(self, other: Number, store: &mut TermStore) -> Option<Number> {
        self.combined(other, store, Op::BvAdd, |left, right| left.checked_add(right))
    }

    /// The difference.
    pub(super) fn minus(self, other: Number, store: &mut TermStore) -> Option<Number> {
        self.combined(other, store, Op::BvSub, |left, right| left.checked_sub(right))
    }

    /// The product.
    pub(super) fn times(self, other: Number, store: &mut TermStore) -> Option<Number> {
        let divisor = checked(self.divisor.checked_mul(other.divisor))?;
        let (left, right) = (Number { divisor: 1, ..self }, Number { divisor: 1, ..other });
        let product = left.combined(right, store, Op::BvMul, |left, right| left.checked_mul(right))?;
        Some(Number { divisor, ..product })
    }

    /// The quotient by a constant that is not zero.
    pub(super) fn divided_by(self, other: Number, store: &mut TermStore) -> Option<Number> {
        let sign = other.low.signum();
        let factor = Number::constant(checked(other.divisor.checked_mul(sign))?);
        let product = self.times(factor, store)?;
        let divisor = checked(product.divisor.checked_mul(other.low.abs()))?;
        Some(Number { divisor, ..product })
    }

    /// Whether the number is a constant and zero.
    pub(super) fn is_zero(&self) -> bool {
        self.low == 0 && self.high == 0
    }

    /// The condition that the number compares with another one in this way; `None` if bounds are too large.
    pub(super) fn compared(
        self,
        comparison: Comparison,
        other: Number,
        store: &mut TermStore,
    ) -> Option<TermId> {
        let (left, right) = self.aligned(other, store)?;
        let width = width_of(left.low.min(right.low), left.high.max(right.high));
        let terms = [left.extended(width, store), right.extended(width, store)];
        Some(match comparison {
            Comparison::Equal => store.make(Op::Equal, &terms),
            Comparison::NotEqual => {
                let equal = store.make(Op::Equal, &terms);
                store.make(Op::Not, &[equal])
            }
            Comparison::Less => store.make(Op::BvSlt, &terms),
            Comparison::LessOrEqual => store.make(Op::BvSle, &terms),
            Comparison::Greater => store.make(Op::BvSgt, &terms),
            Comparison::GreaterOrEqual => store.make(Op::BvSge, &terms),
        })
    }

    fn combined(
        self,
        other: Number,
        store: &mut TermStore,
        op: Op,
        exact: impl Fn(i128, i128) -> Option<i128>,
    ) -> Option<Number> {
        let (left, right) = self.aligned(other, store)?;
        let mut corners = Vec::new();
        for a in [left.low, left.high] {
            for b in [right.low, right.high] {
                corners.push(checked(exact(a, b))?);
            }
        }
        let (low, high) = (*corners.iter().min()?, *corners.iter().max()?);
        let divisor = left.divisor;
        if left.is_constant() && right.is_constant() {
            return Some(Number { low, high, divisor, term: None });
        }
        // The parts have to fit too.
        let width = width_of(low.min(left.low).min(right.low), high.max(left.high).max(right.high));
        let terms = [left.extended(width, store), right.extended(width, store)];
        let term = Some(store.make(op, &terms));
        Some(Number { low, high, divisor, term })
    }

    /// The two numbers with the same divisor.
    fn aligned(self, other: Number, store: &mut TermStore) -> Option<(Number, Number)> {
        if self.divisor == other.divisor {
            return Some((self, other));
        }
        let common = checked((self.divisor / gcd(self.divisor, other.divisor)).checked_mul(other.divisor))?;
        Some((self.over(common, store)?, other.over(common, store)?))
    }

    /// The same number over a multiple of its divisor.
    fn over(self, divisor: i128, store: &mut TermStore) -> Option<Number> {
        let factor = divisor / self.divisor;
        if factor == 1 {
            return Some(self);
        }
        let product = Number { divisor: 1, ..self }.times(Number::constant(factor), store)?;
        Some(Number { divisor, ..product })
    }

    /// The integer, extended to `width` bits, which are enough for it.
    fn extended(self, width: u32, store: &mut TermStore) -> TermId {
        match self.term {
            None => literal(store, width, self.low),
            Some(term) => {
                let own = store.width(term).expect("a bit-vector");
                if own < width {
                    store.make(Op::SignExtend(width - own), &[term])
                } else if own > width {
                    // Its value is known to need no more bits.
                    store.make(Op::Extract { high: width - 1, low: 0 }, &[term])
                } else {
                    term
                }
            }
        }
    }
}

/// The number of bits that hold both numbers with their signs.
fn width_of(low: i128, high: i128) -> u32 {
    let bits =
        |value: i128| i128::BITS - if value < 0 { (!value).leading_zeros() } else { value.leading_zeros() };
    bits(low).max(bits(high)) + 1
}

fn literal(store: &mut TermStore, width: u32, value: i128) -> TermId {
    let bits = BitVector::from_bits(width, |bit| value >> bit.min(127) & 1 == 1);
    store.bit_vector(bits)
}

fn gcd(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
