//! Shifts by a variable amount: one stage of choices for every bit of the amount that matters.

use crate::aig::Aig;
use crate::edge::Edge;

/// Shift to the left, zero from the width on.
pub fn shift_left(aig: &mut Aig, a: &[Edge], amount: &[Edge]) -> Vec<Edge> {
    let mut reversed: Vec<Edge> = a.iter().rev().copied().collect();
    reversed = shift_down(aig, reversed, amount, Edge::FALSE);
    reversed.reverse();
    reversed
}

/// Shift to the right, zero from the width on.
pub fn shift_right_logical(aig: &mut Aig, a: &[Edge], amount: &[Edge]) -> Vec<Edge> {
    shift_down(aig, a.to_vec(), amount, Edge::FALSE)
}

/// Shift to the right, all sign bits from the width on.
pub fn shift_right_arithmetic(aig: &mut Aig, a: &[Edge], amount: &[Edge]) -> Vec<Edge> {
    let sign = super::sign(a);
    shift_down(aig, a.to_vec(), amount, sign)
}

/// Shifts towards the least significant bit and fills with `fill`.
fn shift_down(aig: &mut Aig, mut bits: Vec<Edge>, amount: &[Edge], fill: Edge) -> Vec<Edge> {
    let width = bits.len();
    let mut beyond = Vec::new();
    for (stage, &control) in amount.iter().enumerate() {
        let distance = u32::try_from(stage).ok().and_then(|stage| 1usize.checked_shl(stage));
        match distance.filter(|&distance| distance < width) {
            // A bit is read from above before it is written: one buffer serves all stages.
            Some(distance) => {
                for position in 0..width {
                    let moved = bits.get(position + distance).copied().unwrap_or(fill);
                    bits[position] = aig.ite(control, moved, bits[position]);
                }
            }
            None => beyond.push(control),
        }
    }
    let beyond = aig.or_many(&beyond);
    for bit in &mut bits {
        *bit = aig.ite(beyond, fill, *bit);
    }
    bits
}

/// Rotation to the left by a fixed number of bits.
pub fn rotate_left(a: &[Edge], by: u32) -> Vec<Edge> {
    let mut rotated = a.to_vec();
    if !rotated.is_empty() {
        rotated.rotate_right(by as usize % a.len());
    }
    rotated
}

/// Rotation to the left by an amount that is less than the width.
pub fn rotate_left_by(aig: &mut Aig, a: &[Edge], amount: &[Edge]) -> Vec<Edge> {
    rotate_by(aig, a, amount, |distance| distance)
}

/// Rotation to the right by an amount that is less than the width.
pub fn rotate_right_by(aig: &mut Aig, a: &[Edge], amount: &[Edge]) -> Vec<Edge> {
    rotate_by(aig, a, amount, |distance| a.len() - distance)
}

fn rotate_by(aig: &mut Aig, a: &[Edge], amount: &[Edge], to_left: impl Fn(usize) -> usize) -> Vec<Edge> {
    let mut bits = a.to_vec();
    for (stage, &condition) in amount.iter().enumerate() {
        let distance = match 1usize.checked_shl(stage as u32) {
            Some(distance) if distance < a.len() => distance,
            _ => break,
        };
        let rotated = rotate_left(&bits, to_left(distance) as u32);
        bits = super::ite(aig, condition, &rotated, &bits);
    }
    bits
}
