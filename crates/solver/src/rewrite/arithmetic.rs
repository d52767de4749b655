//! Sums and products of one bit, and multiplication.

use sundry_term::{Op, TermId};

use super::context::Context;

/// `bvneg a` → `a`, `bvadd a b` and `bvsub a b` → `bvxor a b`, `bvmul a b` → `bvand a b`, for one bit
pub(super) fn one_bit(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if context.width(arguments[0]) != 1 {
        return None;
    }
    match op {
        Op::BvNeg => Some(arguments[0]),
        Op::BvAdd | Op::BvSub => Some(context.build(Op::BvXor, arguments)),
        Op::BvMul => Some(context.build(Op::BvAnd, arguments)),
        _ => None,
    }
}
