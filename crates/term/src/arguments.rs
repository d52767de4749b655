//! The arguments of an application, wherever their values are kept.

use std::sync::Arc;

use dashu_int::IBig;
use dashu_ratio::RBig;

use crate::array::ArrayValue;
use crate::bitvector::BitVector;
use crate::control::Control;
use crate::float::Float;
use crate::string::{Regex, Text};
use crate::theory::datatype::DatatypeValue;
use crate::theory::sequence::SequenceValue;
use crate::value::Value;

/// Values by number. The arguments of a well-sorted application are not checked again.
#[derive(Copy, Clone)]
pub(crate) struct Arguments<'c, F> {
    count: usize,
    value: F,
    control: &'c Control,
}

macro_rules! accessors {
    ($($name:ident, $variant:ident, $type:ty, $what:literal;)*) => {
        impl<'v, F: Fn(usize) -> &'v Value + Copy> Arguments<'_, F> {
            $(
                pub(crate) fn $name(self, i: usize) -> &'v $type {
                    match self.get(i) {
                        Value::$variant(value) => value,
                        other => unreachable!(concat!("a well-sorted application has ", $what, " here, not {:?}"), other),
                    }
                }
            )*
        }
    };
}

accessors! {
    bits, BitVec, BitVector, "a bit-vector";
    array, Array, ArrayValue, "an array";
    int, Int, IBig, "an integer";
    real, Real, RBig, "a real";
    float, Float, Float, "a floating-point value";
    text, String, Text, "a string";
    regex, Regex, Arc<Regex>, "a regular expression";
    sequence, Sequence, SequenceValue, "a sequence";
    datatype, Datatype, DatatypeValue, "a value of a datatype";
}

impl<'v, 'c, F: Fn(usize) -> &'v Value + Copy> Arguments<'c, F> {
    /// `count` arguments, number `i` of which is `value(i)`; computing with them obeys a control.
    pub(crate) fn new(count: usize, value: F, control: &'c Control) -> Self {
        Arguments { count, value, control }
    }

    /// The control that stops computing with the arguments.
    pub(crate) fn control(self) -> &'c Control {
        self.control
    }

    /// The number of arguments.
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// The argument at a position, of any sort.
    pub(crate) fn get(self, i: usize) -> &'v Value {
        (self.value)(i)
    }

    /// A truth value.
    pub(crate) fn bool(self, i: usize) -> bool {
        self.get(i).as_bool().expect("a well-sorted application has a Boolean here")
    }
}
