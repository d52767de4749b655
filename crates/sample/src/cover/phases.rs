//! The order of the phases, and one step of the strategy in each.
//!
//! ```text
//! First ─► Glance ─► Explore ─► Classify ◄─(all known to be possible covered)─► Grow
//!
//!            Grow ─► Bound ─► Regrow ─► Shrink ─► Bound ─► Regrow ─► Trade ─► Improve ─► Finished
//!             ▲  └──(the rest is too hard)──┘                                               │
//!             └───────────────(with more patience, if effort is left)───────────────────────┘
//! ```
//!
//! Classification begins beside exploring, on another thread if there is one, and continues beside growing.
//!
//! AST-bits that are too hard for the present patience are set aside, the set so far is improved, and only then
//! are they tried again. The obvious way, trying until everything is decided, was rejected: one hard AST-bit
//! kept everything else from being improved.

use sundry_coverage::BitSet;
use sundry_solver::Verdict;
use tracing::{Span, debug_span};

use super::{Cover, grow, shrink};
use crate::strategy::{Purpose, Step, StopReason};

/// The part of the work left for improving, one in this number, that each regrowing takes.
const PART_FOR_REGROWING: u64 = 5;
/// The part of the work then left, one in this number, that shrinking takes.
const PART_FOR_SHRINKING: u64 = 4;
/// The part of the work left after that, one in this number, that trading takes.
const PART_FOR_TRADING: u64 = 2;
/// The maximal number of ticks for trading.
const MAXIMAL_TRADING: u64 = 400_000_000;
/// The factor by which patience grows with each return to AST-bits that were too hard.
const PATIENCE_FACTOR: u64 = 4;

/// The next phase of the strategy.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    First,
    Glance,
    Classify,
    Explore,
    Grow,
    Bound,
    /// Parts of the set are grown anew until the clock shows `until`.
    Regrow {
        until: u64,
    },
    /// Solutions are eliminated until the clock shows `until`.
    Shrink {
        until: u64,
    },
    Trade,
    Improve,
    Finished,
    Done,
}

impl Phase {
    /// The span of work in this phase.
    fn span(self) -> Span {
        match self {
            Phase::First => debug_span!("first"),
            Phase::Glance => debug_span!("glance"),
            Phase::Classify => debug_span!("classify"),
            Phase::Explore => debug_span!("explore"),
            Phase::Grow => debug_span!("grow"),
            Phase::Bound => debug_span!("bound"),
            Phase::Regrow { .. } => debug_span!("regrow"),
            Phase::Shrink { .. } => debug_span!("shrink"),
            Phase::Trade => debug_span!("trade"),
            Phase::Improve => debug_span!("improve"),
            Phase::Finished | Phase::Done => Span::none(),
        }
    }
}

impl Cover<'_> {
    /// Works in the present phase. `None` where there is nothing to report yet.
    pub(super) fn advance(&mut self, on_bound: &mut dyn FnMut(usize)) -> Option<Step> {
        let _span = self.phase.span().entered();
        match self.phase {
            Phase::First => self.find_first(),
            Phase::Glance => {
                let step = self.glance();
                if step.is_none() {
                    self.phase = Phase::Classify;
                }
                step
            }
            Phase::Classify => self.classify(),
            Phase::Explore => self.overhear().or_else(|| self.explore_beside()),
            Phase::Grow => self.listen().or_else(|| self.grow_once()),
            Phase::Bound => Some(self.bound()),
            Phase::Regrow { until } => self.regrow_until(until),
            Phase::Shrink { until } => self.shrink_until(until),
            Phase::Trade => self.trade_once(),
            Phase::Improve => self.improve_once(on_bound),
            Phase::Finished => self.return_or_stop(),
            Phase::Done => Some(Step::Stopped(self.end)),
        }
    }

    /// The first solution.
    fn find_first(&mut self) -> Option<Step> {
        let first = match self.steering.take_first_model() {
            Some(model) => self.accept_first(model),
            None => match self.steering.check(&[], &[], None) {
                Verdict::Unsat => return Some(self.stop(StopReason::Unsatisfiable)),
                Verdict::Unknown => return None,
                Verdict::Sat => {
                    let candidate = self.look();
                    self.accept(candidate)
                }
            },
        };
        self.phase = Phase::Glance;
        let member = match first {
            Ok(member) => member,
            Err(rejection) => return Some(self.reject(rejection)),
        };
        let solution = member.solution.clone();
        if self.goal.max_solutions == Some(1) {
            // Every solution covers as much as any other: half of the AST-bits.
            self.end = StopReason::MaximalSolutions;
            self.phase = Phase::Finished;
        }
        self.growing.first = Some(member);
        Some(Step::Found(solution))
    }

    /// Grows one more solution.
    fn grow_once(&mut self) -> Option<Step> {
        match self.grow_next() {
            grow::Growth::Member(member) => {
                let solution = member.solution.clone();
                let had_reserve = self.harvest.has_reserve();
                self.add(member);
                self.start_bound();
                if self.goal.target < 1.0 && self.has_reached_target() {
                    self.end = StopReason::Target;
                    self.end_classification();
                    self.harvest.give_up_reserve();
                    self.begin_improving();
                    self.phase = self.regrowing();
                }
                if had_reserve && self.harvest.has_reserve() {
                    return Some(self.report_now_and_then());
                }
                if had_reserve || self.unreported > 0 {
                    return Some(self.report());
                }
                if self.members.len() == 1 {
                    return Some(Step::Replaced(vec![solution]));
                }
                Some(Step::Found(solution))
            }
            grow::Growth::Complete => {
                self.end = StopReason::Complete;
                self.end_classification();
                self.begin_improving();
                self.phase = Phase::Bound;
                Some(Step::Learned)
            }
            grow::Growth::Unclassified => {
                self.phase = Phase::Classify;
                None
            }
            grow::Growth::OutOfPatience => self.leave_aside(),
            grow::Growth::Unsatisfiable => Some(self.stop(StopReason::Unsatisfiable)),
            grow::Growth::Stopped => None,
            grow::Growth::Rejected(rejection) => Some(self.reject(rejection)),
        }
    }

    /// Improves the set without the AST-bits that are too hard, if there is anything to improve since that was
    /// last done.
    fn leave_aside(&mut self) -> Option<Step> {
        self.end = StopReason::Effort;
        if self.members.is_empty() {
            let first = self.growing.first.take()?;
            self.add(first);
        }
        let is_as_before = self.improvement.covered.as_ref() == Some(&self.covered);
        self.begin_improving();
        self.phase = if is_as_before { Phase::Finished } else { Phase::Bound };
        None
    }

    fn begin_improving(&mut self) {
        self.shrink = shrink::ShrinkState::default();
        self.improvement.covered = Some(self.covered.clone());
        self.turn_to(Purpose::Improving);
    }

    fn bound(&mut self) -> Step {
        self.find_bound();
        self.phase = if self.is_minimal() { Phase::Trade } else { self.regrowing() };
        Step::Learned
    }

    /// The phase of regrowing the set, for half as long as everything took so far; where eliminating
    /// from a small set is hard too, as long again.
    fn regrowing(&self) -> Phase {
        let clock = self.steering.clock();
        let most = if self.is_small_and_hard() { clock } else { clock / 2 };
        Phase::Regrow { until: clock + self.part_of_work(PART_FOR_REGROWING, most) }
    }

    fn shrinking(&self) -> Phase {
        let most = u64::MAX / 2;
        Phase::Shrink { until: self.steering.clock() + self.part_of_work(PART_FOR_SHRINKING, most) }
    }

    fn regrow_until(&mut self, until: u64) -> Option<Step> {
        match self.regrow(until) {
            Ok(true) => {
                // Other members, which may be eliminated where the earlier could not.
                self.shrink = shrink::ShrinkState::default();
                return Some(self.report());
            }
            Ok(false) if !self.shrink.finished => {
                self.shrink.forget_counts();
                self.phase = self.shrinking();
            }
            Ok(false) if self.end == StopReason::Target => self.phase = Phase::Finished,
            Ok(false) => self.phase = Phase::Trade,
            Err(rejection) => return Some(self.reject(rejection)),
        }
        None
    }

    fn shrink_until(&mut self, until: u64) -> Option<Step> {
        if self.steering.clock() >= until {
            self.shrink.finished = true;
        }
        match self.shrink_once(until) {
            Ok(true) => Some(self.report_now_and_then()),
            Ok(false) if self.shrink.finished => {
                let is_enough = self.end == StopReason::Target;
                self.phase = if is_enough { self.regrowing() } else { Phase::Bound };
                (self.unreported > 0).then(|| self.report())
            }
            Ok(false) => None,
            Err(rejection) => Some(self.reject(rejection)),
        }
    }

    fn trade_once(&mut self) -> Option<Step> {
        self.phase = Phase::Improve;
        let until = self.steering.clock() + self.part_of_work(PART_FOR_TRADING, MAXIMAL_TRADING);
        match self.trade(until) {
            Ok(true) => Some(self.report()),
            Ok(false) => None,
            Err(rejection) => Some(self.reject(rejection)),
        }
    }

    fn improve_once(&mut self, on_bound: &mut dyn FnMut(usize)) -> Option<Step> {
        match self.improve(on_bound) {
            // What is smaller has not been polished.
            Ok(true) => Some(self.report()),
            Ok(false) => {
                self.phase = Phase::Finished;
                Some(Step::Learned)
            }
            Err(rejection) => {
                self.phase = Phase::Finished;
                Some(self.reject(rejection))
            }
        }
    }

    /// Back to AST-bits that were set aside, with more patience, or the end.
    fn return_or_stop(&mut self) -> Option<Step> {
        if self.end != StopReason::Effort || self.goal.max_solutions == Some(1) {
            return Some(self.stop(self.end));
        }
        self.turn_to(Purpose::Deciding);
        if self.is_out_of_work() {
            return Some(self.stop(StopReason::Effort));
        }
        self.growing.patience = self.growing.patience.saturating_mul(PATIENCE_FACTOR);
        self.growing.reluctance = 0;
        self.growing.aside = BitSet::new(self.steering.targets.count());
        self.phase = Phase::Grow;
        (self.unreported > 0).then(|| self.report())
    }
}
