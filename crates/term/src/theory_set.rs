//! Sets of theories: the theories that a text may use, or that a program handles.
//!
//! "Not supported" follows from the theory of an operator or a sort, so that readers, circuits and programs for many
//! models need no lists of names. A flag for "all, or those that we decide" was rejected: a reader for one more
//! theory would have had to change all places that ask it.

use crate::op::Op;
use crate::theory_name::TheoryName;

/// A set of theories. [`TheoryName::Core`] and [`TheoryName::Declared`] are in every set.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct TheorySet(u16);

impl TheorySet {
    /// Every theory.
    pub const ALL: TheorySet = TheorySet((1 << (TheoryName::RecursiveDefinitions as u16 + 1)) - 1);

    /// The theories that Sundry decides itself. Integers are not among them, but integers that are values of
    /// bit-vectors are read and decided wherever bit-vectors are: see [`TheorySet::has_operator`].
    pub const DECIDED: TheorySet = TheorySet::of(&[TheoryName::BitVectors, TheoryName::Arrays]);

    /// The theories that Sundry solves: those that it decides for all jobs, floating point, integers and reals.
    pub const SOLVED: TheorySet = TheorySet::of(&[
        TheoryName::BitVectors,
        TheoryName::Arrays,
        TheoryName::FloatingPoint,
        TheoryName::Integers,
        TheoryName::Reals,
    ]);

    /// The set of these theories, of [`TheoryName::Core`] and of [`TheoryName::Declared`].
    pub const fn of(theories: &[TheoryName]) -> TheorySet {
        let mut bits = 1 << TheoryName::Core as u16 | 1 << TheoryName::Declared as u16;
        let mut next = 0;
        while next < theories.len() {
            bits |= 1 << theories[next] as u16;
            next += 1;
        }
        TheorySet(bits)
    }

    /// Whether a theory is in the set.
    pub const fn contains(self, theory: TheoryName) -> bool {
        self.0 & 1 << theory as u16 != 0
    }

    /// Whether terms over the theories of this set may have an operator: the operator belongs to one of them, or it is
    /// one on integers, which bit-vectors have as values (`ubv_to_int`), or which reals have too (`+`), or one on reals, which become
    /// floating-point values (`/`).
    pub fn has_operator(self, op: Op) -> bool {
        self.has_operators_of(op.theory())
    }

    /// Whether terms over the theories of this set may have operators of a theory.
    pub fn has_operators_of(self, theory: TheoryName) -> bool {
        self.contains(theory)
            || theory == TheoryName::Integers
                && (self.contains(TheoryName::BitVectors) || self.contains(TheoryName::Reals))
            || theory == TheoryName::Reals && self.contains(TheoryName::FloatingPoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::arithmetic::ArithmeticOp;

    #[test]
    fn sets_have_operators() {
        let plus = Op::Arithmetic(ArithmeticOp::Add);
        let quotient = Op::Arithmetic(ArithmeticOp::Divide);
        assert!(Op::plain().iter().all(|&op| TheorySet::ALL.has_operator(op)));
        assert!(TheorySet::DECIDED.has_operator(plus) && !TheorySet::DECIDED.has_operator(quotient));
        let reals = TheorySet::of(&[TheoryName::Reals]);
        assert!(reals.has_operator(plus) && reals.has_operator(quotient) && reals.has_operator(Op::Not));
        assert!(!reals.has_operator(Op::BvNot) && !reals.contains(TheoryName::Integers));
    }
}
