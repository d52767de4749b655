//! Negation, the connectives that are defined by others, and disequality of many.

use sundry_term::{Op, TermId};

use super::context::{Context, Terms};

/// Disequalities of up to this many terms become conjunctions of pairs.
const MAXIMAL_EXPANDED_DISTINCT: usize = 5;

/// `not (not a)` → `a`, `bvnot (bvnot a)` → `a`
pub(super) fn not_not(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    context.below(op, arguments[0])
}

/// `or a b …` → `not (and (not a) (not b) …)`, `bvor` likewise
pub(super) fn or_to_and(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let and = if op == Op::Or { Op::And } else { Op::BvAnd };
    let complements = context.not_all(arguments);
    let none = match complements[..] {
        [only] => only,
        _ => context.build(and, &complements),
    };
    Some(context.not(none))
}

/// `=> a b … z` → `not (and a b … (not z))`
pub(super) fn implies_to_and(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let (&conclusion, premises) = arguments.split_last()?;
    let mut counterexample = Terms::from_slice(premises);
    counterexample.push(context.not(conclusion));
    let counterexample = context.and(&counterexample);
    Some(context.not(counterexample))
}

/// `xor a b c …` → `not (= … (not (= a b)) c)`
pub(super) fn xor_to_equal(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let (&first, rest) = arguments.split_first()?;
    Some(rest.iter().fold(first, |parity, &argument| context.differs(parity, argument)))
}

/// `distinct a b` → `not (= a b)`
pub(super) fn distinct_pair(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    match *arguments {
        [left, right] => Some(context.differs(left, right)),
        _ => None,
    }
}

/// `distinct … a … a …` → `false`
pub(super) fn distinct_same(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let mut sorted = arguments.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1]).then(|| context.boolean(false))
}

/// `distinct` of more terms than their sort has values → `false`
pub(super) fn distinct_too_many(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let values = context.store.cardinality(context.sort(arguments[0]));
    (arguments.len() as u64 > values).then(|| context.boolean(false))
}

/// `distinct a b c` → `and (not (= a b)) (not (= a c)) (not (= b c))`, for a small number
pub(super) fn distinct_few(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.len() > MAXIMAL_EXPANDED_DISTINCT {
        return None;
    }
    let mut pairs = Terms::new();
    for (position, &left) in arguments.iter().enumerate() {
        for &right in &arguments[position + 1..] {
            pairs.push(context.differs(left, right));
        }
    }
    Some(context.and(&pairs))
}

/// Operands of a commutative operator in canonical order: literals last, others by age.
pub(super) fn order(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.is_sorted_by_key(|&argument| context.rank(argument)) {
        return None;
    }
    let mut sorted = Terms::from_slice(arguments);
    sorted.sort_unstable_by_key(|&argument| context.rank(argument));
    Some(context.build(op, &sorted))
}

/// `op (op a b) c` for `op a b c`, where the operator is left-associative and two-place is enough
pub(super) fn pairwise(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let (&first, rest) = arguments.split_first()?;
    (rest.len() > 1).then(|| rest.iter().fold(first, |result, &next| context.build(op, &[result, next])))
}
