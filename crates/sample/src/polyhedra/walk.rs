//! Walks in a polyhedron: from one solution to others, without the solver.
//!
//! The method is hit-and-run (Smith, "Efficient Monte Carlo procedures for generating points uniformly distributed over bounded regions", 1984): choose a
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

use super::directions::{self, along_rows, between};
use super::form::Form;
use super::inward::inward as inward_of;
use super::polyhedron::{Polyhedron, Restriction, Segment};

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

/// The part of steps, one in this number, that goes along lines, if there are any.
const PART_ALONG_LINES: u32 = 4;

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

/// A point of a polyhedron.
#[derive(Clone)]
struct Position {
    /// The values of the variables.
    values: Vec<Rational>,
    /// The changes of the forms of constraints since the start.
    changes: Vec<Rational>,
}

/// A walk in a polyhedron.
pub(super) struct Walk {
    polyhedron: Polyhedron,
    integers: Vec<bool>,
    /// The constraints that each variable is in, with its factor.
    columns: Vec<Vec<(u32, Rational)>>,
    basis: Vec<Form>,
    /// A basis of the directions that leave all bounded forms alone, too: nothing bounds a step along them. A schedule without absolute times moves as
    /// a whole along such a line, where steps of single variables are short.
    lines: Vec<Form>,
    /// Directions away from the boundary, once they are needed.
    inward: Option<Vec<Form>>,
    start: Position,
    now: Position,
    /// The values of variables after the last walks.
    earlier: VecDeque<Vec<Rational>>,
    /// The position before a visit to ends of segments.
    inside: Option<Position>,
    /// The step that may be taken back.
    last: Option<(Form, Rational)>,
    /// The slopes of constraints along the present direction; all zero between steps.
    slopes: Vec<Rational>,
    control: Control,
}

impl Walk {
    /// A walk from the solution that the polyhedron is around. `None` where no variable can change, or where it takes too much work to find out.
    pub(super) fn new(
        polyhedron: Polyhedron,
        start: Vec<Rational>,
        integers: Vec<bool>,
        control: &Control,
    ) -> Option<Walk> {
        let basis = directions::basis(&polyhedron.equalities.iter().collect::<Vec<_>>(), start.len())?;
        if basis.is_empty() {
            return None;
        }
        let Polyhedron { equalities, constraints } = &polyhedron;
        let bounded: Vec<&Form> = equalities.iter().chain(polyhedron.rows().map(|(form, _)| form)).collect();
        let lines = directions::basis(&bounded, start.len()).unwrap_or_default();
        debug!(
            equalities = equalities.len(),
            constraints = constraints.len(),
            basis = basis.len(),
            lines = lines.len(),
            "walk"
        );
        let mut columns = vec![Vec::new(); start.len()];
        for (number, constraint) in (0..).zip(constraints) {
            for (variable, factor) in constraint.form.terms() {
                columns[*variable as usize].push((number, factor.clone()));
            }
        }
        let none = vec![Rational::ZERO; constraints.len()];
        let start = Position { values: start, changes: none.clone() };
        Some(Walk {
            polyhedron,
            integers,
            columns,
            basis,
            lines,
            inward: None,
            now: start.clone(),
            start,
            earlier: VecDeque::new(),
            inside: None,
            last: None,
            slopes: none,
            control: control.clone(),
        })
    }

    /// The values of the variables.
    pub(super) fn now(&self) -> &[Rational] {
        &self.now.values
    }

    /// Walks to another solution, which may be the same as before.
    pub(super) fn walk(&mut self, random: &mut ChaCha8Rng) {
        self.last = None;
        let directions = self.directions(random);
        // Ends of segments are corners, from where little can grow: the next walk goes on from here.
        if let Some(inside) = self.inside.take() {
            self.now = inside;
        }
        let inward = self.inward.take();
        let inward =
            inward.unwrap_or_else(|| inward_of(&self.polyhedron, self.integers.len(), &self.control));
        for direction in &inward {
            self.advance(direction, Length::Any, random);
        }
        self.inward = Some(inward);
        if random.random_ratio(1, PART_TO_ENDS) {
            self.inside = Some(self.now.clone());
            for direction in &directions {
                let length = if random.random() { Length::End } else { Length::Any };
                self.advance(direction, length, random);
            }
            return;
        }
        for direction in &directions {
            self.advance(direction, Length::Any, random);
        }
        self.go_on_from_earlier(random);
        if self.now().iter().any(|value| value.bit_length() > LONGEST) {
            self.now = self.start.clone();
        }
        self.earlier.push_back(self.now().to_vec());
        if self.earlier.len() > REMEMBERED {
            self.earlier.pop_front();
        }
    }

    /// Directions of a walk, in random order.
    fn directions(&self, random: &mut ChaCha8Rng) -> Vec<Form> {
        let mut directions: Vec<Form> = self.basis.choose_multiple(random, BASIS_STEPS).cloned().collect();
        directions.extend(self.lines.choose_multiple(random, BASIS_STEPS).cloned());
        let rows: Vec<&Form> = self.polyhedron.rows().map(|(form, _)| form).collect();
        if !rows.is_empty() {
            let along = along_rows(&self.polyhedron.equalities, &rows, self.integers.len(), random);
            directions.extend(along.choose_multiple(random, ROW_STEPS).cloned());
        }
        directions.shuffle(random);
        directions
    }

    /// Moves along the ways from earlier solutions: from inside a cone, they go on without end.
    fn go_on_from_earlier(&mut self, random: &mut ChaCha8Rng) {
        let start = self.start.values.clone();
        let earlier = std::mem::take(&mut self.earlier);
        for solution in earlier.iter().chain([&start]) {
            if let Some(direction) = between(solution, self.now()) {
                self.advance(&direction, Length::Any, random);
            }
        }
        self.earlier = earlier;
    }

    /// Takes one step along a direction of the basis or a line, of a random length or of a power of two. `None` where there is no such step.
    pub(super) fn step(&mut self, random: &mut ChaCha8Rng) -> Option<()> {
        let follows_line = !self.lines.is_empty() && random.random_ratio(1, PART_ALONG_LINES);
        let direction = if follows_line { &self.lines } else { &self.basis }.choose(random)?.clone();
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
                self.now.changes[constraint as usize].add_product(&slope, step);
            }
        }
        if let Some(step) = step {
            for (variable, component) in direction.terms() {
                self.now.values[*variable as usize].add_product(component, step);
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
            let change = &self.now.changes[constraint as usize];
            match &self.polyhedron.constraints[constraint as usize].restriction {
                Restriction::Bounds { least, most, is_open } => {
                    segment.bound(change, slope, least.as_ref(), most.as_ref());
                    segment.is_open |= is_open;
                }
                Restriction::MultipleOf(number) => segment.multiples(slope, number),
                Restriction::Not(number) => disequalities.push(&(number - change) / slope),
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

    use super::super::polyhedron::Constraint;
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
            constraints: vec![
                Constraint {
                    form: Form::of(&[3, -7, 0]),
                    restriction: Restriction::Bounds {
                        least: Some(number(-2)),
                        most: Some(number(0)),
                        is_open: false,
                    },
                },
                Constraint { form: Form::of(&[1, 0, 0]), restriction: Restriction::Not(number(7)) },
                Constraint { form: Form::of(&[0, 0, 1]), restriction: Restriction::MultipleOf(number(5)) },
            ],
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
    fn what_only_differences_bound_moves_as_a_whole() {
        let number = Rational::from;
        let difference = |one: usize| {
            let mut factors = [0; 12];
            (factors[one], factors[one + 1]) = (1, -1);
            let bounds =
                Restriction::Bounds { least: Some(number(-3)), most: Some(number(3)), is_open: false };
            Constraint { form: Form::of(&factors), restriction: bounds }
        };
        let polyhedron =
            Polyhedron { equalities: Vec::new(), constraints: (0..11).map(difference).collect() };
        let points = walks(polyhedron, &[0; 12], 20);
        assert!(points.iter().any(|point| point[0] > number(1 << 60)));
        assert!(points.iter().all(|point| (&point[0] - &point[11]).magnitude() <= number(33)));
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
