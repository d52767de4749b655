//! Floating-point values as reals, by the values that candidates give them.
//!
//! The real is a variable. Where a candidate gives the bits of a finite value, the real has to be that number, and a lemma says so for these bits. The values of infinities
//! and of NaN are open: arrays and functions know the conversion as a function of the bits.

use sundry_circuit::{Aig, Edge};
use sundry_linear::{Rational, Variable};
use sundry_term::{BitVector, Float, FloatFormat};

use super::Numbers;
use super::expression::{Expression, Solution};
use crate::theory::lemma::{Lemma, LemmaKind};

/// Candidates that facts about one conversion may refute.
const MAXIMAL_REFUTED: usize = 200;

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
                    let mut clause: Vec<Edge> =
                        word.iter().map(|&bit| bit.complement_if(value(bit))).collect();
                    clause.push(self.equal(
                        aig,
                        &Expression::variable(result),
                        &Expression::constant(number),
                    ));
                    lemmas.push(Lemma { kind: LemmaKind::NumberDefinition, clause });
                }
                _ => is_undecided = true,
            }
        }
        if lemmas.is_empty() && is_undecided { None } else { Some(lemmas) }
    }
}
