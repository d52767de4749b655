//! Bits of numbers that have no bits: those that are asked for, and mean something only where that matters.
//!
//! A bit of an integer is an input of the circuit. After each solution, a bit that the SAT solver has not decided takes the value that
//! the number has. For those that it has decided otherwise, it is asked for a candidate near the last one, with the right bits preferred; only a bit on
//! which it insists gets its definition as a remainder. Numbers have 64 bits each, of which a question is about a handful.

use std::sync::Arc;

use sundry_circuit::{Aig, BitsOfTerms, Edge, NodeKind};
use sundry_linear::{Rational, Side, Variable};
use sundry_term::{SortId, TermId, TermStore};

use super::expression::Expression;
use super::{Numbers, Solution};

/// Candidates near the last one that are asked for before any bit gets its definition.
const MAXIMAL_REPAIRS: usize = 4;

/// Bits that get their definitions after one candidate.
const DEFINED_AT_ONCE: usize = 16;

/// A bit of an integer, in two's complement.
#[derive(Clone, Debug)]
pub(super) struct NumberBit {
    edge: Edge,
    number: Arc<Expression>,
    bit: u32,
    /// The value that decisions were asked to try, if they were.
    preferred: Option<bool>,
    is_defined: bool,
}

/// What a solution says of bits that the SAT solver has decided.
pub(super) enum BitsAnswer {
    Right,
    /// Some bits are wrong: a candidate near the last one may do.
    Repair,
    /// Some bits got their definitions.
    Defined,
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
                let negative = self.is_at_most_zero(aig, &number, true);
                if is_real {
                    let floor = self.floor(&number);
                    Box::new([negative, self.is_zero(aig, &number), self.equal(aig, &number, &floor)])
                } else {
                    (0..width).map(|bit| self.number_bit(aig, &number, bit)).chain([negative]).collect()
                }
            }
        };
        self.bits_of_terms.insert(term, edges);
    }

    /// The bits that were made of a number.
    pub(crate) fn bits_of(&self, term: TermId) -> Option<&[Edge]> {
        self.bits_of_terms.get(&term).map(|bits| &**bits)
    }

    /// A bit of an integer.
    fn number_bit(&mut self, aig: &mut Aig, number: &Arc<Expression>, bit: u32) -> Edge {
        if let Some(known) = self.known_bit(number, bit) {
            return Edge::from_bool(known);
        }
        let key = (number.clone(), bit);
        if let Some(&place) = self.number_bit_places.get(&key) {
            return self.number_bits[place].edge;
        }
        let edge = aig.input();
        self.number_bit_places.insert(key, self.number_bits.len());
        self.number_bits.push(NumberBit {
            edge,
            number: number.clone(),
            bit,
            preferred: None,
            is_defined: false,
        });
        edge
    }

    /// The value of a bit that is the same for all values of a number: below the power of two in all its factors, or above what its bounds
    /// allow.
    fn known_bit(&self, number: &Expression, bit: u32) -> Option<bool> {
        let modulus = power_of_two(bit + 1);
        if number.terms.iter().all(|(_, factor)| (factor / &modulus).is_integer()) {
            return Some(bit_of(&number.constant, bit));
        }
        // Between these bounds, where the bits above are all the same.
        let [least, most] = [Side::Lower, Side::Upper].map(|side| self.known_bound(number, side));
        let (least, most) = (least?, most?);
        let unit = power_of_two(bit);
        ((&least / &unit).floor() == (&most / &unit).floor()).then(|| bit_of(&least, bit))
    }

    /// A bound of an expression that holds for ever.
    fn known_bound(&self, number: &Expression, side: Side) -> Option<Rational> {
        let mut bound = number.constant.clone();
        let of_variable =
            |variable: Variable, side: Side| Some(self.simplex.bound(variable, side)?.rational.clone());
        if number.terms.len() > 1
            && let Some((variable, factor)) = self.known_variable_of(number)
        {
            let side_of_sum = if factor.is_negative() { side.opposite() } else { side };
            if let Some(of_sum) = of_variable(variable, side_of_sum) {
                bound.add_product(&factor, &of_sum);
                return Some(bound);
            }
        }
        for (variable, factor) in &number.terms {
            let side = if factor.is_negative() { side.opposite() } else { side };
            bound.add_product(factor, &of_variable(*variable, side)?);
        }
        Some(bound)
    }

    /// Judges the bits that the SAT solver has decided.
    pub(super) fn check_bits(
        &mut self,
        aig: &mut Aig,
        solution: &Solution,
        value: &dyn Fn(Edge) -> bool,
        is_free: &dyn Fn(Edge) -> bool,
    ) -> BitsAnswer {
        let is_wrong =
            |bit: &NumberBit| !bit.is_defined && !is_free(bit.edge) && value(bit.edge) != bit.value(solution);
        let wrong: Vec<usize> =
            (0..self.number_bits.len()).filter(|&place| is_wrong(&self.number_bits[place])).collect();
        if wrong.is_empty() {
            self.repairs = 0;
            return BitsAnswer::Right;
        }
        let insists = |&&place: &&usize| {
            let NumberBit { edge, preferred, .. } = self.number_bits[place];
            preferred.is_some_and(|preferred| preferred != value(edge))
        };
        let mut chosen: Vec<usize> = wrong.iter().filter(insists).take(DEFINED_AT_ONCE).copied().collect();
        if chosen.is_empty() {
            self.repairs += 1;
            if self.repairs <= MAXIMAL_REPAIRS {
                return BitsAnswer::Repair;
            }
            chosen = wrong.into_iter().take(DEFINED_AT_ONCE).collect();
        }
        chosen.into_iter().for_each(|place| self.define_bit(aig, place));
        self.repairs = 0;
        BitsAnswer::Defined
    }

    /// States what a bit is: the remainder by the next power of two is at least the power of two of the bit.
    fn define_bit(&mut self, aig: &mut Aig, place: usize) {
        let NumberBit { edge, number, bit, .. } = self.number_bits[place].clone();
        self.number_bits[place].is_defined = true;
        let (_, remainder) = self.divide(&number, &power_of_two(bit + 1));
        let unit = Expression::constant(power_of_two(bit));
        let is_set = self.is_at_most_zero(aig, &unit.minus(&remainder), false);
        self.state(vec![!edge, is_set]);
        self.state(vec![edge, !is_set]);
    }

    /// Whether there are bits whose values follow from a solution.
    pub(crate) fn has_bits(&self) -> bool {
        self.number_bits.iter().any(|bit| !bit.is_defined)
    }

    /// Gives the bits that have no definition the values of the last solution, for decisions to try.
    pub(crate) fn prefer_bits(&mut self, aig: &Aig, inputs: &mut [u64]) {
        for bit in self.number_bits.iter_mut().filter(|bit| !bit.is_defined) {
            let value = bit.value(&self.solution);
            bit.preferred = Some(value);
            let NodeKind::Input(number) = aig.kind(bit.edge.node()) else { unreachable!("bits are inputs") };
            if let Some(word) = inputs.get_mut(number as usize) {
                *word = u64::from(value).wrapping_neg();
            }
        }
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

/// A bit of an integer in two's complement.
fn bit_of(integer: &Rational, bit: u32) -> bool {
    let quotient = (integer / &power_of_two(bit)).floor();
    !(&quotient / &Rational::from(2)).is_integer()
}

fn power_of_two(exponent: u32) -> Rational {
    Rational::from(dashu_int::IBig::ONE << exponent as usize)
}
