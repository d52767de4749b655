//! Terms: however deep, shared and asked for, each has its value.

use proptest::prelude::*;
use sundry_term::{BitVector, Evaluator, Model, Op, Sort, SortId, TermId, Value, evaluate};

use crate::{DEEP, bits, byte_store};

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
    /// In whatever order roots are requested, exactly the terms below them have a value, and the right one.
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
