//! Order: everything is `bvult` or `bvslt`, and bounds become equalities.

use sundry_term::{BitVector, Op, TermId};

use super::context::Context;

/// The comparisons → `bvult` or `bvslt`, swapped or negated: `bvule a b` is `not (bvult b a)`
pub(super) fn to_less(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let (less, swapped, negated) = match op {
        Op::BvUgt => (Op::BvUlt, true, false),
        Op::BvUle => (Op::BvUlt, true, true),
        Op::BvUge => (Op::BvUlt, false, true),
        Op::BvSgt => (Op::BvSlt, true, false),
        Op::BvSle => (Op::BvSlt, true, true),
        Op::BvSge => (Op::BvSlt, false, true),
        _ => return None,
    };
    let less = if swapped { context.build(less, &[b, a]) } else { context.build(less, &[a, b]) };
    Some(if negated { context.not(less) } else { less })
}

/// `bvult a a` → `false`, `bvslt` likewise
pub(super) fn same(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    (arguments[0] == arguments[1]).then(|| context.boolean(false))
}

/// Least and greatest value in an order.
fn bounds(op: Op, width: u32) -> (BitVector, BitVector) {
    match op {
        Op::BvUlt => (BitVector::zero(width), BitVector::ones(width)),
        _ => (BitVector::min_signed(width), BitVector::min_signed(width).not()),
    }
}

/// `bvult a 0` → `false`, `bvult a 1` → `= a 0`, `bvult a −1` → `not (= a −1)`, and the same from
/// below, and for `bvslt` with its bounds
pub(super) fn at_bounds(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let width = context.width(a);
    let (least, greatest) = bounds(op, width);
    let one = BitVector::one(width);
    if let Some(k) = context.bits(b) {
        if *k == least {
            return Some(context.boolean(false));
        }
        if *k == least.add(&one) {
            return Some(context.equals(a, least));
        }
        if *k == greatest {
            let equal = context.equals(a, greatest);
            return Some(context.not(equal));
        }
    }
    if let Some(k) = context.bits(a) {
        if *k == greatest {
            return Some(context.boolean(false));
        }
        if *k == greatest.sub(&one) {
            return Some(context.equals(b, greatest));
        }
        if *k == least {
            let equal = context.equals(b, least);
            return Some(context.not(equal));
        }
    }
    None
}

/// `bvult a 2^n` → `= (extract a) 0`, `bvult 2^n−1 a` → `not (= (extract a) 0)`, and likewise
/// `bvult −2^n−1 a`, `bvult a −2^n` with ones: an interval that is a block of a power of two
pub(super) fn block(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let width = context.width(a);
    // Everything is about a < k or k − 1 < a, for k = 2^n or k = −2^n.
    let (term, k, below) = match (context.bits(a), context.bits(b)) {
        (None, Some(k)) => (a, k.clone(), true),
        (Some(k), None) => (b, k.add(&BitVector::one(width)), false),
        _ => return None,
    };
    let (low, upper_ones) = match (super::linear::power_of_two(&k), super::linear::power_of_two(&k.neg())) {
        (Some(low), _) => (low, false),
        (_, Some(low)) => (low, true),
        _ => return None,
    };
    let upper = context.extract(term, width - 1, low);
    let value = if upper_ones { BitVector::ones(width - low) } else { BitVector::zero(width - low) };
    let inside = context.equals(upper, value);
    // Below 2^n the upper bits are zeros; from −2^n on they are ones.
    Some(if below == upper_ones { context.not(inside) } else { inside })
}

/// `bvslt a 0` → `= (extract sign a) #b1`, `bvslt −1 a` → `not (= (extract sign a) #b1)`
pub(super) fn sign(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let top = context.width(a) - 1;
    let (term, negative) = match (context.bits(a), context.bits(b)) {
        (_, Some(k)) if k.is_zero() => (a, true),
        (Some(k), _) if k.is_ones() => (b, false),
        _ => return None,
    };
    let sign = context.extract(term, top, top);
    let is_negative = context.equals(sign, BitVector::ones(1));
    Some(if negative { is_negative } else { context.not(is_negative) })
}

/// `bvult (bvnot a) (bvnot b)` → `bvult b a`, `bvult (bvnot a) k` → `bvult ~k a`, `bvslt` likewise
pub(super) fn complements(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let is_complement = |term| context.op(term) == Op::BvNot;
    let turns = |term| is_complement(term) || context.is_literal(term);
    if !turns(a) || !turns(b) || !is_complement(a) && !is_complement(b) {
        return None;
    }
    let (a, b) = (context.not(a), context.not(b));
    Some(context.build(op, &[b, a]))
}

/// The literal that a term begins with: all of a literal, or the first part of a concatenation.
pub(super) fn leading_literal(context: &Context<'_>, term: TermId) -> Option<BitVector> {
    let first = context.arguments_of(Op::Concat, term).map_or(term, |parts| parts[0]);
    context.bits(first).cloned()
}

/// `bvult (concat k1 a) (concat k2 b)` → `bvult k1 k2` where they differ, `bvult a b` where not
pub(super) fn leading(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let width = context.width(a);
    let (k1, k2) = (leading_literal(context, a)?, leading_literal(context, b)?);
    let common = k1.width().min(k2.width());
    let top = |k: &BitVector| k.extract(k.width() - 1, k.width() - common);
    let (k1, k2) = (top(&k1), top(&k2));
    if k1 != k2 {
        let less = if op == Op::BvUlt { k1.ult(&k2) } else { k1.slt(&k2) };
        return Some(context.boolean(less));
    }
    if common == width {
        return Some(context.boolean(false));
    }
    let (a, b) = (context.extract(a, width - common - 1, 0), context.extract(b, width - common - 1, 0));
    // The same sign: what follows is ordered as unsigned numbers.
    Some(context.ult(a, b))
}

/// `bvult (concat p a) (concat p b)` → `bvult a b`, `bvult (concat a p) (concat b p)` → `bvult a b`
pub(super) fn common_part(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (left, right) =
        (context.arguments_of(Op::Concat, arguments[0])?, context.arguments_of(Op::Concat, arguments[1])?);
    let width = context.width(arguments[0]);
    let (op, high, low) = if left[0] == right[0] {
        (Op::BvUlt, width - context.width(left[0]) - 1, 0)
    } else if left.last() == right.last() {
        (op, width - 1, context.width(*left.last()?))
    } else {
        return None;
    };
    let (a, b) = (context.extract(arguments[0], high, low), context.extract(arguments[1], high, low));
    Some(context.build(op, &[a, b]))
}

/// `bvslt (sign_extend a) (sign_extend b)` → `bvslt a b`, `bvult` likewise; against a literal
/// within the range of `a` too
pub(super) fn extended(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let narrow = |term| match context.op(term) {
        Op::SignExtend(_) => Some(context.argument(term, 0)),
        _ => None,
    };
    let width = match (narrow(a), narrow(b)) {
        (Some(a), Some(b)) if context.width(a) == context.width(b) => context.width(a),
        (Some(term), None) | (None, Some(term)) => {
            let width = context.width(term);
            let k = context.bits(a).or_else(|| context.bits(b))?;
            if k.extract(width - 1, 0).sign_extend(k.width() - width) != *k {
                return None;
            }
            width
        }
        _ => return None,
    };
    let (a, b) = (context.extract(a, width - 1, 0), context.extract(b, width - 1, 0));
    Some(context.build(op, &[a, b]))
}

/// `bvult (ite c k1 k2) k3` → `c`, its complement, or a truth value, for literals
pub(super) fn choice(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    let of_literals = |term| {
        let (condition, yes, no) = context.ite_of(term)?;
        (context.is_literal(yes) && context.is_literal(no)).then_some((condition, yes, no))
    };
    let (condition, yes, no) = if context.is_literal(b) {
        let (condition, yes, no) = of_literals(a)?;
        (condition, [yes, b], [no, b])
    } else if context.is_literal(a) {
        let (condition, yes, no) = of_literals(b)?;
        (condition, [a, yes], [a, no])
    } else {
        return None;
    };
    let (yes, no) = (context.build(op, &yes), context.build(op, &no));
    Some(context.ite(condition, yes, no))
}

/// `bvult (bvurem a b) b` → `not (= b 0)`
pub(super) fn remainder(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let (_, divisor) = context.pair_of(Op::BvUrem, arguments[0])?;
    if divisor != arguments[1] {
        return None;
    }
    let zero = BitVector::zero(context.width(divisor));
    let by_zero = context.equals(divisor, zero);
    Some(context.not(by_zero))
}

/// `bvult a b` → `and (= a #b0) (= b #b1)`, `bvslt a b` → `and (= a #b1) (= b #b0)`, for one bit
pub(super) fn one_bit(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, b] = arguments else { return None };
    if context.width(a) != 1 {
        return None;
    }
    let (zero, one) = if op == Op::BvUlt { (a, b) } else { (b, a) };
    let (one, zero) = (context.equals(one, BitVector::ones(1)), context.equals(zero, BitVector::zero(1)));
    Some(context.and(&[one, zero]))
}
