//! Division by literals that needs no divider, and division of numbers with zeros in front.
//!
//! Signed division by other literals stays with the circuit, which divides magnitudes once for
//! quotient and remainder.

use sundry_term::{BitVector, Op, TermId};

use super::compare::leading_literal;
use super::context::Context;
use super::linear::power_of_two;

/// `bvudiv a 2^n` → `concat 0 (extract a)`, `bvurem a 2^n` → `concat 0 (extract a)`; by zero, all
/// ones and the dividend
pub(super) fn unsigned_by_literal(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, divisor] = arguments else { return None };
    let width = context.width(a);
    let divisor = context.bits(divisor)?;
    if divisor.is_zero() {
        return Some(if op == Op::BvUdiv { context.ones(width) } else { a });
    }
    let by = power_of_two(divisor)?;
    match (op, by) {
        (Op::BvUdiv, 0) => Some(a),
        (Op::BvUrem, 0) => Some(context.zero(width)),
        (Op::BvUdiv, _) => {
            let (zeros, kept) = (context.zero(by), context.extract(a, width - 1, by));
            Some(context.concat(&[zeros, kept]))
        }
        (_, _) => {
            let (zeros, kept) = (context.zero(width - by), context.extract(a, by - 1, 0));
            Some(context.concat(&[zeros, kept]))
        }
    }
}

/// `bvudiv 0 a` → `ite (= a 0) −1 0`, `bvurem 0 a` → `0`
pub(super) fn zero_dividend(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[dividend, divisor] = arguments else { return None };
    if !context.bits(dividend)?.is_zero() {
        return None;
    }
    if op == Op::BvUrem {
        return Some(dividend);
    }
    let width = context.width(dividend);
    let by_zero = context.equal(divisor, dividend);
    let ones = context.ones(width);
    Some(context.ite(by_zero, ones, dividend))
}

/// `bvurem a a` → `0`, `bvudiv a a` → `ite (= a 0) −1 1`, and the signed ones
pub(super) fn same_operands(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    if a != b {
        return None;
    }
    let width = context.width(a);
    if matches!(op, Op::BvUrem | Op::BvSrem | Op::BvSmod) {
        return Some(context.zero(width));
    }
    // The signed quotient of zero by zero is −1 as well.
    let by_zero = context.equals(a, BitVector::zero(width));
    let (ones, one) = (context.ones(width), context.literal(BitVector::one(width)));
    Some(context.ite(by_zero, ones, one))
}

/// The number of leading bits that are literally zero.
fn leading_zeros(context: &Context<'_>, term: TermId) -> u32 {
    let Some(literal) = leading_literal(context, term) else { return 0 };
    (0..literal.width()).rev().take_while(|&bit| !literal.bit(bit)).count() as u32
}

/// `bvurem (concat 0 a) (concat 0 b)` → `concat 0 (bvurem a b)`,
/// `bvudiv (concat 0 a) (concat 0 b)` → `ite (= b 0) −1 (concat 0 (bvudiv a b))`
pub(super) fn narrow(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let width = context.width(a);
    let zeros = leading_zeros(context, a).min(leading_zeros(context, b)).min(width - 1);
    if zeros == 0 {
        return None;
    }
    let (low_a, low_b) = (context.extract(a, width - zeros - 1, 0), context.extract(b, width - zeros - 1, 0));
    let result = context.build(op, &[low_a, low_b]);
    let front = context.zero(zeros);
    let result = context.concat(&[front, result]);
    if op == Op::BvUrem {
        return Some(result);
    }
    let by_zero = context.equals(low_b, BitVector::zero(width - zeros));
    let ones = context.ones(width);
    Some(context.ite(by_zero, ones, result))
}

/// Signed division of numbers with a zero in front → unsigned; `bvsmod` as `bvurem`
pub(super) fn signed_of_positive(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.iter().any(|&argument| leading_zeros(context, argument) == 0) {
        return None;
    }
    let unsigned = if op == Op::BvSdiv { Op::BvUdiv } else { Op::BvUrem };
    Some(context.build(unsigned, arguments))
}

/// Signed division by 1, −1 and 0 → the dividend, its negation, a literal
pub(super) fn signed_by_literal(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, divisor] = arguments else { return None };
    let width = context.width(a);
    let divisor = context.bits(divisor)?;
    if divisor.is_zero() {
        if op != Op::BvSdiv {
            return Some(a);
        }
        let zero = context.zero(width);
        let negative = context.slt(a, zero);
        let (one, ones) = (context.literal(BitVector::one(width)), context.ones(width));
        return Some(context.ite(negative, one, ones));
    }
    let (is_one, is_minus_one) = (*divisor == BitVector::one(width), divisor.is_ones());
    match op {
        Op::BvSdiv if is_minus_one => Some(context.build(Op::BvNeg, &[a])),
        Op::BvSdiv if is_one => Some(a),
        Op::BvSrem | Op::BvSmod if is_one || is_minus_one => Some(context.zero(width)),
        _ => None,
    }
}
