//! Reading the clauses that CaDiCaL holds.

use cadical_sys::{CaDiCal, ClauseIterator, WitnessIterator};
use sundry_term::Control;

use super::Cadical;
use crate::cnf::Cnf;
use crate::literal::Lit;
use crate::traits::{AddClauses, ReadClauses};

/// Collects what CaDiCaL shows of its clauses.
struct Collector<'a> {
    solver: &'a CaDiCal,
    cnf: Cnf,
    control: &'a Control,
}

/// The work of copying a clause, in the units of [`Control::spend`].
pub(super) const WORK_OF_CLAUSE: u32 = 16;

impl Collector<'_> {
    fn add(&mut self, numbers: &[i32]) {
        let clause: Vec<Lit> = numbers.iter().filter_map(|&number| Lit::from_dimacs(number)).collect();
        self.cnf.add_clause(&clause);
    }
}

impl ClauseIterator for Collector<'_> {
    fn clause(&mut self, clause: &[i32]) -> bool {
        self.add(clause);
        self.control.spend(WORK_OF_CLAUSE).is_ok()
    }
}

impl WitnessIterator for Collector<'_> {
    /// Facts are among what models are completed with. Anything else there was taken away.
    fn witness(&mut self, clause: &[i32], _: &[i32], _: i64) -> bool {
        let is_fact = matches!(clause, [only] if self.solver.fixed(*only) > 0);
        if is_fact {
            self.add(clause);
        }
        is_fact
    }
}

impl ReadClauses for Cadical {
    /// CaDiCaL would show the constraint of the last call among the clauses.
    fn clauses(&mut self) -> Option<Cnf> {
        if !self.leave_answer(&Control::default()) {
            return None;
        }
        self.solver.get_mut().reset_constraint();
        let solver = self.solver.borrow();
        let mut collector = Collector { solver: &solver, cnf: Cnf::new(), control: &self.limits.control };
        for _ in 0..self.variables.len() {
            collector.cnf.new_var();
        }
        let is_whole =
            solver.traverse_clauses(&mut collector) && solver.traverse_witnesses_forward(&mut collector);
        if !is_whole {
            return None;
        }
        Some(collector.cnf)
    }
}
