//! The theories that terms and sorts belong to, by name: a solver without a theory names it to its callers.

use std::fmt;

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{TermId, TermStore};
use crate::theory::arithmetic::ArithmeticOp;

/// A theory of SMT-LIB, or another origin of sorts and operators.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TheoryName {
    /// Truth values, equality and choice.
    Core,
    /// Bit-vectors.
    BitVectors,
    /// Arrays.
    Arrays,
    /// Sorts and functions that are declared.
    Declared,
    /// Integers.
    Integers,
    /// Reals.
    Reals,
    /// Floating-point numbers.
    FloatingPoint,
    /// Strings and regular expressions.
    Strings,
    /// Sequences.
    Sequences,
    /// Datatypes.
    Datatypes,
    /// Quantifiers, over any sorts.
    Quantifiers,
    /// Functions whose definitions call them again.
    RecursiveDefinitions,
}

impl TheoryName {
    /// The theory that a sort belongs to. The parts of an array sort may belong to others.
    pub fn of_sort(sort: &Sort) -> TheoryName {
        match sort {
            Sort::Bool => TheoryName::Core,
            Sort::BitVec(_) => TheoryName::BitVectors,
            Sort::Array { .. } => TheoryName::Arrays,
            Sort::Uninterpreted { .. } => TheoryName::Declared,
            Sort::Int => TheoryName::Integers,
            Sort::Real => TheoryName::Reals,
            Sort::Float(_) | Sort::RoundingMode => TheoryName::FloatingPoint,
            Sort::String | Sort::RegLan => TheoryName::Strings,
            Sort::Sequence(_) => TheoryName::Sequences,
            Sort::Datatype { .. } => TheoryName::Datatypes,
        }
    }

    /// The theory that the operator of a term belongs to; for literals and declared symbols, that of their sort.
    pub fn of(store: &TermStore, term: TermId) -> TheoryName {
        let sort = |term: TermId| store.sort(store.sort_of(term));
        match store.op(term) {
            Op::Constant(_) | Op::Apply(_) => TheoryName::of_sort(sort(term)),
            // Integers and reals share operators.
            Op::Arithmetic(_) => {
                let mut terms = store.args(term).iter().copied().chain([term]);
                let is_real = terms.any(|term| matches!(sort(term), Sort::Real));
                if is_real { TheoryName::Reals } else { TheoryName::Integers }
            }
            op => op.theory(),
        }
    }

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            TheoryName::Core => "the core theory",
            TheoryName::BitVectors => "bit-vectors",
            TheoryName::Arrays => "arrays",
            TheoryName::Declared => "declared sorts and functions",
            TheoryName::Integers => "integers",
            TheoryName::Reals => "reals",
            TheoryName::FloatingPoint => "floating point",
            TheoryName::Strings => "strings",
            TheoryName::Sequences => "sequences",
            TheoryName::Datatypes => "datatypes",
            TheoryName::Quantifiers => "quantifiers",
            TheoryName::RecursiveDefinitions => "recursive definitions",
        }
    }
}

impl Op {
    /// The theory of the operator, as far as that is known without its arguments: literals count as operators of
    /// [`TheoryName::Core`], and operators that integers and reals share as operators on integers. [`TheoryName::of`]
    /// is exact.
    pub fn theory(self) -> TheoryName {
        use ArithmeticOp::{Divide, IsInt, ToInt, ToReal};
        match self {
            Op::Constant(_)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Implies
            | Op::Equal
            | Op::Distinct
            | Op::Ite => TheoryName::Core,
            Op::Apply(_) => TheoryName::Declared,
            Op::Select | Op::Store | Op::ConstArray(_) => TheoryName::Arrays,
            Op::Arithmetic(Divide | ToReal | ToInt | IsInt) => TheoryName::Reals,
            Op::Arithmetic(_) => TheoryName::Integers,
            Op::Float(_) => TheoryName::FloatingPoint,
            Op::String(_) => TheoryName::Strings,
            Op::Sequence(_) => TheoryName::Sequences,
            Op::Datatype(_) => TheoryName::Datatypes,
            Op::Forall(_) | Op::Exists(_) => TheoryName::Quantifiers,
            _ => TheoryName::BitVectors,
        }
    }
}

impl fmt::Display for TheoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_belong_to_theories() {
        let theory = |name| Op::from_name(name).map(Op::theory);
        assert_eq!(theory("and"), Some(TheoryName::Core));
        assert_eq!(theory("bvadd"), Some(TheoryName::BitVectors));
        assert_eq!(theory("concat"), Some(TheoryName::BitVectors));
        assert_eq!(theory("store"), Some(TheoryName::Arrays));
        assert_eq!(theory("+"), Some(TheoryName::Integers));
        assert_eq!(theory("ubv_to_int"), Some(TheoryName::Integers));
        assert_eq!(theory("/"), Some(TheoryName::Reals));
        assert_eq!(theory("fp.add"), Some(TheoryName::FloatingPoint));
        assert_eq!(theory("str.len"), Some(TheoryName::Strings));
        assert_eq!(theory("seq.len"), Some(TheoryName::Sequences));
    }
}
