//! Changing the model that CaDiCaL has found.

use cadical_sys::CaDiCal;

use super::Cadical;
use crate::literal::Var;
use crate::traits::{Flip, Verdict};

impl Cadical {
    /// Asks CaDiCaL for flipping. It looks at the sign that it is given only to refuse witnesses of
    /// eliminated clauses, and a witness of the other sign would be flipped back when the model
    /// is completed: so both signs are asked.
    fn may_flip(&self, solver: &mut CaDiCal, var: Var) -> bool {
        // CaDiCaL refuses to change a model beside a propagator.
        !self.listener.is_connected()
            && self.waiting_clauses.is_empty()
            && var.index() < self.variables_of_answer
            && self.variables[var.index()].used
            && solver.flippable(var.positive().to_dimacs())
            && solver.flippable(var.negative().to_dimacs())
    }
}

impl Flip for Cadical {
    fn flippable(&self, var: Var) -> bool {
        self.require("flipping", Verdict::Sat);
        self.may_flip(&mut self.solver.borrow_mut(), var)
    }

    fn flip(&mut self, var: Var) -> bool {
        self.require("flipping", Verdict::Sat);
        let mut solver = self.solver.borrow_mut();
        self.may_flip(&mut solver, var) && solver.flip(var.positive().to_dimacs())
    }
}
