//! Every numeric instruction against another interpreter, on random operands and on special ones.

mod instructions;

use instructions::{module_of, types};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sundry_wasm::{
    BinaryOp, CANONICAL_NAN_32, CANONICAL_NAN_64, Machine, MachineLimits, Module, Plain, UnaryOp,
};

const ROUNDS: usize = 2_000;

/// Words at which something changes, for one type or the other.
const SPECIAL: [u64; 20] = [
    0,
    1,
    0x7f,
    0x80,
    0x7fff,
    0x8000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
    0x7f80_0000,
    0x7fc0_0000,
    0x4f00_0000,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x43e0_0000_0000_0000,
    0x41e0_0000_0000_0000,
];

fn value(of: &str, word: u64) -> wasmi::Val {
    match of {
        "i32" => wasmi::Val::I32(word as i32),
        "i64" => wasmi::Val::I64(word as i64),
        "f32" => wasmi::Val::F32(wasmi::F32::from_bits(word as u32)),
        _ => wasmi::Val::F64(wasmi::F64::from_bits(word)),
    }
}

/// The bits of a value; bits of NaNs only where the specification determines them.
fn word(value: &wasmi::Val, name: &str) -> u64 {
    let acts_on_bits = ["abs", "neg", "copysign"].iter().any(|name_of_bits| name.ends_with(name_of_bits));
    match value {
        wasmi::Val::I32(value) => u64::from(*value as u32),
        wasmi::Val::I64(value) => *value as u64,
        wasmi::Val::F32(value) if !acts_on_bits && value.to_float().is_nan() => u64::from(CANONICAL_NAN_32),
        wasmi::Val::F64(value) if !acts_on_bits && value.to_float().is_nan() => CANONICAL_NAN_64,
        wasmi::Val::F32(value) => u64::from(value.to_bits()),
        wasmi::Val::F64(value) => value.to_bits(),
        other => panic!("{other:?} is no number"),
    }
}

#[test]
fn numeric_instructions_agree_with_another_interpreter() {
    let names = UnaryOp::ALL.iter().map(|op| (op.name(), 1));
    let names: Vec<(&str, usize)> = names.chain(BinaryOp::ALL.iter().map(|op| (op.name(), 2))).collect();
    assert!(names.len() > 120, "the lists have all instructions");
    let bytes = module_of(&names);
    let module = Module::read(&bytes).unwrap();
    let mut machine = Machine::new(&module, MachineLimits::default()).unwrap();
    let engine = wasmi::Engine::default();
    let mut store = wasmi::Store::new(&engine, ());
    let other = wasmi::Module::new(&engine, &bytes).unwrap();
    let instance = wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &other).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for (name, count) in names {
        let (operand, result) = types(name);
        let function = instance.get_func(&store, name).unwrap();
        let index = module.exported_function(name).unwrap();
        for _ in 0..ROUNDS {
            let arguments: Vec<u64> = (0..count)
                .map(|_| match random.random_range(0..3) {
                    0 => SPECIAL[random.random_range(0..SPECIAL.len())],
                    1 => SPECIAL[random.random_range(0..SPECIAL.len())]
                        .wrapping_add(random.random_range(0..3))
                        .wrapping_sub(1),
                    _ => random.random::<u64>() >> random.random_range(0..64),
                })
                .map(|word| if operand.ends_with("32") { word & 0xffff_ffff } else { word })
                .collect();
            let values: Vec<wasmi::Val> =
                arguments.iter().map(|&argument| value(operand, argument)).collect();
            let mut results = [value(result, 0)];
            let expected =
                function.call(&mut store, &values, &mut results).ok().map(|()| word(&results[0], name));
            let actual = machine.call(&module, index, &arguments, &mut Plain).ok().map(|results| results[0]);
            assert_eq!(actual, expected, "{name} of {arguments:x?}");
        }
    }
}
