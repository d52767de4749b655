//! Functions given by tables and by bodies, which may call one another.

use std::collections::BTreeMap;

use sundry_term::{
    BitVector, Evaluator, FunctionValue, Model, Op, SortId, SymbolId, TermStore, Value, evaluate,
};

use crate::{DEEP, bits, body, byte_store};

#[test]
fn tables_answer_by_arguments() {
    let (mut store, byte) = byte_store();
    let f = store.declare("f", &[byte, SortId::BOOL], byte);
    let entries = BTreeMap::from([(vec![bits(8, 1), Value::Bool(true)], bits(8, 10))]);
    let mut model = Model::new();
    model.set_function(f, FunctionValue::Table { entries, default: bits(8, 20) });
    for (number, truth, expected) in [(1, true, 10), (1, false, 20), (2, true, 20)] {
        let arguments = [store.bit_vector(BitVector::from_u64(8, number)), store.bool(truth)];
        let application = store.make(Op::Apply(f), &arguments);
        assert_eq!(evaluate(&store, &model, application), Ok(bits(8, expected)));
    }
}

#[test]
fn bodies_use_parameters_constants_and_other_functions() {
    let (mut store, byte) = byte_store();
    let [c, f, g, h] = [
        store.declare("c", &[], byte),
        store.declare("f", &[byte, byte], byte),
        store.declare("g", &[byte], byte),
        store.declare("h", &[byte], byte),
    ];
    let [x, y, z] = ["x", "y", "z"].map(|name| store.parameter(name, byte));
    let [c_term, x_term, y_term, z_term] = [c, x, y, z].map(|symbol| store.symbol_term(symbol));
    // f(x, y) = g(x) - h(y) + c, g(z) = 2z, h by table.
    let gx = store.make(Op::Apply(g), &[x_term]);
    let hy = store.make(Op::Apply(h), &[y_term]);
    let difference = store.make(Op::BvSub, &[gx, hy]);
    let f_body = store.make(Op::BvAdd, &[difference, c_term]);
    let g_body = store.make(Op::BvAdd, &[z_term, z_term]);
    let mut model = Model::new();
    model.set_constant(c, bits(8, 100));
    model.set_function(f, body(&[x, y], f_body));
    model.set_function(g, body(&[z], g_body));
    let entries = BTreeMap::from([(vec![bits(8, 4)], bits(8, 1))]);
    model.set_function(h, FunctionValue::Table { entries, default: bits(8, 9) });
    let [three, four] = [3, 4].map(|number| store.bit_vector(BitVector::from_u64(8, number)));
    let first = store.make(Op::Apply(f), &[three, four]);
    let second = store.make(Op::Apply(f), &[four, three]);
    let nested = store.make(Op::Apply(f), &[first, second]);
    let mut evaluator = Evaluator::new(&store, &model);
    evaluator.evaluate(&[nested]).unwrap();
    assert_eq!(evaluator.value(first), Some(&bits(8, 105)));
    assert_eq!(evaluator.value(second), Some(&bits(8, 99)));
    assert_eq!(evaluator.value(nested), Some(&bits(8, (2 * 105 - 9 + 100) % 256)));
}

#[test]
fn a_constant_may_be_given_by_a_body() {
    let (mut store, byte) = byte_store();
    let [c, d] = ["c", "d"].map(|name| store.declare(name, &[], byte));
    let [c_term, d_term] = [c, d].map(|symbol| store.symbol_term(symbol));
    let complement = store.make(Op::BvNot, &[d_term]);
    let mut model = Model::new();
    model.set_function(c, body(&[], complement));
    assert_eq!(evaluate(&store, &model, c_term), Ok(bits(8, 255)));
}

/// f0(x) = x + 1, and each further function calls the one before twice.
fn tower(store: &mut TermStore, byte: SortId, height: usize) -> (Model, SymbolId) {
    let x = store.parameter("x", byte);
    let x_term = store.symbol_term(x);
    let one = store.bit_vector(BitVector::one(8));
    let mut model = Model::new();
    let mut previous: Option<SymbolId> = None;
    for level in 0..=height {
        let function = store.declare(&format!("f{level}"), &[byte], byte);
        let term = match previous {
            None => store.make(Op::BvAdd, &[x_term, one]),
            Some(previous) => {
                let inner = store.make(Op::Apply(previous), &[x_term]);
                let outer = store.make(Op::Apply(previous), &[inner]);
                store.make(Op::BvSub, &[outer, one])
            }
        };
        model.set_function(function, body(&[x], term));
        previous = Some(function);
    }
    (model, previous.unwrap())
}

#[test]
fn towers_of_calls_neither_overflow_nor_explode() {
    let (mut store, byte) = byte_store();
    let (model, top) = tower(&mut store, byte, 2_000);
    let seven = store.bit_vector(BitVector::from_u64(8, 7));
    let application = store.make(Op::Apply(top), &[seven]);
    // Every level adds one, as the lowest does: (x + 1) + 1 - 1.
    assert_eq!(evaluate(&store, &model, application), Ok(bits(8, 8)));
}

#[test]
fn long_chains_of_calls() {
    let (mut store, byte) = byte_store();
    let x = store.parameter("x", byte);
    let mut term = store.symbol_term(x);
    let mut model = Model::new();
    let mut function = store.declare("f", &[byte], byte);
    for _ in 0..DEEP {
        let complement = store.make(Op::BvNot, &[term]);
        model.set_function(function, body(&[x], complement));
        let x_term = store.symbol_term(x);
        term = store.make(Op::Apply(function), &[x_term]);
        function = store.declare("f", &[byte], byte);
    }
    model.set_function(function, body(&[x], term));
    let seven = store.bit_vector(BitVector::from_u64(8, 7));
    let application = store.make(Op::Apply(function), &[seven]);
    assert_eq!(evaluate(&store, &model, application), Ok(bits(8, 7)));
}

#[test]
fn a_body_may_be_deep() {
    let (mut store, byte) = byte_store();
    let x = store.parameter("x", byte);
    let mut term = store.symbol_term(x);
    for _ in 0..DEEP {
        term = store.make(Op::BvNeg, &[term]);
    }
    let f = store.declare("f", &[byte], byte);
    let mut model = Model::new();
    model.set_function(f, body(&[x], term));
    let seven = store.bit_vector(BitVector::from_u64(8, 7));
    let application = store.make(Op::Apply(f), &[seven]);
    assert_eq!(evaluate(&store, &model, application), Ok(bits(8, 7)));
}
