//! Concatenation, and the operators that are wiring and become one: extension, repetition,
//! rotation.

use sundry_term::{BitVector, Op, TermId};

use super::context::{Context, Terms};

/// Parts up to which nested concatenations become one.
const MAXIMAL_PARTS: usize = 64;

/// `concat a (concat b c)` → `concat a b c`, up to a bound
pub(super) fn flatten(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let parts_of = |&argument: &TermId| context.arguments_of(Op::Concat, argument).map_or(1, <[_]>::len);
    let total: usize = arguments.iter().map(parts_of).sum();
    if total == arguments.len() || total > MAXIMAL_PARTS {
        return None;
    }
    let mut parts = Terms::new();
    for &argument in arguments {
        match context.arguments_of(Op::Concat, argument) {
            Some(inner) => parts.extend_from_slice(inner),
            None => parts.push(argument),
        }
    }
    Some(context.concat(&parts))
}

/// `concat #x0 #x1 a` → `concat #x01 a`
pub(super) fn literals(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    join_neighbours(context, arguments, |context, left, right| {
        let joined = BitVector::concat(context.bits(left)?, context.bits(right)?);
        Some(context.literal(joined))
    })
}

/// `concat (extract 7 4 a) (extract 3 0 a)` → `extract 7 0 a`, also under complement
pub(super) fn adjacent(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    join_neighbours(context, arguments, |context, left, right| {
        let complements = (context.below(Op::BvNot, left), context.below(Op::BvNot, right));
        let (left, right, complemented) = match complements {
            (Some(left), Some(right)) => (left, right, true),
            (None, None) => (left, right, false),
            _ => return None,
        };
        let (Op::Extract { high, low: end }, Op::Extract { high: start, low }) =
            (context.op(left), context.op(right))
        else {
            return None;
        };
        let base = context.argument(left, 0);
        if base != context.argument(right, 0) || end != start + 1 {
            return None;
        }
        let joined = context.extract(base, high, low);
        Some(if complemented { context.not(joined) } else { joined })
    })
}

/// `concat (extract 7 7 a) a` → `sign_extend 1 a`, and `concat (extract 7 7 a) (sign_extend 1 a)` → `sign_extend 2 a`
pub(super) fn sign(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    join_neighbours(context, arguments, |context, left, right| {
        let (base, extended) = match context.op(right) {
            Op::SignExtend(by) => (context.argument(right, 0), by),
            _ => (right, 0),
        };
        let top = context.width(base) - 1;
        // A copy of the sign bit, or several.
        let (bit, copies) = match context.op(left) {
            Op::SignExtend(by) if context.width(left) == by + 1 => (context.argument(left, 0), by + 1),
            _ => (left, 1),
        };
        let is_sign = if top == 0 {
            bit == base
        } else {
            match context.op(base) {
                Op::Extract { high, .. } => {
                    let of = context.argument(base, 0);
                    context.op(bit) == Op::Extract { high, low: high } && context.argument(bit, 0) == of
                }
                _ => {
                    context.op(bit) == Op::Extract { high: top, low: top } && context.argument(bit, 0) == base
                }
            }
        };
        is_sign.then(|| context.build(Op::SignExtend(extended + copies), &[base]))
    })
}

/// The concatenation with the first pair of neighbours joined that `join` accepts, then the rest.
fn join_neighbours(
    context: &mut Context<'_>,
    arguments: &[TermId],
    join: impl Fn(&mut Context<'_>, TermId, TermId) -> Option<TermId>,
) -> Option<TermId> {
    let mut parts = Terms::new();
    for &argument in arguments {
        let joined = match parts.last() {
            Some(&last) => join(context, last, argument),
            None => None,
        };
        match joined {
            Some(joined) => *parts.last_mut().expect("there is a neighbour") = joined,
            None => parts.push(argument),
        }
    }
    (parts.len() < arguments.len()).then(|| context.concat(&parts))
}

/// `(_ zero_extend n) a` → `concat 0 a`, and `a` for n = 0
pub(super) fn zero_extend(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let Op::ZeroExtend(by) = op else { return None };
    if by == 0 {
        return Some(arguments[0]);
    }
    let zero = context.zero(by);
    Some(context.concat(&[zero, arguments[0]]))
}

/// `(_ sign_extend 0) a` → `a`
pub(super) fn sign_extend_none(_: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    (op == Op::SignExtend(0)).then_some(arguments[0])
}

/// `(_ sign_extend n) ((_ sign_extend m) a)` → `(_ sign_extend n+m) a`
pub(super) fn sign_extend_twice(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (Op::SignExtend(by), Op::SignExtend(inner)) = (op, context.op(arguments[0])) else { return None };
    let below = context.argument(arguments[0], 0);
    Some(context.build(Op::SignExtend(by + inner), &[below]))
}

/// `(_ sign_extend n) (concat k a)` → `concat k' a` for a literal k, which has the sign bit
pub(super) fn sign_extend_literal(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let Op::SignExtend(by) = op else { return None };
    let mut parts = Terms::from_slice(context.arguments_of(Op::Concat, arguments[0])?);
    let extended = context.bits(parts[0])?.sign_extend(by);
    parts[0] = context.literal(extended);
    Some(context.concat(&parts))
}

/// `(_ repeat 1) a` → `a`, `(_ repeat n) a` → `sign_extend` of one bit, or `concat a a …` of a small number
pub(super) fn repeat(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let Op::Repeat(times) = op else { return None };
    if times == 1 {
        return Some(arguments[0]);
    }
    if context.width(arguments[0]) == 1 {
        return Some(context.build(Op::SignExtend(times - 1), arguments));
    }
    if times as usize > MAXIMAL_PARTS {
        return None;
    }
    let copies = Terms::from_elem(arguments[0], times as usize);
    Some(context.concat(&copies))
}

/// Rotations → `concat` of two slices, and `a` where nothing moves
pub(super) fn rotate(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let a = arguments[0];
    let width = context.width(a);
    let left = match op {
        Op::RotateLeft(by) => by % width,
        Op::RotateRight(by) => (width - by % width) % width,
        _ => return None,
    };
    if left == 0 {
        return Some(a);
    }
    let (low, high) = (context.extract(a, width - left - 1, 0), context.extract(a, width - 1, width - left));
    Some(context.concat(&[low, high]))
}
