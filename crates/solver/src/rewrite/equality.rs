//! Equality of two terms of any sort.

use sundry_term::{BitVector, Op, TermId};

use super::context::{Context, Terms};
use super::parity::odd_members;
use super::slices::{boundaries, slice_all, slices, union};

/// Slices that one equality is cut into, at most.
const MAXIMAL_CUTS: usize = 32;

/// `= a b c …` → `and (= a b) (= b c) …`
pub(super) fn chain(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.len() == 2 {
        return None;
    }
    let mut neighbours = Terms::new();
    for pair in arguments.windows(2) {
        neighbours.push(context.equal(pair[0], pair[1]));
    }
    Some(context.and(&neighbours))
}

/// The value of the equality of two terms, as far as it is known without building anything.
pub(super) fn known(context: &Context<'_>, left: TermId, right: TermId) -> Option<bool> {
    if left == right {
        return Some(true);
    }
    let differ = context.is_literal(left) && context.is_literal(right) || context.complements(left, right);
    differ.then_some(false)
}

/// `= a a` → `true`, `= a (not a)` and `= a (bvnot a)` → `false`
pub(super) fn decided(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    known(context, arguments[0], arguments[1]).map(|equal| context.boolean(equal))
}

/// `= a true` → `a`, `= a false` → `not a`
pub(super) fn with_truth(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, value] = arguments else { return None };
    context.truth(value).map(|value| if value { a } else { context.not(a) })
}

/// `= (not a) b` → `not (= a b)`, `= (not a) (not b)` → `= a b`
pub(super) fn of_not(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    match (context.below(Op::Not, left), context.below(Op::Not, right)) {
        (Some(left), Some(right)) => Some(context.equal(left, right)),
        (Some(left), None) => Some(context.differs(left, right)),
        (None, Some(right)) => Some(context.differs(left, right)),
        (None, None) => None,
    }
}

/// `= a #b0` → `not (= a #b1)`, for one bit
pub(super) fn one_bit(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, value] = arguments else { return None };
    let value = context.bits(value)?;
    if value.width() != 1 || !value.is_zero() {
        return None;
    }
    let is_one = context.equals(a, BitVector::ones(1));
    Some(context.not(is_one))
}

/// `= (= a b) a` → `b`, for Bool, also further down
pub(super) fn parity(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    if !context.is_bool(arguments[0]) {
        return None;
    }
    let (odd, cancelled) = odd_members(context, Op::Equal, arguments);
    if !cancelled {
        return None;
    }
    // Equality says that an even number of members are false, and pairs drop out of that.
    let Some((&first, rest)) = odd.split_first() else { return Some(context.boolean(true)) };
    Some(rest.iter().fold(first, |result, &next| context.equal(result, next)))
}

/// `= (bvxor a b) a` → `= b 0`, `= (bvxor a b) 0` → `= a b`, `= (bvxor a k1) k2` → `= a (k1 ^ k2)`
pub(super) fn of_xor(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.iter().all(|&argument| context.op(argument) != Op::BvXor) {
        return None;
    }
    let (odd, cancelled) = odd_members(context, Op::BvXor, arguments);
    let width = context.width(arguments[0]);
    let mut literal = BitVector::zero(width);
    let mut members = Terms::new();
    let mut literals = 0;
    for member in odd {
        match context.bits(member) {
            Some(value) => {
                literal = literal.xor(value);
                literals += 1;
            }
            None => members.push(member),
        }
    }
    let vanishes = literals > 0 && literal.is_zero();
    if !cancelled && literals < 2 && !(vanishes && members.len() >= 2) {
        return None;
    }
    let literal = (!literal.is_zero()).then(|| context.literal(literal));
    let (left, right) = match (&members[..], literal) {
        ([], literal) => return Some(context.boolean(literal.is_none())),
        ([rest @ .., last], None) if !rest.is_empty() => (xor_all(context, rest), *last),
        (all, None) => (all[0], context.zero(width)),
        (all, Some(literal)) => (xor_all(context, all), literal),
    };
    let same = arguments.contains(&left) && arguments.contains(&right);
    (!same).then(|| context.equal(left, right))
}

fn xor_all(context: &mut Context<'_>, terms: &[TermId]) -> TermId {
    terms[1..].iter().fold(terms[0], |result, &next| context.build(Op::BvXor, &[result, next]))
}

/// `= (ite c a b) a` → `or c (= b a)`, `= (ite c k1 b) k2` → `and (not c) (= b k2)`, and in the
/// other branch; `= (ite c a b) (ite c a d)` → `or c (= b d)`
pub(super) fn of_ite(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    if let (Some((c, a, b)), Some((d, x, y))) = (context.ite_of(left), context.ite_of(right))
        && c == d
        && (known(context, a, x).is_some() || known(context, b, y).is_some())
    {
        let (yes, no) = (context.equal(a, x), context.equal(b, y));
        return Some(context.ite(c, yes, no));
    }
    for (choice, other) in [(left, right), (right, left)] {
        let Some((condition, yes, no)) = context.ite_of(choice) else { continue };
        if known(context, yes, other).is_some() || known(context, no, other).is_some() {
            let (yes, no) = (context.equal(yes, other), context.equal(no, other));
            return Some(context.ite(condition, yes, no));
        }
    }
    None
}

/// `= (concat a b) (concat c d)` → `and (= a c) (= b d)`, with parts cut to match; with a literal
/// likewise. Equality with any other term stays: it may define that term.
pub(super) fn of_concat(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let sliced = |&term: &TermId| context.is_literal(term) || context.op(term) == Op::Concat;
    if !arguments.iter().all(sliced) {
        return None;
    }
    let cuts = union(&[boundaries(context, arguments[0]), boundaries(context, arguments[1])]);
    if cuts.is_empty() || cuts.len() > MAXIMAL_CUTS {
        return None;
    }
    let mut equalities = Terms::new();
    for slice in slices(context.width(arguments[0]), &cuts) {
        let sides = slice_all(context, arguments, slice);
        equalities.push(context.equal(sides[0], sides[1]));
    }
    Some(context.and(&equalities))
}

/// `= (sign_extend a) (sign_extend b)` → `= a b`; with a literal → `= a k`, or `false` where no
/// extension makes it
pub(super) fn of_sign_extend(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let Op::SignExtend(by) = context.op(left) else { return None };
    let below = context.argument(left, 0);
    if context.op(right) == Op::SignExtend(by) {
        let other = context.argument(right, 0);
        return Some(context.equal(below, other));
    }
    let value = context.bits(right)?;
    let low = value.extract(context.width(below) - 1, 0);
    if low.sign_extend(by) != *value {
        return Some(context.boolean(false));
    }
    Some(context.equals(below, low))
}

/// `= (bvand a b) −1` → `and (= a −1) (= b −1)`
pub(super) fn of_and(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    if context.op(left) != Op::BvAnd || !context.bits(right)?.is_ones() {
        return None;
    }
    let mut conjuncts = context.arguments(left);
    for conjunct in &mut conjuncts {
        *conjunct = context.equal(*conjunct, right);
    }
    Some(context.and(&conjuncts))
}

/// `= (ite p k1 k2) (ite q k1 k2)` → `= p q`, crosswise → `not (= p q)`, for literals
pub(super) fn of_bits(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let ((p, a, b), (q, c, d)) = (context.ite_of(left)?, context.ite_of(right)?);
    let literals = [a, b, c, d].into_iter().all(|branch| context.is_literal(branch));
    if !literals || a == b || c == d {
        return None;
    }
    if (a, b) == (c, d) {
        return Some(context.equal(p, q));
    }
    ((a, b) == (d, c)).then(|| context.differs(p, q))
}
