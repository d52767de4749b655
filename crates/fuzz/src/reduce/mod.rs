//! Making a script smaller while it still shows what it shows.
//!
//! Commands are removed, and terms replaced by simpler ones of the same sort, from the assertions down to the
//! leaves; each kind of change is tried on as many terms at once as possible. Whatever is still shown and is
//! smaller takes the place of the script, until no change is left that makes it smaller. This is *delta
//! debugging* on terms (Niemetz & Biere, "ddSMT: a delta debugger for the SMT-LIB v2 format", SMT 2013; Kremer,
//! Niemetz & Preiner, "ddSMT 2.0: better delta debugging for the SMT-LIBv2 language and friends", CAV 2021);
//! terms are a graph here, so a term is replaced wherever it occurs.

mod chunks;
mod proposals;
mod sorts;
mod subject;

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use sundry_term::{Op, TermId, TermStore};

use chunks::apply_most;
use proposals::{FreshSymbols, SIMPLIFICATIONS, simplified};
use sorts::{SORT_CHANGES, with_narrower_sorts};
use subject::levels;
pub use subject::{Size, Subject};

/// Tells whether scripts show what is looked for.
pub trait Check {
    /// Why there is no answer.
    type Error;

    /// Whether a script does, given its text.
    ///
    /// # Errors
    /// Nothing can be said, and reducing ends.
    fn shows(&mut self, store: &mut TermStore, subject: &Subject, text: &str) -> Result<bool, Self::Error>;

    /// Whether to go on; if not, the script is left as it is then.
    fn goes_on(&self) -> bool;
}

/// A script that was made smaller.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The script.
    pub subject: Subject,
    /// Its text.
    pub text: String,
    /// How much is left.
    pub size: Size,
    /// How many scripts were tried.
    pub checks: usize,
    /// Whether no change was left to try; otherwise it was stopped.
    pub is_finished: bool,
}

/// Makes a script smaller as long as it shows what the check looks for. Nothing if it does not show that as it
/// is.
///
/// # Errors
/// Those of the check.
pub fn reduce<C: Check>(
    store: &mut TermStore,
    subject: Subject,
    check: &mut C,
) -> Result<Option<Reduced>, C::Error> {
    let text = subject.text(store);
    if !check.shows(store, &subject, &text)? {
        return Ok(None);
    }
    let size = subject.size(store, &text);
    let fresh = FreshSymbols::beside(store, &subject.roots());
    let mut reducer =
        Reducer { store, check, fresh, subject, text, size, tried: FxHashSet::default(), checks: 1 };
    while reducer.pass()? {}
    let Reducer { subject, text, size, checks, check, .. } = reducer;
    Ok(Some(Reduced { subject, text, size, checks, is_finished: check.goes_on() }))
}

/// The smallest script so far.
struct Reducer<'r, C> {
    store: &'r mut TermStore,
    check: &'r mut C,
    fresh: FreshSymbols,
    subject: Subject,
    text: String,
    size: Size,
    /// Hashes of the texts that were tried.
    tried: FxHashSet<u64>,
    checks: usize,
}

impl<C: Check> Reducer<'_, C> {
    /// Tries all kinds of changes. Whether any was of use.
    fn pass(&mut self) -> Result<bool, C::Error> {
        let mut changed = self.remove_commands()?;
        changed |= self.split_conjunctions()?;
        changed |= self.simplify_terms()?;
        changed |= self.narrow_sorts()?;
        Ok(changed)
    }

    /// Takes a smaller script if it still shows what is looked for. Whether it does.
    fn attempt(&mut self, candidate: Subject) -> Result<bool, C::Error> {
        if !self.check.goes_on() {
            return Ok(false);
        }
        let text = candidate.text(self.store);
        let size = candidate.size(self.store, &text);
        if size >= self.size || !self.tried.insert(FxBuildHasher.hash_one(&text)) {
            return Ok(false);
        }
        self.checks += 1;
        let shows = self.check.shows(self.store, &candidate, &text)?;
        if shows {
            (self.subject, self.text, self.size) = (candidate, text, size);
        }
        Ok(shows)
    }

    fn remove_commands(&mut self) -> Result<bool, C::Error> {
        // The last commands first: what is asked for behind the answer is seldom needed.
        let mut numbers: Vec<usize> = (0..self.subject.count()).rev().collect();
        let mut removed: Vec<usize> = Vec::new();
        let whole = self.subject.clone();
        let mut changed = false;
        // A command that another needs goes only when that has gone.
        while apply_most(&numbers, |chunk| {
            let wanted: Vec<usize> = removed.iter().chain(chunk).copied().collect();
            let candidate = whole.without(&wanted);
            // Without the reset between them, two symbols of one name clash.
            let is_smaller = !candidate.has_clash(self.store) && self.attempt(candidate)?;
            if is_smaller {
                removed = wanted;
            }
            Ok(is_smaller)
        })? {
            changed = true;
            numbers.retain(|number| !removed.contains(number));
        }
        Ok(changed)
    }

    /// Makes each part of a conjunction an assertion, which can be removed.
    fn split_conjunctions(&mut self) -> Result<bool, C::Error> {
        let store = &*self.store;
        let candidate = self.subject.split(|term| match store.op(term) {
            Op::And => store.args(term).to_vec(),
            _ => vec![term],
        });
        self.attempt(candidate)
    }

    /// Replaces terms, from the roots to the leaves.
    fn simplify_terms(&mut self) -> Result<bool, C::Error> {
        let mut changed = false;
        let mut depth = 0;
        loop {
            let mut levels = levels(self.store, &self.subject.roots());
            if depth >= levels.len() {
                return Ok(changed);
            }
            let mut terms = levels.swap_remove(depth);
            for &simplification in SIMPLIFICATIONS {
                let mut changes: Vec<(TermId, TermId)> = Vec::new();
                for &term in &terms {
                    if let Some(simpler) = simplified(self.store, &mut self.fresh, term, simplification)
                        && simpler != term
                    {
                        changes.push((term, simpler));
                    }
                }
                let mut replaced = FxHashSet::default();
                changed |= apply_most(&changes, |chunk| {
                    let replacements: FxHashMap<TermId, TermId> = chunk.iter().copied().collect();
                    let Some(candidate) = self.subject.replaced(self.store, &replacements) else {
                        return Ok(false);
                    };
                    let is_smaller = self.attempt(candidate)?;
                    if is_smaller {
                        replaced.extend(chunk.iter().map(|&(term, _)| term));
                    }
                    Ok(is_smaller)
                })?;
                // What took the place of a term gets its turn in the next pass.
                terms.retain(|term| !replaced.contains(term));
            }
            depth += 1;
        }
    }

    /// Makes bit-vectors and floating-point formats narrower wherever they occur.
    fn narrow_sorts(&mut self) -> Result<bool, C::Error> {
        let mut changed = false;
        for &change in SORT_CHANGES {
            for candidate in with_narrower_sorts(self.store, &self.subject, change) {
                changed |= self.attempt(candidate)?;
            }
        }
        Ok(changed)
    }
}
