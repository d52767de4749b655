//! Results that the standard leaves open, as a model chooses them.

use std::collections::BTreeMap;
use std::sync::Arc;

use dashu_int::IBig;
use dashu_int::ops::{DivEuclid, RemEuclid};
use dashu_ratio::RBig;

use crate::bitvector::BitVector;
use crate::op::Op;
use crate::theory::arithmetic::ArithmeticOp;
use crate::theory::float::FloatOp;
use crate::value::Value;

/// An interpretation of operations where the standard leaves their results open: some results are given, all others are the
/// first argument or zero. Equal arguments have equal results, as the standard asks.
///
/// A formula that holds under some interpretation is satisfiable, so a solver may choose one. It chooses for operations on floating-point values, and
/// for divisions of integers and reals by zero; operations of other theories stay open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChosenResults(Arc<BTreeMap<(Op, Vec<Value>), Value>>);

impl ChosenResults {
    /// The interpretation with these results of operations on arguments.
    pub fn new(results: BTreeMap<(Op, Vec<Value>), Value>) -> ChosenResults {
        ChosenResults(Arc::new(results))
    }

    /// Whether the standard leaves results of an operator open that a model chooses, for some arguments.
    pub fn may_be_of(op: Op) -> bool {
        matches!(
            op,
            Op::Float(
                FloatOp::Min
                    | FloatOp::Max
                    | FloatOp::ToUbv(_)
                    | FloatOp::ToSbv(_)
                    | FloatOp::ToReal
                    | FloatOp::ToIeeeBv
            ) | Op::Arithmetic(ArithmeticOp::Divide | ArithmeticOp::Div | ArithmeticOp::Mod)
        )
    }

    /// The results that are given, with the operation and the arguments of each.
    pub fn iter(&self) -> impl Iterator<Item = (Op, &[Value], &Value)> {
        self.0.iter().map(|((op, arguments), result)| (*op, &arguments[..], result))
    }

    /// The result of an operation on arguments for which the standard leaves it open; `None` if the operation is of another theory.
    pub fn of(&self, op: Op, arguments: &[&Value]) -> Option<Value> {
        let operator = match op {
            Op::Float(operator) => operator,
            Op::Arithmetic(ArithmeticOp::Divide | ArithmeticOp::Div | ArithmeticOp::Mod) => {
                return self.quotient(op, arguments);
            }
            _ => return None,
        };
        if let Some(given) = self.given(op, arguments) {
            return Some(given);
        }
        match (operator, arguments) {
            (FloatOp::Min | FloatOp::Max, [first, _]) => Some((*first).clone()),
            (FloatOp::ToUbv(width) | FloatOp::ToSbv(width), _) => Some(Value::BitVec(BitVector::zero(width))),
            (FloatOp::ToIeeeBv, [Value::Float(value)]) => {
                Some(Value::BitVec(BitVector::zero(value.format().width())))
            }
            (FloatOp::ToReal, [Value::Float(value)]) if value.is_nan() || value.is_infinite() => {
                Some(Value::Real(Arc::new(RBig::ZERO)))
            }
            _ => None,
        }
    }

    /// The result that is given for an operation on arguments.
    fn given(&self, op: Op, arguments: &[&Value]) -> Option<Value> {
        if self.0.is_empty() {
            return None;
        }
        let key = (op, arguments.iter().map(|&value| value.clone()).collect());
        self.0.get(&key).cloned()
    }

    /// A left-associative quotient, or a remainder, where some divisor is zero.
    fn quotient(&self, op: Op, arguments: &[&Value]) -> Option<Value> {
        let (&first, divisors) = arguments.split_first()?;
        let mut quotient = first.clone();
        for &divisor in divisors {
            let zero = match divisor {
                Value::Int(_) => Value::Int(IBig::ZERO),
                _ => Value::Real(Arc::new(RBig::ZERO)),
            };
            quotient = match divisor == &zero {
                true => self.given(op, &[&quotient, divisor]).unwrap_or(zero),
                false => divide(op, &quotient, divisor)?,
            };
        }
        Some(quotient)
    }
}

/// A quotient or remainder by a number that is not zero.
fn divide(op: Op, dividend: &Value, divisor: &Value) -> Option<Value> {
    Some(match (op, dividend, divisor) {
        (Op::Arithmetic(ArithmeticOp::Div), Value::Int(a), Value::Int(b)) => Value::Int(a.div_euclid(b)),
        (_, Value::Int(a), Value::Int(b)) => Value::Int(a.rem_euclid(b).into()),
        (_, Value::Real(a), Value::Real(b)) => Value::Real(Arc::new(&**a / &**b)),
        _ => return None,
    })
}
