//! Driving a strategy for sets towards its goal.

use std::ops::ControlFlow;
use std::time::Instant;

use sundry_coverage::BitSet;

use super::best::BestSet;
use super::event::{Covered, Event, Progress};
use super::summary::{CurvePoint, Milestones, Part, SetSummary, Summary};
use crate::problem::Problem;
use crate::strategy::{Goal, Purpose, Step, StopReason, Strategy, Validity};

/// The conditions that end a run besides its strategy.
pub(super) struct Ending {
    pub(super) goal: Goal,
    /// Whether to stop at the goal. Our own strategies continue beyond it, to make the set smaller.
    pub(super) stops_at_goal: bool,
    /// Whether to drop solutions that add nothing.
    pub(super) prunes: bool,
}

/// Takes steps of a strategy until it ends, or the receiver has enough.
pub(super) fn drive(
    problem: &Problem,
    strategy: &mut dyn Strategy,
    ending: &Ending,
    start: Instant,
    receive: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
) -> Summary {
    let Ending { goal, stops_at_goal, prunes } = *ending;
    let mut run = Run::new(problem, goal, start);
    let mut rejected = 0;
    let mut stopped_by = loop {
        let mut has_enough = false;
        let mut known = Known::of(strategy);
        let step = strategy.step(&mut |bound| {
            known.lower_bound = bound;
            run.note(&known);
            has_enough |= receive(Event::Set(run.progress(&known))).is_break();
        });
        match step {
            Step::Found(solution) => run.best.add(solution),
            Step::Replaced(solutions) => run.best.offer(solutions),
            Step::Failed(wrong) => {
                rejected += 1;
                has_enough |= receive(Event::Rejected(wrong)).is_break();
            }
            Step::Learned => {}
            Step::Stopped(reason) => break reason,
        }
        let known = Known::of(strategy);
        run.note(&known);
        has_enough |= receive(Event::Set(run.progress(&known))).is_break();
        if has_enough {
            break StopReason::MaximalSolutions;
        }
        if stops_at_goal && let Some(reason) = run.reached(&known) {
            break reason;
        }
    };
    run.best.order();
    if prunes {
        run.best.prune();
    }
    let known = Known::of(strategy);
    run.note(&known);
    if goal.max_solutions.is_some_and(|most| run.best.truncate(most)) {
        stopped_by = StopReason::MaximalSolutions;
    }
    let validity = run.validity(&known);
    let has_reached_target = !run.best.solutions().is_empty() && goal.reached(run.best.covered(), validity);
    let (solutions, coverage) = run.best.into_parts();
    let part = Part::Set(SetSummary {
        solutions,
        coverage,
        validity,
        impossible: strategy.impossible().unwrap_or_else(|| BitSet::new(problem.ast_bits.total())),
        lower_bound: strategy.lower_bound(),
        exclusive: strategy.exclusive(),
        has_reached_target,
        curve: run.curve,
        milestones: run.milestones,
    });
    Summary { stopped_by, rejected, seconds: start.elapsed().as_secs_f64(), part }
}

/// The knowledge of a strategy besides the set.
struct Known {
    validity: Option<Validity>,
    lower_bound: usize,
    purpose: Purpose,
}

impl Known {
    fn of(strategy: &dyn Strategy) -> Self {
        Known {
            validity: strategy.validity(),
            lower_bound: strategy.lower_bound(),
            purpose: strategy.purpose(),
        }
    }
}

struct Run<'a> {
    problem: &'a Problem,
    goal: Goal,
    start: Instant,
    best: BestSet<'a>,
    curve: Vec<CurvePoint>,
    milestones: Milestones,
}

impl<'a> Run<'a> {
    fn new(problem: &'a Problem, goal: Goal, start: Instant) -> Self {
        let best = BestSet::new(problem, start);
        Run { problem, goal, start, best, curve: Vec::new(), milestones: Milestones::default() }
    }

    /// The knowledge about the AST-bits: at least that those covered by the set can be covered.
    fn validity(&self, known: &Known) -> Validity {
        known.validity.unwrap_or_else(|| {
            let valid = self.best.covered();
            Validity { valid, impossible: 0, unknown: self.problem.ast_bits.total() as u64 - valid }
        })
    }

    /// The progress of the run.
    fn progress(&self, known: &Known) -> Progress<'_> {
        Progress {
            solutions: self.best.solutions(),
            covered: Covered::AstBits { covered: self.best.covered(), validity: self.validity(known) },
            lower_bound: known.lower_bound,
            purpose: known.purpose,
            seconds: self.start.elapsed().as_secs_f64(),
        }
    }

    /// The reason why the run has enough, if it has.
    fn reached(&self, known: &Known) -> Option<StopReason> {
        let count = self.best.solutions().len();
        if self.goal.max_solutions.is_some_and(|most| count >= most) {
            Some(StopReason::MaximalSolutions)
        } else if count > 0 && self.goal.reached(self.best.covered(), self.validity(known)) {
            Some(StopReason::Target)
        } else {
            None
        }
    }

    /// Adds a point to the curve if more is covered than ever before, and the time to milestones that are reached.
    fn note(&mut self, known: &Known) {
        let progress = self.progress(known);
        let (count, seconds, is_complete) =
            (progress.solutions.len(), progress.seconds, progress.is_complete());
        let covered = self.best.covered();
        if covered > self.curve.last().map_or(0, |point| point.covered) {
            self.curve.push(CurvePoint { seconds, solutions: count, covered });
        }
        let is_minimal = is_complete && count <= known.lower_bound;
        let has_target = count > 0 && self.goal.reached(covered, self.validity(known));
        let Milestones { target, complete, minimal } = &mut self.milestones;
        for (milestone, is_reached) in [(target, has_target), (complete, is_complete), (minimal, is_minimal)]
        {
            if is_reached {
                milestone.get_or_insert(seconds);
            }
        }
    }
}
