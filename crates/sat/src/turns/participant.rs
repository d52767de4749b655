//! A solver among those that take turns.

use crate::cadical::Cadical;
use crate::cnf::Cnf;
use crate::interrupt::Limits;
use crate::literal::{Lit, Var};
use crate::options::Options;
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
    /// The number of each variable that it knows.
    pub(super) numbers: Vec<Var>,
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
        Participant { solver, numbers, clauses: 0, buffer: Vec::new() }
    }

    pub(super) fn own(&self, literal: Lit) -> Lit {
        self.numbers[literal.var().index()].literal(!literal.is_negative())
    }

    pub(super) fn own_all(&self, literals: &[Lit]) -> Vec<Lit> {
        literals.iter().map(|&literal| self.own(literal)).collect()
    }

    pub(super) fn new_var(&mut self) {
        self.numbers.push(self.solver.new_var());
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
        for _ in self.numbers.len()..record.var_count() {
            self.new_var();
        }
        for clause in record.clauses_from(self.clauses) {
            self.add_clause(clause);
        }
        self.clauses = record.clause_count();
    }

    pub(super) fn watch_restarts(&mut self, variables: &[Var], most: usize) {
        let own: Vec<Var> = variables.iter().map(|var| self.numbers[var.index()]).collect();
        self.solver.watch_restarts(&own, most);
    }

    /// The phases that its solver has kept, with the numbers that all others know.
    pub(super) fn take_restarts(&mut self) -> Vec<SavedPhases> {
        let kept = self.solver.take_restarts();
        if kept.is_empty() {
            return kept;
        }
        let mut common = vec![Var::from_index(0); self.numbers.len()];
        self.numbers.iter().enumerate().for_each(|(index, own)| common[own.index()] = Var::from_index(index));
        let literal = |own: &Lit| common[own.var().index()].literal(!own.is_negative());
        kept.iter().map(|phases| phases.iter().map(literal).collect()).collect()
    }

    pub(super) fn set_phase(&mut self, var: Var, phase: Option<bool>) {
        let own = self.numbers[var.index()];
        match phase {
            Some(value) => self.solver.set_phase(own.literal(value)),
            None => self.solver.clear_phase(own),
        }
    }
}
