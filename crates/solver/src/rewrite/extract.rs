//! Slices move towards the leaves where they get cheaper there.

use sundry_term::{Op, TermId};

use super::context::{Context, Terms};
use super::slices::slices_freely;

/// Parts of a concatenation that are searched for a slice, at most: taking every bit of one of
/// very many parts would be quadratic.
const MAXIMAL_PARTS: usize = 1024;

fn range(op: Op) -> Option<(u32, u32)> {
    match op {
        Op::Extract { high, low } => Some((high, low)),
        _ => None,
    }
}

/// `extract` of all bits → `a`
pub(super) fn whole(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    (low == 0 && high + 1 == context.width(arguments[0])).then_some(arguments[0])
}

/// `(_ extract h l) ((_ extract i j) a)` → `(_ extract h+j l+j) a`
pub(super) fn of_extract(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let (_, start) = range(context.op(arguments[0]))?;
    let below = context.argument(arguments[0], 0);
    Some(context.extract(below, high + start, low + start))
}

/// `extract` of `concat` → the parts that it meets, cut at both ends
pub(super) fn of_concat(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    if context.arguments_of(Op::Concat, arguments[0])?.len() > MAXIMAL_PARTS {
        return None;
    }
    let parts = context.arguments(arguments[0]);
    let mut met = Terms::new();
    let mut end = context.width(arguments[0]);
    for &part in &parts {
        let start = end - context.width(part);
        if start <= high && low < end {
            met.push(context.extract(part, high.min(end - 1) - start, low.max(start) - start));
        }
        end = start;
    }
    Some(context.concat(&met))
}

/// `extract` of `sign_extend` → of the argument, of its sign bits, or a shorter extension
pub(super) fn of_sign_extend(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let a = context.below(Op::SignExtend(extension(context, arguments[0])?), arguments[0])?;
    let top = context.width(a) - 1;
    if high <= top {
        return Some(context.extract(a, high, low));
    }
    let start = low.min(top);
    let kept = context.extract(a, top, start);
    // Bits above the sign are copies of it.
    let copies = high - low.max(top);
    Some(context.build(Op::SignExtend(copies), &[kept]))
}

fn extension(context: &Context<'_>, term: TermId) -> Option<u32> {
    match context.op(term) {
        Op::SignExtend(by) => Some(by),
        _ => None,
    }
}

/// `extract (bvnot a)` → `bvnot (extract a)`
pub(super) fn of_not(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let below = context.below(Op::BvNot, arguments[0])?;
    let slice = context.extract(below, high, low);
    Some(context.not(slice))
}

/// `extract` of `bvand`, `bvxor` or `ite` → the operation on slices, where slicing the
/// operands is wiring
pub(super) fn of_bitwise(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let inner = context.op(arguments[0]);
    let first = match inner {
        Op::BvAnd | Op::BvXor => 0,
        Op::Ite => 1,
        _ => return None,
    };
    let mut operands = context.arguments(arguments[0]);
    if !slicing_pays(context, &operands[first..], high) {
        return None;
    }
    for operand in &mut operands[first..] {
        *operand = context.extract(*operand, high, low);
    }
    Some(context.build(inner, &operands))
}

/// `extract` of the low bits of `bvadd`, `bvneg` or `bvmul` → the operation on low bits, where
/// slicing the operands is wiring
pub(super) fn of_arithmetic(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (high, low) = range(op)?;
    let inner = context.op(arguments[0]);
    if low != 0 || !matches!(inner, Op::BvAdd | Op::BvNeg | Op::BvMul) {
        return None;
    }
    let operands = context.arguments(arguments[0]);
    if !slicing_pays(context, &operands, high) {
        return None;
    }
    let slices: Terms = operands.iter().map(|&operand| context.extract(operand, high, low)).collect();
    Some(context.build(inner, &slices))
}

fn slicing_pays(context: &Context<'_>, operands: &[TermId], high: u32) -> bool {
    operands.iter().all(|&operand| slices_freely(context, operand, high))
}
