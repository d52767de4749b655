//! The strategy `pan`: PanSampler as published (Lyu, Luo, Shi, Wu, Liu & Hu, *Towards Comprehensive
//! Sampling of SMT Solutions*), Algorithms 1 to 4, with the switches of its ablation study.
//!
//! Points that the paper leaves open or does otherwise:
//!
//! - *Ending.* The paper stops at a share r of Coverage*, which counts impossible AST-bits too: at
//!   r = 1 it stops only where none exist. When a round has no gain, a second solver decides
//!   whether anything is left to cover; AST-bits that it proves impossible are excluded from the
//!   total. It does not influence which solutions are chosen.
//! - *Variables* are those of the bit-vector abstraction: selects and applications besides declared
//!   constants, in the optimisation too. Arrays and functions as a whole have no v ≠ α\[v\].
//! - `push_uncovered` asks each candidate for at least one AST-bit that the set does not cover. The
//!   authors' tool pushes uncovered bits as constraints in a mode of its own; off by default.
//!
//! Solutions without gain stay in the set, as in the paper: they change the distribution
//! that steers the next ones.

mod decide;
mod distribution;
mod diversity;
mod optimise;
mod score;
mod variables;

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxHashSet;
use sundry_coverage::BitSet;
use sundry_solver::{EngineOptions, Lit, SatOptions, Verdict};
use sundry_term::{Control, Model};
use tracing::debug_span;

use crate::not_ready::NotReady;
use crate::problem::{Problem, Rejection, Solution};
use crate::steering::Steering;
use crate::strategy::Goal;
use crate::strategy::{Preparation, Step, StopReason, Strategy, Validity};
use crate::targets::Target;
use decide::Decision;
use distribution::Distribution;
use diversity::Phases;
use variables::Variables;

/// The options of `pan`. The default is the paper's PanSampler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PanOptions {
    /// λ: candidates per solution.
    pub candidates: usize,
    /// Alt-1: the solver's own phases; constraints make solutions differ.
    pub no_diversity: bool,
    /// Alt-2: scores are sums of Manhattan distances to the set, over the variables' bits.
    pub manhattan: bool,
    /// Alt-3: the chosen candidate enters the set as it is.
    pub no_optimisation: bool,
    /// Every candidate has to cover an AST-bit that the set does not.
    pub push_uncovered: bool,
}

impl Default for PanOptions {
    fn default() -> Self {
        PanOptions {
            candidates: 50,
            no_diversity: false,
            manhattan: false,
            no_optimisation: false,
            push_uncovered: false,
        }
    }
}

/// A solution as scores see it.
struct Sample {
    /// Targets that it covers.
    covered: BitSet,
    /// Bits of variables that are true in it.
    bits: BitSet,
    score: u64,
}

/// A sample that may enter the set.
struct Candidate {
    sample: Sample,
    /// The model, not judged yet.
    model: Model,
}

/// The strategy `pan` on one engine.
pub struct Pan<'a> {
    problem: &'a Problem,
    goal: Goal,
    options: PanOptions,
    seed: u64,
    steering: Steering,
    variables: Variables,
    distribution: Distribution,
    phases: Phases,
    /// Targets that the set covers.
    covered: BitSet,
    /// Hashes of the solutions of the set.
    known: FxHashSet<u64>,
    /// Size of the set.
    solutions: usize,
    /// Alt-1: assumed, it excludes the solutions of the set.
    blocked_set: Option<Lit>,
    /// Alt-1: assumed, it excludes the candidates of the round.
    blocked_round: Option<Lit>,
    decision: Decision,
    /// Targets that some model was seen to cover, also one that was not chosen.
    possible: BitSet,
    /// Targets that no model covers.
    impossible: BitSet,
    stopped: Option<StopReason>,
}

impl<'a> Pan<'a> {
    /// The strategy with its own engine and random stream.
    ///
    /// # Errors
    /// An operation of the formula whose circuit is too large, or time is up.
    pub fn new(
        problem: &'a Problem,
        goal: Goal,
        options: PanOptions,
        seed: u64,
        control: &Control,
        on_preparation: &mut dyn FnMut(Preparation),
    ) -> Result<Self, NotReady> {
        let sat = SatOptions { lucky: false, ..SatOptions::default() };
        let engine_options = EngineOptions { sat, ..EngineOptions::default() };
        let mut steering =
            Steering::with_options(problem, seed, STREAM, control, engine_options, on_preparation)?;
        let variables = match Variables::new(problem, &mut steering) {
            Ok(variables) => variables,
            Err(error) => return Err(NotReady::after(steering.take_first_model(), error)),
        };
        let count = steering.targets.count();
        Ok(Pan {
            problem,
            goal,
            options,
            seed,
            distribution: Distribution::new(variables.bit_count()),
            phases: Phases::default(),
            variables,
            steering,
            covered: BitSet::new(count),
            known: FxHashSet::default(),
            solutions: 0,
            blocked_set: None,
            blocked_round: None,
            decision: Decision::default(),
            possible: BitSet::new(count),
            impossible: BitSet::new(count),
            stopped: None,
        })
    }

    /// Runs one round of Algorithm 1 (lines 4 to 13); returns the solution that enters the set.
    fn sample_one(&mut self) -> Result<Candidate, Verdict> {
        let _span = debug_span!("round").entered();
        let pushed = if self.options.push_uncovered { self.uncovered() } else { Vec::new() };
        let mut best: Option<Candidate> = None;
        for _ in 0..self.options.candidates.max(1) {
            match self.diversity_smt(&pushed) {
                // Candidates are scored as they come; of the set C only the best is kept.
                Ok(sample) => {
                    if self.options.no_diversity {
                        self.block_in_round(&sample);
                    }
                    if best.as_ref().is_none_or(|best| sample.score > best.sample.score) {
                        best = Some(self.candidate(sample));
                    }
                }
                Err(verdict) if best.is_none() => return Err(verdict),
                Err(_) => break,
            }
        }
        let best = best.expect("at least one candidate");
        Ok(if self.options.no_optimisation { best } else { self.post_opt(best) })
    }

    /// The solver's present model as a sample.
    fn look(&mut self) -> Sample {
        let covered = self.steering.current();
        let bits = self.variables.current(&self.steering);
        self.possible.union_with(&covered);
        let score = self.score(&covered, &bits);
        Sample { covered, bits, score }
    }

    /// A sample of the solver's present model, with that model.
    fn candidate(&self, sample: Sample) -> Candidate {
        Candidate { sample, model: self.steering.model() }
    }

    /// A ← A ∪ {α*}, once the evaluator has accepted α*. Returns what it adds to the coverage, and nothing where α* is
    /// in the set already.
    fn add(&mut self, chosen: Candidate) -> Result<Option<(Solution, u64)>, Rejection> {
        if self.options.no_diversity {
            self.block_in_set(&chosen.sample);
        }
        let gain = self.gain(&chosen.sample.covered);
        let solution = self.problem.judge(chosen.model, self.steering.control())?;
        // What comes again counts for diversity, so that something else comes at last.
        self.distribution.add(&chosen.sample.bits);
        if !self.known.insert(hash_of(&solution.model)) {
            return Ok(None);
        }
        self.covered.union_with(&chosen.sample.covered);
        self.solutions += 1;
        Ok(Some((solution, gain)))
    }

    /// Targets that neither the set covers nor are known to be impossible.
    fn open(&self) -> BitSet {
        let mut open = BitSet::new(self.steering.targets.count());
        open.insert_complement(&self.covered);
        open.subtract(&self.impossible);
        open
    }

    /// The literals of open targets.
    fn uncovered(&mut self) -> Vec<Lit> {
        let mut literals = Vec::new();
        for index in self.open().iter() {
            let target = Target::from_index(index);
            match self.steering.fixed(target) {
                Some(false) => self.impossible.insert(index),
                _ => literals.push(self.steering.literal(target)),
            }
        }
        literals
    }

    /// The termination condition of Algorithm 1, line 2. Coverage* is taken over the AST-bits that
    /// are not proved impossible.
    fn termination(&self) -> Option<StopReason> {
        let control = self.steering.control();
        let validity = self.validity();
        if control.stopped() {
            Some(control.reason().into())
        } else if self.solutions > 0 && self.open().is_empty() {
            Some(StopReason::Complete)
        } else if self.solutions > 0 && self.goal.reached(self.covered_ast_bits(), validity) {
            Some(StopReason::Target)
        } else if self.goal.max_solutions.is_some_and(|limit| self.solutions >= limit) {
            Some(StopReason::MaximalSolutions)
        } else {
            None
        }
    }

    /// The knowledge about the AST-bits.
    fn validity(&self) -> Validity {
        self.steering.targets.validity(&self.possible, &self.impossible)
    }

    fn covered_ast_bits(&self) -> u64 {
        let targets = &self.steering.targets;
        targets.weight_of(&self.covered) + targets.constant_positions()
    }

    /// Ends a search that has no (further) solution: none at all, none that differs
    /// (Alt-1), or none that covers anything uncovered (pushed). Either way, nothing open is possible.
    fn exhausted(&mut self) {
        if self.solutions == 0 {
            self.stopped = Some(StopReason::Unsatisfiable);
        } else {
            self.impossible.union_with(&self.open());
        }
    }
}

fn hash_of(model: &Model) -> u64 {
    let mut hasher = DefaultHasher::new();
    model.constants().for_each(|constant| constant.hash(&mut hasher));
    model.functions().for_each(|function| function.hash(&mut hasher));
    hasher.finish()
}

/// Number of the strategy's random stream.
const STREAM: u64 = 1 << 32;

impl Strategy for Pan<'_> {
    /// Algorithm 1: each call is one turn of its loop.
    fn step(&mut self, _: &mut dyn FnMut(usize)) -> Step {
        loop {
            if let Some(reason) = self.stopped.or_else(|| self.termination()) {
                self.stopped = Some(reason);
                return Step::Stopped(reason);
            }
            match self.sample_one() {
                Ok(chosen) => match self.add(chosen) {
                    Ok(Some((solution, gain))) => {
                        if gain == 0 {
                            self.decide();
                        }
                        return Step::Found(solution);
                    }
                    Ok(None) => self.decide(),
                    Err(Rejection::Wrong(wrong)) => return Step::Failed(wrong),
                    Err(Rejection::Unjudged(reason)) => self.stopped = Some(reason.into()),
                },
                Err(Verdict::Unsat) => self.exhausted(),
                Err(_) if self.steering.control().stopped() => {}
                Err(_) => self.stopped = Some(StopReason::Deadline),
            }
        }
    }

    fn validity(&self) -> Option<Validity> {
        Some(Pan::validity(self))
    }

    fn impossible(&self) -> Option<BitSet> {
        Some(self.steering.impossible_ast_bits(&self.impossible))
    }
}
