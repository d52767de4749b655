//! The exact number: whether a set with one solution less exists at all.
//!
//! Cliques of exclusive targets bound the number from below only as far as they go; three targets
//! of which each two fit together, but not all three, escape them. So the question is put to the
//! solver as a whole ([`Copies`](crate::copies::Copies)): a model is a smaller set, a refutation
//! proves the present one minimal. The question has a solver of its own and runs beside the
//! polishing of the set.

use std::sync::atomic::{AtomicBool, Ordering};

use sundry_coverage::BitSet;
use sundry_solver::{AddClauses, Query, Verdict};
use sundry_term::Control;

use super::Candidate;
use super::improve::PresentSet;
use super::member::greedy_order_of;
use crate::copies::BUILDING_TICKS_PER_GATE;

/// Circuit gates of all copies above which the question is not asked.
const MAXIMAL_GATES: usize = 3_000_000;
/// Ticks that one question may take before the set is polished: enough for most.
const BRIEF_TICKS: u64 = 60_000_000;
/// The part of the time left that the question may take: one in this number.
const BRIEF_PART: u32 = 4;
/// Ticks that one question may take when nothing else is left to do.
const TICKS: u64 = 200_000_000;

/// The question about a set, with the answer as far as it is known.
pub(super) struct ExactQuestion<'a> {
    set: PresentSet<'a>,
    /// The targets that each member covers: the search starts from there.
    members: Vec<BitSet>,
    /// A smaller set.
    pub(super) smaller: Option<Vec<Candidate>>,
    /// Proved lower bound.
    pub(super) lower_bound: usize,
    /// Ticks that it may take.
    ticks: u64,
    /// The ticks of the last attempt at an answer, which stand for those of all attempts: each attempt does the work
    /// again.
    pub(super) spent: u64,
    /// Set when there is a smaller set, which makes other work on the present one pointless.
    superseded: &'a AtomicBool,
}

impl<'a> ExactQuestion<'a> {
    /// Creates the question whether a smaller set than this one exists, given its proved lower bound. The answer may
    /// take this number of ticks.
    pub(super) fn new(
        set: PresentSet<'a>,
        lower_bound: usize,
        ticks: u64,
        superseded: &'a AtomicBool,
    ) -> Self {
        let order = greedy_order_of(set.members, set.targets);
        let members = order.into_iter().map(|index| set.members[index].covered.clone()).collect();
        ExactQuestion { set, members, smaller: None, lower_bound, ticks, spent: 0, superseded }
    }

    /// Asks before the set is polished, which takes time too: where time is limited, only for a part of
    /// what is left. What is not answered then is asked again at length, so the result is the same.
    pub(super) fn ask_briefly(&mut self) {
        self.ask(BRIEF_TICKS, &self.set.control.within_part(BRIEF_PART));
    }

    /// Asks when nothing else is left to do, unless that is answered already.
    pub(super) fn ask_at_length(&mut self) {
        self.ask(TICKS, self.set.control);
    }

    fn ask(&mut self, ticks: u64, control: &Control) {
        let is_settled = self.smaller.is_some() || self.members.len() <= self.lower_bound;
        if is_settled || control.stopped() {
            return;
        }
        let count = self.members.len() - 1;
        let gates = count.saturating_mul(self.set.gates);
        let building = BUILDING_TICKS_PER_GATE * gates as u64;
        if gates > MAXIMAL_GATES || building >= self.ticks {
            return;
        }
        let ticks = ticks.min(self.ticks - building);
        match self.look_for(count, ticks, control) {
            (Verdict::Sat, found) => {
                self.smaller = Some(found);
                self.superseded.store(true, Ordering::Relaxed);
            }
            // Copies agree on results that the standard leaves open, as solutions need not.
            (Verdict::Unsat, _) if self.set.problem.has_open_results() => {}
            (Verdict::Unsat, _) => self.lower_bound = count + 1,
            (Verdict::Unknown, _) => {}
        }
    }

    /// Looks for a set of `count` solutions that covers what the present one does.
    fn look_for(&mut self, count: usize, ticks: u64, control: &Control) -> (Verdict, Vec<Candidate>) {
        let set = PresentSet { control, ..self.set };
        let Ok(mut copies) = set.copies(count) else { return (Verdict::Unknown, Vec::new()) };
        let exclusive = &self.set.exclusive[..self.set.exclusive.len().min(count)];
        let always = copies.new_bundle();
        copies.add_clause(&[always]);
        copies.distribute(exclusive);
        copies.demand(always, self.set.covered);
        // Each exclusive target is covered by one member: that member shows its copy the way.
        let mut rest: Vec<&BitSet> = self.members.iter().collect();
        let guides: Vec<&BitSet> = (0..count)
            .map(|copy| {
                let place = exclusive
                    .get(copy)
                    .and_then(|target| rest.iter().position(|member| member.contains(target.index())))
                    .unwrap_or(0);
                rest.remove(place)
            })
            .collect();
        copies.prefer_all(guides.into_iter());
        let verdict = copies.check(Query::default(), ticks);
        self.spent = copies.clock();
        let found = if verdict == Verdict::Sat { copies.models() } else { Vec::new() };
        (verdict, found)
    }
}
