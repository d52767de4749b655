//! Distances of Boolean terms to both truth values: the objective of XSat beyond conjunctive normal form.
//!
//! The objective of a conjunction is a sum and that of a disjunction a product (Fu & Su, *XSat: A fast floating-point
//! satisfiability solver*, CAV 2016; equations 3 and 4 in the notation of MuSE). Each term here has two distances, so that negation
//! swaps them and every connective has both. Two things differ from the paper, and neither changes where a distance is zero:
//!
//! - A distance between numbers counts on a logarithmic scale. In a plain sum, the assertion that is furthest from
//!   true hides all others, since numbers of floats differ by a factor of 2^60.
//! - The distance of a disjunction is the product divided by the sum, that is, one divided by the sum of the
//!   reciprocals. Products of dozens of distances exceed all doubles; this quotient keeps the unit, and
//!   every disjunct still has an influence, which it would not have on the minimum.

/// The distances of a Boolean term from both truth values. One of the distances is zero, and the other is not.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Distance {
    /// Zero exactly if the term is true.
    pub to_true: f64,
    /// Zero exactly if the term is false.
    pub to_false: f64,
}

/// The distance of a comparison with NaN, of which no step leads to a number, and of constants.
pub(crate) const FAR: f64 = 128.0;

impl Distance {
    /// The distance of a truth value that nothing is known about besides.
    pub(crate) fn flat(holds: bool) -> Distance {
        Distance::new(holds, 1.0)
    }

    /// The distance of a constant, or of a comparison that NaN decides.
    pub(crate) fn far(holds: bool) -> Distance {
        Distance::new(holds, FAR)
    }

    /// The distance of a truth value from the other one.
    pub(crate) fn new(holds: bool, other: f64) -> Distance {
        if holds {
            Distance { to_true: 0.0, to_false: other }
        } else {
            Distance { to_true: other, to_false: 0.0 }
        }
    }

    /// Whether the term is true.
    pub fn holds(self) -> bool {
        self.to_true == 0.0
    }

    pub(crate) fn negated(self) -> Distance {
        Distance { to_true: self.to_false, to_false: self.to_true }
    }

    pub(crate) fn and(self, other: Distance) -> Distance {
        Distance { to_true: self.to_true + other.to_true, to_false: either(self.to_false, other.to_false) }
    }

    pub(crate) fn or(self, other: Distance) -> Distance {
        self.negated().and(other.negated()).negated()
    }

    pub(crate) fn xor(self, other: Distance) -> Distance {
        self.and(other.negated()).or(self.negated().and(other))
    }

    pub(crate) fn choice(self, consequent: Distance, alternative: Distance) -> Distance {
        self.and(consequent).or(self.negated().and(alternative))
    }
}

/// The distance of a disjunction of two.
fn either(left: f64, right: f64) -> f64 {
    // Without distance there would be no sum to divide by.
    if left == 0.0 || right == 0.0 { 0.0 } else { left * right / (left + right) }
}

/// A number of steps on the logarithmic scale: the binary logarithm of its successor, linear between powers of two. Zero steps
/// are distance zero, and no other number is.
pub(crate) fn scaled(steps: f64) -> f64 {
    // The bits of a positive double are its logarithm, linear between powers of two, in units of the last place.
    const ULP: f64 = 1.0 / (1u64 << 52) as f64;
    ((steps + 1.0).to_bits() - 1.0f64.to_bits()) as f64 * ULP
}

/// A relation between values.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal,
    Less,
    LessOrEqual,
}

impl Relation {
    /// The distance of the relation between values that are so many steps apart, given their order (Table 1 of MuSE). In the table, the
    /// distance of `<` between equal values is zero, which is not true; the step that is missing is added.
    pub(crate) fn distance(self, order: std::cmp::Ordering, steps: f64) -> Distance {
        match self {
            Relation::Equal if order.is_eq() => Distance::new(true, 1.0),
            Relation::Equal => Distance::new(false, scaled(steps)),
            Relation::Less if order.is_lt() => Distance::new(true, scaled(steps)),
            Relation::Less => Distance::new(false, scaled(steps + 1.0)),
            Relation::LessOrEqual if order.is_le() => Distance::new(true, scaled(steps + 1.0)),
            Relation::LessOrEqual => Distance::new(false, scaled(steps)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_a_logarithm() {
        assert_eq!([0.0, 1.0, 3.0, 7.0].map(scaled), [0.0, 1.0, 2.0, 3.0]);
        let values = [0.0, 1.0, 2.0, 3.0, 100.0, 1e6, 1e15, 1e18, u64::MAX as f64];
        assert!(values.map(scaled).is_sorted_by(|left, right| left < right));
        assert!(scaled(u64::MAX as f64) <= 64.0);
    }

    #[test]
    fn connectives_are_zero_where_they_hold() {
        let values = [Distance::new(true, 3.0), Distance::new(false, 5.0)];
        for a in values {
            for b in values {
                let (p, q) = (a.holds(), b.holds());
                let results = [
                    (a.and(b), p && q),
                    (a.or(b), p || q),
                    (a.xor(b), p != q),
                    (a.negated(), !p),
                    (a.choice(b, b.negated()), p == q),
                ];
                for (distance, holds) in results {
                    assert_eq!((distance.to_true == 0.0, distance.to_false == 0.0), (holds, !holds));
                }
            }
        }
    }
}
