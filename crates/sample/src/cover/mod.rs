//! The strategy `cover`: a small set of solutions that covers every AST-bit that can be covered, and the proof.
//!
//! 1. *Classify*: a search of its own decides which targets are possible at all ([`classify`]), and gives solutions that
//!    are in reserve until fewer cover as much. *Explore*, beside it: a few cheap random models show which values are
//!    rare. Where classification takes long, the next phases run beside it, too.
//! 2. *Grow*: each solution starts from a model with an uncovered target, keeps what it covers and
//!    asks for more until nothing can be added (extraction of a maximal satisfiable set;
//!    Marques-Silva et al., "On computing minimal correction subsets", 2013). When nothing at all can
//!    be covered, what remains is impossible and coverage is complete.
//! 3. *Bound*: targets that exclude one another pairwise need a solution each.
//! 4. *Regrow*: parts of the set are grown anew, which may take fewer solutions.
//! 5. *Shrink*: solutions are eliminated by moving what only they cover into others. The set that is
//!    left is bounded and regrown once more.
//! 6. *Trade*: solutions take over from one another, so that the first ones cover more.
//! 7. *Improve*: the solver is asked whether a smaller set exists at all, and the first solutions
//!    come to cover as much as they can.

mod ahead;
mod ask;
mod bound;
mod budget;
mod classifier;
mod classify;
mod exact;
mod explore;
mod grow;
mod hop;
mod improve;
mod joint;
mod last_two;
mod member;
mod near;
mod phases;
mod polish;
mod pool;
mod regrow;
mod shorten;
mod shrink;
mod trade;

use sundry_coverage::BitSet;
use sundry_solver::EngineOptions;
use sundry_term::{Control, Model};

use crate::effort::Effort;
use crate::not_ready::NotReady;
use crate::problem::{Candidate, Problem, Rejection};
use crate::steering::Steering;
use crate::strategy::Goal;
use crate::strategy::{Preparation, Purpose, Step, StopReason, Strategy, Validity};
use crate::targets::Target;
use budget::Budget;
use member::Member;
use phases::Phase;

/// Random numbers of the task as such; others are apart from them.
const STREAM: u64 = 0;

/// The part of the members of a set, one in this number, that are exchanged before the set is reported.
const PART_TO_REPORT: usize = 16;

/// The knowledge about targets, whatever the set is.
struct Knowledge {
    /// Targets that some model was seen to cover.
    possible: BitSet,
    /// Targets that no model covers.
    impossible: BitSet,
    /// The number of explored models that cover each target.
    frequency: Vec<u32>,
    /// Models seen: two targets that one of them covers together are not exclusive.
    pool: pool::Pool,
}

impl Knowledge {
    /// The state without any knowledge, for this number of targets.
    fn new(count: usize) -> Self {
        Knowledge {
            possible: BitSet::new(count),
            impossible: BitSet::new(count),
            frequency: vec![0; count],
            pool: pool::Pool::default(),
        }
    }

    /// Whether it is known of a target whether a model covers it.
    fn is_decided(&self, target: Target) -> bool {
        self.possible.contains(target.index()) || self.impossible.contains(target.index())
    }

    /// Remembers what a model covers.
    fn note(&mut self, covered: &BitSet) {
        self.possible.union_with(covered);
        self.pool.add(covered);
    }
}

/// The strategy `cover` on one engine.
pub struct Cover<'a> {
    problem: &'a Problem,
    goal: Goal,
    steering: Steering,
    phase: Phase,
    members: Vec<Member>,
    /// The number of exchanges of members since a step last reported the set.
    unreported: usize,
    /// Targets that some member covers.
    covered: BitSet,
    /// The knowledge about targets, whatever the set is.
    known: Knowledge,
    /// The state of exploration.
    exploration: explore::Exploration,
    /// The present way of growing solutions.
    growing: grow::Growing,
    /// Walks from solutions.
    near: near::Near,
    /// Finds out which targets are possible at all, before and beside growing.
    classification: classify::Classification,
    /// The credit for growing targets that classification has not decided.
    credit: ahead::Credit,
    /// The solutions that classification has brought.
    harvest: classify::Harvest,
    /// The present purpose of the work.
    purpose: Purpose,
    /// The lower bound on the size of the set.
    bound: bound::LowerBound,
    threads: usize,
    /// The reason why the strategy ends when it has done its work.
    end: StopReason,
    /// Where shrinking is in its passes over the set.
    shrink: shrink::ShrinkState,
    /// The results that earlier times of improving left behind.
    improvement: improve::Improvement,
    budget: Budget,
}

impl<'a> Cover<'a> {
    /// The strategy with its own engine and random stream.
    ///
    /// # Errors
    /// An operation of the formula whose circuit is too large, or time is up.
    pub fn new(
        problem: &'a Problem,
        goal: Goal,
        effort: Effort,
        seed: u64,
        threads: usize,
        control: &Control,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<Self, NotReady> {
        let options = EngineOptions::for_many_calls();
        let (steering, finder) =
            Steering::with_finder(problem, seed, STREAM, control, options, on_preparation)?;
        let count = steering.targets.count();
        Ok(Cover {
            problem,
            goal,
            phase: Phase::First,
            members: Vec::new(),
            unreported: 0,
            covered: BitSet::new(count),
            known: Knowledge::new(count),
            exploration: explore::Exploration::default(),
            growing: grow::Growing::new(count, steering.gates()),
            near: near::Near::new(problem, seed, finder),
            steering,
            classification: classify::Classification::Ahead(classify::Pace::default()),
            credit: ahead::Credit::default(),
            harvest: classify::Harvest::default(),
            purpose: Purpose::Covering,
            bound: bound::LowerBound::default(),
            threads,
            end: StopReason::Complete,
            shrink: shrink::ShrinkState::default(),
            improvement: improve::Improvement::default(),
            budget: Budget::new(effort),
        })
    }

    /// Targets that are neither covered by the set nor known to be impossible.
    fn open(&self) -> BitSet {
        let mut open = BitSet::new(self.steering.targets.count());
        open.insert_complement(&self.covered);
        open.subtract(&self.known.impossible);
        open
    }

    /// The last model found, not judged yet.
    fn look(&mut self) -> Candidate {
        Candidate { covered: self.look_at_targets(), model: self.steering.model() }
    }

    /// The targets that the last model covers. Reading the model itself takes far longer where there are arrays.
    fn look_at_targets(&mut self) -> BitSet {
        let covered = self.steering.current();
        self.known.note(&covered);
        covered
    }

    /// Judges a candidate on the formula as written.
    fn accept(&self, candidate: Candidate) -> Result<Member, Rejection> {
        Member::judge(self.problem, &self.steering.targets, candidate, self.steering.control())
    }

    /// Judges the model that was found before the circuits of the AST-bits were there.
    fn accept_first(&mut self, model: Model) -> Result<Member, Rejection> {
        let solution = self.problem.judge(model, self.steering.control())?;
        let covered = self.steering.targets.covered_by(&solution.bits);
        self.known.note(&covered);
        Ok(Member { covered, solution })
    }

    /// Adds a member to the set.
    fn add(&mut self, member: Member) {
        self.covered.union_with(&member.covered);
        self.members.push(member);
        self.harvest.retain_beyond(&self.covered);
    }

    /// Whether the set covers as much as is asked for.
    fn has_reached_target(&self) -> bool {
        self.goal.reached(self.covered_weight(), self.validity())
    }

    /// Whether the goal needs no more targets than are known to be possible.
    fn knows_enough(&self) -> bool {
        self.goal.needs_no_more_than(|| self.validity())
    }

    /// Continues the work for another purpose.
    fn turn_to(&mut self, purpose: Purpose) {
        self.purpose = purpose;
        self.budget.turn_to(purpose, self.steering.clock());
    }

    /// Ticks for one in `part` of the work that is left, `most` at most.
    fn part_of_work(&self, part: u64, most: u64) -> u64 {
        self.budget.left(self.steering.clock()).map_or(most, |left| most.min(left / part))
    }

    /// Whether the work for the present purpose has used up its budget.
    fn is_out_of_work(&self) -> bool {
        self.part_of_work(1, 1) == 0
    }

    /// Whether the clock shows `until`, or everything is to stop.
    fn is_over(&self, until: u64) -> bool {
        self.steering.clock() >= until || self.steering.control().stopped()
    }

    /// Ticks that one check may take.
    fn patience(&self) -> u64 {
        self.part_of_work(1, self.growing.patience).max(1)
    }

    /// The knowledge about the AST-bits.
    fn validity(&self) -> Validity {
        let mut possible = self.known.possible.clone();
        possible.union_with(&self.covered);
        self.steering.targets.validity(&possible, &self.known.impossible)
    }

    /// AST-bits that the set covers.
    fn covered_weight(&self) -> u64 {
        self.steering.targets.weight_of(&self.covered) + self.steering.targets.constant_positions()
    }

    /// AST-bits that the set may lose and still reach the target.
    fn slack(&self) -> u64 {
        if self.goal.target >= 1.0 {
            return 0;
        }
        let validity = self.validity();
        let wanted = self.goal.target * (validity.valid + validity.unknown) as f64;
        self.covered_weight().saturating_sub(wanted.ceil() as u64)
    }

    /// The number of members that cover each target.
    fn cover_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.steering.targets.count()];
        for member in &self.members {
            for index in member.covered.iter() {
                counts[index] += 1;
            }
        }
        counts
    }

    /// Reports the set.
    fn report(&mut self) -> Step {
        self.unreported = 0;
        let all = self.members.iter().chain(self.harvest.reserve());
        Step::Replaced(all.map(|member| member.solution.clone()).collect())
    }

    /// Reports the set if a part of it has changed since it was reported last: putting a large set in order takes
    /// longer than changing it.
    fn report_now_and_then(&mut self) -> Step {
        self.unreported += 1;
        let is_worthwhile =
            PART_TO_REPORT * self.unreported >= self.members.len() + self.harvest.reserve().len();
        if is_worthwhile { self.report() } else { Step::Learned }
    }

    /// Whether the set is as large as the lower bound.
    fn is_minimal(&self) -> bool {
        self.members.len() <= self.bound.size
    }

    /// Turns a candidate that was not accepted into a step.
    fn reject(&mut self, rejection: Rejection) -> Step {
        match rejection {
            Rejection::Wrong(failure) => Step::Failed(failure),
            // If there was no time to judge a model, there is no time for anything else.
            Rejection::Unjudged(reason) => self.stop(reason.into()),
        }
    }

    /// The end, once all of the set has been reported.
    fn stop(&mut self, reason: StopReason) -> Step {
        if self.unreported > 0 {
            return self.report();
        }
        self.phase = Phase::Done;
        self.end = reason;
        Step::Stopped(reason)
    }
}

impl Strategy for Cover<'_> {
    fn step(&mut self, on_bound: &mut dyn FnMut(usize)) -> Step {
        loop {
            if self.steering.control().stopped() && !self.steering.has_first_model() {
                let reason = self.steering.control().reason().into();
                return self.stop(reason);
            }
            if let Some(step) = self.advance(on_bound) {
                return step;
            }
        }
    }

    fn purpose(&self) -> Purpose {
        self.purpose
    }

    fn validity(&self) -> Option<Validity> {
        Some(Cover::validity(self))
    }

    fn impossible(&self) -> Option<BitSet> {
        Some(self.steering.impossible_ast_bits(&self.known.impossible))
    }

    fn lower_bound(&self) -> usize {
        self.bound.size
    }

    fn exclusive(&self) -> Vec<usize> {
        self.bound.exclusive.iter().map(|&target| self.steering.targets.ast_bit(target)).collect()
    }
}

#[cfg(test)]
mod tests;
