//! Individuals of the search: inputs of a solver.

use sundry_fuzz::logic_of;
use sundry_smtlib::Formula;
use sundry_term::{TermId, TermStore};

/// An input: some assertions, whose terms are in the store of the search. What it declares follows from what occurs in them;
/// no two symbols that occur have the same name.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Individual {
    /// The assertions in order.
    pub assertions: Vec<TermId>,
}

impl Individual {
    /// The formula that solvers are asked about: with this logic, or without one the smallest that contains all that occurs.
    pub fn formula(&self, store: &TermStore, logic: Option<&str>) -> Formula {
        let logic = logic.map_or_else(|| logic_of(store, &self.assertions), str::to_string);
        Formula { logic: Some(logic), ..Formula::of_assertions(store, self.assertions.clone()) }
    }
}
