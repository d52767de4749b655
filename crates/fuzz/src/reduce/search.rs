//! The smallest script so far, and the search that tries changes on it: many together first, then in ever smaller
//! chunks.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use rustc_hash::{FxBuildHasher, FxHashSet};
use sundry_smtlib::ScriptText;
use sundry_term::{TermId, TermStore};

use super::{Candidate, Check, Reduced, Reducible, Subject};

/// Something to change in a script, of which there may be several kinds for one place.
pub(super) trait Change: Copy {
    /// The identity of a place.
    type Place: Copy + Eq + Hash;

    /// The place of the change: once anything has changed there, this change is out of date.
    fn place(self) -> Self::Place;
}

/// A term with its replacement.
impl Change for (TermId, TermId) {
    type Place = TermId;

    fn place(self) -> TermId {
        self.0
    }
}

/// Makes a script when its turn comes, unless that is not possible: there may be many proposals, and little time.
pub(super) type Proposal<'s, S = Subject> = Box<dyn FnOnce(&mut TermStore) -> Option<S> + 's>;

/// The smallest script so far.
pub(super) struct Search<'r, C, S: Reducible = Subject> {
    pub(super) store: &'r mut TermStore,
    pub(super) subject: S,
    pub(super) check: &'r mut C,
    text: ScriptText,
    size: S::Size,
    /// Hashes of the texts that were tried.
    tried: FxHashSet<u64>,
    checks: usize,
}

impl<'r, C: Check<S>, S: Reducible> Search<'r, C, S> {
    /// Starts with a script that shows the wanted behaviour, given its text.
    pub(super) fn new(store: &'r mut TermStore, check: &'r mut C, whole: Candidate<S>) -> Self {
        let Candidate { subject, text } = whole;
        let size = subject.size(store, &text);
        let tried = FxHashSet::from_iter([FxBuildHasher.hash_one(&*text)]);
        Search { store, subject, check, text, size, tried, checks: 1 }
    }

    /// Whether to continue.
    pub(super) fn goes_on(&self) -> bool {
        self.check.goes_on()
    }

    /// The result of the search.
    pub(super) fn end(self) -> Reduced<S> {
        let Search { subject, text, size, checks, check, .. } = self;
        Reduced { subject, text: text.into_string(), size, checks, is_finished: check.goes_on() }
    }

    /// Applies changes, each group as a whole first, then in halves, quarters, … down to single ones.
    ///
    /// `build` makes the script with some changes. This is the second half of *delta debugging* (Zeller &
    /// Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on Software Engineering 28,
    /// 2002). Applied changes are not tried again, so the number of checks is at most twice the number of changes.
    pub(super) fn apply_most<T: Change>(
        &mut self,
        groups: &[Vec<T>],
        mut build: impl FnMut(&mut TermStore, &S, &[T]) -> Option<S>,
    ) -> Result<Outcome<T>, C::Error> {
        let changes = groups.concat();
        let mut start = 0;
        let group = |group: &Vec<T>| {
            start += group.len();
            start - group.len()..start
        };
        let mut queue: VecDeque<Range<usize>> = groups.iter().map(group).collect();
        let mut outcome = Outcome { applied: Vec::new(), failed: Vec::new() };
        let mut applied: FxHashSet<T::Place> = FxHashSet::default();
        while !queue.is_empty() && self.check.goes_on() {
            // A batch of several scripts, each as if those before it had failed.
            let mut batch = Batch::default();
            let mut ways = Vec::new();
            // Making a script takes long if it is large, and not every one that is made is tried.
            while batch.candidates.len() < self.check.width().max(1)
                && self.check.goes_on()
                && let Some(chunk) = queue.pop_front()
            {
                let open = changes[chunk.clone()].iter().filter(|change| !applied.contains(&change.place()));
                let open: Vec<T> = open.copied().collect();
                let candidate = match open[..] {
                    [] => continue,
                    _ => build(self.store, &self.subject, &open),
                };
                let before = (queue.clone(), outcome.failed.len());
                if chunk.len() > 1 {
                    let middle = chunk.start + chunk.len() / 2;
                    queue.extend([chunk.start..middle, middle..chunk.end]);
                } else {
                    outcome.failed.extend(&open);
                }
                if self.add(&mut batch, candidate) {
                    ways.push((open, before));
                }
            }
            if let Some(position) = self.first_that_shows(batch)? {
                let (open, (queue_before, failed)) = ways.swap_remove(position);
                queue = queue_before;
                outcome.failed.truncate(failed);
                applied.extend(open.iter().map(|change| change.place()));
                outcome.applied.extend(open);
            }
        }
        Ok(outcome)
    }

    /// Takes the first of some scripts that is smaller and shows the wanted behaviour. Returns whether there is one.
    pub(super) fn take_first(&mut self, proposals: Vec<Proposal<'_, S>>) -> Result<bool, C::Error> {
        let mut proposals = proposals.into_iter().peekable();
        while proposals.peek().is_some() && self.goes_on() {
            let mut batch = Batch::default();
            while batch.candidates.len() < self.check.width().max(1)
                && self.check.goes_on()
                && let Some(proposal) = proposals.next()
            {
                let candidate = proposal(self.store);
                self.add(&mut batch, candidate);
            }
            if self.first_that_shows(batch)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes a script that shows the wanted behaviour even if it is not smaller. Returns whether it shows it.
    pub(super) fn take(&mut self, candidate: S) -> Result<bool, C::Error> {
        let text = candidate.text(self.store);
        let hash = FxBuildHasher.hash_one(&*text);
        if self.tried.contains(&hash) || !self.check.goes_on() {
            return Ok(false);
        }
        let batch = Batch { candidates: vec![Candidate { subject: candidate, text }], hashes: vec![hash] };
        Ok(self.first_that_shows(batch)?.is_some())
    }

    /// Adds a script if it is smaller and was not tried before. Whether it was added.
    fn add(&self, batch: &mut Batch<S>, candidate: Option<S>) -> bool {
        let Some(subject) = candidate.filter(|_| self.check.goes_on()) else { return false };
        let text = subject.text(self.store);
        let hash = FxBuildHasher.hash_one(&*text);
        let is_new = !self.tried.contains(&hash) && !batch.hashes.contains(&hash);
        let is_added = is_new && subject.size(self.store, &text) < self.size;
        if is_added {
            batch.candidates.push(Candidate { subject, text });
            batch.hashes.push(hash);
        }
        is_added
    }

    /// Takes the first script that shows the wanted behaviour, and returns its position.
    fn first_that_shows(&mut self, batch: Batch<S>) -> Result<Option<usize>, C::Error> {
        let Batch { mut candidates, hashes } = batch;
        if candidates.is_empty() || !self.check.goes_on() {
            return Ok(None);
        }
        let first = self.check.first_that_shows(self.store, &candidates)?;
        // Scripts after it do not count: their number depends on the number of concurrent runs.
        let decided = first.map_or(candidates.len(), |first| first + 1);
        self.checks += decided;
        self.tried.extend(&hashes[..decided]);
        if let Some(first) = first {
            let Candidate { subject, text } = candidates.swap_remove(first);
            self.size = subject.size(self.store, &text);
            (self.subject, self.text) = (subject, text);
        }
        Ok(first)
    }
}

/// Scripts that are tried together, with the hashes of their texts.
struct Batch<S> {
    candidates: Vec<Candidate<S>>,
    hashes: Vec<u64>,
}

impl<S> Default for Batch<S> {
    fn default() -> Self {
        Batch { candidates: Vec::new(), hashes: Vec::new() }
    }
}

/// The outcome of changes.
pub(super) struct Outcome<T> {
    pub(super) applied: Vec<T>,
    /// The changes that failed alone.
    pub(super) failed: Vec<T>,
}
