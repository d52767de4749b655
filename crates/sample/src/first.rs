//! The first model of a formula.
//!
//! It is found while only the assertions are encoded, which is easiest, and is there to be reported
//! when time is up while the circuits of all AST-bits are built, which may take long. The options
//! for sequences of easy calls are not the best for a hard one: after some effort an engine with
//! others takes over.

use sundry_solver::{BuildError, Checked, Edge, Engine, EngineOptions, Query, SatOptions, Verdict};
use sundry_term::{Control, Model, TermStore};

use crate::problem::Problem;
use crate::steering::NotReady;
use crate::strategy::Preparation;

/// Ticks after which the engine with other options takes over.
const TICKS: u64 = 200_000_000;

/// A model of the assertions, not judged yet, and its values of the inputs of their circuit.
pub(crate) struct FirstModel {
    pub(crate) model: Model,
    pub(crate) inputs: Vec<bool>,
}

/// Where a strategy starts: an engine that holds the assertions, its own copy of the terms, and
/// a model unless there is none or time is up.
pub(crate) struct Start {
    pub(crate) engine: Engine,
    pub(crate) store: TermStore,
    pub(crate) first: Option<FirstModel>,
}

impl Start {
    /// Asserts the problem in an engine with these options and looks for a model. Says which of both it does.
    pub(crate) fn new(
        problem: &Problem,
        seed: u64,
        options: &EngineOptions,
        control: &Control,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<Self, NotReady> {
        on_preparation(Preparation::Circuit);
        let not_ready = |error| NotReady::after(None, error);
        let mut start = Start::without_model(problem, options, control).map_err(not_ready)?;
        on_preparation(Preparation::FirstModel);
        match start.find_model(Some(TICKS)) {
            Verdict::Unknown if !control.stopped() => {}
            _ => return Ok(start),
        }
        // One engine at a time: each may need a good part of the memory.
        drop(start);
        let sat = SatOptions { seed: (seed % (1 << 30)) as u32, ..SatOptions::default() };
        let for_one_call = EngineOptions { sat, ..options.clone() };
        let mut other = Start::without_model(problem, &for_one_call, control).map_err(not_ready)?;
        let inputs = other.engine.circuit().inputs().len();
        let verdict = other.find_model(None);
        let Start { engine, mut first, .. } = other;
        drop(engine);
        if let Some(first) = &mut first {
            // Lemmas may have added inputs that another engine numbers otherwise.
            first.inputs.truncate(inputs);
        }
        let mut start = match Start::without_model(problem, options, control) {
            Ok(start) => Start { first, ..start },
            Err(error) => return Err(NotReady::after(first.map(|first| first.model), error)),
        };
        if verdict == Verdict::Unsat {
            start.engine.assert_edge(Edge::FALSE);
        }
        Ok(start)
    }

    /// Asserts the problem in an engine with these options.
    pub(crate) fn without_model(
        problem: &Problem,
        options: &EngineOptions,
        control: &Control,
    ) -> Result<Self, BuildError> {
        control.check()?;
        let mut engine = Engine::new(options, control);
        let mut store = problem.store.clone();
        engine.assert_initial(&mut store, &problem.assertions)?;
        Ok(Start { engine, store, first: None })
    }

    fn find_model(&mut self, ticks: Option<u64>) -> Verdict {
        let checked = self.engine.check(Query { ticks, ..Query::default() });
        if let Checked::Sat(found) = checked {
            self.first = Some(FirstModel { model: found.model(&self.store), inputs: found.inputs() });
        }
        checked.verdict()
    }
}
