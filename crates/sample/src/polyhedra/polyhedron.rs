//! Polyhedra around a solution, and the segments of lines that lie in them.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_int::ops::BitTest;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_linear::Rational;

use super::form::Form;

/// The number of random points of a segment without period, at least.
const PARTS: i64 = 1 << 10;

/// The restriction of the change of a form since the solution.
#[derive(Clone, Debug)]
pub(super) enum Restriction {
    /// The change is within bounds, which zero meets.
    Bounds {
        least: Option<Rational>,
        most: Option<Rational>,
        /// Whether the bounds themselves are excluded.
        is_open: bool,
    },
    /// The change is not this number, which is not zero.
    Not(Rational),
    /// The change is a multiple of this positive number.
    MultipleOf(Rational),
}

/// A linear form, whose change is restricted.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) form: Form,
    pub(super) restriction: Restriction,
}

/// Everything near a solution that satisfies a formula for the same reasons.
#[derive(Default, Debug)]
pub(super) struct Polyhedron {
    /// Forms that do not change.
    pub(super) equalities: Vec<Form>,
    pub(super) constraints: Vec<Constraint>,
}

impl Polyhedron {
    /// The forms whose change is bounded, with the bounds below and above.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&Form, [&Option<Rational>; 2])> {
        self.constraints.iter().filter_map(|Constraint { form, restriction }| match restriction {
            Restriction::Bounds { least, most, .. } => Some((form, [least, most])),
            Restriction::Not(_) | Restriction::MultipleOf(_) => None,
        })
    }
}

/// Numbers `t` for which a point on a line, `point + t * direction`, lies in a polyhedron: all between two bounds that are multiples of the
/// period, if there is one.
#[derive(Clone, Debug, Default)]
pub(super) struct Segment {
    pub(super) least: Option<Rational>,
    pub(super) most: Option<Rational>,
    pub(super) period: Option<Rational>,
    /// Whether the bounds themselves may be excluded.
    pub(super) is_open: bool,
}

/// The least positive number that both numbers divide.
fn common_multiple(a: &Rational, b: &Rational) -> Rational {
    let numerator = a.numerator().common_divisor(&b.numerator());
    let numerator = &(&a.numerator() * &b.numerator()) / &numerator;
    &numerator / &a.denominator().common_divisor(&b.denominator())
}

impl Segment {
    /// Keeps what leaves a form that has this value, and this slope along the line, within bounds.
    pub(super) fn bound(
        &mut self,
        value: &Rational,
        slope: &Rational,
        least: Option<&Rational>,
        most: Option<&Rational>,
    ) {
        let (from, to) = if slope.is_negative() { (most, least) } else { (least, most) };
        if let Some(from) = from {
            let bound = &(from - value) / slope;
            if self.least.as_ref().is_none_or(|least| *least < bound) {
                self.least = Some(bound);
            }
        }
        if let Some(to) = to {
            let bound = &(to - value) / slope;
            if self.most.as_ref().is_none_or(|most| *most > bound) {
                self.most = Some(bound);
            }
        }
    }

    /// Keeps what changes a form that has this slope by multiples of a number.
    pub(super) fn multiples(&mut self, slope: &Rational, number: &Rational) {
        let own = &number.magnitude() / &slope.magnitude();
        self.period = Some(match &self.period {
            Some(period) => common_multiple(period, &own),
            None => own,
        });
    }

    /// A random point, or an end; zero where there is no other. Where nothing bounds it, it is up to `reach` away from where bounds do.
    pub(super) fn point(&self, reach: &Rational, at_end: bool, random: &mut ChaCha8Rng) -> Option<Rational> {
        let (least, most) = match (&self.least, &self.most) {
            (Some(least), Some(most)) => (least.clone(), most.clone()),
            (Some(least), None) => (least.clone(), least + reach),
            (None, Some(most)) => (most - reach, most.clone()),
            (None, None) => (-reach, reach.clone()),
        };
        let Some(period) = &self.period else {
            return point_between(&least, &most, random);
        };
        let (least, most) = (&least / period, &most / period);
        let (mut first, mut last) = (least.ceiling(), most.floor());
        if self.is_open {
            let one = |excluded: bool| if excluded { Rational::ONE } else { Rational::ZERO };
            (first, last) = (&first + &one(first == least), &last - &one(last == most));
        }
        if first >= last {
            return None;
        }
        let multiple = match (at_end, self.least.is_some(), self.most.is_some()) {
            (true, true, is_bounded) if !is_bounded || random.random() => first,
            (true, _, true) => last,
            _ => random_between(&first, &last, random),
        };
        Some(&multiple * period)
    }

    /// A random power of two below this one, times the period, in either direction; `None` where it is outside.
    pub(super) fn power_of_two(&self, limit: u32, random: &mut ChaCha8Rng) -> Option<Rational> {
        let power = Rational::from(IBig::ONE << random.random_range(0..limit as usize));
        let size = &power * self.period.as_ref()?;
        let point = if random.random() { -size } else { size };
        let is_inside = |bound: &Rational, order: Ordering| {
            let found = point.cmp(bound);
            found == order || (found == Ordering::Equal && !self.is_open)
        };
        let inside = self.least.as_ref().is_none_or(|least| is_inside(least, Ordering::Greater))
            && self.most.as_ref().is_none_or(|most| is_inside(most, Ordering::Less));
        inside.then_some(point)
    }
}

/// A random number between two, which are excluded: a multiple of a power of two, so that numbers do not get longer with each step.
fn point_between(least: &Rational, most: &Rational, random: &mut ChaCha8Rng) -> Option<Rational> {
    let width = most - least;
    if !width.is_positive() {
        return None;
    }
    let two = Rational::from(2);
    let parts = Rational::from(PARTS);
    let mut grid = Rational::ONE;
    while &grid * &parts > width {
        grid = &grid / &two;
    }
    while &(&grid * &two) * &parts <= width {
        grid = &grid * &two;
    }
    let first = &(least / &grid).floor() + &Rational::ONE;
    let last = &(most / &grid).ceiling() - &Rational::ONE;
    Some(&random_between(&first, &last, random) * &grid)
}

/// A random integer between two.
fn random_between(least: &Rational, most: &Rational, random: &mut ChaCha8Rng) -> Rational {
    let count = (&(most - least) + &Rational::ONE).to_big().numerator().clone();
    let mut number = IBig::ZERO;
    // 64 bits more than needed, so that all numbers are almost equally likely.
    for _ in 0..count.bit_len() / 64 + 2 {
        number = (number << 64) + IBig::from(random.random::<u64>());
    }
    &Rational::from(number % count) + least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(numerator: i64, denominator: i64) -> Rational {
        &Rational::from(numerator) / &Rational::from(denominator)
    }

    #[test]
    fn bounds_are_divided_by_slopes() {
        let mut segment = Segment::default();
        // 0 <= 5 - 2 t <= 9, and 1 + 3 t >= -1.
        segment.bound(&number(5, 1), &number(-2, 1), Some(&number(0, 1)), Some(&number(9, 1)));
        assert_eq!((segment.least.clone(), segment.most.clone()), (Some(number(-2, 1)), Some(number(5, 2))));
        segment.bound(&number(1, 1), &number(3, 1), Some(&number(-1, 1)), None);
        assert_eq!(segment.least, Some(number(-2, 3)));
    }

    #[test]
    fn periods_have_common_multiples() {
        let mut segment = Segment::default();
        segment.multiples(&number(4, 1), &number(6, 1));
        assert_eq!(segment.period, Some(number(3, 2)));
        segment.multiples(&number(-1, 1), &number(1, 1));
        assert_eq!(segment.period, Some(number(3, 1)));
        segment.multiples(&number(1, 1), &number(2, 1));
        assert_eq!(segment.period, Some(number(6, 1)));
    }
}
