//! Questions to the engine: bits, arrays and floats as circuits, refined by lemmas.

use rustc_hash::FxHashMap;
use sundry_solver::{Checked, Engine, EngineOptions, Lit, Observer, PartialSolution, Query};
use sundry_term::{Control, TermId};

use super::procedure::{Receiver, Verdict};
use crate::symbolic::Terms;

/// The number of nodes of a circuit from which on a new engine is started: each answer takes time for all of them. Engines whose first question is large may
/// have more.
const MOST_NODES: usize = 60_000;

/// The number of times that the circuit of the first question may grow.
const MOST_GROWTH: usize = 4;

/// The number of conditions from which on a new engine is started: the theory of arrays looks at the arrays of all of them.
const MOST_CONDITIONS: usize = 150;

/// Units of work of a control that take as long as a tick of the SAT solver.
const UNITS_PER_TICK: u64 = 2;

/// An engine that is asked again and again.
#[derive(Default)]
pub(super) struct Circuits {
    engine: Option<Engine>,
    literals: FxHashMap<TermId, Option<Lit>>,
    /// The number of nodes after the first question of the engine.
    first_nodes: usize,
    /// The number of conditions of the first question.
    first_conditions: usize,
    /// The work of engines that were forgotten, less what was taken, in ticks.
    work: u64,
    /// The work of the engine that was taken.
    taken: u64,
}

impl Circuits {
    /// Forgets everything, so that the next question starts an engine.
    pub fn forget(&mut self) {
        self.work += self.engine.take().map_or(0, |engine| engine.work() - self.taken);
        self.taken = 0;
        self.literals.clear();
    }

    /// The work since the last call, in ticks of the SAT solver.
    pub fn take_work(&mut self) -> u64 {
        let work = self.engine.as_ref().map_or(0, Engine::work);
        let taken = std::mem::replace(&mut self.taken, work);
        std::mem::take(&mut self.work) + work - taken
    }

    /// Whether the next question starts an engine.
    pub fn are_full(&self) -> bool {
        let most = MOST_NODES.max(MOST_GROWTH * self.first_nodes);
        self.engine.as_ref().is_none_or(|engine| engine.circuit().node_count() > most)
            || self.literals.len() > MOST_CONDITIONS.max(MOST_GROWTH * self.first_conditions)
    }

    /// Asks for a model of conditions within this number of ticks.
    pub fn ask(
        &mut self,
        conditions: &[TermId],
        ticks: u64,
        terms: &mut Terms,
        control: &Control,
        partials: &mut Receiver<'_>,
    ) -> Verdict {
        if self.are_full() {
            self.forget();
        }
        let is_first = self.engine.is_none();
        let engine =
            self.engine.get_or_insert_with(|| Engine::new(&EngineOptions::for_many_calls(), control));
        // What is built stays, so only the search below is limited.
        engine.set_control(control);
        let mut assumptions = Vec::new();
        for &condition in conditions {
            let literal = *self.literals.entry(condition).or_insert_with(|| {
                let edge = engine.bits(&mut terms.store, condition).ok().map(|bits| bits[0]);
                edge.map(|edge| engine.literal(edge))
            });
            let Some(literal) = literal else { return Verdict::Unreadable };
            assumptions.push((literal, condition));
        }
        if is_first {
            self.first_nodes = engine.circuit().node_count();
            self.first_conditions = conditions.len();
        }
        let literals: Vec<Lit> = assumptions.iter().map(|&(literal, _)| literal).collect();
        // Ticks count searches of the SAT solver. Lemmas about long chains of stores take as much time, and are limited apart.
        engine.set_control(&control.with_work(ticks.saturating_mul(UNITS_PER_TICK)));
        let query = Query::assuming(&literals).within(ticks);
        let most = partials.left();
        let checked = if most == 0 {
            engine.check(query)
        } else {
            let mut take = |partial: PartialSolution| partials.take(partial.model);
            engine.check_and_report(query, Observer { store: &terms.store, most, receive: &mut take })
        };
        match checked {
            Checked::Sat(model) => Verdict::Model(model.model(&terms.store)),
            Checked::Unsat(refutation) => {
                let needed = assumptions.iter().filter(|(literal, _)| refutation.needs(*literal));
                Verdict::Core(needed.map(|&(_, condition)| condition).collect())
            }
            Checked::Unknown => Verdict::Unknown,
        }
    }
}
