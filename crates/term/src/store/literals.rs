//! Terms of values: literals, and operators for values without a literal.

use dashu_int::ops::UnsignedAbs;
use dashu_int::{Sign, UBig};
use dashu_ratio::RBig;

use super::{TermId, TermStore};
use crate::bitvector::BitVector;
use crate::op::{ConstantId, Op};
use crate::sort::{Sort, SortId};
use crate::theory::arithmetic::ArithmeticOp;
use crate::theory::datatype::DatatypeOp;
use crate::theory::float::FloatOp;
use crate::theory::sequence::SequenceOp;
use crate::value::Value;

impl TermStore {
    /// The literal of a value.
    ///
    /// Numbers have literals if they have no sign and are written in digits; floating-point values if they are
    /// special and have names. [`value_term`](Self::value_term) makes terms of the others.
    ///
    /// # Panics
    /// For values that have no literal of their own.
    pub fn constant(&mut self, value: Value) -> TermId {
        let sort = match &value {
            Value::Bool(_) => SortId::BOOL,
            Value::BitVec(bits) => self.bit_vec_sort(bits.width()).expect("values have legal widths"),
            Value::Int(_) => SortId::INT,
            Value::Real(_) => SortId::REAL,
            Value::RoundingMode(_) => SortId::ROUNDING_MODE,
            Value::String(_) => SortId::STRING,
            Value::Float(value) => {
                self.intern_sort(Sort::Float(value.format())).expect("values have legal formats")
            }
            other => panic!("no literal for {other:?}"),
        };
        let id = match self.constant_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = ConstantId::new(self.constants.len());
                self.constants.push(value.clone());
                self.constant_ids.insert(value, id);
                id
            }
        };
        self.find(Op::Constant(id), &[]).unwrap_or_else(|| self.insert(Op::Constant(id), &[], sort))
    }

    /// The integer literal of these decimal digits.
    ///
    /// # Panics
    /// When there are other characters, or none.
    pub fn numeral(&mut self, digits: &str) -> TermId {
        let value = UBig::from_str_radix(digits, 10).expect("digits");
        self.constant(Value::Int(value.into()))
    }

    /// The real literal of these decimal digits, with or without a point among them.
    ///
    /// # Panics
    /// When there are other characters, or no digits.
    pub fn decimal(&mut self, digits: &str) -> TermId {
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let numerator = UBig::from_str_radix(&format!("{whole}{fraction}"), 10).expect("digits");
        let denominator = UBig::from(10u8).pow(fraction.len());
        self.constant(Value::Real(RBig::from_parts(numerator.into(), denominator).into()))
    }

    /// A term that has a value, written with literals and operators.
    ///
    /// # Panics
    /// For array and uninterpreted values and regular expressions, which no term has by itself.
    pub fn value_term(&mut self, sort: SortId, value: &Value) -> TermId {
        match value {
            Value::Int(number) => {
                let digits = number.clone().unsigned_abs().to_string();
                let literal = self.numeral(&digits);
                self.signed(literal, number.sign() == Sign::Negative)
            }
            Value::Real(number) => {
                let [numerator, denominator] =
                    [number.numerator().clone().unsigned_abs(), number.denominator().clone()]
                        .map(|number| self.decimal(&number.to_string()));
                let quotient = match number.denominator().is_one() {
                    true => numerator,
                    false => self.make(Op::Arithmetic(ArithmeticOp::Divide), &[numerator, denominator]),
                };
                self.signed(quotient, number.numerator().sign() == Sign::Negative)
            }
            Value::Float(float) if !float.is_nan() && !float.is_infinite() && !float.is_zero() => {
                let fields = float.to_fields().map(|field| self.bit_vector(field));
                self.make(Op::Float(FloatOp::Fp), &fields)
            }
            Value::Datatype(value) => {
                let constructor = value.constructor();
                let sorts = self.field_sorts(sort, constructor).expect("a value of the sort").to_vec();
                let fields: Vec<TermId> = sorts
                    .into_iter()
                    .zip(value.fields())
                    .map(|(sort, field)| self.value_term(sort, field))
                    .collect();
                self.make(Op::Datatype(DatatypeOp::Construct { constructor, sort }), &fields)
            }
            Value::Sequence(value) => {
                let Sort::Sequence(element) = *self.sort(sort) else { unreachable!("a value of the sort") };
                let elements: Vec<TermId> =
                    value.elements().iter().map(|value| self.value_term(element, value)).collect();
                self.sequence_term(sort, &elements)
            }
            other => self.constant(other.clone()),
        }
    }

    /// The sequence of these elements, of a sort of sequences.
    ///
    /// # Panics
    /// When the elements are not of its elements' sort.
    pub fn sequence_term(&mut self, sort: SortId, elements: &[TermId]) -> TermId {
        let units: Vec<TermId> =
            elements.iter().map(|&element| self.make(Op::Sequence(SequenceOp::Unit), &[element])).collect();
        match units[..] {
            [] => self.make(Op::Sequence(SequenceOp::Empty(sort)), &[]),
            [unit] => unit,
            _ => self.make(Op::Sequence(SequenceOp::Concat), &units),
        }
    }

    fn signed(&mut self, number: TermId, is_negative: bool) -> TermId {
        if is_negative { self.make(Op::Arithmetic(ArithmeticOp::Sub), &[number]) } else { number }
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.constant(Value::Bool(value))
    }

    /// The literal of a bit-vector.
    pub fn bit_vector(&mut self, value: BitVector) -> TermId {
        self.constant(Value::BitVec(value))
    }

    /// The value of a literal term, `None` for any other.
    pub fn value(&self, term: TermId) -> Option<&Value> {
        match self.op(term) {
            Op::Constant(id) => Some(&self.constants[id.index()]),
            _ => None,
        }
    }
}
