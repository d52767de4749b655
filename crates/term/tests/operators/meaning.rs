//! The meaning of operators in the standard, on machine integers.

use sundry_term::{BitVector, Op, Value};

pub(crate) fn bits(width: u32, number: u128) -> Value {
    assert!(number < 1 << width);
    Value::BitVec(BitVector::from_u64(width, number as u64))
}

/// `number` modulo 2^width.
fn wrap(width: u32, number: i128) -> Value {
    bits(width, number.rem_euclid(1 << width) as u128)
}

fn as_signed(width: u32, number: u128) -> i128 {
    let number = number as i128;
    if number >= 1 << (width - 1) { number - (1 << width) } else { number }
}

fn overflows(width: u32, number: i128) -> Value {
    let half = 1i128 << (width - 1);
    Value::Bool(!(-half..half).contains(&number))
}

/// `number`, of `w` bits, rotated to the left by at most `w`.
fn rotated(w: u32, number: u128, by: u32) -> Value {
    bits(w, (number << by | number >> (w - by)) & ((1 << w) - 1))
}

/// The standard's meaning of a two-place operator on unsigned numbers of `w` bits.
pub(crate) fn binary(op: Op, w: u32, a: u128, b: u128) -> Value {
    use Op::*;
    let (sa, sb) = (as_signed(w, a), as_signed(w, b));
    let (ia, ib) = (a as i128, b as i128);
    let all = (1u128 << w) - 1;
    match op {
        BvAnd => bits(w, a & b),
        BvOr => bits(w, a | b),
        BvXor => bits(w, a ^ b),
        BvNand => bits(w, all - (a & b)),
        BvNor => bits(w, all - (a | b)),
        BvXnor => bits(w, all - (a ^ b)),
        BvAdd => bits(w, (a + b) & all),
        BvSub => wrap(w, ia - ib),
        BvMul => bits(w, a.wrapping_mul(b) & all),
        BvUdiv => bits(w, a.checked_div(b).unwrap_or(all)),
        BvUrem => bits(w, a.checked_rem(b).unwrap_or(a)),
        BvSdiv => wrap(w, sa.checked_div(sb).unwrap_or(if sa < 0 { 1 } else { -1 })),
        BvSrem => wrap(w, sa.checked_rem(sb).unwrap_or(sa)),
        BvSmod if sb == 0 => bits(w, a),
        // The remainder of the division that rounds down; for negative divisors, mirrored.
        BvSmod if sb > 0 => wrap(w, sa.rem_euclid(sb)),
        BvSmod => wrap(w, -(-sa).rem_euclid(-sb)),
        BvShl => bits(w, if b < u128::from(w) { a << b & all } else { 0 }),
        BvLshr => bits(w, if b < u128::from(w) { a >> b } else { 0 }),
        BvAshr => wrap(w, sa >> b.min(127)),
        ExtRotateLeft => rotated(w, a, (b % u128::from(w)) as u32),
        ExtRotateRight => rotated(w, a, w - (b % u128::from(w)) as u32),
        BvComp => bits(1, u128::from(a == b)),
        BvUlt => Value::Bool(a < b),
        BvUle => Value::Bool(a <= b),
        BvUgt => Value::Bool(a > b),
        BvUge => Value::Bool(a >= b),
        BvSlt => Value::Bool(sa < sb),
        BvSle => Value::Bool(sa <= sb),
        BvSgt => Value::Bool(sa > sb),
        BvSge => Value::Bool(sa >= sb),
        BvUaddo => Value::Bool(a + b > all),
        BvSaddo => overflows(w, sa + sb),
        BvUmulo => Value::Bool(a * b > all),
        BvSmulo => overflows(w, sa * sb),
        BvUsubo => Value::Bool(a < b),
        BvSsubo => overflows(w, sa - sb),
        BvSdivo => Value::Bool(sb != 0 && sa / sb == 1 << (w - 1)),
        Equal => Value::Bool(a == b),
        Distinct => Value::Bool(a != b),
        Concat => bits(2 * w, a << w | b),
        _ => panic!("{op:?} is not a two-place operator on bit-vectors"),
    }
}

/// The standard's meaning of a one-place operator.
pub(crate) fn unary(op: Op, w: u32, a: u128) -> Value {
    let all = (1u128 << w) - 1;
    let bit = |i: u32| a >> (i % w) & 1;
    let collect = |width: u32, bit: &dyn Fn(u32) -> u128| bits(width, (0..width).map(|i| bit(i) << i).sum());
    match op {
        Op::BvNot => bits(w, all - a),
        Op::BvNeg => wrap(w, -(a as i128)),
        Op::BvRedAnd => bits(1, u128::from(a == all)),
        Op::BvRedOr => bits(1, u128::from(a != 0)),
        Op::BvRedXor => bits(1, u128::from(a.count_ones() % 2)),
        Op::BvInc => wrap(w, a as i128 + 1),
        Op::BvDec => wrap(w, a as i128 - 1),
        Op::BvNego => Value::Bool(as_signed(w, a) == -1 << (w - 1)),
        Op::Extract { high, low } => collect(high - low + 1, &|i| bit(low + i)),
        Op::Repeat(times) => collect(w * times, &bit),
        Op::ZeroExtend(by) => bits(w + by, a),
        Op::SignExtend(by) => wrap(w + by, as_signed(w, a)),
        Op::RotateLeft(by) => collect(w, &|i| bit(i + w - by % w)),
        Op::RotateRight(by) => collect(w, &|i| bit(i + by % w)),
        _ => panic!("{op:?} is not a one-place operator on bit-vectors"),
    }
}
