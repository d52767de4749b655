//! Facts about products at the bounds of their factors.
//!
//! Between bounds of its factors, a product is above two planes and below two others (McCormick, *Computability of global solutions to factorable nonconvex
//! programs*, 1976). Facts at the values of a candidate come closer and closer to a corner of the bounds, and never get there.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Edge};
use sundry_linear::{Rational, Side, Variable};

use super::check::FIRST_OF_BITS;
use super::{Expression, Numbers, Solution};

/// The tightest bounds of variables in a candidate.
pub(super) type Bounds = FxHashMap<(Variable, Side), Rational>;

impl Numbers {
    /// The tightest bounds of variables in the last candidate, without those that only facts name.
    pub(super) fn tightest_bounds(&self) -> Bounds {
        let mut tightest = Bounds::default();
        for bound in &self.wanted {
            if bound.tag < FIRST_OF_BITS && self.atoms[bound.tag as usize / 2].is_only_of_facts {
                continue;
            }
            let limit = &bound.limit.rational;
            let known = tightest.entry((bound.variable, bound.side)).or_insert_with(|| limit.clone());
            let is_tighter = match bound.side {
                Side::Lower => *limit > *known,
                Side::Upper => *limit < *known,
            };
            if is_tighter {
                known.clone_from(limit);
            }
        }
        tightest
    }

    /// A side of an expression with its bound there, if it has one.
    fn bound_on(&mut self, bounds: &Bounds, expression: &Expression, side: Side) -> Option<Rational> {
        let (variable, factor) = self.variable_of(expression);
        let there = if factor.is_negative() { side.opposite() } else { side };
        let for_ever = self.simplex.bound(variable, there).map(|bound| &bound.rational);
        let limit = bounds.get(&(variable, there)).or(for_ever)?;
        Some(&(limit * &factor) + &expression.constant)
    }

    /// The facts about a product at the bounds of its factors that a solution violates, in which the result is wrongly less or greater than the product.
    pub(super) fn facts_at_bounds(
        &mut self,
        aig: &mut Aig,
        bounds: &Bounds,
        [a, b, result]: [&Expression; 3],
        solution: &Solution,
        order: Ordering,
    ) -> Vec<Vec<Edge>> {
        let mut facts = Vec::new();
        for side in [Side::Lower, Side::Upper] {
            // The product of the distances to bounds on the same side is positive, and that to bounds on two sides negative.
            let is_less = order == Ordering::Less;
            let sides = [side, if is_less { side } else { side.opposite() }];
            let limits =
                [(a, sides[0]), (b, sides[1])].map(|(factor, side)| self.bound_on(bounds, factor, side));
            let [Some(at_a), Some(at_b)] = limits else { continue };
            let plane = a.scaled(&at_b).plus(b, &at_a).minus(&Expression::constant(&at_a * &at_b));
            let error = if is_less { plane.minus(result) } else { result.minus(&plane) };
            if !error.value(solution).is_positive() {
                continue;
            }
            let mut fact = vec![self.is_at_most_zero(aig, &error, false)];
            for (factor, at, side) in [(a, at_a, sides[0]), (b, at_b, sides[1])] {
                let distance = factor.minus(&Expression::constant(at));
                let distance =
                    if side == Side::Upper { distance } else { distance.scaled(&Rational::MINUS_ONE) };
                fact.push(!self.is_at_most_zero(aig, &distance, false));
            }
            facts.push(fact);
        }
        facts
    }
}
