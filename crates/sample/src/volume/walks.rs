//! Solutions at volume of formulas over integers and reals: walks in the polyhedra around solutions.
//!
//! An *epoch* starts at a solution of the solver, by turns near a random assignment and a [hop](crate::hopper) away from the last one, and goes on from
//! solutions that it has found: each holds for other reasons, so that walks from it lead to other parts of the formula. MeGASampler (Peled, Rothenberg & Itzhaky, FM 2023) combines values within boxes instead, which are
//! small where equations relate the variables.

use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sundry_lanes::LANES;
use sundry_solver::{Query, Verdict};
use sundry_term::{Control, Evaluator, Model};
use tracing::debug_span;

use super::sampler::Flow;
use super::types::VolumeStatistics;
use super::unique::Unique;
use crate::formula_engine::FormulaEngine;
use crate::hopper::{Hop, Hopper};
use crate::pipeline::{Event, Solutions};
use crate::polyhedra::Walker;
use crate::problem::Problem;
use crate::strategy::StopReason;

/// Walks of an epoch.
const WALKS: usize = 16;
/// Solutions in succession around which nothing can change, after which an epoch ends.
const POINTS: usize = 4;
/// Solutions of a walk that are far from the one before.
const FAR: usize = 16;
/// Steps from each of these.
const STEPS: usize = 16;
/// Solutions of an epoch from which its walks may start.
const STARTS: usize = 64;
/// Epochs in succession without new solutions that end a run.
const PATIENCE: u32 = 8;
/// Hops without a solution, after which the epoch starts near a random assignment instead.
const HOPS: usize = 64;
/// Ticks for a solution near a random assignment. Where they do not suffice, further epochs start at hops, or at the last solution again.
const TICKS: u64 = 20_000_000;

/// A run: where solutions come from, and who receives them.
pub(super) struct Walks<'a> {
    pub(super) problem: &'a Problem,
    pub(super) formula: FormulaEngine,
    pub(super) walker: Walker,
    /// Hops to where epochs start; none once nothing is left to change.
    pub(super) hopper: Option<Hopper>,
    /// Whether solutions near random assignments are too hard to find.
    pub(super) random_is_hard: bool,
    pub(super) random: ChaCha8Rng,
    pub(super) unique: Unique,
    pub(super) statistics: VolumeStatistics,
    /// Models of the solver or of walks that the evaluation rejects: defects.
    pub(super) rejected: u64,
    /// The number of solutions that are still wanted.
    pub(super) left: u64,
    pub(super) receive: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    /// New solutions, not handed out yet.
    pub(super) batch: Vec<Model>,
}

impl Walks<'_> {
    /// Runs epochs until nothing new is found.
    pub(super) fn run(&mut self, first: Model) -> ControlFlow<StopReason, Infallible> {
        let ended = self.run_epochs(first);
        // What was found before the end is handed out all the same.
        self.hand_out()?;
        ended
    }

    fn run_epochs(&mut self, mut base: Model) -> ControlFlow<StopReason, Infallible> {
        let mut fruitless = 0;
        loop {
            let unique = self.statistics.unique;
            self.epoch(&base)?;
            fruitless = if self.statistics.unique > unique { 0 } else { fruitless + 1 };
            if fruitless >= PATIENCE {
                return ControlFlow::Break(StopReason::NothingNew);
            }
            if let Some(next) = self.next_base()? {
                base = next;
            }
        }
    }

    /// Another solution of the solver, if one is easy to find.
    fn next_base(&mut self) -> Flow<Option<Model>> {
        if self.random_is_hard || self.statistics.epochs % 2 == 1 {
            let next = self.hop()?;
            if next.is_some() {
                return ControlFlow::Continue(next);
            }
        }
        let random = &mut self.random;
        self.formula.engine_mut().prefer_values(|_| random.random());
        match self.formula.find(Query::default().within(TICKS)) {
            Ok(model) => return ControlFlow::Continue(Some(model)),
            Err(Verdict::Unsat) => return ControlFlow::Break(StopReason::Unsatisfiable),
            Err(_) => self.check_time()?,
        }
        self.random_is_hard = true;
        ControlFlow::Continue(None)
    }

    /// The solution of a hop, if one of some hops leads to one.
    fn hop(&mut self) -> Flow<Option<Model>> {
        for _ in 0..HOPS {
            self.check_time()?;
            let Some(hopper) = &mut self.hopper else { break };
            match hopper.hop(&mut self.random) {
                Hop::Model(model) => return ControlFlow::Continue(Some(*model)),
                Hop::Failed => {}
                Hop::Over => self.hopper = None,
            }
        }
        ControlFlow::Continue(None)
    }

    /// Walks from a solution, and from some of those that it finds.
    fn epoch(&mut self, base: &Model) -> Flow {
        let _span = debug_span!("epoch").entered();
        self.statistics.epochs += 1;
        let mut base = base.clone();
        self.problem.complete(&mut base);
        self.offer(&base)?;
        let control = self.formula.control().clone();
        let mut starts = vec![base];
        let mut points = 0;
        for _ in 0..WALKS {
            self.check_time()?;
            let start = starts.choose(&mut self.random).expect("the base is one").clone();
            let Some(mut walking) = self.walker.walk_from(self.problem, &start, &control, &mut self.random)
            else {
                points += 1;
                if points == POINTS {
                    break;
                }
                continue;
            };
            points = 0;
            for _ in 0..FAR {
                let model = walking.walk(&mut self.random);
                if self.offer(&model)? && starts.len() < STARTS {
                    starts.push(model);
                }
                for _ in 0..STEPS {
                    if let Some(model) = walking.step(&mut self.random) {
                        self.offer(&model)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Judges a model, and keeps it where it is new. Returns whether it is.
    fn offer(&mut self, model: &Model) -> Flow<bool> {
        self.statistics.candidates += 1;
        let control = self.formula.control().with_grace();
        let mut evaluator = Evaluator::with_control(&self.problem.store, model, &control);
        match self.problem.satisfied(&mut evaluator) {
            Ok(true) => {}
            Ok(false) => {
                self.rejected += 1;
                return ControlFlow::Continue(false);
            }
            Err(reason) => return ControlFlow::Break(reason.into()),
        }
        self.statistics.valid += 1;
        if !self.unique.insert(self.fingerprint(model)) {
            return ControlFlow::Continue(false);
        }
        self.statistics.unique += 1;
        self.batch.push(model.clone());
        if self.batch.len() == LANES || self.batch.len() as u64 == self.left {
            self.check_time()?;
            self.hand_out()?;
        }
        ControlFlow::Continue(true)
    }

    /// Hands out the solutions of the batch.
    fn hand_out(&mut self) -> Flow {
        if self.batch.is_empty() {
            return ControlFlow::Continue(());
        }
        let models = std::mem::take(&mut self.batch);
        self.left -= models.len() as u64;
        if (self.receive)(Event::Solutions(Solutions::of_models(&models))).is_break() || self.left == 0 {
            return ControlFlow::Break(StopReason::MaximalSolutions);
        }
        ControlFlow::Continue(())
    }

    /// A fingerprint of the values of all symbols.
    fn fingerprint(&self, model: &Model) -> u128 {
        let half = |number: u8| {
            let mut hasher = DefaultHasher::new();
            number.hash(&mut hasher);
            for &symbol in &self.problem.symbols {
                model.constant(symbol).hash(&mut hasher);
                model.function(symbol).hash(&mut hasher);
            }
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(1)
    }

    fn control(&self) -> &Control {
        self.formula.control()
    }

    fn check_time(&self) -> Flow {
        match self.control().stopped() {
            true => ControlFlow::Break(self.control().reason().into()),
            false => ControlFlow::Continue(()),
        }
    }
}
