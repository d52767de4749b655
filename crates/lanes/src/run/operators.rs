//! Operators on operands that are not arrays: a loop over columns if there is one, else lane by lane as the evaluator
//! does.

use rustc_hash::FxHashSet;
use sundry_term::{BitVector, Control, Op, Stopped, TermStore, Value, evaluate_operator_within};

use super::WORK_OF_STEP;
use crate::column::{Column, LANES, mask_where, spread};
use crate::memory::Memory;
use crate::program::Slot;
use crate::word::{self, low_bits};

/// The maximal number of words that are compared pairwise, in all lanes together; more are looked up lane by lane.
const COMPARED_DISTINCT: usize = 64;

/// Computes an operator on operands that are not arrays.
pub(super) fn operate(
    store: &TermStore,
    op: Op,
    operands: &[Slot],
    result: Slot,
    memory: &mut Memory,
    control: &Control,
) -> Result<(), Stopped> {
    // A limb of each operand in all lanes takes about as long as a step at least.
    let limbs: usize = operands.iter().map(|slot| slot.limbs()).sum();
    control.spend(WORK_OF_STEP.saturating_mul(u32::try_from(limbs).unwrap_or(u32::MAX)))?;
    let done = match result {
        Slot::Mask(number) => match truth(op, operands, memory) {
            Some(mask) => {
                memory.masks[number as usize] = mask;
                true
            }
            None => false,
        },
        Slot::Columns { first, width } => compute(op, operands, first as usize, width, memory),
    };
    if done { Ok(()) } else { operate_by_lane(store, op, operands, result, memory, control) }
}

/// Computes an operator lane by lane, as the evaluator does.
fn operate_by_lane(
    store: &TermStore,
    op: Op,
    operands: &[Slot],
    result: Slot,
    memory: &mut Memory,
    control: &Control,
) -> Result<(), Stopped> {
    for lane in 0..LANES {
        let values: Vec<Value> = operands.iter().map(|&slot| value_in_lane(slot, lane, memory)).collect();
        let arguments: Vec<&Value> = values.iter().collect();
        let value = evaluate_operator_within(store, op, &arguments, control)?;
        set_value(memory, result, lane, &value.expect("operators on bit-vectors leave nothing open"));
    }
    Ok(())
}

/// The truth value or bit-vector of a slot in one lane.
pub(crate) fn value_in_lane(slot: Slot, lane: usize, memory: &Memory) -> Value {
    match slot {
        Slot::Mask(number) => Value::Bool(memory.masks[number as usize] >> lane & 1 == 1),
        Slot::Columns { width, .. } => Value::BitVec(BitVector::from_limbs(width, &memory.limbs(slot, lane))),
    }
}

/// Sets a slot to a truth value or a bit-vector in one lane.
pub(crate) fn set_value(memory: &mut Memory, slot: Slot, lane: usize, value: &Value) {
    match value {
        Value::Bool(value) => memory.set_limb(slot, 0, lane, u64::from(*value)),
        Value::BitVec(bits) => {
            for (number, &limb) in bits.limbs().iter().enumerate() {
                memory.set_limb(slot, number, lane, limb);
            }
        }
        other => unreachable!("slots have no values such as {other:?}"),
    }
}

/// The mask of an operator with truth values; `None` if it is computed lane by lane.
fn truth(op: Op, operands: &[Slot], memory: &Memory) -> Option<u64> {
    let mask = |operand: usize| memory.mask(operands[operand]);
    let all = |operands: &[Slot]| operands.iter().fold(u64::MAX, |all, &slot| all & memory.mask(slot));
    let equal = |left: usize, right: usize| equal(operands[left], operands[right], memory);
    Some(match op {
        Op::Not => !mask(0),
        Op::And => all(operands),
        Op::Or => operands.iter().fold(0, |any, &slot| any | memory.mask(slot)),
        Op::Xor => operands.iter().fold(0, |parity, &slot| parity ^ memory.mask(slot)),
        Op::Implies => {
            let last = operands.len() - 1;
            mask(last) | !all(&operands[..last])
        }
        Op::Ite => mask(0) & mask(1) | !mask(0) & mask(2),
        Op::Equal => (1..operands.len()).fold(u64::MAX, |all, right| all & equal(0, right)),
        Op::Distinct if operands.len() <= COMPARED_DISTINCT => (1..operands.len())
            .flat_map(|right| (0..right).map(move |left| (left, right)))
            .fold(u64::MAX, |all, (left, right)| all & !equal(left, right)),
        Op::Distinct => mask_where(|lane| are_distinct(operands, lane, memory)),
        _ => {
            let (left, width) = narrow(operands[0])?;
            let (right, _) = narrow(*operands.get(1)?)?;
            return word::test(op, width, &memory.columns[left], &memory.columns[right]);
        }
    })
}

/// Whether slots have different values in a lane.
fn are_distinct(operands: &[Slot], lane: usize, memory: &Memory) -> bool {
    let mut seen = FxHashSet::default();
    operands.iter().all(|&operand| seen.insert(memory.limbs(operand, lane)))
}

/// The lanes in which two slots have the same value.
fn equal(left: Slot, right: Slot, memory: &Memory) -> u64 {
    match (left, right) {
        (Slot::Columns { first: left, width }, Slot::Columns { first: right, .. }) => {
            let limbs = width.div_ceil(64);
            (0..limbs).fold(u64::MAX, |all, limb| {
                let (left, right) =
                    (&memory.columns[(left + limb) as usize], &memory.columns[(right + limb) as usize]);
                all & mask_where(|lane| left[lane] == right[lane])
            })
        }
        _ => !(memory.mask(left) ^ memory.mask(right)),
    }
}

/// The column and the width of a slot that has one column.
fn narrow(slot: Slot) -> Option<(usize, u32)> {
    match slot {
        Slot::Columns { first, width } if width <= 64 => Some((first as usize, width)),
        _ => None,
    }
}

/// Computes the columns of an operator. Returns false if the operator must be computed lane by lane.
fn compute(op: Op, operands: &[Slot], first: usize, width: u32, memory: &mut Memory) -> bool {
    // Columns are numbered in the order of computation: operands stand before the result.
    let (before, rest) = memory.columns.split_at_mut(first);
    let result = &mut rest[..width.div_ceil(64) as usize];
    let columns = |operand: usize| match operands[operand] {
        Slot::Columns { first, width } => &before[first as usize..][..width.div_ceil(64) as usize],
        Slot::Mask(_) => &[],
    };
    let operand_width = |operand: usize| match operands[operand] {
        Slot::Columns { width, .. } => width,
        Slot::Mask(_) => 1,
    };
    match op {
        Op::Ite => {
            let condition = memory.masks[match operands[0] {
                Slot::Mask(number) => number as usize,
                Slot::Columns { .. } => unreachable!("a condition is a truth value"),
            }];
            for ((result, yes), no) in result.iter_mut().zip(columns(1)).zip(columns(2)) {
                for lane in 0..LANES {
                    result[lane] = no[lane] ^ (yes[lane] ^ no[lane]) & spread(condition, lane);
                }
            }
            return true;
        }
        Op::BvNot => {
            for (result, operand) in result.iter_mut().zip(columns(0)) {
                for lane in 0..LANES {
                    result[lane] = !operand[lane];
                }
            }
        }
        Op::BvNeg if width <= 64 => {
            let operand = &columns(0)[0];
            for lane in 0..LANES {
                result[0][lane] = operand[lane].wrapping_neg();
            }
        }
        Op::Concat => {
            result.fill([0; LANES]);
            let mut offset = 0;
            for operand in (0..operands.len()).rev() {
                for (limb, column) in columns(operand).iter().enumerate() {
                    shift_into(result, offset + 64 * limb as u32, column);
                }
                offset += operand_width(operand);
            }
        }
        Op::Extract { low, .. } => extract(result, columns(0), low),
        Op::ZeroExtend(_) => {
            result.fill([0; LANES]);
            result[..columns(0).len()].copy_from_slice(columns(0));
        }
        Op::SignExtend(_) => sign_extend(result, columns(0), operand_width(0)),
        Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNand | Op::BvNor | Op::BvXnor => {
            result.copy_from_slice(columns(0));
            for (limb, result) in result.iter_mut().enumerate() {
                word::fold(op, 64, result, (1..operands.len()).map(|operand| &columns(operand)[limb]));
            }
        }
        _ if width <= 64 && operand_width(0) <= 64 => {
            result.copy_from_slice(columns(0));
            let others = (1..operands.len()).map(|operand| &columns(operand)[0]);
            return word::fold(op, operand_width(0), &mut result[0], others);
        }
        _ => return false,
    }
    if !width.is_multiple_of(64) {
        let cut = low_bits(width % 64);
        for word in result.last_mut().expect("a column") {
            *word &= cut;
        }
    }
    true
}

/// Joins a column to the columns from a bit upwards.
fn shift_into(result: &mut [Column], offset: u32, column: &Column) {
    let (limb, shift) = ((offset / 64) as usize, offset % 64);
    for lane in 0..LANES {
        result[limb][lane] |= column[lane] << shift;
    }
    if shift > 0 && limb + 1 < result.len() {
        for lane in 0..LANES {
            result[limb + 1][lane] |= column[lane] >> (64 - shift);
        }
    }
}

/// The bits from `low` upwards, with more above the result's width.
fn extract(result: &mut [Column], operand: &[Column], low: u32) {
    let (first, shift) = ((low / 64) as usize, low % 64);
    for (limb, result) in result.iter_mut().enumerate() {
        let lower = &operand[first + limb];
        for lane in 0..LANES {
            result[lane] = lower[lane] >> shift;
        }
        if shift > 0
            && let Some(upper) = operand.get(first + limb + 1)
        {
            for lane in 0..LANES {
                result[lane] |= upper[lane] << (64 - shift);
            }
        }
    }
}

/// The operand with its sign bit carried on, beyond the result's width.
fn sign_extend(result: &mut [Column], operand: &[Column], width: u32) {
    let last = operand.len() - 1;
    let sign_bit = (width - 1) % 64;
    result[..=last].copy_from_slice(operand);
    for lane in 0..LANES {
        let fill = (operand[last][lane] >> sign_bit & 1).wrapping_neg();
        // In two steps, since the sign may be the last bit of its word.
        result[last][lane] |= fill << sign_bit << 1;
        for column in &mut result[last + 1..] {
            column[lane] = fill;
        }
    }
}
