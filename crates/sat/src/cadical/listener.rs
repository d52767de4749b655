//! Listening to CaDiCaL while it searches, and answering.
//!
//! CaDiCaL has room for one external propagator. So one listener is connected for those who watch restarts and for the propagator of a theory. It keeps the literals that
//! are true by levels, since a propagator may serve several solvers in turn, and since CaDiCaL does not repeat the literals that are true for ever.
//!
//! CaDiCaL must not be asked to observe a variable that it may have eliminated: that ends the process. So only variables are observed that were used for
//! the first time after the last search.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use cadical_sys::ExternalPropagator;

use super::Cadical;
use crate::literal::{Lit, Var};
use crate::propagator::{Propagate, SharedPropagator};
use crate::restarts::{SavedPhases, SharedNotes, WatchRestarts};

/// The listener, as its solver sees it.
#[derive(Default)]
pub(super) struct Listener {
    ears: Rc<RefCell<Ears>>,
    is_connected: bool,
    /// Whether the watch over restarts ends before the next search.
    is_watch_ending: bool,
    /// Variables to be watched once they are used, not observed so far.
    wanted: HashSet<Var>,
    /// Variables to be observed by the propagator, not observed so far.
    required: Vec<Var>,
    observed: HashSet<Var>,
}

/// The listener, as CaDiCaL sees it.
#[derive(Default)]
struct Ears {
    /// The watch over restarts, while somebody wants to see them.
    notes: Option<SharedNotes>,
    propagator: Option<SharedPropagator>,
    /// Whether a search is running.
    is_searching: bool,
    /// The observed literals that are true, in the order in which CaDiCaL has named them.
    trail: Vec<Lit>,
    /// The length of the trail where each level begins.
    levels: Vec<usize>,
    /// The literals of the trail before the first level.
    forever: HashSet<Lit>,
    /// The clause that CaDiCaL reads at present, its last literal first.
    clause: Vec<Lit>,
    /// The reason that CaDiCaL reads at present, its last literal first.
    reason: Option<Vec<Lit>>,
}

impl Listener {
    /// Whether CaDiCaL refuses to change a model, since a propagator is connected.
    pub(super) fn is_connected(&self) -> bool {
        self.ears.borrow().is_needed()
    }
}

impl Ears {
    fn is_needed(&self) -> bool {
        self.notes.is_some() || self.propagator.is_some()
    }

    /// The propagator, while a search is running.
    fn asked(&self) -> Option<&SharedPropagator> {
        self.propagator.as_ref().filter(|_| self.is_searching)
    }

    /// Makes the propagator know what is true.
    fn begin(&mut self) {
        self.is_searching = true;
        let Some(propagator) = self.asked() else { return };
        let mut propagator = propagator.borrow_mut();
        propagator.begin();
        let ends = self.levels.iter().copied().chain([self.trail.len()]);
        let mut start = 0;
        for (level, end) in ends.enumerate() {
            if level > 0 {
                propagator.open_level();
            }
            propagator.assign(&self.trail[start..end]);
            start = end;
        }
    }
}

impl Cadical {
    /// Connects what listens to the next search, which has so many assumptions; or disconnects it where nobody listens any more.
    pub(super) fn begin_listening(&mut self, assumptions: usize) {
        // What the propagator says must be about variables that CaDiCaL knows.
        let required = std::mem::take(&mut self.listener.required);
        required.iter().for_each(|&var| self.use_variable(var));
        let solver = self.solver.get_mut();
        let listener = &mut self.listener;
        if std::mem::take(&mut listener.is_watch_ending) {
            listener.ears.borrow_mut().notes = None;
        }
        if !listener.ears.borrow().is_needed() {
            if listener.is_connected {
                solver.disconnect_external_propagator();
                *listener = Listener::default();
            }
            return;
        }
        if !listener.is_connected {
            listener.is_connected = true;
            solver.connect_external_propagator(Rc::clone(&listener.ears));
        }
        let (variables, searches) = (&self.variables, self.searches);
        let mut wanted: Vec<Var> =
            listener.wanted.iter().copied().filter(|var| variables[var.index()].used).collect();
        wanted.sort_unstable();
        wanted.iter().for_each(|var| {
            listener.wanted.remove(var);
        });
        for var in required.into_iter().chain(wanted) {
            // Whatever was used in a search before may be gone.
            if variables[var.index()].first_search == searches && listener.observed.insert(var) {
                solver.add_observed_var(var.positive().to_dimacs());
            }
        }
        let mut ears = listener.ears.borrow_mut();
        if let Some(notes) = &ears.notes {
            // A constraint has a level of its own.
            notes.begin(assumptions + 1);
        }
        ears.begin();
    }

    /// Notes that a search has ended.
    pub(super) fn end_listening(&mut self) {
        self.listener.ears.borrow_mut().is_searching = false;
    }
}

impl WatchRestarts for Cadical {
    fn watch_restarts(&mut self, variables: &[Var], most: usize) {
        self.listener.is_watch_ending = false;
        self.listener.ears.borrow_mut().notes.get_or_insert_default().set_most(most);
        let observed = &self.listener.observed;
        self.listener.wanted.extend(variables.iter().filter(|var| !observed.contains(*var)));
    }

    /// The search before stays readable.
    fn stop_watching(&mut self) {
        self.listener.is_watch_ending = true;
    }

    fn take_restarts(&mut self) -> Vec<SavedPhases> {
        self.listener.ears.borrow().notes.as_ref().map_or(Vec::new(), SharedNotes::take)
    }
}

impl Propagate for Cadical {
    fn connect_propagator(&mut self, propagator: SharedPropagator) -> bool {
        self.listener.ears.borrow_mut().propagator = Some(propagator);
        true
    }

    fn observe(&mut self, variables: &[Var]) {
        for &var in variables.iter().filter(|var| !self.listener.observed.contains(*var)) {
            let known = &self.variables[var.index()];
            assert!(!known.used || known.first_search == self.searches, "{var:?} may be simplified away");
            self.listener.required.push(var);
        }
    }
}

impl ExternalPropagator for Ears {
    fn notify_assignment(&mut self, literals: &[i32]) {
        if let Some(notes) = &mut self.notes {
            notes.notify_assignment(literals);
        }
        let start = self.trail.len();
        let literals = literals.iter().filter_map(|&literal| Lit::from_dimacs(literal));
        if self.levels.is_empty() {
            // CaDiCaL names what is true for ever again where it goes on with the last search.
            self.trail.extend(literals.filter(|&literal| self.forever.insert(literal)));
        } else {
            self.trail.extend(literals);
        }
        if let Some(propagator) = self.asked() {
            propagator.borrow_mut().assign(&self.trail[start..]);
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
        if let Some(propagator) = self.asked() {
            propagator.borrow_mut().open_level();
        }
    }

    fn notify_backtrack(&mut self, level: usize) {
        if let Some(notes) = &mut self.notes {
            notes.notify_backtrack(level);
        }
        if let Some(&end) = self.levels.get(level) {
            self.trail.truncate(end);
            self.levels.truncate(level);
        }
        if let Some(propagator) = self.asked() {
            propagator.borrow_mut().backtrack(level);
        }
    }

    /// A reason that is needed again is asked for again.
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    /// The owner of the solver looks at models.
    fn cb_check_found_model(&mut self, _model: &[i32]) -> bool {
        true
    }

    fn cb_propagate(&mut self) -> i32 {
        let literal = self.asked().and_then(|propagator| propagator.borrow_mut().propagate());
        literal.map_or(0, Lit::to_dimacs)
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        let (Some(literal), Some(propagator)) = (Lit::from_dimacs(propagated), &self.propagator) else {
            return 0;
        };
        let reason = self.reason.get_or_insert_with(|| propagator.borrow_mut().reason(literal));
        let next = reason.pop();
        if next.is_none() {
            self.reason = None;
        }
        next.map_or(0, Lit::to_dimacs)
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        let Some(clause) = self.asked().and_then(|propagator| propagator.borrow_mut().refutation()) else {
            return false;
        };
        self.clause = clause;
        true
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clause.pop().map_or(0, Lit::to_dimacs)
    }
}
