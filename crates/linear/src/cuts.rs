//! Cuts: bounds on sums that all integers within the present bounds meet, and that the present values violate.
//!
//! Gomory's mixed integer cuts (*An algorithm for the mixed integer problem*, 1960), of rows whose other variables are at bounds. A cut
//! follows from these bounds, and conflicts that need it name them.

use sundry_term::{Control, Stopped};

use crate::bounds::{Bound, Cause, Side, Tag};
use crate::rational::{Rational, scale_to_coprime_integers};
use crate::simplex::{Simplex, Variable};
use crate::value::Value;

/// Cuts in one round.
const CUTS_IN_ROUND: usize = 20;

/// Bits of a factor above which a cut costs more than it brings.
const MAXIMAL_BITS: usize = 512;

/// A sum with a lower bound.
struct Cut {
    sum: Vec<(Variable, Rational)>,
    least: Rational,
    tags: Vec<Tag>,
}

impl Simplex {
    /// Adds cuts for variables whose values are no integers. The number of cuts, or the tags of a conflict.
    ///
    /// # Errors
    /// The control stopped the work.
    pub(crate) fn add_cuts(&mut self, control: &Control) -> Result<Result<usize, Vec<Tag>>, Stopped> {
        let fractions: Vec<u32> = self.fractions().collect();
        let mut cuts = Vec::new();
        for variable in fractions {
            if cuts.len() == CUTS_IN_ROUND {
                break;
            }
            let Some(row) = self.row_of(variable) else { continue };
            control.spend(8 * self.tableau().row(row).sum.len() as u32)?;
            cuts.extend(self.cut(row));
        }
        let count = cuts.len();
        for Cut { sum, least, tags } in cuts {
            let variable = self.define(&sum);
            let least = if self.is_integer(variable) { least.ceiling() } else { least };
            let cause = if tags.is_empty() { Cause::Permanent } else { Cause::Derived(tags.into()) };
            if let Err(tags) = self.enter(variable.0, Side::Lower, least.into(), cause) {
                return Ok(Err(tags));
            }
        }
        Ok(Ok(count))
    }

    /// The bound of a variable that its value is at.
    fn bound_at_value(&self, variable: u32) -> Option<(Side, &Bound)> {
        let value = self.kept_value(variable);
        [Side::Lower, Side::Upper]
            .into_iter()
            .filter_map(|side| Some((side, self.bound_of(variable, side)?)))
            .find(|(_, bound)| bound.value == *value && bound.value.infinitesimal.is_zero())
    }

    /// The cut of a row whose basic variable is an integer with another value.
    fn cut(&self, number: u32) -> Option<Cut> {
        let row = self.tableau().row(number);
        let Value { rational: value, infinitesimal } = self.kept_value(row.basic);
        if !infinitesimal.is_zero() {
            return None;
        }
        let over = value.fraction();
        let under = &Rational::ONE - &over;
        let ratio = &over / &under;
        let mut cut = Cut { sum: Vec::new(), least: over.clone(), tags: Vec::new() };
        for (variable, factor) in &row.sum {
            // A multiple of an integer by an integer changes no fraction, whatever its bounds are.
            let is_integer = self.is_integer(Variable(*variable));
            if is_integer && factor.is_integer() && self.kept_value(*variable).is_integer() {
                continue;
            }
            let (side, bound) = self.bound_at_value(*variable)?;
            // The distance from the bound is a variable that is not negative, with this factor on the side of the basic one.
            let factor = if side == Side::Lower { -factor } else { factor.clone() };
            let weight = if is_integer && bound.value.is_integer() {
                let fraction = factor.fraction();
                if fraction <= over { fraction } else { &(&Rational::ONE - &fraction) * &ratio }
            } else if factor.is_negative() {
                &factor.magnitude() * &ratio
            } else {
                factor
            };
            bound.cause.add_to(&mut cut.tags);
            if weight.bit_length() > MAXIMAL_BITS {
                return None;
            }
            let weight = if side == Side::Lower { weight } else { -weight };
            cut.least.add_product(&weight, &bound.value.rational);
            cut.sum.push((Variable(*variable), weight));
        }
        cut.tags.sort_unstable();
        cut.tags.dedup();
        scale_to_integers(&mut cut);
        (!cut.sum.is_empty()).then_some(cut)
    }
}

/// Multiplies a cut so that its factors are integers without a common divisor.
fn scale_to_integers(cut: &mut Cut) {
    let Some(scale) = scale_to_coprime_integers(cut.sum.iter().map(|(_, factor)| factor)) else { return };
    for (_, factor) in &mut cut.sum {
        *factor = &*factor * &scale;
    }
    cut.least = &cut.least * &scale;
}
