//! Operations on bit-vectors of edges, least significant bit first.
//!
//! The circuits are the textbook ones (ripple carry, shift and add, restoring division, barrel
//! shifting), as in the bit-blasters of Boolector and Bitwuzla: they share nodes between
//! operations on the same operands, and SAT solvers cope with them better than with circuits of
//! small depth. The graph folds constants, so that the circuits need no special cases for them,
//! except where a constant allows for another circuit.
//!
//! Operands have equal widths unless a function says otherwise.

mod add;
mod compare;
mod divide;
pub mod integers;
mod multiply;
mod shift;

pub use add::{
    add, add_with_carry, increment_if, negate, negate_if, signed_add_overflow, sub, unsigned_add_overflow,
};
pub use add::{negate_overflow, signed_sub_overflow};
pub use compare::{equal, is_ones, is_zero, signed_less, unsigned_less};
pub use divide::{Divider, signed_div_overflow};
pub use multiply::{
    Multiply, magnitudes_exceed, multiply, row_count, signed_mul_overflow, unsigned_mul_overflow,
};
pub use shift::{
    rotate_left, rotate_left_by, rotate_right_by, shift_left, shift_right_arithmetic, shift_right_logical,
};

use crate::aig::Aig;
use crate::edge::Edge;

/// A bit-vector of edges with this constant value.
pub fn constant(width: usize, mut bit: impl FnMut(usize) -> bool) -> Vec<Edge> {
    (0..width).map(|index| Edge::from_bool(bit(index))).collect()
}

/// The bits of a constant, `None` when some bit is not one.
fn constant_bits(a: &[Edge]) -> Option<Vec<bool>> {
    a.iter().map(|edge| edge.is_constant()).collect()
}

/// The complement of every bit.
pub fn not(a: &[Edge]) -> Vec<Edge> {
    a.iter().map(|&edge| !edge).collect()
}

/// A two-input gate on every pair of bits.
pub fn zip(aig: &mut Aig, a: &[Edge], b: &[Edge], gate: fn(&mut Aig, Edge, Edge) -> Edge) -> Vec<Edge> {
    debug_assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(&left, &right)| gate(aig, left, right)).collect()
}

/// `consequent` where `condition` holds, `alternative` elsewhere.
pub fn ite(aig: &mut Aig, condition: Edge, consequent: &[Edge], alternative: &[Edge]) -> Vec<Edge> {
    debug_assert_eq!(consequent.len(), alternative.len());
    consequent.iter().zip(alternative).map(|(&c, &a)| aig.ite(condition, c, a)).collect()
}

/// The sign bit.
fn sign(a: &[Edge]) -> Edge {
    a.last().copied().unwrap_or(Edge::FALSE)
}
