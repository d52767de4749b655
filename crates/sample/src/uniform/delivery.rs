//! Samples on their way out: the evaluator judges them, up to 64 at a time, on the assertions as written.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use sundry_lanes::LANES;
use sundry_term::{Control, Model, Stopped, TermStore};

use crate::pipeline::{Event, Solutions};
use crate::problem::Problem;
use crate::rows::{Judge, Layout};
use crate::strategy::StopReason;

/// The time that a sample waits for others to be judged with it. The time changes neither samples nor their order.
const PATIENCE: Duration = Duration::from_millis(100);

/// Models that wait to be judged, and where they go.
pub(crate) struct Delivery<'a> {
    problem: &'a Problem,
    judge: Judge,
    layout: Layout,
    /// The random numbers for constants that the formula does not mention.
    random: ChaCha8Rng,
    waiting: Vec<Model>,
    since: Instant,
    /// The number of samples asked for.
    wanted: Option<u64>,
    /// The number of samples handed out.
    pub(crate) samples: u64,
    /// The number of wrong samples.
    pub(crate) rejected: u64,
    receive: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
}

impl<'a> Delivery<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        judge: Judge,
        layout: Layout,
        random: ChaCha8Rng,
        wanted: Option<u64>,
        receive: &'a mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Self {
        Delivery {
            problem,
            judge,
            layout,
            random,
            waiting: Vec::with_capacity(LANES),
            since: Instant::now(),
            wanted,
            samples: 0,
            rejected: 0,
            receive,
        }
    }

    /// Whether all samples asked for were handed out.
    pub(crate) fn is_enough(&self) -> bool {
        self.wanted.is_some_and(|wanted| self.samples >= wanted)
    }

    /// Adds a sample, and hands out all that wait when it is time to.
    pub(crate) fn push(
        &mut self,
        store: &TermStore,
        mut model: Model,
        control: &Control,
    ) -> ControlFlow<StopReason> {
        self.layout.complete(&mut model, &mut self.random);
        if self.waiting.is_empty() {
            self.since = Instant::now();
        }
        self.waiting.push(model);
        let left = self.wanted.map_or(u64::MAX, |wanted| wanted.saturating_sub(self.samples));
        let is_full = self.waiting.len() == LANES || self.waiting.len() as u64 >= left;
        if is_full || self.since.elapsed() >= PATIENCE {
            self.flush(store, control)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Hands out all waiting samples, except wrong ones, if there is time to judge them: just before the end of a run
    /// there still is, unless judging takes long.
    pub(crate) fn flush(&mut self, store: &TermStore, control: &Control) -> ControlFlow<StopReason> {
        if self.waiting.is_empty() {
            return ControlFlow::Continue(());
        }
        let solutions = match self.judge_waiting(store, &control.with_grace()) {
            Ok(solutions) => solutions,
            Err(reason) => return ControlFlow::Break(reason.into()),
        };
        let count = std::mem::take(&mut self.waiting).len();
        let lanes = (0..count).filter(|lane| solutions >> lane & 1 == 1);
        let models: Vec<Model> =
            lanes.map(|lane| self.judge.model(store, &self.problem.symbols, lane)).collect();
        self.rejected += (count - models.len()) as u64;
        self.samples += models.len() as u64;
        if !models.is_empty()
            && ((self.receive)(Event::Solutions(Solutions::of_models(&models))).is_break()
                || self.is_enough())
        {
            return ControlFlow::Break(StopReason::MaximalSolutions);
        }
        ControlFlow::Continue(())
    }

    /// The mask of the waiting models that are solutions.
    fn judge_waiting(&mut self, store: &TermStore, control: &Control) -> Result<u64, Stopped> {
        self.layout.clear();
        for model in &self.waiting {
            self.layout.add_points(store, model);
        }
        self.judge.place_points(&self.layout);
        let mut rows: Vec<u64> =
            self.waiting.iter().flat_map(|model| self.layout.row(store, model)).collect();
        self.judge.solutions(store, &self.layout, &mut rows, self.waiting.len(), control)
    }
}
