//! Path conditions read as conditions on integers (section 3.2 of the paper): the simplex decides them, and its pivots are partial solutions.
//!
//! A word becomes an integer that is equal to it modulo 2 to the power of its width. Intervals of these integers show where nothing wraps around, which is nearly everywhere
//! in programs that compute with bytes, so that most conditions become linear ones without remainders. Words that other operations compute are
//! integers of which nothing but the range is known. So a contradiction among the integers is one among the bits, and a model has to be judged on the bits.

mod translation;

use rustc_hash::FxHashMap;
use sundry_term::{Control, Model, TermId};

use super::circuits::Circuits;
use super::procedure::{Receiver, Verdict};
use crate::symbolic::Terms;
use translation::Translation;

/// Conditions on integers, and the engine that decides them.
#[derive(Default)]
pub(super) struct Integers {
    circuits: Circuits,
    translation: Translation,
}

impl Integers {
    /// Asks for a model of conditions on bits within this number of ticks.
    pub fn ask(
        &mut self,
        conditions: &[TermId],
        ticks: u64,
        terms: &mut Terms,
        control: &Control,
        partials: &mut Receiver<'_>,
    ) -> Verdict {
        let mut asked = Vec::new();
        let mut origin: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &condition in conditions {
            let Some(integer) = self.translation.condition(condition, terms) else {
                return Verdict::Unreadable;
            };
            if integer != terms.store.bool(true) {
                origin.insert(integer, condition);
                asked.push(integer);
            }
        }
        asked.extend(self.translation.bounds(&asked, terms));
        let translation = &self.translation;
        let most = partials.left();
        let mut take = |model: Model| {
            let _ = partials.take(translation.words(&model));
        };
        match self.circuits.ask(&asked, ticks, terms, control, &mut Receiver::new(most, &mut take)) {
            Verdict::Model(model) => Verdict::Model(translation.words(&model)),
            Verdict::Core(core) => {
                Verdict::Core(core.iter().filter_map(|condition| origin.get(condition).copied()).collect())
            }
            verdict => verdict,
        }
    }
}
