//! Classes of values that are too many to be items one by one: kinds of floating-point values, signs of numbers.

use dashu_int::IBig;
use sundry_term::{ArithmeticOp, FloatOp, Op, SortId, TermId, TermStore, Value};

/// The kinds of floating-point values that have a sign.
const KINDS: [FloatOp; 4] = [FloatOp::IsInfinite, FloatOp::IsZero, FloatOp::IsSubnormal, FloatOp::IsNormal];

/// Terms of which exactly one holds for each value of a constant that is a floating-point value or a number.
pub(super) fn classes(store: &mut TermStore, constant: TermId) -> Vec<TermId> {
    let zero = match store.sort_of(constant) {
        SortId::INT => Value::Int(IBig::ZERO),
        SortId::REAL => Value::Real(dashu_ratio::RBig::ZERO.into()),
        _ => return kinds(store, constant),
    };
    let zero = store.constant(zero);
    let orders = [Op::Arithmetic(ArithmeticOp::Less), Op::Equal, Op::Arithmetic(ArithmeticOp::Greater)];
    orders.into_iter().map(|order| store.make(order, &[constant, zero])).collect()
}

/// Whether a floating-point value is no number; if it is one, its kind and sign.
fn kinds(store: &mut TermStore, constant: TermId) -> Vec<TermId> {
    let mut is = |kind| store.make(Op::Float(kind), &[constant]);
    let (nan, signs) = (is(FloatOp::IsNan), [FloatOp::IsNegative, FloatOp::IsPositive].map(&mut is));
    let kinds = KINDS.map(is);
    let with_sign = kinds.into_iter().flat_map(|kind| signs.map(|sign| [kind, sign]));
    let with_sign: Vec<TermId> = with_sign.map(|both| store.make(Op::And, &both)).collect();
    [nan].into_iter().chain(with_sign).collect()
}
