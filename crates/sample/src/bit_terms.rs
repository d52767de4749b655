//! Bits of nodes as terms, and conditions on numbers.

use dashu_int::IBig;
use dashu_ratio::RBig;
use sundry_term::{ArithmeticOp, BitVector, Op, SortId, TermId, TermStore, Value};

/// Whether terms can name the bits of a node: it is a truth value or a bit-vector. Bits of numbers and floating-point values are bits of no term.
pub(crate) fn has_bit_terms(store: &TermStore, node: TermId) -> bool {
    store.is_bool(node) || store.width(node).is_some()
}

/// The term that says that a bit of a truth value or of a bit-vector is 1.
pub(crate) fn bit_is_one(store: &mut TermStore, node: TermId, bit: u32) -> TermId {
    if store.is_bool(node) {
        return node;
    }
    let slice = match store.width(node) {
        Some(1) => node,
        _ => store.make(Op::Extract { high: bit, low: bit }, &[node]),
    };
    let one = store.bit_vector(BitVector::one(1));
    store.make(Op::Equal, &[slice, one])
}

/// The term that says that an AST-bit of an integer with this number of low bits, or of a real, is true; `None` for terms of other sorts.
pub(crate) fn bit_of_number(
    store: &mut TermStore,
    term: TermId,
    bit: u32,
    integer_bits: u32,
) -> Option<TermId> {
    let is_real = match store.sort_of(term) {
        SortId::INT => false,
        SortId::REAL => true,
        _ => return None,
    };
    Some(match bit {
        _ if bit == if is_real { 0 } else { integer_bits } => {
            let zero = number_like(store, term, IBig::ZERO);
            store.make(Op::Arithmetic(ArithmeticOp::Less), &[term, zero])
        }
        1 if is_real => {
            let zero = number_like(store, term, IBig::ZERO);
            store.make(Op::Equal, &[term, zero])
        }
        _ if is_real => store.make(Op::Arithmetic(ArithmeticOp::IsInt), &[term]),
        _ => {
            let [unit, two, one] = [IBig::ONE << bit as usize, 2.into(), IBig::ONE]
                .map(|number| store.constant(Value::Int(number)));
            let quotient = store.make(Op::Arithmetic(ArithmeticOp::Div), &[term, unit]);
            let last = store.make(Op::Arithmetic(ArithmeticOp::Mod), &[quotient, two]);
            store.make(Op::Equal, &[last, one])
        }
    })
}

/// An integer as a constant of the sort of another number.
pub(crate) fn number_like(store: &mut TermStore, other: TermId, number: IBig) -> TermId {
    let is_real = store.sort_of(other) == SortId::REAL;
    let value = if is_real { Value::Real(RBig::from(number).into()) } else { Value::Int(number) };
    store.constant(value)
}
