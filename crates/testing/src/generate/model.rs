//! Random models: a value for every declared symbol.

use std::collections::BTreeMap;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_term::{ArrayValue, FunctionValue, Model, Op, Sort, SortId, TermId, TermStore, Value};

use super::some_bits;

/// A model that gives a random value to every declared symbol below the roots.
///
/// Elements of uninterpreted sorts have small numbers, so that some are equal; arrays and functions have a small
/// number of entries, at indices that are often read.
pub fn random_model(store: &TermStore, roots: &[TermId], random: &mut ChaCha8Rng) -> Model {
    let mut model = Model::new();
    for term in store.reachable(roots) {
        let Op::Apply(symbol) = store.op(term) else { continue };
        let declaration = store.symbol(symbol);
        if declaration.arguments.is_empty() {
            if model.constant(symbol).is_none() {
                let value = some_value(store, declaration.result, random);
                model.set_constant(symbol, value);
            }
        } else if model.function(symbol).is_none() {
            let mut entries = BTreeMap::new();
            for _ in 0..random.random_range(0..6) {
                let point: Vec<Value> =
                    declaration.arguments.iter().map(|&sort| some_value(store, sort, random)).collect();
                entries.insert(point, some_value(store, declaration.result, random));
            }
            let default = some_value(store, declaration.result, random);
            model.set_function(symbol, FunctionValue::Table { entries, default });
        }
    }
    model
}

/// A random value of a sort. Recurses as deep as sorts are nested, which is bounded.
fn some_value(store: &TermStore, sort: SortId, random: &mut ChaCha8Rng) -> Value {
    match *store.sort(sort) {
        Sort::Bool => Value::Bool(random.random()),
        Sort::BitVec(width) => Value::BitVec(some_bits(random, width)),
        Sort::Uninterpreted { .. } => Value::Uninterpreted { sort, index: random.random_range(0..4) },
        Sort::Array { index, element } => {
            let mut array = ArrayValue::constant(store, index, some_value(store, element, random));
            for _ in 0..random.random_range(0..4) {
                array = array.store(some_value(store, index, random), some_value(store, element, random));
            }
            Value::Array(array)
        }
        _ => Value::default_of(store, sort),
    }
}
