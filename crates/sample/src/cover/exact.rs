//! The exact number: whether a set with one solution less exists at all.
//!
//! Cliques of exclusive targets bound the number from below only as far as they go; three targets
//! of which each two fit together, but not all three, escape them. So the question is put to the
//! solver as a whole ([`Copies`](crate::copies::Copies)): a model is a smaller set, a refutation proves the present one
//! minimal. The question has a solver of its own and runs beside the polishing of the set.

use sundry_coverage::BitSet;
use sundry_solver::{AddClauses, Query, Verdict};

use super::improve::PresentSet;
use super::{Candidate, greedy_order_of};

/// Circuit gates of all copies above which the question is not asked.
const MAXIMAL_GATES: usize = 3_000_000;
/// Ticks that one question may take.
const TICKS: u64 = 200_000_000;

/// The question about a set.
pub(super) struct ExactQuestion<'a> {
    set: PresentSet<'a>,
    /// What the members of the smallest set so far cover: the search starts from there.
    members: Vec<BitSet>,
    lower_bound: usize,
}

/// What came of it.
pub(super) struct ExactAnswer {
    /// A smaller set.
    pub(super) smaller: Option<Vec<Candidate>>,
    /// Proved lower bound.
    pub(super) lower_bound: usize,
}

impl<'a> ExactQuestion<'a> {
    /// Whether there is a set smaller than this one, which has a proved lower bound.
    pub(super) fn new(set: PresentSet<'a>, lower_bound: usize) -> Self {
        let order = greedy_order_of(set.members, set.targets);
        let members = order.into_iter().map(|index| set.members[index].covered.clone()).collect();
        ExactQuestion { set, members, lower_bound }
    }

    /// Asks for sets with one solution less as long as there are any.
    pub(super) fn answer(mut self) -> ExactAnswer {
        let mut smaller = None;
        while self.members.len() > self.lower_bound && !self.set.control.stopped() {
            let count = self.members.len() - 1;
            if count.saturating_mul(self.set.gates) > MAXIMAL_GATES {
                break;
            }
            match self.ask(count) {
                (Verdict::Sat, found) => {
                    self.members = found.iter().map(|candidate| candidate.covered.clone()).collect();
                    smaller = Some(found);
                }
                (Verdict::Unsat, _) => self.lower_bound = count + 1,
                (Verdict::Unknown, _) => break,
            }
        }
        ExactAnswer { smaller, lower_bound: self.lower_bound }
    }

    /// Looks for a set of `count` solutions that covers what the present one does.
    fn ask(&self, count: usize) -> (Verdict, Vec<Candidate>) {
        let Ok(mut copies) = self.set.copies(count) else { return (Verdict::Unknown, Vec::new()) };
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
        let verdict = copies.check(Query::default(), self.set.control, TICKS);
        let found = if verdict == Verdict::Sat { copies.models() } else { Vec::new() };
        (verdict, found)
    }
}
