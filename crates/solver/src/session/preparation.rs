//! The engine of a session knows the whole stack before a check: the present engine is kept, or a fresh one starts.

use rustc_hash::FxHashSet;
use sundry_circuit::BuildError;
use sundry_sat::Limits;
use sundry_term::{Stopped, TermId, TermStore};

use super::loaded::Loaded;
use super::{Assertion, Session, Tracking};
use crate::engine::Engine;

/// New terms for which an engine is kept in any case.
const SLACK: usize = 1000;
/// The work of visiting a term, in the units of [`sundry_term::Control::spend`].
const WORK_OF_VISIT: u32 = 8;

impl Session {
    /// Makes an engine know the whole stack: the present one, or a fresh one where what is new
    /// outweighs all that the present one knows, so that normalising it together pays.
    pub(super) fn prepare(
        &mut self,
        store: &mut TermStore,
        assumptions: &[TermId],
        limits: &Limits,
    ) -> Result<(), BuildError> {
        if let Some(loaded) = &mut self.loaded {
            let new = self.assertions[loaded.passed..].iter().map(|assertion| assertion.term);
            for term in new.chain(assumptions.iter().copied()) {
                note_below(store, term, &mut loaded.known, limits)?;
            }
            if loaded.known.len() > 2 * loaded.known_at_start + SLACK {
                self.unload();
            }
        }
        if self.loaded.is_none() {
            let permanent = self.choose_permanent(store, limits)?;
            self.load(store, permanent, limits)?;
        }
        self.pass_on(store, limits)
    }

    /// Up to which level a fresh engine asserts for ever: the levels that have outlived a pop, if
    /// most of the formula is in them, else all.
    fn choose_permanent(&self, store: &TermStore, limits: &Limits) -> Result<usize, Stopped> {
        let level = self.levels.len();
        if self.proven >= level {
            return Ok(level);
        }
        let mut known = FxHashSet::default();
        for assertion in &self.assertions[..self.levels[self.proven]] {
            note_below(store, assertion.term, &mut known, limits)?;
        }
        let below = known.len();
        for assertion in &self.assertions[self.levels[self.proven]..] {
            note_below(store, assertion.term, &mut known, limits)?;
        }
        Ok(if 2 * below >= known.len() { self.proven } else { level })
    }

    /// Starts a fresh engine with the assertions of levels up to `permanent`.
    fn load(&mut self, store: &mut TermStore, permanent: usize, limits: &Limits) -> Result<(), BuildError> {
        let mut engine = Engine::new(&self.options, &limits.control);
        self.statistics.engines += 1;
        let length = self.levels.get(permanent).copied().unwrap_or(self.assertions.len());
        let lowest = &self.assertions[..length];
        let mut known = FxHashSet::default();
        for assertion in lowest {
            note_below(store, assertion.term, &mut known, limits)?;
        }
        let silent = lowest.iter().filter(|assertion| assertion.tracking == Tracking::Silent);
        let silent: Vec<TermId> = silent.map(|assertion| assertion.term).collect();
        engine.assert_initial(store, &silent)?;
        let known_at_start = known.len();
        let mut loaded = Loaded {
            engine,
            passed: length,
            permanent,
            permanent_assertions: length,
            activations: Vec::new(),
            named: Vec::new(),
            known,
            known_at_start,
        };
        for (position, assertion) in lowest.iter().enumerate() {
            if assertion.tracking == Tracking::Named {
                loaded.name(store, position, assertion.term)?;
            }
        }
        self.loaded = Some(loaded);
        Ok(())
    }

    /// Passes on the assertions that the engine does not know yet.
    fn pass_on(&mut self, store: &mut TermStore, limits: &Limits) -> Result<(), BuildError> {
        let loaded = self.loaded.as_mut().expect("the caller has loaded one");
        loaded.engine.set_control(&limits.control);
        let levels = &self.levels;
        while loaded.passed < self.assertions.len() {
            let position = loaded.passed;
            let Assertion { term, tracking } = self.assertions[position];
            let level = levels.partition_point(|&start| start <= position);
            if tracking == Tracking::Named {
                loaded.name(store, position, term)?;
            } else if level <= loaded.permanent {
                loaded.engine.assert(store, term)?;
            } else {
                let literal = loaded.literals(store, &[term])?[0];
                let activation = loaded.activation(level);
                loaded.engine.add_clause(&[!activation, literal]);
            }
            loaded.passed += 1;
            if level <= loaded.permanent {
                loaded.permanent_assertions = loaded.passed;
            }
        }
        Ok(())
    }
}

/// Adds the terms below a term to those known.
///
/// # Errors
/// The control stopped the work.
fn note_below(
    store: &TermStore,
    term: TermId,
    known: &mut FxHashSet<TermId>,
    limits: &Limits,
) -> Result<(), Stopped> {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if known.insert(term) {
            limits.control.spend(WORK_OF_VISIT)?;
            stack.extend(store.args(term));
        }
    }
    Ok(())
}
