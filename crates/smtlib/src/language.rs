//! Which theories an input may use, and older names of their operators.

use sundry_term::{ArithmeticOp, Op, StringOp};

/// Which theories are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// Booleans, bit-vectors, arrays, declared sorts and functions, and integers that are values of bit-vectors: what
    /// the solver decides. Anything else is answered by an error that names it.
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
        self.has(op).then_some(op)
    }

    fn has(self, op: Op) -> bool {
        self == Language::All || op.is_of_bit_vectors() || op.is_of_bounded_integers()
    }

    /// The indexed operator with this name and these indices.
    pub(crate) fn indexed_operator(self, name: &str, indices: &[u32]) -> Option<Op> {
        let op = Op::from_indexed_name(name, indices)?;
        self.has(op).then_some(op)
    }
}

/// Whether a constant may have this name, so that every solver reads its declaration: it is no name of a theory, none
/// that is kept for solvers, and can be written between bars.
pub fn can_be_declared(name: &str) -> bool {
    // Operators with indices, and older words that some solvers still know.
    const OTHERS: [&str; 18] = [
        "true",
        "false",
        "extract",
        "repeat",
        "zero_extend",
        "sign_extend",
        "rotate_left",
        "rotate_right",
        "const",
        "is",
        "char",
        "implies",
        "iff",
        "if",
        "RNE",
        "RNA",
        "RTP",
        "RTN",
    ];
    let can_be_written = |c: char| !c.is_control() && !matches!(c, '|' | '\\');
    name.chars().all(can_be_written)
        && !name.is_empty()
        && !name.starts_with(['.', '@'])
        && !OTHERS.contains(&name)
        && Language::All.operator(name).is_none()
}

/// The operator that once had this name, or has it for some solvers.
fn former_name(name: &str) -> Option<Op> {
    Some(match name {
        "implies" => Op::Implies,
        "if" => Op::Ite,
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
