//! The evaluator as a whole: depth, sharing, functions given by tables and bodies, and the models
//! it refuses.

use std::collections::BTreeMap;

use proptest::prelude::*;
use sundry_term::{
    BitVector, EvaluationError, Evaluator, FunctionValue, Model, Op, Sort, SortId, SymbolId, TermId,
    TermStore, Value, evaluate,
};

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

// ---- terms

#[test]
fn deeply_nested_terms() {
    let (mut store, byte) = byte_store();
    let x = store.declare("x", &[], byte);
    let mut term = store.symbol_term(x);
    let one = store.bit_vector(BitVector::one(8));
    for _ in 0..DEEP {
        let sum = store.make(Op::BvAdd, &[term, one]);
        term = store.make(Op::BvNot, &[sum]);
    }
    // Two rounds of ~(x + 1) give x back, and their number is even.
    let mut model = Model::new();
    model.set_constant(x, bits(8, 0x5a));
    assert_eq!(evaluate(&store, &model, term), Ok(bits(8, 0x5a)));
}

#[test]
fn shared_terms_are_evaluated_once() {
    let (mut store, byte) = byte_store();
    let x = store.declare("x", &[], byte);
    let mut term = store.symbol_term(x);
    // As a tree this has 2^1000 leaves.
    for _ in 0..1000 {
        term = store.make(Op::BvXor, &[term, term, term]);
    }
    let mut model = Model::new();
    model.set_constant(x, bits(8, 77));
    assert_eq!(evaluate(&store, &model, term), Ok(bits(8, 77)));
}

#[test]
fn values_are_kept_and_extended() {
    let (mut store, byte) = byte_store();
    let x = store.declare("x", &[], byte);
    let x_term = store.symbol_term(x);
    let complement = store.make(Op::BvNot, &[x_term]);
    let negation = store.make(Op::BvNeg, &[complement]);
    let model = Model::new();
    let mut evaluator = Evaluator::new(&store, &model);
    assert_eq!(evaluator.value(x_term), None);
    evaluator.evaluate(&[complement]).unwrap();
    assert_eq!(evaluator.value(x_term), Some(&bits(8, 0)));
    assert_eq!(evaluator.value(complement), Some(&bits(8, 255)));
    assert_eq!(evaluator.value(negation), None);
    evaluator.evaluate(&[negation, x_term, negation]).unwrap();
    assert_eq!(evaluator.value(negation), Some(&bits(8, 1)));
    evaluator.evaluate(&[]).unwrap();
}

proptest! {
    /// However the roots are asked for, exactly what is below them has a value, and the right one.
    #[test]
    fn roots_may_come_in_any_order(
        steps in prop::collection::vec((0..3, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..60),
        rounds in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..4), 1..6),
    ) {
        let (mut store, byte) = byte_store();
        let x = store.declare("x", &[], byte);
        let mut known = vec![(store.symbol_term(x), 77u8)];
        for (kind, left, right) in steps {
            let ((left, a), (right, b)) = (*left.get(&known), *right.get(&known));
            let (op, value) = match kind {
                0 => (Op::BvAdd, a.wrapping_add(b)),
                1 => (Op::BvMul, a.wrapping_mul(b)),
                _ => (Op::BvXor, a ^ b),
            };
            known.push((store.make(op, &[left, right]), value));
        }
        let mut model = Model::new();
        model.set_constant(x, bits(8, 77));
        let mut evaluator = Evaluator::new(&store, &model);
        let mut asked = Vec::new();
        for round in rounds {
            let roots: Vec<TermId> = round.iter().map(|index| index.get(&known).0).collect();
            evaluator.evaluate(&roots).unwrap();
            asked.extend(roots);
            let below = store.reachable(&asked);
            for &(term, value) in &known {
                let expected = below.contains(&term).then(|| bits(8, u64::from(value)));
                prop_assert_eq!(evaluator.value(term), expected.as_ref());
            }
        }
    }
}

#[test]
fn symbols_left_out_have_default_values() {
    let (mut store, byte) = byte_store();
    let declaration = store.declare_sort("S", 0);
    let element = store.intern_sort(Sort::Uninterpreted { declaration, arguments: [].into() }).unwrap();
    let inner = store.array_sort(byte, element);
    let array = store.array_sort(byte, inner);
    let model = Model::new();
    for sort in [SortId::BOOL, byte, element, array] {
        let constant = store.declare("c", &[], sort);
        let constant = store.symbol_term(constant);
        let default = Value::default_of(&store, sort);
        assert!(default.has_sort(&store, sort));
        assert_eq!(evaluate(&store, &model, constant).as_ref(), Ok(&default));
        let function = store.declare("f", &[sort], sort);
        let application = store.make(Op::Apply(function), &[constant]);
        assert_eq!(evaluate(&store, &model, application), Ok(default));
    }
}

// ---- functions

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

// ---- models that are refused

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
    // What was asked before an error does not change what is answered after it.
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

// ---- models as data

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
