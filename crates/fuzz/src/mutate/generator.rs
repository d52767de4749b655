//! The common interface of all ways to make mutants.

use rand::Rng;
use rand::seq::IndexedMutRandom;
use rand_chacha::ChaCha8Rng;
use sundry_external::Verdict;
use sundry_term::{SymbolId, TermId, TermStore};

use crate::mutate::approximate::Approximator;
use crate::mutate::cnf::{Naming, NormalForm, conjunctive_normal_form};
use crate::mutate::fusion::{Fused, Fusion};
use crate::mutate::operators::OperatorMutator;
use crate::mutate::rules::Direction;

/// A formula made of a seed, and how it came about.
#[derive(Clone, Debug, Default)]
pub struct Mutant {
    /// 0 for the seed itself.
    pub number: usize,
    /// The formula.
    pub assertions: Vec<TermId>,
    /// The changes since the seed: each term with its replacement.
    pub changes: Vec<(TermId, TermId)>,
    /// Constants that the seed does not have, with the terms that define them.
    pub definitions: Vec<(SymbolId, TermId)>,
    /// The rewriting of the whole formula, if there was one.
    pub rewritten: Option<&'static str>,
}

/// A way to make mutants of one seed.
pub trait Generator: Send {
    /// Whether mutants are satisfiable if and only if the seed is; otherwise their status is unknown.
    fn keeps_status(&self) -> bool;

    /// Makes a mutant of another, or of the seed, with up to `changes` more changes. `None` if none could be made.
    /// The number of the mutant stays the same.
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
    /// The mutant with other assertions, which these changes made.
    pub(crate) fn changed(&self, assertions: Vec<TermId>, changes: Vec<(TermId, TermId)>) -> Option<Mutant> {
        if changes.is_empty() {
            return None;
        }
        let mut mutant = Mutant { assertions, ..self.clone() };
        mutant.changes.extend(changes);
        Some(mutant)
    }
}

/// Approximation of literals, of the seed and of its normal form.
pub(crate) struct Approximation {
    approximator: Approximator,
    /// Whether the normal form was made.
    is_normalised: bool,
}

impl Approximation {
    pub(crate) fn new(approximator: Approximator) -> Self {
        Approximation { approximator, is_normalised: false }
    }
}

impl Generator for Approximation {
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
        if !std::mem::replace(&mut self.is_normalised, true) {
            let normalised = normalised(store, base, random);
            if normalised.is_some() {
                return normalised;
            }
        }
        let direction = if verdict == Verdict::Sat { Direction::Over } else { Direction::Under };
        let mut assertions = base.assertions.clone();
        let changes = self.approximator.mutate(store, &mut assertions, direction, changes, random);
        base.changed(assertions, changes.iter().map(|change| (change.from, change.to)).collect())
    }
}

/// The same mutant in conjunctive normal form, if it is not in that form.
fn normalised(store: &mut TermStore, base: &Mutant, random: &mut ChaCha8Rng) -> Option<Mutant> {
    let naming = if random.random() { Naming::Equivalent } else { Naming::Implied };
    let NormalForm { clauses, definitions } = conjunctive_normal_form(store, &base.assertions, naming);
    if clauses == base.assertions {
        return None;
    }
    let rewritten = Some("in conjunctive normal form");
    let mut mutant = Mutant { assertions: clauses, rewritten, ..base.clone() };
    mutant.definitions.extend(definitions);
    Some(mutant)
}

/// Fusion with other seeds.
pub(crate) struct Fusions(pub(crate) Vec<Fusion>);

impl Generator for Fusions {
    fn keeps_status(&self) -> bool {
        true
    }

    /// Every mutant is made of the seed, not of another mutant.
    fn mutate(
        &mut self,
        store: &mut TermStore,
        _: &Mutant,
        _: Verdict,
        changes: usize,
        random: &mut ChaCha8Rng,
    ) -> Option<Mutant> {
        let fusion = self.0.choose_mut(random)?;
        let Fused { assertions, changes, definitions } = fusion.mutate(store, changes, random)?;
        let rewritten = Some("fused with another");
        Some(Mutant { number: 0, assertions, changes, definitions, rewritten })
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
