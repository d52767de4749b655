//! Phases: the values that decisions of the SAT solver try first.

use sundry_circuit::{CnfEncoder, Edge};
use sundry_sat::Lit;
use sundry_term::Control;

use super::Engine;

/// The work of setting a phase, in the units of [`Control::spend`].
const WORK_OF_PHASE: u32 = 4;

/// Items of which some may be left out, until a control has ended.
fn while_going_on<T>(control: &Control, items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    items.take_while(|_| control.spend(WORK_OF_PHASE).is_ok())
}

/// The literals of all encoded nodes that have these values, until a control has ended.
fn phases(control: &Control, cnf: &CnfEncoder, mut value: impl FnMut(Edge) -> bool) -> Vec<Lit> {
    let mut phases = Vec::with_capacity(cnf.encoded_count());
    let encoded = while_going_on(control, cnf.encoded());
    phases.extend(encoded.map(|(edge, literal)| literal.negate_if(!value(edge))));
    phases
}

impl Engine {
    /// The value decisions on this literal's variable try first.
    pub fn set_phase(&mut self, literal: Lit) {
        self.sat.set_phase(literal);
    }

    /// Decisions try the values that the circuit has under these values of its first inputs, with
    /// the others false.
    pub fn prefer_inputs(&mut self, values: &[bool]) {
        let words: Vec<u64> = (0..self.aig.inputs().len())
            .map(|index| if values.get(index) == Some(&true) { u64::MAX } else { 0 })
            .collect();
        self.simulate(&words);
        self.prefers_candidate = true;
        self.prefer_last_assignment();
    }

    /// Decisions try the values of the last assignment that a check found, or that was preferred since then.
    pub fn prefer_last_assignment(&mut self) {
        let last = if self.prefers_candidate { &mut self.candidate } else { &mut self.found };
        last.extend(&self.aig, &[]);
        self.sat.set_phases(&phases(&self.control, &self.cnf, |edge| last.value(edge, 0)));
    }

    /// Decisions try these values of the circuit's nodes, each given as its positive edge, whether or not they
    /// fit together.
    pub fn prefer_values(&mut self, value: impl FnMut(Edge) -> bool) {
        self.sat.set_phases(&phases(&self.control, &self.cnf, value));
    }

    /// Makes decisions try the values that they would without any phase set.
    pub fn forget_phases(&mut self) {
        for (_, literal) in while_going_on(&self.control, self.cnf.encoded()) {
            self.sat.clear_phase(literal.var());
        }
    }
}
