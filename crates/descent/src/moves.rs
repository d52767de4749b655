//! Random points and steps.
//!
//! Floats that programs compute with are mostly of moderate size, while floats drawn from their bits mostly are not:
//! half of all doubles are beyond 10^150 or below 10^-150. So several ways to draw take turns at random: moderate numbers, small
//! integers, literals of the formula, any bits, and the ends of the range that the assertions allow.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use crate::native::{NativeConversion, NativeFormat};
use crate::program::{Program, Shape};
use crate::variable::{Kind, Variable};

/// Draws positions of the variables of a program.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    variables: Vec<Variable>,
    /// The positions of literals of each kind of variable.
    literals: FxHashMap<Shape, Vec<u64>>,
}

impl std::hash::Hash for Shape {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Shape::Bits(width) => width.hash(state),
            Shape::Float(format) => format.hash(state),
            Shape::Mode => {}
        }
    }
}

impl Moves {
    pub(crate) fn new(program: &Program) -> Moves {
        let mut literals: FxHashMap<Shape, Vec<u64>> = FxHashMap::default();
        for &(shape, word) in &program.literals {
            let kind = match shape {
                Shape::Bits(width) => Kind::Bits(width),
                Shape::Float(format) => Kind::Float(format),
                Shape::Mode => Kind::Mode,
            };
            literals.entry(shape).or_default().push(kind.position(word));
        }
        Moves { variables: program.variables.clone(), literals }
    }

    pub(crate) fn random_point(&self, random: &mut ChaCha8Rng) -> Vec<u64> {
        (0..self.variables.len()).map(|variable| self.draw(variable, random)).collect()
    }

    /// A position of a variable that has nothing to do with the present one.
    pub(crate) fn draw(&self, variable: usize, random: &mut ChaCha8Rng) -> u64 {
        let variable = &self.variables[variable];
        let (first, last) = (variable.first, variable.last);
        let position = match variable.kind {
            Kind::Float(_) | Kind::Real => match random.random_range(0..8) {
                0 => random.random_range(first..=last),
                1 => self.literal(variable, random).unwrap_or(first),
                2 => self.integral(variable.kind, random),
                // Between the bounds, evenly by value and not by bits.
                3..=5 => between(variable, random).unwrap_or_else(|| moderate(variable.kind, random)),
                _ => moderate(variable.kind, random),
            },
            Kind::Integer => (small_integer(random) as u64) ^ 1 << 63,
            Kind::Bits(_) => match random.random_range(0..4) {
                0 => random.random_range(first..=last),
                1 => self.literal(variable, random).unwrap_or(first),
                _ => (small_integer(random) as u64) & last,
            },
            Kind::Bool | Kind::Mode => random.random_range(first..=last),
        };
        position.clamp(first, last)
    }

    fn literal(&self, variable: &Variable, random: &mut ChaCha8Rng) -> Option<u64> {
        let shape = match variable.kind {
            Kind::Float(format) => Shape::Float(format),
            Kind::Bits(width) => Shape::Bits(width),
            _ => return None,
        };
        let known = self.literals.get(&shape)?;
        Some(known[random.random_range(0..known.len())])
    }

    /// The position of a small integer.
    fn integral(&self, kind: Kind, random: &mut ChaCha8Rng) -> u64 {
        position_of_double(kind, random.random_range(-16..=16) as f64)
    }

    /// A position at a random number of steps, on any scale.
    pub(crate) fn step(&self, variable: usize, position: u64, random: &mut ChaCha8Rng) -> u64 {
        let kind = self.variables[variable].kind;
        let scale = random.random_range(0..width_of(kind));
        if let Kind::Bits(_) = kind
            && random.random_range(0..3) == 0
        {
            return self.variables[variable].clamp(position ^ 1 << scale);
        }
        let size = random.random_range(1u64 << scale..=(1u64 << scale).wrapping_mul(2).wrapping_sub(1));
        self.shift(variable, position, size, random.random())
    }

    /// The position so many steps away. Words wrap around, all else stops at the ends of its range.
    pub(crate) fn shift(&self, variable: usize, position: u64, size: u64, is_up: bool) -> u64 {
        let variable = &self.variables[variable];
        match variable.kind {
            Kind::Bits(_) if is_up => variable.clamp(position.wrapping_add(size) & variable.kind.last()),
            Kind::Bits(_) => variable.clamp(position.wrapping_sub(size) & variable.kind.last()),
            _ if is_up => variable.clamp(position.saturating_add(size)),
            _ => variable.clamp(position.saturating_sub(size)),
        }
    }

    /// The number of bits of a variable's positions.
    pub(crate) fn width(&self, variable: usize) -> u32 {
        width_of(self.variables[variable].kind)
    }
}

impl Variable {
    fn clamp(&self, position: u64) -> u64 {
        position.clamp(self.first, self.last)
    }
}

fn width_of(kind: Kind) -> u32 {
    64 - kind.last().leading_zeros()
}

/// An integer with a random number of bits.
fn small_integer(random: &mut ChaCha8Rng) -> i64 {
    let bits = random.random_range(1..=63) * random.random_range(1..=63) / 63;
    let number = random.random_range(0..=(u64::MAX >> (64 - bits.max(1)))) as i64;
    if random.random() { number } else { -number }
}

/// The position of a number between 2^-16 and 2^16, mostly, of either sign.
fn moderate(kind: Kind, random: &mut ChaCha8Rng) -> u64 {
    let exponent = (0..4).map(|_| random.random_range(-4.0f64..=4.0)).sum::<f64>();
    let sign = if random.random() { 1.0 } else { -1.0 };
    position_of_double(kind, sign * exponent.exp2())
}

/// A position between finite bounds of a native format, such that values are even.
fn between(variable: &Variable, random: &mut ChaCha8Rng) -> Option<u64> {
    let (least, greatest) =
        (double_at(variable.kind, variable.first)?, double_at(variable.kind, variable.last)?);
    let value = least + random.random::<f64>() * (greatest - least);
    (least.is_finite() && greatest.is_finite()).then(|| position_of_double(variable.kind, value))
}

/// The value at a position, if it is of a native format.
fn double_at(kind: Kind, position: u64) -> Option<f64> {
    let word = kind.word(position);
    Some(match NativeFormat::of(kind.format()?)? {
        NativeFormat::Double => f64::from_bits(word),
        NativeFormat::Single => f64::from(f32::from_bits(word as u32)),
    })
}

/// The position of the value that a double has in the format of a kind, roughly.
fn position_of_double(kind: Kind, value: f64) -> u64 {
    let Some(format) = kind.format() else { return 0 };
    let word = match NativeFormat::of(format) {
        Some(NativeFormat::Double) => value.to_bits(),
        Some(single) => single.convert(NativeConversion::OtherFormat, value.to_bits()),
        None => truncated(format, value),
    };
    kind.position(word)
}

/// The bits of a double in another format of at most 64 bits, its last digits cut off.
fn truncated(format: sundry_term::FloatFormat, value: f64) -> u64 {
    let bits = value.to_bits();
    let (exponent_bits, fraction_bits) = (format.exponent_bits(), format.significand_bits() - 1);
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023 + (1i64 << (exponent_bits - 1)) - 1;
    let last = (1i64 << exponent_bits) - 2;
    let fraction = bits & ((1 << 52) - 1);
    let fraction =
        if fraction_bits <= 52 { fraction >> (52 - fraction_bits) } else { fraction << (fraction_bits - 52) };
    let magnitude =
        if value == 0.0 { 0 } else { (exponent.clamp(0, last) as u64) << fraction_bits | fraction };
    (bits >> 63) << (format.width() - 1) | magnitude
}
