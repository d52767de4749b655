//! The engine of a session.

use rustc_hash::FxHashSet;
use sundry_circuit::BuildError;
use sundry_sat::Lit;
use sundry_term::{TermId, TermStore};

use super::answer::Core;
use crate::engine::{Engine, Refutation};

/// An engine, and what of the assertion stack it knows.
pub(super) struct Loaded {
    pub(super) engine: Engine,
    /// Assertions passed on so far: the lowest of the stack.
    pub(super) passed: usize,
    /// Assertions of levels up to this one are asserted for ever.
    pub(super) permanent: usize,
    /// The number of assertions that are asserted for ever or belong to such levels.
    pub(super) permanent_assertions: usize,
    /// The literal that stands for each level above, from below.
    pub(super) activations: Vec<Lit>,
    /// The literals of named assertions, with their positions on the stack.
    pub(super) named: Vec<(usize, Lit)>,
    /// Terms below everything that was ever passed on, and their number when the engine started.
    pub(super) known: FxHashSet<TermId>,
    pub(super) known_at_start: usize,
}

impl Loaded {
    /// The literals of Boolean terms.
    pub(super) fn literals(
        &mut self,
        store: &mut TermStore,
        terms: &[TermId],
    ) -> Result<Vec<Lit>, BuildError> {
        let bits = self.engine.bits_of_all(store, terms)?;
        Ok(bits.iter().map(|bits| self.engine.literal(bits[0])).collect())
    }

    /// Makes a named assertion one of the literals assumed at every check.
    pub(super) fn name(
        &mut self,
        store: &mut TermStore,
        position: usize,
        term: TermId,
    ) -> Result<(), BuildError> {
        let literal = self.literals(store, &[term])?[0];
        self.named.push((position, literal));
        Ok(())
    }

    /// The literal of a level above the permanent ones.
    pub(super) fn activation(&mut self, level: usize) -> Lit {
        while self.activations.len() < level - self.permanent {
            self.activations.push(self.engine.new_literal());
        }
        self.activations[level - self.permanent - 1]
    }
}

/// The named assertions, by position and literal, and the assumptions that a refutation has used.
pub(super) fn core_of(refutation: Refutation<'_>, named: &[(usize, Lit)], assumed: &[Lit]) -> Core {
    let is_needed = |literal: Lit| refutation.needs(literal);
    let assertions = named.iter().filter(|&&(_, literal)| is_needed(literal)).map(|&(at, _)| at);
    let assumptions = (0..assumed.len()).filter(|&at| is_needed(assumed[at]));
    Core { assertions: assertions.collect(), assumptions: assumptions.collect() }
}
