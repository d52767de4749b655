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

    /// The indexed operator with this name, or with this name in an earlier version, and these indices.
    pub(crate) fn indexed_operator(self, name: &str, indices: &[u32]) -> Option<Op> {
        self.indexed_operator_named(name)?.with_indices(indices)
    }

    /// How many indices the indexed operator with this name takes, if there is one.
    pub(crate) fn indices_of(self, name: &str) -> Option<usize> {
        Some(self.indexed_operator_named(name)?.indices().count())
    }

    /// The names of all indexed operators.
    pub(crate) fn indexed_names(self) -> impl Iterator<Item = &'static str> {
        let names = Op::indexed().iter().filter(move |&&op| self.has(op)).map(|op| op.name());
        names.chain(FORMER_INDEXED_NAMES.iter().map(|&(former, _)| former))
    }

    fn indexed_operator_named(self, name: &str) -> Option<Op> {
        let renamed = FORMER_INDEXED_NAMES.iter().find(|(former, _)| *former == name);
        let name = renamed.map_or(name, |&(_, present)| present);
        Op::indexed().iter().copied().find(|&op| op.name() == name && self.has(op))
    }
}

/// Names that an indexed operator once had, or has for some solvers, and its present name.
const FORMER_INDEXED_NAMES: [(&str, &str); 2] = [("int2bv", "int_to_bv"), ("nat2bv", "int_to_bv")];

/// Whether an operator on bit-vectors has this name and needs indices.
pub(crate) fn is_indexed(name: &str) -> bool {
    Op::indexed().iter().any(|op| op.is_of_bit_vectors() && op.name() == name)
}

/// The names that an unknown one is compared with: those of Core, bit-vectors, arrays and bounded integers. Operators
/// that only some solvers know come behind the others.
pub(crate) fn near_operators<'a>() -> impl Iterator<Item = &'a str> {
    let of = |wanted: fn(Op) -> bool| {
        Op::plain().iter().copied().filter(move |&op| wanted(op)).map(|op| op.name())
    };
    of(|op| op.is_of_bit_vectors() && op.is_common())
        .chain(["true", "false"])
        .chain(of(|op| op.is_of_bit_vectors() && !op.is_common()))
        .chain(of(Op::is_of_bounded_integers))
}

/// Whether a constant may have this name, so that every solver reads its declaration: it is no name of a theory, none
/// that is kept for solvers, and can be written between bars.
pub fn can_be_declared(name: &str) -> bool {
    // Values, identifiers of other kinds, and older words that some solvers still know.
    const OTHERS: [&str; 12] =
        ["true", "false", "const", "is", "char", "implies", "iff", "if", "RNE", "RNA", "RTP", "RTN"];
    let can_be_written = |c: char| !c.is_control() && !matches!(c, '|' | '\\');
    name.chars().all(can_be_written)
        && !name.is_empty()
        && !name.starts_with(['.', '@'])
        && !OTHERS.contains(&name)
        && !is_indexed(name)
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
