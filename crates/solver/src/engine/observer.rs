//! Looking at a search: the assignments that it passes and that are no solutions, which may be nearly right.
//!
//! Source: Zhang et al., *Multiplex Symbolic Execution* (MuSE, ASE 2020): such *partial solutions* of a path condition are inputs of a program
//! that take other paths. There are five origins ([`PartialOrigin`]), and one observer for all of them. Whoever wants to make something of a partial solution has to judge it.
//!
//! Without an observer, each check compares one flag. What it observes may change the course of a check, but no answer: the SAT solver leaves
//! observed variables alone when it simplifies, and everything else is copies.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use sundry_circuit::{Edge, Simulation};
use sundry_sat::Var;
use sundry_term::{Model, TermStore};

use super::Engine;
use crate::theory::functions::{Representative, join_congruent};

/// The number of assignments that a simulation evaluates at once.
const LANES: usize = 64;

/// Rounds of joining congruent applications, for each refuted assignment.
const ROUNDS_OF_CONGRUENCE: usize = 4;

/// The place of a search at which a partial solution was met.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum PartialOrigin {
    /// An assignment of the circuit that the theory of this name has refuted.
    Refuted(&'static str),
    /// The values of numbers before a pivot of the simplex, with integers rounded (section 3.2).
    Pivot,
    /// The values that the SAT solver tried last, when it started again (section 3.5).
    Restart,
    /// A refuted assignment in which applications of a function with equal arguments have been given one result: a step towards
    /// congruent classes (section 3.5).
    Congruence,
    /// A point that the search for floats has passed (section 3.4).
    Optimisation,
}

impl PartialOrigin {
    /// The name of the origin.
    pub fn name(self) -> &'static str {
        match self {
            PartialOrigin::Refuted(_) => "refuted",
            PartialOrigin::Pivot => "pivot",
            PartialOrigin::Restart => "restart",
            PartialOrigin::Congruence => "congruence",
            PartialOrigin::Optimisation => "optimisation",
        }
    }
}

/// An assignment that a check has passed, as a model. Nobody has judged it.
#[derive(Clone, Debug)]
pub struct PartialSolution {
    /// Values of the declared symbols that the formula mentions.
    pub model: Model,
    /// The place of the search at which it was met.
    pub origin: PartialOrigin,
}

/// A receiver of the partial solutions of a check.
pub struct Observer<'a> {
    /// The store of the engine's terms, as the last call has left it: models are made with it.
    pub store: &'a TermStore,
    /// The greatest number of assignments of each origin that are kept at a time; repetitions among them are left out as far as they are noticed.
    pub most: usize,
    /// Takes a partial solution, and ends the observation when it has enough.
    pub receive: &'a mut dyn FnMut(PartialSolution) -> ControlFlow<()>,
}

impl Observer<'_> {
    fn take(&mut self, model: Model, origin: PartialOrigin) {
        if self.is_open() && (self.receive)(PartialSolution { model, origin }).is_break() {
            self.most = 0;
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.most > 0
    }
}

impl Engine {
    /// Turns on what an observer wants to see of the next search, or turns it off.
    pub(super) fn prepare_observation(&mut self, observer: Option<&Observer<'_>>) {
        let most = observer.map_or(0, |observer| observer.most);
        if most == 0 {
            if self.is_observed {
                self.is_observed = false;
                self.sat.stop_watching();
                self.theories.numbers_mut().set_watched(0);
            }
            return;
        }
        self.is_observed = true;
        let known = self.aig.inputs().iter().filter_map(|&input| self.cnf.literal_of(input));
        let variables: Vec<Var> = known.map(|literal| literal.var()).collect();
        self.sat.watch_restarts(&variables, most);
        self.theories.numbers_mut().set_watched(most);
    }

    /// Shows the phases that the last search has saved at its restarts.
    pub(super) fn show_restarts(&mut self, observer: &mut Observer<'_>) {
        let restarts = self.sat.take_restarts();
        let mut inputs: FxHashMap<Var, (usize, bool)> = FxHashMap::default();
        for (number, &input) in self.aig.inputs().iter().enumerate() {
            if let Some(literal) = self.cnf.literal_of(input) {
                inputs.insert(literal.var(), (number, literal.is_negative()));
            }
        }
        let mut simulation = Simulation::default();
        let control = self.control.with_grace();
        for together in restarts.chunks(LANES) {
            let mut words = vec![0; self.aig.inputs().len()];
            for (lane, phases) in together.iter().enumerate() {
                for literal in phases {
                    let Some(&(number, is_negated)) = inputs.get(&literal.var()) else { continue };
                    words[number] |= u64::from(literal.is_negative() == is_negated) << lane;
                }
            }
            simulation.run(&self.aig, &words);
            for lane in 0..together.len() as u32 {
                if !observer.is_open() || control.stopped() {
                    return;
                }
                let value = |edge: Edge| simulation.value(edge, lane);
                let model = self.model_of(observer.store, &value, self.theories.numbers().solution());
                observer.take(model, PartialOrigin::Restart);
            }
        }
    }

    /// Shows the values that numbers had before pivots for the present candidate.
    pub(super) fn show_pivots(&mut self, observer: &mut Observer<'_>) {
        self.candidate.extend(&self.aig, &[]);
        let control = self.control.with_grace();
        for numbers in self.theories.numbers_mut().take_passed() {
            if !observer.is_open() || control.stopped() {
                return;
            }
            let model = self.model_of(observer.store, &|edge| self.candidate.value(edge, 0), &numbers);
            observer.take(model, PartialOrigin::Pivot);
        }
    }

    /// Shows the present candidate, which a theory has refuted, and what it becomes when equal arguments have equal results.
    pub(super) fn show_refuted(&mut self, observer: &mut Observer<'_>, theory: &'static str) {
        // The theory may have added to the circuit.
        self.candidate.extend(&self.aig, &[]);
        let model = self.candidate_model(observer.store);
        observer.take(model, PartialOrigin::Refuted(theory));
        for representative in [Representative::First, Representative::Last] {
            self.show_congruent(observer, representative);
        }
    }

    fn show_congruent(&mut self, observer: &mut Observer<'_>, representative: Representative) {
        let mut inputs: Vec<u64> =
            self.aig.inputs().iter().map(|&input| self.candidate.word(input)).collect();
        let mut numbers = self.theories.numbers().solution().clone();
        let mut simulation = self.candidate.clone();
        for _ in 0..ROUNDS_OF_CONGRUENCE {
            let theories = &self.theories.arrays_and_functions;
            let value = |edge: Edge| simulation.value(edge, 0);
            let has_changed = join_congruent(
                theories,
                &self.aig,
                &value,
                representative,
                (&mut inputs, &mut numbers),
                &self.control,
            );
            if !has_changed || !observer.is_open() {
                return;
            }
            simulation.run(&self.aig, &inputs);
            let value = |edge: Edge| simulation.value(edge, 0);
            observer.take(self.model_of(observer.store, &value, &numbers), PartialOrigin::Congruence);
        }
    }
}
