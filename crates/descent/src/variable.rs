//! Variables: symbols with their values as positions, machine words in an order in which neighbours are near.
//!
//! Positions of floats follow the order of the values, so that a step of so many floats is an addition. The position behind
//! infinity is NaN.

use std::sync::Arc;

use dashu_int::IBig;
use dashu_ratio::RBig;
use sundry_term::{BitVector, Float, FloatFormat, RoundingMode, Sort, SortId, SymbolId, TermStore, Value};

use crate::program::{Registers, Shape, Slot};
use crate::theta::infinity;

/// The values that a variable has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Truth values.
    Bool,
    /// Rounding modes.
    Mode,
    /// Bit-vectors of this width. Of wide ones, only the lowest 64 bits vary.
    Bits(u32),
    /// Values of this format. Of wide ones, only the highest 64 bits vary.
    Float(FloatFormat),
    /// Integers of 64 bits.
    Integer,
    /// Reals that are doubles.
    Real,
}

impl Kind {
    pub(crate) fn of(store: &TermStore, sort: SortId) -> Option<Kind> {
        Some(match *store.sort(sort) {
            Sort::Bool => Kind::Bool,
            Sort::RoundingMode => Kind::Mode,
            Sort::BitVec(width) => Kind::Bits(width),
            Sort::Float(format) => Kind::Float(format),
            Sort::Int => Kind::Integer,
            Sort::Real => Kind::Real,
            _ => return None,
        })
    }

    /// The format whose values positions stand for: of wide floats, one with as many exponents and a shorter significand.
    pub(crate) fn format(self) -> Option<FloatFormat> {
        match self {
            Kind::Float(format) if format.width() > 64 => {
                FloatFormat::new(format.exponent_bits(), 64 - format.exponent_bits())
            }
            Kind::Float(format) => Some(format),
            Kind::Real => FloatFormat::new(11, 53),
            _ => None,
        }
    }

    /// The greatest position, from 0.
    pub(crate) fn last(self) -> u64 {
        match (self, self.format()) {
            (_, Some(format)) => {
                let last = position_of_bits(format, infinity(format));
                // Reals are finite.
                if self == Kind::Real { last - 1 } else { last + 1 }
            }
            (Kind::Bool, _) => 1,
            (Kind::Mode, _) => RoundingMode::ALL.len() as u64 - 1,
            (Kind::Bits(width), _) => u64::MAX >> (64 - width.min(64)),
            _ => u64::MAX,
        }
    }

    /// The least position.
    pub(crate) fn first(self) -> u64 {
        match self.format() {
            Some(format) => {
                let negative = 1 << (format.width() - 1);
                let least = position_of_bits(format, infinity(format) | negative);
                if self == Kind::Real { least + 1 } else { least }
            }
            None => 0,
        }
    }

    /// The machine word at a position: bits of floats, or an integer in two's complement.
    pub(crate) fn word(self, position: u64) -> u64 {
        match (self, self.format()) {
            (_, Some(format)) => {
                let sign = 1u64 << (format.width() - 1);
                let ones = u64::MAX >> (64 - format.width());
                let bits = if position & sign != 0 { position & !sign } else { !position & ones };
                let is_nan = bits & (sign - 1) > infinity(format);
                // The canonical pattern.
                if is_nan { infinity(format) | 1 << (format.significand_bits() - 2) } else { bits }
            }
            (Kind::Integer, _) => position ^ 1 << 63,
            _ => position,
        }
    }

    /// The position of a machine word.
    pub(crate) fn position(self, word: u64) -> u64 {
        match (self, self.format()) {
            (_, Some(format)) if word & ((1 << (format.width() - 1)) - 1) > infinity(format) => self.last(),
            (_, Some(format)) => position_of_bits(format, word),
            (Kind::Integer, _) => word ^ 1 << 63,
            _ => word,
        }
    }

    /// The value at a position.
    pub(crate) fn value(self, position: u64) -> Value {
        let word = self.word(position);
        match self {
            Kind::Bool => Value::Bool(word == 1),
            Kind::Mode => Shape::Mode.value(word),
            Kind::Bits(width) if width <= 64 => Shape::Bits(width).value(word),
            Kind::Bits(width) => Value::BitVec(BitVector::from_u64(64, word).zero_extend(width - 64)),
            Kind::Float(format) if format.width() <= 64 => Shape::Float(format).value(word),
            Kind::Float(format) => {
                let low = BitVector::zero(format.width() - 64);
                let bits = BitVector::concat(&BitVector::from_u64(64, word), &low);
                Value::Float(Arc::new(Float::from_bits(format, &bits)))
            }
            Kind::Integer => Value::Int(IBig::from(word as i64)),
            Kind::Real => {
                let format = self.format().expect("reals are doubles");
                let float = Float::from_bits(format, &BitVector::from_u64(64, word));
                let (numerator, exponent) = float.to_rational().expect("reals are finite");
                let number = RBig::from(numerator) * RBig::from(IBig::from(2)).pow(exponent as isize);
                Value::Real(Arc::new(number))
            }
        }
    }
}

/// The position of a float that is not NaN, by its bits.
fn position_of_bits(format: FloatFormat, bits: u64) -> u64 {
    let sign = 1u64 << (format.width() - 1);
    let ones = u64::MAX >> (64 - format.width());
    if bits & sign != 0 { !bits & ones } else { bits | sign }
}

/// A symbol to which an assignment gives values.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The symbol.
    pub symbol: SymbolId,
    /// Its values.
    pub kind: Kind,
    /// The least position that the assertions allow, as far as a bound says so.
    pub(crate) first: u64,
    /// The greatest position.
    pub(crate) last: u64,
    pub(crate) slot: Slot,
}

impl Variable {
    pub(crate) fn new(symbol: SymbolId, kind: Kind, slot: Slot) -> Variable {
        Variable { symbol, kind, first: kind.first(), last: kind.last(), slot }
    }

    /// The value at a position.
    pub fn value(&self, position: u64) -> Value {
        self.kind.value(position)
    }

    pub(crate) fn load(&self, position: u64, registers: &mut Registers) {
        match self.slot {
            Slot::Word(register, _) => registers.words[register as usize] = self.kind.word(position),
            Slot::Value(register) => registers.values[register as usize] = self.kind.value(position),
            Slot::Distance(_) => unreachable!("truth values are read from words"),
        }
    }
}
