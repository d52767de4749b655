//! Words of the circuit, and their values.

use sundry_circuit::{Aig, Edge, words};
use sundry_term::BitVector;

/// Bits in the circuit, least significant first.
pub(super) type Word = Box<[Edge]>;

/// The value of a word under an assignment.
pub(super) fn value_of(word: &[Edge], value: &dyn Fn(Edge) -> bool) -> BitVector {
    BitVector::from_bits(word.len() as u32, |position| value(word[position as usize]))
}

/// A value as a word of the circuit.
pub(super) fn constant(value: &BitVector) -> Vec<Edge> {
    words::constant(value.width() as usize, |position| value.bit(position as u32))
}

/// The number of bits that a value takes: the position behind its highest one.
pub(super) fn length(value: &BitVector) -> u32 {
    (0..value.width()).rev().find(|&position| value.bit(position)).map_or(0, |position| position + 1)
}

/// The fewest powers of two of which a value is a sum and difference, modulo two to its width.
pub(super) fn powers(value: &BitVector) -> u32 {
    // Digits of the non-adjacent form.
    let (mut carry, mut count) = (false, 0);
    for position in 0..value.width() {
        if value.bit(position) != carry {
            count += 1;
            carry = position + 1 < value.width() && value.bit(position + 1);
        }
    }
    count
}

/// Whether a word has this value.
pub(super) fn is(aig: &mut Aig, word: &[Edge], value: &BitVector) -> Edge {
    words::equal(aig, word, &constant(value))
}

/// Clauses that say that words are equal where a condition holds.
pub(super) fn equal_where(condition: Edge, left: &[Edge], right: &[Edge]) -> Vec<Vec<Edge>> {
    let pairs = left.iter().zip(right).filter(|(left, right)| left != right);
    pairs
        .flat_map(|(&left, &right)| [vec![!condition, !left, right], vec![!condition, left, !right]])
        .collect()
}

/// Whether one of these clauses, all of constants, is false.
pub(super) fn is_false(clauses: &[Vec<Edge>]) -> bool {
    clauses.iter().any(|clause| clause.iter().all(|&edge| edge == Edge::FALSE))
}

/// All values of a width.
#[cfg(test)]
pub(super) fn all(width: u32) -> impl Iterator<Item = BitVector> {
    (0..1 << width).map(move |value| BitVector::from_u64(width, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_added_and_subtracted() {
        for (value, expected) in
            [(0, 0), (1, 1), (0x40, 1), (0xff, 1), (0xf8, 1), (0x48, 2), (0x3e, 2), (0x55, 4)]
        {
            assert_eq!(powers(&BitVector::from_u64(8, value)), expected, "{value:#x}");
        }
    }

    #[test]
    fn lengths_end_with_the_highest_one() {
        for (value, expected) in [(0, 0), (1, 1), (0x40, 7), (0xff, 8)] {
            assert_eq!(length(&BitVector::from_u64(8, value)), expected, "{value:#x}");
        }
    }
}
