//! Models and values as data.

use std::collections::BTreeMap;

use sundry_term::{FunctionValue, Model, Sort, TermStore, Value};

use crate::{bits, byte_store};

#[test]
fn models_list_symbols_in_the_order_of_declaration() {
    let (mut store, byte) = byte_store();
    let [c, d] = ["c", "d"].map(|name| store.declare(name, &[], byte));
    let f = store.declare("f", &[byte], byte);
    let table = FunctionValue::Table { entries: BTreeMap::new(), default: bits(8, 1) };
    let mut model = Model::new();
    model.set_constant(d, bits(8, 2));
    model.set_constant(c, bits(8, 1));
    model.set_constant(d, bits(8, 3));
    model.set_function(f, table.clone());
    assert_eq!(model.constants().collect::<Vec<_>>(), [(c, &bits(8, 1)), (d, &bits(8, 3))]);
    assert_eq!(model.functions().collect::<Vec<_>>(), [(f, &table)]);
    assert_eq!((model.constant(f), model.function(c)), (None, None));
    assert_ne!(model, Model::new());
    assert_eq!(model, model.clone());
}

#[test]
fn values_tell_their_bits() {
    let (mut store, _) = byte_store();
    let declaration = store.declare_sort("S", 0);
    let sort = store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).unwrap();
    assert!(Value::Bool(true).bit(0) && !Value::Bool(false).bit(0));
    assert!(bits(8, 4).bit(2) && !bits(8, 4).bit(1));
    assert!(Value::Uninterpreted { sort, index: 4 }.bit(2));
    assert_eq!((Value::Bool(true).as_bool(), bits(8, 1).as_bool()), (Some(true), None));
    assert!(Value::Bool(true).as_bit_vector().is_none() && bits(8, 1).as_array().is_none());
}

#[test]
fn terms_and_models_go_to_other_threads() {
    fn is_shareable<T: Send + Sync + 'static>() {}
    is_shareable::<TermStore>();
    is_shareable::<Model>();
    is_shareable::<Value>();
}
