//! The evaluator as a whole.
//!
//! * [`terms`]: depth, sharing, and values that are kept.
//! * [`functions`]: functions given by tables and bodies.
//! * [`refused`]: models that the evaluator refuses.
//! * [`models`]: models and values as data.

mod functions;
mod models;
mod refused;
mod terms;

use sundry_term::{BitVector, FunctionValue, SortId, SymbolId, TermId, TermStore, Value};

const DEEP: usize = 100_000;

fn bits(width: u32, number: u64) -> Value {
    Value::BitVec(BitVector::from_u64(width, number))
}

fn byte_store() -> (TermStore, SortId) {
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).unwrap();
    (store, byte)
}

fn body(parameters: &[SymbolId], body: TermId) -> FunctionValue {
    FunctionValue::Body { parameters: parameters.to_vec(), body }
}
