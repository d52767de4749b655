//! Solutions near a solution, for formulas over integers and reals: walks in polyhedra find them without the solver.
//!
//! Questions about bits of numbers are hard for the solver, where each solution of a walk covers half of them. So every solution that the solver
//! finds is the start of a walk, whose solutions are in reserve if they cover something new, and the solver is left with what walks do not
//! reach. Where a formula has disjunctions, a walk stays with one choice of them: hops ([`hop`](super::hop)) find solutions for other choices, from
//! which walks start, too. A member of the set grows by climbing: steps of the walk that cover more stay, others are taken back.

use std::collections::VecDeque;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use sundry_coverage::BitSet;
use sundry_term::{Control, Model};

use super::Cover;
use super::ask::Asking;
use super::hop::Hopping;
use super::member::Member;
use crate::formula_engine::FormulaEngine;
use crate::polyhedra::{Walker, Walking};
use crate::problem::{Candidate, Problem, Rejection, Solution};
use crate::steering::Steering;
use crate::strategy::Step;

/// Solutions of a walk in succession that cover nothing new, at which it ends.
const IN_VAIN: u32 = 6;
/// Steps of climbing in succession that gain nothing, at which it ends, for each variable.
const STEPS_IN_VAIN: usize = 8;
/// Steps of climbing in succession that gain nothing, at most.
const MOST_STEPS_IN_VAIN: usize = 400;
/// Solutions to climb from, at most; later ones replace the oldest.
const STARTS: usize = 256;
/// Ticks for a term of the formula in a judgement, in which the walk itself is included.
const TICKS_PER_TERM: u64 = 8;

/// The random numbers of walks are apart from those of the search.
const STREAM: u64 = 2;

/// Walks from solutions.
pub(super) struct Near {
    walker: Option<Walker>,
    pub(super) random: ChaCha8Rng,
    has_begun: bool,
    /// Hops to where more walks start; none where the formula has no numbers, and once they have ended.
    pub(super) hopping: Option<Hopping>,
    /// Questions about what hops did not show, once they have ended.
    pub(super) asking: Option<Asking>,
    /// Solutions that cover something new, not reported yet.
    found: VecDeque<Member>,
    /// Solutions to climb from.
    starts: VecDeque<Member>,
}

impl Near {
    /// Walks for a problem, and hops from the first solution of this engine; no walks where nothing in it is a number.
    pub(super) fn new(problem: &Problem, seed: u64, finder: Option<FormulaEngine>) -> Near {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(STREAM);
        let (found, starts) = Default::default();
        let hopping = finder.map(Hopping::from);
        Near { walker: Walker::new(problem), random, has_begun: false, hopping, asking: None, found, starts }
    }

    /// Whether there are walks at all.
    pub(super) fn is_active(&self) -> bool {
        self.walker.is_some()
    }

    /// Begins a walk from a solution, if there is one.
    fn begin(&mut self, problem: &Problem, start: &Solution, control: &Control) -> Option<Walking> {
        self.walker.as_ref()?.walk_from(problem, &start.model, control, &mut self.random)
    }

    /// Judges a model of a walk, and counts the work.
    fn judge(&self, problem: &Problem, steering: &mut Steering, model: Model) -> Result<Member, Rejection> {
        let solution = problem.judge(model, steering.control())?;
        steering.count_work(TICKS_PER_TERM * problem.ast_bits.nodes().len() as u64);
        Ok(Member { covered: steering.targets.covered_by(&solution.bits), solution })
    }

    /// A random one of the solutions that others are looked for from.
    pub(super) fn start(&mut self) -> Option<&Member> {
        let count = self.starts.len();
        (count > 0).then(|| &self.starts[self.random.random_range(0..count)])
    }

    /// Keeps a solution that covers something new. Returns whether it does.
    fn keep(&mut self, member: &Member, possible: &BitSet) -> bool {
        let is_new = !member.covered.is_subset(possible);
        if is_new {
            self.found.push_back(member.clone());
        }
        if is_new || self.starts.len() < STARTS {
            self.starts.push_back(member.clone());
            if self.starts.len() > STARTS {
                self.starts.pop_front();
            }
        }
        is_new
    }
}

impl Cover<'_> {
    /// Walks from the first solution, and reports what the walk finds.
    pub(super) fn look_around(&mut self) -> Option<Step> {
        if !self.near.has_begun {
            self.near.has_begun = true;
            let first = self.growing.first.as_ref()?.solution.clone();
            if let Err(rejection) = self.walk_from(&first) {
                return Some(self.reject(rejection));
            }
        }
        loop {
            if let Some(step) = self.take_near() {
                return Some(step);
            }
            match self.hop() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(rejection) => return Some(self.reject(rejection)),
            }
            return match self.ask() {
                Ok(true) => Some(self.take_near().unwrap_or(Step::Learned)),
                Ok(false) => None,
                Err(rejection) => Some(self.reject(rejection)),
            };
        }
    }

    /// Judges a model and takes notice of what it covers. Returns the member that it makes, and whether that covers something new.
    ///
    /// # Errors
    /// As for [`walk_from`](Self::walk_from).
    pub(super) fn visit(&mut self, model: Model) -> Result<(Member, bool), Rejection> {
        let member = self.near.judge(self.problem, &mut self.steering, model)?;
        let is_new = self.near.keep(&member, &self.known.possible);
        self.known.note(&member.covered);
        Ok((member, is_new))
    }

    /// Walks from a solution as long as that shows something new.
    ///
    /// # Errors
    /// A model that the walk has found is not accepted, which is a defect, or there was no time to judge it.
    pub(super) fn walk_from(&mut self, solution: &Solution) -> Result<(), Rejection> {
        let control = self.steering.control().clone();
        let Some(mut walking) = self.near.begin(self.problem, solution, &control) else { return Ok(()) };
        let mut in_vain = 0;
        while in_vain < IN_VAIN && !control.stopped() {
            let model = walking.walk(&mut self.near.random);
            let (_, is_new) = self.visit(model)?;
            in_vain = if is_new { 0 } else { in_vain + 1 };
        }
        Ok(())
    }

    /// Climbs from a solution to one that covers more of what the set does not.
    ///
    /// # Errors
    /// As for [`walk_from`](Self::walk_from).
    pub(super) fn climb_from(&mut self, start: Member) -> Result<Member, Rejection> {
        let Cover { problem, near, steering, covered, known, .. } = self;
        let control = steering.control().clone();
        let Some(mut walking) = near.begin(problem, &start.solution, &control) else { return Ok(start) };
        let mut most = steering.targets.weight_beyond(&start.covered, covered);
        let mut best = start;
        let patience = (STEPS_IN_VAIN * walking.variables()).min(MOST_STEPS_IN_VAIN);
        let mut in_vain = 0;
        while in_vain < patience && !control.stopped() {
            in_vain += 1;
            let Some(model) = walking.step(&mut near.random) else { continue };
            let member = near.judge(problem, steering, model)?;
            if near.keep(&member, &known.possible) {
                known.note(&member.covered);
            }
            let gain = steering.targets.weight_beyond(&member.covered, covered);
            if gain < most {
                walking.step_back();
                continue;
            }
            if gain > most {
                in_vain = 0;
            }
            (best, most) = (member, gain);
        }
        known.note(&best.covered);
        Ok(best)
    }

    /// The solution of walks so far that adds most to the set, if one adds anything.
    pub(super) fn best_near(&self) -> Option<Candidate> {
        let gain = |member: &Member| self.steering.targets.weight_beyond(&member.covered, &self.covered);
        let best = self.near.starts.iter().map(|member| (gain(member), member)).max_by_key(|(gain, _)| *gain);
        let (_, Member { covered, solution }) = best.filter(|(gain, _)| *gain > 0)?;
        Some(Candidate { covered: covered.clone(), model: (*solution.model).clone() })
    }

    /// Reports the next solution of walks that covers something new.
    pub(super) fn take_near(&mut self) -> Option<Step> {
        let member = self.near.found.pop_front()?;
        let solution = member.solution.clone();
        self.reserve(member);
        Some(Step::Found(solution))
    }
}
