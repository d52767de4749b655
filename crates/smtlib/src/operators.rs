//! Operators by name, as far as the theories that a text may use have them, and older names of them.

use sundry_term::{ArithmeticOp, Op, StringOp, TheoryName, TheorySet};

/// Names that an indexed operator once had, or has for some solvers, and its present name.
const FORMER_INDEXED_NAMES: [(&str, &str); 2] = [("int2bv", "int_to_bv"), ("nat2bv", "int_to_bv")];

/// The operator without indices that has this name, or had it in an earlier version of the standard or of a solver,
/// if texts over these theories may have it.
pub(crate) fn operator(theories: TheorySet, name: &str) -> Option<Op> {
    let op = Op::from_name(name).or_else(|| former_name(name))?;
    theories.has_operator(op).then_some(op)
}

/// The indexed operator that has this name, or had it in an earlier version, with some indices.
pub(crate) fn indexed_operator(theories: TheorySet, name: &str) -> Option<Op> {
    let op = Op::indexed_from_name(name).or_else(|| {
        let (_, present) = FORMER_INDEXED_NAMES.iter().find(|(former, _)| *former == name)?;
        Op::indexed_from_name(present)
    })?;
    theories.has_operator(op).then_some(op)
}

/// The names of all indexed operators.
pub(crate) fn indexed_names(theories: TheorySet) -> impl Iterator<Item = &'static str> {
    let names = Op::indexed().iter().filter(move |&&op| theories.has_operator(op)).map(|op| op.name());
    names.chain(FORMER_INDEXED_NAMES.iter().map(|&(former, _)| former))
}

/// Whether an operator on bit-vectors has this name and needs indices.
pub(crate) fn is_indexed(name: &str) -> bool {
    Op::indexed_from_name(name).is_some_and(|op| op.theory() == TheoryName::BitVectors)
}

/// The names that an unknown one is compared with: those of Core, bit-vectors, arrays and bounded integers. Operators
/// that only some solvers know come after the others.
pub(crate) fn near_operators<'a>() -> impl Iterator<Item = &'a str> {
    let of = |wanted: fn(Op) -> bool| {
        Op::plain().iter().copied().filter(move |&op| wanted(op)).map(|op| op.name())
    };
    of(|op| TheorySet::DECIDED.contains(op.theory()) && op.is_common())
        .chain(["true", "false"])
        .chain(of(|op| TheorySet::DECIDED.contains(op.theory()) && !op.is_common()))
        .chain(of(|op| op.theory() == TheoryName::Integers))
}

/// Whether a constant may have this name, so that every solver reads its declaration: the name belongs to no theory,
/// is not reserved for solvers, and can be written between bars.
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
        && operator(TheorySet::ALL, name).is_none()
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
