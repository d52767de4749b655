//! The strategy `cover`: few solutions that cover every AST-bit that can be covered, and the proof.
//!
//! 1. *Classify*: which targets are possible at all is found out by itself ([`classify`]), and brings solutions that
//!    are in reserve until fewer cover as much. *Explore*, beside it: a few cheap random models tell which values are
//!    rare. Where classification takes long, what follows goes on beside it, too.
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
mod bound;
mod budget;
mod classifier;
mod classify;
mod exact;
mod explore;
mod grow;
mod improve;
mod joint;
mod last_two;
mod phases;
mod polish;
mod pool;
mod regrow;
mod shorten;
mod shrink;
mod trade;

use std::borrow::Borrow;
use std::collections::VecDeque;

use sundry_coverage::BitSet;
use sundry_solver::EngineOptions;
use sundry_term::{Control, Model};

use crate::effort::Effort;
use crate::greedy::{Gains, greedy_order};
use crate::not_ready::NotReady;
use crate::prefix::{self, PerLevel};
use crate::problem::{Candidate, Problem, Rejection, Solution};
use crate::steering::Steering;
use crate::strategy::Goal;
use crate::strategy::{Preparation, Purpose, Step, StopReason, Strategy, Validity};
use crate::targets::{Target, Targets};
use budget::Budget;
use phases::Phase;

/// Random numbers of the task as such; others are apart from them.
const STREAM: u64 = 0;

/// One in so many members of a set are exchanged before the set is told of.
const PART_TO_TELL: usize = 16;

/// A solution of the set, as targets.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) covered: BitSet,
    pub(crate) solution: Solution,
}

impl Member {
    /// Judges a candidate on the formula as written.
    fn judge(
        problem: &Problem,
        targets: &Targets,
        candidate: Candidate,
        control: &Control,
    ) -> Result<Self, Rejection> {
        let solution = problem.judge(candidate.model, control)?;
        debug_assert_eq!(candidate.covered, targets.covered_by(&solution.bits));
        Ok(Member { covered: candidate.covered, solution })
    }
}

/// What solutions cover that are put in order, and what those in order cover together.
struct Collection<'a> {
    sets: Vec<&'a BitSet>,
    targets: &'a Targets,
    covered: BitSet,
}

impl Gains for Collection<'_> {
    type Gain = u64;

    fn gain(&self, item: usize, _: Option<&u64>) -> u64 {
        self.targets.weight_beyond(self.sets[item], &self.covered)
    }

    fn take(&mut self, item: usize) {
        self.covered.union_with(self.sets[item]);
    }
}

/// What these members cover together, of so many targets.
fn covered_by_all<'m>(members: impl IntoIterator<Item = &'m Member>, targets: usize) -> BitSet {
    let mut covered = BitSet::new(targets);
    members.into_iter().for_each(|member| covered.union_with(&member.covered));
    covered
}

/// The members in the order of greedy gain, each by its number.
fn greedy_order_of<M: Borrow<Member>>(members: &[M], targets: &Targets) -> Vec<usize> {
    let covered = BitSet::new(targets.count());
    let sets: Vec<&BitSet> = members.iter().map(|member| &member.borrow().covered).collect();
    greedy_order(sets.len(), &mut Collection { sets, targets, covered })
}

/// Which of these sets add something to what is covered and to those before, in the order of greedy gain.
fn those_needed(sets: Vec<&BitSet>, mut covered: BitSet, targets: &Targets) -> Vec<usize> {
    let order =
        greedy_order(sets.len(), &mut Collection { sets: sets.clone(), targets, covered: covered.clone() });
    let adds_something = |&index: &usize| {
        let adds = !sets[index].is_subset(&covered);
        covered.union_with(sets[index]);
        adds
    };
    order.into_iter().filter(adds_something).collect()
}

/// How many members in greedy order cover the weight that each level takes.
fn lengths_of_prefixes<M: Borrow<Member>>(
    members: &[M],
    targets: &Targets,
    wanted: &PerLevel<u64>,
) -> PerLevel<usize> {
    let mut covered = BitSet::new(targets.count());
    let gains = greedy_order_of(members, targets).into_iter().map(|index| {
        let member = &members[index].borrow().covered;
        let gain = targets.weight_beyond(member, &covered);
        covered.union_with(member);
        gain
    });
    prefix::lengths(gains, wanted)
}

/// The strategy `cover` on one engine.
pub struct Cover<'a> {
    problem: &'a Problem,
    goal: Goal,
    steering: Steering,
    phase: Phase,
    members: Vec<Member>,
    /// How often members were exchanged since a step last told of the set.
    untold: usize,
    /// Targets that some member covers.
    covered: BitSet,
    /// Targets that no model covers.
    impossible: BitSet,
    /// Open targets that were too hard for the present patience.
    aside: BitSet,
    /// Targets that some model was seen to cover.
    possible: BitSet,
    /// In how many explored models each target was covered.
    frequency: Vec<u32>,
    /// How much was explored.
    exploration: explore::Exploration,
    /// Search only near models that are known: further away it is too hard.
    stay_near: bool,
    /// Which share of the wanted targets decisions then head for.
    boldness: f64,
    /// Finds out which targets are possible at all, before and beside growing.
    classification: classify::Classification,
    /// How much growing may try what classification has not decided.
    credit: ahead::Credit,
    /// Models from classification that have not been reported yet.
    found: VecDeque<Candidate>,
    /// Solutions from classification, as long as they cover something that no member does.
    reserve: Vec<Member>,
    /// The model that was found first, until something has grown from it.
    first: Option<Member>,
    /// Ticks that one check may take while growing; grows when nothing else is left to do.
    patience: u64,
    /// How often that is halved where a model is extended: grows with each attempt that was in vain.
    reluctance: u32,
    /// What the work is for.
    purpose: Purpose,
    /// What decisions try for inputs that need no particular value.
    indifference: grow::Indifference,
    lower_bound: usize,
    /// Targets behind the lower bound: no two of them are covered by one model.
    exclusive: Vec<Target>,
    /// Models seen: two targets that one of them covers together are not exclusive.
    pool: pool::Pool,
    threads: usize,
    /// Why the strategy ends when it has done its work.
    end: StopReason,
    shrink: shrink::ShrinkState,
    /// What the set covered when improving it began last.
    improved: Option<BitSet>,
    /// The clock when the set was complete and small.
    until_complete: Option<u64>,
    /// The clock when growing last had success.
    last_success: u64,
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
        let steering = Steering::with_options(problem, seed, STREAM, control, options, on_preparation)?;
        let count = steering.targets.count();
        let patience = grow::FIRST_PATIENCE.max(grow::PATIENCE_PER_GATE * steering.gates() as u64);
        Ok(Cover {
            problem,
            goal,
            steering,
            phase: Phase::First,
            members: Vec::new(),
            untold: 0,
            covered: BitSet::new(count),
            impossible: BitSet::new(count),
            aside: BitSet::new(count),
            possible: BitSet::new(count),
            frequency: vec![0; count],
            exploration: explore::Exploration::default(),
            stay_near: false,
            boldness: 1.0,
            classification: classify::Classification::Ahead(classify::Pace::default()),
            credit: ahead::Credit::default(),
            found: VecDeque::new(),
            reserve: Vec::new(),
            first: None,
            patience,
            reluctance: 0,
            purpose: Purpose::Covering,
            indifference: grow::Indifference::Rarer,
            lower_bound: 0,
            exclusive: Vec::new(),
            pool: pool::Pool::default(),
            threads,
            end: StopReason::Complete,
            shrink: shrink::ShrinkState::default(),
            improved: None,
            until_complete: None,
            last_success: 0,
            budget: Budget::new(effort),
        })
    }

    /// Targets that are neither covered by the set nor known to be impossible.
    fn open(&self) -> BitSet {
        let mut open = BitSet::new(self.steering.targets.count());
        open.insert_complement(&self.covered);
        open.subtract(&self.impossible);
        open
    }

    /// The last model found, not judged yet.
    fn look(&mut self) -> Candidate {
        Candidate { covered: self.look_at_targets(), model: self.steering.model() }
    }

    /// What the last model found covers. To read the model itself takes far longer where there are arrays.
    fn look_at_targets(&mut self) -> BitSet {
        let covered = self.steering.current();
        self.note(&covered);
        covered
    }

    /// Remembers what a model covers.
    fn note(&mut self, covered: &BitSet) {
        self.possible.union_with(covered);
        self.pool.add(covered);
    }

    /// Judges a candidate on the formula as written.
    fn accept(&self, candidate: Candidate) -> Result<Member, Rejection> {
        Member::judge(self.problem, &self.steering.targets, candidate, self.steering.control())
    }

    /// Judges the model that was found before the circuits of the AST-bits were there.
    fn accept_first(&mut self, model: Model) -> Result<Member, Rejection> {
        let solution = self.problem.judge(model, self.steering.control())?;
        let covered = self.steering.targets.covered_by(&solution.bits);
        self.note(&covered);
        Ok(Member { covered, solution })
    }

    /// Adds a member to the set.
    fn add(&mut self, member: Member) {
        self.covered.union_with(&member.covered);
        self.members.push(member);
        self.reserve.retain(|reserved| !reserved.covered.is_subset(&self.covered));
    }

    /// Whether the set covers as much as is asked for.
    fn has_reached_target(&self) -> bool {
        self.goal.reached(self.covered_weight(), self.validity())
    }

    /// Work goes on for another purpose.
    fn turn_to(&mut self, purpose: Purpose) {
        self.purpose = purpose;
        self.budget.turn_to(purpose, self.steering.clock());
    }

    /// Ticks for one in `part` of the work that is left, `most` at most.
    fn part_of_work(&self, part: u64, most: u64) -> u64 {
        self.budget.left(self.steering.clock()).map_or(most, |left| most.min(left / part))
    }

    /// Whether the work for the present purpose has come to the end of what it may take.
    fn is_out_of_work(&self) -> bool {
        self.part_of_work(1, 1) == 0
    }

    /// Whether the clock shows `until`, or everything is to stop.
    fn is_over(&self, until: u64) -> bool {
        self.steering.clock() >= until || self.steering.control().stopped()
    }

    /// Ticks that one check may take.
    fn patience(&self) -> u64 {
        self.part_of_work(1, self.patience).max(1)
    }

    /// What is known about the AST-bits.
    fn validity(&self) -> Validity {
        let mut possible = self.possible.clone();
        possible.union_with(&self.covered);
        self.steering.targets.validity(&possible, &self.impossible)
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

    /// For each target, how many members cover it.
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
    fn tell(&mut self) -> Step {
        self.untold = 0;
        let all = self.members.iter().chain(&self.reserve);
        Step::Replaced(all.map(|member| member.solution.clone()).collect())
    }

    /// Tells of the set if a part of it has changed since that was done last: putting a large set in order takes
    /// longer than changing it.
    fn tell_now_and_then(&mut self) -> Step {
        self.untold += 1;
        let is_worthwhile = PART_TO_TELL * self.untold >= self.members.len() + self.reserve.len();
        if is_worthwhile { self.tell() } else { Step::Learned }
    }

    /// Whether the set is as large as the lower bound.
    fn is_minimal(&self) -> bool {
        self.members.len() <= self.lower_bound
    }

    /// What a candidate that was not accepted comes to.
    fn reject(&mut self, rejection: Rejection) -> Step {
        match rejection {
            Rejection::Wrong(failure) => Step::Failed(failure),
            // There was no time to judge a model, so there is none for anything else.
            Rejection::Unjudged(reason) => self.stop(reason.into()),
        }
    }

    /// The end, once all of the set has been told of.
    fn stop(&mut self, reason: StopReason) -> Step {
        if self.untold > 0 {
            return self.tell();
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
        Some(self.steering.impossible_ast_bits(&self.impossible))
    }

    fn lower_bound(&self) -> usize {
        self.lower_bound
    }

    fn exclusive(&self) -> Vec<usize> {
        self.exclusive
            .iter()
            .map(|&target| {
                let (position, value) = self.steering.targets.representative(target);
                2 * position + usize::from(value)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{Op, Sort, TermStore};

    use super::*;

    /// `x < y * z` and `x + z < y` over 6 bits.
    pub(super) fn entangled() -> Problem {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(6).expect("a width");
        let symbols = ["x", "y", "z"].map(|name| store.declare(name, &[], sort));
        let [x, y, z] = symbols.map(|symbol| store.symbol_term(symbol));
        let product = store.make(Op::BvMul, &[y, z]);
        let sum = store.make(Op::BvAdd, &[x, z]);
        let assertions = vec![store.make(Op::BvUlt, &[x, product]), store.make(Op::BvUlt, &[sum, y])];
        Problem::new(store, assertions, symbols.to_vec())
    }

    /// Reads at two places of an array, which has been written at a third.
    pub(super) fn reads() -> Problem {
        let mut store = TermStore::new();
        let place = store.bit_vec_sort(4).expect("a width");
        let array = store.intern_sort(Sort::Array { index: place, element: place }).expect("a sort");
        let symbols = [("a", array), ("i", place), ("j", place), ("k", place)]
            .map(|(name, sort)| store.declare(name, &[], sort));
        let [a, i, j, k] = symbols.map(|symbol| store.symbol_term(symbol));
        let written = store.make(Op::Store, &[a, i, j]);
        let [left, right] = [j, k].map(|index| store.make(Op::Select, &[written, index]));
        let assertions = vec![store.make(Op::BvUlt, &[left, right]), store.make(Op::BvUle, &[i, j])];
        Problem::new(store, assertions, symbols.to_vec())
    }

    /// Before its first step.
    pub(super) fn cover<'a>(problem: &'a Problem, goal: Goal, seed: u64) -> Cover<'a> {
        let Ok(cover) = Cover::new(problem, goal, Effort::Normal, seed, 1, &Control::default(), &mut |_| {})
        else {
            panic!("the formula is small")
        };
        cover
    }

    /// With a complete set, grown without exploring.
    pub(super) fn grown<'a>(problem: &'a Problem, seed: u64, control: &Control) -> Cover<'a> {
        let Ok(mut cover) = Cover::new(problem, Goal::default(), Effort::Max, seed, 1, control, &mut |_| {})
        else {
            panic!("the formula is small")
        };
        loop {
            match cover.grow_next() {
                grow::Growth::Member(member) => cover.add(member),
                grow::Growth::Complete => return cover,
                _ => panic!("the formula is easy"),
            }
        }
    }

    #[test]
    fn sets_that_add_nothing_are_not_needed() {
        let problem = entangled();
        let cover = grown(&problem, 0, &Control::default());
        let count = cover.steering.targets.count();
        let set = |members: &[usize]| {
            let mut set = BitSet::new(count);
            members.iter().for_each(|&member| set.insert(member));
            set
        };
        let sets = [set(&[0]), set(&[0, 2, 4]), set(&[2, 6]), set(&[4, 8])];
        assert_eq!(those_needed(sets.iter().collect(), set(&[8]), &cover.steering.targets), [1, 2]);
    }

    #[test]
    fn what_was_told_last_is_the_set() {
        let problem = entangled();
        for (target, seed) in
            [1.0, 0.97, 0.95, 0.9].into_iter().flat_map(|target| (0..10).map(move |seed| (target, seed)))
        {
            let goal = Goal { target, max_solutions: None };
            let Ok(mut cover) =
                Cover::new(&problem, goal, Effort::Max, seed, 1, &Control::default(), &mut |_| {})
            else {
                panic!("the formula is small")
            };
            let mut told: Vec<Solution> = Vec::new();
            loop {
                match cover.step(&mut |_| {}) {
                    Step::Found(solution) => told.push(solution),
                    Step::Replaced(solutions) => told = solutions,
                    Step::Learned => {}
                    Step::Failed(failure) => panic!("{failure}"),
                    Step::Stopped(_) => break,
                }
            }
            assert_eq!(told.len(), cover.members.len());
            for solution in told {
                let covered = cover.steering.targets.covered_by(&solution.bits);
                assert!(
                    cover.members.iter().any(|member| member.covered == covered),
                    "target {target}, seed {seed}"
                );
            }
        }
    }
}
