//! Floating-point values as reals, by the values that candidates give them.
//!
//! The real is a variable. The conversion keeps the order, so where a candidate gives the real another number than that of the finite value with these bits, lemmas say that
//! values at least or at most as great have reals at least or at most as great: at the value of the candidate, and at the value next to the candidate's real. The values of
//! infinities and of NaN are open: arrays and functions know the conversion as a function of the bits.

use sundry_circuit::{Aig, Edge};
use sundry_linear::{Rational, Variable};
use sundry_term::{BitVector, Float, FloatFormat, RoundingMode};

use super::Numbers;
use super::expression::{Expression, Solution};
use super::float_order::{at_least, at_most, key_of, value_with_key};
use crate::theory::lemma::{Lemma, LemmaKind};

/// Candidates that facts about one conversion may refute.
const MAXIMAL_REFUTED: usize = 400;

/// Bits of a number above which no real is made of a floating-point value.
const MAXIMAL_BITS: u64 = 1 << 16;

/// A floating-point value as a real.
#[derive(Clone, Debug)]
pub(super) struct Conversion {
    word: Box<[Edge]>,
    format: FloatFormat,
    result: Variable,
    /// Candidates that facts about the conversion have refuted.
    refuted: usize,
}

/// The number that a floating-point value is, if it is finite, and not too long to be written.
pub(super) fn number_of(value: &Float) -> Option<Rational> {
    let (numerator, exponent) = value.to_rational()?;
    if exponent.unsigned_abs() > MAXIMAL_BITS {
        return None;
    }
    let numerator = Rational::from(numerator);
    let power = Rational::from(dashu_int::IBig::ONE << exponent.unsigned_abs() as usize);
    Some(if exponent < 0 { &numerator / &power } else { &numerator * &power })
}

pub(super) fn value_of(word: &[Edge], format: FloatFormat, value: impl Fn(Edge) -> bool) -> Float {
    Float::from_bits(format, &BitVector::from_bits(format.width(), |bit| value(word[bit as usize])))
}

impl Numbers {
    /// The real that a floating-point value with these bits is, and whether the conversion is new.
    pub(super) fn real_of_float(&mut self, word: &[Edge], format: FloatFormat) -> (Expression, bool) {
        if word.iter().all(|bit| bit.is_constant().is_some())
            && let Some(number) = number_of(&value_of(word, format, |bit| bit == Edge::TRUE))
        {
            return (Expression::constant(number), false);
        }
        if let Some(known) =
            self.conversions.iter().find(|known| *known.word == *word && known.format == format)
        {
            return (Expression::variable(known.result), false);
        }
        let result = self.simplex.new_variable(false);
        self.conversions.push(Conversion { word: word.into(), format, result, refuted: 0 });
        (Expression::variable(result), true)
    }

    /// The facts that a solution violates; `None` where there is a wrong real, and no facts about it are made any more.
    pub(super) fn check_conversions(
        &mut self,
        aig: &mut Aig,
        solution: &Solution,
        value: &dyn Fn(Edge) -> bool,
    ) -> Option<Vec<Lemma>> {
        let mut lemmas = Vec::new();
        let mut is_undecided = false;
        for place in 0..self.conversions.len() {
            let Conversion { word, format, result, refuted } = self.conversions[place].clone();
            let float = value_of(&word, format, value);
            if float.is_nan() || float.is_infinite() {
                continue;
            }
            let number = number_of(&float);
            if number.as_ref() == Some(solution.value(result)) {
                continue;
            }
            match number {
                Some(number) if refuted < MAXIMAL_REFUTED => {
                    self.conversions[place].refuted += 1;
                    let real = solution.value(result).clone();
                    let next = next_to(&real, format, real < number);
                    let facts = [(float.clone(), true), (float, false), (next, real < number)];
                    for (limit, is_lower) in facts {
                        let clause = self.order_of_conversion(aig, (&word, result), &limit, is_lower);
                        lemmas
                            .extend(clause.map(|clause| Lemma { kind: LemmaKind::NumberDefinition, clause }));
                    }
                }
                _ => is_undecided = true,
            }
        }
        if lemmas.is_empty() && is_undecided { None } else { Some(lemmas) }
    }

    /// The fact that a finite value which is at least a limit has a real that is at least the number of the limit, or the same for at most.
    fn order_of_conversion(
        &mut self,
        aig: &mut Aig,
        (word, result): (&[Edge], Variable),
        limit: &Float,
        is_lower: bool,
    ) -> Option<Vec<Edge>> {
        let distance = Expression::variable(result).minus(&Expression::constant(number_of(limit)?));
        let greatest = greatest_of(limit.format());
        let (is_there, is_finite, distance) = if is_lower {
            (at_least(aig, word, limit), at_most(aig, word, &greatest), distance.scaled(&Rational::MINUS_ONE))
        } else {
            (at_most(aig, word, limit), at_least(aig, word, &greatest.neg()), distance)
        };
        Some(vec![!is_there, !is_finite, self.is_at_most_zero(aig, &distance, true)])
    }
}

/// The greatest finite value.
fn greatest_of(format: FloatFormat) -> Float {
    let key = key_of(&Float::infinity(format, false));
    value_with_key(format, &key.sub(&BitVector::one(format.width())))
}

/// The value next to a real, above or below it, which it is not. There has to be a finite one.
fn next_to(real: &Rational, format: FloatFormat, above: bool) -> Float {
    let mode = if above { RoundingMode::TowardPositive } else { RoundingMode::TowardNegative };
    let rounded = Float::from_rational(format, &real.to_big(), mode);
    if number_of(&rounded).as_ref() != Some(real) {
        return rounded;
    }
    let one = BitVector::one(format.width());
    if real.is_zero() {
        // The two zeros are one real.
        let least = Float::from_bits(format, &one);
        return if above { least } else { least.neg() };
    }
    let key = key_of(&rounded);
    value_with_key(format, &if above { key.add(&one) } else { key.sub(&one) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_next_to_a_real_is_another_one() {
        let format = FloatFormat::new(3, 4).expect("a format");
        let greatest = number_of(&greatest_of(format)).expect("finite");
        for eighths in -150..150 {
            let real = &Rational::from(eighths) / &Rational::from(8);
            for above in [true, false] {
                if if above { real >= greatest } else { real <= -greatest.clone() } {
                    continue;
                }
                let next = next_to(&real, format, above);
                let number = number_of(&next).expect("finite");
                assert!(if above { number > real } else { number < real }, "{real:?} and {number:?}");
                // No value is between them.
                let key = key_of(&next);
                let one = BitVector::one(format.width());
                let between = value_with_key(format, &if above { key.sub(&one) } else { key.add(&one) });
                if let Some(between) = number_of(&between) {
                    assert!(
                        if above { between <= real } else { between >= real },
                        "{between:?} and {real:?}"
                    );
                }
            }
        }
    }
}
