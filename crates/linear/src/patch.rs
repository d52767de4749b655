//! Small moves: a nonbasic variable moves so that a basic one becomes an integer, and nothing gets worse.
//!
//! Most fractions go away like this where there is room, and need no branch. Branches alone may go on for ever where
//! variables have no bounds.

use sundry_term::{Control, Stopped};

use crate::bounds::Side;
use crate::rational::Rational;
use crate::simplex::{Simplex, Variable};
use crate::value::Value;

/// Nonbasic variables that are tried for each fraction.
const TRIES: usize = 16;

/// The work of looking at a row of a column, in the units of [`Control::spend`].
const WORK_OF_ROW: u32 = 16;

impl Simplex {
    /// Moves nonbasic variables, within all bounds, so that integer variables get integer values.
    ///
    /// # Errors
    /// The control stopped the work. All values are within their bounds.
    pub(crate) fn patch(&mut self, control: &Control) -> Result<(), Stopped> {
        let fractions: Vec<u32> = self.fractions().collect();
        for variable in fractions {
            if !self.kept_value(variable).is_integer() {
                self.patch_one(variable, control)?;
            }
        }
        Ok(())
    }

    fn patch_one(&mut self, variable: u32, control: &Control) -> Result<(), Stopped> {
        let Some(row) = self.row_of(variable) else { return Ok(()) };
        let value = self.kept_value(variable).clone();
        let floor = value.floor();
        let targets = [floor.clone(), &floor + &Rational::ONE];
        let movable: Vec<(u32, Rational)> = self
            .tableau()
            .row(row)
            .sum
            .iter()
            .filter(|entry| !self.is_fixed(entry.0))
            .take(TRIES)
            .cloned()
            .collect();
        for (moved, factor) in movable {
            for target in &targets {
                let difference = (&Value::from(target.clone()) - &value).scaled(&factor.reciprocal());
                let column = self.column(moved);
                control.spend(WORK_OF_ROW * (1 + column.len() as u32))?;
                if self.can_move(moved, &difference, &column) {
                    self.shift(moved, &difference);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn is_fixed(&self, variable: u32) -> bool {
        let bounds = [Side::Lower, Side::Upper].map(|side| self.bound(Variable(variable), side));
        matches!(bounds, [Some(lower), Some(upper)] if lower == upper)
    }

    /// Whether a nonbasic variable can move by a difference: all values stay within their bounds, and integers stay integers.
    fn can_move(&self, moved: u32, difference: &Value, column: &[u32]) -> bool {
        let allows = |variable: u32, value: &Value| {
            let is_within = [Side::Lower, Side::Upper].into_iter().all(|side| {
                self.bound(Variable(variable), side).is_none_or(|bound| !side.forbids(bound, value))
            });
            let variable = Variable(variable);
            is_within
                && (value.is_integer() || !self.is_integer(variable) || !self.value(variable).is_integer())
        };
        let value = self.kept_value(moved) + difference;
        allows(moved, &value)
            && column.iter().all(|&row| {
                let row = self.tableau().row(row);
                let mut value = self.kept_value(row.basic).clone();
                value.add_product(difference, row.factor(moved).expect("columns list rows"));
                allows(row.basic, &value)
            })
    }
}
