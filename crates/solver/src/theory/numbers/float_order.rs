//! The order of floating-point values, as that of numbers with the same bits: as reals, with minus zero below zero, and NaN beyond the infinities.

use sundry_circuit::{Aig, Edge};
use sundry_term::{BitVector, Float, FloatFormat};

/// Bits of a number that orders floating-point values, lowest first: as they are for positive values, all complemented for negative ones, and
/// the sign complemented.
fn key(aig: &mut Aig, word: &[Edge]) -> Vec<Edge> {
    let (&sign, magnitude) = word.split_last().expect("values have a sign");
    let mut key: Vec<Edge> = magnitude.iter().map(|&bit| aig.xor(bit, sign)).collect();
    key.push(!sign);
    key
}

/// The bits of the key of a value.
pub(super) fn key_of(value: &Float) -> BitVector {
    let bits = value.to_bits().expect("reals are not rounded to NaN");
    let sign = bits.bit(bits.width() - 1);
    BitVector::from_bits(
        bits.width(),
        |bit| if bit == bits.width() - 1 { !sign } else { bits.bit(bit) ^ sign },
    )
}

/// The value with a key.
pub(super) fn value_with_key(format: FloatFormat, key: &BitVector) -> Float {
    let top = key.width() - 1;
    let sign = !key.bit(top);
    Float::from_bits(
        format,
        &BitVector::from_bits(key.width(), |bit| if bit == top { sign } else { key.bit(bit) ^ sign }),
    )
}

/// Whether the value with these bits is at least another one, in the order of reals with minus zero below zero.
pub(super) fn at_least(aig: &mut Aig, word: &[Edge], limit: &Float) -> Edge {
    let limit = key_of(limit);
    let mut holds = Edge::TRUE;
    for (position, bit) in (0..).zip(key(aig, word)) {
        holds = if limit.bit(position) { aig.and(bit, holds) } else { aig.or(bit, holds) };
    }
    holds
}

/// Whether the value with these bits is at most another one.
pub(super) fn at_most(aig: &mut Aig, word: &[Edge], limit: &Float) -> Edge {
    let limit = key_of(limit);
    let mut holds = Edge::TRUE;
    for (position, bit) in (0..).zip(key(aig, word)) {
        holds = if limit.bit(position) { aig.or(!bit, holds) } else { aig.and(!bit, holds) };
    }
    holds
}
