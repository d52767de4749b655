//! Every operation against the arithmetic of `sundry_term`: all values of two small formats, random values of others.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_term::{
    BitVector, Float, FloatFormat, FloatOp, Op, RoundingMode, TermStore, Value, evaluate_operator,
};

use super::*;
use crate::aig::Aig;
use crate::edge::Edge;
use crate::simulate::Simulation;
use crate::words;

/// Formats all of whose values are tried, and such of which random ones are.
const SMALL: [(u32, u32); 2] = [(2, 3), (3, 4)];
const OTHERS: [(u32, u32); 6] = [(2, 2), (5, 2), (2, 9), (4, 7), (5, 11), (8, 24)];

fn format((exponent, significand): (u32, u32)) -> FloatFormat {
    FloatFormat::new(exponent, significand).expect("a legal format")
}

/// A rounding mode, and the arguments of an operation.
type Case = (RoundingMode, Vec<Float>);

/// The circuit of an operation: inputs for the mode and some values, and the outputs.
struct Circuit {
    aig: Aig,
    outputs: Vec<Edge>,
    format: FloatFormat,
    count: usize,
}

impl Circuit {
    /// Builds an operation of a mode and canonical values.
    fn of(
        format: FloatFormat,
        count: usize,
        build: impl FnOnce(&mut Aig, &Modes, &[Vec<Edge>]) -> Vec<Edge>,
    ) -> Circuit {
        let mut aig = Aig::new();
        let mode: Vec<Edge> = (0..MODE_WIDTH).map(|_| aig.input()).collect();
        let values: Vec<Vec<Edge>> =
            (0..count).map(|_| (0..format.width()).map(|_| aig.input()).collect()).collect();
        let mode = canonical_mode(&mut aig, &mode);
        let modes = Modes::of(&mut aig, &mode);
        let values: Vec<Vec<Edge>> = values.iter().map(|value| canonical(&mut aig, format, value)).collect();
        let outputs = build(&mut aig, &modes, &values);
        Circuit { aig, outputs, format, count }
    }

    /// The outputs for arguments, 64 at a time.
    fn run(&self, cases: &[Case]) -> Vec<BitVector> {
        let width = self.format.width();
        let mut results = Vec::with_capacity(cases.len());
        for chunk in cases.chunks(64) {
            let mut inputs = Vec::new();
            let lanes = |bit: &dyn Fn(&Case) -> bool| {
                chunk
                    .iter()
                    .enumerate()
                    .map(|(lane, case)| u64::from(bit(case)) << lane)
                    .fold(0, |a, b| a | b)
            };
            for bit in 0..MODE_WIDTH {
                let number =
                    |mode| RoundingMode::ALL.iter().position(|&other| other == mode).expect("a mode");
                inputs.push(lanes(&|case| number(case.0) >> bit & 1 == 1));
            }
            let patterns: Vec<Vec<BitVector>> =
                chunk.iter().map(|case| case.1.iter().map(Float::canonical_bits).collect()).collect();
            for value in 0..self.count {
                for bit in 0..width {
                    let word =
                        patterns.iter().enumerate().map(|(lane, it)| u64::from(it[value].bit(bit)) << lane);
                    inputs.push(word.fold(0, |a, b| a | b));
                }
            }
            let mut simulation = Simulation::new();
            simulation.run(&self.aig, &inputs);
            for lane in 0..chunk.len() as u32 {
                let bits = self.outputs.iter().map(|&edge| simulation.value(edge, lane));
                results.push(
                    bits.enumerate()
                        .fold(BitVector::zero(self.outputs.len() as u32), |word, (bit, value)| {
                            word.with_bit(bit as u32, value)
                        }),
                );
            }
        }
        results
    }
}

/// All arguments of a small format, or random ones, with values near the borders of classes among them.
fn cases(format: FloatFormat, count: usize, all: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(format.width()) + count as u64);
    if all && format.width() * count as u32 <= 14 {
        let values: Vec<Float> = (0..1u64 << format.width())
            .map(|bits| Float::from_bits(format, &BitVector::from_u64(format.width(), bits)))
            .collect();
        for mode in RoundingMode::ALL {
            for number in 0..values.len().pow(count as u32) {
                let arguments = (0..count).map(|position| {
                    values[number / values.len().pow(position as u32) % values.len()].clone()
                });
                cases.push((mode, arguments.collect()));
            }
        }
        return cases;
    }
    for _ in 0..20_000 {
        let mode = RoundingMode::ALL[random.random_range(0..5)];
        let mut near: Option<BitVector> = None;
        let arguments = (0..count).map(|_| {
            let mut bits = BitVector::zero(format.width());
            let density = random.random_range(0..4);
            for bit in 0..format.width() {
                bits = bits.with_bit(
                    bit,
                    match density {
                        0 => bit + 3 > format.width(),
                        1 => random.random_ratio(1, 8),
                        _ => random.random(),
                    },
                );
            }
            // Neighbours cancel each other out.
            if let Some(near) = near.as_ref().filter(|_| random.random_ratio(1, 3)) {
                bits = near.with_bit(random.random_range(0..format.width()), random.random());
            }
            if random.random_ratio(1, 4) {
                let low = format.significand_bits() - 1;
                for bit in low..format.width() - 1 {
                    bits = bits.with_bit(bit, false);
                }
            }
            near = Some(bits.clone());
            Float::from_bits(format, &bits)
        });
        cases.push((mode, arguments.collect()));
    }
    cases
}

/// Compares an operation whose result is a value with the arithmetic.
fn check(
    name: &str,
    count: usize,
    build: impl Fn(&mut Aig, FloatFormat, &Modes, &[Unpacked]) -> Unpacked,
    expected: impl Fn(RoundingMode, &[Float]) -> Float,
    formats: &[(u32, u32)],
) {
    for &each in formats {
        let format = format(each);
        let circuit = Circuit::of(format, count, |aig, modes, values| {
            let values: Vec<Unpacked> = values.iter().map(|value| Unpacked::of(aig, format, value)).collect();
            let result = build(aig, format, modes, &values);
            // Where a result goes into another operation, its digits count.
            let packed = result.packed(aig, format);
            let again = Unpacked::of(aig, format, &packed);
            let same_exponent = words::equal(aig, &again.exponent, &result.exponent);
            let same_digits = words::equal(aig, &again.significand, &result.significand);
            let both = aig.and(same_exponent, same_digits);
            let special = aig.or_many(&[result.nan, result.infinite, result.zero]);
            let is_right = aig.or(both, special);
            [packed, vec![is_right]].concat()
        });
        let cases = cases(format, count, SMALL.contains(&each));
        for ((mode, arguments), bits) in cases.iter().zip(circuit.run(&cases)) {
            let value = expected(*mode, arguments);
            let wanted = BitVector::concat(&BitVector::ones(1), &value.canonical_bits());
            assert_eq!(bits, wanted, "{name} {mode:?} {arguments:?} is {value:?} in {each:?}");
        }
    }
}

fn all_formats() -> Vec<(u32, u32)> {
    SMALL.into_iter().chain(OTHERS).collect()
}

#[test]
fn sums() {
    let expected = |mode, a: &[Float]| a[0].add(&a[1], mode);
    check("add", 2, |aig, format, modes, a| add(aig, format, modes, &a[0], &a[1]), expected, &all_formats());
}

#[test]
fn products() {
    let expected = |mode, a: &[Float]| a[0].mul(&a[1], mode);
    let build = |aig: &mut Aig, format, modes: &Modes, a: &[Unpacked]| {
        multiply(aig, format, modes, &a[0], &a[1], &mut words::multiply)
    };
    check("mul", 2, build, expected, &all_formats());
}

#[test]
fn products_with_a_summand() {
    let expected = |mode, a: &[Float]| a[0].fused_multiply_add(&a[1], &a[2], mode);
    let build = |aig: &mut Aig, format, modes: &Modes, a: &[Unpacked]| {
        fused_multiply_add(aig, format, modes, [&a[0], &a[1], &a[2]], &mut words::multiply)
    };
    check("fma", 3, build, expected, &all_formats());
}

#[test]
fn quotients() {
    let expected = |mode, a: &[Float]| a[0].div(&a[1], mode);
    check(
        "div",
        2,
        |aig, format, modes, a| divide(aig, format, modes, &a[0], &a[1]),
        expected,
        &all_formats(),
    );
}

#[test]
fn square_roots() {
    let expected = |mode, a: &[Float]| a[0].sqrt(mode);
    check(
        "sqrt",
        1,
        |aig, format, modes, a| square_root(aig, format, modes, &a[0]),
        expected,
        &all_formats(),
    );
}

#[test]
fn remainders() {
    let expected = |_, a: &[Float]| a[0].rem(&a[1]);
    let formats = [(2, 3), (3, 4), (2, 2), (5, 2), (2, 9), (4, 7), (5, 11)];
    check("rem", 2, |aig, format, _, a| remainder(aig, format, &a[0], &a[1]), expected, &formats);
}

#[test]
fn integral_values() {
    let expected = |mode, a: &[Float]| a[0].round_to_integral(mode);
    let build =
        |aig: &mut Aig, format, modes: &Modes, a: &[Unpacked]| round_to_integral(aig, format, modes, &a[0]);
    check("roundToIntegral", 1, build, expected, &all_formats());
}

#[test]
fn values_of_other_formats() {
    for from in all_formats() {
        for to in all_formats() {
            let (from, to) = (format(from), format(to));
            let circuit = Circuit::of(from, 1, |aig, modes, a| {
                let value = Unpacked::of(aig, from, &a[0]);
                to_format(aig, to, modes, &value).packed(aig, to)
            });
            let cases: Vec<_> = cases(from, 1, from.width() < 8).into_iter().take(3000).collect();
            for ((mode, a), bits) in cases.iter().zip(circuit.run(&cases)) {
                let value = a[0].to_format(to, *mode);
                assert_eq!(bits, value.canonical_bits(), "{mode:?} {a:?} to {to:?} is {value:?}");
            }
        }
    }
}

#[test]
fn integers() {
    let store = TermStore::new();
    for each in all_formats() {
        let format = format(each);
        let cases = cases(format, 1, SMALL.contains(&each));
        for width in [1, 2, 3, 5, 8, 17, 40] {
            for signed in [false, true] {
                let circuit = Circuit::of(format, 1, |aig, modes, a| {
                    let value = Unpacked::of(aig, format, &a[0]);
                    let convert = if signed { to_signed } else { to_unsigned };
                    let (bits, fits) = convert(aig, format, modes, &value, width);
                    [bits, vec![fits]].concat()
                });
                for ((mode, a), bits) in cases.iter().zip(circuit.run(&cases)) {
                    let number = if signed {
                        a[0].to_signed(width as u32, *mode)
                    } else {
                        a[0].to_unsigned(width as u32, *mode)
                    };
                    let found = bits.bit(width as u32).then(|| bits.extract(width as u32 - 1, 0));
                    assert_eq!(found, number, "{mode:?} {a:?} in {width} bits, signed: {signed}");
                }
                // And back, from all bits that the width has, or those of values.
                let mut aig = Aig::new();
                let mode: Vec<Edge> = (0..MODE_WIDTH).map(|_| aig.input()).collect();
                let word: Vec<Edge> = (0..width).map(|_| aig.input()).collect();
                let mode = canonical_mode(&mut aig, &mode);
                let modes = Modes::of(&mut aig, &mode);
                let convert = if signed { from_signed } else { from_unsigned };
                let outputs = convert(&mut aig, format, &modes, &word).packed(&mut aig, format);
                let mut random = ChaCha8Rng::seed_from_u64(7);
                for _ in 0..10 {
                    let inputs: Vec<u64> =
                        (0..MODE_WIDTH as usize + width).map(|_| random.random()).collect();
                    let mut simulation = Simulation::new();
                    simulation.run(&aig, &inputs);
                    for lane in 0..64 {
                        let number =
                            (0..3).fold(0, |sum, bit| sum | (inputs[bit] >> lane & 1) << bit) as usize;
                        let mode = *RoundingMode::ALL.get(number).unwrap_or(&RoundingMode::ALL[0]);
                        let bits = (0..width).fold(BitVector::zero(width as u32), |word, bit| {
                            word.with_bit(bit as u32, inputs[3 + bit] >> lane & 1 == 1)
                        });
                        let op = if signed { FloatOp::ToFp(format) } else { FloatOp::ToFpUnsigned(format) };
                        let arguments = [Value::RoundingMode(mode), Value::BitVec(bits.clone())];
                        let value = evaluate_operator(&store, Op::Float(op), &[&arguments[0], &arguments[1]]);
                        let Ok(Value::Float(value)) = value else { panic!("{value:?}") };
                        let expected = value.canonical_bits();
                        for (bit, &edge) in outputs.iter().enumerate() {
                            assert_eq!(
                                simulation.value(edge, lane),
                                expected.bit(bit as u32),
                                "{bits:?} {mode:?} {format:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn order_and_classes() {
    for each in all_formats() {
        let format = format(each);
        let circuit = Circuit::of(format, 2, |aig, _, a| {
            let classes = Classes::of(aig, format, &a[0]);
            let mut outputs = vec![
                less(aig, format, &a[0], &a[1], false),
                less(aig, format, &a[0], &a[1], true),
                ieee_equal(aig, format, &a[0], &a[1]),
                classes.nan,
                classes.infinite,
                classes.zero,
                classes.subnormal,
                classes.normal,
            ];
            outputs.extend(negate(aig, format, &a[0]));
            outputs.extend(absolute(&a[0]));
            for maximum in [false, true] {
                // Of zeros, the first.
                outputs.extend(max_or_min(aig, format, &a[0], &a[1], maximum, |_| Edge::TRUE));
            }
            outputs
        });
        let cases = cases(format, 2, SMALL.contains(&each));
        for ((_, a), bits) in cases.iter().zip(circuit.run(&cases)) {
            let (left, right) = (&a[0], &a[1]);
            let flags = [
                left.less(right),
                left.less_or_equal(right),
                left.ieee_equal(right),
                left.is_nan(),
                left.is_infinite(),
                left.is_zero(),
                left.is_subnormal(),
                left.is_normal(),
            ];
            for (position, flag) in flags.into_iter().enumerate() {
                assert_eq!(bits.bit(position as u32), flag, "{position} {a:?}");
            }
            let values = [
                left.neg(),
                left.abs(),
                left.min(right).unwrap_or_else(|| left.clone()),
                left.max(right).unwrap_or_else(|| left.clone()),
            ];
            for (position, value) in values.iter().enumerate() {
                let low = 8 + position as u32 * format.width();
                let found = bits.extract(low + format.width() - 1, low);
                assert_eq!(found, value.canonical_bits(), "{position} {a:?}");
            }
        }
    }
}
