//! Which theories an input may use, and older names of their operators.

use sundry_term::{ArithmeticOp, Op, StringOp};

/// Which theories are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// Booleans, bit-vectors, arrays, declared sorts and functions: what the solver decides. Anything else
    /// is answered by an error that names it.
    #[default]
    BitVectors,
    /// All theories of the standard, quantifiers and datatypes.
    All,
}

impl Language {
    /// The operator without indices that has this name, or had it in an earlier version of the standard or of
    /// a solver.
    pub(crate) fn operator(self, name: &str) -> Option<Op> {
        let op = Op::from_name(name).or_else(|| former_name(name))?;
        (self == Language::All || op.is_of_bit_vectors()).then_some(op)
    }

    /// The indexed operator with this name and these indices.
    pub(crate) fn indexed_operator(self, name: &str, indices: &[u32]) -> Option<Op> {
        let op = Op::from_indexed_name(name, indices)?;
        (self == Language::All || op.is_of_bit_vectors()).then_some(op)
    }
}

/// The operator that once had this name.
fn former_name(name: &str) -> Option<Op> {
    Some(match name {
        "bv2nat" | "bv2int" => Op::Arithmetic(ArithmeticOp::UnsignedToInt),
        "str.to.int" | "str.to-int" => Op::String(StringOp::ToInt),
        "int.to.str" | "str.from-int" => Op::String(StringOp::FromInt),
        "str.in.re" => Op::String(StringOp::InRe),
        "str.to.re" => Op::String(StringOp::ReLiteral),
        "str.replaceall" | "str.replace.all" => Op::String(StringOp::ReplaceAll),
        "re.complement" => Op::String(StringOp::ReComp),
        _ => return None,
    })
}
