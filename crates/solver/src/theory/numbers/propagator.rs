//! Bounds that follow, or contradict each other, while the SAT solver searches.
//!
//! A candidate has a value for every bound, and is refuted by bounds most of which were decided long before the last one. So the bounds of numbers are heard of
//! as they are decided. Those of numbers and of differences of two of them go to a graph ([`DifferencePropagator`]), which says when they contradict
//! each other, and which others follow. Those of all sums go to a simplex ([`SumPropagator`]) too, which says when they contradict each other, and is asked only
//! when the graph has nothing more to say, and where candidates are refuted again and again: a check of the simplex takes far longer than the
//! propagation of clauses that it interrupts.
//!
//! The propagator knows nothing that the simplex of the theory does not know too. So its silence means nothing, and a candidate is checked as if there were no propagator.

mod differences;
mod sums;
#[cfg(test)]
mod tests;
mod trail;

use sundry_circuit::Edge;
use sundry_sat::{Lit, Propagator, Var};

use super::Numbers;
use differences::DifferencePropagator;
use sums::SumPropagator;

/// The bounds of numbers, for a SAT solver that asks.
#[derive(Default)]
pub(crate) struct BoundPropagator {
    differences: DifferencePropagator,
    sums: SumPropagator,
    /// The number of atoms that were looked at.
    known: usize,
    /// Atoms that have no literals yet.
    waiting: Vec<usize>,
    /// A clause of which all literals are false.
    refutation: Option<Vec<Lit>>,
    /// The work that was accounted for.
    reported: u64,
}

impl BoundPropagator {
    /// Learns which bounds there are. Returns the variables of the SAT solver that are new among those that matter.
    pub(crate) fn learn(&mut self, numbers: &Numbers, literal_of: impl Fn(Edge) -> Option<Lit>) -> Vec<Var> {
        self.sums.forget();
        self.sums.learn_variables(numbers);
        let mut new = Vec::new();
        let candidates = std::mem::take(&mut self.waiting).into_iter().chain(self.known..numbers.atoms.len());
        self.known = numbers.atoms.len();
        for number in candidates {
            let atom = &numbers.atoms[number];
            if !atom.is_own_input {
                continue;
            }
            let Some(literal) = literal_of(atom.edge) else {
                self.waiting.push(number);
                continue;
            };
            self.sums.learn_bound(atom, literal);
            self.differences.learn_bound(numbers, atom, literal);
            new.push(literal.var());
        }
        new
    }

    /// The work since the last report, in the units of [`Control::spend`](sundry_term::Control::spend).
    pub(crate) fn take_work(&mut self) -> u64 {
        let work = self.differences.work() + self.sums.work();
        work - std::mem::replace(&mut self.reported, work)
    }
}

impl Propagator for BoundPropagator {
    fn begin(&mut self) {
        self.differences.begin();
        self.sums.begin();
        self.refutation = None;
    }

    fn assign(&mut self, literals: &[Lit]) {
        self.differences.assign(literals);
        self.sums.assign(literals);
    }

    fn open_level(&mut self) {
        self.differences.open_level();
        self.sums.open_level();
    }

    fn backtrack(&mut self, level: usize) {
        self.differences.backtrack(level);
        self.sums.backtrack(level);
        self.refutation = None;
    }

    fn propagate(&mut self) -> Option<Lit> {
        match self.differences.propagate() {
            Ok(None) => {
                self.refutation = self.sums.check();
                None
            }
            Ok(literal) => literal,
            Err(clause) => {
                self.refutation = Some(clause);
                None
            }
        }
    }

    fn reason(&mut self, literal: Lit) -> Vec<Lit> {
        self.differences.reason(literal)
    }

    fn refutation(&mut self) -> Option<Vec<Lit>> {
        self.refutation.take()
    }
}
