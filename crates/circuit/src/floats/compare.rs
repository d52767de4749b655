//! Order and equality of IEEE 754, on packed values, whose bits without the sign are ordered as their magnitudes are.

use sundry_term::FloatFormat;

use super::packed::Classes;
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

/// Whether the first is below the second, or, with `or_equal`, not above it.
pub fn less(aig: &mut Aig, format: FloatFormat, a: &[Edge], b: &[Edge], or_equal: bool) -> Edge {
    let (left, right) = (Classes::of(aig, format, a), Classes::of(aig, format, b));
    let magnitude = a.len() - 1;
    let less = words::unsigned_less(aig, &a[..magnitude], &b[..magnitude], or_equal);
    let greater = words::unsigned_less(aig, &b[..magnitude], &a[..magnitude], or_equal);
    // Of numbers with a minus sign, the one with the smaller magnitude is the greater.
    let positive = aig.and(!right.negative, less);
    let negative = aig.and(right.negative, greater);
    let same_sign = aig.or(positive, negative);
    let is_same_sign = aig.equal(left.negative, right.negative);
    let ordered = aig.ite(is_same_sign, same_sign, left.negative);
    let zeros = aig.and(left.zero, right.zero);
    let number = aig.and(!left.nan, !right.nan);
    let result = aig.ite(zeros, Edge::from_bool(or_equal), ordered);
    aig.and(number, result)
}

/// Whether both are equal numbers, the zeros among them.
pub fn ieee_equal(aig: &mut Aig, format: FloatFormat, a: &[Edge], b: &[Edge]) -> Edge {
    let (left, right) = (Classes::of(aig, format, a), Classes::of(aig, format, b));
    let same = words::equal(aig, a, b);
    let zeros = aig.and(left.zero, right.zero);
    let same = aig.or(same, zeros);
    // If one is NaN and both are equal, so is the other.
    aig.and(same, !left.nan)
}

/// The smaller of both, or the greater; the other where one is NaN. Of zeros with different signs, `open` says whether it is the first.
pub fn max_or_min(
    aig: &mut Aig,
    format: FloatFormat,
    a: &[Edge],
    b: &[Edge],
    maximum: bool,
    open: impl FnOnce(&mut Aig) -> Edge,
) -> Vec<Edge> {
    let (left, right) = (Classes::of(aig, format, a), Classes::of(aig, format, b));
    let is_first = if maximum { less(aig, format, b, a, false) } else { less(aig, format, a, b, false) };
    let zeros = aig.and(left.zero, right.zero);
    let differ = aig.xor(left.negative, right.negative);
    let is_open = aig.and(zeros, differ);
    let is_first = match is_open {
        Edge::FALSE => is_first,
        _ => {
            let open = open(aig);
            aig.ite(is_open, open, is_first)
        }
    };
    let is_first = aig.or(is_first, right.nan);
    let is_first = aig.and(is_first, !left.nan);
    words::ite(aig, is_first, a, b)
}
