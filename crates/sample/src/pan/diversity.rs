//! Algorithm 2, DiversitySMT: a solution unlike those of the set so far.
//!
//! The lazy loop (bit-vector abstraction, SAT search, theory check, lemmas) is the engine's; what
//! makes it diverse is the value that the search tries first for each variable bit, drawn from the
//! bit's distribution over the set. No constraint is added: the formula gets no harder.
//!
//! A SAT solver decides on inner nodes of the circuit as well, and tries there what it saved from
//! the last solution; with phases for variable bits alone it is led back to that one, and sets on a
//! third of our formulas stop growing early. So the drawn values are carried through the circuit:
//! whatever the search decides on, it tries what the variable bits, as drawn, say.

use rand::Rng;
use sundry_solver::{Edge, Lit, Verdict};

use super::distribution::Distribution;
use super::variables::Variables;
use super::{Pan, Sample};
use crate::steering::Steering;

/// The phases of the circuit's nodes.
#[derive(Default)]
pub(super) struct Phases {
    /// The values of the last draw, by node.
    drawn: Vec<bool>,
    /// The phases that the solver has, by node.
    told: Vec<Option<bool>>,
}

impl Pan<'_> {
    /// DiversitySMT(Φ ∪ {clause}, A); an empty clause adds nothing. The clause is gone afterwards.
    pub(super) fn diversity_smt(&mut self, clause: &[Lit]) -> Result<Sample, Verdict> {
        if !self.options.no_diversity {
            self.phases.draw(&self.variables, &self.distribution, &mut self.steering);
            self.phases.tell(&mut self.steering);
        }
        let guards: Vec<Lit> = self.blocked_set.into_iter().chain(self.blocked_round).collect();
        match self.steering.check_clause(&guards, clause) {
            Verdict::Sat => Ok(self.look()),
            verdict => Err(verdict),
        }
    }

    /// Alt-1: without diversity, constraints keep solutions different. Solutions of the set are
    /// excluded for good, other candidates for the round; both behind literals of their own, so
    /// that nothing that the solver learns of the formula depends on them.
    pub(super) fn block_in_round(&mut self, candidate: &Sample) {
        let guard = *self.blocked_round.get_or_insert_with(|| self.steering.new_bundle());
        self.block(guard, candidate);
    }

    /// Alt-1: a new round. The candidates of the last one that were not chosen may come again.
    pub(super) fn block_in_set(&mut self, chosen: &Sample) {
        if let Some(round) = self.blocked_round.take() {
            self.steering.retire_bundle(round);
        }
        let guard = *self.blocked_set.get_or_insert_with(|| self.steering.new_bundle());
        self.block(guard, chosen);
    }

    fn block(&mut self, guard: Lit, sample: &Sample) {
        let mut clause = self.variables.differs(&sample.bits);
        clause.push(!guard);
        self.steering.add_guarded(&clause);
    }
}

impl Phases {
    /// Draws a value for each variable bit and evaluates the circuit on them.
    fn draw(&mut self, variables: &Variables, distribution: &Distribution, steering: &mut Steering) {
        let count = steering.circuit().inputs().len();
        let random = &mut steering.random;
        let inputs: Vec<bool> = (0..count)
            .map(|input| match variables.bit_of_input(input) {
                Some(bit) => distribution.first_value(bit, random),
                None => random.random(),
            })
            .collect();
        let mut inputs = inputs.into_iter();
        self.drawn.clear();
        let circuit = steering.circuit();
        for node in 0..circuit.node_count() as u32 {
            let value = match circuit.operands(node) {
                Some((left, right)) => self.value(left) && self.value(right),
                // Inputs are met in the order in which they were made. Node 0 is the constant false.
                None => node != 0 && inputs.next().expect("a value for every input"),
            };
            self.drawn.push(value);
        }
    }

    fn value(&self, edge: Edge) -> bool {
        self.drawn[edge.node() as usize] != edge.is_complemented()
    }

    /// Tells the solver the phases that have changed.
    fn tell(&mut self, steering: &mut Steering) {
        self.told.resize(self.drawn.len(), None);
        for (node, (&drawn, told)) in self.drawn.iter().zip(&mut self.told).enumerate() {
            if *told == Some(drawn) {
                continue;
            }
            if let Some(literal) = steering.literal_of(Edge::from_node(node as u32)) {
                steering.set_phase(if drawn { literal } else { !literal });
                *told = Some(drawn);
            }
        }
    }
}
