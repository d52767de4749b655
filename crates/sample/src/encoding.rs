//! The clauses that a search starts from, with the literals of the AST-bits: for comparing with programs
//! that classify literals of clauses.
//!
//! An AST-bit is impossible exactly where the opposite literal is true in all models, a *backbone*
//! literal. The clauses are written as DIMACS with the candidates' variables in lines `c p show`, as
//! projected model counters read them (Fichte & Hecher, *The Model Counting Competition 2021-2023*,
//! 2023): tools that do not know such lines take them for comments. A format of our own was rejected for
//! that reason.

use std::fmt;

use sundry_solver::{Cnf, EngineOptions, Lit, Refusal};
use sundry_term::Control;

use crate::not_ready::NotReady;
use crate::problem::Problem;
use crate::steering::Steering;
use crate::targets::Target;

/// Numbers in a line of a DIMACS header, at most: some readers have short buffers.
const SHOWN_IN_A_LINE: usize = 20;

/// A literal that stands for AST-bits: true where they are covered, and where it is false, their
/// opposites.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BackboneCandidate {
    /// The literal.
    pub literal: Lit,
    /// The number of one of the AST-bits that are covered where the literal is true.
    pub ast_bit: usize,
}

/// A formula as clauses, after everything that sampling does before it searches.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The clauses that the SAT solver holds.
    pub clauses: Cnf,
    /// A literal for each group of AST-bits that share one; constant AST-bits have none.
    pub candidates: Vec<BackboneCandidate>,
    /// Whether every model of the clauses is a model of the formula. Arrays and functions are refined by lemmas on
    /// demand, so with these, a literal that takes both values in the clauses may be constant in the formula.
    pub is_exact: bool,
}

impl Encoding {
    /// Prepares a formula as the strategy `cover` does, but with the circuits of wide products too. `None` where time
    /// is up first.
    ///
    /// # Errors
    /// The formula has no circuit.
    pub fn new(problem: &Problem, seed: u64, control: &Control) -> Result<Option<Self>, Refusal> {
        let options = EngineOptions { open_products: None, ..EngineOptions::for_many_calls() };
        let mut steering = match Steering::with_options(problem, seed, 0, control, options, &mut |_| {}) {
            Ok(steering) => steering,
            Err(NotReady::Refused(refusal)) => return Err(refusal),
            Err(NotReady::Stopped { .. } | NotReady::Undecided(_)) => return Ok(None),
        };
        let (clauses, is_exact) = steering.clauses();
        let clauses = clauses.expect("strategies do not simplify");
        let candidates = (0..steering.targets.groups())
            .map(|group| {
                let target = Target::new(group, true);
                BackboneCandidate {
                    literal: steering.literal(target),
                    ast_bit: steering.targets.ast_bit(target),
                }
            })
            .collect();
        Ok(Some(Encoding { clauses, candidates, is_exact }))
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "c an AST-bit is impossible if its literal is false in all models")?;
        if !self.is_exact {
            writeln!(f, "c arrays or functions: lemmas found later may exclude further models")?;
        }
        let mut shown: Vec<i32> =
            self.candidates.iter().map(|candidate| candidate.literal.to_dimacs().abs()).collect();
        shown.sort_unstable();
        shown.dedup();
        for line in shown.chunks(SHOWN_IN_A_LINE) {
            write!(f, "c p show")?;
            for number in line {
                write!(f, " {number}")?;
            }
            writeln!(f, " 0")?;
        }
        write!(f, "{}", self.clauses)
    }
}

#[cfg(test)]
mod tests {
    use sundry_solver::AddClauses;
    use sundry_term::{Op, TermStore};

    use super::*;

    #[test]
    fn the_header_shows_the_candidates() {
        let mut clauses = Cnf::new();
        let (a, b) = (clauses.new_var().positive(), clauses.new_var().positive());
        clauses.add_clause(&[a, !b]);
        let candidates = vec![BackboneCandidate { literal: !b, ast_bit: 3 }];
        let encoding = Encoding { clauses, candidates, is_exact: true };
        let text = encoding.to_string();
        assert!(text.ends_with("c p show 2 0\np cnf 2 1\n1 -2 0\n"), "{text}");
    }

    #[test]
    fn candidates_are_literals_of_the_clauses() {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(3).expect("a width");
        let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], sort));
        let [left, right] = [x, y].map(|symbol| store.symbol_term(symbol));
        let product = store.make(Op::BvMul, &[left, right]);
        let assertion = store.make(Op::BvUlt, &[product, left]);
        let problem = Problem::new(store, vec![assertion], vec![x, y]);
        let encoding = Encoding::new(&problem, 0, &Control::default());
        let encoding = encoding.expect("the formula is small").expect("time is not limited");
        assert!(encoding.is_exact && !encoding.candidates.is_empty());
        let used: Vec<Lit> = encoding.clauses.clauses().flatten().copied().collect();
        for candidate in &encoding.candidates {
            assert!(candidate.ast_bit < problem.ast_bits.total());
            let var = candidate.literal.var();
            assert!(used.iter().any(|literal| literal.var() == var), "{var:?} is in no clause");
        }
    }
}
