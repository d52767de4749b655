//! The software float library against the processor, on special operands and on random ones.

mod instructions;

use instructions::{module_of, types};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_wasm::{BinaryOp, FloatCode, Machine, MachineLimits, Module, Plain, Stop, Trap, UnaryOp};

/// Random operands of each instruction.
const ROUNDS: usize = 150_000;

/// The instructions that have a function in the library.
fn is_in_library(name: &str) -> bool {
    let moves_bits = ["abs", "neg", "copysign"].iter().any(|end| name.ends_with(end));
    (name.contains("f32") || name.contains("f64")) && !moves_bits
}

/// Operands of a type at which something changes.
fn special(of: &str) -> Vec<u64> {
    // Without signs: zero, subnormal numbers, the smallest and the greatest normal number, infinity, and some that are no numbers.
    let (mut words, sign) = match of {
        "f32" => {
            let bits = [0, 1, 2, 0x7f_ffff, 0x80_0000, 0x80_0001, 0x7f7f_ffff, 0x7f80_0000];
            let nans = [0x7f80_0001, 0x7fc0_0000, 0x7fff_ffff];
            let numbers = NUMBERS.map(|number| u64::from((number as f32).to_bits()));
            (bits.into_iter().chain(nans).chain(numbers).collect::<Vec<u64>>(), 1 << 31)
        }
        "f64" => {
            let bits =
                [0, 1, 2, 0xf_ffff_ffff_ffff, 1 << 52, (1 << 52) + 1, 0x7fef_ffff_ffff_ffff, 0x7ff << 52];
            let nans = [(0x7ff << 52) + 1, 0x7ff8 << 48, u64::MAX >> 1];
            let of_single = [f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), f32::from_bits(0x7f_ffff)];
            let of_single = of_single.map(|number| f64::from(number).to_bits());
            let halves = [f64::from(f32::MAX) * (1.0 + f64::EPSILON), f64::from(f32::from_bits(1)) / 2.0];
            let numbers = NUMBERS.into_iter().chain(halves).map(f64::to_bits);
            (bits.into_iter().chain(nans).chain(of_single).chain(numbers).collect(), 1 << 63)
        }
        _ => return vec![0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, u64::MAX >> 1, 1 << 63, u64::MAX],
    };
    // Neighbours of numbers are just beyond or below what changes.
    let neighbours: Vec<u64> = words.iter().flat_map(|&word| [word + 1, word.saturating_sub(1)]).collect();
    words.extend(neighbours);
    words.extend(words.clone().into_iter().map(|word| word | sign));
    words.iter_mut().for_each(|word| *word &= 2 * (sign - 1) + 1);
    words.sort_unstable();
    words.dedup();
    words
}

/// Numbers at which roundings and conversions change.
const NUMBERS: [f64; 16] = [
    0.25,
    0.5,
    1.0,
    1.5,
    2.5,
    3.0,
    4_194_304.5,
    8_388_608.0,
    2_147_483_648.0,
    2_147_483_649.0,
    4_294_967_296.0,
    4_503_599_627_370_496.0,
    9_007_199_254_740_992.0,
    9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_616.0,
    1.0e-40,
];

/// A random operand of a type: any bits, few bits, an exponent near the middle or near an end.
fn random(of: &str, random: &mut ChaCha8Rng) -> u64 {
    let bits: u64 = random.random();
    let bits = match random.random_range(0..4) {
        0 => bits & u64::MAX << random.random_range(0..64),
        _ => bits,
    };
    let place = random.random_range(0..4);
    let near = |middle: u64, greatest: u64| match place {
        0 => bits & 3,
        1 => greatest - 1 - (bits & 3),
        _ => middle - 4 + (bits & 0x4f),
    };
    let is_any = random.random_range(0..3) == 0;
    match of {
        "f32" if is_any => bits & 0xffff_ffff,
        "f32" => (bits & 0x807f_ffff) | near(127, 255) << 23,
        "f64" if !is_any => (bits & 0x800f_ffff_ffff_ffff) | near(1023, 2047) << 52,
        "f64" => bits,
        "i32" => (bits & 0xffff_ffff) >> random.random_range(0..32),
        _ => bits >> random.random_range(0..64),
    }
}

/// Two random factors whose product is half way between two floats, or differs from that by one bit that is lost.
fn factors_of_tie(of: &str, generator: &mut ChaCha8Rng) -> (u64, u64) {
    let (fraction, bias, places_of_sign) = if of == "f32" { (23, 127, 31) } else { (52, 1023, 63) };
    let leading = 1_u64 << fraction;
    loop {
        let left = generator.random::<u64>() & (leading - 1) | leading | 1;
        // The product has one or two bits before its point.
        let lost = fraction + generator.random_range(0..2);
        let half = 1_u64 << (lost - 1);
        let bit = 1_u64 << generator.random_range(0..lost - 1);
        let lowest = [half, half + bit, half - bit][generator.random_range(0..3)];
        // The inverse modulo a power of two, by iteration after Newton.
        let inverse = (0..6).fold(left, |it, _| it.wrapping_mul(2_u64.wrapping_sub(left.wrapping_mul(it))));
        let right = lowest.wrapping_mul(inverse) & (2 * leading - 1);
        if right < leading {
            continue;
        }
        // Some products are subnormal, so that more bits are lost.
        let of_product = generator.random_range(-(fraction + 2)..fraction + 2);
        let exponent = bias / 2 + generator.random_range(0..20);
        let words = [(left, exponent), (right, bias + of_product - exponent)];
        let [left, right] = words.map(|(significand, exponent)| {
            let sign = generator.random_range(0..2_u64) << places_of_sign;
            sign | (exponent as u64) << fraction | (significand & (leading - 1))
        });
        return (left, right);
    }
}

/// The result of an instruction, or its trap.
fn outcome(result: Result<Vec<u64>, Stop>) -> Result<u64, Trap> {
    result.map(|results| results[0]).map_err(|stop| match stop {
        Stop::Trap(trap) => trap,
        other => panic!("{other:?}"),
    })
}

#[test]
fn functions_with_one_operand_agree_with_the_processor() {
    let operators: Vec<UnaryOp> =
        UnaryOp::ALL.iter().copied().filter(|op| is_in_library(op.name())).collect();
    let names: Vec<(&str, usize)> = operators.iter().map(|op| (op.name(), 1)).collect();
    let module = Module::read_with(&module_of(&names), FloatCode::Library).unwrap();
    let mut machine = Machine::new(&module, MachineLimits::default()).unwrap();
    let mut generator = ChaCha8Rng::seed_from_u64(11);
    for op in operators {
        let index = module.exported_function(op.name()).unwrap();
        let (of, _) = types(op.name());
        let mask = if of.ends_with("32") { 0xffff_ffff } else { u64::MAX };
        let specials = special(of).into_iter().map(|word| word & mask);
        let randoms: Vec<u64> = (0..ROUNDS).map(|_| random(of, &mut generator)).collect();
        for operand in specials.chain(randoms) {
            let actual = outcome(machine.call(&module, index, &[operand], &mut Plain));
            assert_eq!(actual, op.apply(operand), "{} of {operand:x}", op.name());
        }
    }
}

#[test]
fn functions_with_two_operands_agree_with_the_processor() {
    let operators: Vec<BinaryOp> =
        BinaryOp::ALL.iter().copied().filter(|op| is_in_library(op.name())).collect();
    let names: Vec<(&str, usize)> = operators.iter().map(|op| (op.name(), 2)).collect();
    let module = Module::read_with(&module_of(&names), FloatCode::Library).unwrap();
    let mut machine = Machine::new(&module, MachineLimits::default()).unwrap();
    let mut generator = ChaCha8Rng::seed_from_u64(12);
    for op in operators {
        let index = module.exported_function(op.name()).unwrap();
        let (of, _) = types(op.name());
        let specials = special(of);
        let is_product = op.name().ends_with("mul");
        let pairs = specials.iter().flat_map(|&left| specials.iter().map(move |&right| (left, right)));
        let mut randoms = Vec::new();
        for round in 0..ROUNDS {
            if is_product && round % 2 == 0 {
                randoms.push(factors_of_tie(of, &mut generator));
                continue;
            }
            let left = random(of, &mut generator);
            // Operands that are nearly the same cancel out.
            let right = match generator.random_range(0..8) {
                0 => left ^ generator.random_range(0..16),
                1 => left ^ (1 << if of == "f32" { 31 } else { 63 }) ^ generator.random_range(0..16),
                _ => random(of, &mut generator),
            };
            randoms.push((left, right));
        }
        for (left, right) in pairs.chain(randoms) {
            let actual = outcome(machine.call(&module, index, &[left, right], &mut Plain));
            assert_eq!(actual, op.apply(left, right), "{} of {left:x} and {right:x}", op.name());
        }
    }
}

#[test]
fn the_library_is_no_part_of_the_program() {
    let names = [("f64.div", 2), ("i32.trunc_f64_s", 1)];
    let modules = [FloatCode::Instructions, FloatCode::Library]
        .map(|floats| Module::read_with(&module_of(&names), floats).unwrap());
    let [native, soft] = modules.each_ref().map(|module| {
        let mut machine = Machine::new(module, MachineLimits::default()).unwrap();
        let (divide, truncate) = (
            module.exported_function("f64.div").unwrap(),
            module.exported_function("i32.trunc_f64_s").unwrap(),
        );
        let quotient = outcome(machine.call(module, divide, &[1_f64.to_bits(), 3_f64.to_bits()], &mut Plain));
        let trap = outcome(machine.call(module, truncate, &[1e10_f64.to_bits()], &mut Plain));
        let stack = machine.stack(module);
        let offsets: Vec<(u32, u32)> =
            stack.iter().map(|&(function, place)| (function, module.offset_of(place))).collect();
        (quotient, trap, offsets)
    });
    assert_eq!(native.0, Ok((1.0_f64 / 3.0).to_bits()));
    assert_eq!(native.1, Err(Trap::IntegerOverflow));
    assert_eq!(native.2.len(), 1);
    assert_eq!(native, soft);
}
