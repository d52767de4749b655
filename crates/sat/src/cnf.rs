//! Clauses that are only collected: for looking at an encoding, counting it, writing it out, or
//! solving it elsewhere.

use std::fmt;

use crate::assignment::Assignment;
use crate::literal::{Lit, Var};
use crate::traits::AddClauses;

/// A formula in conjunctive normal form. `Display` writes it as DIMACS.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cnf {
    variables: usize,
    literals: Vec<Lit>,
    ends: Vec<usize>,
}

impl Cnf {
    /// A formula without variables and clauses.
    pub fn new() -> Self {
        Cnf::default()
    }

    /// The number of variables made.
    pub fn var_count(&self) -> usize {
        self.variables
    }

    /// The number of clauses added.
    pub fn clause_count(&self) -> usize {
        self.ends.len()
    }

    /// The number of literals of all clauses.
    pub fn literal_count(&self) -> usize {
        self.literals.len()
    }

    /// The clauses in the order they were added.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        self.clauses_from(0)
    }

    /// The clauses in the order they were added, without the first ones.
    pub(crate) fn clauses_from(&self, first: usize) -> impl Iterator<Item = &[Lit]> {
        let start = first.checked_sub(1).map_or(0, |last| self.ends[last]);
        let starts = std::iter::once(start).chain(self.ends[first..].iter().copied());
        starts.zip(&self.ends[first..]).map(|(start, &end)| &self.literals[start..end])
    }

    /// Whether every clause has a true literal.
    pub fn is_satisfied_by(&self, assignment: &Assignment) -> bool {
        self.clauses().all(|clause| clause.iter().any(|&literal| assignment.value(literal)))
    }
}

impl AddClauses for Cnf {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::from_index(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }
}

impl fmt::Display for Cnf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "p cnf {} {}", self.var_count(), self.clause_count())?;
        for clause in self.clauses() {
            for literal in clause {
                write!(f, "{literal} ")?;
            }
            writeln!(f, "0")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_dimacs() {
        let mut cnf = Cnf::new();
        let (a, b) = (cnf.new_var().positive(), cnf.new_var().positive());
        cnf.add_clause(&[a, !b]);
        cnf.add_clause(&[b]);
        cnf.add_clause(&[]);
        assert_eq!(cnf.to_string(), "p cnf 2 3\n1 -2 0\n2 0\n0\n");
        assert_eq!(cnf.clauses().map(<[Lit]>::len).collect::<Vec<_>>(), [2, 1, 0]);
    }
}
