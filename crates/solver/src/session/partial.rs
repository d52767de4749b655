//! Partial solutions of a check, judged: each once, with the assertions that it satisfies.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use sundry_term::{
    Control, EvaluationError, Evaluator, FunctionValue, Model, Op, Stopped, SymbolId, TermId, TermStore,
    Value,
};

use crate::engine::{PartialOrigin, PartialSolution};

/// An assignment that a check has passed, with what it satisfies.
#[derive(Clone, Debug)]
pub struct Partial {
    /// Values of the declared symbols that the assertions mention.
    pub model: Model,
    /// The place of the search at which it was met.
    pub origin: PartialOrigin,
    /// The numbers of the assertions that hold, as the evaluator says: those on the stack, from 0. If it satisfies all, the search has passed a
    /// solution.
    pub satisfied: Vec<usize>,
}

/// Takes a partial solution, with the store of its terms.
pub type PartialReceiver<'r> = &'r mut dyn FnMut(&TermStore, Partial);

/// The values of symbols, in which partial solutions differ.
type Values = (Vec<Option<Value>>, Vec<Option<FunctionValue>>);

/// Judges the partial solutions of a check.
pub(super) struct Judged<'r> {
    assertions: Vec<TermId>,
    constants: Vec<SymbolId>,
    functions: Vec<SymbolId>,
    seen: FxHashSet<Values>,
    most: usize,
    control: Control,
    receive: PartialReceiver<'r>,
}

impl<'r> Judged<'r> {
    /// Hands out at most so many partial solutions.
    ///
    /// # Errors
    /// The control stopped the work.
    pub(super) fn new(
        store: &TermStore,
        assertions: Vec<TermId>,
        most: usize,
        control: &Control,
        receive: PartialReceiver<'r>,
    ) -> Result<Self, Stopped> {
        let mut symbols: Vec<SymbolId> = Vec::new();
        for term in store.reachable_within(&assertions, control)? {
            if let Op::Apply(symbol) = store.op(term) {
                symbols.push(symbol);
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        let is_constant = |&symbol: &SymbolId| store.symbol(symbol).arguments.is_empty();
        let (constants, functions) = symbols.into_iter().partition(is_constant);
        let (seen, control) = (FxHashSet::default(), control.clone());
        Ok(Judged { assertions, constants, functions, seen, most, control, receive })
    }

    /// The number of partial solutions that may still be handed out.
    pub(super) fn left(&self) -> usize {
        self.most - self.seen.len()
    }

    /// Judges a partial solution and hands it out, unless it was met before.
    pub(super) fn take(&mut self, store: &TermStore, partial: PartialSolution) -> ControlFlow<()> {
        let PartialSolution { model, origin } = partial;
        let constants = self.constants.iter().map(|&symbol| model.constant(symbol).cloned());
        let functions = self.functions.iter().map(|&symbol| model.function(symbol).cloned());
        if self.seen.insert((constants.collect(), functions.collect()))
            && let Some(satisfied) = self.satisfied(store, &model)
        {
            (self.receive)(store, Partial { model, origin, satisfied });
        }
        if self.left() > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// The assertions that hold; those that cannot be evaluated do not. None, where there was no time to find out.
    fn satisfied(&self, store: &TermStore, model: &Model) -> Option<Vec<usize>> {
        let mut evaluator = Evaluator::with_control(store, model, &self.control.with_grace());
        let mut satisfied = Vec::new();
        for (number, &assertion) in self.assertions.iter().enumerate() {
            match evaluator.evaluate(&[assertion]) {
                Err(EvaluationError::Stopped(_)) => return None,
                Ok(()) if evaluator.value(assertion) == Some(&Value::Bool(true)) => satisfied.push(number),
                _ => {}
            }
        }
        Some(satisfied)
    }
}
