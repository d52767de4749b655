//! Solvers that number variables in their own way, and a propagator that knows the numbers of all others.

use std::cell::RefCell;
use std::rc::Rc;

use crate::literal::{Lit, Var};
use crate::propagator::{Propagator, SharedPropagator};

/// The numbers that a solver has for variables.
pub(super) struct Renumbering {
    own: Vec<Var>,
    /// The other way round.
    common: Vec<Var>,
}

impl Renumbering {
    /// Variables with these numbers of a solver's own, each less than their count.
    pub(super) fn new(own: Vec<Var>) -> Renumbering {
        let mut common = vec![Var::from_index(0); own.len()];
        own.iter().enumerate().for_each(|(index, own)| common[own.index()] = Var::from_index(index));
        Renumbering { own, common }
    }

    /// Adds a variable that is the last one for the solver too.
    pub(super) fn push(&mut self, own: Var) {
        debug_assert_eq!(own.index(), self.own.len());
        self.common.push(Var::from_index(self.own.len()));
        self.own.push(own);
    }

    /// The number of variables.
    pub(super) fn len(&self) -> usize {
        self.own.len()
    }

    /// A literal as the solver knows it.
    pub(super) fn own(&self, literal: Lit) -> Lit {
        self.own[literal.var().index()].literal(!literal.is_negative())
    }

    /// A literal of the solver as all others know it.
    pub(super) fn common(&self, own: Lit) -> Lit {
        self.common[own.var().index()].literal(!own.is_negative())
    }
}

/// A propagator for a solver with numbers of its own.
pub(super) struct Renumbered {
    propagator: SharedPropagator,
    numbers: Rc<RefCell<Renumbering>>,
    buffer: Vec<Lit>,
}

impl Renumbered {
    pub(super) fn new(propagator: SharedPropagator, numbers: Rc<RefCell<Renumbering>>) -> Renumbered {
        Renumbered { propagator, numbers, buffer: Vec::new() }
    }

    fn own_all(&self, literals: Vec<Lit>) -> Vec<Lit> {
        let numbers = self.numbers.borrow();
        literals.into_iter().map(|literal| numbers.own(literal)).collect()
    }
}

impl Propagator for Renumbered {
    fn begin(&mut self) {
        self.propagator.borrow_mut().begin();
    }

    fn assign(&mut self, literals: &[Lit]) {
        let Renumbered { propagator, numbers, buffer } = self;
        let numbers = numbers.borrow();
        buffer.clear();
        buffer.extend(literals.iter().map(|&own| numbers.common(own)));
        propagator.borrow_mut().assign(buffer);
    }

    fn open_level(&mut self) {
        self.propagator.borrow_mut().open_level();
    }

    fn backtrack(&mut self, level: usize) {
        self.propagator.borrow_mut().backtrack(level);
    }

    fn propagate(&mut self) -> Option<Lit> {
        let literal = self.propagator.borrow_mut().propagate()?;
        Some(self.numbers.borrow().own(literal))
    }

    fn reason(&mut self, literal: Lit) -> Vec<Lit> {
        let common = self.numbers.borrow().common(literal);
        let reason = self.propagator.borrow_mut().reason(common);
        self.own_all(reason)
    }

    fn refutation(&mut self) -> Option<Vec<Lit>> {
        let clause = self.propagator.borrow_mut().refutation()?;
        Some(self.own_all(clause))
    }
}
