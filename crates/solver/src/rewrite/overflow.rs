//! Overflow predicates: the cheap ones are comparisons, and with a literal all of them are.

use sundry_term::{BitVector, Op, TermId};

use super::context::Context;

/// `bvnego a` → `= a min`
pub(super) fn negation(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let least = BitVector::min_signed(context.width(arguments[0]));
    Some(context.equals(arguments[0], least))
}

/// `bvuaddo a b` → `bvult (bvnot a) b`: b is above what there is room for
pub(super) fn unsigned_sum(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    // The same term for both orders.
    let (a, b) = (arguments[0].min(arguments[1]), arguments[0].max(arguments[1]));
    let room = context.not(a);
    Some(context.ult(room, b))
}

/// `bvusubo a b` → `bvult a b`
pub(super) fn unsigned_difference(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    Some(context.ult(arguments[0], arguments[1]))
}

/// `bvsdivo a b` → `and (= a min) (= b −1)`
pub(super) fn quotient(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let width = context.width(arguments[0]);
    let least = context.equals(arguments[0], BitVector::min_signed(width));
    let minus_one = context.equals(arguments[1], BitVector::ones(width));
    Some(context.and(&[least, minus_one]))
}

/// `bvsaddo a k` → `bvslt (max − k) a` for k ≥ 0, `bvslt a (min − k)` for k < 0
pub(super) fn signed_sum(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, k] = arguments else { return None };
    let k = context.bits(k)?;
    let least = BitVector::min_signed(k.width());
    if k.is_negative() {
        let bound = least.sub(k);
        let bound = context.literal(bound);
        return Some(context.slt(a, bound));
    }
    let bound = least.not().sub(k);
    let bound = context.literal(bound);
    Some(context.slt(bound, a))
}

/// `bvssubo a k` → `bvslt a (min + k)` for k ≥ 0, `bvslt (max + k) a` for k < 0;
/// `bvssubo k a` → `bvslt a (k − max)` for k ≥ 0, `bvslt (k − min) a` for k < 0
pub(super) fn signed_difference(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let least = BitVector::min_signed(context.width(a));
    let (term, bound, below) = match (context.bits(a), context.bits(b)) {
        (_, Some(k)) if k.is_negative() => (a, least.not().add(k), false),
        (_, Some(k)) => (a, least.add(k), true),
        (Some(k), _) if k.is_negative() => (b, k.sub(&least), false),
        (Some(k), _) => (b, k.sub(&least.not()), true),
        (None, None) => return None,
    };
    let bound = context.literal(bound);
    Some(if below { context.slt(term, bound) } else { context.slt(bound, term) })
}

/// `bvumulo a k` → `bvult (−1 / k) a`, `false` for k = 0
pub(super) fn unsigned_product(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, k] = arguments else { return None };
    let k = context.bits(k)?;
    if k.is_zero() {
        return Some(context.boolean(false));
    }
    let bound = BitVector::ones(k.width()).udiv(k);
    let bound = context.literal(bound);
    Some(context.ult(bound, a))
}

/// `bvsmulo a k` → a bound on each side: for k > 0 `or (bvslt (max / k) a) (bvslt a (min / k))`,
/// for k < −1 with the sides exchanged, for −1 `= a min`
pub(super) fn signed_product(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, k] = arguments else { return None };
    let k = context.bits(k)?.clone();
    let least = BitVector::min_signed(k.width());
    if k.is_zero() {
        return Some(context.boolean(false));
    }
    if k.is_ones() {
        return Some(context.equals(a, least));
    }
    // Division rounds towards zero, which is towards the products that fit.
    let (at_greatest, at_least) = (least.not().sdiv(&k), least.sdiv(&k));
    let (low, high) = if k.is_negative() { (at_greatest, at_least) } else { (at_least, at_greatest) };
    let (low, high) = (context.literal(low), context.literal(high));
    let (below, above) = (context.slt(a, low), context.slt(high, a));
    Some(context.or(&[below, above]))
}
