//! CaDiCaL (Biere, Faller, Fazekas, Fleury, Froleyks & Pollitt, *CaDiCaL 2.0*, CAV 2024) behind
//! the traits of this crate.
//!
//! CaDiCaL is a state machine: a model can be read only in its state SATISFIED, failed assumptions
//! only in UNSATISFIED, and every added clause or assumption leaves both. Callers that read and
//! add in turns would have to keep the two apart, so this wrapper keeps what arrives after an
//! answer back until the next call; the answer stays readable, at the price of one copy of those
//! clauses. Copying each model instead would cost time in proportion to all variables for every
//! answer.
//!
//! Kept back as well are phases: passing one on may create or restore a variable inside, which is
//! not allowed to happen under a model that is still read.

mod clauses;
mod flip;
mod listener;

use std::cell::RefCell;

use cadical_sys::{CaDiCal, Status};

use sundry_term::Control;

use crate::assignment::Assignment;
use crate::interrupt::{Limits, SharedWatch};
use crate::literal::{Lit, Var};
use crate::options::Options;
use crate::tables::Tables;
use crate::traits::{
    AddClauses, Constrain, Interrupt, Phases, ReadStatistics, RootFacts, Solve, Statistics, Verdict,
};

use clauses::WORK_OF_CLAUSE;
use listener::Listener;

/// Facts about a variable that CaDiCaL does not report.
#[derive(Copy, Clone, Default)]
struct Variable {
    /// Some clause, assumption or constraint had it, so that CaDiCaL knows it. The value of any
    /// other is its phase, which costs CaDiCaL nothing.
    used: bool,
    /// The number of searches before that.
    first_search: u32,
    phase: Option<bool>,
}

/// A CaDiCaL solver.
///
/// The answer of a call can be read until the next call. Not `Send`: one per thread.
pub struct Cadical {
    /// CaDiCaL completes its model when a value is first read, so that reading changes it.
    solver: RefCell<CaDiCal>,
    watch: SharedWatch,
    watch_connected: bool,
    listener: Listener,
    /// The number of searches so far.
    searches: u32,
    limits: Limits,
    variables: Vec<Variable>,
    tables: Tables,
    answer: Option<Verdict>,
    /// The number of variables at the last call.
    variables_of_answer: usize,
    /// Clauses added since the answer, or for which there was no time before it, as DIMACS, each ended by zero.
    waiting_clauses: Vec<i32>,
    waiting_phases: Vec<(Var, Option<bool>)>,
    constraint: Option<Vec<Lit>>,
    buffer: Vec<i32>,
    calls: u64,
    literals: u64,
    phases: u64,
}

impl Default for Cadical {
    fn default() -> Self {
        Cadical::new(&Options::default())
    }
}

fn verdict(status: Status) -> Verdict {
    match status {
        Status::SATISFIABLE => Verdict::Sat,
        Status::UNSATISFIABLE => Verdict::Unsat,
        Status::UNKNOWN => Verdict::Unknown,
    }
}

/// The greatest variable of a clause, numbered from 1.
fn greatest(clause: &[i32]) -> usize {
    clause.iter().map(|number| number.unsigned_abs() as usize).max().unwrap_or(0)
}

impl Cadical {
    /// A solver without clauses.
    pub fn new(options: &Options) -> Self {
        let mut solver = CaDiCal::new();
        options.apply(&mut solver);
        Cadical {
            solver: RefCell::new(solver),
            watch: SharedWatch::new(),
            watch_connected: false,
            listener: Listener::default(),
            searches: 0,
            limits: Limits::default(),
            variables: Vec::new(),
            tables: Tables::default(),
            answer: None,
            variables_of_answer: 0,
            waiting_clauses: Vec::new(),
            waiting_phases: Vec::new(),
            constraint: None,
            buffer: Vec::new(),
            calls: 0,
            literals: 0,
            phases: 0,
        }
    }

    /// The number of variables.
    pub fn var_count(&self) -> usize {
        self.variables.len()
    }

    /// Whether the clauses are known to have no model, whatever is assumed.
    pub fn is_inconsistent(&self) -> bool {
        self.solver.borrow_mut().inconsistent()
    }

    /// Passes on everything that waited, or as many of the clauses as a control allows. Whether all was passed on. The
    /// answer is gone afterwards.
    fn leave_answer(&mut self, control: &Control) -> bool {
        // The smallest step that leaves an answer's state: phases alone would not.
        self.solver.get_mut().resize(0);
        self.answer = None;
        let waiting = std::mem::take(&mut self.waiting_clauses);
        let mut passed = 0;
        for ended in waiting.split_inclusive(|&number| number == 0) {
            let clause = &ended[..ended.len() - 1];
            if control.spend(WORK_OF_CLAUSE).is_err() || !self.has_time_for(clause, control) {
                break;
            }
            self.pass_clause(clause);
            passed += ended.len();
        }
        let is_whole = passed == waiting.len();
        self.waiting_clauses = waiting;
        self.waiting_clauses.drain(..passed);
        let mut phases = std::mem::take(&mut self.waiting_phases);
        for (var, phase) in phases.drain(..) {
            self.variables[var.index()].phase = phase;
            if self.variables[var.index()].used {
                self.pass_phase(var);
            }
        }
        self.waiting_phases = phases;
        self.variables_of_answer = self.variables.len();
        is_whole
    }

    fn pass_phase(&mut self, var: Var) {
        let solver = self.solver.get_mut();
        match self.variables[var.index()].phase {
            Some(value) => solver.phase(var.literal(value).to_dimacs()),
            None => solver.unphase(var.positive().to_dimacs()),
        }
    }

    fn use_variable(&mut self, var: Var) {
        let variable = &mut self.variables[var.index()];
        if !variable.used {
            variable.used = true;
            variable.first_search = self.searches;
            if variable.phase.is_some() {
                self.pass_phase(var);
            }
        }
    }

    fn pass_clause(&mut self, clause: &[i32]) {
        for number in clause {
            self.use_variable(Var::from_index(number.unsigned_abs() as usize - 1));
        }
        let solver = self.solver.get_mut();
        self.tables.make_room(greatest(clause), || solver.clause6(clause));
    }

    /// Whether there is time to make the room that a clause needs.
    fn has_time_for(&self, clause: &[i32], control: &Control) -> bool {
        control.check_before(self.tables.expected(greatest(clause))).is_ok()
    }

    fn pass_assumptions(&mut self, assumptions: &[Lit]) {
        for assumption in assumptions {
            self.use_variable(assumption.var());
            self.solver.get_mut().assume(assumption.to_dimacs());
        }
    }

    fn pass_constraint(&mut self) {
        let Some(clause) = self.constraint.take() else { return };
        for &literal in &clause {
            self.use_variable(literal.var());
        }
        let solver = self.solver.get_mut();
        for literal in clause {
            solver.constrain(literal.to_dimacs());
        }
        solver.constrain(0);
    }

    fn pass_limits(&mut self) {
        let solver = self.solver.get_mut();
        if let Some(conflicts) = self.limits.conflicts {
            let accepted = solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(-1));
            assert!(accepted, "CaDiCaL limits conflicts");
        }
        if let Some(ticks) = self.limits.ticks {
            let accepted = solver.limit("ticks", i32::try_from(ticks).unwrap_or(-1));
            assert!(accepted, "CaDiCaL limits ticks");
        }
        let needed = !self.limits.control.is_unlimited();
        if needed && !self.watch_connected {
            solver.connect_terminator(self.watch.clone());
        } else if !needed && self.watch_connected {
            solver.disconnect_terminator();
        }
        self.watch_connected = needed;
        self.watch.start();
    }

    fn require(&self, what: &str, expected: Verdict) {
        assert!(
            self.answer == Some(expected),
            "{what} needs the answer {expected:?}, it is {:?}",
            self.answer
        );
    }

    fn value_of(&self, solver: &mut CaDiCal, var: Var) -> bool {
        if var.index() >= self.variables_of_answer {
            return false;
        }
        let known = self.variables[var.index()];
        if known.used { solver.val(var.positive().to_dimacs()) > 0 } else { known.phase == Some(true) }
    }
}

impl AddClauses for Cadical {
    fn new_var(&mut self) -> Var {
        let var = Var::from_index(self.variables.len());
        self.variables.push(Variable::default());
        var
    }

    /// # Panics
    /// When a literal's variable was not made by this solver.
    fn add_clause(&mut self, clause: &[Lit]) {
        let made = clause.iter().all(|literal| literal.var().index() < self.variables.len());
        assert!(made, "{clause:?} has a variable that was not made here");
        self.literals += clause.len() as u64;
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(clause.iter().map(|literal| literal.to_dimacs()));
        if self.answer.is_some()
            || !self.waiting_clauses.is_empty()
            || !self.has_time_for(&buffer, &self.limits.control)
        {
            self.waiting_clauses.extend(&buffer);
            self.waiting_clauses.push(0);
        } else {
            self.pass_clause(&buffer);
        }
        self.buffer = buffer;
    }
}

impl Solve for Cadical {
    fn solve(&mut self, assumptions: &[Lit]) -> Verdict {
        self.calls += 1;
        let control = self.limits.control.clone();
        let is_ready = self.leave_answer(&control);
        let answer = if !is_ready || self.limits.reached() {
            self.constraint = None;
            Verdict::Unknown
        } else {
            self.pass_constraint();
            self.pass_assumptions(assumptions);
            self.begin_listening(assumptions.len());
            self.pass_limits();
            let status = self.solver.get_mut().solve();
            self.searches += 1;
            self.end_listening();
            verdict(status)
        };
        self.answer = Some(answer);
        answer
    }

    fn value(&self, literal: Lit) -> bool {
        self.require("a value", Verdict::Sat);
        self.value_of(&mut self.solver.borrow_mut(), literal.var()) != literal.is_negative()
    }

    fn assignment(&self, into: &mut Assignment) {
        self.require("an assignment", Verdict::Sat);
        let mut solver = self.solver.borrow_mut();
        into.fill(self.variables.len(), |var| self.value_of(&mut solver, var));
    }

    fn failed(&self, assumption: Lit) -> bool {
        self.require("a failed assumption", Verdict::Unsat);
        self.solver.borrow_mut().failed(assumption.to_dimacs())
    }
}

impl Phases for Cadical {
    /// Passing on the phase of a variable that CaDiCaL has eliminated restores its clauses.
    fn set_phase(&mut self, literal: Lit) {
        assert!(literal.var().index() < self.variables.len(), "{literal:?} was not made here");
        self.phases += 1;
        self.waiting_phases.push((literal.var(), Some(!literal.is_negative())));
    }

    fn clear_phase(&mut self, var: Var) {
        assert!(var.index() < self.variables.len(), "{var:?} was not made here");
        self.phases += 1;
        self.waiting_phases.push((var, None));
    }
}

impl Constrain for Cadical {
    fn constrain(&mut self, clause: &[Lit]) {
        self.constraint = Some(clause.to_vec());
    }

    fn constraint_failed(&self) -> bool {
        self.require("a failed constraint", Verdict::Unsat);
        self.solver.borrow_mut().constraint_failed()
    }
}

impl RootFacts for Cadical {
    fn fixed(&self, literal: Lit) -> Option<bool> {
        match self.solver.borrow().fixed(literal.to_dimacs()) {
            0 => None,
            sign => Some(sign > 0),
        }
    }
}

impl Interrupt for Cadical {
    fn set_limits(&mut self, limits: Limits) {
        self.watch.set_limits(limits.clone());
        self.limits = limits;
    }
}

impl ReadStatistics for Cadical {
    fn statistics(&self) -> Statistics {
        let solver = self.solver.borrow();
        let read = |name| u64::try_from(solver.get_statistic_value(name)).unwrap_or(0);
        Statistics {
            calls: self.calls,
            conflicts: read("conflicts"),
            decisions: read("decisions"),
            propagations: read("propagations"),
            ticks: self.ticks(),
            variables: self.variables.len() as u64,
            clauses: read("irredundant"),
            learned: read("redundant"),
            fixed: read("fixed"),
            eliminated: read("eliminated"),
            literals: self.literals,
            phases: self.phases,
        }
    }

    fn ticks(&self) -> u64 {
        u64::try_from(self.solver.borrow().get_statistic_value("ticks")).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests;
