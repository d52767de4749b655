//! The names of operators in SMT-LIB, and operators by their names: the only place where the names of Core, bit-vectors
//! and arrays are written down. Readers derive their lists from [`Op::plain`] and [`Op::indexed`].

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Op;
use crate::float::FloatFormat;
use crate::theory::arithmetic::ArithmeticOp;
use crate::theory::float::FloatOp;
use crate::theory::sequence::SequenceOp;
use crate::theory::string::StringOp;

/// Names of the operators of Core, bit-vectors and arrays that have no indices.
macro_rules! names {
    ($($op:ident = $name:literal,)*) => {
        const OWN: &[Op] = &[$(Op::$op),*];

        impl Op {
            /// The SMT-LIB name, without indices. `Constant`, `Apply` and `ConstArray` have none of
            /// their own and answer with a word that describes them.
            pub fn name(self) -> &'static str {
                match self {
                    $(Op::$op => $name,)*
                    Op::Constant(_) => "literal",
                    Op::Apply(_) => "application",
                    Op::Extract { .. } => "extract",
                    Op::Repeat(_) => "repeat",
                    Op::ZeroExtend(_) => "zero_extend",
                    Op::SignExtend(_) => "sign_extend",
                    Op::RotateLeft(_) => "rotate_left",
                    Op::RotateRight(_) => "rotate_right",
                    Op::ConstArray(_) => "const",
                    Op::Arithmetic(op) => op.name(),
                    Op::Float(op) => op.name(),
                    Op::String(op) => op.name(),
                    Op::Sequence(op) => op.name(),
                    Op::Datatype(op) => op.name(),
                    Op::Forall(_) => "forall",
                    Op::Exists(_) => "exists",
                }
            }
        }
    };
}

names! {
    Not = "not",
    And = "and",
    Or = "or",
    Xor = "xor",
    Implies = "=>",
    Equal = "=",
    Distinct = "distinct",
    Ite = "ite",
    Concat = "concat",
    BvNot = "bvnot",
    BvNeg = "bvneg",
    BvAnd = "bvand",
    BvOr = "bvor",
    BvXor = "bvxor",
    BvNand = "bvnand",
    BvNor = "bvnor",
    BvXnor = "bvxnor",
    BvAdd = "bvadd",
    BvSub = "bvsub",
    BvMul = "bvmul",
    BvUdiv = "bvudiv",
    BvUrem = "bvurem",
    BvSdiv = "bvsdiv",
    BvSrem = "bvsrem",
    BvSmod = "bvsmod",
    BvShl = "bvshl",
    BvLshr = "bvlshr",
    BvAshr = "bvashr",
    BvComp = "bvcomp",
    BvRedAnd = "bvredand",
    BvRedOr = "bvredor",
    BvRedXor = "bvredxor",
    BvInc = "bvinc",
    BvDec = "bvdec",
    ExtRotateLeft = "ext_rotate_left",
    ExtRotateRight = "ext_rotate_right",
    BvUlt = "bvult",
    BvUle = "bvule",
    BvUgt = "bvugt",
    BvUge = "bvuge",
    BvSlt = "bvslt",
    BvSle = "bvsle",
    BvSgt = "bvsgt",
    BvSge = "bvsge",
    BvNego = "bvnego",
    BvUaddo = "bvuaddo",
    BvSaddo = "bvsaddo",
    BvUmulo = "bvumulo",
    BvSmulo = "bvsmulo",
    BvUsubo = "bvusubo",
    BvSsubo = "bvssubo",
    BvSdivo = "bvsdivo",
    Select = "select",
    Store = "store",
}

impl Op {
    /// All operators without indices, except declared functions.
    pub fn plain() -> &'static [Op] {
        &PLAIN
    }

    /// The operator without indices that has this SMT-LIB name, if any.
    pub fn from_name(name: &str) -> Option<Op> {
        BY_NAME.get(name).copied()
    }

    /// All operators whose indices are numbers, each with some indices; [`with_indices`](Self::with_indices) replaces
    /// them.
    pub fn indexed() -> &'static [Op] {
        &*INDEXED
    }

    /// The indices that are numbers: with them and its name, [`from_indexed_name`](Self::from_indexed_name) finds
    /// the operator again.
    pub fn indices(self) -> impl Iterator<Item = u32> {
        let indices = match self {
            Op::Extract { high, low } => [Some(high), Some(low)],
            Op::Float(FloatOp::ToFp(format) | FloatOp::ToFpUnsigned(format)) => {
                [Some(format.exponent_bits()), Some(format.significand_bits())]
            }
            Op::String(StringOp::ReLoop(least, most)) => [Some(least), Some(most)],
            Op::Repeat(index)
            | Op::ZeroExtend(index)
            | Op::SignExtend(index)
            | Op::RotateLeft(index)
            | Op::RotateRight(index)
            | Op::Arithmetic(ArithmeticOp::Divisible(index) | ArithmeticOp::IntToBits(index))
            | Op::Float(FloatOp::ToUbv(index) | FloatOp::ToSbv(index))
            | Op::String(StringOp::RePower(index)) => [Some(index), None],
            _ => [None, None],
        };
        indices.into_iter().flatten()
    }

    /// The same operator with other indices, if it takes that many and the format that they describe exists.
    pub fn with_indices(self, indices: &[u32]) -> Option<Op> {
        use ArithmeticOp::{Divisible, IntToBits};
        use FloatOp::{ToFp, ToFpUnsigned, ToSbv, ToUbv};
        use StringOp::{ReLoop, RePower};
        Some(match (self, indices) {
            (Op::Extract { .. }, &[high, low]) => Op::Extract { high, low },
            (Op::Repeat(_), &[n]) => Op::Repeat(n),
            (Op::ZeroExtend(_), &[n]) => Op::ZeroExtend(n),
            (Op::SignExtend(_), &[n]) => Op::SignExtend(n),
            (Op::RotateLeft(_), &[n]) => Op::RotateLeft(n),
            (Op::RotateRight(_), &[n]) => Op::RotateRight(n),
            (Op::Arithmetic(Divisible(_)), &[n]) => Op::Arithmetic(Divisible(n)),
            (Op::Arithmetic(IntToBits(_)), &[n]) => Op::Arithmetic(IntToBits(n)),
            (Op::Float(ToFp(_)), &[eb, sb]) => Op::Float(ToFp(FloatFormat::new(eb, sb)?)),
            (Op::Float(ToFpUnsigned(_)), &[eb, sb]) => Op::Float(ToFpUnsigned(FloatFormat::new(eb, sb)?)),
            (Op::Float(ToUbv(_)), &[n]) => Op::Float(ToUbv(n)),
            (Op::Float(ToSbv(_)), &[n]) => Op::Float(ToSbv(n)),
            (Op::String(RePower(_)), &[n]) => Op::String(RePower(n)),
            (Op::String(ReLoop(..)), &[least, most]) => Op::String(ReLoop(least, most)),
            _ => return None,
        })
    }

    /// The indexed operator with this SMT-LIB name, if any, with some indices.
    pub fn indexed_from_name(name: &str) -> Option<Op> {
        INDEXED_BY_NAME.get(name).copied()
    }

    /// The indexed operator with this SMT-LIB name and these indices, if any
    /// (`extract` takes two, most others one).
    pub fn from_indexed_name(name: &str, indices: &[u32]) -> Option<Op> {
        Op::indexed_from_name(name)?.with_indices(indices)
    }
}

/// The operators without indices, by name.
static BY_NAME: LazyLock<FxHashMap<&str, Op>> =
    LazyLock::new(|| PLAIN.iter().map(|&op| (op.name(), op)).collect());

/// The operators with indices, by name.
static INDEXED_BY_NAME: LazyLock<FxHashMap<&str, Op>> =
    LazyLock::new(|| INDEXED.iter().map(|&op| (op.name(), op)).collect());

/// The operators without indices.
static PLAIN: LazyLock<Vec<Op>> = LazyLock::new(|| {
    let others = ArithmeticOp::PLAIN.iter().copied().map(Op::Arithmetic);
    let others = others.chain(FloatOp::PLAIN.iter().copied().map(Op::Float));
    let others = others.chain(StringOp::PLAIN.iter().copied().map(Op::String));
    let others = others.chain(SequenceOp::PLAIN.iter().copied().map(Op::Sequence));
    OWN.iter().copied().chain(others).collect()
});

/// The operators with indices.
static INDEXED: LazyLock<[Op; 14]> = LazyLock::new(|| {
    let format = FloatFormat::new(8, 24).expect("single precision");
    [
        Op::Extract { high: 0, low: 0 },
        Op::Repeat(1),
        Op::ZeroExtend(0),
        Op::SignExtend(0),
        Op::RotateLeft(0),
        Op::RotateRight(0),
        Op::Arithmetic(ArithmeticOp::Divisible(1)),
        Op::Arithmetic(ArithmeticOp::IntToBits(1)),
        Op::Float(FloatOp::ToFp(format)),
        Op::Float(FloatOp::ToFpUnsigned(format)),
        Op::Float(FloatOp::ToUbv(1)),
        Op::Float(FloatOp::ToSbv(1)),
        Op::String(StringOp::RePower(0)),
        Op::String(StringOp::ReLoop(0, 0)),
    ]
});
