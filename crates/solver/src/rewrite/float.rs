//! Floating point: signs, orders, and operations that leave a value as it is.

use dashu_ratio::RBig;
use sundry_term::{Float, FloatOp, Op, RoundingMode, Sort, TermId, Value};

use super::context::{Context, Terms};

/// `fp.add m b a` → `fp.add m a b`, and so for `fp.mul`, the factors of `fp.fma`, and `fp.eq`
pub(super) fn order(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let Op::Float(operator) = op else { return None };
    let mut ordered = Terms::from_slice(arguments);
    let commuting = match operator {
        FloatOp::Add | FloatOp::Mul | FloatOp::Fma => &mut ordered[1..3],
        FloatOp::Eq if arguments.len() == 2 => &mut ordered[..],
        _ => return None,
    };
    commuting.sort_by_key(|&argument| context.rank(argument));
    (ordered[..] != *arguments).then(|| context.build(op, &ordered))
}

/// `fp.sub m a b` → `fp.add m a (fp.neg b)`
pub(super) fn difference(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let opposite = context.build(Op::Float(FloatOp::Neg), &arguments[2..]);
    Some(context.build(Op::Float(FloatOp::Add), &[arguments[0], arguments[1], opposite]))
}

/// `fp.neg (fp.neg a)` → `a`, `fp.abs (fp.neg a)` → `fp.abs a`, `fp.abs (fp.abs a)` → `fp.abs a`
pub(super) fn signs(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let argument = arguments[0];
    let opposite = context.below(Op::Float(FloatOp::Neg), argument);
    match op {
        Op::Float(FloatOp::Neg) => opposite,
        Op::Float(FloatOp::Abs) if context.op(argument) == op => Some(argument),
        _ => Some(context.build(op, &[opposite?])),
    }
}

/// `fp.isNaN (fp.neg a)` → `fp.isNaN a`, `fp.isZero (fp.abs a)` → `fp.isZero a`, and so for the other classes without a sign
pub(super) fn class(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let signed = [FloatOp::Neg, FloatOp::Abs].map(Op::Float);
    let below = signed.into_iter().find_map(|sign| context.below(sign, arguments[0]))?;
    Some(context.build(op, &[below]))
}

/// `fp.gt a b` → `fp.lt b a`, `fp.geq a b` → `fp.leq b a`, `fp.lt a b c` → `and (fp.lt a b) (fp.lt b c)`
pub(super) fn to_less(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let Op::Float(operator) = op else { return None };
    let (relation, swaps) = match operator {
        FloatOp::Gt => (FloatOp::Lt, true),
        FloatOp::Geq => (FloatOp::Leq, true),
        other => (other, false),
    };
    if arguments.len() == 2 && !swaps {
        return None;
    }
    let pairs: Terms = arguments
        .windows(2)
        .map(|pair| {
            let (left, right) = if swaps { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
            context.build(Op::Float(relation), &[left, right])
        })
        .collect();
    Some(context.and(&pairs))
}

/// `fp.lt a a` → `false`, `fp.leq a a` → `not (fp.isNaN a)`, `fp.eq a a` → `not (fp.isNaN a)`
pub(super) fn same(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    match *arguments {
        [left, right] if left == right => {}
        _ => return None,
    }
    if op == Op::Float(FloatOp::Lt) {
        return Some(context.boolean(false));
    }
    let nan = context.build(Op::Float(FloatOp::IsNan), &arguments[..1]);
    Some(context.not(nan))
}

/// `fp.min a a` → `a`, `fp.max a a` → `a`
pub(super) fn same_extremes(_: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    (arguments[0] == arguments[1]).then_some(arguments[0])
}

/// `(_ to_fp e s) m a` → `a`, for a value of that format
pub(super) fn same_format(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (Op::Float(FloatOp::ToFp(format)), &[_, value]) = (op, arguments) else { return None };
    let is_same = matches!(context.store.sort(context.sort(value)), Sort::Float(other) if *other == format);
    is_same.then_some(value)
}

/// `fp.mul m a 1` → `a`, `fp.mul m a (−1)` → `fp.neg a`, and so for `fp.div` by such a number
pub(super) fn by_unit(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[_, left, right] = arguments else { return None };
    let is_product = op == Op::Float(FloatOp::Mul);
    let (value, unit) = match (unit(context, right), unit(context, left)) {
        (Some(unit), _) => (left, unit),
        (None, Some(unit)) if is_product => (right, unit),
        _ => return None,
    };
    Some(if unit.is_negative() { context.build(Op::Float(FloatOp::Neg), &[value]) } else { value })
}

/// The value of a literal that is 1 or −1.
fn unit(context: &Context<'_>, term: TermId) -> Option<Float> {
    let Some(Value::Float(value)) = context.store.value(term) else { return None };
    let one = Float::from_rational(value.format(), &RBig::ONE, RoundingMode::NearestTiesToEven);
    (one.neg() == **value || one == **value).then(|| (**value).clone())
}
