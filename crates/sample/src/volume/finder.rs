//! What the solver is asked for: a solution near a random assignment, and solutions near it in which a bit is different.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use sundry_lanes::Unsupported;
use sundry_solver::{Edge, Engine, Lit, Query, SatOptions, Verdict};
use sundry_term::{Model, Op, SymbolId, TermId, TermStore};

use super::judge::Judge;
use crate::first::Start;
use crate::problem::Problem;
use crate::steering::{Control, NotReady};

/// Effort for a solution near another one, beyond which the condition is left out.
const TICKS: u64 = 20_000_000;

/// A bit of a constant, or of what is read from an array or given by a function.
pub(crate) struct Condition {
    /// The constant, and which of its bits; none for what is read.
    pub(crate) bit: Option<(SymbolId, u32)>,
    edge: Edge,
    literal: Lit,
}

/// An engine that holds the formula.
pub(crate) struct Finder {
    engine: Engine,
    store: TermStore,
    conditions: Vec<Condition>,
    control: Control,
    first: Option<Model>,
}

impl Finder {
    /// Asserts the formula and finds the bits that may vary.
    pub(crate) fn new(problem: &Problem, seed: u64, control: &Control) -> Result<Self, NotReady> {
        let Start { mut engine, mut store, first } =
            Start::new(problem, seed, &SatOptions::for_many_calls(), control)?;
        let first = first.map(|first| first.model);
        engine.set_limits(control.limits(None));
        let terms: Vec<TermId> = store
            .reachable(&problem.assertions)
            .into_iter()
            .filter(|&term| matches!(store.op(term), Op::Apply(_) | Op::Select))
            .collect();
        let edges = match engine.bits_of_all(&mut store, &terms) {
            Ok(edges) => edges,
            Err(error) => return Err(NotReady::after(first, error)),
        };
        let mut conditions: Vec<Condition> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for (&term, edges) in terms.iter().zip(&edges) {
            for (bit, &edge) in (0..).zip(edges) {
                if edge.is_constant().is_none() && seen.insert(edge.regular()) {
                    let bit = store.constant_symbol(term).map(|symbol| (symbol, bit));
                    let literal = engine.literal(edge);
                    conditions.push(Condition { bit, edge, literal });
                }
            }
        }
        Ok(Finder { engine, store, conditions, control: control.clone(), first })
    }

    /// The terms of the formula, and those that definitions need.
    pub(crate) fn store(&self) -> &TermStore {
        &self.store
    }

    /// Judges what the finder's solutions are combined to.
    pub(crate) fn judge(&mut self, problem: &Problem) -> Result<Judge, Unsupported> {
        Judge::new(problem, &mut self.store, self.engine.definitions())
    }

    pub(crate) fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    /// The model that was found first, if there is one.
    pub(crate) fn take_first(&mut self) -> Option<Model> {
        self.first.take()
    }

    /// A solution that takes what it can from a random assignment: decisions try its values, carried through the
    /// circuit. It is not the nearest one: what conflicts is given up in the order in which the search meets it.
    pub(crate) fn base(&mut self, random: &mut ChaCha8Rng) -> Result<Model, Verdict> {
        let values: Vec<bool> = self.engine.circuit().inputs().iter().map(|_| random.random()).collect();
        self.engine.prefer_inputs(&values);
        self.engine.set_limits(self.control.limits(None));
        match self.engine.check(Query::default()) {
            Verdict::Sat => Ok(self.engine.model(&self.store)),
            verdict => Err(verdict),
        }
    }

    /// Decisions try the values of the last solution from now on. Its values of the conditions.
    pub(crate) fn stay_near(&mut self) -> Vec<bool> {
        let values = self.conditions.iter().map(|condition| self.engine.value(condition.edge)).collect();
        let inputs = self.engine.input_values();
        self.engine.prefer_inputs(&inputs);
        values
    }

    /// A solution near that in which a condition does not have this value; `None` if there is none, or it is hard
    /// to find.
    pub(crate) fn neighbour(&mut self, condition: usize, value: bool) -> Option<Model> {
        let literal = self.conditions[condition].literal.negate_if(value);
        self.engine.set_limits(self.control.limits(Some(TICKS)));
        match self.engine.check(Query { assumptions: &[literal], at_least_one: &[] }) {
            Verdict::Sat => Some(self.engine.model(&self.store)),
            Verdict::Unsat | Verdict::Unknown => None,
        }
    }
}
