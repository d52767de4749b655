//! The strategy `cover`: few solutions that cover every AST-bit that can be covered, and the proof.
//!
//! 1. *Explore*: a few cheap random models tell which values are rare.
//! 2. *Grow*: each solution starts from a model with an uncovered target, keeps what it covers and
//!    asks for more until nothing can be added (extraction of a maximal satisfiable set;
//!    Marques-Silva et al., "On computing minimal correction subsets", 2013). When nothing at all can
//!    be covered, what remains is impossible and coverage is complete.
//! 3. *Bound*: targets that exclude one another pairwise need a solution each.
//! 4. *Regrow*: parts of the set are grown anew, which may take fewer solutions.
//! 5. *Shrink*: solutions are eliminated by moving what only they cover into others. The set that is
//!    left is bounded and regrown once more.
//! 6. *Improve*: the solver is asked whether a smaller set exists at all, and the first solutions
//!    come to cover as much as they can.

mod bound;
mod exact;
mod explore;
mod grow;
mod improve;
mod joint;
mod last_two;
mod polish;
mod pool;
mod regrow;
mod shrink;

use sundry_coverage::BitSet;
use sundry_solver::Verdict;
use sundry_term::Model;

use crate::greedy::{Gains, greedy_order};
use crate::problem::{Candidate, Problem, Solution, WrongModel};
use crate::run::Goal;
use crate::steering::{Control, NotReady, Steering};
use crate::strategy::{Step, StopReason, Strategy, Validity};
use crate::targets::{Target, Targets};

/// A solution of the set, as targets.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) covered: BitSet,
    pub(crate) solution: Solution,
}

impl Member {
    /// Judges a candidate on the formula as written.
    fn judge(problem: &Problem, targets: &Targets, candidate: Candidate) -> Result<Self, WrongModel> {
        let solution = problem.judge(candidate.model)?;
        debug_assert_eq!(candidate.covered, targets.covered_by(&solution.bits));
        Ok(Member { covered: candidate.covered, solution })
    }
}

/// Members that are put in order, and what those in order cover.
struct Collection<'a> {
    members: &'a [Member],
    targets: &'a Targets,
    covered: BitSet,
}

impl Gains for Collection<'_> {
    type Gain = u64;

    fn gain(&self, item: usize, _: Option<&u64>) -> u64 {
        self.targets.weight_beyond(&self.members[item].covered, &self.covered)
    }

    fn take(&mut self, item: usize) {
        self.covered.union_with(&self.members[item].covered);
    }
}

/// What these members cover together, of so many targets.
fn covered_by_all<'m>(members: impl IntoIterator<Item = &'m Member>, targets: usize) -> BitSet {
    let mut covered = BitSet::new(targets);
    members.into_iter().for_each(|member| covered.union_with(&member.covered));
    covered
}

/// The members in the order of greedy gain, each by its number.
fn greedy_order_of(members: &[Member], targets: &Targets) -> Vec<usize> {
    let covered = BitSet::new(targets.count());
    greedy_order(members.len(), &mut Collection { members, targets, covered })
}

/// What the strategy does next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Phase {
    Explore,
    Grow,
    Bound,
    /// Until the clock shows `until`.
    Regrow {
        until: u64,
    },
    Shrink,
    Improve,
    Finished,
    Done,
}

/// The strategy `cover` on one engine.
pub struct Cover<'a> {
    problem: &'a Problem,
    goal: Goal,
    steering: Steering,
    phase: Phase,
    members: Vec<Member>,
    /// Whether members were exchanged since a step last told of the set.
    untold: bool,
    /// Targets that some member covers.
    covered: BitSet,
    /// Targets that no model covers.
    impossible: BitSet,
    /// Targets that some model was seen to cover.
    possible: BitSet,
    /// In how many explored models each target was covered.
    frequency: Vec<u32>,
    /// Search only near models that are known: further away it is too hard.
    stay_near: bool,
    /// Which share of the wanted targets decisions then head for.
    boldness: f64,
    /// The model that was found first, until something has grown from it.
    first: Option<Member>,
    /// Ticks that one check may take while growing; grows when nothing else is left to do.
    patience: u64,
    /// How often that is halved where a model is extended: grows with each attempt that was in vain.
    reluctance: u32,
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
    /// The clock when the set was complete and small.
    until_complete: Option<u64>,
    failure: Option<WrongModel>,
}

impl<'a> Cover<'a> {
    /// The strategy with its own engine and random stream.
    ///
    /// # Errors
    /// An operation of the formula whose circuit is too large, or time is up.
    pub fn new(
        problem: &'a Problem,
        goal: Goal,
        seed: u64,
        stream: u64,
        threads: usize,
        control: &Control,
    ) -> Result<Self, NotReady> {
        let steering = Steering::new(problem, seed, stream, control)?;
        let count = steering.targets.count();
        let patience = grow::FIRST_PATIENCE.max(grow::PATIENCE_PER_GATE * steering.gates() as u64);
        Ok(Cover {
            problem,
            goal,
            steering,
            phase: Phase::Explore,
            members: Vec::new(),
            untold: false,
            covered: BitSet::new(count),
            impossible: BitSet::new(count),
            possible: BitSet::new(count),
            frequency: vec![0; count],
            stay_near: false,
            boldness: 1.0,
            first: None,
            patience,
            reluctance: 0,
            indifference: grow::Indifference::Rarer,
            lower_bound: 0,
            exclusive: Vec::new(),
            pool: pool::Pool::default(),
            threads,
            end: StopReason::Complete,
            shrink: shrink::ShrinkState::default(),
            until_complete: None,
            failure: None,
        })
    }

    /// Targets that are neither covered by the set nor known to be impossible.
    fn open(&self) -> BitSet {
        let mut open = BitSet::new(self.steering.targets.count());
        open.insert_complement(&self.covered);
        open.subtract(&self.impossible);
        open
    }

    /// The current model of the engine, not judged yet.
    fn look(&mut self) -> Candidate {
        let covered = self.steering.current();
        self.note(&covered);
        Candidate { covered, model: self.steering.model() }
    }

    /// Remembers what a model covers.
    fn note(&mut self, covered: &BitSet) {
        self.possible.union_with(covered);
        self.pool.add(covered);
    }

    /// Judges a candidate on the formula as written.
    fn accept(&self, candidate: Candidate) -> Result<Member, WrongModel> {
        Member::judge(self.problem, &self.steering.targets, candidate)
    }

    /// Judges the model that was found before the circuits of the AST-bits were there.
    fn accept_first(&mut self, model: Model) -> Result<Member, WrongModel> {
        let solution = self.problem.judge(model)?;
        let covered = self.steering.targets.covered_by(&solution.bits);
        self.note(&covered);
        Ok(Member { covered, solution })
    }

    /// Adds a member to the set.
    fn add(&mut self, member: Member) {
        self.covered.union_with(&member.covered);
        self.members.push(member);
    }

    /// Whether the set covers as much as is asked for.
    fn has_reached_target(&self) -> bool {
        self.goal.reached(self.covered_weight(), self.validity())
    }

    /// The phase of regrowing the set, for half as long as everything took so far; where eliminating
    /// from a small set is hard too, as long again.
    fn regrowing(&self) -> Phase {
        let clock = self.steering.clock();
        Phase::Regrow { until: clock + if self.is_small_and_hard() { clock } else { clock / 2 } }
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

    /// Tells of the set, in the order of greedy gain.
    fn tell(&mut self) -> Step {
        self.untold = false;
        let order = greedy_order_of(&self.members, &self.steering.targets);
        Step::Replaced(order.into_iter().map(|index| self.members[index].solution.clone()).collect())
    }

    /// Whether the set is as large as the lower bound.
    fn is_minimal(&self) -> bool {
        self.members.len() <= self.lower_bound
    }

    /// The end, once all of the set has been told of.
    fn stop(&mut self, reason: StopReason) -> Step {
        if self.untold {
            return self.tell();
        }
        self.phase = Phase::Done;
        self.end = reason;
        Step::Stopped(reason)
    }
}

impl Strategy for Cover<'_> {
    fn step(&mut self) -> Step {
        loop {
            if self.steering.control().stopped() && !self.steering.has_first_model() {
                let reason = self.steering.control().reason();
                return self.stop(reason);
            }
            if let Some(failure) = self.failure.take() {
                return Step::Failed(failure);
            }
            match self.phase {
                Phase::Explore => {
                    let first = match self.steering.take_first_model() {
                        Some(model) => self.accept_first(model),
                        None => match self.steering.check(&[], &[], None) {
                            Verdict::Unsat => return self.stop(StopReason::Unsatisfiable),
                            Verdict::Unknown => continue,
                            Verdict::Sat => {
                                let candidate = self.look();
                                self.accept(candidate)
                            }
                        },
                    };
                    self.phase = Phase::Grow;
                    match first {
                        Ok(member) => {
                            let solution = member.solution.clone();
                            if self.goal.max_solutions == Some(1) {
                                // Every solution covers as much as any other: half of the AST-bits.
                                self.phase = Phase::Finished;
                                self.end = StopReason::MaximalSolutions;
                            } else if !self.steering.control().stopped() {
                                self.explore(&member);
                            }
                            self.first = Some(member);
                            return Step::Found(Box::new(solution));
                        }
                        Err(failure) => self.failure = Some(failure),
                    }
                }
                Phase::Grow => match self.grow_next() {
                    grow::Growth::Member(member) => {
                        let solution = member.solution.clone();
                        self.add(member);
                        if self.goal.target < 1.0 && self.has_reached_target() {
                            self.end = StopReason::Target;
                            self.phase = self.regrowing();
                        }
                        if self.members.len() == 1 {
                            return Step::Replaced(vec![solution]);
                        }
                        return Step::Found(Box::new(solution));
                    }
                    grow::Growth::Complete => self.phase = Phase::Bound,
                    grow::Growth::OutOfPatience => self.patience *= 4,
                    grow::Growth::Unsatisfiable => return self.stop(StopReason::Unsatisfiable),
                    grow::Growth::Stopped => {}
                    grow::Growth::Wrong(failure) => self.failure = Some(failure),
                },
                Phase::Bound => {
                    self.find_bound();
                    self.phase = if self.is_minimal() { Phase::Improve } else { self.regrowing() };
                }
                Phase::Regrow { until } => match self.regrow(until) {
                    Ok(true) => {
                        // Other members, which may be eliminated where the earlier could not.
                        self.shrink = shrink::ShrinkState::default();
                        return self.tell();
                    }
                    Ok(false) if !self.shrink.finished => self.phase = Phase::Shrink,
                    Ok(false) if self.end == StopReason::Target => self.phase = Phase::Finished,
                    Ok(false) => self.phase = Phase::Improve,
                    Err(failure) => self.failure = Some(failure),
                },
                Phase::Shrink => match self.shrink_once() {
                    Ok(true) => return self.tell(),
                    Ok(false) if self.shrink.finished && self.end == StopReason::Target => {
                        self.phase = self.regrowing();
                    }
                    Ok(false) if self.shrink.finished => self.phase = Phase::Bound,
                    Ok(false) => {}
                    Err(failure) => self.failure = Some(failure),
                },
                Phase::Improve => match self.improve() {
                    // What is smaller has not been polished.
                    Ok(true) => return self.tell(),
                    Ok(false) => self.phase = Phase::Finished,
                    Err(failure) => {
                        self.failure = Some(failure);
                        self.phase = Phase::Finished;
                    }
                },
                Phase::Finished => {
                    let reason = self.end;
                    return self.stop(reason);
                }
                Phase::Done => return Step::Stopped(self.end),
            }
        }
    }

    fn validity(&self) -> Validity {
        let targets = &self.steering.targets;
        let constant = targets.constant_positions();
        let mut valid = self.possible.clone();
        valid.union_with(&self.covered);
        let decided = targets.weight_of(&valid) + targets.weight_of(&self.impossible);
        let total = (0..targets.count()).map(|index| targets.weight(Target::from_index(index))).sum::<u64>();
        Validity {
            valid: targets.weight_of(&valid) + constant,
            impossible: targets.weight_of(&self.impossible) + constant,
            unknown: total - decided,
        }
    }

    fn impossible(&self) -> Vec<usize> {
        let mut all = self.steering.targets.ast_bits_of(&self.impossible);
        all.extend(self.steering.targets.constant_impossible());
        all.sort_unstable();
        all
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
    use sundry_term::{Op, TermStore};

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

    /// With a complete set, grown without exploring.
    pub(super) fn grown<'a>(problem: &'a Problem, seed: u64, control: &Control) -> Cover<'a> {
        let Ok(mut cover) = Cover::new(problem, Goal::default(), seed, 0, 1, control) else {
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
    fn what_was_told_last_is_the_set() {
        let problem = entangled();
        for (target, seed) in
            [1.0, 0.97, 0.95, 0.9].into_iter().flat_map(|target| (0..10).map(move |seed| (target, seed)))
        {
            let goal = Goal { target, max_solutions: None };
            let Ok(mut cover) = Cover::new(&problem, goal, seed, 0, 1, &Control::default()) else {
                panic!("the formula is small")
            };
            let mut told: Vec<Solution> = Vec::new();
            loop {
                match cover.step() {
                    Step::Found(solution) => told.push(*solution),
                    Step::Replaced(solutions) => told = solutions,
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
