//! If-then-else over any sort.

use sundry_term::{Op, TermId};

use super::context::Context;

/// `ite true a b` → `a`, `ite false a b` → `b`
pub(super) fn decided(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    context.truth(arguments[0]).map(|condition| arguments[if condition { 1 } else { 2 }])
}

/// `ite c a a` → `a`
pub(super) fn same(_: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    (arguments[1] == arguments[2]).then_some(arguments[1])
}

/// `ite (not c) a b` → `ite c b a`, except that a condition as a bit keeps its form
pub(super) fn negated(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    let condition = context.below(Op::Not, condition)?;
    if is_bit(context, yes, true) && is_bit(context, no, false) {
        return None;
    }
    Some(context.ite(condition, no, yes))
}

/// `ite c #b0 #b1` → `ite (not c) #b1 #b0`: the one form of a condition as a bit
pub(super) fn flipped_bit(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    if !is_bit(context, yes, false) || !is_bit(context, no, true) {
        return None;
    }
    let refuted = context.not(condition);
    Some(context.ite(refuted, no, yes))
}

/// Whether a term is the literal of one bit with this value.
fn is_bit(context: &Context<'_>, term: TermId, value: bool) -> bool {
    context.bits(term).is_some_and(|bits| bits.width() == 1 && bits.bit(0) == value)
}

/// The condition of `ite c #b1 #b0`.
pub(super) fn condition_of_bit(context: &Context<'_>, term: TermId) -> Option<TermId> {
    let (condition, yes, no) = context.ite_of(term)?;
    (is_bit(context, yes, true) && is_bit(context, no, false)).then_some(condition)
}

/// `ite c c b` → `ite c true b`, `ite c (not c) b` → `ite c false b`, and in the other branch
pub(super) fn condition_in_branch(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    let known = |context: &mut Context<'_>, branch: TermId, value: bool| {
        if branch == condition {
            Some(context.boolean(value))
        } else if context.complements(branch, condition) {
            Some(context.boolean(!value))
        } else {
            None
        }
    };
    if !context.is_bool(yes) || context.is_literal(condition) {
        return None;
    }
    let (new_yes, new_no) = (known(context, yes, true), known(context, no, false));
    if new_yes.is_none() && new_no.is_none() {
        return None;
    }
    Some(context.ite(condition, new_yes.unwrap_or(yes), new_no.unwrap_or(no)))
}

/// `ite c true b` → `or c b`, `ite c false b` → `and (not c) b`, and in the other branch
pub(super) fn literal_branch(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    match (context.truth(yes), context.truth(no)) {
        (Some(true), _) => Some(context.or(&[condition, no])),
        (Some(false), _) => {
            let refuted = context.not(condition);
            Some(context.and(&[refuted, no]))
        }
        (_, Some(true)) => {
            let refuted = context.not(condition);
            Some(context.or(&[refuted, yes]))
        }
        (_, Some(false)) => Some(context.and(&[condition, yes])),
        (None, None) => None,
    }
}

/// `ite c a (not a)` → `= c a`, for Bool
pub(super) fn complementary(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    (context.is_bool(yes) && context.complements(yes, no)).then(|| context.equal(condition, yes))
}

/// `ite c (not a) b` → `not (ite c a (not b))`, for Bool
pub(super) fn negated_branch(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    let yes = context.below(Op::Not, yes)?;
    let no = context.not(no);
    let complement = context.ite(condition, yes, no);
    Some(context.not(complement))
}

/// `ite c (ite c a b) d` → `ite c a d`, and in the other branch
pub(super) fn same_condition(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    if let Some((inner, inner_yes, _)) = context.ite_of(yes)
        && inner == condition
    {
        return Some(context.ite(condition, inner_yes, no));
    }
    if let Some((inner, _, inner_no)) = context.ite_of(no)
        && inner == condition
    {
        return Some(context.ite(condition, yes, inner_no));
    }
    None
}

/// `ite c a (ite d a b)` → `ite (or c d) a b`, and the three other places of the shared branch
pub(super) fn shared_branch(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    if let Some((inner, inner_yes, inner_no)) = context.ite_of(no) {
        if inner_yes == yes {
            let either = context.or(&[condition, inner]);
            return Some(context.ite(either, yes, inner_no));
        }
        if inner_no == yes {
            // The inner branch is taken where c fails and d holds.
            let refuted = context.not(condition);
            let both = context.and(&[refuted, inner]);
            return Some(context.ite(both, inner_yes, yes));
        }
    }
    if let Some((inner, inner_yes, inner_no)) = context.ite_of(yes) {
        if inner_no == no {
            let both = context.and(&[condition, inner]);
            return Some(context.ite(both, inner_yes, no));
        }
        if inner_yes == no {
            let refuted = context.not(inner);
            let both = context.and(&[condition, refuted]);
            return Some(context.ite(both, inner_no, no));
        }
    }
    None
}

/// `ite (= a b) a b` → `b`, `ite (= a b) b a` → `a`
pub(super) fn equal_branches(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    let (left, right) = context.pair_of(Op::Equal, condition)?;
    ((yes, no) == (left, right) || (yes, no) == (right, left)).then_some(no)
}

/// `ite (= a #b1) #b1 #b0` → `a`, for one bit
pub(super) fn bit_again(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[condition, yes, no] = arguments else { return None };
    let (bit, value) = context.pair_of(Op::Equal, condition)?;
    let ones = is_bit(context, yes, true) && is_bit(context, value, true);
    (ones && is_bit(context, no, false)).then_some(bit)
}

/// `f (ite c k1 k2)` → `ite c (f k1) (f k2)` for literals and a one-place operator
pub(super) fn below_unary(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (condition, yes, no) = context.ite_of(arguments[0])?;
    if !context.is_literal(yes) || !context.is_literal(no) {
        return None;
    }
    let (yes, no) = (context.build(op, &[yes]), context.build(op, &[no]));
    Some(context.ite(condition, yes, no))
}
