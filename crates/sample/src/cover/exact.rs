//! The exact number: whether a set with one solution less exists at all.
//!
//! Cliques of exclusive targets bound the number from below only as far as they go; three targets
//! of which each two fit together, but not all three, escape them. So the question is put to the
//! solver as a whole ([`Copies`]): a model is a smaller set, a refutation proves the present one
//! minimal. The question has a solver of its own and runs beside the polishing of the set.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sundry_coverage::BitSet;
use sundry_solver::{AddClauses, Query, Verdict};

use super::{Candidate, Cover};
use crate::copies::Copies;
use crate::problem::{Problem, WrongModel};
use crate::steering::Control;
use crate::targets::{Target, Targets};

/// Circuit gates of all copies above which the question is not asked.
const MAXIMAL_GATES: usize = 3_000_000;
/// Ticks that one question may take.
const TICKS: u64 = 200_000_000;

/// Everything that the question is about.
pub(super) struct ExactQuestion<'a> {
    problem: &'a Problem,
    targets: Arc<Targets>,
    covered: BitSet,
    exclusive: Vec<Target>,
    /// The present set, from which the search starts.
    members: Vec<BitSet>,
    lower_bound: usize,
    gates: usize,
    control: Control,
}

/// What came of it.
pub(super) struct ExactAnswer {
    /// A smaller set.
    smaller: Option<Vec<Candidate>>,
    /// Proved lower bound.
    lower_bound: usize,
}

impl ExactQuestion<'_> {
    /// Asks for sets with one solution less as long as there are any.
    pub(super) fn answer(mut self) -> ExactAnswer {
        let mut smaller = None;
        while self.members.len() > self.lower_bound && !self.control.stopped() {
            let count = self.members.len() - 1;
            if count.saturating_mul(self.gates) > MAXIMAL_GATES {
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
        let Ok(mut copies) = Copies::new(self.problem, &self.targets, count, &self.control) else {
            return (Verdict::Unknown, Vec::new());
        };
        let exclusive = &self.exclusive[..self.exclusive.len().min(count)];
        let always = copies.new_bundle();
        copies.add_clause(&[always]);
        copies.distribute(exclusive);
        copies.demand(always, &self.covered);
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
        let verdict = copies.check(Query::default(), &self.control, TICKS);
        let found = if verdict == Verdict::Sat { copies.models() } else { Vec::new() };
        (verdict, found)
    }
}

impl<'a> Cover<'a> {
    /// The question about the present set.
    fn exact_question(&self) -> ExactQuestion<'a> {
        ExactQuestion {
            problem: self.problem,
            targets: self.steering.targets.clone(),
            covered: self.covered.clone(),
            exclusive: self.exclusive.clone(),
            members: self.greedy_order().iter().map(|&index| self.members[index].covered.clone()).collect(),
            lower_bound: self.lower_bound,
            gates: self.steering.gates(),
            control: self.steering.control().clone(),
        }
    }

    /// Polishes the set, and asks beside it whether a smaller one exists. Whether the set changed,
    /// and whether it got smaller.
    pub(super) fn improve(&mut self) -> Result<(bool, bool), WrongModel> {
        self.until_complete.get_or_insert(self.steering.clock());
        let superseded = AtomicBool::new(false);
        let (question, polishing) = (self.exact_question(), self.polishing(&superseded));
        // Polishing does not change what is asked, so it may as well wait for the answer. A smaller
        // set takes the place of the polished one in any case.
        let answer_first = || {
            let answer = question.answer();
            superseded.store(answer.smaller.is_some(), Ordering::Relaxed);
            answer
        };
        let (polished, answer) = if self.threads > 1 {
            std::thread::scope(|scope| {
                let asking = scope.spawn(answer_first);
                let polished = polishing.polish();
                (polished, asking.join().expect("the question does not panic"))
            })
        } else {
            let answer = answer_first();
            (polishing.polish(), answer)
        };
        self.lower_bound = self.lower_bound.max(answer.lower_bound);
        if let Some(smaller) = answer.smaller {
            self.members =
                smaller.into_iter().map(|candidate| self.accept(candidate)).collect::<Result<_, _>>()?;
            return Ok((true, true));
        }
        let Some(polished) = polished? else { return Ok((false, false)) };
        self.members = polished;
        Ok((true, false))
    }
}
