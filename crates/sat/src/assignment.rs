//! A truth value for every variable, one bit each: what a solver hands out in bulk, because
//! asking for one value at a time through a foreign interface costs more than many searches.

use crate::literal::{Lit, Var};

/// Values of the variables `0..len`; variables beyond it are false.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    words: Vec<u64>,
    len: usize,
}

impl Assignment {
    /// An assignment of no variables.
    pub fn new() -> Self {
        Assignment::default()
    }

    /// Makes this the assignment of `len` variables whose values `value` gives, in order.
    pub fn fill(&mut self, len: usize, mut value: impl FnMut(Var) -> bool) {
        self.words.clear();
        self.words.resize(len.div_ceil(64), 0);
        self.len = len;
        for (position, word) in self.words.iter_mut().enumerate() {
            let first = position * 64;
            for offset in 0..64.min(len - first) {
                *word |= u64::from(value(Var::from_index(first + offset))) << offset;
            }
        }
    }

    /// The number of variables that have a value.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no variable has a value.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the literal is true.
    pub fn value(&self, literal: Lit) -> bool {
        let index = literal.var().index();
        let bit = self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0);
        bit != literal.is_negative()
    }

    /// Gives a variable below [`len`](Self::len) another value.
    ///
    /// # Panics
    /// When the variable is beyond it.
    pub fn set(&mut self, literal: Lit) {
        let index = literal.var().index();
        assert!(index < self.len, "{literal:?} is outside the assignment");
        let mask = 1 << (index % 64);
        if literal.is_negative() {
            self.words[index / 64] &= !mask;
        } else {
            self.words[index / 64] |= mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_one_bit_per_variable() {
        let mut assignment = Assignment::new();
        assignment.fill(130, |var| var.index() % 3 == 0);
        for index in 0..130 {
            assert_eq!(assignment.value(Var::from_index(index).positive()), index % 3 == 0);
            assert_eq!(assignment.value(Var::from_index(index).negative()), index % 3 != 0);
        }
        assert!(!assignment.value(Var::from_index(130).positive()));
        assert!(assignment.value(Var::from_index(5000).negative()));
        assignment.set(Var::from_index(1).positive());
        assignment.set(Var::from_index(129).negative());
        assert!(assignment.value(Var::from_index(1).positive()));
        assert!(!assignment.value(Var::from_index(129).positive()));
        assignment.fill(3, |_| false);
        assert_eq!(assignment.len(), 3);
        assert!(!assignment.value(Var::from_index(1).positive()));
    }
}
