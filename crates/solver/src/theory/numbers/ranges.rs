//! Bounds that numbers have for ever: by those of their parts, or by the simplex.

use sundry_linear::{Outcome, Rational, Side};
use sundry_term::Control;

use super::Numbers;
use super::bits::power_of_two;
use super::expression::Expression;

/// Work that the simplex may spend on ranges altogether, in the units of [`Control::spend`]: about a second.
const MAXIMAL_WORK: u64 = 100_000_000;

/// The power of two that bounds ranges: beyond it, no bits are the same.
const LARGEST: u32 = 64;

/// The bounds of a number, where they are known.
#[derive(Clone, Debug)]
pub(super) struct Range {
    least: Option<Rational>,
    most: Option<Rational>,
}

impl Range {
    /// Whether the number never is negative, or always is.
    pub(super) fn sign(&self) -> Option<bool> {
        if self.least.as_ref().is_some_and(|least| !least.is_negative()) {
            return Some(false);
        }
        self.most.as_ref().is_some_and(Rational::is_negative).then_some(true)
    }

    /// Whether a bit, and all those above it, say whether the number is negative.
    pub(super) fn is_sign(&self, bit: u32) -> bool {
        let (Some(least), Some(most)) = (&self.least, &self.most) else { return false };
        let unit = power_of_two(bit);
        -&unit <= *least && *most < unit
    }

    /// The least and the greatest value, where both are known.
    pub(super) fn ends(&self) -> Option<(&Rational, &Rational)> {
        Some((self.least.as_ref()?, self.most.as_ref()?))
    }
}

impl Numbers {
    /// The range of an integer.
    pub(super) fn range_of(&mut self, number: &Expression) -> Range {
        let [least, most] = [Side::Lower, Side::Upper]
            .map(|side| self.known_bound(number, side).or_else(|| self.bound_by_simplex(number, side)));
        Range { least, most }
    }

    /// A bound of an expression that follows from those of its parts.
    fn known_bound(&self, number: &Expression, side: Side) -> Option<Rational> {
        let mut bound = number.constant.clone();
        let of_variable = |variable, side| Some(self.simplex.bound(variable, side)?.rational.clone());
        if number.terms.len() > 1
            && let Some((variable, factor)) = self.known_variable_of(number)
        {
            let side_of_sum = if factor.is_negative() { side.opposite() } else { side };
            if let Some(of_sum) = of_variable(variable, side_of_sum) {
                bound.add_product(&factor, &of_sum);
                return Some(bound);
            }
        }
        for (variable, factor) in &number.terms {
            let side = if factor.is_negative() { side.opposite() } else { side };
            bound.add_product(factor, &of_variable(*variable, side)?);
        }
        Some(bound)
    }

    /// The closest bound of an integer, among zero and the powers of two, that the simplex shows.
    fn bound_by_simplex(&mut self, number: &Expression, side: Side) -> Option<Rational> {
        // Limits from the closest to the farthest; the first that the number cannot reach is found by bisection.
        let limit = |place: u32| if place == 0 { Rational::ZERO } else { power_of_two(place - 1) };
        let (mut first, mut last) = (0, LARGEST + 1);
        if !self.is_out_of_reach(number, side, &limit(last)) {
            return None;
        }
        while first < last {
            let middle = (first + last) / 2;
            if self.is_out_of_reach(number, side, &limit(middle)) {
                last = middle;
            } else {
                first = middle + 1;
            }
        }
        let below_limit = &limit(last) - &Rational::ONE;
        Some(if side == Side::Upper { below_limit } else { -&limit(last) })
    }

    /// Whether the bounds that hold for ever exclude that a number is at least a limit, or less than the opposite of the limit.
    fn is_out_of_reach(&mut self, number: &Expression, side: Side, limit: &Rational) -> bool {
        if self.work_on_ranges >= MAXIMAL_WORK {
            return false;
        }
        let (variable, factor) = self.variable_of(number);
        let reached = match side {
            Side::Upper => limit.clone(),
            Side::Lower => &-limit - &Rational::ONE,
        };
        let bound = &(&reached - &number.constant) / &factor;
        let side_of_variable = if factor.is_negative() { side } else { side.opposite() };
        let control = Control::default().with_work(MAXIMAL_WORK - self.work_on_ranges);
        let mark = self.simplex.mark();
        let is_excluded = self.simplex.assert(variable, side_of_variable, bound.into(), 0).is_err()
            || matches!(self.simplex.check(&control), Ok(Outcome::Conflict(_)));
        self.simplex.backtrack(mark);
        self.work_on_ranges += control.spent();
        is_excluded
    }
}
