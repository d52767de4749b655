//! Conditions on words as conditions on integers.

use dashu_int::IBig;
use dashu_int::ops::RemEuclid;
use rustc_hash::FxHashMap;
use sundry_term::{ArithmeticOp, BitVector, Model, Op, Sort, SymbolId, TermId, Value};

use crate::symbolic::Terms;

/// The greatest absolute value of integers that words are read as; beyond, nothing but the range is known of a word.
const GREATEST: i128 = 1 << 96;

/// An integer that a word is equal to modulo 2 to the power of its width, and the interval that it is in.
#[derive(Copy, Clone)]
struct Number {
    term: TermId,
    low: i128,
    high: i128,
}

/// An integer that stands for a symbol, or for a word of which nothing else is known.
struct Unknown {
    integer: SymbolId,
    /// The symbol, if it is one.
    word: Option<SymbolId>,
    width: u32,
}

/// Translations of words and conditions.
#[derive(Default)]
pub(super) struct Translation {
    numbers: FxHashMap<TermId, Number>,
    conditions: FxHashMap<TermId, Option<TermId>>,
    unknowns: Vec<Unknown>,
    unknown_of: FxHashMap<SymbolId, usize>,
}

impl Translation {
    /// A condition on words as one on integers; none if it has parts that are neither words nor truth values.
    pub fn condition(&mut self, condition: TermId, terms: &mut Terms) -> Option<TermId> {
        if let Some(&known) = self.conditions.get(&condition) {
            return known;
        }
        // Parts come before the whole.
        for term in terms.store.reachable(&[condition]) {
            if terms.store.is_bool(term) {
                if !self.conditions.contains_key(&term) {
                    let translated = self.truth_value(term, terms);
                    self.conditions.insert(term, translated);
                }
            } else if let Some(width) = terms.store.width(term).filter(|_| !self.numbers.contains_key(&term))
            {
                let number = match self.word(term, width, terms) {
                    Some(number) if number.low > -GREATEST && number.high < GREATEST => number,
                    _ => self.unknown(term, width, terms),
                };
                self.numbers.insert(term, number);
            }
        }
        self.conditions[&condition]
    }

    /// The conditions that integers are in the ranges of the words that they stand for.
    pub fn bounds(&self, conditions: &[TermId], terms: &mut Terms) -> Vec<TermId> {
        let mut bounds = Vec::new();
        for term in terms.store.reachable(conditions) {
            let Op::Apply(symbol) = terms.store.op(term) else { continue };
            let Some(&number) = self.unknown_of.get(&symbol) else { continue };
            let last = (1 << self.unknowns[number].width) - 1;
            let (zero, last) = (integer(0, terms), integer(last, terms));
            bounds.push(arithmetic(ArithmeticOp::LessOrEqual, &[zero, term], terms));
            bounds.push(arithmetic(ArithmeticOp::LessOrEqual, &[term, last], terms));
        }
        bounds
    }

    /// The values of words in a model of integers. Values outside of the range of a word, which partial solutions may have, wrap around.
    pub fn words(&self, model: &Model) -> Model {
        let mut words = Model::default();
        for unknown in &self.unknowns {
            let Some(Value::Int(value)) = model.constant(unknown.integer) else { continue };
            let Some(word) = unknown.word else { continue };
            let modulus = IBig::from(1) << unknown.width as usize;
            let value = u64::try_from(value.rem_euclid(modulus)).unwrap_or(0);
            words.set_constant(word, Value::BitVec(BitVector::from_u64(unknown.width, value)));
        }
        words
    }

    /// A truth value whose parts have been translated.
    fn truth_value(&self, term: TermId, terms: &mut Terms) -> Option<TermId> {
        let (op, arguments) = (terms.store.op(term), terms.store.args(term).to_vec());
        if terms.store.value(term).is_some() {
            return Some(term);
        }
        let are_words = arguments.first().is_some_and(|&first| terms.store.width(first).is_some());
        match op {
            Op::Equal | Op::Distinct if are_words && arguments.len() == 2 => {
                let equal = self.equal(arguments[0], arguments[1], terms);
                Some(if op == Op::Equal { equal } else { terms.not(equal) })
            }
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies | Op::Equal | Op::Distinct | Op::Ite
                if !are_words =>
            {
                let parts: Option<Vec<TermId>> =
                    arguments.iter().map(|part| self.conditions.get(part).copied().flatten()).collect();
                Some(terms.apply(op, &parts?))
            }
            Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge => {
                let sides = [0, 1].map(|side| self.unsigned(arguments[side], terms).term);
                Some(arithmetic(comparison(op), &sides, terms))
            }
            Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => {
                let sides = [0, 1].map(|side| self.signed(arguments[side], terms).term);
                Some(arithmetic(comparison(op), &sides, terms))
            }
            _ => None,
        }
    }

    /// The equality of two words. Integers whose distance is less than the modulus are equal if the words are.
    fn equal(&self, left: TermId, right: TermId, terms: &mut Terms) -> TermId {
        let modulus = 1_i128 << terms.store.width(left).unwrap_or(64);
        let (a, b) = (self.numbers[&left], self.numbers[&right]);
        let is_near = a.high - b.low < modulus && b.high - a.low < modulus;
        let (a, b) = match is_near {
            true => (a, b),
            false => (self.unsigned(left, terms), self.unsigned(right, terms)),
        };
        terms.apply(Op::Equal, &[a.term, b.term])
    }

    /// A word whose parts have been translated; none if the operation has no linear meaning.
    fn word(&mut self, term: TermId, width: u32, terms: &mut Terms) -> Option<Number> {
        let (op, arguments) = (terms.store.op(term), terms.store.args(term).to_vec());
        if width > 64 {
            return None;
        }
        if let Some(value) = terms.value(term) {
            // Numbers from the middle on are negative, as compilers write subtractions.
            let is_negative = width >= 32 && value >> (width - 1) == 1;
            let value = i128::from(value) - if is_negative { 1 << width } else { 0 };
            return Some(Number { term: integer(value, terms), low: value, high: value });
        }
        let part = |number: usize| self.numbers.get(&arguments[number]).copied();
        let constant = |number: usize| terms.value(arguments[number]);
        Some(match op {
            Op::Apply(_) => return None,
            Op::BvAdd => {
                let parts: Option<Vec<Number>> = (0..arguments.len()).map(part).collect();
                let parts = parts?;
                let integers: Vec<TermId> = parts.iter().map(|part| part.term).collect();
                Number {
                    term: arithmetic(ArithmeticOp::Add, &integers, terms),
                    low: parts.iter().map(|part| part.low).sum(),
                    high: parts.iter().map(|part| part.high).sum(),
                }
            }
            Op::BvSub => {
                let (left, right) = (part(0)?, part(1)?);
                let term = arithmetic(ArithmeticOp::Sub, &[left.term, right.term], terms);
                Number { term, low: left.low - right.high, high: left.high - right.low }
            }
            Op::BvNeg => times(part(0)?, -1, terms),
            Op::BvNot => plus(times(part(0)?, -1, terms), -1, terms),
            Op::BvMul if arguments.len() == 2 => {
                let (left, right) = (part(0)?, part(1)?);
                match (left.low == left.high, right.low == right.high) {
                    (true, _) => times(right, left.low, terms),
                    (_, true) => times(left, right.low, terms),
                    _ => return None,
                }
            }
            Op::BvShl => {
                let count = constant(1).filter(|&count| count < u64::from(width))?;
                times(part(0)?, 1 << count, terms)
            }
            Op::BvLshr => {
                let count = constant(1).filter(|&count| count < u64::from(width))?;
                divided(self.unsigned(arguments[0], terms), 1 << count, terms)
            }
            Op::BvAshr => {
                let count = constant(1).filter(|&count| count < u64::from(width))?;
                divided(self.signed(arguments[0], terms), 1 << count, terms)
            }
            Op::BvAnd if arguments.len() == 2 => {
                let (mask, other) = match (constant(0), constant(1)) {
                    (Some(mask), _) => (mask, part(1)?),
                    (_, Some(mask)) => (mask, part(0)?),
                    _ => return None,
                };
                if mask.wrapping_add(1).is_power_of_two() {
                    remainder(other, i128::from(mask) + 1, terms)
                } else {
                    let rest = !mask & (u64::MAX >> (64 - width));
                    if !rest.wrapping_add(1).is_power_of_two() {
                        return None;
                    }
                    let rest = remainder(other, i128::from(rest) + 1, terms);
                    let term = arithmetic(ArithmeticOp::Sub, &[other.term, rest.term], terms);
                    Number { term, low: other.low - rest.high, high: other.high }
                }
            }
            Op::BvUdiv => {
                let divisor = constant(1).filter(|&divisor| divisor > 0)?;
                divided(self.unsigned(arguments[0], terms), i128::from(divisor), terms)
            }
            Op::BvUrem => {
                let divisor = constant(1).filter(|&divisor| divisor > 0)?;
                remainder(self.unsigned(arguments[0], terms), i128::from(divisor), terms)
            }
            Op::Extract { low: 0, .. } => part(0)?,
            Op::Extract { low, .. } => divided(self.unsigned(arguments[0], terms), 1 << low, terms),
            Op::ZeroExtend(_) => self.unsigned(arguments[0], terms),
            Op::SignExtend(_) => self.signed(arguments[0], terms),
            Op::Concat => {
                let mut whole = part(0)?;
                for &lower in &arguments[1..] {
                    let shifted = times(whole, 1 << terms.store.width(lower)?, terms);
                    let lower = self.unsigned(lower, terms);
                    whole = Number {
                        term: arithmetic(ArithmeticOp::Add, &[shifted.term, lower.term], terms),
                        low: shifted.low + lower.low,
                        high: shifted.high + lower.high,
                    };
                }
                whole
            }
            Op::Ite => {
                let condition = self.conditions.get(&arguments[0]).copied().flatten()?;
                choice(condition, part(1)?, part(2)?, terms)
            }
            _ => return None,
        })
    }

    /// An integer for a symbol, or for a word of which nothing is known but its range.
    fn unknown(&mut self, term: TermId, width: u32, terms: &mut Terms) -> Number {
        let word = terms.store.constant_symbol(term);
        let name = match word {
            Some(symbol) => format!("{} as an integer", terms.store.symbol(symbol).name),
            None => "integer of a word".to_string(),
        };
        let sort = terms.store.intern_sort(Sort::Int).expect("integers are a sort");
        let symbol = terms.store.declare(&name, &[], sort);
        self.unknown_of.insert(symbol, self.unknowns.len());
        self.unknowns.push(Unknown { integer: symbol, word, width });
        Number { term: terms.store.symbol_term(symbol), low: 0, high: (1 << width) - 1 }
    }

    /// A word as the integer from 0 on that it encodes.
    fn unsigned(&self, word: TermId, terms: &mut Terms) -> Number {
        let number = self.numbers[&word];
        remainder(number, 1 << terms.store.width(word).unwrap_or(64), terms)
    }

    /// A word as the integer that it encodes in two's complement.
    fn signed(&self, word: TermId, terms: &mut Terms) -> Number {
        let number = self.numbers[&word];
        let modulus = 1_i128 << terms.store.width(word).unwrap_or(64);
        if number.low >= -modulus / 2 && number.high < modulus / 2 {
            return number;
        }
        let shifted = plus(number, modulus / 2, terms);
        let shifted = remainder(shifted, modulus, terms);
        plus(shifted, -modulus / 2, terms)
    }
}

fn comparison(op: Op) -> ArithmeticOp {
    match op {
        Op::BvUlt | Op::BvSlt => ArithmeticOp::Less,
        Op::BvUle | Op::BvSle => ArithmeticOp::LessOrEqual,
        Op::BvUgt | Op::BvSgt => ArithmeticOp::Greater,
        _ => ArithmeticOp::GreaterOrEqual,
    }
}

fn integer(value: i128, terms: &mut Terms) -> TermId {
    terms.store.constant(Value::Int(IBig::from(value)))
}

fn arithmetic(op: ArithmeticOp, arguments: &[TermId], terms: &mut Terms) -> TermId {
    terms.apply(Op::Arithmetic(op), arguments)
}

fn plus(number: Number, summand: i128, terms: &mut Terms) -> Number {
    let constant = integer(summand, terms);
    let term = arithmetic(ArithmeticOp::Add, &[number.term, constant], terms);
    Number { term, low: number.low + summand, high: number.high + summand }
}

fn times(number: Number, factor: i128, terms: &mut Terms) -> Number {
    let constant = integer(factor, terms);
    let ends = [number.low.saturating_mul(factor), number.high.saturating_mul(factor)];
    let term = arithmetic(ArithmeticOp::Mul, &[constant, number.term], terms);
    Number { term, low: ends[0].min(ends[1]), high: ends[0].max(ends[1]) }
}

/// The quotient, rounded down.
fn divided(number: Number, divisor: i128, terms: &mut Terms) -> Number {
    let constant = integer(divisor, terms);
    let term = arithmetic(ArithmeticOp::Div, &[number.term, constant], terms);
    Number { term, low: number.low.div_euclid(divisor), high: number.high.div_euclid(divisor) }
}

/// The remainder from 0 on. A choice suffices where only one multiple of the modulus may be taken away or added.
fn remainder(number: Number, modulus: i128, terms: &mut Terms) -> Number {
    if number.low >= 0 && number.high < modulus {
        return number;
    }
    let least = integer(if number.low < 0 { 0 } else { modulus }, terms);
    let is_less = arithmetic(ArithmeticOp::Less, &[number.term, least], terms);
    let term = if number.low >= -modulus && number.high < modulus {
        let above = plus(number, modulus, terms);
        terms.apply(Op::Ite, &[is_less, above.term, number.term])
    } else if number.low >= 0 && number.high < 2 * modulus {
        let below = plus(number, -modulus, terms);
        terms.apply(Op::Ite, &[is_less, number.term, below.term])
    } else {
        let constant = integer(modulus, terms);
        arithmetic(ArithmeticOp::Mod, &[number.term, constant], terms)
    };
    Number { term, low: 0, high: modulus - 1 }
}

fn choice(condition: TermId, then: Number, otherwise: Number, terms: &mut Terms) -> Number {
    let term = terms.apply(Op::Ite, &[condition, then.term, otherwise.term]);
    Number { term, low: then.low.min(otherwise.low), high: then.high.max(otherwise.high) }
}
