//! Floats by optimisation: the search of `sundry-descent` beside the circuits of the engine.
//!
//! The search minimises the distance of the assertions in normal form, from which definitions have taken variables. It finds solutions
//! of formulas whose circuits are hopeless, and shows nothing if it finds none. Which of the two is faster, nobody knows
//! beforehand, so they take turns of counted work ([`FloatTurns`]).

mod definitions;
mod joined;

use sundry_descent::{CompileError, Program, Search, StrategyKind, Turn, Waypoint};
use sundry_term::{Control, Evaluator, Model, Sort, Stopped, SymbolId, TermId, TermStore};

use crate::engine::{PartialOrigin, PartialSolution};
use crate::normalise::Normaliser;
use crate::rewrite::Rewriter;
use definitions::{Definitions, define};
pub use joined::JoinedFloats;

/// The ways to decide formulas over floating-point values.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum FloatMethod {
    /// By circuits and optimisation, which take turns.
    #[default]
    Both,
    /// By circuits alone.
    Circuit,
    /// By optimisation alone where it can read the formula. It finds solutions, and never shows that none exists.
    Search,
}

/// The options of a session for formulas over floating-point values. Other formulas take no notice of them.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct FloatOptions {
    /// The way to decide the formulas.
    pub method: FloatMethod,
    /// The strategy of the search.
    pub strategy: StrategyKind,
    /// The points of the search that count as partial solutions.
    pub partial: Waypoint,
}

impl Default for FloatOptions {
    /// Circuits and optimisation take turns.
    fn default() -> Self {
        FloatOptions {
            method: FloatMethod::default(),
            strategy: StrategyKind::default(),
            partial: Waypoint::LocalMinimum,
        }
    }
}

impl FloatOptions {
    /// Circuits alone.
    pub fn circuit() -> Self {
        FloatOptions { method: FloatMethod::Circuit, ..FloatOptions::default() }
    }
}

/// Terms beyond which a formula is left to circuits: an evaluation would take longer than circuits that propagate a decision.
const MAXIMAL_TERMS: usize = 50_000;

/// The work of the first turn, in steps of the search: about ten milliseconds.
const FIRST_TURN: u64 = 4_000_000;
/// Steps of the search for each tick of the SAT solver in the first turn. In each later turn they are a third fewer, down to the least. A tick takes as long as
/// eight steps on small circuits, and ten times as long on large ones, with what the solver does besides
/// searching. A search that succeeds does so early, mostly.
const FIRST_STEPS_OF_TICK: u64 = 64;
const LEAST_STEPS_OF_TICK: u64 = 4;
/// The longest turn is this many times as long as the first: hours.
const MAXIMAL_DOUBLINGS: u32 = 24;
/// The turns of a search that is alone because circuits cannot be built or do not decide: about a second of work.
pub(crate) const LAST_TURNS: u32 = 6;

/// The lengths of turns. Each turn of the search is twice as long as the one before, and each of the circuits three times, until these have most of
/// the time. So the total is a small multiple of what the better of the two needs, and the answer depends on no clock.
#[derive(Copy, Clone, Debug)]
pub struct FloatTurns {
    /// The number of the turn, from 0 on.
    pub number: u32,
}

impl FloatTurns {
    /// Steps of the search in this turn.
    pub fn steps(self) -> u64 {
        FIRST_TURN << self.number.min(MAXIMAL_DOUBLINGS)
    }

    /// Ticks of the SAT solver in this turn.
    pub fn ticks(self) -> u64 {
        let steps_of_tick = (0..self.number.min(MAXIMAL_DOUBLINGS))
            .fold(FIRST_STEPS_OF_TICK, |steps, _| (steps * 2 / 3).max(LEAST_STEPS_OF_TICK));
        // More ticks would be no limit.
        (self.steps() / steps_of_tick).min(i32::MAX as u64)
    }
}

/// A search for a model of assertions.
pub struct FloatSearch {
    search: Search,
    definitions: Definitions,
}

impl FloatSearch {
    /// A search for a model of these terms; `None` if they are not for it: nothing in them is a float, they are too large or contradictory, or the search
    /// does not read them.
    ///
    /// # Errors
    /// The control stopped the work.
    pub fn new(
        store: &mut TermStore,
        roots: &[TermId],
        joined: &mut JoinedFloats,
        strategy: StrategyKind,
        seed: u64,
        control: &Control,
    ) -> Result<Option<FloatSearch>, Stopped> {
        let terms = store.reachable_within(roots, control)?;
        let is_float = |&term: &TermId| matches!(store.sort(store.sort_of(term)), Sort::Float(_));
        if terms.len() > MAXIMAL_TERMS || !terms.iter().any(is_float) {
            return Ok(None);
        }
        let mut normaliser = Normaliser::new(Rewriter::default(), true);
        normaliser.set_control(control);
        let (roots, parts) = joined.join(store, roots);
        let rest = normaliser.assert_all(store, &roots)?;
        let eliminated = normaliser.definitions(store)?;
        let (rest, definitions) =
            define(store, rest, Definitions { guessed: Equations::new(), eliminated, parts });
        if rest.contains(&store.bool(false)) {
            return Ok(None);
        }
        match Program::new(store, &rest, control) {
            Ok(program) => {
                Ok(Some(FloatSearch { search: Search::new(program, strategy, seed), definitions }))
            }
            Err(CompileError::Unsupported(_)) => Ok(None),
            Err(CompileError::Stopped(reason)) => Err(reason),
        }
    }

    /// Takes a turn. Points of one kind on the way are shown as partial solutions. The model found has not been judged.
    ///
    /// # Errors
    /// The control stopped the search.
    pub fn take_turn(
        &mut self,
        store: &TermStore,
        turn: FloatTurns,
        control: &Control,
        partial: Option<(Waypoint, &mut dyn FnMut(PartialSolution))>,
    ) -> Result<Option<Model>, Stopped> {
        let steps = turn.steps();
        let FloatSearch { search, definitions } = self;
        let variables = search.program().variables().to_vec();
        let turn = match partial {
            None => search.turn(store, steps, control, None),
            Some((wanted, receive)) => {
                let mut show = |waypoint: Waypoint, point: &[u64]| {
                    if waypoint == wanted {
                        let model = definitions.complete(store, Search::model_of(&variables, point));
                        receive(PartialSolution { model, origin: PartialOrigin::Optimisation });
                    }
                };
                search.turn(store, steps, control, Some(&mut show))
            }
        };
        match turn {
            Turn::Found(point) => Ok(Some(definitions.complete(store, Search::model_of(&variables, &point)))),
            Turn::Over => Ok(None),
            Turn::Stopped(reason) => Err(reason),
        }
    }

    /// Evaluations so far.
    pub(crate) fn evaluations(&self) -> u64 {
        self.search.counts().evaluations
    }
}

impl Definitions {
    /// A model with the values of all defined symbols.
    fn complete(&self, store: &TermStore, mut model: Model) -> Model {
        for stage in [&self.guessed, &self.eliminated, &self.parts] {
            let terms: Vec<TermId> = stage.iter().map(|&(_, term)| term).collect();
            let mut evaluator = Evaluator::new(store, &model);
            // Terms without a value leave their symbols out: the judge decides about that.
            let _ = evaluator.evaluate(&terms);
            let values: Vec<_> = terms.iter().map(|&term| evaluator.value(term).cloned()).collect();
            for (&(symbol, _), value) in stage.iter().zip(values) {
                if let Some(value) = value {
                    model.set_constant(symbol, value);
                }
            }
        }
        model
    }
}

/// Symbols with the terms that they equal.
pub(crate) type Equations = Vec<(SymbolId, TermId)>;
