//! Running a strategy towards a goal.

use std::time::Instant;

use sundry_coverage::{BitSet, Coverage};
use sundry_solver::Refusal;

use crate::cover::Cover;
use crate::effort::Effort;
use crate::greedy::{Gains, greedy_order};
use crate::pan::{Pan, PanOptions};
use crate::prefix;
use crate::problem::{Problem, Solution, WrongModel};
use crate::steering::NotReady;
use crate::strategy::{Preparation, Purpose, Step, StopReason, Strategy, Validity};
use crate::unprepared::Unprepared;
use sundry_term::Control;

/// When a run has enough.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Goal {
    /// Share of the AST-bits not proved impossible that is to be covered, between 0 and 1.
    pub target: f64,
    /// Solutions wanted at most.
    pub max_solutions: Option<usize>,
}

impl Default for Goal {
    fn default() -> Self {
        Goal { target: 1.0, max_solutions: None }
    }
}

impl Goal {
    /// Whether this many covered AST-bits reach the target.
    pub fn reached(&self, covered: u64, validity: Validity) -> bool {
        covered as f64 >= self.target * (validity.valid + validity.unknown) as f64
    }
}

/// Which strategy, with its own options.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum StrategyKind {
    /// Few solutions, complete coverage, proofs.
    #[default]
    Cover,
    /// PanSampler as published.
    Pan(PanOptions),
}

impl StrategyKind {
    /// The name on the command line and in records.
    pub fn name(&self) -> &'static str {
        match self {
            StrategyKind::Cover => "cover",
            StrategyKind::Pan(_) => "pan",
        }
    }
}

/// How to sample.
#[derive(Clone, Debug, Default)]
pub struct SampleOptions {
    /// The strategy.
    pub strategy: StrategyKind,
    /// Seed of all randomness.
    pub seed: u64,
    /// Threads that may work on the formula; the result does not depend on it.
    pub threads: usize,
    /// When there is enough.
    pub goal: Goal,
    /// How long the strategy `cover` goes on once that is reached.
    pub effort: Effort,
    /// When time is up.
    pub control: Control,
    /// Whether this is the last that the process does with so much memory, so that it need not be given back: for
    /// every clause one by one that takes seconds on large formulas.
    pub is_last: bool,
}

/// Where a run is: before its first solution once for each thing it does, and after each step that brought something.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The present set, in the order of gain but for the latest ones.
    pub solutions: &'a [RatedSolution],
    /// AST-bits that it covers.
    pub covered: u64,
    /// What is known of the AST-bits.
    pub validity: Validity,
    /// No smaller set covers as much; 0 where nothing is known.
    pub lower_bound: usize,
    /// What is made ready, before the strategy works.
    pub preparation: Option<Preparation>,
    /// What the strategy is working for.
    pub purpose: Purpose,
    /// Seconds since the start.
    pub seconds: f64,
}

impl Progress<'_> {
    /// Whether everything that can be covered is covered, and the rest proved impossible.
    pub fn is_complete(&self) -> bool {
        is_complete(self.solutions.len(), self.covered, self.validity)
    }
}

/// Whether so many solutions cover everything that can be covered, and the rest is proved impossible.
fn is_complete(solutions: usize, covered: u64, validity: Validity) -> bool {
    solutions > 0 && validity.unknown == 0 && covered == validity.valid
}

/// When a run reached what people wait for, in seconds from its start; none for what it never reached.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Milestones {
    /// The target coverage.
    pub target: Option<f64>,
    /// Complete coverage, with everything else proved impossible.
    pub complete: Option<f64>,
    /// A complete set, and the proof that no smaller one is complete.
    pub minimal: Option<f64>,
}

/// A solution with what it adds to those before it.
#[derive(Clone, Debug)]
pub struct RatedSolution {
    /// The solution, judged on the formula as written.
    pub solution: Solution,
    /// AST-bits that it covers and none before it does.
    pub gain: u64,
    /// Seconds from the start of the run until it was found.
    pub seconds: f64,
}

/// How far a run was at some time.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct CurvePoint {
    /// Seconds since the start.
    pub seconds: f64,
    /// Number of solutions.
    pub solutions: usize,
    /// AST-bits that they cover.
    pub covered: u64,
}

/// What a run has brought.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The solutions, each adding at least as much as any later one would have in its place.
    pub solutions: Vec<RatedSolution>,
    /// AST-bits that they cover.
    pub covered: u64,
    /// What is known of all AST-bits.
    pub validity: Validity,
    /// The AST-bits proved impossible, by number.
    pub impossible: BitSet,
    /// No set that covers as much has fewer solutions; 0 where nothing is known.
    pub lower_bound: usize,
    /// Numbers of AST-bits behind the lower bound: no model covers two of them.
    pub exclusive: Vec<usize>,
    /// One point for each time that more was covered than ever before.
    pub curve: Vec<CurvePoint>,
    /// When the run reached what people wait for.
    pub milestones: Milestones,
    /// Why the run ended.
    pub stopped_by: StopReason,
    /// Models that the solver proposed and the evaluator rejected: defects of the solver.
    pub rejected: Vec<WrongModel>,
    /// Seconds from start to end.
    pub seconds: f64,
}

impl Outcome {
    /// Whether everything that can be covered is covered, and the rest proved impossible.
    pub fn is_complete(&self) -> bool {
        is_complete(self.solutions.len(), self.covered, self.validity)
    }

    /// Covered AST-bits as a share of those not proved impossible; 1 where there are none.
    pub fn coverage(&self) -> f64 {
        let base = self.validity.valid + self.validity.unknown;
        if base == 0 { 1.0 } else { self.covered as f64 / base as f64 }
    }
}

/// Samples a formula until the goal is reached, the strategy has finished or time is up. What was
/// found until then is always in the outcome.
///
/// # Errors
/// An operation of the formula whose circuit is too large.
pub fn sample(
    problem: &Problem,
    options: &SampleOptions,
    on_progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Outcome, Refusal> {
    let start = Instant::now();
    let mut run = Run::new(problem, options.goal, start);
    let on_preparation = &mut |preparation| {
        let known = Known::nothing(problem);
        on_progress(&Progress { preparation: Some(preparation), ..run.progress(&known) });
    };
    let mut strategy = match make_strategy(problem, options, on_preparation) {
        Ok(strategy) => strategy,
        Err(NotReady::Refused(error)) => return Err(error),
        Err(NotReady::Stopped { model, engine }) => {
            Box::new(Unprepared::new(problem, model, engine, &options.control))
        }
    };
    let stopped_by = loop {
        let mut known = Known::of(&*strategy);
        let step = strategy.step(&mut |bound| {
            known.lower_bound = bound;
            run.note(&known);
            on_progress(&run.progress(&known));
        });
        match step {
            Step::Found(solution) => run.add(*solution),
            Step::Replaced(solutions) => run.replace(solutions),
            Step::Failed(wrong) => run.rejected.push(wrong),
            Step::Learned => {}
            Step::Stopped(reason) => break reason,
        }
        let known = Known::of(&*strategy);
        run.note(&known);
        on_progress(&run.progress(&known));
    };
    run.order();
    if options.strategy == StrategyKind::Cover {
        run.prune();
    }
    run.note(&Known::of(&*strategy));
    let mut outcome = Outcome {
        covered: run.covered(),
        solutions: run.set,
        validity: strategy.validity(),
        impossible: strategy.impossible(),
        lower_bound: strategy.lower_bound(),
        exclusive: strategy.exclusive(),
        curve: run.curve,
        milestones: run.milestones,
        stopped_by,
        rejected: run.rejected,
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(limit) = options.goal.max_solutions
        && outcome.solutions.len() > limit
    {
        outcome.solutions.truncate(limit);
        outcome.covered = outcome.solutions.iter().map(|rated| rated.gain).sum();
        outcome.stopped_by = StopReason::MaximalSolutions;
    }
    if options.is_last {
        std::mem::forget(strategy);
    }
    Ok(outcome)
}

fn make_strategy<'a>(
    problem: &'a Problem,
    SampleOptions { strategy, seed, threads, goal, effort, control, .. }: &SampleOptions,
    on_preparation: &mut dyn FnMut(Preparation),
) -> Result<Box<dyn Strategy + 'a>, NotReady> {
    Ok(match strategy {
        StrategyKind::Cover => {
            Box::new(Cover::new(problem, *goal, *effort, *seed, (*threads).max(1), control, on_preparation)?)
        }
        StrategyKind::Pan(pan) => {
            Box::new(Pan::new(problem, *goal, pan.clone(), *seed, control, on_preparation)?)
        }
    })
}

/// What a strategy knows besides the set.
struct Known {
    validity: Validity,
    lower_bound: usize,
    purpose: Purpose,
}

impl Known {
    /// Before there is a strategy.
    fn nothing(problem: &Problem) -> Self {
        let validity = Validity { unknown: problem.ast_bits.total() as u64, ..Validity::default() };
        Known { validity, lower_bound: 0, purpose: Purpose::default() }
    }

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
    set: Vec<RatedSolution>,
    coverage: Coverage,
    /// How many solutions there were when they were last put in order.
    ordered: usize,
    curve: Vec<CurvePoint>,
    milestones: Milestones,
    rejected: Vec<WrongModel>,
}

impl<'a> Run<'a> {
    fn new(problem: &'a Problem, goal: Goal, start: Instant) -> Self {
        Run {
            problem,
            goal,
            start,
            set: Vec::new(),
            coverage: Coverage::new(&problem.ast_bits),
            ordered: 0,
            curve: Vec::new(),
            milestones: Milestones::default(),
            rejected: Vec::new(),
        }
    }

    /// Where the run is.
    fn progress(&self, known: &Known) -> Progress<'_> {
        Progress {
            solutions: &self.set,
            covered: self.covered(),
            validity: known.validity,
            lower_bound: known.lower_bound,
            preparation: None,
            purpose: known.purpose,
            seconds: self.start.elapsed().as_secs_f64(),
        }
    }

    fn covered(&self) -> u64 {
        self.coverage.covered() as u64
    }

    /// Adds a point to the curve if more is covered than ever before, and the time to milestones that are reached.
    fn note(&mut self, known: &Known) {
        let (covered, count) = (self.covered(), self.set.len());
        let seconds = self.start.elapsed().as_secs_f64();
        if covered > self.curve.last().map_or(0, |point| point.covered) {
            self.curve.push(CurvePoint { seconds, solutions: count, covered });
        }
        let is_complete = is_complete(count, covered, known.validity);
        let is_minimal = is_complete && count <= known.lower_bound;
        let has_target = count > 0 && self.goal.reached(covered, known.validity);
        let Milestones { target, complete, minimal } = &mut self.milestones;
        for (milestone, is_reached) in [(target, has_target), (complete, is_complete), (minimal, is_minimal)]
        {
            if is_reached {
                milestone.get_or_insert(seconds);
            }
        }
    }

    /// Drops solutions that add nothing to those before them. The first one stays, which is a solution also where
    /// there is nothing to cover.
    fn prune(&mut self) {
        let needed = self.set.iter().rposition(|rated| rated.gain > 0).map_or(1, |last| last + 1);
        self.set.truncate(needed);
    }

    /// Adds a solution behind the others. They are put in order only when they have doubled in
    /// number: doing it every time would cost more than finding them.
    fn add(&mut self, solution: Solution) {
        let seconds = self.start.elapsed().as_secs_f64();
        let gain = self.coverage.add(&solution.bits) as u64;
        self.set.push(RatedSolution { solution, gain, seconds });
        if self.set.len() >= 2 * self.ordered {
            self.order();
        }
    }

    /// Puts another set in the place of the present one, unless that is as small, covers as much and
    /// has the better prefixes.
    fn replace(&mut self, solutions: Vec<Solution>) {
        let now = self.start.elapsed().as_secs_f64();
        if self.ordered < self.set.len() {
            self.order();
        }
        let covered = self.covered();
        let old = std::mem::take(&mut self.set);
        self.set = solutions
            .into_iter()
            .map(|solution| {
                let is_it = |rated: &&RatedSolution| {
                    rated.solution.bits == solution.bits && rated.solution.model == solution.model
                };
                let known = old.iter().find(is_it);
                RatedSolution { solution, gain: 0, seconds: known.map_or(now, |rated| rated.seconds) }
            })
            .collect();
        self.order();
        let is_gain = self.covered() > covered || self.set.len() < old.len();
        if !is_gain && prefix_product(&old, covered) < prefix_product(&self.set, covered) {
            self.set = old;
            self.order();
        }
    }

    /// Orders the set by greedy gain, the earlier of equal ones first.
    fn order(&mut self) {
        let coverage = Coverage::new(&self.problem.ast_bits);
        let order = greedy_order(self.set.len(), &mut Collection { set: &self.set, coverage });
        self.coverage = Coverage::new(&self.problem.ast_bits);
        let mut unordered: Vec<Option<RatedSolution>> = self.set.drain(..).map(Some).collect();
        for index in order {
            let mut rated = unordered[index].take().expect("an order names each once");
            rated.gain = self.coverage.add(&rated.solution.bits) as u64;
            self.set.push(rated);
        }
        self.ordered = self.set.len();
    }
}

/// How long the prefixes of a set in order are that reach the levels of this coverage.
fn prefix_product(set: &[RatedSolution], covered: u64) -> u128 {
    prefix::product(&prefix::lengths(set.iter().map(|rated| rated.gain), &prefix::wanted(covered)))
}

/// Solutions that are put in order, and what those in order cover.
struct Collection<'a> {
    set: &'a [RatedSolution],
    coverage: Coverage,
}

impl Gains for Collection<'_> {
    type Gain = u64;

    fn gain(&self, item: usize, _: Option<&u64>) -> u64 {
        self.coverage.gain(&self.set[item].solution.bits) as u64
    }

    fn take(&mut self, item: usize) {
        self.coverage.add(&self.set[item].solution.bits);
    }
}

#[cfg(test)]
mod tests {
    use sundry_term::{BitVector, Model, Op, TermStore, Value};

    use super::*;

    /// A bit-vector of 8 bits other than 0.
    fn not_zero() -> Problem {
        let mut store = TermStore::new();
        let sort = store.bit_vec_sort(8).expect("a width");
        let symbol = store.declare("x", &[], sort);
        let (x, zero) = (store.symbol_term(symbol), store.bit_vector(BitVector::from_u64(8, 0)));
        let equal = store.make(Op::Equal, &[x, zero]);
        let assertions = vec![store.make(Op::Not, &[equal])];
        Problem::new(store, assertions, vec![symbol])
    }

    fn solution(problem: &Problem, x: u64) -> Solution {
        let mut model = Model::new();
        model.set_constant(problem.symbols[0], Value::BitVec(BitVector::from_u64(8, x)));
        problem.judge(model, &Control::default()).expect("a solution")
    }

    /// What the run has after these sets, one after the other, as values of `x`.
    fn left_of(sets: &[&[u64]]) -> Vec<u64> {
        let problem = not_zero();
        let mut run = Run::new(&problem, Goal::default(), Instant::now());
        for set in sets {
            run.replace(set.iter().map(|&x| solution(&problem, x)).collect());
        }
        let of = |rated: &RatedSolution| match rated.solution.model.constant(problem.symbols[0]) {
            Some(Value::BitVec(x)) => x.to_u64().expect("8 bits"),
            _ => panic!("a bit-vector"),
        };
        let gains: u64 = run.set.iter().map(|rated| rated.gain).sum();
        assert_eq!(gains, run.covered());
        run.set.iter().map(of).collect()
    }

    #[test]
    fn of_equal_sets_the_one_with_the_better_prefixes_is_kept() {
        // Two opposite values cover all but what is zero; three others as much, but only together.
        let (good, poor) = ([0x55, 0xaa, 0x01].as_slice(), [0x0f, 0xf1, 0x3e].as_slice());
        assert_eq!(left_of(&[poor, good])[..2], [0x55, 0xaa]);
        assert_eq!(left_of(&[good, poor])[..2], [0x55, 0xaa]);
    }

    #[test]
    fn fewer_solutions_or_more_coverage_take_the_place_of_better_prefixes() {
        assert_eq!(left_of(&[&[0x55, 0xaa, 0x01, 0x02], &[0x0f, 0xf1, 0x3e]]), [0x0f, 0xf1, 0x3e]);
        assert_eq!(left_of(&[&[0xff, 0x7f], &[0x01, 0xfe]]), [0x01, 0xfe]);
    }
}
