//! Propagation of bounds of numbers while the SAT solver searches.

use std::cell::RefCell;
use std::rc::Rc;

use sundry_sat::SharedPropagator;

use super::Engine;
use crate::theory::numbers::BoundPropagator;

impl Engine {
    /// Makes the propagator and the SAT solver know the bounds that are new, where bounds are propagated.
    pub(super) fn prepare_propagation(&mut self) {
        let numbers = self.theories.numbers();
        if !self.options.propagates_bounds || numbers.is_trivial() {
            return;
        }
        let cnf = &self.cnf;
        let literal_of = |edge| cnf.literal_of(edge);
        if let Some(propagator) = &self.propagator {
            self.sat.observe(&propagator.borrow_mut().learn(numbers, literal_of));
            return;
        }
        let mut propagator = BoundPropagator::default();
        let variables = propagator.learn(numbers, literal_of);
        if variables.is_empty() {
            return;
        }
        let propagator = Rc::new(RefCell::new(propagator));
        self.sat.connect_propagator(Rc::clone(&propagator) as SharedPropagator);
        self.sat.observe(&variables);
        self.propagator = Some(propagator);
    }

    /// Counts the work of the propagator.
    pub(super) fn count_propagation(&mut self) {
        if let Some(propagator) = &self.propagator {
            self.statistics.on_numbers += propagator.borrow_mut().take_work();
        }
    }
}
