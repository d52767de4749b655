//! What all ways of making mutants have in common.

use rand_chacha::ChaCha8Rng;
use sundry_external::Verdict;
use sundry_term::{SymbolId, TermId, TermStore};

use crate::approximate::Approximator;
use crate::operators::OperatorMutator;
use crate::rules::Direction;

/// A formula made of a seed, and how it came about.
#[derive(Clone, Debug, Default)]
pub struct Mutant {
    /// 0 for the seed itself.
    pub number: usize,
    /// The formula.
    pub assertions: Vec<TermId>,
    /// What was changed on the way from the seed: each term with what took its place.
    pub changes: Vec<(TermId, TermId)>,
    /// Constants that are not those of the seed, with what they stand for.
    pub definitions: Vec<(SymbolId, TermId)>,
}

/// A way to make mutants of one seed.
pub trait Generator: Send {
    /// Whether mutants are satisfiable if and only if the seed is; otherwise nothing is known of them.
    fn keeps_status(&self) -> bool;

    /// Makes a mutant of another, or of the seed, with up to `changes` changes more. Nothing where none could be
    /// made. The number is left as it is.
    fn mutate(
        &mut self,
        store: &mut TermStore,
        base: &Mutant,
        verdict: Verdict,
        changes: usize,
        random: &mut ChaCha8Rng,
    ) -> Option<Mutant>;
}

impl Mutant {
    /// With other assertions, which these changes made.
    pub(crate) fn changed(&self, assertions: Vec<TermId>, changes: Vec<(TermId, TermId)>) -> Option<Mutant> {
        if changes.is_empty() {
            return None;
        }
        let mut mutant = Mutant { assertions, ..self.clone() };
        mutant.changes.extend(changes);
        Some(mutant)
    }
}

impl Generator for Approximator {
    fn keeps_status(&self) -> bool {
        true
    }

    fn mutate(
        &mut self,
        store: &mut TermStore,
        base: &Mutant,
        verdict: Verdict,
        changes: usize,
        random: &mut ChaCha8Rng,
    ) -> Option<Mutant> {
        let direction = if verdict == Verdict::Sat { Direction::Over } else { Direction::Under };
        let mut assertions = base.assertions.clone();
        let changes = Approximator::mutate(self, store, &mut assertions, direction, changes, random);
        base.changed(assertions, changes.iter().map(|change| (change.from, change.to)).collect())
    }
}

impl Generator for OperatorMutator {
    fn keeps_status(&self) -> bool {
        false
    }

    fn mutate(
        &mut self,
        store: &mut TermStore,
        base: &Mutant,
        _: Verdict,
        changes: usize,
        random: &mut ChaCha8Rng,
    ) -> Option<Mutant> {
        let mut assertions = base.assertions.clone();
        let changes = OperatorMutator::mutate(self, store, &mut assertions, changes, random);
        base.changed(assertions, changes)
    }
}
