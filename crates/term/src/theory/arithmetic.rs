//! Integers and reals: the theories Ints, Reals and Reals_Ints, and conversions to and from bit-vectors.

use std::cmp::Ordering;
use std::sync::Arc;

use dashu_int::ops::{Abs, BitTest, DivRemEuclid, RemEuclid};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::{Halt, Open};
use crate::arguments::Arguments;
use crate::bitvector::BitVector;
use crate::float::{bit_vector_of, signed_integer, unsigned_integer};
use crate::sort::SortId;
use crate::typecheck::{Checker, ResultSort, SortError, check_width};
use crate::value::Value;

/// The maximal number of bits of a computed number. Products of products double their length each time.
pub(crate) const MAX_NUMBER_BITS: usize = 1 << 20;

operators! {
    /// An operator of arithmetic. Those that integers and reals share are one operator.
    enum ArithmeticOp;
    plain {
        /// Difference, left-associative; of one number, its opposite.
        Sub = "-",
        /// Sum.
        Add = "+",
        /// Product.
        Mul = "*",
        /// Quotient of reals, left-associative; open where the divisor is 0.
        Divide = "/",
        /// Integer quotient that leaves no negative remainder, left-associative; open where the divisor is 0.
        Div = "div",
        /// The remainder that is not negative; open where the divisor is 0.
        Mod = "mod",
        /// Absolute value of an integer.
        Abs = "abs",
        /// The order "less than", chainable.
        Less = "<",
        /// The order "less or equal", chainable.
        LessOrEqual = "<=",
        /// Greater than, chainable.
        Greater = ">",
        /// Greater or equal, chainable.
        GreaterOrEqual = ">=",
        /// The integer as a real.
        ToReal = "to_real",
        /// The greatest integer that is not greater than the real.
        ToInt = "to_int",
        /// Whether the real is an integer.
        IsInt = "is_int",
        /// The bit-vector as a number without sign.
        UnsignedToInt = "ubv_to_int",
        /// The bit-vector as a number with sign.
        SignedToInt = "sbv_to_int",
    }
    indexed {
        /// Whether this number divides the integer.
        Divisible(u32) = "divisible",
        /// The integer modulo two to this width.
        IntToBits(u32) = "int_to_bv",
    }
}

impl ArithmeticOp {
    pub(crate) fn result_sort(self, check: &Checker<'_>) -> Result<ResultSort, SortError> {
        use ArithmeticOp::*;
        let sort = match self {
            Sub => {
                check.arity(1, usize::MAX)?;
                check.same_numbers()?
            }
            Add | Mul => {
                check.arity(2, usize::MAX)?;
                check.same_numbers()?
            }
            Less | LessOrEqual | Greater | GreaterOrEqual => {
                check.arity(2, usize::MAX)?;
                check.same_numbers()?;
                SortId::BOOL
            }
            Divide => {
                check.arity(2, usize::MAX)?;
                check.all_sort(SortId::REAL)?
            }
            Div => {
                check.arity(2, usize::MAX)?;
                check.all_sort(SortId::INT)?
            }
            Mod => {
                check.arity(2, 2)?;
                check.all_sort(SortId::INT)?
            }
            Abs => {
                check.arity(1, 1)?;
                check.same_numbers()?
            }
            ToReal => {
                check.arity(1, 1)?;
                check.is_sort(0, SortId::INT)?;
                SortId::REAL
            }
            ToInt => {
                check.arity(1, 1)?;
                check.is_sort(0, SortId::REAL)?;
                SortId::INT
            }
            IsInt => {
                check.arity(1, 1)?;
                check.is_sort(0, SortId::REAL)?;
                SortId::BOOL
            }
            Divisible(divisor) => {
                check.arity(1, 1)?;
                check.is_sort(0, SortId::INT)?;
                if divisor == 0 {
                    return Err(check.index("divides by at least 1".into()));
                }
                SortId::BOOL
            }
            UnsignedToInt | SignedToInt => {
                check.arity(1, 1)?;
                check.width(0)?;
                SortId::INT
            }
            IntToBits(width) => {
                check.arity(1, 1)?;
                check.is_sort(0, SortId::INT)?;
                return Ok(ResultSort::BitVec(check_width(u64::from(width))?));
            }
        };
        Ok(ResultSort::Interned(sort))
    }

    pub(crate) fn apply<'v, F: Fn(usize) -> &'v Value + Copy>(
        self,
        a: Arguments<'_, F>,
    ) -> Result<Value, Halt> {
        use ArithmeticOp::*;
        let is_real = matches!(a.get(0), Value::Real(_));
        match self {
            Sub if a.count() == 1 && is_real => Ok(real(-a.real(0).clone())),
            Sub if a.count() == 1 => Ok(Value::Int(-a.int(0).clone())),
            Sub if is_real => fold_reals(a, |left, right| Ok(left - right)),
            Sub => fold_ints(a, |left, right| Ok(left - right)),
            Add if is_real => fold_reals(a, |left, right| Ok(left + right)),
            Add => fold_ints(a, |left, right| Ok(left + right)),
            Mul if is_real => fold_reals(a, |left, right| Ok(left * right)),
            Mul => fold_ints(a, |left, right| Ok(left * right)),
            Divide => {
                fold_reals(
                    a,
                    |left, right| {
                        if right.is_zero() { Err(Open::DivisionByZero) } else { Ok(left / right) }
                    },
                )
            }
            Div => fold_ints(a, |left, right| {
                if right.is_zero() { Err(Open::DivisionByZero) } else { Ok(left.div_rem_euclid(right).0) }
            }),
            Mod if a.int(1).is_zero() => Err(Open::DivisionByZero.into()),
            Mod => Ok(Value::Int(a.int(0).rem_euclid(a.int(1)).into())),
            Abs if is_real => Ok(real(a.real(0).clone().abs())),
            Abs => Ok(Value::Int(a.int(0).clone().abs())),
            Less => Ok(chain(a, Ordering::is_lt)),
            LessOrEqual => Ok(chain(a, Ordering::is_le)),
            Greater => Ok(chain(a, Ordering::is_gt)),
            GreaterOrEqual => Ok(chain(a, Ordering::is_ge)),
            ToReal => Ok(real(RBig::from(a.int(0).clone()))),
            ToInt => Ok(Value::Int(a.real(0).floor())),
            IsInt => Ok(Value::Bool(a.real(0).is_int())),
            Divisible(divisor) => Ok(Value::Bool(a.int(0).rem_euclid(&IBig::from(divisor)) == UBig::ZERO)),
            UnsignedToInt => Ok(Value::Int(unsigned_integer(a.bits(0)).into())),
            SignedToInt => Ok(Value::Int(signed_integer(a.bits(0)))),
            IntToBits(width) => {
                let modulus = IBig::ONE << width as usize;
                Ok(Value::BitVec(bit_vector_of(width, &a.int(0).rem_euclid(&modulus))))
            }
        }
    }
}

/// The integer in two's complement with as few bits as possible.
pub fn twos_complement(number: &IBig) -> BitVector {
    let width = number.bit_len() + 1;
    bit_vector_of(width as u32, &number.rem_euclid(&(IBig::ONE << width)))
}

/// The low bits of an integer in two's complement, and above them one that says whether the integer is negative.
pub fn bits_of_integer(number: &IBig, width: u32) -> BitVector {
    let low = number.rem_euclid(&(IBig::ONE << width as usize));
    let sign = UBig::from(*number < IBig::ZERO) << width as usize;
    bit_vector_of(width + 1, &(low + sign))
}

/// Three bits of a real: whether it is negative, zero, and an integer.
pub fn bits_of_real(number: &RBig) -> BitVector {
    let facts = [*number < RBig::ZERO, number.is_zero(), number.is_int()];
    BitVector::from_bits(3, |bit| facts[bit as usize])
}

fn fold_ints<'v, F: Fn(usize) -> &'v Value + Copy>(
    a: Arguments<'_, F>,
    operation: impl Fn(IBig, &IBig) -> Result<IBig, Open>,
) -> Result<Value, Halt> {
    fold(a, |i| a.int(i), BitTest::bit_len, operation).map(Value::Int)
}

fn fold_reals<'v, F: Fn(usize) -> &'v Value + Copy>(
    a: Arguments<'_, F>,
    operation: impl Fn(RBig, &RBig) -> Result<RBig, Open>,
) -> Result<Value, Halt> {
    let length = |number: &RBig| number.numerator().bit_len() + number.denominator().bit_len();
    fold(a, |i| a.real(i), length, operation).map(real)
}

/// A left-associative operation on numbers, whose result is as long as both together, at most.
fn fold<'v, F: Fn(usize) -> &'v Value + Copy, N: Clone + 'v>(
    a: Arguments<'_, F>,
    number: impl Fn(usize) -> &'v N,
    length: impl Fn(&N) -> usize,
    operation: impl Fn(N, &N) -> Result<N, Open>,
) -> Result<N, Halt> {
    let mut result = number(0).clone();
    for i in 1..a.count() {
        let bits = length(&result) + length(number(i));
        a.control().spend(bits as u32 + 1)?;
        if bits > MAX_NUMBER_BITS {
            return Err(Open::TooLarge.into());
        }
        result = operation(result, number(i))?;
    }
    Ok(result)
}

fn real(number: RBig) -> Value {
    Value::Real(Arc::new(number))
}

/// Whether each number and the next are in this order.
fn chain<'v, F: Fn(usize) -> &'v Value + Copy>(a: Arguments<'_, F>, holds: fn(Ordering) -> bool) -> Value {
    let order = |i: usize| match a.get(i) {
        Value::Real(_) => a.real(i).cmp(a.real(i + 1)),
        _ => a.int(i).cmp(a.int(i + 1)),
    };
    Value::Bool((0..a.count() - 1).all(|i| holds(order(i))))
}
