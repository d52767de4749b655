//! Walks in a polyhedron: from one solution to others, without the solver.
//!
//! This is hit-and-run (Smith, "Efficient Monte Carlo procedures for generating points uniformly distributed over bounded regions", 1984): choose a
//! direction, find the segment of its line that lies in the polyhedron, and move to a random point of it. The directions are those of
//! [`directions`](super::directions).

use std::collections::VecDeque;

use dashu_int::IBig;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use sundry_linear::Rational;
use sundry_term::Control;
use tracing::debug;

use super::directions::{along_rows, basis, between};
use super::form::Form;
use super::inward::inward;
use super::polyhedron::{Polyhedron, Segment};

/// The power of two up to which variables move where nothing bounds them: all AST-bits of an integer can change, and its sign.
const REACH: u32 = 66;
/// Bits of a value above which the walk starts again: such numbers are slow, and no AST-bit needs them.
const LONGEST: usize = 512;
/// Vectors of the basis that one walk follows, at most.
const BASIS_STEPS: usize = 256;
/// Directions along rows that one walk follows.
const ROW_STEPS: usize = 8;
/// Solutions that differences are taken from.
const REMEMBERED: usize = 8;
/// The part of walks, one in this number, that goes to ends of segments.
const PART_TO_ENDS: u32 = 4;

/// The choice of the length of a step.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Length {
    /// Any point of the segment.
    Any,
    /// An end of the segment, where it has one.
    End,
    /// A power of two, which changes a bit and those to which it carries.
    PowerOfTwo,
}

/// A constraint of the polyhedron on the change of a form.
enum Kind {
    Row { least: Option<Rational>, most: Option<Rational>, is_open: bool },
    Disequality(Rational),
    Period(Rational),
}

struct Constraint {
    kind: Kind,
    /// The change of the form since the start.
    change: Rational,
}

/// A walk in a polyhedron.
pub(super) struct Walk {
    start: Vec<Rational>,
    /// The values of the variables.
    now: Vec<Rational>,
    integers: Vec<bool>,
    constraints: Vec<Constraint>,
    /// The constraints that each variable is in, with its factor.
    columns: Vec<Vec<(u32, Rational)>>,
    equalities: Vec<Form>,
    rows: Vec<Form>,
    basis: Vec<Form>,
    /// Directions away from the boundary.
    inward: Vec<Form>,
    earlier: VecDeque<Vec<Rational>>,
    /// The position before a visit to ends of segments.
    inside: Option<(Vec<Rational>, Vec<Rational>)>,
    /// The step that may be taken back.
    last: Option<(Form, Rational)>,
    /// The slopes of constraints along the present direction; all zero between steps.
    slopes: Vec<Rational>,
}

impl Walk {
    /// A walk from the solution that the polyhedron is around. `None` where no variable can change, or where it takes too much work to find out.
    pub(super) fn new(
        polyhedron: Polyhedron,
        start: Vec<Rational>,
        integers: Vec<bool>,
        control: &Control,
    ) -> Option<Walk> {
        let inward = inward(&polyhedron, start.len(), control);
        let Polyhedron { equalities, rows, disequalities, periods } = polyhedron;
        let basis = basis(&equalities.iter().collect::<Vec<_>>(), start.len())?;
        if basis.is_empty() {
            return None;
        }
        debug!(
            equalities = equalities.len(),
            rows = rows.len(),
            basis = basis.len(),
            inward = inward.len(),
            "walk"
        );
        let mut constraints = Vec::new();
        let mut columns = vec![Vec::new(); start.len()];
        let mut add = |form: &Form, kind| {
            for (variable, factor) in form.terms() {
                columns[*variable as usize].push((constraints.len() as u32, factor.clone()));
            }
            constraints.push(Constraint { kind, change: Rational::ZERO });
        };
        for row in &rows {
            let (least, most, is_open) = (row.least.clone(), row.most.clone(), row.is_open);
            add(&row.form, Kind::Row { least, most, is_open });
        }
        disequalities.into_iter().for_each(|(form, number)| add(&form, Kind::Disequality(number)));
        periods.into_iter().for_each(|(form, number)| add(&form, Kind::Period(number)));
        let slopes = vec![Rational::ZERO; constraints.len()];
        let rows = rows.into_iter().map(|row| row.form).collect();
        Some(Walk {
            now: start.clone(),
            start,
            integers,
            constraints,
            columns,
            equalities,
            rows,
            basis,
            inward,
            earlier: VecDeque::new(),
            inside: None,
            last: None,
            slopes,
        })
    }

    /// The values of the variables.
    pub(super) fn now(&self) -> &[Rational] {
        &self.now
    }

    /// Walks to another solution, which may be the same as before.
    pub(super) fn walk(&mut self, random: &mut ChaCha8Rng) {
        self.last = None;
        let mut directions: Vec<Form> = self.basis.choose_multiple(random, BASIS_STEPS).cloned().collect();
        if !self.rows.is_empty() {
            let rows: Vec<&Form> = self.rows.iter().collect();
            let along = along_rows(&self.equalities, &rows, self.now.len(), random);
            directions.extend(along.choose_multiple(random, ROW_STEPS).cloned());
        }
        directions.shuffle(random);
        // Ends of segments are corners, from where little can grow: the next walk goes on from here.
        if let Some(inside) = self.inside.take() {
            self.return_to(inside);
        }
        for direction in self.inward.clone() {
            self.advance(&direction, Length::Any, random);
        }
        if random.random_ratio(1, PART_TO_ENDS) {
            self.inside = Some(self.position());
            for direction in &directions {
                let length = if random.random() { Length::End } else { Length::Any };
                self.advance(direction, length, random);
            }
            return;
        }
        for direction in &directions {
            self.advance(direction, Length::Any, random);
        }
        // From inside a cone, the way from earlier solutions goes on without end.
        let earlier: Vec<Vec<Rational>> = self.earlier.iter().cloned().collect();
        for earlier in earlier.iter().chain([&self.start.clone()]) {
            if let Some(direction) = between(earlier, &self.now) {
                self.advance(&direction, Length::Any, random);
            }
        }
        if self.now.iter().any(|value| value.bit_length() > LONGEST) {
            let changes = vec![Rational::ZERO; self.constraints.len()];
            self.return_to((self.start.clone(), changes));
        }
        self.earlier.push_back(self.now.clone());
        if self.earlier.len() > REMEMBERED {
            self.earlier.pop_front();
        }
    }

    /// The values of the variables and the changes of the constraints.
    fn position(&self) -> (Vec<Rational>, Vec<Rational>) {
        (self.now.clone(), self.constraints.iter().map(|constraint| constraint.change.clone()).collect())
    }

    fn return_to(&mut self, (now, changes): (Vec<Rational>, Vec<Rational>)) {
        self.now = now;
        for (constraint, change) in self.constraints.iter_mut().zip(changes) {
            constraint.change = change;
        }
    }

    /// Takes one step along a direction of the basis, of a random length or of a power of two. `None` where there is no such step.
    pub(super) fn step(&mut self, random: &mut ChaCha8Rng) -> Option<()> {
        let direction = self.basis.choose(random)?.clone();
        let length = match random.random_range(0..8) {
            0 => Length::End,
            1..4 => Length::Any,
            _ => Length::PowerOfTwo,
        };
        let step = self.advance(&direction, length, random)?;
        self.last = Some((direction, step));
        Some(())
    }

    /// Takes back the step that [`step`](Self::step) has taken last.
    pub(super) fn step_back(&mut self) {
        if let Some((direction, step)) = self.last.take() {
            let touched = self.add_slopes(&direction);
            self.move_by(&direction, &touched, Some(&-step));
        }
    }

    /// Moves to a point of the segment along a direction, and returns the length of the step.
    fn advance(&mut self, direction: &Form, length: Length, random: &mut ChaCha8Rng) -> Option<Rational> {
        let touched = self.add_slopes(direction);
        let step = self.choose(direction, &touched, length, random);
        self.move_by(direction, &touched, step.as_ref());
        step
    }

    /// Computes the slopes along a direction, and returns the constraints that have one.
    fn add_slopes(&mut self, direction: &Form) -> Vec<u32> {
        let mut touched: Vec<u32> = Vec::new();
        for (variable, component) in direction.terms() {
            for (constraint, factor) in &self.columns[*variable as usize] {
                let slope = &mut self.slopes[*constraint as usize];
                if slope.is_zero() {
                    touched.push(*constraint);
                }
                slope.add_product(component, factor);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// Moves along a direction, if there is a step, and forgets the slopes.
    fn move_by(&mut self, direction: &Form, touched: &[u32], step: Option<&Rational>) {
        for &constraint in touched {
            let slope = std::mem::take(&mut self.slopes[constraint as usize]);
            if let Some(step) = step {
                self.constraints[constraint as usize].change.add_product(&slope, step);
            }
        }
        if let Some(step) = step {
            for (variable, component) in direction.terms() {
                self.now[*variable as usize].add_product(component, step);
            }
        }
    }

    /// The length of a step, if there is one other than zero.
    fn choose(
        &self,
        direction: &Form,
        touched: &[u32],
        length: Length,
        random: &mut ChaCha8Rng,
    ) -> Option<Rational> {
        let mut segment = Segment::default();
        if direction.terms().iter().any(|(variable, _)| self.integers[*variable as usize]) {
            segment.period = Some(Rational::ONE);
        }
        let mut disequalities = Vec::new();
        for &constraint in touched {
            let slope = &self.slopes[constraint as usize];
            if slope.is_zero() {
                continue;
            }
            let Constraint { kind, change } = &self.constraints[constraint as usize];
            match kind {
                Kind::Row { least, most, is_open } => {
                    segment.bound(change, slope, least.as_ref(), most.as_ref());
                    segment.is_open |= is_open;
                }
                Kind::Period(number) => segment.multiples(slope, number),
                Kind::Disequality(number) => disequalities.push(&(number - change) / slope),
            }
        }
        let step = match length {
            Length::Any => segment.point(&reach_along(direction), false, random)?,
            Length::End => segment.point(&reach_along(direction), true, random)?,
            Length::PowerOfTwo => segment.power_of_two(REACH, random)?,
        };
        (!step.is_zero() && !disequalities.contains(&step)).then_some(step)
    }
}

/// The length of a step that goes as far as there are bits to change, for all variables.
fn reach_along(direction: &Form) -> Rational {
    let least = direction.terms().iter().map(|(_, component)| component.magnitude()).min();
    let reach = Rational::from(IBig::ONE << REACH as usize);
    least.map_or(Rational::ZERO, |least| &(&reach / &least) + &Rational::ONE)
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::SeedableRng;

    use super::super::polyhedron::Row;
    use super::*;

    fn walks(polyhedron: Polyhedron, start: &[i64], count: usize) -> Vec<Vec<Rational>> {
        let start: Vec<Rational> = start.iter().copied().map(Rational::from).collect();
        let integers = vec![true; start.len()];
        let mut walk =
            Walk::new(polyhedron, start, integers, &Control::default()).expect("something can change");
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut points = Vec::new();
        for _ in 0..count {
            walk.walk(&mut random);
            points.push(walk.now().to_vec());
            if walk.step(&mut random).is_some() {
                points.push(walk.now().to_vec());
                walk.step_back();
                assert_eq!(walk.now(), points[points.len() - 2]);
            }
        }
        points
    }

    #[test]
    fn points_are_in_the_polyhedron() {
        let number = Rational::from;
        let polyhedron = Polyhedron {
            equalities: vec![Form::of(&[1, 1, -1])],
            rows: vec![Row {
                form: Form::of(&[3, -7, 0]),
                least: Some(number(-2)),
                most: Some(number(0)),
                is_open: false,
            }],
            disequalities: vec![(Form::of(&[1, 0, 0]), number(7))],
            periods: vec![(Form::of(&[0, 0, 1]), number(5))],
        };
        let points = walks(polyhedron, &[0, 0, 0], 100);
        for point in &points {
            assert_eq!(Form::of(&[1, 1, -1]).value(point), Rational::ZERO);
            let row = Form::of(&[3, -7, 0]).value(point);
            assert!(number(-2) <= row && row <= number(0), "{row}");
            assert_ne!(point[0], number(7));
            assert!((&point[2] / &number(5)).is_integer());
        }
        // The strip is narrow, and unbounded: steps along single variables would never leave the start.
        assert!(points.iter().any(|point| point[0].magnitude() > number(1 << 40)));
    }

    #[test]
    fn without_bounds_all_bits_change() {
        let points = walks(Polyhedron::default(), &[0], 200);
        assert!(points.iter().any(|point| point[0].is_negative()));
        assert!(points.iter().any(|point| point[0] > Rational::from(IBig::ONE << 64)));
    }

    #[test]
    fn a_point_alone_is_no_walk() {
        let polyhedron = Polyhedron { equalities: vec![Form::of(&[1])], ..Polyhedron::default() };
        assert!(Walk::new(polyhedron, vec![Rational::ZERO], vec![true], &Control::default()).is_none());
    }
}
