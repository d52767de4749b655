//! The table of all rules, with those tried for each operator, in their order.

use sundry_term::{FloatOp, Op, TermId, Value, evaluate_operator};

use super::context::Context;
use super::{
    arithmetic, array, bitwise, boolean, compare, concat, conjunction, division, equality, extract, float,
    ite, linear, overflow, polynomial, shift,
};

macro_rules! rules {
    ($($(#[$documentation:meta])* $rule:ident = $function:path;)*) => {
        /// A rewriting rule; its equivalence is written at its function.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(crate) enum Rule {
            $($(#[$documentation])* $rule,)*
        }

        impl Rule {
            /// Every rule, in the order of the enumeration.
            pub(crate) const ALL: &'static [Rule] = &[$(Rule::$rule,)*];

            /// The result of rewriting the application; `None` where the rule does not match.
            pub(super) fn apply(self, context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
                match self {
                    $(Rule::$rule => $function(context, op, arguments),)*
                }
            }
        }
    };
}

rules! {
    Evaluate = evaluate;
    Order = boolean::order;
    Pairwise = boolean::pairwise;

    NotNot = boolean::not_not;
    OrToAnd = boolean::or_to_and;
    ImpliesToAnd = boolean::implies_to_and;
    XorToEqual = boolean::xor_to_equal;
    DistinctPair = boolean::distinct_pair;
    DistinctSame = boolean::distinct_same;
    DistinctTooMany = boolean::distinct_too_many;
    DistinctFew = boolean::distinct_few;

    AndSingle = conjunction::single;
    AndAbsorbing = conjunction::absorbing;
    AndNeutral = conjunction::neutral;
    AndLiterals = conjunction::literals;
    AndDuplicate = conjunction::duplicate;
    AndComplement = conjunction::complement;
    AndNested = conjunction::nested;
    AndPropagate = conjunction::propagate;
    AndResolve = conjunction::resolve;

    EqualChain = equality::chain;
    EqualDecided = equality::decided;
    EqualTruth = equality::with_truth;
    EqualNot = equality::of_not;
    EqualOneBit = equality::one_bit;
    EqualParity = equality::parity;
    EqualXor = equality::of_xor;
    EqualIte = equality::of_ite;
    EqualBits = equality::of_bits;
    EqualConcat = equality::of_concat;
    EqualSignExtend = equality::of_sign_extend;
    EqualAnd = equality::of_and;
    EqualLinear = linear::equality;
    EqualPolynomial = polynomial::equality;
    EqualArray = array::equal;

    IteDecided = ite::decided;
    IteSame = ite::same;
    IteNegated = ite::negated;
    IteFlippedBit = ite::flipped_bit;
    IteConditionInBranch = ite::condition_in_branch;
    IteLiteralBranch = ite::literal_branch;
    IteComplementary = ite::complementary;
    IteNegatedBranch = ite::negated_branch;
    IteSameCondition = ite::same_condition;
    IteSharedBranch = ite::shared_branch;
    IteEqualBranches = ite::equal_branches;
    IteBitAgain = ite::bit_again;
    IteBelowUnary = ite::below_unary;

    NandToAnd = bitwise::nand_to_and;
    NorToAnd = bitwise::nor_to_and;
    XnorToXor = bitwise::xnor_to_xor;
    NotXor = bitwise::not_xor;
    NotNeg = bitwise::not_neg;
    NotConcat = bitwise::not_concat;
    XorSimpleLiteral = bitwise::xor_simple_literal;
    XorPullLiteral = bitwise::xor_pull_literal;
    XorCancel = bitwise::xor_cancel;
    OnSlices = bitwise::on_slices;
    OneBitAnd = bitwise::one_bit_and;
    OneBitXor = bitwise::one_bit_xor;
    ReduceAnd = bitwise::reduce_and;
    ReduceOr = bitwise::reduce_or;
    CompareBits = bitwise::compare_bits;

    ConcatFlatten = concat::flatten;
    ConcatLiterals = concat::literals;
    ConcatAdjacent = concat::adjacent;
    ConcatSign = concat::sign;
    ZeroExtend = concat::zero_extend;
    SignExtendNone = concat::sign_extend_none;
    SignExtendTwice = concat::sign_extend_twice;
    SignExtendLiteral = concat::sign_extend_literal;
    Repeat = concat::repeat;
    Rotate = concat::rotate;

    ExtractWhole = extract::whole;
    ExtractExtract = extract::of_extract;
    ExtractConcat = extract::of_concat;
    ExtractSignExtend = extract::of_sign_extend;
    ExtractNot = extract::of_not;
    ExtractBitwise = extract::of_bitwise;
    ExtractArithmetic = extract::of_arithmetic;

    OneBitArithmetic = arithmetic::one_bit;
    Difference = linear::difference;
    Sum = linear::sum;
    Negation = linear::negation;
    Product = linear::product;

    UnsignedByLiteral = division::unsigned_by_literal;
    ZeroDividend = division::zero_dividend;
    SameOperands = division::same_operands;
    NarrowDivision = division::narrow;
    SignedOfPositive = division::signed_of_positive;
    SignedByLiteral = division::signed_by_literal;

    ShiftByLiteral = shift::by_literal;
    ShiftOfLiteral = shift::of_literal;
    OneBitShift = shift::one_bit;
    ArithmeticOfPositive = shift::arithmetic_of_positive;

    ToLess = compare::to_less;
    LessSame = compare::same;
    LessAtBounds = compare::at_bounds;
    LessBlock = compare::block;
    LessSign = compare::sign;
    LessComplements = compare::complements;
    LessLeading = compare::leading;
    LessCommonPart = compare::common_part;
    LessExtended = compare::extended;
    LessChoice = compare::choice;
    LessRemainder = compare::remainder;
    LessOneBit = compare::one_bit;

    NegationOverflow = overflow::negation;
    UnsignedSumOverflow = overflow::unsigned_sum;
    UnsignedDifferenceOverflow = overflow::unsigned_difference;
    QuotientOverflow = overflow::quotient;
    SignedSumOverflow = overflow::signed_sum;
    SignedDifferenceOverflow = overflow::signed_difference;
    UnsignedProductOverflow = overflow::unsigned_product;
    SignedProductOverflow = overflow::signed_product;

    Select = array::select;
    SelectIte = array::select_ite;
    StoreAgain = array::store_again;
    StoreSame = array::store_same;

    FloatOrder = float::order;
    FloatDifference = float::difference;
    FloatSigns = float::signs;
    FloatClass = float::class;
    FloatToLess = float::to_less;
    FloatSame = float::same;
    FloatSameExtremes = float::same_extremes;
    FloatSameFormat = float::same_format;
    FloatUnit = float::by_unit;
}

/// Operators on literals → their value
fn evaluate(context: &mut Context<'_>, op: Op, arguments: &[TermId]) -> Option<TermId> {
    if arguments.iter().any(|&argument| !context.is_literal(argument)) {
        return None;
    }
    let values: Vec<&Value> =
        arguments.iter().filter_map(|&argument| context.store.value(argument)).collect();
    let value = evaluate_operator(context.store, op, &values).ok()?;
    Some(context.store.constant(value))
}

fn rules_of_floats(operator: FloatOp) -> &'static [Rule] {
    use FloatOp::*;
    use Rule::*;
    match operator {
        Add | Fma => &[Evaluate, FloatOrder],
        Mul => &[Evaluate, FloatUnit, FloatOrder],
        Div => &[Evaluate, FloatUnit],
        Sub => &[Evaluate, FloatDifference],
        Neg | Abs => &[Evaluate, FloatSigns],
        IsNormal | IsSubnormal | IsZero | IsInfinite | IsNan => &[Evaluate, FloatClass],
        Lt | Leq => &[Evaluate, FloatToLess, FloatSame],
        Gt | Geq => &[Evaluate, FloatToLess],
        Eq => &[Evaluate, FloatToLess, FloatSame, FloatOrder],
        Min | Max => &[Evaluate, FloatSameExtremes],
        ToFp(_) => &[Evaluate, FloatSameFormat],
        _ => &[Evaluate],
    }
}

/// The rules that are tried for an operator, the first that matches is applied.
pub(super) fn rules_of(op: Op) -> &'static [Rule] {
    use Rule::*;
    match op {
        Op::Constant(_) | Op::Apply(_) | Op::ConstArray(_) => &[],
        Op::Arithmetic(_) => &[Evaluate],
        // Formulas of other theories are refused where they are read.
        Op::String(_) | Op::Sequence(_) | Op::Datatype(_) | Op::Forall(_) | Op::Exists(_) => &[],
        Op::Float(operator) => rules_of_floats(operator),

        Op::Not => &[Evaluate, NotNot],
        Op::And => &[
            AndSingle,
            AndAbsorbing,
            AndNeutral,
            AndDuplicate,
            AndComplement,
            Order,
            AndNested,
            AndPropagate,
            AndResolve,
        ],
        Op::Or | Op::BvOr => &[Evaluate, OrToAnd],
        Op::Xor => &[Evaluate, XorToEqual],
        Op::Implies => &[Evaluate, ImpliesToAnd],
        Op::Equal => &[
            EqualChain,
            Evaluate,
            EqualDecided,
            Order,
            EqualTruth,
            EqualNot,
            EqualOneBit,
            EqualParity,
            EqualIte,
            EqualBits,
            EqualConcat,
            EqualSignExtend,
            EqualXor,
            EqualAnd,
            EqualLinear,
            EqualPolynomial,
            EqualArray,
        ],
        Op::Distinct => &[DistinctPair, Evaluate, DistinctSame, DistinctTooMany, DistinctFew, Order],
        Op::Ite => &[
            IteDecided,
            IteSame,
            IteFlippedBit,
            IteNegated,
            IteConditionInBranch,
            IteLiteralBranch,
            IteComplementary,
            IteNegatedBranch,
            IteSameCondition,
            IteSharedBranch,
            IteEqualBranches,
            IteBitAgain,
        ],

        Op::Concat => &[Evaluate, ConcatFlatten, ConcatLiterals, ConcatAdjacent, ConcatSign],
        Op::Extract { .. } => &[
            ExtractWhole,
            Evaluate,
            ExtractExtract,
            ExtractConcat,
            ExtractSignExtend,
            ExtractNot,
            IteBelowUnary,
            ExtractBitwise,
            ExtractArithmetic,
        ],
        Op::Repeat(_) => &[Evaluate, Repeat],
        Op::ZeroExtend(_) => &[Evaluate, ZeroExtend],
        Op::SignExtend(_) => &[SignExtendNone, Evaluate, SignExtendTwice, SignExtendLiteral, IteBelowUnary],
        Op::RotateLeft(_) | Op::RotateRight(_) => &[Evaluate, Rotate],

        Op::BvNot => &[Evaluate, NotNot, NotXor, NotNeg, NotConcat, IteBelowUnary],
        Op::BvNeg => &[Evaluate, OneBitArithmetic, IteBelowUnary, Negation],
        Op::BvAnd => &[
            Evaluate,
            AndAbsorbing,
            AndNeutral,
            AndLiterals,
            AndDuplicate,
            AndComplement,
            Order,
            OneBitAnd,
            OnSlices,
            AndNested,
            AndPropagate,
            AndResolve,
        ],
        Op::BvXor => {
            &[Evaluate, Pairwise, Order, XorSimpleLiteral, XorPullLiteral, OneBitXor, OnSlices, XorCancel]
        }
        Op::BvNand => &[Evaluate, NandToAnd],
        Op::BvNor => &[Evaluate, NorToAnd],
        Op::BvXnor => &[Evaluate, XnorToXor],
        Op::BvAdd => &[Evaluate, Pairwise, Order, OneBitArithmetic, Sum, OnSlices],
        Op::BvSub => &[Evaluate, Pairwise, OneBitArithmetic, Difference],
        Op::BvMul => &[Evaluate, Pairwise, Order, OneBitArithmetic, Product],
        Op::BvUdiv | Op::BvUrem => &[Evaluate, UnsignedByLiteral, ZeroDividend, SameOperands, NarrowDivision],
        Op::BvSdiv | Op::BvSrem | Op::BvSmod => &[Evaluate, SignedByLiteral, SameOperands, SignedOfPositive],
        Op::BvShl => &[Evaluate, ShiftByLiteral, ShiftOfLiteral, OneBitShift],
        Op::BvLshr => &[Evaluate, ShiftByLiteral, ShiftOfLiteral, OneBitShift],
        Op::BvAshr => &[Evaluate, ShiftByLiteral, ShiftOfLiteral, OneBitShift, ArithmeticOfPositive],
        Op::BvComp => &[Evaluate, CompareBits],
        Op::BvRedAnd => &[Evaluate, ReduceAnd],
        Op::BvRedOr => &[Evaluate, ReduceOr],
        Op::BvRedXor | Op::BvInc | Op::BvDec | Op::ExtRotateLeft | Op::ExtRotateRight => &[Evaluate],

        Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSle | Op::BvSgt | Op::BvSge => &[Evaluate, ToLess],
        Op::BvUlt => &[
            Evaluate,
            LessSame,
            LessOneBit,
            LessAtBounds,
            LessBlock,
            LessComplements,
            LessLeading,
            LessCommonPart,
            LessExtended,
            LessChoice,
            LessRemainder,
        ],
        Op::BvSlt => &[
            Evaluate,
            LessSame,
            LessOneBit,
            LessAtBounds,
            LessSign,
            LessComplements,
            LessLeading,
            LessCommonPart,
            LessExtended,
            LessChoice,
        ],

        Op::BvNego => &[Evaluate, NegationOverflow],
        Op::BvUaddo => &[Evaluate, UnsignedSumOverflow],
        Op::BvSaddo => &[Evaluate, Order, SignedSumOverflow],
        Op::BvUmulo => &[Evaluate, Order, UnsignedProductOverflow],
        Op::BvSmulo => &[Evaluate, Order, SignedProductOverflow],
        Op::BvUsubo => &[Evaluate, UnsignedDifferenceOverflow],
        Op::BvSsubo => &[Evaluate, SignedDifferenceOverflow],
        Op::BvSdivo => &[Evaluate, QuotientOverflow],

        Op::Select => &[Select, SelectIte],
        Op::Store => &[StoreAgain, StoreSame],
    }
}
