//! The knowledge of a search that starts again: the values that it tried last.
//!
//! Source: Zhang et al., *Multiplex Symbolic Execution* (MuSE, ASE 2020), section 3.5: the assignments of a CDCL search satisfy a part of what is
//! asked, and are worth a look. A solver saves the last value of each variable as the phase that decisions try next (Pipatsrisawat & Darwiche, *A lightweight
//! component caching scheme for satisfiability solvers*, SAT 2007), and at a restart these phases are all that is left of the search.
//!
//! CaDiCaL has no function that reads phases. Its interface for external propagators (Fazekas et al., *IPASIR-UP*, SAT 2023) says which values observed
//! variables get and how far the search goes back, so that the same can be noted outside. To stop after every few conflicts was rejected: nothing can be read
//! from a search without an answer. While nobody watches, no propagator is connected, and the search is the same as ever.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::rc::Rc;

use cadical_sys::ExternalPropagator;

use crate::literal::{Lit, Var};

/// The values that a search tried last, as literals of the watched variables that had some.
pub type SavedPhases = Box<[Lit]>;

/// Looking at a search while it runs. Solvers that cannot show anything keep the default.
pub trait WatchRestarts {
    /// Keeps the saved phases of these variables, and of those named before, whenever a search starts again from its assumptions: up to so many
    /// different ones since the watch began. A variable that a search may have simplified away before cannot be watched any more. While somebody
    /// watches, no variable may be flippable.
    fn watch_restarts(&mut self, _variables: &[Var], _most: usize) {}

    /// Ends the watch.
    fn stop_watching(&mut self) {}

    /// Takes what was kept since the last time.
    fn take_restarts(&mut self) -> Vec<SavedPhases> {
        Vec::new()
    }
}

/// The greatest number of literals that are kept until somebody takes them: 64 MiB.
const MAXIMAL_LITERALS: usize = 1 << 24;

/// The notes on a search, shared with the solver that makes them.
#[derive(Clone, Default)]
pub(crate) struct SharedNotes(Rc<RefCell<Notes>>);

#[derive(Default)]
struct Notes {
    /// The last value of each variable that had one, by number.
    last: Vec<Option<bool>>,
    /// The variables with a value, in the order of the first.
    known: Vec<Var>,
    /// The level of the assumptions: a search that goes back to it starts again.
    base: usize,
    /// Whether something has changed since the last start.
    has_changed: bool,
    most: usize,
    kept: Vec<SavedPhases>,
    /// Hashes of what was kept. Where two are equal by chance, the second is left out.
    seen: HashSet<u64>,
}

impl SharedNotes {
    /// Begins a call with so many assumptions.
    pub(crate) fn begin(&self, assumptions: usize) {
        let mut notes = self.0.borrow_mut();
        notes.base = assumptions;
        notes.has_changed = false;
    }

    /// Keeps up to so many different phases from now on.
    pub(crate) fn set_most(&self, most: usize) {
        self.0.borrow_mut().most = most;
    }

    /// Takes what was kept.
    pub(crate) fn take(&self) -> Vec<SavedPhases> {
        std::mem::take(&mut self.0.borrow_mut().kept)
    }
}

impl Notes {
    fn note(&mut self, number: i32) {
        let Some(literal) = Lit::from_dimacs(number) else { return };
        let var = literal.var();
        if self.last.len() <= var.index() {
            self.last.resize(var.index() + 1, None);
        }
        let value = !literal.is_negative();
        let before = self.last[var.index()].replace(value);
        if before.is_none() {
            self.known.push(var);
        }
        self.has_changed |= before != Some(value);
    }

    fn keep(&mut self) {
        let has_room = (self.kept.len() + 1).saturating_mul(self.known.len()) <= MAXIMAL_LITERALS;
        if !self.has_changed || !has_room || self.seen.len() >= self.most {
            return;
        }
        self.has_changed = false;
        let literal = |&var: &Var| var.literal(self.last[var.index()] == Some(true));
        let phases: SavedPhases = self.known.iter().map(literal).collect();
        if self.seen.insert(BuildHasherDefault::<DefaultHasher>::default().hash_one(&phases)) {
            self.kept.push(phases);
        }
    }
}

/// A propagator that only listens.
impl ExternalPropagator for SharedNotes {
    fn notify_assignment(&mut self, literals: &[i32]) {
        let mut notes = self.0.borrow_mut();
        literals.iter().for_each(|&literal| notes.note(literal));
    }

    fn notify_new_decision_level(&mut self) {}

    fn notify_backtrack(&mut self, level: usize) {
        let mut notes = self.0.borrow_mut();
        if level <= notes.base {
            notes.keep();
        }
    }

    fn cb_check_found_model(&mut self, _model: &[i32]) -> bool {
        true
    }

    fn cb_has_external_clause(&mut self, _is_forgettable: &mut bool) -> bool {
        false
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        0
    }
}
