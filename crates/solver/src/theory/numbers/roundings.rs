//! Reals as floating-point values, by the reals that candidates give.
//!
//! The bits of the value are inputs of the circuit. Rounding is monotonic, so where a candidate gives a real another value than the one it is rounded to, two lemmas
//! say from where on reals are rounded to this value at least, and up to where to this value at most. A
//! third one says how far the real has to go for the value that the candidate has. Values are ordered as reals are, with minus zero below zero.

use std::sync::Arc;

use sundry_circuit::{Aig, BitsOfTerms, Edge, NodeKind};
use sundry_linear::Rational;
use sundry_term::{BitVector, Float, FloatFormat, RoundingMode, TermId, TermStore};

use super::Numbers;
use super::expression::{Expression, Solution};
use super::float_order::{at_least, at_most, key_of, value_with_key};
use super::floats::{number_of, value_of};
use crate::theory::lemma::{Lemma, LemmaKind};

/// Candidates that facts about one rounding may refute.
const MAXIMAL_REFUTED: usize = 400;

/// A real as a floating-point value.
#[derive(Clone, Debug)]
pub(super) struct Rounding {
    mode: Box<[Edge]>,
    number: Arc<Expression>,
    word: Box<[Edge]>,
    format: FloatFormat,
    /// Candidates that facts about the rounding have refuted.
    refuted: usize,
    /// The value that the last candidate gives the real.
    rounded: Option<Float>,
}

impl Numbers {
    /// The bits of the floating-point value that a real is rounded to.
    pub(super) fn float_of_real(
        &mut self,
        aig: &mut Aig,
        store: &TermStore,
        [mode, number]: [TermId; 2],
        format: FloatFormat,
        bits: BitsOfTerms<'_>,
    ) -> Box<[Edge]> {
        let mode: Box<[Edge]> = bits(mode).expect("rounding modes have bits").into();
        let number = self.expression(store, number, bits);
        let is_same =
            |known: &&Rounding| known.mode == mode && known.number == number && known.format == format;
        if let Some(known) = self.roundings.iter().find(is_same) {
            return known.word.clone();
        }
        let word: Box<[Edge]> = (0..format.width()).map(|_| aig.input()).collect();
        // A real is rounded to a number or to an infinity.
        let is_number = at_most(aig, &word, &Float::infinity(format, false));
        let is_number_below = at_least(aig, &word, &Float::infinity(format, true));
        for edge in [is_number, is_number_below] {
            self.pending.push(Lemma { kind: LemmaKind::NumberDefinition, clause: vec![edge] });
        }
        self.roundings.push(Rounding { mode, number, word: word.clone(), format, refuted: 0, rounded: None });
        word
    }

    /// The facts that a solution violates; `None` where there is a wrong value, and no facts about it are made any more.
    pub(super) fn check_roundings(
        &mut self,
        aig: &mut Aig,
        solution: &Solution,
        value: &dyn Fn(Edge) -> bool,
    ) -> Option<Vec<Lemma>> {
        let mut lemmas = Vec::new();
        let mut is_undecided = false;
        for place in 0..self.roundings.len() {
            let Rounding { mode, number, word, format, refuted, .. } = self.roundings[place].clone();
            let position = mode.iter().rev().fold(0, |so_far, &bit| 2 * so_far + usize::from(value(bit)));
            let real = number.value(solution);
            let rounded = Float::from_rational(format, &real.to_big(), RoundingMode::ALL[position]);
            self.roundings[place].rounded = Some(rounded.clone());
            let actual = value_of(&word, format, value);
            if actual == rounded {
                continue;
            }
            if refuted == MAXIMAL_REFUTED {
                is_undecided = true;
                continue;
            }
            self.roundings[place].refuted += 1;
            let mode_of_candidate = RoundingMode::ALL[position];
            let is_other_mode = mode.iter().map(|&bit| bit.complement_if(value(bit)));
            let mut facts = Vec::new();
            if let Some(end) = end_below(&rounded, mode_of_candidate) {
                let is_below = self.is_outside(aig, &number, &end, true);
                facts.push([is_below, at_least(aig, &word, &rounded)]);
            } else {
                facts.push([Edge::FALSE, at_least(aig, &word, &rounded)]);
            }
            if let Some(end) = end_above(&rounded, mode_of_candidate) {
                let is_above = self.is_outside(aig, &number, &end, false);
                facts.push([is_above, at_most(aig, &word, &rounded)]);
            } else {
                facts.push([Edge::FALSE, at_most(aig, &word, &rounded)]);
            }
            facts.extend(self.fact_towards(aig, &number, &word, &actual, &rounded));
            let lemma = |fact: [Edge; 2]| {
                let clause = is_other_mode.clone().chain(fact).collect();
                Lemma { kind: LemmaKind::NumberDefinition, clause }
            };
            lemmas.extend(facts.into_iter().map(lemma));
        }
        if lemmas.is_empty() && is_undecided { None } else { Some(lemmas) }
    }

    /// Gives the bits of floating-point values what the reals of the last candidate are rounded to, for decisions to try.
    pub(super) fn prefer_rounded(&self, aig: &Aig, inputs: &mut [u64]) {
        for Rounding { word, rounded, .. } in &self.roundings {
            let Some(bits) = rounded.as_ref().and_then(Float::to_bits) else { continue };
            for (position, bit) in (0..).zip(word) {
                let NodeKind::Input(number) = aig.kind(bit.node()) else { unreachable!("bits are inputs") };
                if let Some(input) = inputs.get_mut(number as usize) {
                    *input = u64::from(bits.bit(position)).wrapping_neg();
                }
            }
        }
    }

    /// The fact that reals on the one side of the neighbour of a value, towards another one, are not rounded to the value. `None` where the
    /// neighbour is no real that is rounded to itself.
    fn fact_towards(
        &mut self,
        aig: &mut Aig,
        number: &Expression,
        word: &[Edge],
        value: &Float,
        other: &Float,
    ) -> Option<[Edge; 2]> {
        let (key, one) = (key_of(value), BitVector::one(word.len() as u32));
        let is_above = key_of(other).ult(&key);
        let neighbour = value_with_key(value.format(), &if is_above { key.sub(&one) } else { key.add(&one) });
        let limit = number_of(&neighbour).filter(|limit| !limit.is_zero())?;
        let end = End { limit, is_included: true };
        let is_elsewhere = self.is_outside(aig, number, &end, !is_above);
        let holds = if is_above { at_most(aig, word, &neighbour) } else { at_least(aig, word, &neighbour) };
        Some([is_elsewhere, holds])
    }

    /// Whether a number is beyond an end, below or above it.
    fn is_outside(&mut self, aig: &mut Aig, number: &Expression, end: &End, below: bool) -> Edge {
        let distance = number.minus(&Expression::constant(end.limit.clone()));
        let distance = if below { distance } else { distance.scaled(&Rational::MINUS_ONE) };
        self.is_at_most_zero(aig, &distance, end.is_included)
    }
}

/// An end of the reals that are rounded to a value.
struct End {
    limit: Rational,
    is_included: bool,
}

/// The end up to which reals are rounded to a value or a smaller one. `None` where all reals are.
fn end_above(value: &Float, mode: RoundingMode) -> Option<End> {
    let format = value.format();
    if value.is_infinite() && !value.is_negative() {
        return None;
    }
    if value.is_zero() && value.is_negative() {
        return Some(End { limit: Rational::ZERO, is_included: false });
    }
    let is_rounded_so = |real: &Rational| Float::from_rational(format, &real.to_big(), mode) == *value;
    let next = value_with_key(format, &key_of(value).add(&BitVector::one(format.width())));
    // Beyond the greatest value, reals are rounded as if there was one more.
    let beyond = |greatest: &Float| {
        let below = value_with_key(format, &key_of(greatest).sub(&BitVector::one(format.width())));
        let (greatest, below) = (number_of(greatest)?, number_of(&below)?);
        Some(&(&greatest + &greatest) - &below)
    };
    let (from, to) = match (number_of(value), number_of(&next)) {
        (Some(from), Some(to)) => (from, to),
        (Some(from), None) => {
            let to = beyond(value)?;
            if is_rounded_so(&(&to * &Rational::from(4))) {
                return None;
            }
            (from, to)
        }
        (None, to) => (-beyond(&next.neg())?, to?),
    };
    let half = Rational::from(2);
    let middle = &(&from + &to) / &half;
    if is_rounded_so(&(&(&middle + &to) / &half)) {
        return Some(End { is_included: is_rounded_so(&to), limit: to });
    }
    if is_rounded_so(&(&(&from + &middle) / &half)) {
        return Some(End { is_included: is_rounded_so(&middle), limit: middle });
    }
    Some(End { limit: from, is_included: true })
}

/// The end down to which reals are rounded to a value or a greater one. `None` where all reals are.
fn end_below(value: &Float, mode: RoundingMode) -> Option<End> {
    if value.is_zero() && !value.is_negative() {
        return Some(End { limit: Rational::ZERO, is_included: true });
    }
    let mirrored = match mode {
        RoundingMode::TowardPositive => RoundingMode::TowardNegative,
        RoundingMode::TowardNegative => RoundingMode::TowardPositive,
        same => same,
    };
    let End { limit, is_included } = end_above(&value.neg(), mirrored)?;
    Some(End { limit: -limit, is_included })
}
