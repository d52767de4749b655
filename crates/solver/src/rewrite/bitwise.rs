//! Complement, exclusive or, and bitwise operators on slices.

use sundry_term::{BitVector, Op, TermId};

use super::context::{Context, Terms};
use super::ite::condition_of_bit;
use super::parity::odd_members;
use super::slices::{Piece, boundaries, changes, piece, slice_all, slices, union};

/// Slices that a bitwise operation with a literal mask is cut into, at most.
const MAXIMAL_MASK_CUTS: usize = 5;

/// Slices that a bitwise operation on concatenations is cut into, at most.
const MAXIMAL_CUTS: usize = 32;

/// `bvnand a b` → `bvnot (bvand a b)`
pub(super) fn nand_to_and(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let and = context.build(Op::BvAnd, arguments);
    Some(context.not(and))
}

/// `bvnor a b` → `bvand (bvnot a) (bvnot b)`
pub(super) fn nor_to_and(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let complements = context.not_all(arguments);
    Some(context.build(Op::BvAnd, &complements))
}

/// `bvxnor a b` → `bvnot (bvxor a b)`; of n terms, complemented n − 1 times
pub(super) fn xnor_to_xor(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let xor = context.build(Op::BvXor, arguments);
    Some(if arguments.len().is_multiple_of(2) { context.not(xor) } else { xor })
}

/// `bvnot (bvxor a k)` → `bvxor a ~k` for a literal
pub(super) fn not_xor(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let (a, k) = context.pair_of(Op::BvXor, arguments[0])?;
    let complement = context.bits(k)?.not();
    Some(xor_literal(context, a, complement))
}

/// `bvnot (bvneg a)` → `bvadd a (−1)`
pub(super) fn not_neg(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let a = context.below(Op::BvNeg, arguments[0])?;
    let width = context.width(a);
    let ones = context.ones(width);
    Some(context.build(Op::BvAdd, &[a, ones]))
}

/// `bvnot (concat a k)` → `concat (bvnot a) ~k` where some part is a literal or a complement
pub(super) fn not_concat(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    context.arguments_of(Op::Concat, arguments[0])?;
    let parts = context.arguments(arguments[0]);
    let vanishes = |&part: &TermId| context.is_literal(part) || context.op(part) == Op::BvNot;
    if !parts.iter().any(vanishes) {
        return None;
    }
    let complements = context.not_all(&parts);
    Some(context.concat(&complements))
}

/// The exclusive or with a literal, without trying anything else.
fn xor_literal(context: &mut Context<'_>, term: TermId, value: BitVector) -> TermId {
    if value.is_zero() {
        return term;
    }
    if value.is_ones() {
        return context.not(term);
    }
    let value = context.literal(value);
    context.build(Op::BvXor, &[term, value])
}

/// `bvxor a 0` → `a`, `bvxor a (−1)` → `bvnot a`
pub(super) fn xor_simple_literal(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[a, k] = arguments else { return None };
    let k = context.bits(k)?;
    if k.is_zero() {
        return Some(a);
    }
    k.is_ones().then(|| context.not(a))
}

/// The term without complements and literal operands of exclusive or, and what was taken away.
fn strip(context: &Context<'_>, term: TermId) -> Option<(TermId, BitVector)> {
    if let Some(below) = context.below(Op::BvNot, term) {
        return Some((below, BitVector::ones(context.width(term))));
    }
    let (a, k) = context.pair_of(Op::BvXor, term)?;
    Some((a, context.bits(k)?.clone()))
}

/// `bvxor (bvnot a) b` → `bvnot (bvxor a b)`, `bvxor (bvxor a k) b` → `bvxor (bvxor a b) k`
pub(super) fn xor_pull_literal(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let (stripped_left, stripped_right) = (strip(context, left), strip(context, right));
    if stripped_left.is_none() && stripped_right.is_none() {
        return None;
    }
    let nothing = BitVector::zero(context.width(left));
    let (left, k1) = stripped_left.unwrap_or_else(|| (left, nothing.clone()));
    let (right, k2) = stripped_right.unwrap_or((right, nothing));
    let mut literal = k1.xor(&k2);
    if let Some(k3) = context.bits(right) {
        literal = literal.xor(k3);
        return Some(xor_literal(context, left, literal));
    }
    let xor = context.build(Op::BvXor, &[left, right]);
    Some(xor_literal(context, xor, literal))
}

/// `bvxor (bvxor a b) a` → `b`, also further down
pub(super) fn xor_cancel(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let (odd, cancelled) = odd_members(context, Op::BvXor, arguments);
    if !cancelled {
        return None;
    }
    let width = context.width(arguments[0]);
    let Some((&first, rest)) = odd.split_first() else { return Some(context.zero(width)) };
    Some(rest.iter().fold(first, |result, &next| context.build(Op::BvXor, &[result, next])))
}

/// `bvand (concat a 0) (concat 0 b)` → `0`, `bvand a #x0f` → `concat #x0 (extract a)`,
/// `bvxor (concat a 0) (concat 0 b)` → `concat a b`: slice by slice, where at most one slice keeps
/// an operation. `bvadd` likewise where no slice does: then nothing is carried.
pub(super) fn on_slices(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    let mut cuts =
        union(&arguments.iter().map(|&argument| boundaries(context, argument)).collect::<Vec<_>>());
    if op == Op::BvAnd
        && let Some(mask) = context.bits(*arguments.last()?)
    {
        match changes(mask, MAXIMAL_MASK_CUTS) {
            Some(more) => cuts = union(&[cuts, more]),
            None if cuts.is_empty() => return None,
            None => {}
        }
    }
    if cuts.is_empty() || cuts.len() > MAXIMAL_CUTS {
        return None;
    }
    let slices = slices(context.width(arguments[0]), &cuts);
    let operations = slices.iter().filter(|&&slice| !vanishes(context, op, arguments, slice)).count();
    let allowed = if op == Op::BvAdd { 0 } else { 1 };
    if operations > allowed || operations == slices.len() {
        return None;
    }
    let mut parts = Terms::new();
    for slice in slices {
        let operands = slice_all(context, arguments, slice);
        parts.push(context.build(op, &operands));
    }
    Some(context.concat(&parts))
}

/// Whether the operation on these slices is one of the operands, its complement, or a literal.
fn vanishes(context: &Context<'_>, op: Op, operands: &[TermId], slice: (u32, u32)) -> bool {
    let mut terms = 0;
    let mut mixed = false;
    for &operand in operands {
        match (piece(context, operand, slice), op) {
            (Piece::Zero, Op::BvAnd) => return true,
            (Piece::Term, _) => terms += 1,
            (Piece::Mixed, _) | (Piece::Ones, Op::BvAdd) => mixed = true,
            (Piece::Zero | Piece::Ones, _) => {}
        }
    }
    terms == 0 && op != Op::BvAdd || terms <= 1 && !mixed
}

/// `bvand a b` → `ite (and (= a #b1) (= b #b1)) #b1 #b0`, for one bit: what is built from such
/// bits is a condition, and only its use as a bit-vector is not
pub(super) fn one_bit_and(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    if context.width(arguments[0]) != 1 {
        return None;
    }
    let one = BitVector::ones(1);
    let conditions: Terms = arguments.iter().map(|&argument| context.equals(argument, one.clone())).collect();
    let condition = context.and(&conditions);
    Some(context.bit_of(condition))
}

/// `bvxor (ite p #b1 #b0) (ite q #b1 #b0)` → `ite (not (= p q)) #b1 #b0`
///
/// Other bits stay below the operator, through which equations are solved for them.
pub(super) fn one_bit_xor(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let (p, q) = (condition_of_bit(context, left)?, condition_of_bit(context, right)?);
    let differ = context.differs(p, q);
    Some(context.bit_of(differ))
}

/// `bvredand a` → `ite (= a −1) #b1 #b0`
pub(super) fn reduce_and(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let ones = BitVector::ones(context.width(arguments[0]));
    let all = context.equals(arguments[0], ones);
    Some(context.bit_of(all))
}

/// `bvredor a` → `ite (= a 0) #b0 #b1`
pub(super) fn reduce_or(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let zero = BitVector::zero(context.width(arguments[0]));
    let none = context.equals(arguments[0], zero);
    let some = context.not(none);
    Some(context.bit_of(some))
}

/// `bvcomp a b` → `ite (= a b) #b1 #b0`
pub(super) fn compare_bits(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let equal = context.equal(arguments[0], arguments[1]);
    Some(context.bit_of(equal))
}
