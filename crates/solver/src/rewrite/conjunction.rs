//! Conjunction of truth values (`and`, `not`, `true`) and of bits (`bvand`, `bvnot`, all ones).
//!
//! Both are Boolean algebras, so both have the same rules. Conjunctions below conjunctions are
//! looked through (bounded), but stay: taking them apart would lose the gates they share with
//! the formula.

use sundry_term::{BitVector, Op, TermId, Value};

use super::context::{Context, Terms};

/// Members of nested conjunctions that are looked at, for one conjunction.
const MAXIMAL_MEMBERS: usize = 32;

fn complement_of(op: Op) -> Op {
    if op == Op::And { Op::Not } else { Op::BvNot }
}

/// The conjunction of what is left: all ones or true for nothing.
fn rebuild(context: &mut Context<'_>, op: Op, like: TermId, members: &[TermId]) -> TermId {
    match members {
        [] if op == Op::And => context.boolean(true),
        [] => {
            let width = context.width(like);
            context.ones(width)
        }
        &[member] => member,
        _ => context.build(op, members),
    }
}

fn nothing(context: &mut Context<'_>, op: Op, like: TermId) -> TermId {
    if op == Op::And {
        return context.boolean(false);
    }
    let width = context.width(like);
    context.zero(width)
}

fn is_nothing(context: &Context<'_>, term: TermId) -> bool {
    match context.store.value(term) {
        Some(Value::Bool(value)) => !value,
        Some(Value::BitVec(bits)) => bits.is_zero(),
        _ => false,
    }
}

fn is_everything(context: &Context<'_>, term: TermId) -> bool {
    match context.store.value(term) {
        Some(Value::Bool(value)) => *value,
        Some(Value::BitVec(bits)) => bits.is_ones(),
        _ => false,
    }
}

/// `and a` → `a`
pub(super) fn single(_: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    match *arguments {
        [argument] => Some(argument),
        _ => None,
    }
}

/// `and … false …` → `false`
pub(super) fn absorbing(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    arguments.iter().copied().find(|&argument| is_nothing(context, argument))
}

/// `and a true b` → `and a b`
pub(super) fn neutral(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let kept: Terms =
        arguments.iter().copied().filter(|&argument| !is_everything(context, argument)).collect();
    (kept.len() < arguments.len()).then(|| rebuild(context, op, arguments[0], &kept))
}

/// `bvand a k1 k2` → `bvand a (k1 & k2)` for literals
pub(super) fn literals(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let mut kept = Terms::new();
    let mut combined: Option<BitVector> = None;
    for &argument in arguments {
        match (context.bits(argument), &combined) {
            (Some(bits), Some(others)) => combined = Some(others.and(bits)),
            (Some(bits), None) => combined = Some(bits.clone()),
            (None, _) => kept.push(argument),
        }
    }
    if kept.len() + 2 > arguments.len() {
        return None;
    }
    kept.push(context.literal(combined?));
    Some(rebuild(context, op, arguments[0], &kept))
}

/// `and a b a` → `and a b`
pub(super) fn duplicate(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let mut sorted = Terms::from_slice(arguments);
    sorted.sort_unstable_by_key(|&argument| context.rank(argument));
    sorted.dedup();
    (sorted.len() < arguments.len()).then(|| rebuild(context, op, arguments[0], &sorted))
}

/// `and a b (not a)` → `false`
pub(super) fn complement(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let not = complement_of(op);
    // Arguments may be many; a complement's argument is looked up in sorted order.
    let mut sorted = Terms::from_slice(arguments);
    sorted.sort_unstable();
    let contradicts = |&argument: &TermId| {
        context.below(not, argument).is_some_and(|below| sorted.binary_search(&below).is_ok())
    };
    arguments.iter().any(contradicts).then(|| nothing(context, op, arguments[0]))
}

/// The members of a conjunction below a conjunction, nested ones included, without the nested
/// conjunctions themselves.
fn members_below(context: &Context<'_>, op: Op, argument: TermId, room: usize) -> Terms {
    let mut members = Terms::new();
    let mut open = Terms::from_elem(argument, 1);
    while let Some(term) = open.pop() {
        if context.op(term) == op && members.len() + open.len() + context.store.args(term).len() <= room {
            open.extend_from_slice(context.store.args(term));
        } else {
            members.push(term);
        }
    }
    members
}

/// `and (and a b) a` → `and a b`, and `and (and a b) (not a)` → `false`, also further down
pub(super) fn nested(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.len() > MAXIMAL_MEMBERS {
        return None;
    }
    for (position, &argument) in arguments.iter().enumerate() {
        if context.op(argument) != op {
            continue;
        }
        let members = members_below(context, op, argument, MAXIMAL_MEMBERS);
        for (other, &candidate) in arguments.iter().enumerate() {
            if other == position {
                continue;
            }
            let others = match context.op(candidate) == op {
                true => members_below(context, op, candidate, MAXIMAL_MEMBERS / 4),
                false => Terms::from_elem(candidate, 1),
            };
            if others.iter().any(|&one| members.iter().any(|&member| context.complements(one, member))) {
                return Some(nothing(context, op, argument));
            }
            let left: Terms = others.iter().copied().filter(|one| !members.contains(one)).collect();
            // Taking a nested conjunction apart pays only where at most one member is left of it.
            if left.len() < others.len() && left.len() <= 1 {
                let mut kept = Terms::from_slice(arguments);
                kept.remove(other);
                kept.extend(left);
                return Some(rebuild(context, op, argument, &kept));
            }
        }
    }
    None
}

/// With `a` among the arguments, `not (and a b)` → `not b`, and `not (and (not a) b)` → true
pub(super) fn propagate(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.len() > MAXIMAL_MEMBERS {
        return None;
    }
    let not = complement_of(op);
    for (position, &argument) in arguments.iter().enumerate() {
        let Some(refuted) = context.below(not, argument) else { continue };
        if context.op(refuted) != op {
            continue;
        }
        let clause = members_below(context, op, refuted, MAXIMAL_MEMBERS / 2);
        let holds = |member: TermId| arguments.contains(&member);
        let fails = |member: TermId| arguments.iter().any(|&other| context.complements(other, member));
        let mut kept = Terms::from_slice(arguments);
        if clause.iter().any(|&member| fails(member)) {
            kept.remove(position);
            return Some(rebuild(context, op, argument, &kept));
        }
        let left: Terms = clause.iter().copied().filter(|&member| !holds(member)).collect();
        if left.len() < clause.len() && left.len() <= 1 {
            let left = rebuild(context, op, argument, &left);
            kept[position] = context.not(left);
            return Some(rebuild(context, op, argument, &kept));
        }
    }
    None
}

/// `and (not (and a b)) (not (and a (not b)))` → `not a`
pub(super) fn resolve(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let not = complement_of(op);
    let (left, right) = (context.below(not, left)?, context.below(not, right)?);
    let ((a, b), (c, d)) = (context.pair_of(op, left)?, context.pair_of(op, right)?);
    for (shared, one, also, other) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
        if shared == also && context.complements(one, other) {
            return Some(context.not(shared));
        }
    }
    None
}
