//! A formula in an engine: where every way to sample starts.
//!
//! A first model is looked for while only the assertions are encoded, which is easiest, and is there to be reported
//! when time is up while the circuits of all AST-bits are built, which may take long. The options
//! for sequences of easy calls are not the best for a hard one: an engine with others takes over after some effort, and
//! finds the first model from the start where there are integers or reals.

use sundry_coverage::Predicate;
use sundry_lanes::CompileError;
use sundry_solver::{
    BuildError, Checked, Edge, Engine, EngineOptions, Lit, ModelRef, Query, SatOptions, Verdict,
};
use sundry_term::{Control, Model, Stopped, TermId, TermStore};

use crate::enumeration::{Enumeration, Next};
use crate::error::SampleError;
use crate::first_by_search::FirstBySearch;
use crate::not_ready::NotReady;
use crate::problem::Problem;
use crate::rows::Judge;
use crate::strategy::Preparation;

/// Ticks after which the engine with other options takes over.
const TICKS: u64 = 200_000_000;

/// A model of the assertions, not judged yet, and its values of the inputs of their circuit.
pub(crate) struct FirstModel {
    pub(crate) model: Model,
    pub(crate) inputs: Vec<bool>,
}

/// An engine that holds the assertions of a problem, and its own copy of the terms.
pub(crate) struct FormulaEngine {
    engine: Engine,
    store: TermStore,
    control: Control,
    first: Option<FirstModel>,
    questions: u64,
}

impl FormulaEngine {
    /// Asserts the problem in an engine with these options and looks for a model. Says which of both it does.
    pub(crate) fn new(
        problem: &Problem,
        seed: u64,
        options: &EngineOptions,
        control: &Control,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<Self, NotReady> {
        FormulaEngine::with_finder(problem, seed, options, control, on_preparation)
            .map(|(formula, _)| formula)
    }

    /// [`new`](Self::new), and where there are integers or reals, the engine that has found the model: it gives more models of the assertions, without
    /// further circuits.
    pub(crate) fn with_finder(
        problem: &Problem,
        seed: u64,
        options: &EngineOptions,
        control: &Control,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<(Self, Option<FormulaEngine>), NotReady> {
        on_preparation(Preparation::Circuit);
        let stopped = |_| NotReady::Stopped { model: None, engine: None };
        let mut search = FirstBySearch::new(problem, seed, control).map_err(stopped)?;
        if !search.has_numbers() {
            let mut formula = FormulaEngine::without_model(problem, options, control)
                .map_err(|error| NotReady::after(search.found().cloned(), error))?;
            on_preparation(Preparation::FirstModel);
            let verdict = search.find(&mut formula, Some(TICKS));
            if let Some(theory) = formula.undecided() {
                return Err(NotReady::Undecided(theory));
            }
            match verdict {
                Verdict::Unknown if !control.stopped() => {}
                _ => return Ok((formula, None)),
            }
        }
        FormulaEngine::with_model_of_another(problem, seed, options, search, control, on_preparation)
    }

    /// Looks for a model in an engine with the options for one hard question, and asserts the problem in one with these options.
    fn with_model_of_another(
        problem: &Problem,
        seed: u64,
        options: &EngineOptions,
        mut search: FirstBySearch<'_>,
        control: &Control,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<(Self, Option<FormulaEngine>), NotReady> {
        let for_one_call = options.for_one_hard_question(seed);
        let mut other = FormulaEngine::without_model(problem, &for_one_call, control)
            .map_err(|error| NotReady::after(search.found().cloned(), error))?;
        on_preparation(Preparation::FirstModel);
        let inputs = other.engine.circuit().inputs().len();
        let verdict = search.find(&mut other, None);
        if let Some(theory) = other.undecided() {
            return Err(NotReady::Undecided(theory));
        }
        let mut first = other.take_first();
        // The search may have found the model without the engine. An engine that is not asked for more goes now: each may need a good part of the memory.
        let has_found = search.has_numbers() && other.engine.last_model().is_some();
        let finder = has_found.then_some(other);
        if let Some(first) = &mut first {
            // Lemmas may have added inputs that another engine numbers otherwise.
            first.inputs.truncate(inputs);
        }
        let mut formula = match FormulaEngine::without_model(problem, options, control) {
            Ok(formula) => FormulaEngine { first, ..formula },
            Err(error) => return Err(NotReady::after(first.map(|first| first.model), error)),
        };
        if verdict == Verdict::Unsat {
            formula.engine.assert_edge(Edge::FALSE);
        }
        Ok((formula, finder))
    }

    /// [`new`](Self::new) for a run that has nothing to report without an engine.
    pub(crate) fn for_run(
        problem: &Problem,
        seed: u64,
        options: &EngineOptions,
        control: &Control,
    ) -> Result<Self, SampleError> {
        FormulaEngine::new(problem, seed, options, control, &mut |_| {})
            .map_err(|error| error.for_run(control))
    }

    /// Asserts the problem in an engine with these options.
    pub(crate) fn without_model(
        problem: &Problem,
        options: &EngineOptions,
        control: &Control,
    ) -> Result<Self, BuildError> {
        control.check()?;
        let integer_bits = problem.ast_bits.integer_bits();
        let mut engine = Engine::new(&EngineOptions { integer_bits, ..options.clone() }, control);
        let mut store = problem.store.clone();
        engine.assert_initial(&mut store, &problem.assertions)?;
        Ok(FormulaEngine { engine, store, control: control.clone(), first: None, questions: 0 })
    }

    /// Starts again with a new engine, without looking for a model. What was made in the old one is gone.
    pub(crate) fn renew(&mut self, problem: &Problem, options: &EngineOptions) -> Result<(), BuildError> {
        // One engine at a time: each may need a good part of the memory.
        self.engine = Engine::new(options, &self.control);
        let renewed = FormulaEngine::without_model(problem, options, &self.control)?;
        *self = FormulaEngine { questions: self.questions, first: self.first.take(), ..renewed };
        Ok(())
    }

    /// Looks for a first model by circuits for this number of ticks.
    pub(crate) fn find_first(&mut self, ticks: Option<u64>) -> Verdict {
        let checked = self.engine.check(Query { ticks, ..Query::default() });
        if let Checked::Sat(found) = checked {
            self.first = Some(FirstModel { model: found.model(&self.store), inputs: found.inputs() });
        }
        checked.verdict()
    }

    /// A maker of the same formula in an engine of its own with these options, which starts at the last model; it may
    /// be called on another thread, and fails where the control stops it. `None` where this engine has simplified its
    /// clauses.
    pub(crate) fn replica(
        &mut self,
        options: SatOptions,
        control: Control,
    ) -> Option<impl FnOnce() -> Result<FormulaEngine, Stopped> + Send + 'static + use<>> {
        let replica = self.engine.replica()?;
        let store = self.store.clone();
        Some(move || {
            let engine = replica.start(options, &control)?;
            Ok(FormulaEngine { engine, store, control, first: None, questions: 0 })
        })
    }

    /// The engine alone: a program that ends next need not take the time to free it.
    pub(crate) fn into_engine(self) -> Engine {
        self.engine
    }

    /// The engine, for literals, clauses and phases. Questions go through [`check`](Self::check), which counts them.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The engine, to be changed.
    pub(crate) fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The terms of the formula, and those that were made since.
    pub(crate) fn store(&self) -> &TermStore {
        &self.store
    }

    /// The store, for further terms.
    pub(crate) fn store_mut(&mut self) -> &mut TermStore {
        &mut self.store
    }

    /// The control that stops the engine.
    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    /// The first model, until it is taken. `None` at first means that the formula has no model, or time was up.
    pub(crate) fn first(&self) -> Option<&FirstModel> {
        self.first.as_ref()
    }

    /// Makes a model the first one.
    pub(crate) fn set_first(&mut self, first: FirstModel) {
        self.first = Some(first);
    }

    /// The theory that could neither accept nor refute an assignment, if that is why there is no first model.
    fn undecided(&self) -> Option<&'static str> {
        self.engine.undecided().filter(|_| self.first.is_none())
    }

    /// Takes the first model.
    pub(crate) fn take_first(&mut self) -> Option<FirstModel> {
        self.first.take()
    }

    /// The circuit edges of terms; terms without bits have none.
    ///
    /// # Errors
    /// An operation whose circuit is too large, or time is up.
    pub(crate) fn bits_of_all(&mut self, terms: &[TermId]) -> Result<Vec<Box<[Edge]>>, BuildError> {
        self.engine.bits_of_all(&mut self.store, terms)
    }

    /// The literal of a term of sort Bool.
    ///
    /// # Errors
    /// An operation whose circuit is too large, or time is up.
    pub(crate) fn literal_of(&mut self, term: TermId) -> Result<Lit, BuildError> {
        let edge = self.bits_of_all(&[term])?[0][0];
        Ok(self.engine.literal(edge))
    }

    /// Builds the circuits of terms, and returns their normal forms.
    ///
    /// # Errors
    /// An operation whose circuit is too large, or time is up.
    pub(crate) fn build_all(&mut self, terms: &[TermId]) -> Result<Vec<TermId>, BuildError> {
        self.engine.build_all(&mut self.store, terms)
    }

    /// The meaning for a run of a circuit that could not be built.
    pub(crate) fn not_ready(&self, error: BuildError) -> SampleError {
        NotReady::after(None, error).for_run(&self.control)
    }

    /// A judge of rows, which finds out which of these predicates hold in them, too.
    ///
    /// # Errors
    /// Time was up.
    pub(crate) fn judge(&mut self, problem: &Problem, predicates: &[Predicate]) -> Result<Judge, Stopped> {
        Judge::new(problem, predicates, &mut self.store, self.engine.definitions(), &self.control)
    }

    /// A judge of many rows at once.
    ///
    /// # Errors
    /// Something in the formula cannot be evaluated for many models at once, or time was up.
    pub(crate) fn judge_in_lanes(&mut self, problem: &Problem) -> Result<Judge, CompileError> {
        Judge::in_lanes(problem, &[], &mut self.store, self.engine.definitions(), &self.control)
    }

    /// Asks the engine.
    pub(crate) fn check(&mut self, query: Query<'_>) -> Checked<'_> {
        self.questions += 1;
        self.engine.check(query)
    }

    /// A model that answers a question.
    ///
    /// # Errors
    /// The verdict of the engine where it has none.
    pub(crate) fn find(&mut self, query: Query<'_>) -> Result<Model, Verdict> {
        self.questions += 1;
        self.engine.check(query).model().map(|found| found.model(&self.store))
    }

    /// The model that was found last. An answer of [`check`](Self::check) lends it until the next question; this is for
    /// those who ask on, or add clauses, before they read it.
    ///
    /// # Panics
    /// When no question was answered by a model, or a later one has taken it away, which does not happen while
    /// [models are kept](Engine::keeps_models).
    pub(crate) fn last_model(&self) -> ModelRef<'_> {
        self.engine.last_model().expect("a check has found a model, and none has taken it away")
    }

    /// Reads all of the model that was found last.
    pub(crate) fn read_last_model(&self) -> Model {
        self.last_model().model(&self.store)
    }

    /// The next model of a walk, where each question on the way may take this number of ticks. The step counts as one
    /// question.
    ///
    /// # Errors
    /// The verdict where there is no further model, or a limit was reached.
    pub(crate) fn next_of(
        &mut self,
        enumeration: &mut Enumeration,
        ticks: Option<u64>,
    ) -> Result<Model, Verdict> {
        self.questions += 1;
        match enumeration.next(&mut self.engine, ticks) {
            Next::Found(found) => Ok(found.model(&self.store)),
            Next::End => Err(Verdict::Unsat),
            Next::Unknown => Err(Verdict::Unknown),
        }
    }

    /// A literal that occurs nowhere yet.
    pub(crate) fn new_literal(&mut self) -> Lit {
        self.engine.new_literal()
    }

    /// Adds a clause for ever, which a literal of the caller's own guards.
    pub(crate) fn add_clause(&mut self, clause: &[Lit]) {
        self.engine.add_clause(clause);
    }

    /// Adds a literal that holds in all models.
    pub(crate) fn add_fact(&mut self, literal: Lit) {
        self.engine.add_fact(literal);
    }

    /// The number of questions asked after the first model was looked for.
    pub(crate) fn questions(&self) -> u64 {
        self.questions
    }
}
