//! Conjunction of truth values (`and`, `not`, `true`) and of bits (`bvand`, `bvnot`, all ones).
//!
//! Both sorts form Boolean algebras, so both have the same rules. Conjunctions below conjunctions are
//! looked through (bounded), but stay: taking them apart would lose the gates they share with
//! the formula.

use smallvec::SmallVec;
use sundry_term::{BitVector, Op, TermId, Value};

use super::context::{Context, Terms};

/// Members of nested conjunctions that are looked at, for one conjunction.
const MAXIMAL_MEMBERS: usize = 32;

fn complement_of(op: Op) -> Op {
    if op == Op::And { Op::Not } else { Op::BvNot }
}

/// The conjunction of the remaining members: all ones or true if none remain.
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

/// A member of a conjunction without its complement, and whether it had one.
type Literal = (TermId, bool);

fn literal(context: &Context<'_>, op: Op, term: TermId) -> Literal {
    match context.below(complement_of(op), term) {
        Some(below) => (below, true),
        None => (term, false),
    }
}

/// Appends the members of a conjunction, with nested conjunctions replaced by their members, as far as there is room:
/// without room, the conjunction is its own member.
fn collect(context: &Context<'_>, op: Op, argument: TermId, room: usize, members: &mut Terms) {
    let start = members.len();
    let mut open = Terms::from_elem(argument, 1);
    while let Some(term) = open.pop() {
        let seen = members.len() - start + open.len();
        match context.arguments_of(op, term) {
            Some(nested) if seen + nested.len() <= room => open.extend(nested.iter().rev().copied()),
            _ => members.push(term),
        }
    }
}

/// `and (and a b) a` → `and a b`, and `and (and a b) (not a)` → `false`, also further down
pub(super) fn nested(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.len() > MAXIMAL_MEMBERS || arguments.iter().all(|&argument| context.op(argument) != op) {
        return None;
    }
    // Every member with the argument it is in, sorted: what two arguments share stands together.
    let room = MAXIMAL_MEMBERS / arguments.len().min(4);
    let mut entries: SmallVec<[(Literal, usize); 16]> = SmallVec::new();
    let mut members = Terms::new();
    for (position, &argument) in arguments.iter().enumerate() {
        members.clear();
        collect(context, op, argument, room, &mut members);
        entries.extend(members.iter().map(|&member| (literal(context, op, member), position)));
    }
    entries.sort_unstable();
    let refuted = |pair: &[(Literal, usize)]| pair[0].0.0 == pair[1].0.0 && pair[0].0.1 != pair[1].0.1;
    if entries.windows(2).any(refuted) {
        return Some(nothing(context, op, arguments[0]));
    }
    for pair in entries.windows(2) {
        if pair[0].0 != pair[1].0 || pair[0].1 == pair[1].1 {
            continue;
        }
        // The later argument first, and a plain one before a conjunction.
        let is_plain = |&position: &usize| context.op(arguments[position]) != op;
        let mut both = [pair[1].1, pair[0].1];
        both.sort_by_key(|position| !is_plain(position));
        for position in both {
            if let Some(result) = without_shared(context, op, arguments, position, &entries, room) {
                return Some(result);
            }
        }
    }
    None
}

/// The conjunction in which one argument has lost the members that others have too. Taking a
/// nested conjunction apart pays only where at most one member is left of it.
fn without_shared(
    context: &mut Context<'_>,
    op: Op,
    arguments: &[TermId],
    position: usize,
    entries: &[(Literal, usize)],
    room: usize,
) -> Option<TermId> {
    let mut members = Terms::new();
    collect(context, op, arguments[position], room, &mut members);
    let elsewhere = |member: TermId| {
        let wanted = literal(context, op, member);
        let start = entries.partition_point(|(literal, _)| *literal < wanted);
        entries[start..].iter().take_while(|(literal, _)| *literal == wanted).any(|&(_, of)| of != position)
    };
    let left: Terms = members.iter().copied().filter(|&member| !elsewhere(member)).collect();
    if left.len() == members.len() || left.len() > 1 {
        return None;
    }
    let mut kept = Terms::from_slice(arguments);
    kept.remove(position);
    kept.extend(left);
    Some(rebuild(context, op, arguments[0], &kept))
}

/// With `a` among the arguments, `not (and a b)` → `not b`, and `not (and (not a) b)` → true
pub(super) fn propagate(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.len() > MAXIMAL_MEMBERS {
        return None;
    }
    let not = complement_of(op);
    let mut known: SmallVec<[Literal; 8]> =
        arguments.iter().map(|&argument| literal(context, op, argument)).collect();
    known.sort_unstable();
    for (position, &argument) in arguments.iter().enumerate() {
        let Some(refuted) = context.below(not, argument) else { continue };
        if context.op(refuted) != op {
            continue;
        }
        let mut clause = Terms::new();
        collect(context, op, refuted, MAXIMAL_MEMBERS / 2, &mut clause);
        if clause[..] == [refuted] {
            // This conjunction has too many members. As a member of itself it would be refuted by this very argument.
            continue;
        }
        let is_known = |(below, complemented): Literal, same: bool| {
            known.binary_search(&(below, complemented == same)).is_ok()
        };
        let mut kept = Terms::from_slice(arguments);
        if clause.iter().any(|&member| is_known(literal(context, op, member), false)) {
            kept.remove(position);
            return Some(rebuild(context, op, argument, &kept));
        }
        let left: Terms =
            clause.iter().copied().filter(|&member| !is_known(literal(context, op, member), true)).collect();
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
