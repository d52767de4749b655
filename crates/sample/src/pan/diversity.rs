//! Algorithm 2, DiversitySMT: a solution unlike those of the set so far.
//!
//! The lazy loop (bit-vector abstraction, SAT search, theory check, lemmas) is the engine's; what
//! makes it diverse is the value that the search tries first for each bit, drawn from the bit's
//! distribution over the set. No constraint is added: the formula gets no harder.
//!
//! The paper steers the variable bits. A SAT solver decides on inner nodes of the circuit as well,
//! and tries there what it saved from the last solution, which leads it back to that one. So the
//! search starts its decisions at the variables, and the bits of the other nodes get phases of
//! their own distributions. Without the two, sets on a third of our formulas stopped growing early.

use sundry_solver::{Lit, Verdict};

use super::{Pan, Sample};

impl Pan<'_> {
    /// DiversitySMT(Φ ∪ {clause}, A); an empty clause adds nothing. The clause is gone afterwards.
    pub(super) fn diversity_smt(&mut self, clause: &[Lit]) -> Result<Sample, Verdict> {
        if !self.options.no_diversity {
            self.draw_phases();
        }
        let guards: Vec<Lit> = self.blocked_set.into_iter().chain(self.blocked_round).collect();
        match self.steering.check_clause(&guards, clause) {
            Verdict::Sat => Ok(self.look()),
            verdict => Err(verdict),
        }
    }

    /// Draws for each bit the value to try first. The solver is told only of changes.
    fn draw_phases(&mut self) {
        for bit in 0..self.variables.bit_count() {
            let value = self.distribution.first_value(bit, &mut self.steering.random);
            if self.phases[bit] != Some(value) {
                self.phases[bit] = Some(value);
                self.steering.set_phase(self.variables.literal(bit, value));
            }
        }
    }

    /// Alt-1: without diversity, solutions are told apart by constraints. Solutions of the set are
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

    fn block(&mut self, guard: Lit, candidate: &Sample) {
        let mut clause = self.variables.differs(&candidate.bits);
        clause.push(!guard);
        self.steering.add_guarded(&clause);
    }
}
