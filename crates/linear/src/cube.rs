//! The cube test: a cube with edges of length one inside all bounds has an integer point.
//!
//! A sum is tightened by half the magnitudes of its integer factors. If the rationals meet the tightened bounds, the center rounded to integers meets the bounds
//! as they are (Bromberger & Weidenbach, *Fast cube tests for LIA constraint solving*, IJCAR 2016).

use sundry_term::{Control, Stopped};

use crate::bounds::{Cause, FIRST_OF_BRANCHES, Side};
use crate::rational::Rational;
use crate::simplex::{Outcome, Simplex, Variable};
use crate::value::Value;

impl Simplex {
    /// Makes all values integers where they have to be, if the rounded center of a cube does. Otherwise, values are within
    /// their bounds as before.
    ///
    /// # Errors
    /// The control stopped the work. Bounds and rows are as before.
    pub(crate) fn round_center_of_cube(&mut self, control: &Control) -> Result<bool, Stopped> {
        let mark = self.mark();
        let has_cube = self.tighten() && self.check(control)? == Outcome::Feasible;
        self.backtrack(mark);
        if has_cube {
            self.round();
            return Ok(true);
        }
        // Values that met some of the tightened bounds are within the bounds, or simplex finds others.
        let is_feasible = self.check(control)? == Outcome::Feasible;
        debug_assert!(is_feasible, "the bounds had values before");
        Ok(false)
    }

    /// Tightens the bounds of sums. Whether the bounds on both sides allow that.
    fn tighten(&mut self) -> bool {
        for number in 0..self.variable_count() as u32 {
            let Some(definition) = self.definition(number) else { continue };
            let mut width = Rational::ZERO;
            for (variable, factor) in definition {
                if self.is_integer(Variable(*variable)) {
                    width += &factor.magnitude();
                }
            }
            let half = &width / &Rational::from(2);
            for (side, change) in [(Side::Lower, half.clone()), (Side::Upper, -half)] {
                let Some(bound) = self.bound(Variable(number), side) else { continue };
                let bound = bound + &Value::from(change);
                if self.enter(number, side, bound, Cause::Asserted(FIRST_OF_BRANCHES)).is_err() {
                    return false;
                }
            }
        }
        true
    }

    /// Rounds the values of integer variables, and gives sums the values that follow.
    fn round(&mut self) {
        let half = &Rational::ONE / &Rational::from(2);
        for number in 0..self.variable_count() as u32 {
            if self.definition(number).is_none() && self.is_integer(Variable(number)) {
                let value = (self.kept_value(number) + &Value::from(half.clone())).floor();
                self.set_value(number, value.into());
            }
        }
        for number in 0..self.variable_count() as u32 {
            let Some(definition) = self.definition(number).filter(|_| !self.is_idle(number)) else {
                continue;
            };
            let value = self.value_of_sum(definition);
            self.set_value(number, value);
        }
    }
}
