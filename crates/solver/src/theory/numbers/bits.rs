//! Bits of numbers that have no bits: those that are asked for, and mean something only where that matters.
//!
//! A bit of an integer is an input of the circuit. After each solution, a bit that the SAT solver has not decided takes the value that
//! the number has. For those that it has decided otherwise, it is asked for a candidate near the last one, with the right bits preferred; a bit on
//! which it insists is one that the question needs, and only such bits are bounds of remainders in the simplex. Numbers have 64 bits each, of which a question is
//! about a handful.

use std::sync::Arc;

use sundry_circuit::{Aig, BitsOfTerms, Edge, NodeKind};
use sundry_linear::{Rational, Side, Variable};
use sundry_term::{SortId, TermId, TermStore};

use super::expression::Expression;
use super::ranges::Range;
use super::{Numbers, Solution};

/// Candidates near the last one that are asked for before wrong bits count as needed.
const MAXIMAL_REPAIRS: usize = 4;

/// Bits that count as needed after one candidate, where the SAT solver insists on none.
const NEEDED_AT_ONCE: usize = 16;

/// A bit of an integer, in two's complement.
#[derive(Clone, Debug)]
pub(super) struct NumberBit {
    edge: Edge,
    number: Arc<Expression>,
    bit: u32,
    /// The value that decisions were asked to try, if they were.
    preferred: Option<bool>,
    /// Whether the present question needs the bit.
    is_needed: bool,
    /// The number modulo the next power of two, where some question needed the bit.
    remainder: Option<Expression>,
}

/// The bound that a bit says of the remainder.
pub(super) struct BoundOfBit {
    /// The number of the bit.
    pub(super) place: usize,
    pub(super) is_set: bool,
    pub(super) variable: Variable,
    pub(super) side: Side,
    pub(super) limit: Rational,
}

impl Numbers {
    /// Makes the bits of a number: of an integer the low ones, and one more that says whether it is negative; of a real three, which say whether it is
    /// negative, zero, and an integer.
    pub(crate) fn make_bits(
        &mut self,
        aig: &mut Aig,
        store: &TermStore,
        term: TermId,
        width: u32,
        bits: BitsOfTerms<'_>,
    ) {
        if self.bits_of_terms.contains_key(&term) {
            return;
        }
        let is_real = store.sort_of(term) == SortId::REAL;
        let edges: Box<[Edge]> = match bits(term) {
            Some(word) if !is_real => {
                let sign = *word.last().expect("integers have a sign");
                (0..width as usize).map(|bit| word.get(bit).copied().unwrap_or(sign)).chain([sign]).collect()
            }
            _ => {
                let number = self.expression(store, term, bits);
                if is_real {
                    let negative = self.is_at_most_zero(aig, &number, true);
                    let floor = self.floor(&number);
                    Box::new([negative, self.is_zero(aig, &number), self.equal(aig, &number, &floor)])
                } else {
                    self.integer_bits(aig, &number, width)
                }
            }
        };
        self.bits_of_terms.insert(term, edges);
    }

    /// The bits that were made of a number.
    pub(crate) fn bits_of(&self, term: TermId) -> Option<&[Edge]> {
        self.bits_of_terms.get(&term).map(|bits| &**bits)
    }

    /// The low bits of an integer, and its sign.
    fn integer_bits(&mut self, aig: &mut Aig, number: &Arc<Expression>, width: u32) -> Box<[Edge]> {
        let range = self.range_of(number);
        let negative = match range.sign() {
            Some(sign) => Edge::from_bool(sign),
            None => self.is_at_most_zero(aig, number, true),
        };
        let mut bit = |numbers: &mut Numbers, bit| match known_bit(number, &range, bit) {
            Some(known) => Edge::from_bool(known),
            None if range.is_sign(bit) => negative,
            None => numbers.number_bit(aig, number, bit),
        };
        (0..width).map(|place| bit(self, place)).chain([negative]).collect()
    }

    /// A bit of an integer.
    fn number_bit(&mut self, aig: &mut Aig, number: &Arc<Expression>, bit: u32) -> Edge {
        let key = (number.clone(), bit);
        if let Some(&place) = self.number_bit_places.get(&key) {
            return self.number_bits[place].edge;
        }
        let edge = aig.input();
        self.number_bit_places.insert(key, self.number_bits.len());
        let number = number.clone();
        let new = NumberBit { edge, number, bit, preferred: None, is_needed: false, remainder: None };
        self.number_bits.push(new);
        edge
    }

    /// Forgets which bits the last question needed.
    pub(super) fn forget_needed_bits(&mut self) {
        self.number_bits.iter_mut().for_each(|bit| bit.is_needed = false);
        self.repairs = 0;
    }

    /// Judges the bits that the SAT solver has decided: whether all of them are right. Of wrong ones, some count as needed from now on.
    pub(super) fn check_bits(
        &mut self,
        solution: &Solution,
        value: &dyn Fn(Edge) -> bool,
        is_free: &dyn Fn(Edge) -> bool,
    ) -> bool {
        let is_wrong = |bit: &NumberBit| !is_free(bit.edge) && value(bit.edge) != bit.value(solution);
        let wrong: Vec<usize> =
            (0..self.number_bits.len()).filter(|&place| is_wrong(&self.number_bits[place])).collect();
        let insists = |&&place: &&usize| {
            let NumberBit { edge, preferred, .. } = self.number_bits[place];
            preferred.is_some_and(|preferred| preferred != value(edge))
        };
        let mut needed: Vec<usize> = wrong.iter().filter(insists).copied().collect();
        if needed.is_empty() && !wrong.is_empty() {
            self.repairs += 1;
            if self.repairs > MAXIMAL_REPAIRS {
                needed = wrong.iter().take(NEEDED_AT_ONCE).copied().collect();
            }
        }
        needed.into_iter().for_each(|place| self.need_bit(place));
        self.forget_preferred_bits();
        wrong.is_empty()
    }

    fn need_bit(&mut self, place: usize) {
        self.number_bits[place].is_needed = true;
        if self.number_bits[place].remainder.is_none() {
            let NumberBit { number, bit, .. } = self.number_bits[place].clone();
            let (_, remainder) = self.divide(&number, &power_of_two(bit + 1));
            self.number_bits[place].remainder = Some(remainder);
        }
    }

    /// The bounds that the needed bits say: the remainder by the next power of two is at least the power of two of the bit,
    /// or less.
    pub(super) fn bounds_of_bits(&mut self, value: &dyn Fn(Edge) -> bool) -> Vec<BoundOfBit> {
        let mut bounds = Vec::new();
        for place in 0..self.number_bits.len() {
            let NumberBit { edge, bit, is_needed: true, remainder: Some(remainder), .. } =
                &self.number_bits[place]
            else {
                continue;
            };
            let (is_set, unit, remainder) = (value(*edge), power_of_two(*bit), remainder.clone());
            // The remainder is the variable times the factor, plus the constant.
            let (variable, factor) = self.variable_of(&remainder);
            let least = if is_set { unit } else { &unit - &Rational::ONE };
            let limit = &(&least - &remainder.constant) / &factor;
            let side = if is_set != factor.is_negative() { Side::Lower } else { Side::Upper };
            bounds.push(BoundOfBit { place, is_set, variable, side, limit });
        }
        bounds
    }

    /// The edge that says that a bit has not this value.
    pub(super) fn other_bit(&self, place: usize, is_set: bool) -> Edge {
        self.number_bits[place].edge.complement_if(is_set)
    }

    /// Whether there are bits whose values follow from a solution.
    pub(crate) fn has_bits(&self) -> bool {
        !self.number_bits.is_empty() || !self.roundings.is_empty()
    }

    /// Gives the bits the values of the last solution, for decisions to try.
    pub(crate) fn prefer_bits(&mut self, aig: &Aig, inputs: &mut [u64]) {
        self.prefer_rounded(aig, inputs);
        for bit in &mut self.number_bits {
            let value = bit.value(&self.solution);
            bit.preferred = Some(value);
            let NodeKind::Input(number) = aig.kind(bit.edge.node()) else { unreachable!("bits are inputs") };
            if let Some(word) = inputs.get_mut(number as usize) {
                *word = u64::from(value).wrapping_neg();
            }
        }
    }

    /// Notes that decisions try other values than those that were preferred.
    pub(crate) fn forget_preferred_bits(&mut self) {
        self.number_bits.iter_mut().for_each(|bit| bit.preferred = None);
    }

    /// The bits that the SAT solver has not decided, with the values that they have in the last solution.
    pub(super) fn free_bits<'n>(
        &'n self,
        is_free: &'n dyn Fn(Edge) -> bool,
    ) -> impl Iterator<Item = (Edge, bool)> + 'n {
        let free = self.number_bits.iter().filter(|bit| is_free(bit.edge));
        free.map(|bit| (bit.edge, bit.value(&self.solution)))
    }
}

impl NumberBit {
    fn value(&self, solution: &Solution) -> bool {
        bit_of(&self.number.value(solution), self.bit)
    }
}

/// The value of a bit that is the same for all values of a number: below the power of two in all its factors, or above what its range
/// allows.
fn known_bit(number: &Expression, range: &Range, bit: u32) -> Option<bool> {
    let modulus = power_of_two(bit + 1);
    if number.terms.iter().all(|(_, factor)| (factor / &modulus).is_integer()) {
        return Some(bit_of(&number.constant, bit));
    }
    // Between these ends, where the bits above are all the same.
    let (least, most) = range.ends()?;
    let unit = power_of_two(bit);
    ((least / &unit).floor() == (most / &unit).floor()).then(|| bit_of(least, bit))
}

/// A bit of an integer in two's complement.
fn bit_of(integer: &Rational, bit: u32) -> bool {
    let quotient = (integer / &power_of_two(bit)).floor();
    !(&quotient / &Rational::from(2)).is_integer()
}

pub(super) fn power_of_two(exponent: u32) -> Rational {
    Rational::from(dashu_int::IBig::ONE << exponent as usize)
}
