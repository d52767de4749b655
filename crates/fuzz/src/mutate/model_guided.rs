//! Mutants that a known model of the seed satisfies (Mansur, Christakis, Wüstholz & Zhang, "Detecting critical bugs
//! in SMT solvers using blackbox mutational fuzzing", ESEC/FSE 2020).
//!
//! The model decides a random formula, so the formula or its negation can be asserted beside the seed, or replace a
//! literal that has the same value. Unlike a weaker literal, a solver cannot ignore it.

use rand::Rng;
use rand::seq::IteratorRandom;
use rand_chacha::ChaCha8Rng;
use sundry_external::Verdict;
use sundry_term::{Model, Op, SymbolId, TermId, TermStore, Value, evaluate};

use crate::mutate::generator::{Generator, Mutant};
use crate::mutate::injection::Snippets;
use crate::mutate::literal::{Counts, random_place};
use crate::mutate::random_literal::{has_literals, random_literal};
use crate::mutate::rules::Direction;
use crate::mutate::vocabulary::Vocabulary;

/// The number of formulas that are made until the model decides one.
const ATTEMPTS: usize = 6;
/// One formula in this number states the value of a term.
const VALUES: u32 = 4;

/// Formulas that one model satisfies.
pub struct ModelGuided {
    vocabulary: Vocabulary,
    snippets: Snippets,
    /// The model, with values for new constants.
    model: Model,
    /// The new constants, with their values.
    definitions: Vec<(SymbolId, TermId)>,
    counts: Counts,
}

impl ModelGuided {
    /// Creates a generator with terms of this vocabulary, and a model of the seed.
    pub fn new(
        store: &mut TermStore,
        vocabulary: Vocabulary,
        model: &Model,
        random: &mut ChaCha8Rng,
    ) -> Self {
        let snippets = Snippets::new(store, vocabulary.clone());
        let (mut model, mut definitions) = (model.clone(), Vec::new());
        for constant in snippets.fresh_constants() {
            let literal = random_literal(store, store.sort_of(constant), random);
            let symbol = store.constant_symbol(constant).expect("it is a constant");
            if let Some(literal) = literal
                && let Ok(value) = evaluate(store, &model, literal)
            {
                model.set_constant(symbol, value);
                definitions.push((symbol, literal));
            }
        }
        ModelGuided { vocabulary, snippets, model, definitions, counts: Counts::default() }
    }

    /// A random formula, or its negation, with this value in the model; `None` if the model decides none of them.
    fn formula(&mut self, store: &mut TermStore, truth: bool, random: &mut ChaCha8Rng) -> Option<TermId> {
        (0..ATTEMPTS).find_map(|_| {
            let formula = match random.random_range(0..VALUES) {
                0 => self.equation(store, random)?,
                _ => self.snippets.formula(store, random),
            };
            let holds = self.truth(store, formula)?;
            Some(if holds == truth { formula } else { store.make(Op::Not, &[formula]) })
        })
    }

    /// A term of the seed with its value.
    fn equation(&self, store: &mut TermStore, random: &mut ChaCha8Rng) -> Option<TermId> {
        let sort = self.vocabulary.sorts().filter(|&sort| has_literals(store, sort)).choose(random)?;
        let unknown = self.vocabulary.terms(sort).iter().filter(|&&term| store.value(term).is_none());
        let &term = unknown.choose(random)?;
        let value = evaluate(store, &self.model, term).ok()?;
        let literal = store.value_term(sort, &value);
        Some(store.make(Op::Equal, &[term, literal]))
    }

    fn truth(&self, store: &TermStore, formula: TermId) -> Option<bool> {
        match evaluate(store, &self.model, formula) {
            Ok(Value::Bool(value)) => Some(value),
            _ => None,
        }
    }

    /// The replacement of a literal, with the same value.
    fn replace(
        &mut self,
        store: &mut TermStore,
        assertions: &mut [TermId],
        random: &mut ChaCha8Rng,
    ) -> Option<(TermId, TermId)> {
        let assertion = (0..assertions.len()).choose(random)?;
        // In which direction it changes does not matter.
        let place = random_place(store, &mut self.counts, assertions[assertion], Direction::Over, random);
        let truth = self.truth(store, place.literal)?;
        let to = self.formula(store, truth, random)?;
        assertions[assertion] = place.replace(store, to);
        Some((place.literal, to))
    }
}

impl Generator for ModelGuided {
    fn keeps_status(&self) -> bool {
        true
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
        let mut changed = Vec::new();
        if random.random() {
            // Fewer old assertions leave more room for new ones.
            assertions.retain(|_| random.random());
        }
        for _ in 0..changes {
            let replaced = random.random::<bool>().then(|| self.replace(store, &mut assertions, random));
            if let Some(change) = replaced.flatten() {
                changed.push(change);
            } else if let Some(formula) = self.formula(store, true, random) {
                assertions.push(formula);
                changed.push((store.bool(true), formula));
            }
        }
        let mutant = base.changed(assertions, changed)?;
        Some(Mutant { definitions: self.definitions.clone(), ..mutant })
    }
}
