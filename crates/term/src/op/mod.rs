//! Operators: the part of a term node besides its arguments.

mod names;

use crate::entity_id;
use crate::sort::SortId;
use crate::theory::arithmetic::ArithmeticOp;
use crate::theory::datatype::DatatypeOp;
use crate::theory::float::FloatOp;
use crate::theory::sequence::SequenceOp;
use crate::theory::string::StringOp;

entity_id! {
    /// Identity of a symbol (constant, function or bound parameter) in a store.
    pub struct SymbolId, "symbol"
}

entity_id! {
    /// Identity of a literal value in a store.
    pub struct ConstantId, "constant"
}

entity_id! {
    /// Identity of a list of bound variables in a store.
    pub struct BinderId, "binder"
}

/// The operator of a term. Indices of indexed operators are part of it, so that equal operators on equal arguments
/// are one term.
///
/// Meanings follow the SMT-LIB standard and its 2.7 additions (overflow predicates). Operators of theories other than
/// Core, FixedSizeBitVectors and ArraysEx are grouped by theory. If the standard allows an application with more
/// arguments than the binary form, it is one node.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// A literal value, which the store holds.
    Constant(ConstantId),
    /// A declared constant or function applied to as many arguments as it takes (none for a constant).
    Apply(SymbolId),

    /// Boolean negation.
    Not,
    /// Conjunction of one or more.
    And,
    /// Disjunction of one or more.
    Or,
    /// Exclusive or, left-associative.
    Xor,
    /// Implication, right-associative.
    Implies,
    /// Equality, chainable.
    Equal,
    /// Pairwise disequality.
    Distinct,
    /// If-then-else over any sort.
    Ite,

    /// Concatenation, the first argument most significant, left-associative.
    Concat,
    /// Bits `high` down to `low`.
    Extract {
        /// Highest bit taken.
        high: u32,
        /// Lowest bit taken.
        low: u32,
    },
    /// The argument this many times side by side.
    Repeat(u32),
    /// The argument with this many zero bits in front.
    ZeroExtend(u32),
    /// The argument with this many copies of the sign bit in front.
    SignExtend(u32),
    /// Rotation to the left.
    RotateLeft(u32),
    /// Rotation to the right.
    RotateRight(u32),
    /// Bitwise complement.
    BvNot,
    /// Two's complement negation.
    BvNeg,
    /// Bitwise and, left-associative.
    BvAnd,
    /// Bitwise or, left-associative.
    BvOr,
    /// Bitwise exclusive or, left-associative.
    BvXor,
    /// Complement of bitwise and.
    BvNand,
    /// Complement of bitwise or.
    BvNor,
    /// Complement of bitwise exclusive or, left-associative.
    BvXnor,
    /// Sum modulo 2^width, left-associative.
    BvAdd,
    /// Difference modulo 2^width, left-associative.
    BvSub,
    /// Product modulo 2^width, left-associative.
    BvMul,
    /// Unsigned quotient; all ones when the divisor is zero.
    BvUdiv,
    /// Unsigned remainder; the dividend when the divisor is zero.
    BvUrem,
    /// Signed quotient, rounding towards zero.
    BvSdiv,
    /// Signed remainder with the sign of the dividend.
    BvSrem,
    /// Signed remainder with the sign of the divisor.
    BvSmod,
    /// Shift to the left; zero from the width on.
    BvShl,
    /// Logical shift to the right; zero from the width on.
    BvLshr,
    /// Arithmetic shift to the right; all sign bits from the width on.
    BvAshr,
    /// A single bit: 1 exactly if the arguments are equal.
    BvComp,
    /// A single bit: the conjunction of all bits.
    BvRedAnd,
    /// A single bit: the disjunction of all bits.
    BvRedOr,
    /// A single bit: the exclusive or of all bits. As in Bitwuzla.
    BvRedXor,
    /// The successor modulo 2^width. As in Bitwuzla.
    BvInc,
    /// The predecessor modulo 2^width. As in Bitwuzla.
    BvDec,
    /// Rotation to the left by the second argument, a number without sign. As in Z3.
    ExtRotateLeft,
    /// Rotation to the right by the second argument, a number without sign. As in Z3.
    ExtRotateRight,
    /// Unsigned less than.
    BvUlt,
    /// Unsigned less or equal.
    BvUle,
    /// Unsigned greater than.
    BvUgt,
    /// Unsigned greater or equal.
    BvUge,
    /// Signed less than.
    BvSlt,
    /// Signed less or equal.
    BvSle,
    /// Signed greater than.
    BvSgt,
    /// Signed greater or equal.
    BvSge,
    /// Negation overflows: the argument is the least signed value.
    BvNego,
    /// Unsigned addition overflows.
    BvUaddo,
    /// Signed addition overflows.
    BvSaddo,
    /// Unsigned multiplication overflows.
    BvUmulo,
    /// Signed multiplication overflows.
    BvSmulo,
    /// Unsigned subtraction underflows.
    BvUsubo,
    /// Signed subtraction overflows.
    BvSsubo,
    /// Signed division overflows: least signed value by minus one.
    BvSdivo,

    /// The element of an array at an index.
    Select,
    /// An array with one element replaced.
    Store,
    /// The array of this sort that holds its argument everywhere.
    ConstArray(SortId),

    /// An operator on integers and reals.
    Arithmetic(ArithmeticOp),
    /// An operator on floating-point values.
    Float(FloatOp),
    /// An operator on strings and regular expressions.
    String(StringOp),
    /// An operator on sequences.
    Sequence(SequenceOp),
    /// A constructor, selector or tester of a datatype.
    Datatype(DatatypeOp),
    /// Whether the body holds for all values of the bound variables.
    Forall(BinderId),
    /// Whether the body holds for some values of the bound variables.
    Exists(BinderId),
}

impl Op {
    /// Whether solvers in general know the operator. Some have others of their own.
    pub fn is_common(self) -> bool {
        use Op::*;
        !matches!(self, BvRedXor | BvInc | BvDec | ExtRotateLeft | ExtRotateRight)
    }
}
