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
    /// The assertions of the other seed, if the mutant is a fusion with one.
    pub partner: Vec<TermId>,
}

/// A way to make mutants of one seed.
pub trait Generator: Send {
    /// Whether mutants are satisfiable if and only if the seed is; otherwise their status is unknown.
    fn keeps_status(&self) -> bool;

    /// Whether mutants are made of earlier mutants, too, so that changes accumulate; otherwise each is made of the seed.
    fn accumulates(&self) -> bool {
        true
    }

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

/// The formulas of which approximation makes mutants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ApproximationBase {
    /// The conjunctive normal form of the seed, and a quarter of the time the seed as it is: each mutant starts anew.
    Seed,
    /// The seed, its conjunctive normal form, and earlier mutants: changes accumulate.
    Mutants,
}

/// The share of approximations that start from the seed as it is: solvers see connectives that the normal form has not.
const SHARE_AS_IS: f64 = 0.25;

/// Approximation of literals, of the seed and of its normal form.
pub(crate) struct Approximation {
    approximator: Approximator,
    base: ApproximationBase,
    /// The normal forms of the seed, with each kind of names, once they are made.
    normal_forms: Option<[Mutant; 2]>,
}

impl Approximation {
    pub(crate) fn new(approximator: Approximator, base: ApproximationBase) -> Self {
        Approximation { approximator, base, normal_forms: None }
    }

    /// One of the normal forms of the seed.
    fn normal_form(&mut self, store: &mut TermStore, seed: &Mutant, random: &mut ChaCha8Rng) -> &Mutant {
        let namings = [Naming::Equivalent, Naming::Implied];
        let forms =
            self.normal_forms.get_or_insert_with(|| namings.map(|naming| normalised(store, seed, naming)));
        &forms[random.random_range(0..forms.len())]
    }
}

impl Generator for Approximation {
    fn keeps_status(&self) -> bool {
        true
    }

    fn accumulates(&self) -> bool {
        self.base == ApproximationBase::Mutants
    }

    fn mutate(
        &mut self,
        store: &mut TermStore,
        base: &Mutant,
        verdict: Verdict,
        changes: usize,
        random: &mut ChaCha8Rng,
    ) -> Option<Mutant> {
        let base = match self.base {
            ApproximationBase::Mutants if self.normal_forms.is_none() => {
                // The first mutant is the seed in normal form, unless it is in that form already.
                let normal_form = self.normal_form(store, base, random);
                if normal_form.assertions != base.assertions {
                    return Some(normal_form.clone());
                }
                base
            }
            ApproximationBase::Mutants => base,
            ApproximationBase::Seed if random.random_bool(SHARE_AS_IS) => base,
            ApproximationBase::Seed => &self.normal_form(store, base, random).clone(),
        };
        let direction = if verdict == Verdict::Sat { Direction::Over } else { Direction::Under };
        let mut assertions = base.assertions.clone();
        let changes = self.approximator.mutate(store, &mut assertions, direction, changes, random);
        base.changed(assertions, changes.iter().map(|change| (change.from, change.to)).collect())
    }
}

/// The same mutant in conjunctive normal form.
fn normalised(store: &mut TermStore, base: &Mutant, naming: Naming) -> Mutant {
    let NormalForm { clauses, definitions } = conjunctive_normal_form(store, &base.assertions, naming);
    if clauses == base.assertions {
        return base.clone();
    }
    let rewritten = Some("in conjunctive normal form");
    let mut mutant = Mutant { assertions: clauses, rewritten, ..base.clone() };
    mutant.definitions.extend(definitions);
    mutant
}

/// Fusion with other seeds.
pub(crate) struct Fusions(pub(crate) Vec<Fusion>);

impl Generator for Fusions {
    fn keeps_status(&self) -> bool {
        true
    }

    fn accumulates(&self) -> bool {
        false
    }

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
        let (rewritten, partner) = (Some("fused with another"), fusion.partner().to_vec());
        Some(Mutant { number: 0, assertions, changes, definitions, rewritten, partner })
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
