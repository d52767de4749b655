//! The meaning of every operator on values: the theories Core, FixedSizeBitVectors and ArraysEx here, others
//! in [`theory`](crate::theory).

use rustc_hash::FxHashSet;

use crate::arguments::Arguments;
use crate::array::ArrayValue;
use crate::bitvector::BitVector;
use crate::control::{Control, Stopped};
use crate::op::Op;
use crate::store::TermStore;
use crate::theory::{Halt, Open};
use crate::universe::Universes;
use crate::value::Value;

/// Work of the longest products and quotients for each limb: a product of 2^14 limbs took 11 ms where it was
/// measured, with reading its operands.
const WORK_PER_LIMB: u32 = 64;

impl<'v, F: Fn(usize) -> &'v Value + Copy> Arguments<'_, F> {
    fn bools(self) -> impl DoubleEndedIterator<Item = bool> {
        (0..self.count()).map(move |i| self.bool(i))
    }

    /// A one-place operation on bit-vectors.
    fn map(self, operation: impl Fn(&BitVector) -> BitVector) -> Value {
        Value::BitVec(operation(self.bits(0)))
    }

    /// A two-place operation on bit-vectors, left-associative where there are more arguments.
    fn fold(self, operation: impl Fn(&BitVector, &BitVector) -> BitVector) -> Result<Value, Stopped> {
        self.fold_with(self.bits(0).limbs().len() as u32 / 8 + 1, operation)
    }

    /// [`fold`](Self::fold) of products and quotients, which take more work than in proportion to the width.
    fn fold_products(
        self,
        operation: impl Fn(&BitVector, &BitVector) -> BitVector,
    ) -> Result<Value, Stopped> {
        self.fold_with(self.work_of_product(), operation)
    }

    /// [`fold`](Self::fold) of an operation that takes so much work.
    fn fold_with(
        self,
        work: u32,
        operation: impl Fn(&BitVector, &BitVector) -> BitVector,
    ) -> Result<Value, Stopped> {
        self.control().spend(work)?;
        let mut result = operation(self.bits(0), self.bits(1));
        for i in 2..self.count() {
            self.control().spend(work)?;
            result = operation(&result, self.bits(i));
        }
        Ok(Value::BitVec(result))
    }

    /// The work of one product: per limb as much as where numbers are longest.
    fn work_of_product(self) -> u32 {
        match self.bits(0).limbs().len() as u32 {
            1 => 1,
            limbs => limbs * WORK_PER_LIMB,
        }
    }

    /// A two-place predicate on bit-vectors, decided by a product.
    fn test_product(self, predicate: impl Fn(&BitVector, &BitVector) -> bool) -> Result<Value, Stopped> {
        self.control().spend(self.work_of_product())?;
        Ok(self.test(predicate))
    }

    /// A two-place predicate on bit-vectors.
    fn test(self, predicate: impl Fn(&BitVector, &BitVector) -> bool) -> Value {
        Value::Bool(predicate(self.bits(0), self.bits(1)))
    }

    fn all_distinct(self) -> bool {
        if self.count() == 2 {
            return self.get(0) != self.get(1);
        }
        let mut seen = FxHashSet::default();
        (0..self.count()).all(|i| seen.insert(self.get(i)))
    }

    /// The last argument implies nothing further: the chain is false if all arguments before it are true and it is
    /// false.
    fn implication(self) -> bool {
        self.bool(self.count() - 1) || !self.bools().take(self.count() - 1).all(|premise| premise)
    }

    fn concatenation(self) -> BitVector {
        if self.count() == 2 {
            return BitVector::concat(self.bits(0), self.bits(1));
        }
        let width = (0..self.count()).map(|i| self.bits(i).width()).sum();
        BitVector::concat_all(width, (0..self.count()).map(|i| self.bits(i)))
    }
}

fn one_bit(bit: bool) -> Value {
    Value::BitVec(BitVector::from_bool(bit))
}

/// The value of an operator on values, as in folding of constants. Declared sorts count as having more elements than
/// can be listed.
///
/// # Errors
/// The reason for which the value is open.
///
/// # Panics
/// On literals and declared symbols, which have no meaning by themselves, and if the application is not well-sorted.
pub fn evaluate_operator(store: &TermStore, op: Op, arguments: &[&Value]) -> Result<Value, Open> {
    match evaluate_operator_within(store, op, arguments, &Control::default()) {
        Ok(value) => value,
        Err(_) => unreachable!("nothing stops this control"),
    }
}

/// Evaluates an operator like [`evaluate_operator`], until a control stops the work.
///
/// # Errors
/// The reason for which the control stopped it.
///
/// # Panics
/// Under the conditions of [`evaluate_operator`].
pub fn evaluate_operator_within(
    store: &TermStore,
    op: Op,
    arguments: &[&Value],
    control: &Control,
) -> Result<Result<Value, Open>, Stopped> {
    let arguments = Arguments::new(arguments.len(), |i| arguments[i], control);
    match apply(store, &Universes::default(), op, arguments) {
        Ok(value) => Ok(Ok(value)),
        Err(Halt::Open(reason)) => Ok(Err(reason)),
        Err(Halt::Stopped(reason)) => Err(reason),
    }
}

/// The value of a well-sorted application of an operator that has a meaning of its own, on values within the
/// universes.
pub(super) fn apply<'v, F: Fn(usize) -> &'v Value + Copy>(
    store: &TermStore,
    universes: &Universes,
    op: Op,
    arguments: Arguments<'_, F>,
) -> Result<Value, Halt> {
    use Op::*;
    let a = arguments;
    let value = match op {
        Constant(_) | Apply(_) => unreachable!("literals and symbols are looked up"),

        Not => Value::Bool(!a.bool(0)),
        And => Value::Bool(a.bools().all(|value| value)),
        Or => Value::Bool(a.bools().any(|value| value)),
        Xor => Value::Bool(a.bools().fold(false, |parity, value| parity ^ value)),
        Implies => Value::Bool(a.implication()),
        Equal | Distinct if matches!(a.get(0), Value::Regex(_)) => {
            let is_same = (1..a.count()).all(|i| a.get(i) == a.get(0));
            return if is_same { Ok(Value::Bool(op == Equal)) } else { Err(Open::RegularExpression.into()) };
        }
        Equal => Value::Bool((1..a.count()).all(|i| a.get(i) == a.get(0))),
        Distinct => Value::Bool(a.all_distinct()),
        Ite => a.get(if a.bool(0) { 1 } else { 2 }).clone(),

        Concat => Value::BitVec(a.concatenation()),
        Extract { high, low } => a.map(|bits| bits.extract(high, low)),
        Repeat(times) => a.map(|bits| bits.repeat(times)),
        ZeroExtend(by) => a.map(|bits| bits.zero_extend(by)),
        SignExtend(by) => a.map(|bits| bits.sign_extend(by)),
        RotateLeft(by) => a.map(|bits| bits.rotate_left(by)),
        RotateRight(by) => a.map(|bits| bits.rotate_right(by)),
        BvNot => a.map(BitVector::not),
        BvNeg => a.map(BitVector::neg),
        BvAnd => a.fold(BitVector::and)?,
        BvOr => a.fold(BitVector::or)?,
        BvXor => a.fold(BitVector::xor)?,
        BvNand => a.fold(|left, right| left.and(right).not())?,
        BvNor => a.fold(|left, right| left.or(right).not())?,
        BvXnor => a.fold(|left, right| left.xor(right).not())?,
        BvAdd => a.fold(BitVector::add)?,
        BvSub => a.fold(BitVector::sub)?,
        BvMul => a.fold_products(BitVector::mul)?,
        BvUdiv => a.fold_products(BitVector::udiv)?,
        BvUrem => a.fold_products(BitVector::urem)?,
        BvSdiv => a.fold_products(BitVector::sdiv)?,
        BvSrem => a.fold_products(BitVector::srem)?,
        BvSmod => a.fold_products(BitVector::smod)?,
        BvShl => a.fold(BitVector::shl)?,
        BvLshr => a.fold(BitVector::lshr)?,
        BvAshr => a.fold(BitVector::ashr)?,
        BvComp => one_bit(a.bits(0) == a.bits(1)),
        BvRedAnd => one_bit(a.bits(0).is_ones()),
        BvRedOr => one_bit(!a.bits(0).is_zero()),
        BvRedXor => one_bit(a.bits(0).parity()),
        BvInc => a.map(|bits| bits.add(&BitVector::one(bits.width()))),
        BvDec => a.map(|bits| bits.sub(&BitVector::one(bits.width()))),
        ExtRotateLeft => a.fold(|bits, by| bits.rotate_left(by.modulo_width()))?,
        ExtRotateRight => a.fold(|bits, by| bits.rotate_right(by.modulo_width()))?,
        BvUlt => a.test(BitVector::ult),
        BvUle => a.test(BitVector::ule),
        BvUgt => a.test(|left, right| right.ult(left)),
        BvUge => a.test(|left, right| right.ule(left)),
        BvSlt => a.test(BitVector::slt),
        BvSle => a.test(BitVector::sle),
        BvSgt => a.test(|left, right| right.slt(left)),
        BvSge => a.test(|left, right| right.sle(left)),
        BvNego => Value::Bool(a.bits(0).nego()),
        BvUaddo => a.test(BitVector::uaddo),
        BvSaddo => a.test(BitVector::saddo),
        BvUmulo => a.test_product(BitVector::umulo)?,
        BvSmulo => a.test_product(BitVector::smulo)?,
        BvUsubo => a.test(BitVector::usubo),
        BvSsubo => a.test(BitVector::ssubo),
        BvSdivo => a.test(BitVector::sdivo),

        Select => a.array(0).select(a.get(1)).clone(),
        Store => Value::Array(a.array(0).store(a.get(1).clone(), a.get(2).clone())),
        ConstArray(sort) => {
            let (index, _) = store.array_parts(sort).expect("a constant array has an array sort");
            Value::Array(ArrayValue::constant_within(store, universes, index, a.get(0).clone()))
        }

        Arithmetic(op) => return op.apply(a),
        Float(op) => return op.apply(a),
        String(op) => return op.apply(a),
        Sequence(op) => return op.apply(a),
        Datatype(op) => return op.apply(a),
        Forall(_) | Exists(_) => Value::Bool(a.bool(0)),
    };
    Ok(value)
}
