//! Directions that lead away from the boundary: from a corner or from the tip of a cone, steps along single variables lead nowhere.

use sundry_linear::{Outcome, Rational, Side, Simplex, Variable};
use sundry_term::Control;

use super::directions::integral;
use super::form::Form;
use super::polyhedron::Polyhedron;

/// The product of rows and variables above which directions are not looked for: a simplex of that size takes long.
const LARGEST: usize = 400_000;

/// A side of a row that a direction is to lead away from.
struct Wall {
    row: Variable,
    side: Side,
}

/// Directions that lead away from the boundary of a polyhedron: one that can be followed without end, and one away from the bounds that are reached. Each
/// leads away from as many bounds as possible and towards none of them.
pub(super) fn inward(polyhedron: &Polyhedron, variables: usize, control: &Control) -> Vec<Form> {
    if polyhedron.rows().count() * variables > LARGEST {
        return Vec::new();
    }
    let is_reached = |bound: &Rational| bound.is_zero();
    let any = |_: &Rational| true;
    let directions = [
        away_from(polyhedron, variables, any, control),
        away_from(polyhedron, variables, is_reached, control),
    ];
    directions.into_iter().flatten().collect()
}

/// A direction away from the bounds that count. `None` if there is no such direction, or no time to find it.
fn away_from(
    polyhedron: &Polyhedron,
    variables: usize,
    counts: impl Fn(&Rational) -> bool,
    control: &Control,
) -> Option<Form> {
    let mut simplex = Simplex::new();
    let components: Vec<Variable> = (0..variables).map(|_| simplex.new_variable(false)).collect();
    let mut define = |form: &Form| {
        let sum: Vec<(Variable, Rational)> = (form.terms().iter())
            .map(|(variable, factor)| (components[*variable as usize], factor.clone()))
            .collect();
        simplex.define(&sum)
    };
    let equal: Vec<Variable> = polyhedron.equalities.iter().map(&mut define).collect();
    let mut walls = Vec::new();
    for (form, bounds) in polyhedron.rows() {
        let row = define(form);
        let sides = [Side::Lower, Side::Upper].into_iter().zip(bounds);
        let counted = sides.filter(|(_, bound)| bound.as_ref().is_some_and(&counts));
        walls.extend(counted.map(|(side, _)| Wall { row, side }));
    }
    for row in equal {
        for side in [Side::Lower, Side::Upper] {
            simplex.assert(row, side, Rational::ZERO.into(), 0).ok()?;
        }
    }
    for wall in &walls {
        simplex.assert(wall.row, wall.side, Rational::ZERO.into(), 0).ok()?;
    }
    let mut leaves_any = false;
    for wall in &walls {
        let distance = if wall.side == Side::Upper { Rational::MINUS_ONE } else { Rational::ONE };
        let mark = simplex.mark();
        let is_possible = simplex.assert(wall.row, wall.side, distance.into(), 0).is_ok()
            && matches!(simplex.check(control).ok()?, Outcome::Feasible);
        if !is_possible {
            simplex.backtrack(mark);
        }
        leaves_any |= is_possible;
    }
    if !leaves_any || !matches!(simplex.check(control).ok()?, Outcome::Feasible) {
        return None;
    }
    let delta = simplex.choose_delta(&[]);
    let values = components.iter().map(|&component| simplex.value(component).at(&delta));
    let direction = Form::new((0..).zip(values));
    (!direction.is_zero()).then(|| integral(&direction))
}

#[cfg(test)]
mod tests {
    use super::super::polyhedron::{Constraint, Restriction};
    use super::*;

    fn row(factors: &[i64], least: Option<i64>, most: Option<i64>) -> Constraint {
        let [least, most] = [least, most].map(|bound| bound.map(Rational::from));
        let restriction = Restriction::Bounds { least, most, is_open: false };
        Constraint { form: Form::of(factors), restriction }
    }

    fn along(form: &Form, direction: &Form) -> Rational {
        let mut values = vec![Rational::ZERO; 2];
        direction.terms().iter().for_each(|(variable, factor)| values[*variable as usize] = factor.clone());
        form.value(&values)
    }

    #[test]
    fn a_cone_is_left_at_its_tip() {
        // 3 x <= 7 y, 2 y <= x: at the tip, and without end.
        let constraints = vec![row(&[3, -7], None, Some(0)), row(&[-1, 2], None, Some(0))];
        let polyhedron = Polyhedron { constraints, ..Polyhedron::default() };
        let directions = inward(&polyhedron, 2, &Control::default());
        assert_eq!(directions.len(), 2);
        for direction in &directions {
            assert!(polyhedron.rows().all(|(form, _)| along(form, direction).is_negative()));
        }
    }

    #[test]
    fn what_is_bounded_on_both_sides_is_left_where_a_bound_is_reached() {
        let constraints = vec![row(&[1, 0], Some(0), Some(10)), row(&[0, 1], Some(-5), Some(0))];
        let polyhedron = Polyhedron { constraints, ..Polyhedron::default() };
        let directions = inward(&polyhedron, 2, &Control::default());
        assert_eq!(directions.len(), 1);
        assert!(along(&Form::of(&[1, 0]), &directions[0]).is_positive());
        assert!(along(&Form::of(&[0, 1]), &directions[0]).is_negative());
    }

    #[test]
    fn equalities_hold_along_the_way() {
        let polyhedron = Polyhedron {
            equalities: vec![Form::of(&[1, 1])],
            constraints: vec![row(&[1, 0], Some(0), None)],
        };
        let directions = inward(&polyhedron, 2, &Control::default());
        assert_eq!(directions, vec![Form::of(&[1, -1]), Form::of(&[1, -1])]);
    }
}
