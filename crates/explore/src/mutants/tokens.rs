//! Tokens: texts and numbers of a program that its inputs may have to contain.

use std::collections::BTreeSet;

use sundry_wasm::{BinaryOp, Function, Instruction};

use crate::program::Program;

/// The lengths of texts that are taken for tokens.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=16;

/// The greatest number of tokens.
const MOST_TOKENS: usize = 4_096;

/// The short texts in the data of a program, and the numbers that its own functions compare for equality, in both orders of their bytes.
pub fn tokens_of(program: &Program) -> Vec<Vec<u8>> {
    let mut tokens = BTreeSet::new();
    let functions = program.module.functions.iter().enumerate();
    let own = functions.filter(|&(position, _)| !program.is_library.get(position).is_some_and(|&is| is));
    for (_, function) in own {
        for number in compared_numbers(function) {
            let bytes = number.to_le_bytes();
            let size = bytes.len() - number.leading_zeros() as usize / 8;
            tokens.insert(bytes[..size].to_vec());
            tokens.insert(bytes[..size].iter().rev().copied().collect());
        }
    }
    for data in &program.module.data {
        let texts = data.bytes.split(|byte| !byte.is_ascii_graphic());
        tokens.extend(texts.filter(|text| LENGTHS.contains(&text.len())).map(<[u8]>::to_vec));
    }
    tokens.into_iter().take(MOST_TOKENS).collect()
}

/// Constants of more than one byte that a function compares for equality.
fn compared_numbers(function: &Function) -> impl Iterator<Item = u64> {
    let slots = function.slots_of_constants();
    let constant = move |slot| {
        let position = (slot as usize).checked_sub(slots.start)?;
        function.constants.get(position).copied().filter(|&value| value > 0xff)
    };
    function.code.iter().flat_map(move |instruction| match *instruction {
        Instruction::Binary {
            op: BinaryOp::I32Eq | BinaryOp::I32Ne | BinaryOp::I64Eq | BinaryOp::I64Ne,
            left,
            right,
            ..
        } => constant(left).or_else(|| constant(right)),
        _ => None,
    })
}
