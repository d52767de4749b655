//! Mutants: inputs that random changes make of inputs whose runs were new, run without terms.
//!
//! A plain run takes a small part of the time of a question, so between two questions there is time for many. The changes are those of fuzzers, and the
//! changes with which the solver has left earlier paths: one question about one branch serves all inputs of the pool. A mutant that takes an edge of control
//! flow for the first time, or shows a new error, becomes a test, whose symbolic run opens branches.
//!
//! Sources: Fioraldi et al., *AFL++: Combining incremental steps of fuzzing research* (WOOT 2020), for the changes of bytes and the classes of counts; Dutra et al.,
//! *SMTSampler* (ICCAD 2018), for the combination of changes.

mod changes;
mod pool;
mod share;
mod tokens;

use std::collections::VecDeque;

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;
use sundry_term::Control;

use crate::explore::Origin;
use crate::finding::{Finding, FindingKind};
use crate::host::Ending;
use crate::input::{Input, VariableId, Variables};
use crate::options::ExploreOptions;
use crate::program::Program;
use crate::run::{RunEnd, Runner};
use crate::trace::Edge;
use changes::change;
use pool::{Novelty, Pool};
use share::Share;
use tokens::tokens_of;

/// Instructions that take as long as all else that belongs to a plain run.
const COST_OF_RUN: u64 = 1_000;

/// Instructions of a plain run that take as long as one of a symbolic run.
const COST_OF_TERMS: u64 = 10;

/// Instructions of a plain run that take as long as a question in which the solver does nothing.
const COST_OF_QUESTION: u64 = 30_000;

/// The part of a new edge that a new path without one is worth.
const VALUE_OF_PATH: f64 = 1.0 / 256.0;

/// The work of mutants where no branch is open and some could not be decided, in instructions.
const LAST_WORK: u64 = 30_000_000;

/// The greatest share of the work that mutants can have.
const MOST_SHARE: f64 = 0.99;

/// The number of times that a mutant's run may be longer than the longest of the pool.
const MOST_GROWTH: u64 = 4;

/// The greatest number of changes by the solver that are remembered.
const MOST_SOLVED: usize = 4_096;

/// The greatest number of values in one of them.
const MOST_VALUES: usize = 64;

/// Makes and runs mutants.
pub struct Mutants {
    random: ChaCha8Rng,
    pool: Pool,
    tokens: Vec<Vec<u8>>,
    /// Errors of runs.
    errors: FxHashSet<Finding>,
    bad_exits: Vec<u32>,
    /// The values by which solutions and partial solutions differ from the inputs whose paths they leave.
    solved: VecDeque<Vec<(VariableId, u64)>>,
    share: Share,
    is_used: bool,
    /// Whether the last turn was granted.
    has_last_turn: bool,
    /// Mutants that were run.
    pub runs: u64,
}

impl Mutants {
    /// No mutants yet.
    pub fn new(program: &Program, options: &ExploreOptions) -> Mutants {
        let mut random = ChaCha8Rng::seed_from_u64(options.seed);
        random.set_stream(2);
        Mutants {
            random,
            pool: Pool::default(),
            tokens: if options.mutants > 0.0 { tokens_of(program) } else { Vec::new() },
            errors: FxHashSet::default(),
            bad_exits: options.bad_exits.clone(),
            solved: VecDeque::new(),
            share: Share::new(options.mutants.clamp(0.0, MOST_SHARE)),
            is_used: options.mutants > 0.0,
            has_last_turn: false,
            runs: 0,
        }
    }

    /// Takes note of a run of so many instructions: its input joins the pool if some edge was taken as often for the first time. Says whether an edge was taken for
    /// the first time or the error is new.
    pub fn note(
        &mut self,
        input: &Input,
        steps: u64,
        error: Option<&Finding>,
        counts: impl Iterator<Item = (Edge, u8)>,
    ) -> bool {
        if !self.is_used {
            return false;
        }
        let is_new_error = error.is_some_and(|error| self.errors.insert(error.clone()));
        // The children of a run without an end have none either, and take more time than all others.
        if error.is_some_and(|error| error.kind == FindingKind::NoEnd) {
            return is_new_error;
        }
        let novelty = self.pool.note(input, steps, counts);
        novelty == Novelty::Edge || is_new_error
    }

    /// Takes note of values with which an input leaves a path.
    pub fn learn(&mut self, values: Vec<(VariableId, u64)>) {
        if !self.is_used || values.is_empty() || values.len() > MOST_VALUES {
            return;
        }
        if self.solved.len() == MOST_SOLVED {
            self.solved.pop_front();
        }
        self.solved.push_back(values);
    }

    /// Takes note of the work of a question.
    pub fn note_question(&mut self, work: u64) {
        self.share.note_questions(0.0, work + COST_OF_QUESTION);
    }

    /// Takes note of a symbolic run of so many instructions.
    pub fn note_test(&mut self, origin: Origin, has_new_edge: bool, is_new_path: bool, steps: u64) {
        let found = if has_new_edge { 1.0 } else { f64::from(u8::from(is_new_path)) * VALUE_OF_PATH };
        let work = steps * COST_OF_TERMS;
        match origin {
            Origin::Mutant => self.share.note_mutants(found, work),
            Origin::Imported => {}
            _ => self.share.note_questions(found, work),
        }
    }

    /// Grants mutants one more turn where questions have left gaps, unless nothing came of the last one.
    pub fn grant_last_turn(&mut self) -> bool {
        let is_granted = self.is_used && !std::mem::replace(&mut self.has_last_turn, true);
        if is_granted {
            self.share.grant(LAST_WORK);
        }
        is_granted
    }

    /// Runs mutants as long as it is their turn, up to the first that takes a new edge or shows a new error.
    pub fn find(
        &mut self,
        runner: &mut Runner<'_>,
        variables: &Variables,
        control: &Control,
    ) -> Option<Input> {
        let longest = self.pool.longest().saturating_mul(MOST_GROWTH).saturating_add(COST_OF_RUN);
        let most_steps = runner.most_steps;
        runner.most_steps = longest.min(most_steps);
        let found = self.find_within(runner, variables, control);
        runner.most_steps = most_steps;
        self.has_last_turn &= found.is_none();
        found
    }

    fn find_within(
        &mut self,
        runner: &mut Runner<'_>,
        variables: &Variables,
        control: &Control,
    ) -> Option<Input> {
        while self.share.is_turn_of_mutants() && !control.stopped() {
            let parent = self.pool.next()?;
            let mutant = self.mutant(parent, variables);
            let run = runner.replay(&mutant, variables, false);
            if matches!(run.end, RunEnd::Host(Ending::Interrupted)) {
                return None;
            }
            self.runs += 1;
            let cost = run.steps + COST_OF_RUN;
            self.share.note_mutants(0.0, cost);
            self.pool.charge(parent, cost);
            if run.end == RunEnd::Steps {
                continue;
            }
            let error = Finding::of(&run, &self.bad_exits, runner.program);
            if self.note(&mutant, run.steps, error.as_ref(), runner.counts())
                && self.is_new_with_checks(&mutant, run.path, runner, variables)
            {
                self.pool.reward(parent);
                return Some(mutant);
            }
        }
        None
    }

    /// Whether a run whose accesses to memory are checked takes this path too, or ends sooner in a new error.
    fn is_new_with_checks(
        &mut self,
        mutant: &Input,
        path: u64,
        runner: &mut Runner<'_>,
        variables: &Variables,
    ) -> bool {
        let run = runner.replay(mutant, variables, true);
        let error = Finding::of(&run, &self.bad_exits, runner.program);
        run.path == path || error.is_some_and(|error| self.errors.insert(error))
    }

    /// A mutant of an input of the pool.
    fn mutant(&mut self, parent: usize, variables: &Variables) -> Input {
        let mut mutant = self.pool.input(parent).clone();
        if self.random.random_range(0..2) == 0
            && let Some(count) = self.solved.len().checked_sub(1)
        {
            for _ in 0..1 << self.random.random_range(0..3) {
                let values = &self.solved[self.random.random_range(0..=count)];
                values.iter().for_each(|&(id, value)| mutant.set(id, value));
            }
            if self.random.random_range(0..2) == 0 {
                return mutant;
            }
        }
        let sources: Vec<usize> = (0..variables.sources().len())
            .filter(|&source| variables.sources()[source].capacity > 0)
            .collect();
        let Some(&source) = sources.choose(&mut self.random) else { return mutant };
        let null = variables.sources()[source].null;
        if null.is_some() && self.random.random_range(0..8) == 0 {
            let is_null = variables.is_null(&mutant, source);
            variables.set_null(&mut mutant, source, !is_null);
            return mutant;
        }
        let capacity = variables.sources()[source].capacity as usize;
        let mut bytes = variables.bytes(&mutant, source);
        let donor = variables.bytes(self.pool.input(self.pool.any(&mut self.random)), source);
        for _ in 0..1 << self.random.random_range(0..4) {
            change(&mut bytes, capacity, (&donor, &self.tokens), &mut self.random);
        }
        if variables.sources()[source].length.is_none() {
            bytes.resize(capacity, 0);
        }
        variables.set_bytes(&mut mutant, source, &bytes);
        mutant
    }
}
