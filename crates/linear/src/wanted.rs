//! Bounds that are asserted only where the values do not meet them anyway.
//!
//! A candidate of a SAT solver says on which side of a bound thousands of sums are, most of which are there by themselves: their rows would only make every
//! pivot longer. So a sum gets its row when values are found that are on the wrong side, as cuts are added to a linear program when they are violated
//! (Dantzig, Fulkerson & Johnson, *Solution of a large-scale traveling-salesman problem*, 1954).

use sundry_term::{Control, Stopped};

use crate::bounds::{Side, Tag};
use crate::simplex::{Outcome, Simplex, Variable};
use crate::value::Value;

/// The work of looking at a bound, in the units of [`Control::spend`].
const WORK_OF_BOUND: u32 = 16;

/// A bound that values have to meet.
#[derive(Clone, Debug)]
pub struct WantedBound {
    /// The variable that has the bound.
    pub variable: Variable,
    /// The side of the variable.
    pub side: Side,
    /// The bound.
    pub limit: Value,
    /// The name of the bound in conflicts.
    pub tag: Tag,
}

/// The outcome of [`Simplex::meet`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Met {
    /// The values met all bounds before.
    Before,
    /// The values have changed, or there are more bounds than before: all bounds are met now.
    Now,
    /// No values meet the bounds with these tags, sorted.
    Conflict(Vec<Tag>),
}

impl Simplex {
    /// Finds values within all bounds so far and these, which may be taken back. Bounds of sums that have no row are asserted only where they are violated, unless
    /// all are to be.
    ///
    /// # Errors
    /// The control stopped the search.
    pub fn meet(&mut self, wanted: &[&WantedBound], all: bool, control: &Control) -> Result<Met, Stopped> {
        let mut waiting: Vec<&WantedBound> = wanted.to_vec();
        let (mut met, mut are_checked) = (Met::Before, false);
        loop {
            let (mark, pivots) = (self.mark(), self.pivots());
            let mut still_waiting = Vec::with_capacity(waiting.len());
            for bound in waiting {
                control.spend(WORK_OF_BOUND)?;
                let is_idle = self.is_idle(bound.variable.0);
                if is_idle && !all && !bound.side.forbids(&bound.limit, &self.value(bound.variable)) {
                    still_waiting.push(bound);
                    continue;
                }
                let WantedBound { variable, side, ref limit, tag } = *bound;
                if let Err(tags) = self.assert(variable, side, limit.clone(), tag) {
                    return Ok(Met::Conflict(tags));
                }
            }
            if are_checked && self.mark() == mark {
                return Ok(met);
            }
            waiting = still_waiting;
            if let Outcome::Conflict(tags) = self.check(control)? {
                return Ok(Met::Conflict(tags));
            }
            are_checked = true;
            if (self.mark(), self.pivots()) != (mark, pivots) {
                met = Met::Now;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;

    #[test]
    fn sums_get_rows_where_their_bounds_are_violated() {
        let number = |number: i64| Value::from(Rational::from(number));
        let mut simplex = Simplex::new();
        let [x, y] = [simplex.new_variable(true), simplex.new_variable(true)];
        let sum = simplex.define(&[(x, Rational::ONE), (y, Rational::ONE)]);
        let difference = simplex.define(&[(x, Rational::ONE), (y, Rational::MINUS_ONE)]);
        let wanted = |variable, side, limit, tag| WantedBound { variable, side, limit: number(limit), tag };
        let near = wanted(difference, Side::Upper, 5, 1);
        let control = Control::default();
        assert_eq!(simplex.meet(&[&near], false, &control), Ok(Met::Before));
        assert!(simplex.is_idle(difference.0), "zero is at most five");

        let far = wanted(sum, Side::Lower, 20, 2);
        assert_eq!(simplex.meet(&[&near, &far], false, &control), Ok(Met::Now));
        assert!(*simplex.value(sum) >= number(20) && *simplex.value(difference) <= number(5));

        let small = [wanted(x, Side::Upper, 9, 3), wanted(y, Side::Upper, 9, 4)];
        let all = [&near, &far, &small[0], &small[1]];
        assert_eq!(simplex.meet(&all, false, &control), Ok(Met::Conflict(vec![2, 3, 4])));
    }

    #[test]
    fn all_bounds_are_asserted_on_demand() {
        let mut simplex = Simplex::new();
        let [x, y] = [simplex.new_variable(false), simplex.new_variable(false)];
        let sum = simplex.define(&[(x, Rational::ONE), (y, Rational::ONE)]);
        let bound =
            WantedBound { variable: sum, side: Side::Upper, limit: Value::above(Rational::ZERO), tag: 0 };
        assert_eq!(simplex.meet(&[&bound], true, &Control::default()), Ok(Met::Now));
        assert!(!simplex.is_idle(sum.0));
    }
}
