//! Models that the evaluator refuses: cyclic functions, stray parameters and values of a wrong sort.

use std::collections::BTreeMap;

use sundry_term::{
    BitVector, EvaluationError, Evaluator, FunctionValue, Model, Op, Sort, SortId, Value, evaluate,
};

use crate::{bits, body, byte_store};

#[test]
fn functions_that_call_themselves_are_refused() {
    let (mut store, byte) = byte_store();
    let [f, g] = ["f", "g"].map(|name| store.declare(name, &[byte], byte));
    let x = store.parameter("x", byte);
    let x_term = store.symbol_term(x);
    let fx = store.make(Op::Apply(f), &[x_term]);
    let gx = store.make(Op::Apply(g), &[x_term]);
    let mut model = Model::new();
    model.set_function(f, body(&[x], gx));
    model.set_function(g, body(&[x], fx));
    let zero = store.bit_vector(BitVector::zero(8));
    let application = store.make(Op::Apply(f), &[zero]);
    let harmless = store.make(Op::BvNot, &[zero]);
    let mut evaluator = Evaluator::new(&store, &model);
    let error = EvaluationError::CyclicFunction { symbol: f, name: "f".into() };
    assert_eq!(error.to_string(), "the model defines function 'f' by itself");
    assert_eq!(evaluator.evaluate(&[application]), Err(error.clone()));
    // Evaluation before an error does not change results after it.
    evaluator.evaluate(&[harmless]).unwrap();
    assert_eq!(evaluator.value(harmless), Some(&bits(8, 255)));
    assert_eq!(evaluator.evaluate(&[application]), Err(error));
    assert_eq!(evaluator.value(application), None);
}

#[test]
fn a_function_called_after_a_failed_call_is_not_taken_for_cyclic() {
    let (mut store, byte) = byte_store();
    let [f, g] = ["f", "g"].map(|name| store.declare(name, &[byte], byte));
    let [x, stray] = ["x", "stray"].map(|name| store.parameter(name, byte));
    let [x_term, stray_term] = [x, stray].map(|symbol| store.symbol_term(symbol));
    let gx = store.make(Op::Apply(g), &[x_term]);
    let mut model = Model::new();
    model.set_function(f, body(&[x], gx));
    model.set_function(g, body(&[x], stray_term));
    let zero = store.bit_vector(BitVector::zero(8));
    let application = store.make(Op::Apply(f), &[zero]);
    let error = Err(EvaluationError::UnboundParameter { symbol: stray, name: "stray".into() });
    let mut evaluator = Evaluator::new(&store, &model);
    assert_eq!(evaluator.evaluate(&[application]), error);
    assert_eq!(evaluator.evaluate(&[application]), error);
}

#[test]
fn parameters_are_unbound_outside_their_body() {
    let (mut store, byte) = byte_store();
    let x = store.parameter("x", byte);
    let x_term = store.symbol_term(x);
    let error = EvaluationError::UnboundParameter { symbol: x, name: "x".into() };
    assert_eq!(error.to_string(), "parameter 'x' occurs outside the function it belongs to");
    assert_eq!(evaluate(&store, &Model::new(), x_term), Err(error));
    let mut model = Model::new();
    model.set_constant(x, bits(8, 3));
    assert_eq!(evaluate(&store, &model, x_term), Ok(bits(8, 3)), "a model may bind it");
}

#[test]
fn values_of_a_wrong_sort_are_refused() {
    let (mut store, byte) = byte_store();
    let array_sort = store.array_sort(byte, byte);
    let declarations = ["S", "T"].map(|name| store.declare_sort(name, 0));
    let [s, t] = declarations.map(|declaration| {
        store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).unwrap()
    });
    let word = store.bit_vec_sort(16).unwrap();
    let array_of = |index: SortId, element: Value| {
        Value::Array(sundry_term::ArrayValue::constant(&store, index, element))
    };
    let zeros = array_of(byte, bits(8, 0));
    let mixed = zeros.as_array().unwrap().store(bits(8, 1), Value::Bool(true));
    let cases = [
        (SortId::BOOL, bits(1, 0)),
        (byte, bits(9, 0)),
        (byte, Value::Bool(false)),
        (s, Value::Uninterpreted { sort: t, index: 0 }),
        (array_sort, bits(8, 0)),
        (array_sort, array_of(word, bits(8, 0))),
        (array_sort, array_of(byte, bits(16, 0))),
        (array_sort, Value::Array(mixed)),
    ];
    for (sort, value) in cases {
        let c = store.declare("c", &[], sort);
        let c_term = store.symbol_term(c);
        let mut model = Model::new();
        model.set_constant(c, value);
        let error = EvaluationError::IllSortedValue { symbol: c, name: "c".into() };
        assert_eq!(evaluate(&store, &model, c_term), Err(error));
    }
}

#[test]
fn bodies_that_do_not_fit_the_function_are_refused() {
    let (mut store, byte) = byte_store();
    let f = store.declare("f", &[byte], byte);
    let [x, y] = ["x", "y"].map(|name| store.parameter(name, byte));
    let truth = store.parameter("b", SortId::BOOL);
    let x_term = store.symbol_term(x);
    let yes = store.bool(true);
    let zero = store.bit_vector(BitVector::zero(8));
    let application = store.make(Op::Apply(f), &[zero]);
    for value in [body(&[], zero), body(&[x, y], x_term), body(&[truth], zero), body(&[x], yes)] {
        let mut model = Model::new();
        model.set_function(f, value);
        let error = EvaluationError::IllSortedValue { symbol: f, name: "f".into() };
        assert_eq!(error.to_string(), "the model's value of 'f' is not of its sort");
        assert_eq!(evaluate(&store, &model, application), Err(error));
    }
    let mut model = Model::new();
    model.set_function(f, FunctionValue::Table { entries: BTreeMap::new(), default: Value::Bool(true) });
    assert!(matches!(evaluate(&store, &model, application), Err(EvaluationError::IllSortedValue { .. })));
}
