//! Partial solutions: assignments that a check has passed on its way, which nearly are solutions.

use std::collections::BTreeSet;

use sundry_smtlib::{Formula, print_model};
use sundry_solver::PartialSolution;
use sundry_term::{Control, Evaluator, SymbolId, TermId, TermStore, Value};

use super::channels::Channels;

/// A partial solution of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partial {
    /// The number of the check in the script, from 1.
    pub check: u64,
    /// The number of the partial solution in the check, from 1.
    pub number: usize,
    /// The theory that has refuted it; `optimisation` for a point of the search for floats.
    pub refuted_by: &'static str,
    /// The numbers of the assertions that it satisfies, from 0, as the evaluator says: those on the stack, in their order.
    pub satisfied: Vec<usize>,
    /// The number of all assertions.
    pub assertions: usize,
    /// Values of all symbols in the assertions, in the words of `get-model`.
    pub model: String,
}

/// Hands out the partial solutions of a check, each once, up to the number that the channels want.
pub(super) struct Partials<'c, C> {
    channels: &'c mut C,
    check: u64,
    assertions: Vec<TermId>,
    /// The symbols in the assertions.
    symbols: Vec<SymbolId>,
    control: Control,
    seen: BTreeSet<String>,
}

impl<'c, C: Channels> Partials<'c, C> {
    pub(super) fn new(
        channels: &'c mut C,
        check: u64,
        store: &TermStore,
        assertions: Vec<TermId>,
        control: &Control,
    ) -> Self {
        let Formula { assertions, symbols, .. } = Formula::of_assertions(store, assertions);
        Partials { channels, check, assertions, symbols, control: control.clone(), seen: BTreeSet::new() }
    }

    pub(super) fn receive(&mut self, store: &TermStore, partial: &PartialSolution) {
        if self.seen.len() >= self.channels.partial_solutions() {
            return;
        }
        let model = print_model(store, &partial.model, &self.symbols);
        if !self.seen.insert(model.clone()) {
            return;
        }
        let mut evaluator = Evaluator::with_control(store, &partial.model, &self.control);
        // Assertions that cannot be evaluated are not satisfied.
        let _ = evaluator.evaluate(&self.assertions);
        let holds = |&number: &usize| evaluator.value(self.assertions[number]) == Some(&Value::Bool(true));
        self.channels.partial(Partial {
            check: self.check,
            number: self.seen.len(),
            refuted_by: partial.refuted_by,
            satisfied: (0..self.assertions.len()).filter(holds).collect(),
            assertions: self.assertions.len(),
            model,
        });
    }
}
