//! A solver among those that take turns.

use std::cell::RefCell;
use std::rc::Rc;

use super::renumbering::{Renumbered, Renumbering};
use crate::cadical::Cadical;
use crate::cnf::Cnf;
use crate::interrupt::Limits;
use crate::literal::{Lit, Var};
use crate::options::Options;
use crate::propagator::{Propagate, SharedPropagator};
use crate::restarts::{SavedPhases, WatchRestarts};
use crate::traits::{AddClauses, Interrupt, Phases};

/// The difference of a solver from the first.
#[derive(Copy, Clone)]
pub(super) struct Difference {
    /// Numbers variables from the last to the first: the solver decides on the last ones first.
    pub(super) is_reversed: bool,
    pub(super) change: fn(&mut Options),
}

/// A solver with numbers of its own for the variables.
pub(super) struct Participant {
    pub(super) solver: Cadical,
    numbers: Rc<RefCell<Renumbering>>,
    /// The number of observed variables that it observes.
    observed: usize,
    /// The number of recorded clauses that it has.
    pub(super) clauses: usize,
    buffer: Vec<Lit>,
}

impl Participant {
    /// A solver that knows this many variables and no clause.
    pub(super) fn new(
        options: &Options,
        difference: Difference,
        variables: usize,
        limits: &Limits,
    ) -> Participant {
        let mut options = options.clone();
        (difference.change)(&mut options);
        let mut solver = Cadical::new(&options);
        solver.set_limits(limits.clone());
        let mut numbers: Vec<Var> = (0..variables).map(|_| solver.new_var()).collect();
        if difference.is_reversed {
            numbers.reverse();
        }
        let numbers = Rc::new(RefCell::new(Renumbering::new(numbers)));
        Participant { solver, numbers, observed: 0, clauses: 0, buffer: Vec::new() }
    }

    pub(super) fn own(&self, literal: Lit) -> Lit {
        self.numbers.borrow().own(literal)
    }

    pub(super) fn own_all(&self, literals: &[Lit]) -> Vec<Lit> {
        let numbers = self.numbers.borrow();
        literals.iter().map(|&literal| numbers.own(literal)).collect()
    }

    /// The number of variables that it knows.
    pub(super) fn var_count(&self) -> usize {
        self.numbers.borrow().len()
    }

    pub(super) fn new_var(&mut self) {
        self.numbers.borrow_mut().push(self.solver.new_var());
    }

    pub(super) fn connect_propagator(&mut self, propagator: SharedPropagator) {
        let renumbered = Renumbered::new(propagator, Rc::clone(&self.numbers));
        self.solver.connect_propagator(Rc::new(RefCell::new(renumbered)));
    }

    /// Observes the last of these variables that it does not observe yet.
    pub(super) fn observe(&mut self, variables: &[Var]) {
        let numbers = self.numbers.borrow();
        let new = variables[self.observed..].iter();
        let own: Vec<Var> = new.map(|var| numbers.own(var.positive()).var()).collect();
        self.solver.observe(&own);
        self.observed = variables.len();
    }

    pub(super) fn add_clause(&mut self, clause: &[Lit]) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(clause.iter().map(|&literal| self.own(literal)));
        self.solver.add_clause(&buffer);
        self.buffer = buffer;
    }

    /// Adds the variables and clauses that it lacks.
    pub(super) fn catch_up(&mut self, record: &Cnf) {
        for _ in self.var_count()..record.var_count() {
            self.new_var();
        }
        for clause in record.clauses_from(self.clauses) {
            self.add_clause(clause);
        }
        self.clauses = record.clause_count();
    }

    pub(super) fn watch_restarts(&mut self, variables: &[Var], most: usize) {
        let numbers = self.numbers.borrow();
        let own: Vec<Var> = variables.iter().map(|var| numbers.own(var.positive()).var()).collect();
        self.solver.watch_restarts(&own, most);
    }

    /// The phases that its solver has kept, with the numbers that all others know.
    pub(super) fn take_restarts(&mut self) -> Vec<SavedPhases> {
        let kept = self.solver.take_restarts();
        if kept.is_empty() {
            return kept;
        }
        let numbers = self.numbers.borrow();
        let common = |phases: &SavedPhases| phases.iter().map(|&own| numbers.common(own)).collect();
        kept.iter().map(common).collect()
    }

    pub(super) fn set_phase(&mut self, var: Var, phase: Option<bool>) {
        let own = self.own(var.positive()).var();
        match phase {
            Some(value) => self.solver.set_phase(own.literal(value)),
            None => self.solver.clear_phase(own),
        }
    }
}
