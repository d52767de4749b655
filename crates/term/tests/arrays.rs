//! Array values: a unique representation of every function, and the array operators.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use proptest::prelude::*;
use sundry_term::{ArrayValue, BitVector, Evaluator, Model, Op, SortId, TermStore, Value, evaluate};

fn bits(width: u32, number: u64) -> Value {
    Value::BitVec(BitVector::from_u64(width, number))
}

/// A small index sort with all its values.
#[derive(Clone, Debug)]
struct Domain {
    store: TermStore,
    sort: SortId,
    values: Vec<Value>,
}

fn domains() -> Vec<Domain> {
    let mut store = TermStore::new();
    let mut domains = Vec::new();
    let truth = vec![Value::Bool(false), Value::Bool(true)];
    domains.push((SortId::BOOL, truth.clone()));
    for width in 1..=3 {
        let sort = store.bit_vec_sort(width).unwrap();
        domains.push((sort, (0..1 << width).map(|number| bits(width, number)).collect()));
    }
    // Arrays as indices: all four functions from truth values to truth values.
    let functions = store.array_sort(SortId::BOOL, SortId::BOOL);
    let constant = ArrayValue::constant(&store, SortId::BOOL, Value::Bool(false));
    let function = |at_false: bool, at_true: bool| {
        let array = constant.store(Value::Bool(false), Value::Bool(at_false));
        Value::Array(array.store(Value::Bool(true), Value::Bool(at_true)))
    };
    let values = [(false, false), (false, true), (true, false), (true, true)];
    domains.push((functions, values.map(|(f, t)| function(f, t)).to_vec()));
    domains.into_iter().map(|(sort, values)| Domain { store: store.clone(), sort, values }).collect()
}

/// A domain, the default, and a history of stores: positions and elements of two bits.
fn history() -> impl Strategy<Value = (Domain, u64, Vec<(usize, u64)>)> {
    let domain = prop::sample::select((0..domains().len()).collect::<Vec<_>>());
    (domain, 0u64..4, prop::collection::vec((any::<prop::sample::Index>(), 0u64..4), 0..24)).prop_map(
        |(domain, default, stores)| {
            let domain = domains().swap_remove(domain);
            let stores = stores.into_iter().map(|(i, e)| (i.index(domain.values.len()), e)).collect();
            (domain, default, stores)
        },
    )
}

/// The array of a history, and the same function as a plain vector.
fn replay(domain: &Domain, default: u64, stores: &[(usize, u64)]) -> (ArrayValue, Vec<u64>) {
    let mut array = ArrayValue::constant(&domain.store, domain.sort, bits(2, default));
    let mut function = vec![default; domain.values.len()];
    for &(position, element) in stores {
        array = array.store(domain.values[position].clone(), bits(2, element));
        function[position] = element;
    }
    (array, function)
}

fn hash(array: &ArrayValue) -> u64 {
    static STATE: std::sync::OnceLock<RandomState> = std::sync::OnceLock::new();
    STATE.get_or_init(RandomState::new).hash_one(array)
}

fn check_canonical(domain: &Domain, array: &ArrayValue, function: &[u64]) {
    for (index, &element) in domain.values.iter().zip(function) {
        assert_eq!(*array.select(index), bits(2, element));
    }
    let mut counts = [0usize; 4];
    for &element in function {
        counts[element as usize] += 1;
    }
    let most = *counts.iter().max().unwrap();
    let default = counts.iter().position(|&count| count == most).unwrap();
    assert_eq!(*array.default(), bits(2, default as u64), "the default of {function:?}");
    assert_eq!(array.entry_count(), function.len() - most);
    assert_eq!(array.entries().count(), array.entry_count());
    assert!(array.entries().all(|(_, element)| element != array.default()));
    assert!(array.entries().map(|(index, _)| index).is_sorted());
    assert_eq!(array.domain_size(), function.len() as u64);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_representation_is_canonical((domain, default, stores) in history()) {
        for length in 0..=stores.len() {
            let (array, function) = replay(&domain, default, &stores[..length]);
            check_canonical(&domain, &array, &function);
        }
    }

    /// The same function, written down from another default and in another order.
    #[test]
    fn equal_functions_are_equal_values((domain, default, stores) in history(), other in 0u64..4) {
        let (array, function) = replay(&domain, default, &stores);
        let pointwise: Vec<_> = function.iter().copied().enumerate().rev().collect();
        let (again, _) = replay(&domain, other, &pointwise);
        prop_assert_eq!(&array, &again);
        prop_assert_eq!(hash(&array), hash(&again));
        prop_assert_eq!(array.cmp(&again), std::cmp::Ordering::Equal);
    }

    #[test]
    fn different_functions_are_different_values((domain, default, stores) in history(), at in any::<prop::sample::Index>()) {
        let (array, function) = replay(&domain, default, &stores);
        let position = at.index(function.len());
        let changed = array.store(domain.values[position].clone(), bits(2, function[position] ^ 1));
        prop_assert_ne!(&array, &changed);
        prop_assert_ne!(array.cmp(&changed), std::cmp::Ordering::Equal);
        prop_assert_eq!(array.cmp(&changed), changed.cmp(&array).reverse());
    }
}

/// Each function of a domain is exactly one value: as many values as functions.
#[test]
fn all_functions_over_two_bits() {
    let domain = domains().swap_remove(2);
    let mut seen = HashSet::new();
    for number in 0..256u64 {
        let function: Vec<(usize, u64)> = (0..4).map(|i| (i, number >> (2 * i) & 3)).collect();
        let arrays: HashSet<_> = (0..4).map(|default| replay(&domain, default, &function).0).collect();
        assert_eq!(arrays.len(), 1);
        seen.extend(arrays);
    }
    assert_eq!(seen.len(), 256);
}

/// Arrays of arrays: inner values are canonical, so outer ones are.
#[test]
fn nested_arrays_are_canonical() {
    let mut store = TermStore::new();
    let inner_sort = store.array_sort(SortId::BOOL, SortId::BOOL);
    let outer_sort = store.array_sort(inner_sort, inner_sort);
    let [no, yes] = [false, true].map(Value::Bool);
    let all_false = ArrayValue::constant(&store, SortId::BOOL, no.clone());
    let all_true = ArrayValue::constant(&store, SortId::BOOL, yes.clone());
    let rebuilt = all_false.store(no.clone(), yes.clone()).store(yes.clone(), yes.clone());
    assert_eq!(rebuilt, all_true);
    let value = |array: &ArrayValue| Value::Array(array.clone());
    let outer = ArrayValue::constant(&store, inner_sort, value(&all_false));
    assert_eq!(outer.domain_size(), 4);
    assert_eq!(
        outer.store(value(&rebuilt), value(&all_true)),
        outer.store(value(&all_true), value(&rebuilt))
    );
    assert_eq!(Value::Array(outer), Value::default_of(&store, outer_sort));
}

#[test]
fn stores_over_wide_indices_only_add_entries() {
    let mut store = TermStore::new();
    let sort = store.bit_vec_sort(32).unwrap();
    let array = ArrayValue::constant(&store, sort, bits(8, 0));
    assert_eq!(array.domain_size(), 1 << 32);
    let changed = array.store(bits(32, 5), bits(8, 1)).store(bits(32, 3), bits(8, 2));
    let entries: Vec<_> = changed.entries().map(|(i, e)| (i.clone(), e.clone())).collect();
    assert_eq!(entries, [(bits(32, 3), bits(8, 2)), (bits(32, 5), bits(8, 1))]);
    assert_eq!(
        format!("{changed:?}"),
        "{BitVec(#x00000003) -> BitVec(#x02), BitVec(#x00000005) -> BitVec(#x01), else BitVec(#x00)}"
    );
    let back = changed.store(bits(32, 3), bits(8, 0)).store(bits(32, 5), bits(8, 0));
    assert_eq!(back, array);
    assert_eq!(array.entry_count(), 0, "a store leaves the original alone");
}

/// Every index of a 16-bit domain is overridden, then overridden again: no step may read it all.
#[test]
fn a_domain_may_be_filled_completely() {
    let mut store = TermStore::new();
    let sort = store.bit_vec_sort(16).unwrap();
    let mut array = ArrayValue::constant(&store, sort, bits(16, 0));
    for number in 0..1 << 16 {
        array = array.store(bits(16, number), bits(16, number ^ 0x5555));
    }
    assert!((0..1 << 16).all(|number| *array.select(&bits(16, number)) == bits(16, number ^ 0x5555)));
    assert_eq!((array.default(), array.entry_count()), (&bits(16, 0), (1 << 16) - 1));
    for number in 0..1 << 16 {
        array = array.store(bits(16, number), bits(16, 7));
    }
    assert_eq!(array, ArrayValue::constant(&store, sort, bits(16, 7)));
}

#[test]
fn select_store_and_constant_arrays_in_terms() {
    let mut store = TermStore::new();
    let index_sort = store.bit_vec_sort(2).unwrap();
    let array_sort = store.array_sort(index_sort, SortId::BOOL);
    let array = store.declare("a", &[], array_sort);
    let array_term = store.symbol_term(array);
    let [i, j] = ["i", "j"].map(|name| store.declare(name, &[], index_sort));
    let [i_term, j_term] = [i, j].map(|symbol| store.symbol_term(symbol));
    let yes = store.bool(true);
    let stored = store.make(Op::Store, &[array_term, i_term, yes]);
    let selected = store.make(Op::Select, &[stored, j_term]);
    let everywhere = store.make(Op::ConstArray(array_sort), &[yes]);
    let equal = store.make(Op::Equal, &[stored, everywhere]);
    for number in 0..256u64 {
        let (function, at_i, at_j) = (number & 15, number >> 4 & 3, number >> 6);
        let mut value = ArrayValue::constant(&store, index_sort, Value::Bool(false));
        for position in 0..4 {
            value = value.store(bits(2, position), Value::Bool(function >> position & 1 == 1));
        }
        let mut model = Model::new();
        model.set_constant(array, Value::Array(value));
        model.set_constant(i, bits(2, at_i));
        model.set_constant(j, bits(2, at_j));
        let mut evaluator = Evaluator::new(&store, &model);
        evaluator.evaluate(&[selected, equal]).unwrap();
        let after = function | 1 << at_i;
        assert_eq!(evaluator.value(selected), Some(&Value::Bool(after >> at_j & 1 == 1)));
        assert_eq!(evaluator.value(equal), Some(&Value::Bool(after == 15)));
    }
}

/// A long chain of stores, whose arrays share their common entries, is read back at many places.
#[test]
fn a_chain_of_a_hundred_thousand_stores() {
    let mut store = TermStore::new();
    let sort = store.bit_vec_sort(32).unwrap();
    let array_sort = store.array_sort(sort, sort);
    let array = store.declare("a", &[], array_sort);
    let mut chain = store.symbol_term(array);
    let mut expected = BTreeMap::new();
    for step in 0..100_000u64 {
        let number = step.wrapping_mul(2_654_435_761) & 0xffff;
        let index = store.bit_vector(BitVector::from_u64(32, number));
        let element = store.bit_vector(BitVector::from_u64(32, step));
        chain = store.make(Op::Store, &[chain, index, element]);
        expected.insert(bits(32, number), bits(32, step));
    }
    let value = evaluate(&store, &Model::new(), chain).unwrap();
    let value = value.as_array().unwrap();
    expected.retain(|_, element| *element != bits(32, 0));
    assert!(value.entries().eq(expected.iter()));
}
