//! Operators on bit-vectors of at most 64 bits: a loop over a column for each, which the compiler can turn into
//! vector instructions. Bits above the width are zero.

use sundry_term::Op;

use crate::column::{Column, mask_where};

/// The bits below a width of at most 64.
pub(crate) fn low_bits(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The value with the sign bit carried to the left end.
fn signed(value: u64, width: u32) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

/// The magnitude of a signed value, and whether it is negative.
fn magnitude(value: u64, width: u32) -> (u64, bool) {
    let value = signed(value, width);
    (value.unsigned_abs(), value < 0)
}

fn negate_if(condition: bool, value: u64) -> u64 {
    if condition { value.wrapping_neg() } else { value }
}

fn quotient(left: u64, right: u64) -> u64 {
    left.checked_div(right).unwrap_or(u64::MAX)
}

fn remainder(left: u64, right: u64) -> u64 {
    left.checked_rem(right).unwrap_or(left)
}

/// A result that holds the first operand and is folded with the other ones, from the left.
struct Fold<'c, O> {
    result: &'c mut Column,
    others: O,
    cut: u64,
}

impl<'c, O: Iterator<Item = &'c Column>> Fold<'_, O> {
    fn with(self, operation: impl Fn(u64, u64) -> u64) -> bool {
        for other in self.others {
            for (value, &other) in self.result.iter_mut().zip(other) {
                *value = operation(*value, other) & self.cut;
            }
        }
        true
    }
}

/// Computes a two-place operator on words of a width, left-associative where it has more operands, of which the
/// first is there as the result. Whether this is such an operator.
pub(crate) fn fold<'c>(
    op: Op,
    width: u32,
    result: &mut Column,
    others: impl Iterator<Item = &'c Column>,
) -> bool {
    let words = Fold { result, others, cut: low_bits(width) };
    let bits = u64::from(width);
    match op {
        Op::BvAnd => words.with(|left, right| left & right),
        Op::BvOr => words.with(|left, right| left | right),
        Op::BvXor => words.with(|left, right| left ^ right),
        Op::BvNand => words.with(|left, right| !(left & right)),
        Op::BvNor => words.with(|left, right| !(left | right)),
        Op::BvXnor => words.with(|left, right| !(left ^ right)),
        Op::BvAdd => words.with(u64::wrapping_add),
        Op::BvSub => words.with(u64::wrapping_sub),
        Op::BvMul => words.with(u64::wrapping_mul),
        Op::BvUdiv => words.with(quotient),
        Op::BvUrem => words.with(remainder),
        Op::BvSdiv => words.with(|left, right| {
            let ((left, is_negative), (right, by_negative)) =
                (magnitude(left, width), magnitude(right, width));
            negate_if(is_negative != by_negative, quotient(left, right))
        }),
        Op::BvSrem => words.with(|left, right| {
            let ((left, is_negative), (right, _)) = (magnitude(left, width), magnitude(right, width));
            negate_if(is_negative, remainder(left, right))
        }),
        Op::BvShl => words.with(|left, right| if right < bits { left << right } else { 0 }),
        Op::BvLshr => words.with(|left, right| if right < bits { left >> right } else { 0 }),
        Op::BvAshr => words.with(|left, right| (signed(left, width) >> right.min(bits - 1)) as u64),
        Op::BvComp => words.with(|left, right| u64::from(left == right)),
        _ => false,
    }
}

/// The mask of a two-place predicate on words of a width; `None` where this is none.
pub(crate) fn test(op: Op, width: u32, left: &Column, right: &Column) -> Option<u64> {
    // Signed values are in the order of unsigned ones when the sign bit is flipped.
    let sign = 1 << (width - 1);
    Some(match op {
        Op::BvUlt => mask_where(|lane| left[lane] < right[lane]),
        Op::BvUle => mask_where(|lane| left[lane] <= right[lane]),
        Op::BvUgt => mask_where(|lane| left[lane] > right[lane]),
        Op::BvUge => mask_where(|lane| left[lane] >= right[lane]),
        Op::BvSlt => mask_where(|lane| left[lane] ^ sign < right[lane] ^ sign),
        Op::BvSle => mask_where(|lane| left[lane] ^ sign <= right[lane] ^ sign),
        Op::BvSgt => mask_where(|lane| left[lane] ^ sign > right[lane] ^ sign),
        Op::BvSge => mask_where(|lane| left[lane] ^ sign >= right[lane] ^ sign),
        _ => return None,
    })
}
