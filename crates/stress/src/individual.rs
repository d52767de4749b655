//! Individuals of the search: inputs of a solver.

use std::fmt;

use sundry_external::Inquiry;
use sundry_fuzz::{inquiry, logic_contains, logic_of};
use sundry_smtlib::{Diagnostic, Formula, SourceText, TheorySet, parse_script};
use sundry_term::{SortError, TermId, TermStore};

use crate::breed::transplant::{Transplant, alone};

/// An input: some assertions, whose terms are in the store of the search. What it declares follows from what occurs in them;
/// no two symbols that occur have the same name.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Individual {
    /// The assertions in order.
    pub assertions: Vec<TermId>,
}

/// A text that cannot be read as an input.
#[derive(Clone, Debug)]
pub enum UnreadableInput {
    /// The text is no legal script.
    Illegal(Box<Diagnostic>),
    /// A sort of the script is too large beside others.
    Sort(SortError),
}

impl fmt::Display for UnreadableInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnreadableInput::Illegal(diagnostic) => diagnostic.fmt(f),
            UnreadableInput::Sort(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UnreadableInput {}

impl Individual {
    /// Reads the assertions of a script into a store. Symbols that the store has already, with the same names and sorts, are the
    /// same: so inputs that are the same as texts are the same individual.
    ///
    /// # Errors
    /// The script is not legal.
    pub fn read(store: &mut TermStore, source: &SourceText) -> Result<Individual, UnreadableInput> {
        let mut own = TermStore::new();
        let script = parse_script(&mut own, source, TheorySet::ALL)
            .map_err(|diagnostic| UnreadableInput::Illegal(Box::new(diagnostic)))?;
        let individual = Individual { assertions: script.formula().assertions };
        Transplant::new(&own, store).individual(&individual).map_err(UnreadableInput::Sort)
    }

    /// The formula that solvers are asked about: with this logic, or with the smallest that contains all that occurs, if there is none
    /// or it does not contain everything.
    pub fn formula(&self, store: &TermStore, logic: Option<&str>) -> Formula {
        let logic = match logic.filter(|logic| logic_contains(store, logic, &self.assertions)) {
            Some(logic) => logic.to_string(),
            None => logic_of(store, &self.assertions),
        };
        Formula { logic: Some(logic), ..Formula::of_assertions(store, self.assertions.clone()) }
    }

    /// The script that solvers are asked about [`Individual::formula`]. The text does not depend on what else is in the store,
    /// nor on the order in which terms came into it.
    pub fn inquiry(&self, store: &TermStore, logic: Option<&str>) -> Inquiry {
        match alone(store, [self]) {
            Ok((store, [individual])) => inquiry(&store, &individual.formula(&store, logic), false),
            Err(_) => inquiry(store, &self.formula(store, logic), false),
        }
    }
}
