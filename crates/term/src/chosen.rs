//! Results that the standard leaves open, as a model chooses them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bitvector::BitVector;
use crate::op::Op;
use crate::theory::float::FloatOp;
use crate::value::Value;

/// An interpretation of the floating-point operations where the standard leaves their results open: some results are given, all others are the
/// first argument or zero. Equal arguments have equal results, as the standard asks.
///
/// A formula that holds under some interpretation is satisfiable, so a solver may choose one. Operations of other theories stay open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChosenResults(Arc<BTreeMap<(Op, Vec<Value>), Value>>);

impl ChosenResults {
    /// The interpretation with these results of operations on arguments.
    pub fn new(results: BTreeMap<(Op, Vec<Value>), Value>) -> ChosenResults {
        ChosenResults(Arc::new(results))
    }

    /// The result of an operation that is open; `None` if the operation is of another theory.
    pub(crate) fn of(&self, op: Op, arguments: &[&Value]) -> Option<Value> {
        let Op::Float(operator) = op else { return None };
        if !self.0.is_empty() {
            let key = (op, arguments.iter().map(|&value| value.clone()).collect());
            if let Some(value) = self.0.get(&key) {
                return Some(value.clone());
            }
        }
        match (operator, arguments) {
            (FloatOp::Min | FloatOp::Max, [first, _]) => Some((*first).clone()),
            (FloatOp::ToUbv(width) | FloatOp::ToSbv(width), _) => Some(Value::BitVec(BitVector::zero(width))),
            (FloatOp::ToIeeeBv, [Value::Float(value)]) => {
                Some(Value::BitVec(BitVector::zero(value.format().width())))
            }
            _ => None,
        }
    }
}
