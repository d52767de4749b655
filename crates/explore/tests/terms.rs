//! Terms of numeric instructions against what the interpreter computes.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_explore::Terms;
use sundry_term::{BitVector, Evaluator, Model, SymbolId, TermId, Value};
use sundry_wasm::{BinaryOp, Trap, UnaryOp};

const ROUNDS: usize = 150;

/// Words at which something changes, for one type or the other.
const SPECIAL: [u64; 22] = [
    0,
    1,
    2,
    31,
    0x7f,
    0x80,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
    0x7f80_0000,
    0x7fc0_0000,
    0x4f00_0000,
    0x3f80_0000,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x43e0_0000_0000_0000,
    0x41e0_0000_0000_0000,
    0x3ff0_0000_0000_0000,
];

struct Operand {
    symbol: SymbolId,
    term: TermId,
}

fn operands(terms: &mut Terms, width: u32) -> [Operand; 2] {
    ["x", "y"].map(|name| {
        let sort = terms.store.bit_vec_sort(width).unwrap();
        let symbol = terms.store.declare(name, &[], sort);
        Operand { symbol, term: terms.store.symbol_term(symbol) }
    })
}

fn random_word(random: &mut ChaCha8Rng, width: u32) -> u64 {
    let word = match random.random_range(0..3) {
        0 => SPECIAL[random.random_range(0..SPECIAL.len())],
        1 => SPECIAL[random.random_range(0..SPECIAL.len())]
            .wrapping_add(random.random_range(0..3))
            .wrapping_sub(1),
        _ => random.random::<u64>() >> random.random_range(0..64),
    };
    word & (u64::MAX >> (64 - width))
}

/// The values of terms when the operands have these values.
fn evaluate(
    terms: &Terms,
    operands: &[Operand; 2],
    values: [u64; 2],
    width: u32,
    roots: &[TermId],
) -> Vec<u64> {
    let mut model = Model::new();
    for (operand, value) in operands.iter().zip(values) {
        model.set_constant(operand.symbol, Value::BitVec(BitVector::from_u64(width, value)));
    }
    let mut evaluator = Evaluator::new(&terms.store, &model);
    evaluator.evaluate(roots).unwrap();
    let word = |root: &TermId| {
        let value = evaluator.value(*root).unwrap();
        value.as_bool().map(u64::from).or_else(|| value.as_bit_vector()?.to_u64()).unwrap()
    };
    roots.iter().map(word).collect()
}

/// The width of the operands, after the name.
fn width(name: &str) -> u32 {
    let (prefix, rest) = name.split_at(3);
    let operand = ["i32", "i64", "f32", "f64"].into_iter().find(|operand| rest.contains(operand));
    if operand.unwrap_or(prefix).ends_with("32") { 32 } else { 64 }
}

#[test]
fn terms_of_unary_instructions_have_their_values() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for &op in UnaryOp::ALL {
        let mut terms = Terms::default();
        let width = width(op.name());
        let operands = operands(&mut terms, width);
        let result = terms.unary(op, operands[0].term);
        let traps = terms.conversion_traps(op, operands[0].term);
        for _ in 0..ROUNDS {
            let value = random_word(&mut random, width);
            let context = format!("{} of {value:#x}", op.name());
            if let Some((is_nan, is_outside)) = traps {
                let conditions = evaluate(&terms, &operands, [value, 0], width, &[is_nan, is_outside]);
                assert_eq!(conditions[0] == 1, op.apply(value) == Err(Trap::InvalidConversion), "{context}");
                assert!(conditions[0] == 1 || (conditions[1] == 1) == op.apply(value).is_err(), "{context}");
            }
            if let Ok(expected) = op.apply(value) {
                let actual = evaluate(&terms, &operands, [value, 0], width, &[result]);
                assert_eq!(actual[0], expected, "{context}");
            }
        }
    }
}

#[test]
fn terms_of_binary_instructions_have_their_values() {
    let mut random = ChaCha8Rng::seed_from_u64(12);
    for &op in BinaryOp::ALL {
        let mut terms = Terms::default();
        let width = width(op.name());
        let operands = operands(&mut terms, width);
        let result = terms.binary(op, operands[0].term, operands[1].term);
        for _ in 0..ROUNDS {
            let values = [random_word(&mut random, width), random_word(&mut random, width)];
            if let Ok(expected) = op.apply(values[0], values[1]) {
                let actual = evaluate(&terms, &operands, values, width, &[result]);
                assert_eq!(actual[0], expected, "{} of {values:#x?}", op.name());
            }
        }
    }
}

#[test]
fn results_of_comparisons_stay_truth_values() {
    let mut terms = Terms::default();
    let [x, y] = operands(&mut terms, 32);
    let less = terms.binary(BinaryOp::I32LtU, x.term, y.term);
    let negated = terms.unary(UnaryOp::I32Eqz, less);
    assert!(terms.store.is_bool(negated));
    let both = terms.binary(BinaryOp::I32And, less, negated);
    assert_eq!(terms.value(both), Some(0));
    let wide = terms.unary(UnaryOp::I64ExtendI32U, less);
    assert_eq!(terms.store.width(wide), Some(64));
}
