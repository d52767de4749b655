//! Bits of nodes as terms.

use sundry_term::{BitVector, Op, TermId, TermStore};

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
