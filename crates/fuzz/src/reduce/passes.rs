//! The kinds of changes, and in which order they are tried.

use rustc_hash::{FxHashMap, FxHashSet};
use sundry_term::{SymbolId, TermId, TermStore, substitute};

use super::datatypes::with_narrower_datatypes;
use super::functions::with_fewer_arguments;
use super::names::{short_names, with_symbols};
use super::proposals::{FreshSymbols, SIMPLIFICATIONS, simplified};
use super::search::{Change, Proposal, Search};
use super::shape::Shape;
use super::sorts::{SORT_CHANGES, with_narrower_sorts, with_simpler_sorts};
use super::{Check, Subject};

/// Commands of a script, or the names of their terms.
#[derive(Copy, Clone)]
struct Removal<const N: usize>([u32; N]);

impl<const N: usize> Change for Removal<N> {
    type Place = [u32; N];

    fn place(self) -> [u32; N] {
        self.0
    }
}

/// A symbol with its replacement.
impl Change for (SymbolId, SymbolId) {
    type Place = SymbolId;

    fn place(self) -> SymbolId {
        self.0
    }
}

/// An assumption of a question.
impl Change for (u32, usize) {
    type Place = (u32, usize);

    fn place(self) -> (u32, usize) {
        self
    }
}

/// Tries all kinds of changes again and again.
pub(super) struct Passes<'r, C> {
    pub(super) search: Search<'r, C>,
    fresh: FreshSymbols,
    /// Replacements that failed. They are tried again only if nothing else helps.
    failed: FxHashSet<(TermId, TermId)>,
}

impl<'r, C: Check> Passes<'r, C> {
    pub(super) fn new(search: Search<'r, C>, fresh: FreshSymbols) -> Self {
        Passes { search, fresh, failed: FxHashSet::default() }
    }

    /// Tries changes until none is of use.
    pub(super) fn run(&mut self) -> Result<(), C::Error> {
        loop {
            while self.pass()? {}
            if !self.search.goes_on() {
                return Ok(());
            }
            if !self.failed.is_empty() {
                self.failed.clear();
                if self.pass()? {
                    continue;
                }
            }
            // Names do not affect other changes.
            return self.shorten_names();
        }
    }

    /// Tries all kinds of changes. Whether any was of use.
    fn pass(&mut self) -> Result<bool, C::Error> {
        // On a large script, even the search for changes takes long.
        let mut changed = self.search.goes_on() && self.remove_commands()?;
        changed |= self.search.goes_on() && self.simplify_terms()?;
        changed |= self.search.goes_on() && self.narrow_sorts()?;
        Ok(changed)
    }

    /// Undoes as many of these replacements as possible; the newest come last.
    pub(super) fn undo(&mut self, changes: &[(TermId, TermId)]) -> Result<(), C::Error> {
        let mut undone: Vec<usize> = Vec::new();
        let whole = self.search.subject.clone();
        let mut chunks: Vec<Vec<usize>> = vec![(0..changes.len()).rev().collect()];
        while self.search.goes_on()
            && let Some(chunk) = chunks.pop()
        {
            let wanted: Vec<usize> = undone.iter().chain(&chunk).copied().collect();
            let candidate = without_changes(self.search.store, &whole, changes, &wanted);
            let is_taken = match candidate {
                Some(candidate) if candidate != self.search.subject => self.search.take(candidate)?,
                _ => false,
            };
            if is_taken {
                undone = wanted;
            } else if chunk.len() > 1 {
                let (newer, older) = chunk.split_at(chunk.len() / 2);
                chunks.extend([older.to_vec(), newer.to_vec()]);
            }
        }
        Ok(())
    }

    /// Removes commands, assumptions and names.
    fn remove_commands(&mut self) -> Result<bool, C::Error> {
        let mut changed = false;
        // A command that another needs goes only when that has gone.
        loop {
            let (mut alone, pairs) = self.search.subject.removable();
            // The last commands come first, because commands after the answer are seldom needed.
            alone.reverse();
            let alone: Vec<Removal<1>> = alone.into_iter().map(|number| Removal([number])).collect();
            let removed = self.remove(&[alone])?
                | self.remove(&pairs.into_iter().map(|pair| vec![Removal(pair)]).collect::<Vec<_>>())?;
            changed |= removed;
            if !removed {
                break;
            }
        }
        let assumptions = self.search.subject.assumptions();
        let outcome = self.search.apply_most(&[assumptions], |_, subject, removed| {
            Some(subject.without_assumptions(&removed.iter().copied().collect()))
        })?;
        changed |= !outcome.applied.is_empty();
        let named = self.search.subject.named().into_iter().map(|number| Removal([number])).collect();
        let outcome = self.search.apply_most(&[named], |_, subject, removals| {
            Some(subject.without_names(&removals.iter().flat_map(|removal| removal.0).collect()))
        })?;
        Ok(changed | !outcome.applied.is_empty())
    }

    fn remove<const N: usize>(&mut self, groups: &[Vec<Removal<N>>]) -> Result<bool, C::Error> {
        let outcome = self.search.apply_most(groups, |store, subject, removals| {
            let candidate = subject.without(&removals.iter().flat_map(|removal| removal.0).collect());
            // Without the reset between them, two symbols of one name clash.
            (!candidate.has_clash(store)).then_some(candidate)
        })?;
        Ok(!outcome.applied.is_empty())
    }

    /// Replaces terms, from the roots to the leaves.
    fn simplify_terms(&mut self) -> Result<bool, C::Error> {
        let mut changed = false;
        let mut depth = 0;
        let mut shape = Shape::of(self.search.store, &self.search.subject.roots());
        while self.search.goes_on()
            && let Some(level) = shape.levels.get(depth)
        {
            let groups = self.simplifications(&shape, level);
            let outcome = self.search.apply_most(&groups, |store, subject, changes| {
                subject.replaced(store, &changes.iter().copied().collect())
            })?;
            self.failed.extend(outcome.failed);
            if !outcome.applied.is_empty() {
                changed = true;
                // A replacement may be replaced in turn.
                shape = Shape::of(self.search.store, &self.search.subject.roots());
            } else {
                depth += 1;
            }
        }
        Ok(changed)
    }

    /// For each kind of simplification, its results on some terms.
    fn simplifications(&mut self, shape: &Shape, terms: &[TermId]) -> Vec<Vec<(TermId, TermId)>> {
        let Search { store, check, .. } = &mut self.search;
        let mut groups = Vec::new();
        for &simplification in SIMPLIFICATIONS {
            let mut changes: Vec<(TermId, TermId)> = Vec::new();
            for &term in terms {
                if !check.goes_on() {
                    return Vec::new();
                }
                if let Some(simpler) = simplified(store, &mut self.fresh, shape, term, simplification)
                    && simpler != term
                    && !self.failed.contains(&(term, simpler))
                {
                    changes.push((term, simpler));
                }
            }
            if !changes.is_empty() {
                groups.push(changes);
            }
        }
        groups
    }

    /// Makes sorts narrower wherever they occur, and functions.
    fn narrow_sorts(&mut self) -> Result<bool, C::Error> {
        let mut changed = false;
        for &change in SORT_CHANGES {
            changed |= self.take_all(|store, subject| with_narrower_sorts(store, subject, change))?;
        }
        changed |= self.take_all(with_narrower_datatypes)?;
        changed |= self.take_all(with_simpler_sorts)?;
        changed |= self.take_all(with_fewer_arguments)?;
        Ok(changed)
    }

    /// Takes scripts of a kind as long as there are any. Whether there were.
    fn take_all(
        &mut self,
        propose: impl for<'s> Fn(&mut TermStore, &'s Subject) -> Vec<Proposal<'s>>,
    ) -> Result<bool, C::Error> {
        let mut changed = false;
        while self.search.goes_on() {
            let subject = self.search.subject.clone();
            let proposals = propose(self.search.store, &subject);
            if !self.search.take_first(proposals)? {
                break;
            }
            changed = true;
        }
        Ok(changed)
    }

    /// Gives symbols short names.
    fn shorten_names(&mut self) -> Result<(), C::Error> {
        if !self.search.goes_on() {
            return Ok(());
        }
        let names = short_names(self.search.store, &self.search.subject);
        self.search.apply_most(&[names], with_symbols)?;
        Ok(())
    }
}

/// A script with some of its changes undone, given by their numbers; `None` if sorts do not fit.
fn without_changes(
    store: &mut TermStore,
    subject: &Subject,
    changes: &[(TermId, TermId)],
    undone: &[usize],
) -> Option<Subject> {
    // A term that an older change introduced looks different after the newer ones, unless these are undone.
    let mut result = subject.clone();
    for number in (0..changes.len()).rev().filter(|number| undone.contains(number)) {
        let (from, to) = changes[number];
        let mut now = to;
        for later in (number + 1..changes.len()).filter(|later| !undone.contains(later)) {
            let (from, to) = changes[later];
            now = substitute(store, now, &FxHashMap::from_iter([(from, to)])).ok()?;
        }
        result = result.replaced(store, &FxHashMap::from_iter([(now, from)]))?;
    }
    Some(result)
}
