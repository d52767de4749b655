//! Variables and literals as small copyable numbers.
//!
//! A literal is `2 * variable + sign`, the usual encoding of solvers since MiniSat: negation is
//! one bit, and literals index tables. The signed numbers of DIMACS stay at the borders, because
//! they have no zero and index nothing.

use std::fmt;
use std::ops::Not;

/// A propositional variable; the first one of a solver is number 0.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u32);

impl Var {
    /// The highest index a variable can have: DIMACS numbers are 32-bit, signed, and start at 1.
    pub const MAX_INDEX: usize = i32::MAX as usize - 1;

    /// The variable with this index.
    ///
    /// # Panics
    /// When the index is above [`Var::MAX_INDEX`].
    pub fn from_index(index: usize) -> Var {
        assert!(index <= Var::MAX_INDEX, "too many variables");
        Var(index as u32)
    }

    /// Position of the variable, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable is.
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is false.
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal that is true when the variable has this value.
    pub fn literal(self, value: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(!value))
    }
}

/// A variable or its negation; `!` negates.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    /// The variable.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is the negation of its variable.
    pub fn is_negative(self) -> bool {
        self.0 & 1 != 0
    }

    /// Position of the literal in a table of all literals: twice its variable's, plus the sign.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal negated where `condition` holds.
    pub fn negate_if(self, condition: bool) -> Lit {
        Lit(self.0 ^ u32::from(condition))
    }

    /// The DIMACS number: variables from 1, negation by sign.
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_negative() { -number } else { number }
    }

    /// The literal of a DIMACS number; `None` for zero, which ends clauses, and for the least
    /// number, which has no negation.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        if number == 0 || number == i32::MIN {
            return None;
        }
        Some(Var(number.unsigned_abs() - 1).literal(number > 0))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<Var> for Lit {
    fn from(var: Var) -> Lit {
        var.positive()
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0 + 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_numbers_round_trip() {
        for number in [1, -1, 2, -2, 1_000_000, i32::MAX, -i32::MAX] {
            let literal = Lit::from_dimacs(number).expect("a literal");
            assert_eq!(literal.to_dimacs(), number);
            assert_eq!((!literal).to_dimacs(), -number);
            assert_eq!(literal.is_negative(), number < 0);
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs(i32::MIN), None);
        assert_eq!(Var::from_index(Var::MAX_INDEX).positive().to_dimacs(), i32::MAX);
    }

    #[test]
    fn signs_and_indices() {
        let var = Var::from_index(3);
        assert_eq!(var.literal(true), var.positive());
        assert_eq!(var.literal(false), !var.positive());
        assert_eq!((var.positive().index(), var.negative().index()), (6, 7));
        assert_eq!(var.positive().negate_if(true), var.negative());
        assert_eq!(format!("{:?} {:?}", var, var.negative()), "v4 -4");
    }
}
