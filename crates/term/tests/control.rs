//! The evaluator stops when its control says so, wherever it is: the looks are counted, not the seconds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sundry_term::{
    BitVector, Control, EvaluationError, Evaluator, LookObserver, Model, Op, SortId, Stopped, StringOp,
    TermId, TermStore, Text, Value, evaluate, evaluate_within,
};

/// A control that is interrupted at its third look, and the number of its looks.
fn third_look() -> (Control, Arc<AtomicUsize>) {
    let (stop, looks) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (flag, counter) = (Arc::clone(&stop), Arc::clone(&looks));
    let observer: LookObserver = Arc::new(move || {
        if counter.fetch_add(1, Ordering::Relaxed) + 1 == 3 {
            flag.store(true, Ordering::Relaxed);
        }
    });
    (Control::default().with_stop(stop).with_observer(observer), looks)
}

/// The evaluation of a term stops at the third look.
#[track_caller]
fn stops(store: &TermStore, model: &Model, term: TermId) {
    let (control, looks) = third_look();
    let stopped = Err(EvaluationError::Stopped(Stopped::Interrupted));
    assert_eq!(evaluate_within(store, model, term, &control), stopped);
    assert_eq!(looks.load(Ordering::Relaxed), 3, "work went on after it was stopped");
}

#[test]
fn one_product_of_many_wide_factors() {
    let mut store = TermStore::new();
    let sort = store.bit_vec_sort(1 << 16).expect("a width");
    let x = store.declare("x", &[], sort);
    let term = store.symbol_term(x);
    let mut model = Model::new();
    model.set_constant(x, Value::BitVec(BitVector::ones(1 << 16)));
    for op in [Op::BvMul, Op::BvAdd, Op::BvXor] {
        let application = store.make(op, &vec![term; 10_000]);
        stops(&store, &model, application);
    }
    let quotient = store.make(Op::BvUdiv, &[term, term]);
    let overflow = store.make(Op::BvUmulo, &[term, quotient]);
    assert_eq!(evaluate(&store, &model, overflow), Ok(Value::Bool(false)));
}

#[test]
fn many_small_operations() {
    let mut store = TermStore::new();
    let byte = store.bit_vec_sort(8).expect("a width");
    let x = store.declare("x", &[], byte);
    let mut term = store.symbol_term(x);
    for _ in 0..30_000 {
        term = store.make(Op::BvNot, &[term]);
    }
    stops(&store, &Model::new(), term);
    // Values computed by then are kept, and the evaluator can be used again.
    let (control, _) = third_look();
    let model = Model::new();
    let first = store.symbol_term(x);
    let mut evaluator = Evaluator::with_control(&store, &model, &control);
    evaluator.evaluate(&[first]).expect("it is small");
    assert!(evaluator.evaluate(&[term]).is_err());
    assert!(evaluator.value(first).is_some() && evaluator.value(term).is_none());
    assert!(evaluator.evaluate(&[term]).is_err());
}

#[test]
fn regular_expressions() {
    let mut store = TermStore::new();
    let s = store.declare("s", &[], SortId::STRING);
    let text = store.symbol_term(s);
    let any = store.make(Op::String(StringOp::ReAllChar), &[]);
    let power = store.make(Op::String(StringOp::RePower(1500)), &[any]);
    let star = store.make(Op::String(StringOp::ReStar), &[power]);
    let term = store.make(Op::String(StringOp::InRe), &[text, star]);
    let mut model = Model::new();
    model.set_constant(s, Value::String(Text::new(&[97; 1500]).expect("letters")));
    stops(&store, &model, term);
}
