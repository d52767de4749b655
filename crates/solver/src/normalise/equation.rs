//! Solving an asserted formula for a symbol that it determines.

use sundry_circuit::bit_count;
use sundry_term::{BitVector, Op, TermId, TermStore, Value};

use crate::rewrite::Rewriter;

/// The definition `symbol = term` that an asserted formula is equivalent to, if it has that shape:
/// a Boolean symbol or its negation, or an equality whose one side is a symbol under invertible
/// operations. `taken` says which symbols are not wanted. The term may still contain the symbol.
pub(super) fn solve_for_symbol(
    store: &mut TermStore,
    rewriter: &mut Rewriter,
    assertion: TermId,
    taken: impl Fn(TermId) -> bool,
) -> Option<(TermId, TermId)> {
    let free = |store: &TermStore, term: TermId| is_symbol_of_circuits(store, term) && !taken(term);
    if free(store, assertion) {
        return Some((assertion, store.bool(true)));
    }
    let arguments = store.args(assertion).to_vec();
    match store.op(assertion) {
        Op::Not if free(store, arguments[0]) => Some((arguments[0], store.bool(false))),
        Op::Equal if arguments.len() == 2 => {
            let (left, right) = (arguments[0], arguments[1]);
            if free(store, left) && !occurs_at_top(store, left, right) {
                return Some((left, right));
            }
            if free(store, right) && !occurs_at_top(store, right, left) {
                return Some((right, left));
            }
            invert(store, rewriter, left, right, &free)
                .or_else(|| invert(store, rewriter, right, left, &free))
                .or_else(|| slice(store, left, right, &free))
                .or_else(|| slice(store, right, left, &free))
        }
        _ => None,
    }
}

/// Whether a term is a declared constant with bits, or an array of such: constants of other sorts belong to a theory,
/// which has to see the assertions about them.
fn is_symbol_of_circuits(store: &TermStore, term: TermId) -> bool {
    let sort = store.sort_of(term);
    let has_bits = || bit_count(store, sort).is_some() || store.array_parts(sort).is_some();
    store.constant_symbol(term).is_some() && has_bits()
}

/// A cheap occurrence test that keeps the most common self-references from becoming candidates.
fn occurs_at_top(store: &TermStore, symbol: TermId, term: TermId) -> bool {
    term == symbol || store.args(term).contains(&symbol)
}

/// Takes `concat(…, symbol, …) = term` apart into one equation for each part, the least significant
/// first, so that it defines the symbol. Nothing where no part is a symbol, or where the term is one:
/// then the equality defines that.
pub(super) fn equations_of_parts(
    store: &mut TermStore,
    rewriter: &mut Rewriter,
    equality: TermId,
) -> Option<Vec<TermId>> {
    let &[left, right] = store.args(equality) else { return None };
    let symbol = |store: &TermStore, term: TermId| store.constant_symbol(term).is_some();
    let (concatenation, term) = [(left, right), (right, left)]
        .into_iter()
        .find(|&(side, other)| matches!(store.op(side), Op::Concat) && !symbol(store, other))?;
    let parts = store.args(concatenation).to_vec();
    if !parts.iter().any(|&part| symbol(store, part)) {
        return None;
    }
    let mut low = 0;
    let mut equations = Vec::with_capacity(parts.len());
    for &part in parts.iter().rev() {
        let high = low + store.width(part).expect("parts are bit-vectors") - 1;
        let slice = rewriter.apply(store, Op::Extract { high, low }, &[term]);
        equations.push(rewriter.apply(store, Op::Equal, &[part, slice]));
        low = high + 1;
    }
    Some(equations)
}

/// Solves `extract(symbol) = value`: the symbol is that value between two fresh slices.
fn slice(
    store: &mut TermStore,
    side: TermId,
    value: TermId,
    free: &impl Fn(&TermStore, TermId) -> bool,
) -> Option<(TermId, TermId)> {
    let Op::Extract { high, low } = store.op(side) else { return None };
    let symbol = store.args(side)[0];
    if !free(store, symbol) {
        return None;
    }
    let width = store.width(symbol).expect("only bit-vectors are extracted from");
    let mut parts = Vec::with_capacity(3);
    if high + 1 < width {
        parts.push(fresh_slice(store, symbol, width - high - 1));
    }
    parts.push(value);
    if low > 0 {
        parts.push(fresh_slice(store, symbol, low));
    }
    let whole = if parts.len() == 1 { parts[0] } else { store.make(Op::Concat, &parts) };
    Some((symbol, whole))
}

fn fresh_slice(store: &mut TermStore, symbol: TermId, width: u32) -> TermId {
    let declared = store.constant_symbol(symbol).expect("slices are of symbols");
    let name = format!("{}!slice", store.symbol(declared).name);
    let sort = store.bit_vec_sort(width).expect("narrower than the symbol");
    let slice = store.declare(&name, &[], sort);
    store.symbol_term(slice)
}

/// Solves `side = value` for a symbol below invertible operators of `side`.
fn invert(
    store: &mut TermStore,
    rewriter: &mut Rewriter,
    side: TermId,
    value: TermId,
    free: &impl Fn(&TermStore, TermId) -> bool,
) -> Option<(TermId, TermId)> {
    let (mut side, mut value) = (side, value);
    loop {
        if free(store, side) {
            return Some((side, value));
        }
        let arguments = store.args(side).to_vec();
        (side, value) = match store.op(side) {
            Op::BvNot => (arguments[0], rewriter.apply(store, Op::BvNot, &[value])),
            Op::BvNeg => (arguments[0], rewriter.apply(store, Op::BvNeg, &[value])),
            op @ (Op::BvAdd | Op::BvXor | Op::BvMul) => {
                let position = arguments.iter().position(|&argument| free(store, argument))?;
                let others: Vec<TermId> = (0..arguments.len())
                    .filter(|&index| index != position)
                    .map(|index| arguments[index])
                    .collect();
                (arguments[position], undo(store, rewriter, op, value, &others)?)
            }
            _ => return None,
        };
    }
}

/// The value that the remaining operand must have when `others` are the other operands and `value` is the result.
fn undo(
    store: &mut TermStore,
    rewriter: &mut Rewriter,
    op: Op,
    value: TermId,
    others: &[TermId],
) -> Option<TermId> {
    let mut value = value;
    for &other in others {
        value = match op {
            Op::BvAdd => rewriter.apply(store, Op::BvSub, &[value, other]),
            Op::BvXor => rewriter.apply(store, Op::BvXor, &[value, other]),
            _ => {
                let Some(Value::BitVec(factor)) = store.value(other) else { return None };
                let inverse = odd_inverse(factor)?;
                let inverse = store.bit_vector(inverse);
                rewriter.apply(store, Op::BvMul, &[value, inverse])
            }
        };
    }
    Some(value)
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration.
fn odd_inverse(factor: &BitVector) -> Option<BitVector> {
    if !factor.bit(0) {
        return None;
    }
    let width = factor.width();
    let two = BitVector::from_u64(width, 2);
    // Correct to 3 bits at first; each step doubles that.
    let mut inverse = factor.clone();
    let mut correct = 3;
    while correct < width {
        inverse = inverse.mul(&two.sub(&factor.mul(&inverse)));
        correct *= 2;
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concatenations_define_their_parts() {
        let mut store = TermStore::new();
        let mut rewriter = Rewriter::default();
        let byte = store.bit_vec_sort(8).unwrap();
        let mut symbol = |name: &str| {
            let symbol = store.declare(name, &[], byte);
            store.symbol_term(symbol)
        };
        let [a, c, d] = ["a", "c", "d"].map(&mut symbol);
        let sum = store.term(Op::BvAdd, &[c, d]).unwrap();
        let pair = store.term(Op::Concat, &[a, sum]).unwrap();
        let quotient = {
            let wide = store.term(Op::Concat, &[c, d]).unwrap();
            store.term(Op::BvUdiv, &[wide, pair]).unwrap()
        };
        let equality = store.term(Op::Equal, &[quotient, pair]).unwrap();
        let equations = equations_of_parts(&mut store, &mut rewriter, equality).expect("a is a symbol");
        let [low, high] = equations[..] else { panic!("two parts") };
        assert!(store.args(low).contains(&sum), "the least significant part comes first");
        let (defined, value) = solve_for_symbol(&mut store, &mut rewriter, high, |_| false).unwrap();
        assert_eq!(defined, a);
        assert_eq!(store.op(value), Op::Extract { high: 15, low: 8 });

        let nothing_to_define = store.term(Op::Concat, &[sum, sum]).unwrap();
        let equality = store.term(Op::Equal, &[quotient, nothing_to_define]).unwrap();
        assert_eq!(equations_of_parts(&mut store, &mut rewriter, equality), None);
        let wide = store.bit_vec_sort(16).unwrap();
        let wide = store.declare("w", &[], wide);
        let wide = store.symbol_term(wide);
        let equality = store.term(Op::Equal, &[wide, pair]).unwrap();
        assert_eq!(equations_of_parts(&mut store, &mut rewriter, equality), None, "it defines w");
    }
}
