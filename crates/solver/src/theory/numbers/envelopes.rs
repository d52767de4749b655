//! Planes that a product is above or below.
//!
//! Between bounds of its factors, a product is above two planes and below two others (McCormick, *Computability of global solutions to factorable nonconvex
//! programs*, 1976). Facts at the values of candidates alone would come closer and closer to a corner of the bounds, and never get there, with longer and longer
//! numbers.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use sundry_circuit::{Aig, Edge};
use sundry_linear::{Rational, Side, Variable};

use super::{Expression, Numbers, Solution};

/// The numbers of points between two integers at which facts are tried, one after the other.
const GRIDS: [i64; 7] = [1, 2, 4, 16, 256, 1 << 16, 1 << 32];

/// The tightest bounds of variables in a candidate.
pub(super) type Bounds = FxHashMap<(Variable, Side), Rational>;

impl Numbers {
    /// The tightest bounds of variables in the last candidate, without those that only facts name.
    pub(super) fn tightest_bounds(&self) -> Bounds {
        let mut tightest = Bounds::default();
        for bound in self.wanted_by_formula() {
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
        for sides in quadrants(order) {
            let limits =
                [(a, sides[0]), (b, sides[1])].map(|(factor, side)| self.bound_on(bounds, factor, side));
            if let [Some(at_a), Some(at_b)] = limits {
                facts.extend(self.fact_at(aig, [a, b, result], [at_a, at_b], sides, solution));
            }
        }
        facts
    }

    /// The facts about a product near the values of its factors: at points with as short numbers as suffice for a solution to violate them.
    pub(super) fn facts_near(
        &mut self,
        aig: &mut Aig,
        [a, b, result]: [&Expression; 3],
        solution: &Solution,
        order: Ordering,
    ) -> Vec<Vec<Edge>> {
        let values = [a, b].map(|factor| factor.value(solution));
        for grid in GRIDS.map(Rational::from) {
            let rounded = |value: &Rational, side: Side| match side {
                Side::Lower => &(value * &grid).floor() / &grid,
                Side::Upper => &(value * &grid).ceiling() / &grid,
            };
            let mut facts = Vec::new();
            for sides in quadrants(order) {
                let point = [rounded(&values[0], sides[0]), rounded(&values[1], sides[1])];
                facts.extend(self.fact_at(aig, [a, b, result], point, sides, solution));
            }
            if !facts.is_empty() {
                return facts;
            }
        }
        let at_values =
            quadrants(order).map(|sides| self.fact_at(aig, [a, b, result], values.clone(), sides, solution));
        at_values.into_iter().flatten().collect()
    }

    /// The fact that a product is beyond a plane where its factors are on these sides of a point, if a solution violates it.
    fn fact_at(
        &mut self,
        aig: &mut Aig,
        [a, b, result]: [&Expression; 3],
        [at_a, at_b]: [Rational; 2],
        sides: [Side; 2],
        solution: &Solution,
    ) -> Option<Vec<Edge>> {
        let plane = a.scaled(&at_b).plus(b, &at_a).minus(&Expression::constant(&at_a * &at_b));
        // The product of the distances to the point is positive on the same sides of it, and negative on two sides.
        let is_above = sides[0] == sides[1];
        let error = if is_above { plane.minus(result) } else { result.minus(&plane) };
        if !error.value(solution).is_positive() {
            return None;
        }
        let mut fact = vec![self.is_at_most_zero(aig, &error, false)];
        if a == b && at_a == at_b && is_above {
            // A square is above each of its tangents.
            return Some(fact);
        }
        for (factor, at, side) in [(a, at_a, sides[0]), (b, at_b, sides[1])] {
            let distance = factor.minus(&Expression::constant(at));
            let distance = if side == Side::Upper { distance } else { distance.scaled(&Rational::MINUS_ONE) };
            fact.push(!self.is_at_most_zero(aig, &distance, false));
        }
        Some(fact)
    }
}

/// The sides of a point on which a product is above the plane through the point, where the result is wrongly less, or below it, where the result is
/// wrongly greater.
fn quadrants(order: Ordering) -> [[Side; 2]; 2] {
    let other = |side: Side| if order == Ordering::Less { side } else { side.opposite() };
    [Side::Lower, Side::Upper].map(|side| [side, other(side)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an edge of a fact is true under the solution of the theory.
    fn is_true(numbers: &Numbers, edge: Edge) -> bool {
        edge.is_constant().unwrap_or_else(|| {
            let atom = &numbers.atoms[numbers.atom_places[&edge.regular()]];
            numbers.holds(atom) == (edge == atom.edge)
        })
    }

    fn quotient(numerator: i64, denominator: i64) -> Rational {
        &Rational::from(numerator) / &Rational::from(denominator)
    }

    #[test]
    fn facts_refute_wrong_products_and_no_right_ones() {
        let values = [(-3, 1), (-1, 2), (0, 1), (2, 3), (1, 1), (5, 2)].map(|(up, down)| quotient(up, down));
        for is_square in [false, true] {
            let (mut numbers, mut aig) = (Numbers::default(), Aig::new());
            let [a, b] = [(); 2].map(|()| Expression::variable(numbers.simplex.new_variable(false)));
            let b = if is_square { a.clone() } else { b };
            let result = numbers.product(&a, &b);
            let solution = |numbers: &Numbers, [at_a, at_b, at_result]: [&Rational; 3]| {
                let given = [at_a, at_b, at_result].map(Clone::clone);
                Solution { values: numbers.simplex.complete(&given).unwrap_or_default() }
            };
            let pairs =
                || values.iter().flat_map(|a| values.iter().map(move |b| (a, if is_square { a } else { b })));
            let errors = [(-4, 1), (-1, 8), (1, 100), (3, 1)].map(|(up, down)| quotient(up, down));
            for ((at_a, at_b), error) in
                pairs().flat_map(|pair| errors.iter().map(move |error| (pair, error)))
            {
                let product = at_a * at_b;
                let given = &product + error;
                if is_square && given.is_negative() {
                    continue;
                }
                let wrong = solution(&numbers, [at_a, at_b, &given]);
                let facts = numbers.facts_near(&mut aig, [&a, &b, &result], &wrong, given.cmp(&product));
                assert!(!facts.is_empty(), "{at_a} * {at_b} is not {given}");
                numbers.solution = solution(&numbers, [at_a, at_b, &given]);
                assert!(facts.iter().all(|fact| !fact.iter().any(|&edge| is_true(&numbers, edge))));
                for (right_a, right_b) in pairs() {
                    numbers.solution = solution(&numbers, [right_a, right_b, &(right_a * right_b)]);
                    let is_right = |fact: &Vec<Edge>| fact.iter().any(|&edge| is_true(&numbers, edge));
                    assert!(facts.iter().all(is_right), "{right_a} * {right_b}, from {at_a} * {at_b}");
                }
            }
        }
    }
}
