//! Programs: the steps over registers to which assertions are compiled.
//!
//! Local search takes one step after the other, and wants distances besides truth values. The programs of `sundry-lanes` compute truth values of 64
//! models at once, for judging, by the definitions of the theories. These compute one model at a time, with the arithmetic of
//! the processor, and only guide: whatever they find is judged. So the two share neither steps nor registers.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use sundry_term::{
    BitVector, Control, Float, FloatFormat, Op, RoundingMode, Stopped, TermId, TermStore, Value,
};

use crate::cone::Cone;
use crate::distance::{Distance, Relation};
use crate::native::{NativeConversion, NativeFormat, NativeOp};
use crate::variable::Variable;

/// The place of a term's value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// A Boolean, as its distances.
    Distance(u32),
    /// A value that fits one machine word.
    Word(u32, Shape),
    /// Any other value: wide words and floats, integers, reals.
    Value(u32),
}

/// The meaning of a machine word.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// A bit-vector of this width.
    Bits(u32),
    /// The bits of a value of this format; NaN has its canonical ones.
    Float(FloatFormat),
    /// The number of a mode in the order of the standard.
    Mode,
}

impl Shape {
    /// The value that a word stands for.
    pub(crate) fn value(self, word: u64) -> Value {
        match self {
            Shape::Bits(width) => Value::BitVec(BitVector::from_u64(width, word)),
            Shape::Float(format) => {
                let bits = BitVector::from_u64(format.width(), word);
                Value::Float(Arc::new(Float::from_bits(format, &bits)))
            }
            Shape::Mode => Value::RoundingMode(RoundingMode::ALL[word as usize]),
        }
    }

    /// The word that stands for a value.
    pub(crate) fn word(value: &Value) -> u64 {
        match value {
            Value::BitVec(bits) => bits.limbs()[0],
            Value::Float(float) => float.canonical_bits().limbs()[0],
            Value::RoundingMode(mode) => {
                let position = RoundingMode::ALL.iter().position(|other| other == mode);
                position.expect("all modes are listed") as u64
            }
            other => unreachable!("{other:?} is no word"),
        }
    }
}

/// The order by which words are compared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// The identity of values of a format: the zeros differ, and NaN equals itself.
    Identity(FloatFormat),
    /// The order of IEEE 754.
    Ieee(FloatFormat),
    /// The order of words, as numbers without sign.
    Unsigned,
    /// The order of words of a width, as numbers with sign.
    Signed(u32),
    /// None: words are equal or not.
    Unordered,
}

/// A set of values of a format.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Normal,
    Subnormal,
    Zero,
    Infinite,
    Nan,
    Negative,
    Positive,
}

/// An operation on words of at most 64 bits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum WordOp {
    Not,
    Neg,
    And,
    Or,
    Xor,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Shl,
    Lshr,
    Ashr,
    /// The first operand in front of the second, which has this many bits.
    Concat(u32),
    /// Bits from this one on.
    Extract(u32),
    /// Copies of the sign of an operand of this width in front.
    SignExtend(u32),
    /// The same bits; those of NaN are made canonical.
    FloatOfBits(FloatFormat),
    /// The same bits; those of NaN are zero, as models choose unless they say otherwise.
    BitsOfFloat(FloatFormat),
}

/// A computation from registers. Numbers of registers are of words, unless the comment says otherwise.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Native {
        op: NativeOp,
        format: NativeFormat,
        operands: [u32; 3],
        result: u32,
    },
    Convert {
        conversion: NativeConversion,
        format: NativeFormat,
        operand: u32,
        result: u32,
    },
    Word {
        op: WordOp,
        width: u32,
        operands: [u32; 2],
        result: u32,
    },
    /// A word by a condition, which is a distance.
    ChooseWord {
        condition: u32,
        operands: [u32; 2],
        result: u32,
    },
    /// A value by a condition, which is a distance.
    ChooseValue {
        condition: u32,
        operands: [u32; 2],
        result: u32,
    },
    /// The distance of a relation between words.
    Compare {
        relation: Relation,
        order: Order,
        operands: [u32; 2],
        result: u32,
    },
    /// The distance of a relation between values; of words in the order of numbers with sign, or without.
    CompareValues {
        relation: Relation,
        order: ValueOrder,
        operands: [u32; 2],
        result: u32,
    },
    /// The distance of being in a class.
    Classify {
        class: Class,
        format: FloatFormat,
        operand: u32,
        result: u32,
    },
    /// The distance of a word that is a truth value.
    Truth {
        operand: u32,
        result: u32,
    },
    /// Of distances.
    Not {
        operand: u32,
        result: u32,
    },
    /// Of distances.
    And {
        operands: [u32; 2],
        result: u32,
    },
    /// Of distances.
    Or {
        operands: [u32; 2],
        result: u32,
    },
    /// Of distances.
    Xor {
        operands: [u32; 2],
        result: u32,
    },
    /// A choice between distances.
    Choice {
        operands: [u32; 3],
        result: u32,
    },
    /// Any other operator, by the evaluator.
    Evaluate {
        op: Op,
        operands: Range<usize>,
        result: Slot,
    },
}

/// The order by which values that are not words of the machine are compared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ValueOrder {
    /// Of floats, the order of IEEE 754; of bit-vectors, as numbers without sign.
    Plain,
    /// Of bit-vectors, as numbers with sign.
    Signed,
    /// Of floats, the identity.
    Identity,
}

/// The error that the search does not support a term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    /// The term.
    pub term: TermId,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("distances are computed for formulas without arrays, functions and declared sorts")
    }
}

impl std::error::Error for Unsupported {}

/// Assertions, ready to be evaluated under one assignment after the other.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) steps: Vec<Step>,
    /// The operands of steps that have any number.
    pub(crate) operands: Vec<Slot>,
    /// The distances of the assertions.
    pub(crate) roots: Vec<u32>,
    pub(crate) variables: Vec<Variable>,
    /// Words that assertions mention, by their shapes: a search tries them.
    pub(crate) literals: Vec<(Shape, u64)>,
    /// The registers at the start, with all literals.
    pub(crate) registers: Registers,
    /// The steps that depend on each variable; none if the program is too large.
    pub(crate) cones: Vec<Cone>,
    /// The work of a run, in steps of the processor's arithmetic.
    pub(crate) work: u64,
}

/// The registers of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registers {
    pub(crate) words: Vec<u64>,
    pub(crate) values: Vec<Value>,
    pub(crate) distances: Vec<Distance>,
}

impl Program {
    /// The symbols to which an assignment gives values, in the order of its positions.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The distances of the parts of the assertions that all have to be true, under an assignment of the variables.
    ///
    /// # Errors
    /// The reason for which the control stopped the work.
    pub fn distances(
        &self,
        store: &TermStore,
        point: &[u64],
        control: &Control,
    ) -> Result<Vec<Distance>, Stopped> {
        let mut registers = self.registers.clone();
        for (variable, &position) in self.variables.iter().zip(point) {
            variable.load(position, &mut registers);
        }
        self.run(store, &mut registers, control)?;
        Ok(self.roots.iter().map(|&root| registers.distances[root as usize]).collect())
    }

    /// The work of evaluating the assertions once, in steps of the processor's arithmetic: about two nanoseconds each.
    pub fn work(&self) -> u64 {
        self.work
    }
}
