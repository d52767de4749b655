//! Shifts: wiring where the distance is a literal.

use sundry_term::{Op, TermId};

use super::context::Context;
use super::linear::shift_left;

/// Shifts by a literal → slices, zeros, copies of the sign
pub(super) fn by_literal(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, distance] = arguments else { return None };
    let width = context.width(a);
    let distance = context.bits(distance)?.to_u64().unwrap_or(u64::MAX);
    let by = distance.min(u64::from(width)) as u32;
    if by == 0 {
        return Some(a);
    }
    match op {
        Op::BvShl => Some(shift_left(context, a, by)),
        Op::BvLshr if by == width => Some(context.zero(width)),
        Op::BvLshr => {
            let (zeros, kept) = (context.zero(by), context.extract(a, width - 1, by));
            Some(context.concat(&[zeros, kept]))
        }
        Op::BvAshr => {
            let by = by.min(width - 1);
            let kept = context.extract(a, width - 1, by);
            Some(context.build(Op::SignExtend(by), &[kept]))
        }
        _ => None,
    }
}

/// Shifts of `0`, and `bvashr (−1) a` → the literal
pub(super) fn of_literal(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let value = context.bits(arguments[0])?;
    (value.is_zero() || op == Op::BvAshr && value.is_ones()).then_some(arguments[0])
}

/// `bvshl a b` → `bvand a (bvnot b)`, `bvashr a b` → `a`, for one bit
pub(super) fn one_bit(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, distance] = arguments else { return None };
    if context.width(a) != 1 {
        return None;
    }
    if op == Op::BvAshr {
        return Some(a);
    }
    let stays = context.not(distance);
    Some(context.build(Op::BvAnd, &[a, stays]))
}

/// `bvashr (concat #b0 a) b` → `bvlshr (concat #b0 a) b`
pub(super) fn arithmetic_of_positive(
    context: &mut Context<'_>,
    _: Op,
    arguments: &[TermId],
) -> Option<TermId> {
    let first = *context.arguments_of(Op::Concat, arguments[0])?.first()?;
    if context.bits(first)?.is_negative() {
        return None;
    }
    Some(context.build(Op::BvLshr, arguments))
}
