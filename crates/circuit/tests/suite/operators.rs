//! Every operator, against the evaluator: exhaustively at small widths, with variables and with
//! constants as operands, and at random at large ones.

use crate::common::{BINARY, NARY, UNARY, all_rows, all_values, check, declare};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_term::{ArithmeticOp, BitVector, Op, TermId, TermStore, Value};

#[test]
fn unary_operators_at_small_widths() {
    for width in 1..=6 {
        let mut store = TermStore::new();
        let x = declare(&mut store, "x", Some(width));
        let mut terms: Vec<_> = UNARY.iter().map(|&op| store.make(op, &[x.1])).collect();
        for high in 0..width {
            terms.extend((0..=high).map(|low| store.make(Op::Extract { high, low }, &[x.1])));
        }
        for by in 0..=2 * width {
            for op in [Op::ZeroExtend(by), Op::SignExtend(by), Op::RotateLeft(by), Op::RotateRight(by)] {
                terms.push(store.make(op, &[x.1]));
            }
            terms.push(store.make(Op::Repeat(by + 1), &[x.1]));
        }
        check(&store, &[x], &terms, &all_rows(width, 1));
    }
}

#[test]
fn binary_operators_at_small_widths() {
    for width in 1..=5 {
        let mut store = TermStore::new();
        let (x, y) = (declare(&mut store, "x", Some(width)), declare(&mut store, "y", Some(width)));
        let mut terms: Vec<_> = BINARY.iter().map(|&op| store.make(op, &[x.1, y.1])).collect();
        terms.extend(BINARY.map(|op| store.make(op, &[x.1, x.1])));
        check(&store, &[x, y], &terms, &all_rows(width, 2));
    }
}

#[test]
fn binary_operators_with_a_constant() {
    for width in 1..=5 {
        let mut store = TermStore::new();
        let x = declare(&mut store, "x", Some(width));
        let mut terms = Vec::new();
        for value in all_values(width) {
            let constant = store.constant(value);
            for op in BINARY {
                terms.push(store.make(op, &[x.1, constant]));
                terms.push(store.make(op, &[constant, x.1]));
            }
        }
        check(&store, &[x], &terms, &all_rows(width, 1));
    }
}

#[test]
fn operators_of_constants_are_constant() {
    let width = 3;
    let mut store = TermStore::new();
    let mut terms = Vec::new();
    for left in all_values(width) {
        for right in all_values(width) {
            let pair = [store.constant(left.clone()), store.constant(right)];
            terms.extend(BINARY.map(|op| store.make(op, &pair)));
        }
    }
    check(&store, &[], &terms, &[Vec::new()]);
}

#[test]
fn operators_of_three_and_four() {
    for width in 1..=3 {
        let mut store = TermStore::new();
        let variables = ["x", "y", "z"].map(|name| declare(&mut store, name, Some(width)));
        let [x, y, z] = variables.map(|(_, term)| term);
        let mut terms: Vec<_> = NARY.iter().map(|&op| store.make(op, &[x, y, z])).collect();
        terms.extend(NARY.map(|op| store.make(op, &[x, y, z, y])));
        let less = store.make(Op::BvUlt, &[x, y]);
        terms.push(store.make(Op::Ite, &[less, y, z]));
        check(&store, &variables, &terms, &all_rows(width, 3));
    }
}

#[test]
fn operators_of_extended_operands() {
    for width in 1..=4 {
        let mut store = TermStore::new();
        let (x, y) = (declare(&mut store, "x", Some(width)), declare(&mut store, "y", Some(width)));
        let mut terms = Vec::new();
        for by in 1..=3 {
            let extended = [x.1, y.1]
                .map(|term| [Op::SignExtend(by), Op::ZeroExtend(by)].map(|op| store.make(op, &[term])));
            for (left, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let operands = [extended[0][left], extended[1][right]];
                terms.extend(BINARY.map(|op| store.make(op, &operands)));
            }
        }
        check(&store, &[x, y], &terms, &all_rows(width, 2));
    }
}

#[test]
fn boolean_operators() {
    let mut store = TermStore::new();
    let variables = ["a", "b", "c", "d"].map(|name| declare(&mut store, name, None));
    let [a, b, c, d] = variables.map(|(_, term)| term);
    let (yes, no) = (store.bool(true), store.bool(false));
    let mut terms = vec![store.make(Op::Not, &[a]), store.make(Op::Ite, &[a, b, c])];
    for op in [Op::And, Op::Or] {
        terms.push(store.make(op, &[a]));
    }
    for op in [Op::And, Op::Or, Op::Xor, Op::Implies, Op::Equal, Op::Distinct] {
        for arguments in [&[a, b][..], &[a, b, c], &[a, b, c, d], &[a, yes, b], &[no, a, b], &[a, a, b, no]] {
            terms.push(store.make(op, arguments));
        }
    }
    let rows: Vec<Vec<Value>> =
        (0..16).map(|row| (0..4).map(|position| Value::Bool(row >> position & 1 == 1)).collect()).collect();
    check(&store, &variables, &terms, &rows);
}

/// Values that are more interesting than uniform ones: a small number of bits, runs of ones, near the ends.
fn random_value(random: &mut ChaCha8Rng, width: u32) -> Value {
    let uniform = BitVector::from_bits(width, |_| random.random());
    let amount = BitVector::from_u64(width, random.random_range(0..=u64::from(width) + 1));
    let value = match random.random_range(0..6) {
        0 => uniform.lshr(&amount),
        1 => uniform.shl(&amount),
        2 => BitVector::ones(width).lshr(&amount),
        3 => BitVector::min_signed(width).ashr(&amount),
        4 => amount,
        _ => uniform,
    };
    Value::BitVec(if random.random() { value.neg() } else { value })
}

#[test]
fn wide_operators_at_random() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for width in [6, 7, 8, 13, 16, 31, 32, 33, 63, 64, 65, 100] {
        let mut store = TermStore::new();
        let (x, y) = (declare(&mut store, "x", Some(width)), declare(&mut store, "y", Some(width)));
        let mut terms: Vec<_> = BINARY.iter().map(|&op| store.make(op, &[x.1, y.1])).collect();
        terms.extend(UNARY.map(|op| store.make(op, &[x.1])));
        for _ in 0..4 {
            let constant = store.constant(random_value(&mut random, width));
            terms.extend(BINARY.map(|op| store.make(op, &[x.1, constant])));
            terms.extend(BINARY.map(|op| store.make(op, &[constant, y.1])));
        }
        let rows: Vec<Vec<Value>> = (0..64)
            .map(|_| vec![random_value(&mut random, width), random_value(&mut random, width)])
            .collect();
        check(&store, &[x, y], &terms, &rows);
    }
}

/// A random well-sorted term over the terms so far; retried until the choice fits.
fn random_term(random: &mut ChaCha8Rng, store: &mut TermStore, pool: &[TermId]) -> TermId {
    let booleans = [Op::Not, Op::And, Op::Or, Op::Xor, Op::Implies, Op::Equal, Op::Distinct, Op::Ite];
    loop {
        let mut pick = || pool[random.random_range(0..pool.len())];
        let arguments = [pick(), pick(), pick(), pick()];
        let op = match random.random_range(0..5) {
            0 => booleans[random.random_range(0..booleans.len())],
            1 => UNARY[random.random_range(0..UNARY.len())],
            2 => NARY[random.random_range(0..NARY.len())],
            3 => match random.random_range(0..4) {
                0 => Op::Extract { high: random.random_range(0..6), low: random.random_range(0..3) },
                1 => Op::SignExtend(random.random_range(0..3)),
                2 => Op::ZeroExtend(random.random_range(0..3)),
                _ => Op::RotateLeft(random.random_range(0..9)),
            },
            _ => BINARY[random.random_range(0..BINARY.len())],
        };
        let arity = random.random_range(1..=4);
        match store.term(op, &arguments[..arity]) {
            Ok(term) if store.bits(term) <= 12 => return term,
            _ => {}
        }
    }
}

#[test]
fn compositions_at_random() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    for _ in 0..60 {
        let mut store = TermStore::new();
        let widths = [None, None, Some(1), Some(3), Some(3), Some(4), Some(8), Some(8)];
        let variables: Vec<_> = widths.iter().map(|&width| declare(&mut store, "v", width)).collect();
        let mut pool: Vec<TermId> = variables.iter().map(|&(_, term)| term).collect();
        for width in [3, 4, 8] {
            pool.push(store.constant(random_value(&mut random, width)));
        }
        for _ in 0..80 {
            let term = random_term(&mut random, &mut store, &pool);
            pool.push(term);
        }
        let mut row = || -> Vec<Value> {
            let value = |width: &Option<u32>| match *width {
                None => Value::Bool(random.random()),
                Some(width) => random_value(&mut random, width),
            };
            widths.iter().map(value).collect()
        };
        let rows: Vec<Vec<Value>> = (0..128).map(|_| row()).collect();
        check(&store, &variables, &pool, &rows);
    }
}

/// Checks integers made of two bit-vectors, by every operator with every shape of operands.
#[test]
fn integers_at_small_widths() {
    use ArithmeticOp::*;
    for width in 1..=3 {
        let mut store = TermStore::new();
        let (x, y) = (declare(&mut store, "x", Some(width)), declare(&mut store, "y", Some(width)));
        let mut integers: Vec<TermId> = Vec::new();
        for variable in [x.1, y.1] {
            integers
                .extend([UnsignedToInt, SignedToInt].map(|op| store.make(Op::Arithmetic(op), &[variable])));
        }
        let numbers: Vec<TermId> = ["0", "1", "3", "5"].map(|digits| store.numeral(digits)).to_vec();
        let mut divisors = numbers[1..].to_vec();
        divisors.push(store.make(Op::Arithmetic(Sub), &[numbers[2]]));
        let operands: Vec<TermId> = integers.iter().chain(&numbers).copied().collect();
        let condition = store.make(Op::BvUlt, &[x.1, y.1]);
        for (position, &left) in operands.iter().enumerate() {
            integers.extend([Sub, Abs].map(|op| store.make(Op::Arithmetic(op), &[left])));
            let right = operands[(position + 3) % operands.len()];
            for op in [Add, Sub, Mul] {
                integers.push(store.make(Op::Arithmetic(op), &[left, right]));
                integers.push(store.make(Op::Arithmetic(op), &[right, left, left]));
            }
            integers.push(store.make(Op::Ite, &[condition, left, right]));
            for &divisor in &divisors {
                integers.extend([Div, Mod].map(|op| store.make(Op::Arithmetic(op), &[left, divisor])));
            }
            integers.push(store.make(Op::Arithmetic(Div), &[left, divisors[1], divisors[3]]));
        }
        let mut terms = Vec::new();
        for (position, &left) in integers.iter().enumerate() {
            let right = integers[(7 * position + 5) % integers.len()];
            let third = integers[(3 * position + 1) % integers.len()];
            for op in [Less, LessOrEqual, Greater, GreaterOrEqual]
                .map(Op::Arithmetic)
                .into_iter()
                .chain([Op::Equal, Op::Distinct])
            {
                terms.push(store.make(op, &[left, right]));
                terms.push(store.make(op, &[left, right, third]));
            }
            terms.extend((1..=5).map(|divisor| store.make(Op::Arithmetic(Divisible(divisor)), &[left])));
            terms.extend([1, 2, 4, 9].map(|width| store.make(Op::Arithmetic(IntToBits(width)), &[left])));
        }
        check(&store, &[x, y], &terms, &all_rows(width, 2));
    }
}
