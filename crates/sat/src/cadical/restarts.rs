//! Watching the restarts of CaDiCaL.
//!
//! CaDiCaL must not be asked to observe a variable that it may have eliminated: that ends the process. So only variables are observed that were used for
//! the first time after the last search.

use std::collections::HashSet;

use super::Cadical;
use crate::literal::Var;
use crate::restarts::{SavedPhases, SharedNotes, WatchRestarts};

/// A watch that is on.
#[derive(Default)]
pub(super) struct Watch {
    notes: SharedNotes,
    is_connected: bool,
    /// Whether the watch ends before the next search.
    is_ending: bool,
    /// Variables that are to be observed and are not.
    wanted: HashSet<Var>,
    /// Variables that were first used after the last search.
    fresh: Vec<Var>,
    observed: HashSet<Var>,
}

impl Watch {
    /// Notes the first use of a variable.
    pub(super) fn meet(&mut self, var: Var) {
        self.fresh.push(var);
    }
}

impl Cadical {
    /// Connects what watches the next search, which has so many assumptions; or disconnects it where the watch is over.
    pub(super) fn begin_watch(&mut self, assumptions: usize) {
        let Some(watch) = &mut self.restarts else { return };
        let solver = self.solver.get_mut();
        if watch.is_ending {
            solver.disconnect_external_propagator();
            self.restarts = None;
            return;
        }
        if !watch.is_connected {
            watch.is_connected = true;
            solver.connect_external_propagator(watch.notes.clone());
        }
        for var in watch.fresh.drain(..) {
            if watch.wanted.remove(&var) {
                watch.observed.insert(var);
                solver.add_observed_var(var.positive().to_dimacs());
            }
        }
        // Whatever else is used already may be gone soon.
        let variables = &self.variables;
        watch.wanted.retain(|var| !variables[var.index()].used);
        // A constraint has a level of its own.
        watch.notes.begin(assumptions + 1);
    }

    /// Notes that a search has ended.
    pub(super) fn end_watch(&mut self) {
        if let Some(watch) = &mut self.restarts {
            watch.fresh.clear();
        }
    }
}

impl WatchRestarts for Cadical {
    fn watch_restarts(&mut self, variables: &[Var], most: usize) {
        let (calls, known) = (self.calls, &self.variables);
        let watch = self.restarts.get_or_insert_with(|| {
            let used = |&var: &Var| calls == 0 && known[var.index()].used;
            let fresh = (0..known.len()).map(Var::from_index).filter(used).collect();
            Watch { fresh, ..Watch::default() }
        });
        watch.is_ending = false;
        watch.notes.set_most(most);
        let is_new = |var: &&Var| !watch.observed.contains(*var);
        watch.wanted.extend(variables.iter().filter(is_new));
    }

    /// The search before stays readable.
    fn stop_watching(&mut self) {
        if let Some(watch) = &mut self.restarts {
            watch.is_ending = true;
        }
    }

    fn take_restarts(&mut self) -> Vec<SavedPhases> {
        self.restarts.as_ref().map_or(Vec::new(), |watch| watch.notes.take())
    }
}
