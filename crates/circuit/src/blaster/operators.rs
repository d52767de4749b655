//! The circuits of operators on the bits of their arguments: a table from operators to [`words`].

use sundry_term::{Op, TermId, TermStore, Value};

use super::floats::{bits_of_float, bits_of_mode};
use crate::aig::Aig;
use crate::edge::Edge;
use crate::words;

pub(super) fn constant(store: &TermStore, term: TermId) -> Vec<Edge> {
    match store.value(term) {
        Some(Value::Bool(value)) => vec![Edge::from_bool(*value)],
        Some(Value::BitVec(bits)) => (0..bits.width()).map(|i| Edge::from_bool(bits.bit(i))).collect(),
        Some(Value::Float(value)) => bits_of_float(value),
        Some(Value::RoundingMode(mode)) => bits_of_mode(*mode),
        other => unreachable!("literals have bits, not {other:?}"),
    }
}

pub(super) fn unary(aig: &mut Aig, op: Op, a: &[Edge]) -> Vec<Edge> {
    let width = a.len();
    match op {
        Op::Not | Op::BvNot => words::not(a),
        // One conjunct, one disjunct: the operand.
        Op::And | Op::Or => a.to_vec(),
        Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
        Op::Repeat(times) => a.repeat(times as usize),
        Op::ZeroExtend(by) => extended(a, by, Edge::FALSE),
        Op::SignExtend(by) => extended(a, by, a[width - 1]),
        Op::RotateLeft(by) => words::rotate_left(a, by),
        Op::RotateRight(by) => words::rotate_left(a, (width - by as usize % width) as u32),
        Op::BvNeg => words::negate(aig, a),
        Op::BvRedAnd => vec![aig.and_many(a)],
        Op::BvRedOr => vec![aig.or_many(a)],
        Op::BvRedXor => vec![a.iter().fold(Edge::FALSE, |parity, &bit| aig.xor(parity, bit))],
        Op::BvInc => words::increment_if(aig, Edge::TRUE, a),
        Op::BvDec => words::add(aig, a, &vec![Edge::TRUE; width]),
        Op::BvNego => vec![words::negate_overflow(aig, a)],
        other => unreachable!("{other:?} does not take one argument"),
    }
}

fn extended(a: &[Edge], by: u32, fill: Edge) -> Vec<Edge> {
    let mut bits = a.to_vec();
    bits.resize(a.len() + by as usize, fill);
    bits
}

pub(super) fn binary(aig: &mut Aig, op: Op, a: &[Edge], b: &[Edge]) -> Vec<Edge> {
    match op {
        Op::BvSub => words::sub(aig, a, b),
        Op::BvNand => words::not(&words::zip(aig, a, b, Aig::and)),
        Op::BvNor => words::not(&words::zip(aig, a, b, Aig::or)),
        Op::BvShl => words::shift_left(aig, a, b),
        Op::BvLshr => words::shift_right_logical(aig, a, b),
        Op::BvAshr => words::shift_right_arithmetic(aig, a, b),
        Op::BvComp => vec![words::equal(aig, a, b)],
        Op::BvUlt => vec![words::unsigned_less(aig, a, b, false)],
        Op::BvUle => vec![words::unsigned_less(aig, a, b, true)],
        Op::BvUgt => vec![words::unsigned_less(aig, b, a, false)],
        Op::BvUge => vec![words::unsigned_less(aig, b, a, true)],
        Op::BvSlt => vec![words::signed_less(aig, a, b, false)],
        Op::BvSle => vec![words::signed_less(aig, a, b, true)],
        Op::BvSgt => vec![words::signed_less(aig, b, a, false)],
        Op::BvSge => vec![words::signed_less(aig, b, a, true)],
        Op::BvUaddo => vec![words::unsigned_add_overflow(aig, a, b)],
        Op::BvSaddo => vec![words::signed_add_overflow(aig, a, b)],
        Op::BvUsubo => vec![words::unsigned_less(aig, a, b, false)],
        Op::BvSsubo => vec![words::signed_sub_overflow(aig, a, b)],
        Op::BvSdivo => vec![words::signed_div_overflow(aig, a, b)],
        op => many(aig, op, &[a, b]),
    }
}

/// Operators with any number of arguments, from two.
pub(super) fn many(aig: &mut Aig, op: Op, arguments: &[&[Edge]]) -> Vec<Edge> {
    let (&first, rest) = arguments.split_first().expect("operators have arguments");
    let fold = |aig: &mut Aig, step: fn(&mut Aig, &[Edge], &[Edge]) -> Vec<Edge>| {
        rest.iter().fold(first.to_vec(), |sum, next| step(aig, &sum, next))
    };
    match op {
        Op::And | Op::BvAnd => columns(aig, arguments, Aig::and_many),
        Op::Or | Op::BvOr => columns(aig, arguments, Aig::or_many),
        Op::Xor | Op::BvXor => fold(aig, |aig, a, b| words::zip(aig, a, b, Aig::xor)),
        Op::BvXnor => fold(aig, |aig, a, b| words::zip(aig, a, b, Aig::equal)),
        Op::BvAdd => fold(aig, words::add),
        Op::BvSub => fold(aig, words::sub),
        Op::Implies => {
            // a => (b => c) fails only where a and b hold and c does not.
            let (&conclusion, premises) = arguments.split_last().expect("operators have arguments");
            let complements: Vec<Edge> = premises.iter().map(|premise| !premise[0]).collect();
            let edges: Vec<Edge> = complements.into_iter().chain([conclusion[0]]).collect();
            vec![aig.or_many(&edges)]
        }
        Op::Ite => words::ite(aig, arguments[0][0], arguments[1], arguments[2]),
        Op::Concat => arguments.iter().rev().flat_map(|bits| bits.iter().copied()).collect(),
        other => unreachable!("{other:?} does not take {} arguments", arguments.len()),
    }
}

fn columns(aig: &mut Aig, arguments: &[&[Edge]], gate: fn(&mut Aig, &[Edge]) -> Edge) -> Vec<Edge> {
    let mut column = Vec::with_capacity(arguments.len());
    (0..arguments[0].len())
        .map(|index| {
            column.clear();
            column.extend(arguments.iter().map(|bits| bits[index]));
            gate(aig, &column)
        })
        .collect()
}
