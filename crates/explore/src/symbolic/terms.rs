//! Terms over the inputs of a program: what a numeric instruction computes, as a bit-vector.
//!
//! A term is the value of a word: a bit-vector of 32 or 64 bits, floats by their encoding, or a Boolean term, which stands for the words 0 and 1 that comparisons
//! give. Booleans stay Booleans until arithmetic needs a word, so that the condition of a branch is the comparison itself.

mod floats;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use sundry_solver::Simplifier;
use sundry_term::{BitVector, Op, TermId, TermStore};
use sundry_wasm::{BinaryOp, UnaryOp};

use crate::transfer::Transfer;

/// Builds and simplifies terms.
#[derive(Default)]
pub struct Terms {
    /// All terms.
    pub store: TermStore,
    simplifier: Simplifier,
    /// Applications that were simplified: runs share most of their terms with runs before.
    known: FxHashMap<(Op, SmallVec<[TermId; 3]>), TermId>,
    /// Numbers by width and value.
    numbers: FxHashMap<(u32, u64), TermId>,
    /// For the bits of floats that were computed, the float.
    floats: FxHashMap<TermId, TermId>,
}

/// The memory of a term, its entry in the table of its store, and its variables.
const BYTES_OF_TERM: usize = 64;

/// The memory of an application whose simplified form is known.
const BYTES_OF_APPLICATION: usize = 56;

/// Widths of the operands of all instructions, by their place in the lists of them.
static UNARY_WIDTHS: LazyLock<Vec<u32>> =
    LazyLock::new(|| UnaryOp::ALL.iter().map(|op| operand_width(op.name())).collect());
static BINARY_WIDTHS: LazyLock<Vec<u32>> =
    LazyLock::new(|| BinaryOp::ALL.iter().map(|op| operand_width(op.name())).collect());

/// The width of the operands of an instruction in bits, which its name says.
fn operand_width(name: &str) -> u32 {
    let (result, rest) = name.split_at(3);
    let operand = ["i32", "i64", "f32", "f64"].into_iter().find(|operand| rest.contains(operand));
    if operand.unwrap_or(result).ends_with("32") { 32 } else { 64 }
}

impl Terms {
    /// Keeps these terms and their parts only, in a new store. Returns where they are now.
    pub fn keep(&mut self, kept: &[TermId]) -> Transfer {
        let (mut store, mut transfer) = (TermStore::new(), Transfer::default());
        transfer.all(kept, &self.store, &mut store);
        let moved = |term| transfer.moved(term);
        let floats = self.floats.iter().filter_map(|(&word, &float)| Some((moved(word)?, moved(float)?)));
        self.floats = floats.collect();
        self.known = FxHashMap::default();
        self.numbers = FxHashMap::default();
        self.store = store;
        transfer
    }

    /// The memory of terms, and of what is known of applications, about.
    pub fn bytes(&self) -> usize {
        self.store.term_count() * BYTES_OF_TERM + self.known.len() * BYTES_OF_APPLICATION
    }

    /// An application, simplified.
    pub fn apply(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        let key = (op, SmallVec::from_slice(arguments));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let simplified = self.simplifier.apply(&mut self.store, op, arguments);
        self.known.insert(key, simplified);
        simplified
    }

    /// A number as a bit-vector.
    pub fn number(&mut self, width: u32, value: u64) -> TermId {
        let store = &mut self.store;
        *self
            .numbers
            .entry((width, value))
            .or_insert_with(|| store.bit_vector(BitVector::from_u64(width, value)))
    }

    /// The value of a term that depends on nothing: a bit-vector of up to 64 bits, or a truth value.
    pub fn value(&self, term: TermId) -> Option<u64> {
        let value = self.store.value(term)?;
        value.as_bool().map(u64::from).or_else(|| value.as_bit_vector()?.to_u64())
    }

    /// A term as a bit-vector of this width, if it stands for a word of this width.
    pub fn word(&mut self, term: TermId, width: u32) -> TermId {
        if self.store.is_bool(term) {
            let (one, zero) = (self.number(width, 1), self.number(width, 0));
            return self.apply(Op::Ite, &[term, one, zero]);
        }
        match self.store.width(term) {
            Some(known) if known < width => self.apply(Op::ZeroExtend(width - known), &[term]),
            Some(known) if known > width => self.extract(term, width - 1, 0),
            _ => term,
        }
    }

    /// Whether a word is not zero, as a Boolean term.
    pub fn is_nonzero(&mut self, term: TermId) -> TermId {
        if self.store.is_bool(term) {
            return term;
        }
        let width = self.store.width(term).unwrap_or(32);
        let zero = self.number(width, 0);
        let is_zero = self.apply(Op::Equal, &[term, zero]);
        self.not(is_zero)
    }

    /// The negation of a Boolean term.
    pub fn not(&mut self, term: TermId) -> TermId {
        self.apply(Op::Not, &[term])
    }

    /// The equality of a word and a number.
    pub fn equals(&mut self, term: TermId, value: u64) -> TermId {
        if self.store.is_bool(term) {
            return match value {
                0 => self.not(term),
                1 => term,
                _ => self.store.bool(false),
            };
        }
        let width = self.store.width(term).unwrap_or(32);
        let value = self.number(width, value);
        self.apply(Op::Equal, &[term, value])
    }

    /// Bits `high` to `low` of a bit-vector.
    pub fn extract(&mut self, term: TermId, high: u32, low: u32) -> TermId {
        if low == 0 && self.store.width(term) == Some(high + 1) {
            return term;
        }
        self.apply(Op::Extract { high, low }, &[term])
    }

    /// The sum of the numbers that a sum adds, modulo 2^32.
    pub fn constant_part(&self, term: TermId) -> u32 {
        let (mut open, mut sum) = (vec![term], 0_u32);
        while let Some(term) = open.pop() {
            match self.value(term) {
                Some(value) => sum = sum.wrapping_add(value as u32),
                None if self.store.op(term) == Op::BvAdd => open.extend(self.store.args(term)),
                None => {}
            }
        }
        sum
    }

    /// The width of the operands of an instruction with two.
    pub fn operand_width(&self, op: BinaryOp) -> u32 {
        BINARY_WIDTHS[op as usize]
    }

    /// The result of an instruction with one operand. Conversions that may trap are right where they do not.
    pub fn unary(&mut self, op: UnaryOp, operand: TermId) -> TermId {
        use UnaryOp::*;
        let width = UNARY_WIDTHS[op as usize];
        if matches!(op, I32Eqz | I64Eqz) {
            let is_nonzero = self.is_nonzero(operand);
            return self.not(is_nonzero);
        }
        let operand = self.word(operand, width);
        match op {
            I32Clz | I64Clz => self.count_zeros(operand, width, true),
            I32Ctz | I64Ctz => self.count_zeros(operand, width, false),
            I32Popcnt | I64Popcnt => self.count_ones(operand, width),
            I32WrapI64 => self.extract(operand, 31, 0),
            I64ExtendI32S => self.apply(Op::SignExtend(32), &[operand]),
            I64ExtendI32U => self.apply(Op::ZeroExtend(32), &[operand]),
            I32Extend8S | I64Extend8S => self.extend_low(operand, width, 8),
            I32Extend16S | I64Extend16S => self.extend_low(operand, width, 16),
            I64Extend32S => self.extend_low(operand, width, 32),
            _ => self.float_unary(op, operand, width),
        }
    }

    /// The result of an instruction with two operands. Divisions are right where they do not trap.
    pub fn binary(&mut self, op: BinaryOp, left: TermId, right: TermId) -> TermId {
        use BinaryOp::*;
        if let Some(result) = self.on_truth_values(op, left, right) {
            return result;
        }
        let width = self.operand_width(op);
        let (left, right) = (self.word(left, width), self.word(right, width));
        let operator = match op {
            I32Eq | I64Eq => Op::Equal,
            I32Ne | I64Ne => {
                let are_equal = self.apply(Op::Equal, &[left, right]);
                return self.not(are_equal);
            }
            I32LtS | I64LtS => Op::BvSlt,
            I32LtU | I64LtU => Op::BvUlt,
            I32GtS | I64GtS => Op::BvSgt,
            I32GtU | I64GtU => Op::BvUgt,
            I32LeS | I64LeS => Op::BvSle,
            I32LeU | I64LeU => Op::BvUle,
            I32GeS | I64GeS => Op::BvSge,
            I32GeU | I64GeU => Op::BvUge,
            I32Add | I64Add => Op::BvAdd,
            I32Sub | I64Sub => Op::BvSub,
            I32Mul | I64Mul => Op::BvMul,
            I32DivS | I64DivS => Op::BvSdiv,
            I32DivU | I64DivU => Op::BvUdiv,
            I32RemS | I64RemS => Op::BvSrem,
            I32RemU | I64RemU => Op::BvUrem,
            I32And | I64And => Op::BvAnd,
            I32Or | I64Or => Op::BvOr,
            I32Xor | I64Xor => Op::BvXor,
            I32Shl | I64Shl => return self.shift(Op::BvShl, left, right, width),
            I32ShrS | I64ShrS => return self.shift(Op::BvAshr, left, right, width),
            I32ShrU | I64ShrU => return self.shift(Op::BvLshr, left, right, width),
            // Both operators take the number of places modulo the width.
            I32Rotl | I64Rotl => Op::ExtRotateLeft,
            I32Rotr | I64Rotr => Op::ExtRotateRight,
            _ => return self.float_binary(op, left, right, width),
        };
        self.apply(operator, &[left, right])
    }

    /// Logic on two results of comparisons, and comparisons of them with 0 and 1.
    fn on_truth_values(&mut self, op: BinaryOp, left: TermId, right: TermId) -> Option<TermId> {
        let (left, right) = match (self.store.is_bool(left), self.store.is_bool(right)) {
            (true, true) => (left, right),
            (true, false) => (left, self.truth_value(right)?),
            (false, true) => (self.truth_value(left)?, right),
            (false, false) => return None,
        };
        match op {
            BinaryOp::I32And => Some(self.apply(Op::And, &[left, right])),
            BinaryOp::I32Or => Some(self.apply(Op::Or, &[left, right])),
            BinaryOp::I32Xor | BinaryOp::I32Ne => Some(self.apply(Op::Xor, &[left, right])),
            BinaryOp::I32Eq => Some(self.apply(Op::Equal, &[left, right])),
            _ => None,
        }
    }

    /// The truth value that a word which is 0 or 1 stands for.
    fn truth_value(&mut self, word: TermId) -> Option<TermId> {
        let value = self.value(word).filter(|&value| value <= 1)?;
        Some(self.store.bool(value == 1))
    }

    fn shift(&mut self, op: Op, left: TermId, right: TermId, width: u32) -> TermId {
        let mask = self.number(width, u64::from(width - 1));
        let places = self.apply(Op::BvAnd, &[right, mask]);
        self.apply(op, &[left, places])
    }

    fn extend_low(&mut self, operand: TermId, width: u32, low: u32) -> TermId {
        let low_bits = self.extract(operand, low - 1, 0);
        self.apply(Op::SignExtend(width - low), &[low_bits])
    }

    /// The number of zeros before the first one, from the highest bit or from the lowest.
    fn count_zeros(&mut self, operand: TermId, width: u32, from_high: bool) -> TermId {
        let mut result = self.number(width, u64::from(width));
        for place in 0..width {
            // The bit that is looked at first decides last.
            let bit = if from_high { place } else { width - 1 - place };
            let zeros = self.number(width, u64::from(width - 1 - place));
            let bit = self.extract(operand, bit, bit);
            let is_one = self.equals(bit, 1);
            result = self.apply(Op::Ite, &[is_one, zeros, result]);
        }
        result
    }

    fn count_ones(&mut self, operand: TermId, width: u32) -> TermId {
        let mut sum = self.number(width, 0);
        for place in 0..width {
            let bit = self.extract(operand, place, place);
            let bit = self.apply(Op::ZeroExtend(width - 1), &[bit]);
            sum = self.apply(Op::BvAdd, &[sum, bit]);
        }
        sum
    }
}
