//! The interface of decision procedures: a verdict, and partial solutions on the way.

use std::ops::ControlFlow;

use sundry_term::{Model, TermId};

/// The verdict of a procedure on conditions.
pub(super) enum Verdict {
    /// A model. Procedures that approximate may be wrong about it.
    Model(Model),
    /// Conditions that contradict one another.
    Core(Vec<TermId>),
    /// The procedure has not found out.
    Unknown,
    /// The procedure cannot read the conditions, or they are too large for it.
    Unreadable,
}

/// Takes the partial solutions of a question, up to a greatest number.
pub(super) struct Receiver<'a> {
    most: usize,
    /// The number of partial solutions so far.
    pub taken: usize,
    receive: &'a mut dyn FnMut(Model),
}

impl<'a> Receiver<'a> {
    /// A receiver of at most this number.
    pub fn new(most: usize, receive: &'a mut dyn FnMut(Model)) -> Receiver<'a> {
        Receiver { most, taken: 0, receive }
    }

    /// The number of partial solutions that are still wanted.
    pub fn left(&self) -> usize {
        self.most - self.taken
    }

    /// Takes a partial solution, if it is still wanted, and says whether more are.
    pub fn take(&mut self, model: Model) -> ControlFlow<()> {
        if self.left() > 0 {
            self.taken += 1;
            (self.receive)(model);
        }
        if self.left() > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
