//! Sums as linear forms: coefficients of a small number of terms and a constant, modulo 2^width.
//!
//! A sum is looked through to its addends (bounded), equal addends are collected, and the form is
//! written down again only where that needs no more additions than before. A difference needs no operator of its own:
//! `a − b` is `~(~a + b)`, one addition, everywhere.

use smallvec::SmallVec;
use sundry_term::{BitVector, Op, TermId};

use super::context::{Context, Terms};

/// Addends that are looked at, for one sum.
const MAXIMAL_ADDENDS: usize = 10;

/// The sum of `coefficient · term` over the addends, and a constant.
pub(super) struct Linear {
    /// Terms in ascending order, each once, none with coefficient 0.
    addends: SmallVec<[(TermId, BitVector); 6]>,
    constant: BitVector,
    /// Addends before equal ones were collected, literals among them.
    found: usize,
    /// Whether anything else than the given terms was looked at.
    looked_through: bool,
}

/// A term as a multiple of another: `bvneg`, `bvmul` by a literal, and shifts to the left.
pub(super) fn multiple_of(context: &Context<'_>, term: TermId) -> Option<(TermId, BitVector)> {
    let width = context.store.width(term)?;
    match context.op(term) {
        Op::BvNeg => Some((context.argument(term, 0), BitVector::ones(width))),
        Op::BvMul => {
            let (a, k) = context.pair_of(Op::BvMul, term)?;
            Some((a, context.bits(k)?.clone()))
        }
        Op::Concat => {
            let (high, low) = context.pair_of(Op::Concat, term)?;
            let by = context.width(low);
            if !context.bits(low)?.is_zero()
                || context.op(high) != (Op::Extract { high: width - by - 1, low: 0 })
            {
                return None;
            }
            let base = context.argument(high, 0);
            // The slice may be of a wider term, of which this is not a multiple.
            (context.width(base) == width).then(|| (base, BitVector::zero(width).with_bit(by, true)))
        }
        _ => None,
    }
}

impl Linear {
    /// A form of terms in ascending order, each once and none with coefficient 0.
    pub(super) fn new(addends: SmallVec<[(TermId, BitVector); 6]>, constant: BitVector) -> Linear {
        let found = addends.len() + 1;
        Linear { addends, constant, found, looked_through: true }
    }

    /// The linear form of the sum of `coefficient · term`.
    pub(super) fn of(context: &Context<'_>, sum: &[(TermId, BitVector)]) -> Linear {
        let width = sum[0].1.width();
        let mut open: SmallVec<[(TermId, BitVector); 6]> = SmallVec::from(sum);
        open.reverse();
        let mut addends: SmallVec<[(TermId, BitVector); 6]> = SmallVec::new();
        let mut constant = BitVector::zero(width);
        let mut found = 0;
        let mut looked_through = false;
        let mut visited = 0;
        while let Some((term, coefficient)) = open.pop() {
            visited += 1;
            if let Some(value) = context.bits(term) {
                constant = constant.add(&value.mul(&coefficient));
                found += 1;
                continue;
            }
            if visited <= MAXIMAL_ADDENDS {
                if let Some(sum) = context.arguments_of(Op::BvAdd, term) {
                    open.extend(sum.iter().rev().map(|&addend| (addend, coefficient.clone())));
                    looked_through = true;
                    continue;
                }
                if let Some(below) = context.below(Op::BvNot, term) {
                    // The complement of a is −a − 1.
                    constant = constant.sub(&coefficient);
                    open.push((below, coefficient.neg()));
                    looked_through = true;
                    continue;
                }
                if let Some((base, factor)) = multiple_of(context, term) {
                    open.push((base, coefficient.mul(&factor)));
                    looked_through = true;
                    continue;
                }
            }
            addends.push((term, coefficient));
            found += 1;
        }
        addends.sort_unstable_by_key(|&(term, _)| term);
        let mut collected: SmallVec<[(TermId, BitVector); 6]> = SmallVec::new();
        for (term, coefficient) in addends {
            match collected.last_mut() {
                Some((last, sum)) if *last == term => *sum = sum.add(&coefficient),
                _ => collected.push((term, coefficient)),
            }
        }
        collected.retain(|(_, coefficient)| !coefficient.is_zero());
        Linear { addends: collected, constant, found, looked_through }
    }

    /// The number of addends, with a constant unless it is zero.
    pub(super) fn size(&self) -> usize {
        self.addends.len() + usize::from(!self.constant.is_zero())
    }

    /// The addends with coefficients below half of the modulus, and the others negated.
    fn by_sign(&self) -> (Scaled, Scaled) {
        let mut positive = Scaled::new();
        let mut negative = Scaled::new();
        for (term, coefficient) in &self.addends {
            if coefficient.is_negative() && !coefficient.nego() {
                negative.push((*term, coefficient.neg()));
            } else {
                positive.push((*term, coefficient.clone()));
            }
        }
        (positive, negative)
    }
}

type Scaled = SmallVec<[(TermId, BitVector); 6]>;

/// The exponent of a power of two.
pub(super) fn power_of_two(value: &BitVector) -> Option<u32> {
    let mut set = (0..value.width()).filter(|&bit| value.bit(bit));
    match (set.next(), set.next()) {
        (Some(bit), None) => Some(bit),
        _ => None,
    }
}

/// `coefficient · term`
fn scale(context: &mut Context<'_>, term: TermId, coefficient: &BitVector) -> TermId {
    if coefficient.is_zero() {
        return context.zero(coefficient.width());
    }
    if let Some(by) = power_of_two(coefficient) {
        return shift_left(context, term, by);
    }
    if let Some(by) = power_of_two(&coefficient.neg()) {
        let shifted = shift_left(context, term, by);
        return context.build(Op::BvNeg, &[shifted]);
    }
    let coefficient = context.literal(coefficient.clone());
    context.build(Op::BvMul, &[term, coefficient])
}

/// `term · 2^by` as a slice and zeros.
pub(super) fn shift_left(context: &mut Context<'_>, term: TermId, by: u32) -> TermId {
    let width = context.width(term);
    if by == 0 {
        return term;
    }
    if by >= width {
        return context.zero(width);
    }
    let (kept, zeros) = (context.extract(term, width - by - 1, 0), context.zero(by));
    context.concat(&[kept, zeros])
}

/// The sum of terms, of which there is at least one.
fn add_all(context: &mut Context<'_>, terms: &[TermId]) -> TermId {
    let (&first, rest) = terms.split_first().expect("a sum of something");
    rest.iter().fold(first, |sum, &next| context.build(Op::BvAdd, &[sum, next]))
}

fn scale_all(context: &mut Context<'_>, addends: &Scaled) -> Terms {
    addends.iter().map(|(term, coefficient)| scale(context, *term, coefficient)).collect()
}

/// The form as a term.
fn write(context: &mut Context<'_>, form: &Linear) -> TermId {
    if form.size() <= 1 {
        return match form.addends.first() {
            Some((term, coefficient)) => scale(context, *term, coefficient),
            None => context.literal(form.constant.clone()),
        };
    }
    let (positive, negative) = form.by_sign();
    let (positive, mut negative) = (scale_all(context, &positive), scale_all(context, &negative));
    let constant = &form.constant;
    match (positive.is_empty(), negative.is_empty()) {
        (_, true) => {
            let mut operands = positive;
            if !constant.is_zero() {
                operands.push(context.literal(constant.clone()));
            }
            add_all(context, &operands)
        }
        (true, false) if constant.is_zero() => {
            let sum = add_all(context, &negative);
            context.build(Op::BvNeg, &[sum])
        }
        (true, false) => {
            // k − n is ~(n + ~k).
            if !constant.is_ones() {
                negative.push(context.literal(constant.not()));
            }
            let sum = add_all(context, &negative);
            context.not(sum)
        }
        (false, false) if constant.is_ones() => {
            // p − n − 1 is p + ~n.
            let (left, right) = (add_all(context, &positive), add_all(context, &negative));
            let right = context.not(right);
            context.build(Op::BvAdd, &[left, right])
        }
        (false, false) => {
            // p − n + k is ~(~p + n − k).
            let (left, right) = (add_all(context, &positive), add_all(context, &negative));
            let mut operands = Terms::from_slice(&[context.not(left), right]);
            if !constant.is_zero() {
                operands.push(context.literal(constant.neg()));
            }
            let sum = add_all(context, &operands);
            context.not(sum)
        }
    }
}

/// `bvsub a b c …` → `bvnot (bvadd (bvnot a) b c …)`, or simpler where something cancels
pub(super) fn difference(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let one = BitVector::one(context.width(left));
    let minus = one.neg();
    let form = Linear::of(context, &[(left, one), (right, minus)]);
    if form.size() <= 2 {
        return Some(write(context, &form));
    }
    let complement = context.not(left);
    let sum = context.build(Op::BvAdd, &[complement, right]);
    Some(context.not(sum))
}

/// `bvadd (bvadd a k1) k2` → `bvadd a (k1+k2)`, `bvadd (bvneg a) (bvadd a b)` → `b`,
/// `bvadd a a` → `2a`: addends collected, where one addition or none remains
pub(super) fn sum(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let one = BitVector::one(context.width(left));
    let form = Linear::of(context, &[(left, one.clone()), (right, one)]);
    let simpler = match form.size() {
        0 | 1 => true,
        2 => {
            let has = |op: Op| arguments.iter().any(|&argument| context.op(argument) == op);
            // A negation costs an addition; a complement beside a literal can be outside.
            form.found > 2 || has(Op::BvNeg) || form.addends.len() == 1 && has(Op::BvNot)
        }
        _ => false,
    };
    simpler.then(|| write(context, &form))
}

/// `bvneg (bvadd a k)` → `bvnot (bvadd a (k − 1))`, `bvneg (bvnot a)` → `bvadd a 1`,
/// `bvneg (a − b)` → `b − a`
pub(super) fn negation(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let width = context.width(arguments[0]);
    let form = Linear::of(context, &[(arguments[0], BitVector::ones(width))]);
    if !form.looked_through || form.size() > 2 {
        return None;
    }
    let (positive, negative) = form.by_sign();
    if positive.is_empty() && form.constant.is_zero() {
        // Nothing but a negation would come out, except of a product with a literal.
        let is_power = |value: &BitVector| power_of_two(value).is_some();
        if negative.len() > 1 || negative.iter().any(|(_, coefficient)| is_power(coefficient)) {
            return None;
        }
    }
    Some(write(context, &form))
}

/// `bvmul a 0`, `bvmul a 1`, `bvmul a 2^n`, `bvmul (bvmul a k1) k2`, `bvmul (bvneg a) (bvneg b)`:
/// coefficients collected
pub(super) fn product(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let one = BitVector::one(context.width(left));
    if let Some(k) = context.bits(right) {
        let k = k.clone();
        return match multiple_of(context, left) {
            Some((base, coefficient)) => Some(scale(context, base, &coefficient.mul(&k))),
            None if power_of_two(&k).is_some() || power_of_two(&k.neg()).is_some() || k.is_zero() => {
                Some(scale(context, left, &k))
            }
            None => None,
        };
    }
    let (of_left, of_right) = (multiple_of(context, left), multiple_of(context, right));
    if of_left.is_none() && of_right.is_none() {
        return None;
    }
    let (left, k1) = of_left.unwrap_or_else(|| (left, one.clone()));
    let (right, k2) = of_right.unwrap_or((right, one));
    let coefficient = k1.mul(&k2);
    if !coefficient.is_zero() && power_of_two(&coefficient).is_none() {
        return None;
    }
    let product = context.build(Op::BvMul, &[left, right]);
    Some(scale(context, product, &coefficient))
}

/// `= (bvadd a k1) k2` → `= a (k2 − k1)`, `= (bvadd a b) (bvadd b c)` → `= a c`,
/// `= (bvmul a 3) k` → `= a (k/3)`: the difference of both sides collected and divided again
pub(super) fn equality(context: &mut Context<'_>, _: Op, arguments: &[TermId]) -> Option<TermId> {
    let &[left, right] = arguments else { return None };
    let one = BitVector::one(context.store.width(left)?);
    let minus = one.neg();
    let form = Linear::of(context, &[(left, one), (right, minus)]);
    if !form.looked_through {
        return None;
    }
    if form.addends.len() > 1 {
        let (positive, negative) = form.by_sign();
        let constants = usize::from(!form.constant.is_zero() && !positive.is_empty() && !negative.is_empty());
        let additions = positive.len().saturating_sub(1) + negative.len().saturating_sub(1) + constants;
        if additions > 1 || additions == 1 && form.found <= form.size() {
            return None;
        }
    }
    is_zero(context, &form, arguments)
}

/// The statement that a form is zero; `None` if it is the equality of the two terms that were there before.
pub(super) fn is_zero(context: &mut Context<'_>, form: &Linear, before: &[TermId]) -> Option<TermId> {
    match &form.addends[..] {
        [] => return Some(context.boolean(form.constant.is_zero())),
        [(term, coefficient)] => return solved(context, *term, coefficient, &form.constant.neg(), before),
        _ => {}
    }
    let (positive, negative) = form.by_sign();
    // The side with the older first term has no constant, so that signs do not matter.
    let first = |side: &Scaled| side.first().map(|(term, _)| *term);
    let (plain, other, constant) = match (first(&positive), first(&negative)) {
        (Some(p), Some(n)) if p < n => (positive, negative, form.constant.neg()),
        (_, None) => (positive, negative, form.constant.neg()),
        _ => (negative, positive, form.constant.clone()),
    };
    let (plain, mut other) = (scale_all(context, &plain), scale_all(context, &other));
    if !constant.is_zero() || other.is_empty() {
        other.push(context.literal(constant));
    }
    let (plain, other) = (add_all(context, &plain), add_all(context, &other));
    let same = before == [plain, other] || before == [other, plain];
    (!same).then(|| context.equal(plain, other))
}

/// `coefficient · term = value` solved for the low bits of the term that it fixes.
fn solved(
    context: &mut Context<'_>,
    term: TermId,
    coefficient: &BitVector,
    value: &BitVector,
    before: &[TermId],
) -> Option<TermId> {
    let width = value.width();
    let zeros = (0..width).find(|&bit| coefficient.bit(bit)).expect("coefficients are not zero");
    if (0..zeros).any(|bit| value.bit(bit)) {
        return Some(context.boolean(false));
    }
    let odd = coefficient.extract(width - 1, zeros);
    let value = value.extract(width - 1, zeros).mul(&inverse(&odd));
    let kept = context.extract(term, width - zeros - 1, 0);
    let value = context.literal(value);
    let same = before.contains(&kept) && before.contains(&value);
    (!same).then(|| context.equal(kept, value))
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration.
fn inverse(odd: &BitVector) -> BitVector {
    let width = odd.width();
    let two = BitVector::one(width).add(&BitVector::one(width));
    // Correct to three bits at first; each step doubles that.
    let mut inverse = odd.clone();
    let mut correct = 3;
    while correct < width {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        correct *= 2;
    }
    inverse
}

/// Whether two terms differ for all values, because they are sums that differ in a constant.
pub(super) fn differ_by_constant(context: &Context<'_>, left: TermId, right: TermId) -> bool {
    let Some(width) = context.store.width(left) else { return false };
    let one = BitVector::one(width);
    let minus = one.neg();
    let form = Linear::of(context, &[(left, one), (right, minus)]);
    form.addends.is_empty() && !form.constant.is_zero()
}
